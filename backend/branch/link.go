package branch

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"agentchat/backend/background"
	"agentchat/backend/guest"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// What another shop may say.
const (
	mostTools = 100
	mostSaid  = 4 << 20 // bytes of one answer
	mostWords = 2000    // letters of a sentence of its
)

// link is the way to a shop that lends. It is tried for as long as the shop is paired.
type link struct {
	book *Book

	mu      sync.Mutex
	partner Partner
	conn    *conn // nil while it is away
	state   State
	since   time.Time
	tries   int               // in a row, in vain
	changes int               // in a row, of what it lends, before it was found
	uses    map[string]string // that are asked for and not over, with their jobs
	recalls map[string]bool   // uses that were called off, until the other shop has heard so
	tools   []*tool

	poke chan struct{}

	life   sync.Mutex // of what follows: it is begun and stopped one after the other
	ended  bool
	cancel context.CancelFunc
	done   chan struct{}
}

func newLink(b *Book, p Partner) *link {
	l := &link{book: b, partner: p, state: Away, uses: map[string]string{}, recalls: map[string]bool{}, poke: make(chan struct{}, 1)}
	for _, use := range p.CalledOff {
		l.recalls[use] = true
	}
	if !p.Unpaired.IsZero() {
		l.state, l.since = Unpaired, p.Unpaired
	}
	return l
}

func (l *link) name() string { return l.partner.Name } // it is never changed

func (l *link) address() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.partner.Address
}

// start begins to call.
func (l *link) start() {
	l.life.Lock()
	defer l.life.Unlock()
	l.begin()
}

func (l *link) begin() {
	if l.ended {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel, l.done = cancel, make(chan struct{})
	go func() {
		defer close(l.done)
		for ctx.Err() == nil {
			err := l.visit(ctx)
			if ctx.Err() != nil {
				break
			}
			if !errors.Is(err, errEdition) {
				l.lost(err)
			}
			wait := time.NewTimer(l.rest(err))
			select {
			case <-wait.C:
			case <-ctx.Done():
			}
			wait.Stop()
		}
	}()
}

// stop calls no more; l.life is held.
func (l *link) stop() {
	if l.cancel != nil {
		l.cancel()
		<-l.done
	}
}

// end calls no more ever.
func (l *link) end() {
	l.life.Lock()
	defer l.life.Unlock()
	l.ended = true
	l.stop()
}

// leads has the shop called at another address, as one that knows this shop. What waits for it waits on.
func (l *link) leads(address string) {
	l.life.Lock()
	defer l.life.Unlock()
	l.stop()
	l.mu.Lock()
	l.conn, l.tries, l.changes, l.partner.Address, l.partner.Unpaired = nil, 0, 0, address, time.Time{}
	if l.state == Unpaired {
		l.state, l.since = Away, l.book.deps.Now()
	}
	l.mu.Unlock()
	l.begin()
}

// errEdition says that the other shop lends something else by now.
var errEdition = errors.New("the branch lends other tools")

// visit reaches the other shop and stays until it is lost.
func (l *link) visit(ctx context.Context) error {
	c, err := l.dial(ctx)
	if err != nil {
		return err
	}
	defer c.drop()
	return l.stay(ctx, c)
}

// stay hangs up what the other shop lends and keeps what is held there, until it is lost or lends something else.
func (l *link) stay(ctx context.Context, c *conn) error {
	manuals, err := c.manuals(ctx, l.book.pace.Within)
	if err != nil {
		return err
	}
	if err := l.learn(manuals); err != nil {
		return err
	}
	edition := c.edition() // of the list: what changed since is another one
	now, err := l.beat(ctx, c)
	if err != nil {
		return err
	}
	if edition == "" { // it names none, or not there
		edition = now
	}
	if now != edition && now != "" {
		return errEdition
	}
	l.found(c)
	tick := time.NewTicker(l.book.pace.Beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.ctx.Done():
			return errAway
		case <-l.poke:
		case <-tick.C:
		}
		if now, err = l.beat(ctx, c); err != nil {
			return err
		}
		if now != edition && now != "" {
			return errEdition
		}
	}
}

// beat keeps the leases, has what was called off stopped, and shows what is out over there.
func (l *link) beat(ctx context.Context, c *conn) (edition string, err error) {
	l.mu.Lock()
	uses, recalls := slices.Collect(maps.Keys(l.uses)), slices.Collect(maps.Keys(l.recalls))
	l.mu.Unlock()
	for _, use := range recalls {
		if _, err := c.ask(ctx, l.book.pace.Within, guest.ReleaseTool, map[string]any{"use": use}, nil); err != nil {
			return "", err
		}
		l.mu.Lock()
		delete(l.recalls, use)
		l.mu.Unlock()
		if err := l.book.partners.Alter(l.partner.ID, func(p *Partner) {
			p.CalledOff = slices.DeleteFunc(slices.Clone(p.CalledOff), func(o string) bool { return o == use })
		}); err != nil {
			return "", err
		}
	}
	var out guest.BeatAnswer
	for first := true; first || len(uses) > 0; first = false { // of none, too: it is there
		some := uses[:min(len(uses), guest.MostBeaten)]
		uses, out = uses[len(some):], guest.BeatAnswer{}
		if err := c.read(ctx, l.book.pace.Within, guest.BeatTool, guest.Beat{Uses: some}, &out); err != nil {
			return "", err
		}
	}
	l.elsewhere(out.Out)
	return out.Edition, nil
}

// elsewhere shows on the board how many of each tool others have over there.
func (l *link) elsewhere(out map[string]int) {
	l.mu.Lock()
	tools := l.tools
	l.mu.Unlock()
	for _, t := range tools {
		l.book.deps.Box.SetElsewhere(t.spec.Key, slices.Repeat([]string{l.name()}, min(max(out[t.name], 0), mostTools)))
	}
}

// found says that the shop is here; whoever waits for it looks again.
func (l *link) found(c *conn) {
	l.mu.Lock()
	l.conn, l.tries, l.changes = c, 0, 0
	if l.state != Here {
		l.state, l.since = Here, l.book.deps.Now()
	}
	again := !l.partner.Unpaired.IsZero()
	l.partner.Unpaired = time.Time{}
	jobs := make([]string, 0, len(l.uses))
	for _, job := range l.uses {
		jobs = append(jobs, job)
	}
	l.mu.Unlock()
	if again {
		l.note(func(p *Partner) { p.Unpaired = time.Time{} })
	}
	l.book.tell()
	for _, job := range jobs {
		l.book.deps.Wake(job)
	}
}

// lost says that the shop is away. One that does not know this shop any more has unpaired it until it is reached again, whether or not it listens.
func (l *link) lost(err error) {
	to := Away
	if unknown(err) {
		to = Unpaired
	}
	l.mu.Lock()
	l.conn = nil
	l.tries++
	fresh := l.since.IsZero() || l.state != to && l.state != Unpaired
	if fresh {
		l.state, l.since = to, l.book.deps.Now()
	}
	since := l.since
	if fresh && to == Unpaired {
		l.partner.Unpaired = since
	}
	l.mu.Unlock()
	if !fresh {
		return
	}
	if to == Unpaired {
		l.note(func(p *Partner) { p.Unpaired = since })
	}
	l.book.deps.Log.Info().Err(err).Str("branch", l.partner.ID).Str("state", string(to)).Msg("a branch is not reached")
	l.elsewhere(nil)
	l.book.tell()
}

// note writes down something about the shop that holds also where it cannot be written.
func (l *link) note(what func(*Partner)) {
	if err := l.book.partners.Alter(l.partner.ID, what); err != nil {
		l.book.deps.Log.Warn().Err(err).Str("branch", l.partner.ID).Msg("what is known of a branch is not written down")
	}
}

// pause is how long to wait before the next try.
func (l *link) pause() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	again := l.book.pace.Again
	return again[min(max(l.tries-1, 0), len(again)-1)]
}

// rest is how long to wait after a visit. What changed while it was looked at is looked at again at once, but not for ever.
func (l *link) rest(after error) time.Duration {
	if !errors.Is(after, errEdition) {
		return l.pause()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.changes++; l.changes == 1 {
		return 0
	}
	again := l.book.pace.Again
	return again[min(l.changes-2, len(again)-1)]
}

func (l *link) here() *conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.conn
}

func (l *link) standing() (State, time.Time, []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	keys := make([]string, len(l.tools))
	for i, t := range l.tools {
		keys[i] = t.spec.Key
	}
	return l.state, l.since, keys
}

// unpaired tells whether the other shop does not know this one any more.
func (l *link) unpaired() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state == Unpaired
}

// waits notes that a job is after a use.
func (l *link) waits(use, job string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.uses[use] = job
}

// over notes that nothing more comes of a use.
func (l *link) over(use string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.uses, use)
}

// recall has a use stopped over there. It is written down before the job here has ended, so that it is not lost with this program.
func (l *link) recall(use string) {
	l.note(func(p *Partner) { p.CalledOff = append(slices.Clone(p.CalledOff), use) })
	l.mu.Lock()
	delete(l.uses, use)
	l.recalls[use] = true
	l.mu.Unlock()
	background.Wake(l.poke)
}

// learn keeps what the shop lends now, and hangs it up. Errors: storage errors.
func (l *link) learn(manuals []guest.Manual) error {
	l.mu.Lock()
	same := reflect.DeepEqual(asText(l.partner.Tools), asText(manuals))
	l.mu.Unlock()
	if same {
		return nil
	}
	l.hang(manuals)
	l.mu.Lock()
	l.partner.Tools = manuals
	l.mu.Unlock()
	return l.book.partners.Alter(l.partner.ID, func(p *Partner) { p.Tools = manuals })
}

func asText(v any) string {
	text, _ := json.Marshal(v) // manuals always encode: they were decoded
	return string(text)
}

// hang has exactly these tools of the shop in the box. One that is as it was stays where it is, with whoever holds it.
func (l *link) hang(manuals []guest.Manual) {
	var next []*tool
	l.mu.Lock()
	old := l.tools
	l.mu.Unlock()
	fresh, groups := []*tool{}, map[string]int{}
	for _, m := range manuals {
		t := &tool{link: l, name: m.Key, spec: l.spec(m)}
		if i := slices.IndexFunc(old, func(o *tool) bool { return asText(o.spec) == asText(t.spec) }); i >= 0 {
			next, groups[t.spec.Group] = append(next, old[i]), max(m.Units, 0)
			continue
		}
		if t.spec.Check() == nil {
			fresh, groups[t.spec.Group] = append(fresh, t), max(m.Units, 0)
		}
	}
	delete(groups, "")
	for _, o := range old {
		if !slices.Contains(next, o) {
			l.book.deps.Box.Unregister(o.spec.Key)
		}
	}
	for group, units := range groups { // of sound manuals alone: the box keeps every name it hears
		l.book.deps.Box.SetGroup(group, units)
	}
	for _, t := range fresh {
		if err := l.book.deps.Box.Register(t); err != nil {
			l.book.deps.Log.Warn().Err(err).Str("tool", t.spec.Key).Msg("a branch's tool cannot be hung up")
			continue // the key is another's
		}
		next = append(next, t)
	}
	l.mu.Lock()
	l.tools = next
	l.mu.Unlock()
	l.book.deps.Tools()
}

// spec is the manual here of a tool over there. It is a stranger's word as any outside tool's is, and it asks at least once where it changes something;
// what the other shop asks its own person about is another matter.
func (l *link) spec(m guest.Manual) toolbox.Spec {
	of := func(t bilingual.Text, most int) bilingual.Text {
		return bilingual.Text{KO: policy.Visible(t.KO, most), EN: policy.Visible(t.EN, most)}
	}
	title, description := of(m.Title, 60), of(m.Description, 1000)
	spec := toolbox.Spec{
		Key:   l.partner.Prefix + "__" + m.Key,
		Title: bilingual.Text{KO: l.name() + ": " + title.KO, EN: l.name() + ": " + title.EN},
		Description: bilingual.Text{
			KO: "[지점 " + l.name() + "의 설명] " + description.KO, EN: "[described by the branch " + l.name() + "] " + description.EN,
		},
		Capacity: m.Capacity, Confirm: m.Confirm, Effect: m.Effect, Long: m.Long, Params: m.Params, Result: m.Result, Outside: l.name(), Keyed: true,
	}
	if string(spec.Result) == "null" { // it said of none
		spec.Result = nil
	}
	if m.Group != "" {
		spec.Group = l.partner.Prefix + "__" + m.Group
	}
	if spec.Effect != toolbox.EffectRead && spec.Confirm == toolbox.ConfirmNever {
		spec.Confirm = toolbox.ConfirmFirst
	}
	return spec
}

// plain is a sentence of another shop's without what nobody sees.
func plain(words string) string { return policy.Visible(strings.TrimSpace(words), mostWords) }
