package pager

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

const (
	mostAsks  = 20
	mostJobs  = 30
	mostShown = 4000 // letters of one value, or of what a call would change
)

// page is what a phone shows. More is how many questions there are beside those.
type page struct {
	Lang string     `json:"lang"`
	Asks []question `json:"asks"`
	More int        `json:"more,omitempty"`
	Jobs []work     `json:"jobs"`
}

// question is an open question as a phone draws it. Drawn is the digest of all the rest, which an answer brings back.
type question struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind"`
	Job     string   `json:"job,omitempty"`
	Text    string   `json:"text"`
	Notes   []string `json:"notes,omitempty"`
	Values  []value  `json:"values,omitempty"`
	Preview string   `json:"preview,omitempty"`
	Options []option `json:"options"`
	Typed   string   `json:"typed,omitempty"` // the label of the field, where an answer may be typed
	Drawn   string   `json:"drawn"`
}

// value is one value of a call: what it is called, what it is, and where it came from.
type value struct {
	Name string `json:"name"`
	Is   string `json:"is"`
	From string `json:"from,omitempty"`
	Care bool   `json:"care,omitempty"` // part of it is not to be trusted
}

// option is one way to answer. Go marks the one that lets something run, Grave one that stops something.
type option struct {
	Label string `json:"label"`
	Go    bool   `json:"go,omitempty"`
	Grave bool   `json:"grave,omitempty"`

	reply ask.Reply
}

// work is a job that has not ended.
type work struct {
	Title string `json:"title"`
	State string `json:"state"`
	Says  string `json:"says"`
	Doing string `json:"doing,omitempty"`
}

// page draws what waits and what runs.
func (p *Pager) page(ctx context.Context) (page, error) {
	lang := p.deps.Lang()
	out := page{Lang: string(lang), Asks: []question{}, Jobs: []work{}}
	asks, jobs, err := p.look(ctx)
	if err != nil {
		return out, err
	}
	out.More = max(0, len(asks)-mostAsks)
	for _, a := range asks[:len(asks)-out.More] {
		out.Asks = append(out.Asks, p.question(a, jobs, lang))
	}
	for _, j := range jobs[:min(len(jobs), mostJobs)] {
		w := work{Title: called(j), State: j.State, Says: states[job.State(j.State)].In(lang)}
		for _, t := range j.Todos {
			if (t.State == string(job.TodoRunning) || t.State == string(job.TodoWaiting)) && t.Title != j.Title {
				w.Doing = revealed(t.Title)
			}
		}
		out.Jobs = append(out.Jobs, w)
	}
	return out, nil
}

// look gives what waits and what runs.
func (p *Pager) look(ctx context.Context) ([]event.AskOpened, []job.View, error) {
	asks, err := p.deps.Waiting(ctx)
	if err != nil {
		return nil, nil, err
	}
	jobs, err := p.deps.Running(ctx)
	return asks, jobs, err
}

// called is a job's name with its number, as the window calls it.
func called(j job.View) string { return fmt.Sprintf("No.%d %s", j.Number, revealed(j.Title)) }

// question draws one of a job that may be among those that have not ended.
func (p *Pager) question(a event.AskOpened, jobs []job.View, lang bilingual.Lang) question {
	q := question{ID: a.ID, Kind: a.Kind, Job: revealed(a.JobTitle), Text: revealed(a.Question)}
	if i := slices.IndexFunc(jobs, func(j job.View) bool { return j.ID == a.JobID }); i >= 0 {
		q.Job = called(jobs[i])
	}
	for _, note := range []string{a.Effect, a.Why} {
		if note != "" {
			q.Notes = append(q.Notes, revealed(note))
		}
	}
	if a.Place > 0 {
		q.Notes = append(q.Notes, bilingual.Say(lang, "기다리면 %d번째 차례예요.", "If it waits, it is number %d in line.", a.Place))
	}
	var whole bool
	q.Values, whole = p.values(a, lang)
	if v := a.Preview; v != nil {
		text, all := bounded(strings.TrimSpace(v.Text + "\n" + v.Diff))
		q.Preview, whole = text, whole && all && !v.Cut && v.Plan == ""
	}
	if p.deps.Tool(a.Tool).Counter { // money, which a phone does not move
		whole = false
	}
	q.Options = options(a, lang, whole)
	if a.Form != nil || slices.ContainsFunc(a.Choices, runs) && !slices.ContainsFunc(q.Options, func(o option) bool { return runs(o.reply.Choice) }) {
		q.Notes = append(q.Notes, onlyThere.In(lang))
	}
	if slices.Contains(a.Choices, ask.ChoiceValue) && a.Form == nil {
		q.Typed = typed.In(lang)
	}
	q.Drawn = digest(q, a.Digest)
	return q
}

// values are what a call would be given; whole is false where not all of it can be shown here.
func (p *Pager) values(a event.AskOpened, lang bilingual.Lang) (list []value, whole bool) {
	var args map[string]json.RawMessage
	if len(a.Args) == 0 || bytes.Equal(a.Args, []byte("null")) {
		return nil, true
	}
	if json.Unmarshal(a.Args, &args) != nil {
		return nil, false
	}
	names := p.deps.Tool(a.Tool).Names()
	whole = true
	for _, key := range slices.Sorted(maps.Keys(args)) {
		text, all := bounded(said(args[key], names[key], lang))
		v := value{Name: key, Is: text}
		if name := names[key].Name.In(lang); name != "" {
			v.Name = name
		}
		v.From, v.Care = source(a.Origins, key)
		v.Name = revealed(v.Name)
		list, whole = append(list, v), whole && all
	}
	return list, whole
}

// source says where a value came from, and each part of it where it has parts; what is not to be trusted comes first.
func source(origins []event.Origin, key string) (text string, care bool) {
	var parts []string
	for _, trusted := range []bool{false, true} {
		for _, o := range origins {
			rest, of := strings.CutPrefix(o.Arg, key)
			if !of || rest != "" && rest[0] != '[' && rest[0] != '.' || o.Trusted != trusted {
				continue
			}
			care = care || !trusted
			if said := revealed(o.Text); !slices.Contains(parts, said) {
				parts = append(parts, said)
			}
		}
	}
	return strings.Join(parts, " · "), care
}

// said is a value as people read it.
func said(raw json.RawMessage, name toolbox.ParamName, lang bilingual.Lang) string {
	var text string
	if bytes.Equal(raw, []byte("null")) || json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	if named, ok := name.Values[text]; ok {
		return named.In(lang)
	}
	return text
}

// runs tells whether a choice lets something run, or counts it as done.
func runs(choice string) bool {
	return choice == ask.ChoiceApprove || choice == ask.ChoiceRunAgain || choice == ask.ChoiceHappened
}

// options are the ways to answer that a phone has: no values are changed there, and an approval reaches no further than this once.
func options(a event.AskOpened, lang bilingual.Lang, whole bool) []option {
	list := []option{}
	add := func(label bilingual.Text, r ask.Reply, o option) {
		r.Ask, r.Digest = a.ID, a.Digest
		o.Label, o.reply = revealed(label.In(lang)), r
		list = append(list, o)
	}
	for _, choice := range a.Choices {
		switch r := (ask.Reply{Choice: choice}); choice {
		case ask.ChoiceApprove:
			once := slices.IndexFunc(a.Scopes, func(s event.AskScope) bool { return s.Scope == string(toolbox.ScopeOnce) })
			if !whole || once < 0 && len(a.Scopes) > 0 {
				continue
			}
			if once >= 0 {
				r.Scope = string(toolbox.ScopeOnce)
			}
			add(labels[choice], r, option{Go: true})
		case ask.ChoiceStopOther:
			for _, h := range a.Holders {
				r.Holder = h.JobID
				name := h.Title
				if name == "" {
					name = h.JobID
				}
				add(bilingual.Textf("‘%s’ 멈추고 쓰기", "Stop “%s” and take it", name), r, option{Grave: true})
			}
		case ask.ChoiceValue:
			for _, n := range a.Near {
				r.Text = n
				add(bilingual.Of(n, n), r, option{})
			}
		case ask.ChoiceRunAgain, ask.ChoiceHappened:
			if whole {
				add(labels[choice], r, option{Go: choice == ask.ChoiceRunAgain})
			}
		case ask.ChoiceReject, ask.ChoiceWait, ask.ChoiceCancel, ask.ChoiceStop:
			add(labels[choice], r, option{})
		}
	}
	return list
}

// reply is the answer that a phone gives to what it drew: one of the options, or a typed value where option is -1. Errors: not_found, stale_answer,
// digest_mismatch, bad_choice, storage errors.
func (p *Pager) reply(ctx context.Context, id, drawn string, n int, text string) (ask.Reply, error) {
	asks, jobs, err := p.look(ctx)
	if err != nil {
		return ask.Reply{}, err
	}
	i := slices.IndexFunc(asks, func(a event.AskOpened) bool { return a.ID == id })
	if i < 0 {
		return ask.Reply{}, apperr.New(apperr.StaleAnswer)
	}
	q := p.question(asks[i], jobs, p.deps.Lang())
	switch {
	case q.Drawn != drawn:
		return ask.Reply{}, apperr.New(apperr.DigestMismatch)
	case n == -1 && q.Typed != "":
		return ask.Reply{Ask: id, Choice: ask.ChoiceValue, Digest: asks[i].Digest, Text: text}, nil
	case n < 0 || n >= len(q.Options):
		return ask.Reply{}, apperr.New(apperr.BadChoice, "choice", n, "choices", fmt.Sprintf("0-%d", len(q.Options)-1))
	}
	return q.Options[n].reply, nil
}

// digest is of all that a phone draws of a question, and of what the question itself is bound to.
func digest(q question, bound string) string {
	replies := make([]ask.Reply, len(q.Options))
	for i, o := range q.Options {
		replies[i] = o.reply
	}
	text, err := json.Marshal(struct {
		Q       question
		Replies []ask.Reply
		Bound   string
	}{q, replies, bound})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// bounded is a text as far as a phone shows it.
func bounded(text string) (shown string, whole bool) {
	if letters := []rune(text); len(letters) > mostShown {
		return revealed(string(letters[:mostShown])) + " …", false
	}
	return revealed(text), true
}

// printable tells whether a letter can be seen for what it is.
func printable(r rune) bool {
	return unicode.IsPrint(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// revealed shows the letters that cannot be seen, or that change how others are drawn, by their codes.
func revealed(text string) string {
	seen := func(r rune) bool { return r == '\n' || r == '\t' || printable(r) }
	if strings.IndexFunc(text, func(r rune) bool { return !seen(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if seen(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "[U+%04X]", r)
		}
	}
	return b.String()
}
