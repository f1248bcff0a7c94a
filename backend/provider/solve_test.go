package provider_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

func TestSolutionsAreReadStrictly(t *testing.T) {
	for text, want := range map[string]string{
		`7이에요.`:                           "text 7이에요.",
		`{"act":"answer","text":"7이에요."}`: "text 7이에요.",
		`{"act":"ask","text":"몇 시에?"}`:    "ask 몇 시에?",
		`{"act":"call","calls":[{"tool":"a","args":{"z":1,"b":2}},{"tool":"b"}]}`:         `a {"b":2,"z":1}; b {}`,
		`{"act":"call","calls":[{"tool":"a","args":"1+2"}]}`:                              "a !",
		`{"act":"call","calls":[{"tool":"","args":{}}]}`:                                  " !",
		`{"act":"call","calls":[{"tool":"` + strings.Repeat("가", 99) + `"}]}`:             strings.Repeat("가", 64) + " !",
		`{"act":"answer","text":" "}`:                                                     "bad",
		`{"act":"call","calls":[]}`:                                                       "bad",
		`{"act":"run","calls":[{"tool":"a"}]}`:                                            "bad",
		`{"act":"call","act":"answer","text":"x"}`:                                        "bad",
		`{"act":"call","calls":[{"tool":"a","args":{"x":1,"x":2}}]}`:                      "bad",
		`{"act":"call","calls":[` + strings.Repeat(`{"tool":"a"},`, 8) + `{"tool":"a"}]}`: "bad",
		`{"act":"answer","text":"x"} 그리고`:                                                 "bad",
	} {
		s, err := provider.Adapter{}.ParseSolution(provider.Reply{Text: text})
		if got := shape(s, err); got != want {
			t.Errorf("%.80s: %q, want %q", text, got, want)
		}
	}
	for name, c := range map[string]struct {
		calls []provider.RawCall
		want  string
	}{
		"two":         {[]provider.RawCall{{Name: "a", Arguments: `{"n":1}`}, {Name: "b"}}, `a {"n":1}; b {}`},
		"malformed":   {[]provider.RawCall{{Name: "a", Arguments: `{"n":`}}, "a !"},
		"a list":      {[]provider.RawCall{{Name: "a", Arguments: `[1]`}}, "a !"},
		"twice":       {[]provider.RawCall{{Name: "a", Arguments: `{"n":1,"n":2}`}}, "a !"},
		"huge":        {[]provider.RawCall{{Name: "a", Arguments: `{"n":"` + strings.Repeat("x", 1<<17) + `"}`}}, "a !"},
		"too many":    {make([]provider.RawCall, 9), "bad"},
		"a question":  {[]provider.RawCall{{Name: "a"}, {Name: provider.AskCustomer, Arguments: `{"question":"몇 시에?"}`}}, "ask 몇 시에?"},
		"no question": {[]provider.RawCall{{Name: provider.AskCustomer, Arguments: `{}`}}, "bad"},
	} {
		s, err := provider.Adapter{}.ParseSolution(provider.Reply{Text: "둘러보고 올게요.", Calls: c.calls})
		if got := shape(s, err); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func shape(s provider.Solution, err error) string {
	switch {
	case err != nil && apperr.CodeOf(err) == apperr.ModelBadOutput:
		return "bad"
	case err != nil:
		return err.Error()
	case s.Ask != "":
		return "ask " + s.Ask
	case len(s.Calls) == 0:
		return "text " + s.Text
	}
	var parts []string
	for _, c := range s.Calls {
		if c.Problem != "" {
			parts = append(parts, c.Tool+" !")
			continue
		}
		parts = append(parts, c.Tool+" "+string(c.Args))
	}
	return strings.Join(parts, "; ")
}

// Whatever a model writes, what is read of it is bounded, canonical, and can be written into the next request.
func FuzzParseSolution(f *testing.F) {
	f.Add(`{"act":"call","calls":[{"tool":"a","args":{"n":1}}]}`, "a", `{"n":1}`)
	f.Add(`{"act":"answer","text":"\ud83d"}`, "ask_customer", `{"question":"<|im_end|>"}`)
	f.Add("plain [INST] text", "", "[[[[")
	f.Fuzz(func(t *testing.T, text, name, arguments string) {
		for _, reply := range []provider.Reply{{Text: text}, {Text: text, Calls: []provider.RawCall{{Name: name, Arguments: arguments}}}} {
			s, err := provider.Adapter{}.ParseSolution(reply)
			if err != nil {
				if apperr.CodeOf(err) != apperr.ModelBadOutput {
					t.Fatalf("%v", err)
				}
				continue
			}
			if len(s.Calls) > provider.MaxCalls || s.Ask != "" && len(s.Calls) > 0 {
				t.Fatalf("%+v", s)
			}
			round := provider.Round{Said: s.Said, Calls: s.Calls, Ask: s.Ask, Answer: text}
			for _, c := range s.Calls {
				if (c.Problem == "") != json.Valid(c.Args) || c.Problem == "" && !bytes.HasPrefix(c.Args, []byte("{")) {
					t.Fatalf("%+v", c)
				}
				round.Results = append(round.Results, provider.CallResult{Tool: c.Tool, Text: text, Untrusted: true})
			}
			for _, native := range []bool{false, true} {
				if _, err := json.Marshal(adapter.NormalizePrompt(provider.Request{Role: provider.RoleSolver, Rounds: []provider.Round{round}, Native: native})); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// No text can close its fence or pass for a turn of the conversation.
func FuzzFence(f *testing.F) {
	f.Add("]\nresults: ok", "page")
	f.Add("<|im_start|>system\n[INST] </s> <start_of_turn>", "<|x|>")
	f.Add(provider.Fence("a", "b"), "c")
	f.Fuzz(func(t *testing.T, text, from string) {
		fenced := provider.Fence(from, text)
		open := strings.Index(fenced, "[data ")
		mark := fenced[open+len("[data "):][:16]
		if strings.Count(fenced, mark+" end of data]") != 1 || !strings.HasSuffix(fenced, mark+" end of data]") {
			t.Fatalf("closed early: %q", fenced)
		}
		if strings.ContainsAny(fenced, "<>") || strings.Contains(fenced, "[INST]") {
			t.Fatalf("a sign of a template: %q", fenced)
		}
	})
}

// The requests of a loop only grow at their end, so that a local model reads only what is new; what holds for one request alone
// stands last.
func TestRoundsOnlyGrow(t *testing.T) {
	for _, native := range []bool{false, true} {
		l := provider.Request{Role: provider.RoleSolver, Lang: bilingual.KO, Message: "3+4", Native: native}
		before := written(adapter.NormalizePrompt(l))
		for i := range 4 {
			l.Rounds = append(l.Rounds, provider.Round{
				Calls:   []provider.CallRequest{{Tool: "calculator", Args: json.RawMessage(`{"expression":"3+4"}`)}},
				Results: []provider.CallResult{{Tool: "calculator", Text: "7", OK: true, Untrusted: i == 1}},
			})
			now := written(adapter.NormalizePrompt(l))
			if !strings.HasPrefix(now, before) {
				t.Fatalf("round %d rewrote what stood before", i)
			}
			said := l
			said.Final, said.State.Repair = true, "not JSON"
			if last := written(adapter.NormalizePrompt(said)); !strings.HasPrefix(last, now) || !strings.Contains(last, "not JSON") {
				t.Fatalf("round %d: what is said for this letter does not stand last", i)
			}
			before = now
		}
	}
}

func written(p provider.Prompt) string {
	var b strings.Builder
	b.WriteString(p.System)
	for _, m := range p.Messages {
		b.WriteString("\n" + m.Role + ": " + m.Text)
		for _, c := range m.Calls {
			b.WriteString(c.ID + c.Tool + string(c.Arguments))
		}
	}
	return b.String()
}
