package branch

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/event"
	"agentchat/backend/guest"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// A key that another tool has stays that tool's, however often the shop is heard of, and a tool that cannot be founds no group.
func TestATakenKeyStaysWhoseItIs(t *testing.T) {
	bus := event.NewBus(100, time.Now)
	box, err := toolbox.New(bus, toolbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own := &tool{spec: toolbox.Spec{Key: "far__stamp", Confirm: toolbox.ConfirmNever, Effect: toolbox.EffectRead}}
	if err := box.Register(own); err != nil {
		t.Fatal(err)
	}
	log := zerolog.Nop()
	b := &Book{deps: Deps{Box: box, Bus: bus, Now: time.Now, Log: &log, Tools: func() {}}}
	l := newLink(b, Partner{ID: "far", Name: "Far", Prefix: "far"})
	manual := func(key, group string, effect toolbox.Effect) guest.Manual {
		return guest.Manual{Units: 2, Spec: toolbox.Spec{
			Key: key, Title: bilingual.Of("도장", "Stamp"), Group: group, Confirm: toolbox.ConfirmNever, Effect: effect, Params: json.RawMessage(`{"type":"object"}`),
		}}
	}
	lent := []guest.Manual{manual("stamp", "", toolbox.EffectRead), manual("other", "ink", toolbox.EffectRead), manual("bad", "strange", "unheard of")}
	l.hang(lent)
	l.hang(nil)
	if got, err := box.Tool("far__stamp"); err != nil || got != toolbox.Tool(own) {
		t.Errorf("%v, %v", got, err)
	}
	l.hang(lent)
	_, _, keys := l.standing()
	if !slices.Equal(keys, []string{"far__other"}) {
		t.Errorf("%q", keys)
	}
	if g := box.Inventory().Groups; len(g) != 1 || g[0].Group != "far__ink" || g[0].Capacity != 2 {
		t.Errorf("%+v", g)
	}
}

// What a shop lends is learnt of one that is paired; one that was unpaired meanwhile does not come back.
func TestLearningBringsNobodyBack(t *testing.T) {
	p, err := partnersIn(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	far := Partner{ID: "far"}
	if err := p.Set(far); err != nil {
		t.Fatal(err)
	}
	_, err = p.Remove(far.ID)
	if err = errors.Join(err, p.Alter(far.ID, func(*Partner) {})); err != nil {
		t.Fatal(err)
	}
	if len(p.All()) != 0 {
		t.Errorf("%+v", p.All())
	}
}

// A shop that is paired anew while it hears that it was unpaired stays paired: the week, or the minute, that it would have heard so is over for it.
func TestAShopThatIsPairedAnewMeanwhileStays(t *testing.T) {
	kept, err := partnersIn(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	now, log := time.Now(), zerolog.Nop()
	b := &Book{partners: kept, deps: Deps{Now: func() time.Time { return now }, Log: &log}}
	b.door.init(b)
	left := Partner{ID: "near", Role: Borrows, Pin: "pin", Until: now.Add(farewell)}
	anew := left
	anew.Until = time.Time{}
	for _, p := range []Partner{left, anew} {
		if err := errors.Join(kept.Set(p), kept.Alter(p.ID, func(p *Partner) { p.told(now.Add(time.Minute)) })); err != nil {
			t.Fatal(err)
		}
		if got := kept.All()[0]; got.left() != p.left() || p.left() && !got.Until.Equal(now.Add(time.Minute)) {
			t.Errorf("%+v", got)
		}
	}
	if wanted, first := b.door.callers(); !wanted || !first.IsZero() {
		t.Errorf("%v, %v", wanted, first)
	}
	left.Until = now
	if err := kept.Set(left); err != nil {
		t.Fatal(err)
	}
	if wanted, _ := b.door.callers(); wanted || len(kept.All()) != 0 {
		t.Errorf("%v, %+v", wanted, kept.All())
	}
}
