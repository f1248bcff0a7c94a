package providertest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
	"agentchat/backend/provider"
)

// Case is one request and what a planner should make of it.
type Case struct {
	Text string
	Want []Want // tools to start, in any order; empty: nothing may start
	Stop string // "stop:nav" or "stop:*"; "" when nothing is to be stopped
	Line int
}

// Want is one expected tool. Args lists the arguments that must be there; "*" allows any value. Other arguments must be absent, except
// a day that is today. After says that it must be a later todo of the job before.
type Want struct {
	Tool  string
	Args  map[string]string
	After bool
}

// ReadCases reads a table of requests: a request, a tab, and "-" (start nothing), "stop:tool", "stop:*", or tools joined by " | " (side
// by side) or " > " (in order), each with its arguments: nav{destination=서울역}. Lines that begin with # are comments.
func ReadCases(r io.Reader) ([]Case, error) {
	var cases []Case
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		line := sc.Text()
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		text, want, ok := strings.Cut(line, "\t")
		if !ok {
			return nil, fmt.Errorf("line %d: no tab", n)
		}
		c := Case{Text: text, Line: n}
		switch want = strings.TrimSpace(want); {
		case want == "-":
		case strings.HasPrefix(want, "stop:"):
			c.Stop = strings.TrimPrefix(want, "stop:")
		default:
			for side := range strings.SplitSeq(want, " | ") {
				for i, step := range strings.Split(side, " > ") {
					c.Want = append(c.Want, parseWant(step, i > 0))
				}
			}
		}
		cases = append(cases, c)
	}
	return cases, sc.Err()
}

func parseWant(s string, after bool) Want {
	tool, rest, has := strings.Cut(strings.TrimSpace(s), "{")
	w := Want{Tool: strings.TrimSpace(tool), Args: map[string]string{}, After: after}
	if !has {
		return w
	}
	for pair := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(rest), "}"), ";") {
		if k, v, ok := strings.Cut(pair, "="); ok {
			w.Args[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
	return w
}

// Score is how a planner did on a table of requests.
type Score struct {
	Requests, Right            int // requests that want something, and those with the right tools and the right arguments
	RightTools                 int // of the requests, those with the right tools, whatever the arguments
	Quiet, FalseStarts         int // requests that want nothing, and those where something started
	Misses                     []string
	Elapsed                    time.Duration
	PlannerP99, PlannerSlowest time.Duration
}

// Accuracy is the share of requests with the right tools and arguments, in percent.
func (s Score) Accuracy() float64 { return percent(s.Right, s.Requests) }

// ToolAccuracy is the share of requests with the right tools, in percent.
func (s Score) ToolAccuracy() float64 { return percent(s.RightTools, s.Requests) }

// FalseStartRate is the share of quiet lines where something started, in percent.
func (s Score) FalseStartRate() float64 { return percent(s.FalseStarts, s.Quiet) }

func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}

// Measure asks the planner every case and counts. cards gives the tool cards in a language.
func Measure(ctx context.Context, p provider.Provider, cards func(bilingual.Lang) []provider.ToolCard, now time.Time, cases []Case) (Score, error) {
	var s Score
	var times []time.Duration
	for _, c := range cases {
		lang := bilingual.EN
		if phrase.Korean(c.Text) {
			lang = bilingual.KO
		}
		began := time.Now()
		reply, err := p.Chat(ctx, provider.Request{Role: provider.RolePlanner, Lang: lang, Tools: cards(lang), Now: now, Message: c.Text}, nil)
		if err != nil {
			return s, err
		}
		times = append(times, time.Since(began))
		var plan provider.Plan
		if err := json.Unmarshal([]byte(reply.Text), &plan); err != nil {
			return s, err
		}
		s.count(c, plan, now)
	}
	slices.Sort(times)
	for _, t := range times {
		s.Elapsed += t
	}
	if n := len(times); n > 0 {
		s.PlannerP99, s.PlannerSlowest = times[n*99/100], times[n-1]
	}
	return s, nil
}

func (s *Score) count(c Case, plan provider.Plan, now time.Time) {
	got := describe(plan)
	if len(c.Want) == 0 && c.Stop == "" {
		s.Quiet++
		if plan.Route != provider.RouteAnswer {
			s.FalseStarts++
			s.miss(c, got)
		}
		return
	}
	s.Requests++
	if c.Stop != "" {
		ok := plan.Route == provider.RouteStop && plan.Stop != nil && (c.Stop == "*" && plan.Stop.All || plan.Stop.Tool == c.Stop)
		if ok {
			s.Right++
			s.RightTools++
		} else {
			s.miss(c, got)
		}
		return
	}
	tools, args := compare(c.Want, plan, now)
	if tools {
		s.RightTools++
	}
	if tools && args {
		s.Right++
	} else {
		s.miss(c, got)
	}
}

func (s *Score) miss(c Case, got string) {
	s.Misses = append(s.Misses, fmt.Sprintf("line %d: %s\n      got %s", c.Line, c.Text, got))
}

// compare matches the plan's todos with the wanted ones, in any order of jobs.
func compare(want []Want, plan provider.Plan, now time.Time) (tools, args bool) {
	type step struct {
		provider.TodoPlan
		after, used bool
	}
	var steps []step
	for _, j := range plan.Jobs {
		for i, t := range j.Todos {
			steps = append(steps, step{t, i > 0, false})
		}
	}
	if plan.Route != provider.RouteJobs || len(steps) != len(want) {
		return false, false
	}
	args = true
	for _, w := range want {
		best := -1
		for i := range steps {
			if steps[i].used || steps[i].Tool != w.Tool || steps[i].after != w.After {
				continue
			}
			if best < 0 || sameArgs(w, steps[i].Args, now) {
				best = i
			}
		}
		if best < 0 {
			return false, false
		}
		steps[best].used = true
		args = args && sameArgs(w, steps[best].Args, now)
	}
	return true, args
}

func sameArgs(w Want, raw json.RawMessage, now time.Time) bool {
	got := map[string]any{}
	if len(raw) > 0 && json.Unmarshal(raw, &got) != nil {
		return false
	}
	for k, v := range got {
		want, ok := w.Args[k]
		text := squeeze(fmt.Sprint(v))
		if n, isNum := v.(float64); isNum {
			text = fmt.Sprintf("%.0f", n)
		}
		switch {
		case !ok && k == "day" && text == squeeze(now.Format(time.DateOnly)):
		case !ok, want != "*" && text != squeeze(want):
			return false
		}
	}
	for k, want := range w.Args {
		if _, ok := got[k]; !ok && want != "*" {
			return false
		}
	}
	return true
}

func squeeze(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(s), ""))
}

func describe(plan provider.Plan) string {
	if plan.Route != provider.RouteJobs {
		if plan.Stop != nil {
			return fmt.Sprintf("%s %+v", plan.Route, *plan.Stop)
		}
		return string(plan.Route)
	}
	var jobs []string
	for _, j := range plan.Jobs {
		var steps []string
		for _, t := range j.Todos {
			steps = append(steps, t.Tool+string(t.Args))
		}
		jobs = append(jobs, strings.Join(steps, " > "))
	}
	return strings.Join(jobs, " | ")
}
