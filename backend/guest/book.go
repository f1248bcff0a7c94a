// Package guest lets other programs use the shop's tools, over the Model Context Protocol: each with a key of its own, only the tools that a
// person gave it, and limits that code counts. A guest's call is a ticket like any other: it waits for a tool that is taken, and for a
// person where it would change something.
package guest

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/pairing"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// Bounds of what a guest may be given.
const (
	mostName  = 40
	mostCalls = 100_000
	mostMoney = 1_000_000_000_000 // won
	mostOpen  = 4                 // tickets of one guest that have not ended
	// MostGuests is how many there may be.
	MostGuests = 50
)

// Guest is a program that may call the shop. Calls, Changes, Files and Money (in won) are for a day; 0 of them is none.
type Guest struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Tools   []string  `json:"tools"`
	Calls   int       `json:"calls"`
	Changes int       `json:"changes"`
	Files   int       `json:"files"`
	Money   int64     `json:"money"`
	Created time.Time `json:"created" ts_type:"string"`
}

// Chat is where a guest's tickets are.
func (g Guest) Chat() string { return "guest-" + g.ID }

// Use is what a guest has used of its limits today, and when it called last.
type Use struct {
	Calls   int
	Changes int
	Files   int
	Money   int64
	Last    time.Time
}

// Store keeps guests. Safe for concurrent use; errors are *apperr.Error.
type Store interface {
	Guests(ctx context.Context) ([]Guest, error)
	// GuestOf gives the guest that has a key; guest_unknown when none has.
	GuestOf(ctx context.Context, key []byte) (Guest, error)
	AddGuest(ctx context.Context, g Guest, key []byte) error
	ChangeGuest(ctx context.Context, g Guest) error
	RemoveGuest(ctx context.Context, id string) error
	GuestUse(ctx context.Context, id string, since time.Time) (Use, error)
	// AdmitCall stores a guest's ticket, unless check refuses it: that is asked, in the same transaction, what the guest is, has used and
	// has open now. With a claim, the use must be promised still, under this very fence, and has its ticket from then on; else changed.
	AdmitCall(ctx context.Context, j job.Job, changes bool, since time.Time, claim *Claim, check func(Guest, Use, int) error) (opened bool, err error)
	// NamedUse gives what is known of a use that a paired shop names; the zero value when it is new.
	NamedUse(ctx context.Context, guest, use string) (NamedUse, error)
	// PromiseUse gives a use a fence above all that there were, unless it has its ticket or was taken back: then it stays as it is.
	PromiseUse(ctx context.Context, guest, use, tool, job string) (NamedUse, error)
	// TakeBackUse has a use that has no ticket get none ever. It gives what it was.
	TakeBackUse(ctx context.Context, guest, use string) (NamedUse, error)
	// GuestTicket gives a ticket of this guest's, and whether a question of it is open; not_found for others.
	GuestTicket(ctx context.Context, guest, id string) (j job.Job, asked bool, err error)
}

// Jobs makes tickets and puts them in line.
type Jobs interface {
	PrepareCall(g job.Guest, chat, tool string, args json.RawMessage, lang bilingual.Lang) (job.Job, error)
	Created(j job.Job, n int) event.Event
	Submit(jobs []job.Job)
	CancelChat(chat string) int
	CancelJob(id string) error
}

// Box is the toolbox, as what is lent needs it.
type Box interface {
	Acquire(job, tool string) (toolbox.Lease, *toolbox.Locked, error)
	Wait(job, tool string) (place int, ready bool, err error)
	ReleaseJob(job string) int
	Inventory() toolbox.Inventory
	Edition() uint64
}

// Deps are the parts a Book works with.
type Deps struct {
	Store Store
	Jobs  func() Jobs
	Box   Box // for paired shops
	Bus   *event.Bus
	Tools func() []toolbox.Spec
	Lang  func() bilingual.Lang
	Now   func() time.Time
	NewID func() string
	// LeaseLife is how long a tool is held for a paired shop that is not heard of; 0: half a minute.
	LeaseLife time.Duration
	Wait      func() time.Duration // for a ticket, where the guest takes no news of it
	Version   string
}

// Book knows the guests. Safe for concurrent use.
type Book struct {
	deps  Deps
	here  visitors
	lent  lent
	admit sync.RWMutex // read-held from when a call is admitted until its ticket is in line, where whoever removes the guest finds it
}

// New makes a book.
func New(deps Deps) *Book {
	return &Book{deps: deps, here: visitors{open: map[*visit]string{}}, lent: lent{leases: map[string]*lease{}, tickets: map[string]string{}}}
}

// View is a guest as fronts see it.
type View struct {
	Guest
	CallsToday   int    `json:"callsToday"`
	ChangesToday int    `json:"changesToday"`
	FilesToday   int    `json:"filesToday"`
	MoneyToday   int64  `json:"moneyToday"`
	Last         string `json:"last,omitempty"` // RFC 3339, UTC
}

// Views lists the guests by their names.
func (b *Book) Views(ctx context.Context) ([]View, error) {
	list, err := b.deps.Store.Guests(ctx)
	views := []View{}
	for _, g := range list {
		use, err := b.deps.Store.GuestUse(ctx, g.ID, b.today())
		if err != nil {
			return nil, err
		}
		v := View{Guest: g, CallsToday: use.Calls, ChangesToday: use.Changes, FilesToday: use.Files, MoneyToday: use.Money}
		if !use.Last.IsZero() {
			v.Last = use.Last.UTC().Format(time.RFC3339)
		}
		views = append(views, v)
	}
	return views, err
}

func (b *Book) today() time.Time { return Day(b.deps.Now()) }

// Offer is a tool that a guest may be given.
type Offer struct {
	Key     string         `json:"key"`
	Title   bilingual.Text `json:"title"`
	Changes bool           `json:"changes"`
	Files   bool           `json:"files"`
	Money   bool           `json:"money"`
}

// Offers lists the tools that guests may be given.
func (b *Book) Offers() (list []Offer) {
	list = []Offer{}
	for _, s := range b.deps.Tools() {
		if job.ForGuests(s) {
			list = append(list, Offer{s.Key, s.Title, s.Effect != toolbox.EffectRead, s.Files, s.Money != ""})
		}
	}
	return list
}

// Add keeps a new guest and gives its key, which nobody can look up later. Errors: invalid_args, storage errors.
func (b *Book) Add(ctx context.Context, g Guest) (Guest, string, error) {
	g.ID = b.deps.NewID()
	return b.add(ctx, g)
}

// Pair keeps a shop that comes in by a key of its own, under the id that it has for good: what it used is known by that when it is paired anew. One
// that is there is given other tools and limits. Errors: invalid_args, storage errors.
func (b *Book) Pair(ctx context.Context, g Guest, id string) (Guest, error) {
	was, err := b.Called(ctx, id)
	g.ID = id
	switch {
	case err == nil:
		g.Name, g.Created = was.Name, was.Created
		return g, b.Change(ctx, g)
	case apperr.CodeOf(err) != apperr.GuestUnknown:
		return g, err
	}
	g, _, err = b.add(ctx, g) // nobody has the key that is made with it
	return g, err
}

func (b *Book) add(ctx context.Context, g Guest) (Guest, string, error) {
	list, err := b.deps.Store.Guests(ctx)
	switch {
	case err != nil:
		return g, "", err
	case len(list) >= MostGuests:
		return g, "", wrong("name", bilingual.Textf("프로그램은 %d개까지예요. 쓰지 않는 것을 빼 주세요", "there may be %d programs; remove one that is not used", MostGuests))
	}
	if g, err = b.sound(g); err != nil {
		return g, "", err
	}
	if slices.ContainsFunc(list, func(o Guest) bool { return strings.EqualFold(o.Name, g.Name) }) {
		return g, "", wrong("name", bilingual.Of("그런 이름이 이미 있어요", "that name is taken"))
	}
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return g, "", apperr.Wrap(err, apperr.Internal)
	}
	key := base64.RawURLEncoding.EncodeToString(secret)
	g.Created = b.deps.Now()
	if err := b.deps.Store.AddGuest(ctx, g, pairing.Hashed(key)); err != nil {
		return g, "", err
	}
	b.tell()
	return g, key, nil
}

// Change gives a guest other tools and limits. It holds from its next call on. Errors: invalid_args, not_found, storage errors.
func (b *Book) Change(ctx context.Context, g Guest) error {
	g, err := b.sound(g)
	if err == nil {
		err = b.deps.Store.ChangeGuest(ctx, g)
	}
	if err == nil {
		b.tell()
	}
	return err
}

// Remove takes a guest's key away, ends its sessions and stops what it has open. Errors: not_found, storage errors.
func (b *Book) Remove(ctx context.Context, id string) error {
	b.admit.Lock()
	err := b.deps.Store.RemoveGuest(ctx, id)
	b.admit.Unlock()
	if err != nil {
		return err
	}
	b.here.end(func(guest string) bool { return guest == id })
	b.forgetLeases(id)
	b.deps.Jobs().CancelChat(Guest{ID: id}.Chat())
	b.tell()
	return nil
}

func (b *Book) tell() { b.deps.Bus.Publish(event.Of("", "", event.GuestsChanged{})) }

// sound is a guest with nothing in it that cannot be.
func (b *Book) sound(g Guest) (Guest, error) {
	g.Name = strings.Join(strings.Fields(policy.Visible(g.Name, 10*mostName)), " ")
	switch {
	case g.Name == "" || utf8.RuneCountInString(g.Name) > mostName:
		return g, wrong("name", bilingual.Textf("이름을 %d자까지로 적어 주세요", "give it a name of up to %d letters", mostName))
	case g.Calls < 0 || g.Calls > mostCalls || g.Changes < 0 || g.Changes > mostCalls:
		return g, wrong("calls", bilingual.Textf("한도는 0부터 %d까지예요", "limits are 0 to %d", mostCalls))
	case g.Files < 0 || g.Files > mostCalls:
		return g, wrong("files", bilingual.Textf("한도는 0부터 %d까지예요", "limits are 0 to %d", mostCalls))
	case g.Money < 0 || g.Money > mostMoney:
		return g, wrong("money", bilingual.Textf("한도는 0원부터 %d원까지예요", "limits are 0 to %d won", int64(mostMoney)))
	}
	tools := []string{}
	for _, o := range b.Offers() {
		if slices.Contains(g.Tools, o.Key) {
			tools = append(tools, o.Key)
		}
	}
	g.Tools = tools
	return g, nil
}

func wrong(field string, why bilingual.Text) error {
	return apperr.New(apperr.InvalidArgs, "field", field, "detail", why)
}

// Of gives the guest that has a key. Errors: guest_unknown, storage errors.
func (b *Book) Of(ctx context.Context, key string) (Guest, error) {
	return b.deps.Store.GuestOf(ctx, pairing.Hashed(key))
}

// call makes and hands out the ticket of one call. Errors: unknown_tool for a tool that the guest was not given, guest_limit, those of
// job.Manager.PrepareCall, storage errors.
func (b *Book) call(ctx context.Context, g Guest, spec toolbox.Spec, args json.RawMessage, claim *Claim) (job.Job, error) {
	asker, most := job.Guest{ID: g.ID, Name: g.Name}, mostOpen
	if claim != nil {
		asker.Use, most = claim.Use, mostLent
	}
	j, err := b.deps.Jobs().PrepareCall(asker, g.Chat(), spec.Key, args, b.deps.Lang())
	if err != nil {
		return j, err
	}
	if claim != nil {
		j.ID = claim.job
	}
	changes := spec.Effect != toolbox.EffectRead
	b.admit.RLock()
	defer b.admit.RUnlock()
	opened, err := b.deps.Store.AdmitCall(ctx, j, changes, b.today(), claim, func(now Guest, use Use, open int) error {
		switch {
		case !now.lent(spec):
			return apperr.New(apperr.UnknownTool, "tool", spec.Key)
		case open >= most:
			return now.over(LimitOpen, bilingual.Textf("한꺼번에 %d건", "%d at a time", most))
		case use.Calls >= now.Calls:
			return now.over(LimitCalls, bilingual.Textf("하루 %d번, 자정까지", "%d calls a day, until midnight", now.Calls))
		case changes && use.Changes >= now.Changes:
			return now.over(LimitChanges, bilingual.Textf("바꾸는 일 하루 %d번, 자정까지", "%d changes a day, until midnight", now.Changes))
		}
		return now.Over(use, job.SpendOf(spec, args))
	})
	if err != nil {
		return j, err
	}
	if opened {
		b.deps.Bus.Publish(event.Of(g.Chat(), "", event.ChatCreated{ID: g.Chat(), Title: g.Name}))
	}
	b.deps.Bus.Publish(b.deps.Jobs().Created(j, 0))
	b.deps.Jobs().Submit([]job.Job{j})
	b.tell()
	return j, nil
}
