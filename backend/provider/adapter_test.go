package provider_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

var adapter provider.Adapter

func known(tool string) bool { return tool == "song" || tool == "nav" }

func letter(role provider.Role) provider.Request {
	return provider.Request{
		ID: "id of " + string(role), Role: role, Chat: "main", Job: "job of " + string(role), Lang: bilingual.KO,
		Tools: []provider.ToolCard{
			{Key: "nav", Description: "guides", Params: json.RawMessage(`{"type":"object"}`)},
			{Key: "song", Description: "plays", Params: json.RawMessage(`{}`), Examples: []provider.Example{{Text: "노래 틀어줘", Args: map[string]any{"b": 1, "a": "x"}}}},
		},
		Summary: "they like songs", Facts: []string{"lives in Busan"},
		Transcript: []provider.Turn{{Speaker: "customer", Text: "안녕"}, {Speaker: "shop", Text: "안녕하세요"}},
		State:      provider.State{Outcome: "outcome for " + string(role), Running: []provider.RunningJob{{ID: "j-17", Title: "x"}}},
		Now:        time.Date(2025, 3, 1, 9, 0, int(role[0])%60, 0, time.UTC), Message: "request for " + string(role),
		Schema: json.RawMessage(`{"role":"` + string(role) + `"}`),
	}
}

// A local model re-reads as little as possible: the first block is the same for every role, and everything up to the last
// message is the same for every request of one turn.
func TestOnlyTheLastMessageDiffersByRole(t *testing.T) {
	roles := []provider.Role{
		provider.RolePlanner, provider.RoleIntent, provider.RoleToolChooser, provider.RoleSolver, provider.RoleLibrarian, provider.RoleSummarizer, provider.RoleReporter,
	}
	first := adapter.NormalizePrompt(letter(roles[0]))
	for _, role := range roles {
		p := adapter.NormalizePrompt(letter(role))
		if p.System != first.System {
			t.Errorf("%s has another first block", role)
		}
		if len(p.Messages) != len(first.Messages) || len(p.Messages) != 4 {
			t.Fatalf("%s: %d messages", role, len(p.Messages))
		}
		for i, m := range p.Messages[:3] {
			if !reflect.DeepEqual(m, first.Messages[i]) {
				t.Errorf("%s: message %d differs: %q", role, i, m.Text)
			}
		}
		last := p.Messages[3]
		for _, part := range []string{"role: " + string(role), "language: ko", "2025-03-01", "outcome for " + string(role), "request for " + string(role)} {
			if last.Role != "user" || !strings.Contains(last.Text, part) {
				t.Errorf("%s: the last message lacks %q", role, part)
			}
		}
		if told := strings.Contains(last.Text, `{"role":"`); told != (role == provider.RoleLibrarian) { // the others' forms stand in the first block
			t.Errorf("%s: the schema is told: %v", role, told)
		}
		for _, never := range []string{"2025", "09:00", "j-17", "id of", "job of", "request for"} {
			if strings.Contains(p.System, never) {
				t.Errorf("%s: the first block names %q", role, never)
			}
		}
		if string(p.Format) != `{"role":"`+string(role)+`"}` {
			t.Errorf("%s: format %s", role, p.Format)
		}
	}
	if m := first.Messages; m[1].Role != "user" || m[2].Role != "assistant" || !strings.Contains(m[0].Text, "lives in Busan") {
		t.Errorf("%+v", m)
	}
}

// A longer transcript only appends.
func TestTheTranscriptOnlyGrows(t *testing.T) {
	short := adapter.NormalizePrompt(letter(provider.RolePlanner))
	l := letter(provider.RolePlanner)
	l.Transcript = append(l.Transcript, provider.Turn{Speaker: "customer", Text: "more"})
	long := adapter.NormalizePrompt(l)
	for i, m := range short.Messages[:3] {
		if !reflect.DeepEqual(long.Messages[i], m) {
			t.Errorf("message %d changed", i)
		}
	}
	if short.System != long.System {
		t.Error("the first block changed")
	}
}

func plan(route, rest string) string { return `{"route":"` + route + `","reply":"ok"` + rest + `}` }

func jobs(n int, todo string) string {
	one := `{"title":"t","todos":[` + todo + `]}`
	return `,"jobs":[` + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + `]`
}

const todo = `{"title":"t","tool":"song","request":"r","args":{"n":1}}`

func TestPlansThatAreTaken(t *testing.T) {
	for _, reply := range []string{
		plan("answer", ""), plan("jobs", jobs(1, todo)), plan("jobs", jobs(16, todo)), plan("stop", `,"stop":{"all":true}`),
		plan("stop", `,"stop":{"tool":"song"}`), plan("service", ""), plan("library", ""), "  " + plan("answer", "") + "\n",
		plan("jobs", jobs(1, `{"title":"t","request":"r"}`)),
	} {
		if _, err := adapter.ParsePlan(reply, known); err != nil {
			t.Errorf("%s: %v", reply, err)
		}
	}
	p, err := adapter.ParsePlan(plan("jobs", jobs(1, todo)), known)
	if err != nil || string(p.Jobs[0].Todos[0].Args) != `{"n":1}` || p.Jobs[0].Todos[0].Tool != "song" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestPlansThatAreRefused(t *testing.T) {
	for name, reply := range map[string]string{
		"nothing":             "",
		"prose":               "Sure! Here is the plan.",
		"a fence":             "```json\n" + plan("answer", "") + "\n```",
		"text after":          plan("answer", "") + " I hope this helps",
		"two values":          plan("answer", "") + plan("answer", ""),
		"a key twice":         `{"route":"answer","reply":"a","reply":"b"}`,
		"a key in two cases":  `{"route":"answer","reply":"a","Reply":"b"}`,
		"a key twice, deep":   plan("jobs", jobs(1, `{"title":"t","request":"r","args":{"n":1,"n":2}}`)),
		"an unknown route":    plan("pay", ""),
		"no route":            `{"reply":"x"}`,
		"no reply":            `{"route":"answer","reply":"  "}`,
		"no jobs":             plan("jobs", ""),
		"an empty job":        plan("jobs", `,"jobs":[{"title":"t","todos":[]}]`),
		"too many jobs":       plan("jobs", jobs(17, todo)),
		"too many todos":      plan("jobs", jobs(1, strings.TrimSuffix(strings.Repeat(todo+",", 33), ","))),
		"an unknown tool":     plan("jobs", jobs(1, `{"title":"t","tool":"rocket","request":"r"}`)),
		"a job without title": plan("jobs", `,"jobs":[{"title":" ","todos":[`+todo+`]}]`),
		"a todo's long title": plan("jobs", jobs(1, `{"title":"`+strings.Repeat("가", 201)+`","request":"r"}`)),
		"stop nothing":        plan("stop", ""),
		"stop neither":        plan("stop", `,"stop":{}`),
		"a list":              "[" + plan("answer", "") + "]",
		"null":                "null",
		"numbers for text":    `{"route":"answer","reply":7}`,
		"huge":                plan("answer", `,"x":"`+strings.Repeat("x", 300<<10)+`"`),
		"deep":                plan("jobs", jobs(1, `{"title":"t","request":"r","args":`+strings.Repeat(`{"a":`, 40)+"1"+strings.Repeat("}", 40)+`}`)),
		"not Unicode":         "{\"route\":\"answer\",\"reply\":\"\xff\"}",
		"half a surrogate":    `{"route":"answer","reply":"\ud800"}`,
	} {
		p, err := adapter.ParsePlan(reply, known)
		if apperr.CodeOf(err) != apperr.ModelBadOutput {
			t.Errorf("%s was taken: %+v, %v", name, p, err)
		}
	}
}

func TestToolCalls(t *testing.T) {
	for _, reply := range []string{`{"tool":"song","args":{"n":1}}`, `{"tool":"song"}`, `{"tool":"nav","args":{},"missing":["to"],"question":"어디로요?"}`} {
		call, err := adapter.ParseToolSpec(reply, known)
		if err != nil || !json.Valid(call.Args) {
			t.Errorf("%s: %+v, %v", reply, call, err)
		}
	}
	for _, reply := range []string{
		``, `{}`, `{"tool":"rocket","args":{}}`, `{"tool":"song","args":{"n":1,"n":2}}`, `{"tool":"song","args":{}} done`, `{"tool":["song"],"args":{}}`,
		`{"tool":"song","tool":"nav","args":{}}`, `{"tool":"song","missing":"to"}`,
	} {
		if call, err := adapter.ParseToolSpec(reply, known); apperr.CodeOf(err) != apperr.ModelBadOutput {
			t.Errorf("%s was taken: %+v, %v", reply, call, err)
		}
	}
}

func TestTextIsMadeFitForPeople(t *testing.T) {
	for in, want := range map[string]string{
		"  hello \n": "hello", "a\x00b\x1b[31mc\x7f": "ab[31mc", "line\nline\ttab": "line\nline\ttab",
		"<think>first</think>\n\nthen": "then", "no opening</think> answer": "answer", "<think>cut short": "",
		"bad \xff bytes": "bad \uFFFD bytes", "\u1112\u1161\u11ab글": "한글", "": "",
	} {
		if have := adapter.NormalizeOutput(in); have != want {
			t.Errorf("%q became %q, want %q", in, have, want)
		}
	}
}

func FuzzParsePlan(f *testing.F) {
	for _, seed := range []string{plan("answer", ""), plan("jobs", jobs(2, todo)), plan("stop", `,"stop":{"all":true}`), `{"route":"answer","reply":"a","reply":"b"}`, `{`, "null", "[]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		p, err := adapter.ParsePlan(reply, known)
		if err != nil {
			if apperr.CodeOf(err) != apperr.ModelBadOutput {
				t.Fatalf("%v is not model_bad_output", err)
			}
			return
		}
		if len(p.Jobs) > 16 || p.Route == provider.RouteJobs && len(p.Jobs) == 0 || p.Route == provider.RouteAnswer && p.Reply == "" {
			t.Fatalf("%+v was taken", p)
		}
		for _, j := range p.Jobs {
			if len(j.Todos) == 0 || len(j.Todos) > 32 || !utf8.ValidString(j.Title) {
				t.Fatalf("%+v was taken", j)
			}
			for _, td := range j.Todos {
				if td.Tool != "" && !known(td.Tool) {
					t.Fatalf("the tool %q was taken", td.Tool)
				}
			}
		}
		again, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if q, err := adapter.ParsePlan(string(again), known); err != nil || fmt.Sprint(q) != fmt.Sprint(p) && len(q.Jobs) != len(p.Jobs) {
			t.Fatalf("written and read again: %+v, %v", q, err)
		}
	})
}
