package agent

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentchat/backend/brief"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/language/words"
)

// Bounds of what one message may ask.
const (
	mostQuestions = 4   // are answered; the others are named
	mostLeft      = 8   // of the others
	longQuestion  = 160 // characters of a question that is named
)

// divide makes a part of each question of the message, if it asks several. A question that names nothing to look for goes
// with the one it belongs to.
func (a *Agent) divide(q *Inquiry) {
	if a.deps.Questions == nil || len(q.Pictures) > 0 { // one look at a picture answers all of them
		return
	}
	var list []string
	hollow := false // the last one names nothing
	for _, text := range a.deps.Questions(q.Text) {
		empty := len(words.Matter(text)) == 0 || idle.MatchString(text)
		if n := len(list) - 1; n >= 0 && (empty || hollow) {
			list[n] += " " + text
			hollow = hollow && empty
			continue
		}
		list, hollow = append(list, text), empty
	}
	if len(list) < 2 {
		return
	}
	for _, text := range list[:min(len(list), mostQuestions)] {
		q.Parts = append(q.Parts, &Inquiry{Chat: q.Chat, Message: q.Message, Lang: q.Lang, Text: text, About: q.About, Attached: q.Attached, Loose: q.Loose})
	}
	q.Left = list[len(q.Parts):]
}

// each walks the parts one after the other, each from where it stands, and answers with all of them. Each may lean on what
// was answered before it.
func (a *Agent) each(ctx context.Context, q *Inquiry, save func(*Inquiry) error) error {
	before, silent, behind := q.Before, "", 0
	for _, p := range q.Parts {
		if p.Next == "" {
			p.Before, p.Silent, p.Behind = before, silent, behind
		}
		if p.Next != graph.End {
			a.heading(q, p)
			if _, _, err := a.graph.Run(ctx, p, p.Next, journal(func(*Inquiry) error { return save(q) }), nil); err != nil {
				return err
			}
		}
		if silent, behind = p.Silent, behind+len(p.Sources); len(p.Sources) > 0 {
			before = p.earlier()
		}
	}
	q.gather(len(q.Parts), "")
	if len(q.Left) > 0 {
		names := make([]string, min(len(q.Left), mostLeft))
		for i := range names {
			names[i] = q.named(q.Left[i])
		}
		list := strings.Join(names, ", ")
		if more := len(q.Left) - len(names); more > 0 {
			list += q.say(fmt.Sprintf(" 말고도 %d가지", more), fmt.Sprintf(" and %d more", more))
		}
		q.Answer += "\n\n" + q.say("한 번에 이만큼만 답해요. 아직 답하지 않은 질문이니 다시 물어봐 주세요: ", "That is as much as I answer at once. These are not answered yet, please ask again: ") + list
	}
	q.Next = graph.End
	return nil
}

// heading streams which question is answered next.
func (a *Agent) heading(q, p *Inquiry) {
	text := q.named(p.Text) + "\n\n"
	if p != q.Parts[0] {
		text = "\n\n" + text
	}
	a.deps.Publisher.Publish(event.Of(q.Chat, "", event.ChatToken{ID: q.Message, Delta: text}))
}

// Broken makes the answer of what was told when the customer stopped it: the questions that had been answered, and what there
// was of the next. It tells whether there is any.
func (q *Inquiry) Broken(rest string) bool {
	done := 0
	for done < len(q.Parts) && q.Parts[done].Next == graph.End {
		done++
	}
	if done == 0 || done == len(q.Parts) {
		return false
	}
	q.gather(done, rest)
	return true
}

// gather puts the answers of the first parts together, and what there is of the next.
func (q *Inquiry) gather(done int, rest string) {
	var answers, thoughts []string
	q.Sources, q.Trail, q.Unverified = nil, nil, nil
	same := true
	for _, p := range q.Parts[:done] {
		same = same && len(p.Sources) == 0 && p.Answer == q.Parts[0].Answer
		answers = append(answers, q.named(p.Text)+"\n\n"+p.Answer)
		if p.Reasoning != "" {
			thoughts = append(thoughts, p.Reasoning)
		}
		q.Sources = append(q.Sources, p.Sources...)
		q.Trail = append(q.Trail, p.Trail...)
		for _, doubt := range p.Unverified {
			if !slices.Contains(q.Unverified, doubt) {
				q.Unverified = append(q.Unverified, doubt)
			}
		}
	}
	if same && done == len(q.Parts) { // the same is true of all of them: there is no document
		answers = []string{q.Parts[0].Answer}
	}
	if rest != "" {
		answers = append(answers, q.named(q.Parts[done].Text)+"\n\n"+rest)
	}
	q.Answer, q.Reasoning = strings.Join(answers, "\n\n"), strings.Join(thoughts, "\n\n")
}

// named is a question as an answer names it.
func (q *Inquiry) named(text string) string {
	text = brief.Cut(strings.Join(strings.Fields(text), " "), longQuestion)
	return q.say("‘"+text+"’", "“"+text+"”")
}

// earlier is the question with its answer, for one that leans on it.
func (q *Inquiry) earlier() *Earlier {
	e := &Earlier{Question: q.Text, Answer: q.Answer}
	for _, s := range q.Sources {
		if s.Article != "" {
			e.Articles = append(e.Articles, s.Article)
		}
	}
	return e
}

// counted counts the passages that an answer cites on from those of the parts before it. What there is no passage for cites
// nothing.
func (q *Inquiry) counted(answer string, passages int) string {
	if q.Behind == 0 {
		return answer
	}
	return citation.ReplaceAllStringFunc(answer, func(cited string) string {
		var list []string
		for _, n := range numbersIn(strings.Trim(cited, "[]")) {
			if n < 1 || n > passages {
				return "(" + strings.Trim(cited, "[]") + ")"
			}
			list = append(list, strconv.Itoa(q.Behind+n))
		}
		return "[" + strings.Join(list, ", ") + "]"
	})
}
