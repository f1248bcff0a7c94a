package manager

import (
	"context"
	"slices"
	"strings"

	"agentchat/backend/frontdesk"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/verdict"
	"agentchat/backend/lazyregexp"
	"agentchat/backend/library/agent"
	"agentchat/backend/provider"
	"agentchat/backend/standing"
)

// A standing order is known by its structure and needs no act of its own: the words say how often (slot.Recur), and what is left of
// them is by itself a wish that a room can do. What keeps moments of its own, the to-do list and the timer, is left to itself: every
// Monday at ten a meeting is an entry in the calendar.

var (
	namesOrders = lazyregexp.New(`(?i)정기\s?주문|\bstanding orders?\b`)
	namesOrder  = lazyregexp.New(`(?i)정기\s?주문\S*|주문(?:을|은|도|이|의)?(?:\s|$)|\b(?:standing )?orders?\b`)
	showsOrders = lazyregexp.New(`(?i)보여|알려|목록|뭐|무엇|무슨|어떤|있(?:어|나|니|는)|\b(?:show|list|what|which|any|see)\b`)
	changesTime = lazyregexp.New(`(?i)바꿔|바꾸|변경|옮겨|옮기|고쳐|\b(?:change|move|make|reschedule)\b`)
	onlyAmends  = lazyregexp.New(`(?i)^(?:(?:아니(?:요|야)?|그럼|그냥|그러면|대신|no|well|actually|instead|please|then|make it|change it to|change it|change|move it to|move it|to|at|바꿔\S*|변경\S*|고쳐\S*|옮겨\S*|해\s?줘|해\s?주세요|하자|할래|주세요|줘|으?로|만)[\s,.!]*)*$`)

	// besideName are the words of a request about an order that do not name it.
	besideName = lazyregexp.New(`(?i)(?:^|\s)(?:하는|하던|좀|이번|다음|한\s?번(?:만)?|번만|지금|바로|다시|시간|일단|잠깐|그|내|모든|모두|전부|다|all(?: of)?|every|the|my|this|that|next|time|once|for|now|again|please|it|to|a|an|me|one)(?:을|를|은|는|만)?(?:\s|$)`)
)

// verbsOfOrders are the words that ask for something to be done with an order. The first that fits is meant.
var verbsOfOrders = []struct {
	verb standing.Verb
	re   *lazyregexp.Regexp
}{
	{standing.Skip, lazyregexp.New(`(?i)건너\s?뛰\S*|건너\s?뛸\S*|넘어가\S*|넘겨\S*|\bskip\b`)},
	{standing.Resume, lazyregexp.New(`(?i)다시\s?(?:시작|켜|해|돌려|살려)\S*|재개\S*|\bresume\b|\brestart\b|\bstart\b.*\bagain\b`)},
	{standing.Now, lazyregexp.New(`(?i)(?:지금|바로)\s?(?:해|실행|돌려|시작)\S*(?:\s?(?:줘|주세요))?|\brun\b|\bdo\b`)},
	{standing.Pause, lazyregexp.New(`(?i)멈춰\S*|멈추\S*|중지\S*|중단\S*|일시\s?정지\S*|쉬게\S*|쉬어\S*|정지\S*|\bpause\b|\bstop\b|\bsuspend\b`)},
	{verbRemove, lazyregexp.New(`(?i)지워\S*|지우\S*|삭제\S*|없애\S*|취소\S*|그만\S*|\bdelete\b|\bremove\b|\bcancel\b`)},
}

// concernsStanding finds out whether a message is about standing orders: a button, a word to what was asked about one, a wish to see or
// change them, or a new one.
func (m *Manager) concernsStanding(ctx context.Context, t *Turn) (ours bool, err error) {
	switch {
	case m.deps.Standing == nil || t.Standing != nil || t.steers() || t.Resume != "":
		return false, nil
	case strings.HasPrefix(t.Action, standingAction):
		t.Command, err = m.commandOf(ctx, t.Action)
		return true, err
	case t.Action != "" || t.reading == nil:
		return false, nil
	}
	open, err := m.deps.Store.Counter(ctx, t.Chat)
	if err != nil || len(open) > 0 {
		return false, err // what stands open at the counter goes first
	}
	said := m.deps.Standing.Read(t.Text)
	for _, look := range []func(context.Context, *Turn, slot.Recurrence) (*standingCommand, error){m.answersStanding, m.managesStanding, m.ordersAgain, m.ordersWhen} {
		if t.Command, err = look(ctx, t, said); t.Command != nil || err != nil {
			return t.Command != nil, err
		}
	}
	return false, nil
}

// answersStanding takes a yes, a no, a number or another time as the answer to what the shop asked last about a standing order.
func (m *Manager) answersStanding(ctx context.Context, t *Turn, said slot.Recurrence) (*standingCommand, error) {
	answer := answerAbout(t.Text, said)
	if !answer.any() {
		return nil, nil
	}
	reply, err := m.lastReply(ctx, t)
	if err != nil || reply == nil || len(reply.Buttons) == 0 || !strings.HasPrefix(reply.Buttons[0].ID, standingAction) {
		return nil, err
	}
	asked := reply.Buttons
	first, err := m.commandOf(ctx, asked[0].ID)
	if err != nil {
		return nil, err
	}
	yes := first.Verb == standing.Keep || first.Verb == standing.Delete
	switch {
	case answer.amends && first.Verb == standing.Keep:
		return m.amends(ctx, t, first.Order, answer.folder)
	case answer.decides == verdict.Confirm && yes && t.Seen == asked[0].ID:
		return first, nil
	case answer.decides == verdict.Confirm && yes: // said to something else than what stands there now
		return m.showsAgain(ctx, t, first)
	case answer.decides == verdict.Cancel:
		return m.commandOf(ctx, asked[len(asked)-1].ID)
	case answer.chooses && !yes && answer.n <= len(asked):
		return m.commandOf(ctx, asked[answer.n-1].ID)
	}
	return nil, nil
}

// orderAnswer is what a message could answer to a question about a standing order.
type orderAnswer struct {
	decides verdict.Verdict // yes or no
	chooses bool            // one of several, by its number n from 1
	n       int
	amends  bool   // another time, or another folder
	folder  string // the folder
}

// any tells whether it answers anything.
func (a orderAnswer) any() bool {
	return a.chooses || a.amends || a.decides == verdict.Confirm || a.decides == verdict.Cancel
}

// answerAbout reads a message as an answer; said is what it says of time.
func answerAbout(text string, said slot.Recurrence) (a orderAnswer) {
	a.n, a.chooses = slot.Ordinal(text)
	a.decides = verdict.Of(text, verdict.Own{}, nil)
	folder, rest, moves := slot.ToFolder(text)
	a.folder = folder
	a.amends = saysWhen(said) && onlyAmends.MatchString(said.Rest(text)) || moves && onlyAmends.MatchString(rest)
	return a
}

// showsAgain shows what a yes would be to, when whoever said it had something else before them.
func (m *Manager) showsAgain(ctx context.Context, t *Turn, asked *standingCommand) (*standingCommand, error) {
	if asked.Verb == standing.Delete {
		return &standingCommand{Verb: verbRemove, Order: asked.Order}, nil
	}
	d, err := m.amends(ctx, t, asked.Order, "")
	if err == nil {
		d.Verb = verbShow
	}
	return d, err
}

// amends changes when an order runs, or with a folder where it waits; one that is only proposed says again what it does.
func (m *Manager) amends(ctx context.Context, t *Turn, id, folder string) (*standingCommand, error) {
	o, err := m.deps.Standing.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	d := &standingCommand{Verb: verbAmend, Order: id, Folder: folder}
	if o.State == standing.Proposed {
		what := o.What
		if o.Trigger != nil {
			what = o.With(o.Trigger.Sample())
		}
		d.Does, d.Asks, _ = m.wish(ctx, t, what, true)
	}
	return d, nil
}

// managesStanding takes a wish to see the standing orders, or to do something with one that the words name.
func (m *Manager) managesStanding(ctx context.Context, t *Turn, said slot.Recurrence) (*standingCommand, error) {
	r := requestAbout(t.Text, said)
	if !r.named && !r.changes {
		return nil, nil
	}
	orders, err := m.deps.Standing.List(ctx)
	if err != nil {
		return nil, err
	}
	sure := namesOrders.MatchString(t.Text)
	if r.verb == "" {
		if !sure || !showsOrders.MatchString(t.Text) && strings.TrimSpace(namesOrder.ReplaceAllString(t.Text, " ")) != "" {
			return nil, nil
		}
		return &standingCommand{Verb: verbList}, nil
	}
	words := naming(r.rest)
	meant := slices.DeleteFunc(orders, func(o standing.Order) bool { return !fits(o, words) })
	switch {
	case len(meant) == 0 && !sure, len(words) == 0 && !r.named:
		return nil, nil // of something else
	case len(meant) == 1 && r.verb == verbAmend:
		return m.amends(ctx, t, meant[0].ID, r.folder)
	case len(meant) == 1:
		return m.commandOf(ctx, standingAction+string(r.verb)+":"+meant[0].ID)
	case r.verb == verbAmend && len(meant) > 1:
		return &standingCommand{Verb: verbList}, nil // a button could not carry the time
	}
	d := &standingCommand{Verb: verbWhich, For: r.verb}
	for _, o := range meant {
		d.Orders = append(d.Orders, o.ID)
	}
	return d, nil
}

// saysWhen tells whether words hold anything of when an order runs.
func saysWhen(said slot.Recurrence) bool { return said.Repeats() || said.Timed() || said.Ends() }

// orderRequest is what the words of a message say about standing orders.
type orderRequest struct {
	named   bool          // a standing order is spoken of
	changes bool          // it shall run at another time, or wait in another folder
	verb    standing.Verb // what shall be done; "" where no word says it
	folder  string        // amend: where it shall wait
	rest    string        // what is left of the message, which may name the order
}

// requestAbout reads a message as one about a standing order; said is what it says of time.
func requestAbout(text string, said slot.Recurrence) orderRequest {
	folder, other, moves := slot.ToFolder(text)
	r := orderRequest{named: namesOrder.MatchString(text), rest: text}
	r.changes = changesTime.MatchString(text) && (saysWhen(said) || moves)
	if r.changes {
		r.verb, r.rest = verbAmend, said.Rest(text)
		if moves && r.named {
			r.folder, r.rest = folder, other
		}
		r.rest = changesTime.ReplaceAllString(r.rest, " ")
		return r
	}
	for _, v := range verbsOfOrders {
		if v.re.MatchString(text) {
			r.verb, r.rest = v.verb, v.re.ReplaceAllString(text, " ")
			break
		}
	}
	return r
}

// naming are the words that name an order in a request about it.
func naming(text string) (words []string) {
	text = namesOrder.ReplaceAllString(text, " ")
	for before := ""; before != text; {
		before, text = text, besideName.ReplaceAllString(text, " ")
	}
	for _, w := range phrase.Words(phrase.Normalize(text)) {
		if len([]rune(w.Lower)) > 1 && !slices.Contains([]string{"해줘", "해주세요", "주세요", "줘요", "으로"}, w.Lower) {
			words = append(words, w.Lower)
		}
	}
	return words
}

// fits tells whether all the words name something of an order: each begins as one of its words does.
func fits(o standing.Order, words []string) bool {
	text := o.Text
	if o.Trigger != nil {
		text += " " + o.Trigger.Name // which may have changed since it was said
	}
	own := phrase.Words(phrase.Normalize(text))
	return !slices.ContainsFunc(words, func(word string) bool {
		return !slices.ContainsFunc(own, func(w phrase.Word) bool {
			a, b := []rune(word), []rune(w.Lower)
			most := min(len(a), len(b))
			if !phrase.Korean(word) {
				return word == w.Lower
			}
			return most > 1 && string(a[:2]) == string(b[:2]) && (most < 3 || string(a[:most-1]) == string(b[:most-1]))
		})
	})
}

// ordersAgain takes a message as a new standing order when it says how often, and what is left of it is a wish.
func (m *Manager) ordersAgain(ctx context.Context, t *Turn, said slot.Recurrence) (*standingCommand, error) {
	if words, rest := slot.Unplaced(t.Text, said); words != "" && rest != "" && !m.dictates(ctx, t, words) {
		if _, _, ok := m.wish(ctx, t, rest, true); ok {
			return &standingCommand{Verb: verbUnread, What: words}, nil
		}
	}
	if !said.Repeats() || said.Freq != "HOURLY" && said.Freq != "MINUTELY" && !said.Timed() && modifies(said.After(t.Text)) {
		return nil, nil
	}
	what := said.Rest(t.Text)
	if what == "" || m.dictates(ctx, t, said.Often(t.Text)) {
		return nil, nil
	}
	does, asks, ok := m.wish(ctx, t, what, said.Timed() || said.Freq == "HOURLY" || said.Freq == "MINUTELY")
	if !ok {
		return nil, nil
	}
	return &standingCommand{Verb: verbPropose, What: what, Does: does, Asks: asks}, nil
}

// ordersWhen takes a message as a new standing order when it says what sets it off, and what is left of it is a wish.
func (m *Manager) ordersWhen(ctx context.Context, t *Turn, _ slot.Recurrence) (*standingCommand, error) {
	c, ok := m.deps.Standing.When(t.Text)
	if !ok {
		return nil, nil
	}
	what, _ := m.besidesWhen(t.Text, c)
	if what == "" || m.dictates(ctx, t, c.Said(t.Text)) {
		return nil, nil
	}
	named := what
	if c.OfFiles() {
		trigger := standing.Trigger{On: standing.OnFile, Name: c.Folder, Endings: c.Endings}
		if c.File != "" {
			trigger.File, trigger.Name = c.File, c.File
		}
		named = standing.Order{What: what, Trigger: &trigger}.With(trigger.Sample())
	}
	does, asks, ok := m.wish(ctx, t, named, true)
	if !ok {
		return nil, nil
	}
	return &standingCommand{Verb: verbPropose, What: what, Does: does, Asks: asks, On: true}, nil
}

// besidesWhen is what a text says besides what sets an order off: what is to be done, and until when or how often.
func (m *Manager) besidesWhen(text string, c standing.Condition) (what string, ends slot.Recurrence) {
	what = c.Rest(text)
	if said := m.deps.Standing.Read(what); said.Ends() && !said.Repeats() && !said.Timed() {
		return said.Rest(what), said
	}
	return what, slot.Recurrence{}
}

// modifies tells whether a word is one that says more of the word behind it: 매일 듣는 노래 is a song, not an order.
func modifies(word string) bool {
	return strings.HasSuffix(word, "는") || strings.HasSuffix(word, "던")
}

// dictates tells whether how often is said in words that a tool would take as they are: a note of something that happens every day.
func (m *Manager) dictates(ctx context.Context, t *Turn, often string) bool {
	brief := m.planning(ctx, t, nil)
	brief.Background = interpreter.Background{}
	plan, ok := m.deps.Planner.Reads(ctx, brief)
	if !ok || often == "" {
		return false
	}
	for _, j := range plan.Jobs {
		for _, step := range j.Todos {
			if strings.Contains(string(step.Args), often) {
				return true
			}
		}
	}
	return false
}

// toolTimer has moments of its own.
const toolTimer = "timer"

// wish says how a text is understood as a wish by itself, and whether doing it may ask something; ok is false when it is none, or
// one for what keeps moments of its own. Without an exact time what is only asked about is no order: what is paid every month?
func (m *Manager) wish(ctx context.Context, t *Turn, what string, exact bool) (does string, asks, ok bool) {
	message := frontdesk.Message{Text: what, Now: m.readAt(t)}
	read := m.deps.Front.Read(ctx, message)
	if c := m.deps.Counter; c != nil {
		meant, fits := c.Book.Meant(what, read.Wants)
		switch q, manifest, _ := c.Book.Asked(what, read.Wants); {
		case meant != nil && meant.Reminds():
			return "", false, false
		case fits:
			return meant.Title.In(t.Lang), true, true
		case q != nil:
			if does = q.Title.In(t.Lang); does == "" {
				does = t.say(manifest.Title.KO+" 조회", "Look up "+manifest.Title.EN) // and nothing is done
			}
			return does, false, true
		}
	}
	brief := m.planning(ctx, t, nil)
	brief.Request, brief.Background = what, interpreter.Background{}
	if plan, read := m.deps.Planner.Reads(ctx, brief); read && plan.Route == provider.RouteJobs && !plan.Lost && plan.Stop == nil {
		var titles []string
		for _, j := range plan.Jobs {
			for _, step := range j.Todos {
				if step.Tool == toolTimer {
					return "", false, false
				}
				titles, asks = append(titles, step.Title), asks || step.Tool == "" || m.deps.Standing.Asks(step.Tool)
			}
		}
		return strings.Join(titles, ", "), asks, true
	}
	if !exact {
		return "", false, false
	}
	if m.deps.Library != nil && agent.Concerns(what, false) == 2 {
		return t.say("도서관에서 찾기", "Look in the library"), false, true
	}
	// A model can do what code does not read, unless nothing is wanted, or it is for what keeps moments of its own.
	own := read.Wants("calendar.add", "calendar.show", "calendar.change", "calendar.remove", "timer.set", "timer.show", "timer.cancel")
	return "", true, !m.plain() && read.Guesses.Idle() < 0.5 && own < 0.5
}
