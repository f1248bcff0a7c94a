package interpreter

import (
	"context"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/provider"
)

var (
	compacted = label{"대화가 길어져서 앞부분을 요약했어요.", "The conversation has grown long, so its beginning was summed up."}
	shortened = label{"모델이 한 번에 읽을 수 있는 양을 넘어서 긴 내용을 줄여서 보냈어요.", "Long passages were shortened to what the model can read at once."}
)

// The lengths, in characters, to which passages are shortened one after the other until the letter fits.
var shorter = []int{1200, 400, 120}

// fit makes a letter fit into room tokens: one cut in the chat's memory first, then long passages are shortened, visibly and
// the oldest first. The request and what the role needs to know of the moment are never touched. If they alone are more
// than room, the answer gets less of it, as long as the letter likely is no longer than most; else that is
// context_overflow.
func (i *Interpreter) fit(ctx context.Context, p provider.Provider, l *provider.Letter, key string, room, most int) error {
	before := i.size(key, *l)
	if before.high <= room {
		return nil
	}
	fits := func() bool { return i.size(key, *l).high <= room }
	if i.deps.Budget.Compact != nil && l.Chat != "" && l.Role != provider.RoleSummarizer && len(l.Transcript) > 0 {
		b, made, err := i.deps.Budget.Compact(ctx, l.Chat, i.sidePen(p, l, key, room))
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			i.deps.Budget.Log.Warn().Err(err).Str("chat", l.Chat).Msg("the conversation could not be compacted")
		default:
			l.Summary, l.Facts, l.State.Facts, l.Transcript = b.Summary, b.Facts, b.Fresh, b.Transcript
			if made {
				i.said(*l, compacted, before, i.size(key, *l))
			}
		}
		if fits() {
			return nil
		}
	}
	l.Transcript, l.State.Results, l.Rounds = slices.Clone(l.Transcript), slices.Clone(l.State.Results), slices.Clone(l.Rounds)
	for n := range l.Rounds {
		l.Rounds[n].Results = slices.Clone(l.Rounds[n].Results)
	}
	for _, most := range shorter {
		for n := range l.Rounds {
			for k := range l.Rounds[n].Results {
				if cutShort(&l.Rounds[n].Results[k].Text, most) && fits() {
					i.said(*l, shortened, before, i.size(key, *l))
					return nil
				}
			}
		}
		for n := range l.State.Results {
			if cutShort(&l.State.Results[n].Text, most) && fits() {
				i.said(*l, shortened, before, i.size(key, *l))
				return nil
			}
		}
		for n := range l.Transcript {
			if cutShort(&l.Transcript[n].Text, most) && fits() {
				i.said(*l, shortened, before, i.size(key, *l))
				return nil
			}
		}
		for _, text := range []*string{&l.State.Problem, &l.Summary} {
			if cutShort(text, most) && fits() {
				i.said(*l, shortened, before, i.size(key, *l))
				return nil
			}
		}
	}
	if i.dropOldest(l, fits) {
		i.said(*l, shortened, before, i.size(key, *l))
		return nil
	}
	after := i.size(key, *l)
	if after.likely > most {
		return apperr.New(apperr.ContextOverflow, "tokens", after.likely, "limit", most)
	}
	if after.likely < before.likely {
		i.said(*l, shortened, before, after)
	}
	return nil
}

// dropOldest is the last resort: facts, then lines of the transcript, then results go, the oldest first, but the last turn
// and the last result stay. What went is named in its place.
func (i *Interpreter) dropOldest(l *provider.Letter, fits func() bool) bool {
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
	for n := 1; n < len(results); n++ {
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

// sidePen writes summaries while a letter waits for them, in the letter's own place in line.
func (i *Interpreter) sidePen(p provider.Provider, l *provider.Letter, key string, room int) Pen {
	return Pen{
		Fits: func(b Background) bool {
			with := *l
			with.Summary, with.Facts, with.State.Facts, with.Transcript = b.Summary, b.Facts, b.Fresh, b.Transcript
			return i.size(key, with).high <= room
		},
		CanFold: func(b Background) bool { return i.canFold(p, i.foldLetter(l.Chat, l.Lang, b)) },
		Fold: func(ctx context.Context, b Background) (string, error) {
			letter := i.foldLetter(l.Chat, l.Lang, b)
			letter.Job = l.Job
			return i.aside(ctx, p, letter)
		},
	}
}

// aside is a letter sent while another holds the place in line.
func (i *Interpreter) aside(ctx context.Context, p provider.Provider, letter provider.Letter) (string, error) {
	label := labels[letter.Role].In(letter.Lang)
	i.deps.Publisher.Publish(event.Of(letter.Chat, letter.Job, event.AgentStart{Agent: string(letter.Role), Label: label}))
	x := Exchange{Provider: p.Name(), Attempt: 1, At: time.Now()}
	var err error
	x.Reply, err = i.fitted(ctx, p, &letter, nil)
	text := i.adapter.NormalizeOutput(x.Reply.Text)
	if err == nil && text == "" {
		err = apperr.Wrap(errNoText, apperr.ModelBadOutput)
	}
	x.Letter, x.Prompt, x.Reply.Elapsed = letter, i.adapter.NormalizePrompt(letter), time.Since(x.At)
	x.failed(err)
	i.keep(x)
	i.deps.Publisher.Publish(event.Of(letter.Chat, letter.Job, event.AgentDone{
		Agent: string(letter.Role), Label: label, Success: err == nil, Ms: x.Reply.Elapsed.Milliseconds(), Result: string(apperr.CodeOf(err)),
		TokensIn: x.Reply.TokensIn, TokensOut: x.Reply.TokensOut,
	}))
	return text, err
}
