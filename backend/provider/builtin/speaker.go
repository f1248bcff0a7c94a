package builtin

import (
	"fmt"
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/hangul"
	"agentchat/backend/language/slot"
	"agentchat/backend/provider"
	"agentchat/backend/unit"
)

// speaker says things in one language of the shop, at a moment.
type speaker struct {
	lang bilingual.Lang
	now  time.Time
}

func (s speaker) ko() bool { return s.lang == bilingual.KO }

// in picks the sentence in the speaker's language.
func (s speaker) in(ko, en string) string { return bilingual.Say(s.lang, ko, en) }

// title names one step shortly: 서울역 내비게이션, Weather in Busan.
func (s speaker) title(w wish) string {
	name := w.tool.card.Title
	if name == "" {
		name = w.tool.card.Key
	}
	main, kind := s.mainValue(w)
	if main == "" {
		return name
	}
	if s.ko() {
		switch kind {
		case slot.KindExpression:
			return main + " 계산"
		case slot.KindTitle:
			return name + " ‘" + main + "’"
		case slot.KindEnum:
			return name + ": " + main
		}
		return main + " " + name
	}
	switch {
	case kind == slot.KindPlace && w.tool.hasSense("route"):
		return name + " to " + main
	case kind == slot.KindPlace:
		return name + " in " + main
	case kind == slot.KindTitle:
		return name + " “" + main + "”"
	}
	return name + ": " + main
}

// mainValue is the first value of a wish that says what it is about, and of which kind it is; "" when there is none.
func (s speaker) mainValue(w wish) (main, kind string) {
	for i, p := range w.tool.props {
		v, ok := w.args[p.Name]
		seconds, whole := v.(int64)
		switch {
		case !ok || p.Kind == slot.KindDate:
			continue
		case p.Kind == slot.KindNumber:
			return shorten(s.measure(v, w.tool.props[i+1:], w.args), 40), p.Kind
		case p.Kind == slot.KindDuration && whole && slot.AtClock(w.request, s.now):
			return s.moment(time.Duration(seconds) * time.Second), p.Kind // a time of day was said
		}
		return shorten(s.value(p, v), 40), p.Kind
	}
	return "", ""
}

// measure writes a number with the units that stand behind it: 5 mi → km.
func (s speaker) measure(n any, behind []slot.Property, args map[string]any) string {
	text := fmt.Sprint(n)
	for i, p := range behind {
		said, ok := args[p.Name]
		if !ok || p.Kind != slot.KindUnit {
			break
		}
		called := fmt.Sprint(said)
		if u, known := unit.Named(called); known && s.ko() {
			called = u.Korean()
		}
		text += [...]string{s.in("", " "), " → "}[min(i, 1)] + called
	}
	return text
}

// moment says when so much time has passed, with its day unless that is today.
func (s speaker) moment(in time.Duration) string {
	at := s.now.Add(in).Round(time.Minute)
	clock := bilingual.Clock(at, s.lang)
	if day := at.Format(time.DateOnly); day != s.now.Format(time.DateOnly) {
		return slot.SayDay(day, s.lang) + " " + clock
	}
	return clock
}

// value writes an argument for a person.
func (s speaker) value(p slot.Property, v any) string {
	if n, ok := v.(int64); ok && p.Kind == slot.KindDuration {
		return s.span(n)
	}
	if called := p.Values[fmt.Sprint(v)].In(s.lang); called != "" {
		return called
	}
	return fmt.Sprint(v)
}

// span writes seconds as people say them.
func (s speaker) span(n int64) string {
	var parts []string
	for _, u := range []struct {
		n      int64
		ko, en string
	}{{86400, "일", "d"}, {3600, "시간", "h"}, {60, "분", "min"}, {1, "초", "s"}} {
		if n >= u.n {
			parts = append(parts, fmt.Sprintf("%d%s", n/u.n, s.in(u.ko, " "+u.en)))
			n %= u.n
		}
	}
	return strings.Join(parts, " ")
}

func shorten(text string, limit int) string {
	rs := []rune(text)
	if len(rs) <= limit {
		return text
	}
	return strings.TrimSpace(string(rs[:limit-1])) + "…"
}

// sequence is the title of a job with these steps.
func (s speaker) sequence(todos []provider.TodoPlan) string {
	titles := make([]string, len(todos))
	for i, t := range todos {
		titles[i] = t.Title
	}
	return shorten(strings.Join(titles, " → "), 90)
}

// starting acknowledges jobs in one sentence.
func (s speaker) starting(jobs []provider.JobPlan, c *catalog) string {
	if len(jobs) == 1 {
		job := jobs[0]
		last := c.byKey[job.Todos[len(job.Todos)-1].Tool]
		switch {
		case len(job.Todos) > 1:
			return s.in("차례대로 할게요: "+job.Title+".", "One after the other: "+job.Title+".")
		case last != nil && last.card.Doing != "" && job.Title == last.card.Title:
			return last.card.Doing // its name alone would say no more; where there is more to say, who asked hears how it was understood
		case last != nil && last.choice() != nil:
			return s.in("알겠어요. ", "All right. ") + job.Title + "."
		case last != nil && last.answers:
			return s.in(hangul.With(job.Title, "을", "를")+" 알아볼게요.", "Looking that up: "+job.Title+".")
		}
		return s.in(hangul.With(job.Title, "을", "를")+" 시작할게요.", "Starting: "+job.Title+".")
	}
	titles := make([]string, len(jobs))
	for i, j := range jobs {
		titles[i] = j.Title
	}
	list := strings.Join(titles, ", ")
	return s.in(fmt.Sprintf("%d가지를 한꺼번에 시작할게요: %s.", len(jobs), list), fmt.Sprintf("Starting %d things at once: %s.", len(jobs), list))
}

// stopping acknowledges an order to stop.
func (s speaker) stopping(c *catalog, stop provider.StopPlan) string {
	if t := c.byKey[stop.Tool]; t != nil && !stop.All {
		return s.in(hangul.With(t.card.Title, "을", "를")+" 멈출게요.", "Stopping: "+t.card.Title+".")
	}
	return s.in("하던 일을 모두 멈출게요.", "Stopping everything that is running.")
}

// ask is the question for a required argument that the words did not give.
func (s speaker) ask(t *tool, name string) string {
	kind := ""
	for _, p := range t.props {
		if p.Name == name {
			switch kind = p.Kind; {
			case p.Seeks != "":
				kind = slot.KindQuery
			case kind == slot.KindWords && p.Names != "":
				return s.in("어느 "+p.Called.KO+"인가요?", "Which "+p.Called.EN+" do you mean?")
			}
			if p.Called != (bilingual.Text{}) {
				name = p.Called.In(s.lang)
			}
		}
	}
	title := t.card.Title
	switch kind {
	case slot.KindPlace:
		if t.hasSense("route") {
			return s.in("어디로 안내할까요?", "Where would you like to go?")
		}
		return s.in("어느 곳인지 알려 주세요.", "Which place do you mean?")
	case slot.KindDuration:
		return s.in("얼마 뒤에 알려드릴까요? 예: 5분 뒤", "In how long? For example: in 5 minutes")
	case slot.KindExpression:
		return s.in("무엇을 계산할까요? 예: 3만5천 나누기 7", "What shall I work out? For example: 35,000 / 7")
	case slot.KindTitle:
		return s.in("어떤 제목인가요?", "Which title?")
	case slot.KindDate:
		return s.in("언제인가요? 예: 내일, 12월 1일", "Which day? For example: tomorrow, December 1")
	case slot.KindMoney:
		return s.in("얼마인가요? 예: 만 오천원", "How much? For example: 15,000 won")
	case slot.KindFile, slot.KindPath:
		return s.in("어느 파일인가요? 예: 문서/메모.txt", "Which file? For example: Documents/notes.txt")
	case slot.KindQuery:
		return s.in("무엇을 찾을까요?", "What shall I look for?")
	case slot.KindText, slot.KindSaid, slot.KindWords:
		return s.in("어떤 내용인가요?", "What should it say?")
	}
	return s.in(title+"에 필요한 "+hangul.With(name, "을", "를")+" 알려 주세요.", title+" needs a value for "+name+". What should it be?")
}

// whichTool says that no tool fits a step.
func (s speaker) whichTool(c *catalog) string {
	names := make([]string, 0, len(c.tools))
	for _, t := range c.tools {
		names = append(names, t.card.Title)
	}
	list := shorten(strings.Join(names, ", "), 200)
	return s.in("어떤 공구를 쓸지 알 수 없어요. 쓸 수 있는 공구: "+list+".", "It is not clear which tool to use. There are: "+list+".")
}
