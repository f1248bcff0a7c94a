package guest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"agentchat/backend/apperr"
)

// lent are the tools that are held for paired shops before their tickets are there, and the places in line. A restart empties it, as it does the
// toolbox: who holds nothing any more hears so and asks again, under a higher fence.
type lent struct {
	mu      sync.Mutex
	leases  map[string]*lease // by the ticket that is to be
	tickets map[string]string // that are there and hold a tool, with whose they are
	timer   *time.Timer
	names   sync.Map // of whom, by the ticket that is to be: the toolbox asks while mu is held
}

// lease is a tool that is held for a use, or a place in its line. The toolbox has it under the name of the ticket that is to be, so what
// was held is that ticket's when it comes.
type lease struct {
	guest, use, tool string
	held             bool
	until            time.Time
}

// lease holds a tool for a use of a paired shop. Errors: unknown_tool, tool_off, use_too_old, storage errors.
func (b *Book) lease(ctx context.Context, g Guest, in Wanted) (LeaseAnswer, error) {
	use, tool, answer := in.Use, in.Tool, LeaseAnswer{}
	b.lent.mu.Lock()
	defer b.lent.mu.Unlock()
	known, err := b.deps.Store.NamedUse(ctx, g.ID, use)
	switch {
	case err != nil:
		return answer, err
	case known.State == UseAdmitted:
		answer.Status = Known
		return answer, nil
	case known.State == UseTakenBack:
		answer.Status = TakenBack
		return answer, nil
	case known.State == UsePromised && known.Tool != tool:
		return answer, apperr.New(apperr.DigestMismatch)
	case known.State == 0 && b.deps.Now().Sub(time.UnixMilli(in.Began)) > UseLife:
		return answer, apperr.New(apperr.UseTooOld, "days", int(UseLife/(24*time.Hour)))
	case !slices.Contains(g.Tools, tool): // a use that has its ticket keeps it
		return answer, apperr.New(apperr.UnknownTool, "tool", tool)
	}
	id, l := b.leaseOf(g.ID, use)
	if l == nil {
		if n := b.countLeases(g.ID); n >= mostLent { // its others come first
			answer.Status, answer.Place = Locked, n
			return answer, nil
		}
		if id = known.Job; id == "" {
			id = b.deps.NewID()
		}
		l = &lease{guest: g.ID, use: use, tool: tool}
	}
	if !l.held {
		b.lent.names.Store(id, g.Name)
		defer func() {
			if b.lent.leases[id] == nil { // it came to nothing
				b.lent.names.Delete(id)
				b.deps.Box.ReleaseJob(id)
			}
		}()
		_, locked, err := b.deps.Box.Acquire(id, tool)
		if err != nil {
			return answer, err
		}
		place := 0
		if locked != nil {
			var ready bool
			if place, ready, err = b.deps.Box.Wait(id, tool); err != nil {
				return answer, err
			}
			if ready { // it came back in between
				_, locked, err = b.deps.Box.Acquire(id, tool)
			}
			if err != nil {
				return answer, err
			}
		}
		if locked == nil {
			if known, err = b.deps.Store.PromiseUse(ctx, g.ID, use, tool, id); err != nil {
				b.deps.Box.ReleaseJob(id)
				return answer, err
			}
			l.held = true
		}
		answer.Place = place
	}
	l.until = b.deps.Now().Add(b.life())
	b.lent.leases[id] = l
	b.wind()
	if answer.Status = Locked; l.held {
		answer.Status, answer.Fence = Leased, known.Fence
	}
	return answer, nil
}

func (b *Book) leaseOf(guest, use string) (id string, l *lease) {
	for id, l := range b.lent.leases {
		if l.guest == guest && l.use == use {
			return id, l
		}
	}
	return "", nil
}

func (b *Book) countLeases(guest string) (n int) {
	for _, l := range b.lent.leases {
		if l.guest == guest {
			n++
		}
	}
	return n
}

// beat keeps what a paired shop holds, and tells it what is out.
func (b *Book) beat(g Guest, uses []string) BeatAnswer {
	answer := BeatAnswer{Edition: b.edition(g), Lost: []string{}, Out: map[string]int{}}
	b.lent.mu.Lock()
	defer b.lent.mu.Unlock()
	now := b.deps.Now()
	for _, use := range uses {
		id, l := b.leaseOf(g.ID, use)
		switch {
		case l == nil || !l.until.After(now):
			answer.Lost = append(answer.Lost, use)
		case !slices.Contains(g.Tools, l.tool): // it is not lent any more
			b.release(id)
			answer.Lost = append(answer.Lost, use)
		default:
			l.until = now.Add(b.life())
		}
	}
	out := map[string]bool{}
	for _, rack := range b.deps.Box.Inventory().Tools {
		for _, h := range rack.Holders {
			out[h.JobID] = true
			l := b.lent.leases[h.JobID]
			if mine := l != nil && l.guest == g.ID || b.lent.tickets[h.JobID] == g.ID; !mine && slices.Contains(g.Tools, rack.Tool) {
				answer.Out[rack.Tool]++
			}
		}
	}
	for id := range b.lent.tickets {
		if !out[id] { // it brought its tool back
			delete(b.lent.tickets, id)
		}
	}
	return answer
}

// edition is another text when the tools of a paired shop may be others.
func (b *Book) edition(g Guest) string {
	text, _ := json.Marshal(struct {
		Box   uint64
		Tools []string
	}{b.deps.Box.Edition(), g.Tools}) // it always encodes
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func (b *Book) life() time.Duration {
	if b.deps.LeaseLife > 0 {
		return b.deps.LeaseLife
	}
	return leaseLife
}

// release gives back what is held for a ticket that is not to be; b.lent.mu is held.
func (b *Book) release(id string) {
	if b.lent.leases[id] != nil {
		delete(b.lent.leases, id)
		b.lent.names.Delete(id)
		b.deps.Box.ReleaseJob(id)
	}
}

// wind sets the timer for the lease that is over first; b.lent.mu is held.
func (b *Book) wind() {
	var first time.Time
	for _, l := range b.lent.leases {
		if first.IsZero() || l.until.Before(first) {
			first = l.until
		}
	}
	if b.lent.timer != nil {
		b.lent.timer.Stop()
	}
	if !first.IsZero() {
		b.lent.timer = time.AfterFunc(max(first.Sub(b.deps.Now()), time.Millisecond), b.lapse)
	}
}

// lapse ends the leases of which nothing was heard.
func (b *Book) lapse() {
	b.lent.mu.Lock()
	defer b.lent.mu.Unlock()
	now := b.deps.Now()
	for id, l := range b.lent.leases {
		if !l.until.After(now) {
			b.release(id)
		}
	}
	b.wind()
}

// forgetLeases ends the leases of one guest; "" of all.
func (b *Book) forgetLeases(guest string) {
	b.lent.mu.Lock()
	defer b.lent.mu.Unlock()
	for id, l := range b.lent.leases {
		if guest == "" || l.guest == guest {
			b.release(id)
		}
	}
	b.wind()
}

// LeaseTitle names who holds a tool, or waits for one, before there is a ticket; "" for others.
func (b *Book) LeaseTitle(id string) string {
	name, _ := b.lent.names.Load(id)
	text, _ := name.(string)
	return text
}

// Forget ends all leases. Paired shops ask for them again when they find this one open.
func (b *Book) Forget() { b.forgetLeases("") }
