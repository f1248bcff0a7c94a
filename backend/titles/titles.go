// Package titles names chats that nobody named: by a model when one is on duty and has nothing else to do, and by code's own words
// otherwise. Nobody waits for it and nobody is told but whoever shows titles.
package titles

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/language/words"
)

const (
	// most is how often a chat is named: once for what it begins with, and when it has moved on.
	most = 3
	// longest is how many characters a title has.
	longest = 40
	// atOnce is how many chats are looked at before the ledger is asked again.
	atOnce = 20
	// poll is how long the clock is trusted; all that is due comes with a turn, or was due at the start.
	poll = time.Hour
)

// Talk is a chat that nobody named, with its newest requests, oldest first. Known is up to where its title knows them.
type Talk struct {
	Chat, Title string
	Times       int // how often it was named
	Known       int64
	Requests    []Request
}

// Request is one thing that was asked for, with the title of the ticket that it got, "" for none.
type Request struct {
	N            int64
	Text, Ticket string
}

// Name is a title, by a model or by code. Final says that the talk up to At needs none any more.
type Name struct {
	Chat, Title string
	ByModel     bool
	Final       bool
	At          int64
}

// Store keeps titles. Safe for concurrent use.
type Store interface {
	// Untitled gives up to limit chats that nobody named, that were named less than a number of times, and in which something was asked for
	// since, while nothing is being answered in them.
	Untitled(ctx context.Context, times, limit int) ([]Talk, error)
	// SetTitle names a chat, unless a person did; it tells whether that changed its title.
	SetTitle(ctx context.Context, n Name) (changed bool, err error)
}

// Deps are what titles need.
type Deps struct {
	Store     Store
	Publisher event.Publisher
	// Telling runs what stores something of a chat and tells of it; what is stored after it is told after it.
	Telling func(do func() error) error
	// Model has a chat named by the model on duty, when nobody wants it; "" when there is none that can.
	Model func(ctx context.Context, chat, request string) (string, error)
	Now   func() time.Time
	Log   zerolog.Logger
}

// Titles is the loop that names chats. Wake it when a turn is over.
type Titles struct {
	*background.Loop
	deps Deps
	// looked is up to where a chat was found to be where it was: it is not read again before something is said. The loop's alone.
	looked map[string]int64
}

// New makes the loop. Start begins with what an earlier run of the program left to do.
func New(deps Deps) *Titles {
	t := &Titles{deps: deps, looked: map[string]int64{}}
	t.Loop = background.New(deps.Now, poll, t.work)
	return t
}

func (t *Titles) work(ctx context.Context) (next time.Time) {
	due, err := t.deps.Store.Untitled(ctx, most, atOnce)
	for _, talk := range due {
		if err != nil || ctx.Err() != nil {
			break
		}
		err = t.name(ctx, talk)
	}
	if err != nil && ctx.Err() == nil {
		t.deps.Log.Debug().Err(err).Msg("chats could not be named")
	}
	return next // when a turn is over
}

func (t *Titles) name(ctx context.Context, talk Talk) error {
	if len(talk.Requests) == 0 { // taken back between two looks at the ledger
		return nil
	}
	newest := talk.Requests[len(talk.Requests)-1].N
	if t.looked[talk.Chat] >= newest {
		return nil
	}
	own := talk.Own()
	if own == "" {
		t.looked[talk.Chat] = newest
		return nil
	}
	// Code's own comes first: the model may have no time for long.
	if err := t.set(ctx, talk, Name{Chat: talk.Chat, Title: own}); err != nil {
		return err
	}
	talk.Title = own
	n := Name{Chat: talk.Chat, Title: own, Final: true, At: newest}
	title, err := t.deps.Model(ctx, talk.Chat, talk.Requests[len(talk.Requests)-1].Text)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		t.deps.Log.Debug().Err(err).Msg("the model names no chat")
	}
	if title = Clean(title); title != "" {
		n.Title, n.ByModel = title, true
	}
	return t.set(ctx, talk, n)
}

func (t *Titles) set(ctx context.Context, talk Talk, n Name) error {
	err := t.deps.Telling(func() error {
		changed, err := t.deps.Store.SetTitle(ctx, n)
		if err == nil && changed && n.Title != talk.Title {
			t.deps.Publisher.Publish(event.Of(n.Chat, "", event.ChatCreated{ID: n.Chat, Title: n.Title}))
		}
		return err
	})
	if apperr.CodeOf(err) == apperr.NotFound {
		return nil // it was deleted or named meanwhile
	}
	return err
}

// What tells that a talk has moved on: so many requests since it was named, of which the last few speak of nothing that was spoken of
// before, and at least two of these of one thing.
const (
	since  = 5
	last   = 4
	agreed = 2
)

// Own is code's own title, "" when there is no reason for one: the act and its object, as the ticket of the first request that has one says
// it, or else what its words are about.
func (t Talk) Own() string {
	at := slices.IndexFunc(t.Requests, func(r Request) bool { return r.N > t.Known })
	if at < 0 {
		return ""
	}
	fresh, before := t.Requests[at:], t.Requests[:at]
	if t.Times == 0 || len(before) == 0 { // nothing of what it was named after is there any more, or it never was
		for _, r := range fresh {
			if title := r.title(); title != "" {
				return title
			}
		}
		return ""
	}
	if len(fresh) < since {
		return ""
	}
	known := map[string]bool{}
	for _, w := range words.Matter(t.Title) {
		known[w] = true
	}
	for _, r := range t.Requests[:len(t.Requests)-last] {
		if r.N <= t.Known {
			for _, w := range words.Matter(r.Text) {
				known[w] = true
			}
		}
	}
	times := map[string]int{}
	newest := fresh[len(fresh)-last:]
	for _, r := range newest {
		for _, w := range words.Matter(r.Text) {
			if known[w] {
				return ""
			}
			times[w]++
		}
	}
	for _, r := range newest {
		if slices.ContainsFunc(words.Matter(r.Text), func(w string) bool { return times[w] >= agreed }) {
			return r.title()
		}
	}
	return ""
}

func (r Request) title() string {
	if r.Ticket != "" {
		return Clean(r.Ticket)
	}
	matter := words.Matter(r.Text)
	if len(matter) < 2 { // a greeting, a yes, a number
		return ""
	}
	return Clean(asWritten(r.Text, matter))
}

// asWritten writes the words of a request as the person did. Korean is understood without what stands between them; of English the small words are
// kept, as it says something else without them.
func asWritten(text string, matter []string) string {
	var b strings.Builder
	lower, at := strings.ToLower(text), 0
	for _, w := range matter {
		i := strings.Index(lower[at:], w)
		between := ""
		if i >= 0 && len(lower) == len(text) {
			between = text[at : at+i]
		}
		switch {
		case b.Len() == 0:
		case small(between):
			b.WriteString(between)
		case i != 0: // 5만원 is one
			b.WriteByte(' ')
		}
		if i >= 0 && len(lower) == len(text) {
			at += i
			w = text[at : at+len(w)]
			at += len(w)
		}
		b.WriteString(w)
	}
	return b.String()
}

// small tells whether words of English stand in a text, and nothing but words.
func small(text string) bool {
	return strings.ContainsFunc(text, isLatin) && !strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && !isLatin(r) })
}

func isLatin(r rune) bool { return unicode.Is(unicode.Latin, r) }

// Clean makes a title of a text: one line of plain words, of as many as a title has.
func Clean(text string) string {
	text = strings.TrimSpace(text)
	for line := range strings.Lines(text) { // the first that says something
		if text = strings.TrimSpace(line); text != "" {
			break
		}
	}
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
			return -1
		}
		return r
	}, text)
	text = strings.Trim(strings.Join(strings.Fields(text), " "), " \"'`*#_“”‘’「」『』<>()[]:.。!！-–—")
	if !strings.ContainsFunc(text, unicode.IsLetter) {
		return ""
	}
	runes := []rune(text)
	if len(runes) <= longest {
		return text
	}
	cut := string(runes[:longest])
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ,.") + "…"
}
