package interpreter

import (
	"context"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

var (
	compacted = bilingual.Of("대화가 길어져서 앞부분을 요약했어요.", "The conversation has grown long, so its beginning was summed up.")
	shortened = bilingual.Of("모델이 한 번에 읽을 수 있는 양을 넘어서 긴 내용을 줄여서 보냈어요.", "Long passages were shortened to what the model can read at once.")
)

// The lengths, in characters, to which passages are shortened one after the other until the request fits.
var shorter = []int{1200, 400, 120}

// fit makes a request fit into room tokens: one compaction of the chat's memory first, then long passages are shortened, visibly and
// the oldest first. The request, what it is about and what the role needs to know of the moment are never touched. If they alone are more
// than room, the answer gets less of it, as long as the request likely is no longer than most; else that is
// context_overflow.
func (i *Interpreter) fit(ctx context.Context, p provider.Provider, l *provider.Request, key string, room, most int) error {
	before := i.size(key, *l)
	if before.high <= room {
		return nil
	}
	fits := func() bool { return i.size(key, *l).high <= room }
	if i.deps.Budget.Compact != nil && l.Chat != "" && l.Role != provider.RoleSummarizer && len(l.Transcript) > 0 {
		if err := i.compact(ctx, p, l, key, room, before); err != nil {
			return err
		}
		if fits() {
			return nil
		}
	}
	if shorten(l, fits) || dropOldest(l, fits) || strip(l) && fits() {
		i.announce(*l, shortened, before, i.size(key, *l))
		return nil
	}
	after := i.size(key, *l)
	if after.likely > most {
		return apperr.New(apperr.ContextOverflow, "tokens", after.likely, "limit", most)
	}
	if after.likely < before.likely {
		i.announce(*l, shortened, before, after)
	}
	return nil
}

// compact makes one compaction of the chat's memory, and has the request begin with what is left. An error is the context's: what cannot
// be compacted stays as it is.
func (i *Interpreter) compact(ctx context.Context, p provider.Provider, l *provider.Request, key string, room int, before tokens) error {
	b, made, err := i.deps.Budget.Compact(ctx, l.Chat, i.sideSummarizer(p, l, key, room))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		i.deps.Budget.Log.Warn().Err(err).Str("chat", l.Chat).Msg("the conversation could not be compacted")
		return nil
	}
	l.Summary, l.Facts, l.State.Facts, l.Transcript = b.Summary, b.Facts, b.Fresh, b.Transcript
	if made {
		i.announce(*l, compacted, before, i.size(key, *l))
	}
	return nil
}

// shorten shortens long passages, the oldest first, until the request fits; false: it does not. What others hold of the
// request stays as it is.
func shorten(l *provider.Request, fits func() bool) bool {
	l.Transcript, l.State.Results, l.Rounds = slices.Clone(l.Transcript), slices.Clone(l.State.Results), slices.Clone(l.Rounds)
	var passages []*string
	for n := range l.Rounds {
		l.Rounds[n].Results = slices.Clone(l.Rounds[n].Results)
		for k := range l.Rounds[n].Results {
			passages = append(passages, &l.Rounds[n].Results[k].Text)
		}
	}
	for n, r := range l.State.Results {
		if r.Keep {
			continue
		}
		passages = append(passages, &l.State.Results[n].Text)
	}
	for n := range l.Transcript {
		passages = append(passages, &l.Transcript[n].Text)
	}
	passages = append(passages, &l.State.Problem, &l.Summary)
	for _, most := range shorter {
		for _, text := range passages {
			if cutShort(text, most) && fits() {
				return true
			}
		}
	}
	return false
}

// dropOldest is the last resort: facts, then lines of the transcript, then results go, the oldest first, but the last turn
// and the last result stay, and so does what is kept whole. What went is named in its place.
func dropOldest(l *provider.Request, fits func() bool) bool {
	for len(l.Facts) > 0 {
		if l.Facts = l.Facts[1:]; fits() {
			return true
		}
	}
	last := 0
	for n, t := range l.Transcript {
		if t.Speaker == "customer" {
			last = n
		}
	}
	whole := l.Transcript
	for n := 1; n <= last; n++ {
		l.Transcript = append([]provider.Turn{{Speaker: "shop", Text: fmt.Sprintf("…(%d)…", n)}}, whole[n:]...)
		if fits() {
			return true
		}
	}
	results := l.State.Results
	for n := 1; n < len(results) && !results[n-1].Keep; n++ {
		l.State.Results = append([]provider.StepResult{{Title: fmt.Sprintf("…(%d)…", n), OK: true}}, results[n:]...)
		if fits() {
			return true
		}
	}
	return false
}

// cutShort shortens a text to so many characters and says in its place how many there were.
func cutShort(text *string, most int) bool {
	n := utf8.RuneCountInString(*text)
	if n <= most {
		return false
	}
	*text = fmt.Sprintf("%s…(%d/%d)", string([]rune(*text)[:most]), most, n)
	return true
}

// sideSummarizer writes summaries while a request waits for them, in the request's own place in line.
func (i *Interpreter) sideSummarizer(p provider.Provider, l *provider.Request, key string, room int) Summarizer {
	return Summarizer{
		Fits: func(b Background) bool {
			with := *l
			with.Summary, with.Facts, with.State.Facts, with.Transcript = b.Summary, b.Facts, b.Fresh, b.Transcript
			return i.size(key, with).high <= room
		},
		CanCompact: func(b Background) bool { return i.canCompact(p, i.compactRequest(l.Chat, l.Lang, b)) },
		Compact: func(ctx context.Context, b Background) (string, error) {
			req := i.compactRequest(l.Chat, l.Lang, b)
			req.Job = l.Job
			return i.aside(ctx, p, req)
		},
	}
}

// aside is a request sent while another holds the place in line.
func (i *Interpreter) aside(ctx context.Context, p provider.Provider, req provider.Request) (string, error) {
	label := labels[req.Role].In(req.Lang)
	i.deps.Publisher.Publish(event.Of(req.Chat, req.Job, event.AgentStart{Agent: string(req.Role), Label: label}))
	x := Exchange{Provider: p.Name(), Attempt: 1, At: time.Now()}
	var err error
	x.Reply, err = i.fitted(ctx, p, &req, nil)
	text := i.adapter.NormalizeOutput(x.Reply.Text)
	if err == nil && text == "" {
		err = apperr.Wrap(errNoText, apperr.ModelBadOutput)
	}
	x.Request, x.Prompt, x.Reply.Elapsed = req, i.adapter.NormalizePrompt(req), time.Since(x.At)
	x.failed(err)
	i.keep(x)
	i.deps.Publisher.Publish(event.Of(req.Chat, req.Job, event.AgentDone{
		Agent: string(req.Role), Label: label, Success: err == nil, Ms: x.Reply.Elapsed.Milliseconds(), Result: string(apperr.CodeOf(err)),
		TokensIn: x.Reply.TokensIn, TokensOut: x.Reply.TokensOut,
	}))
	return text, err
}
