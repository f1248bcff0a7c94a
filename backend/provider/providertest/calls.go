package providertest

import (
	"encoding/json"
	"fmt"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// callScenario is what a model does in a solver's loop.
type callScenario struct {
	model    string
	rounds   []string // the calls of every round
	text     string
	problem  bool // a call that cannot be read comes first, as a problem or as a reply to be written anew
	atMost   int
	fallback bool // written in JSON although the style is native
}

// RunCalls checks how a provider brings the tool calls of a solver, against the call- scenarios of a fake model server.
// fresh makes a provider for a model that calls tools in one style. A loop over the provider alone stands in for the shop:
// it answers every call, so that what the provider sends back is checked, too.
func RunCalls(t *testing.T, fresh func(t *testing.T, model string, style provider.CallStyle) provider.Provider) {
	for _, w := range []callScenario{
		{model: "call-one", rounds: []string{"calculator 3+4"}, text: "7이에요."},
		{model: "call-two", rounds: []string{"calculator 3+4, calculator 5+6"}, text: "7하고 11이에요."},
		{model: "call-chain", rounds: []string{"calculator 3+4", "calculator 7+5"}, text: "다 더하면 12예요."},
		{model: "call-unknown", rounds: []string{"rm_rf "}, text: "그런 공구는 없네요."},
		{model: "call-malformed", problem: true},
		{model: "call-endless", rounds: []string{"calculator 0+1", "calculator 1+1", "calculator 2+1"}, atMost: 3},
		{model: "call-same", rounds: []string{"calculator 3+4", "calculator 3+4", "calculator 3+4"}, text: "역시 7이에요."},
		{model: "call-no-tools", rounds: []string{"calculator 3+4"}, text: "7이에요.", fallback: true},
	} {
		for _, style := range []provider.CallStyle{provider.CallsNative, provider.CallsJSON} {
			t.Run(fmt.Sprintf("%s %s", w.model, style), func(t *testing.T) {
				model := w.model + "@" + t.Name()
				if w.fallback {
					model = w.model // the part behind @ is for counting; a service refuses by name
				}
				p := fresh(t, model, style)
				native, ok := p.(provider.NativeCaller)
				if !ok || native.NativeCalls(t.Context()) != (style == provider.CallsNative) {
					t.Fatalf("a NativeCaller: %v; not in the style that was set", ok)
				}
				l := newRequest(provider.RoleSolver, bilingual.KO, "3 더하기 4는?")
				l.Native = style == provider.CallsNative
				if !l.Native {
					l.Schema = provider.SolveSchema
				}
				w.walk(t, p, l)
				if w.fallback && native.NativeCalls(t.Context()) && style == provider.CallsNative && p.Name() == "openai" {
					t.Error("the service's refusal of tools was not remembered")
				}
			})
		}
	}
}

// walk is the loop: it answers every call until the model has its answer.
func (w callScenario) walk(t *testing.T, p provider.Provider, l provider.Request) {
	for i := range 6 {
		reply, err := p.Chat(t.Context(), l, nil)
		if w.problem && apperr.CodeOf(err) == apperr.ModelBadOutput {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(reply.Calls) > 0 && !l.Native {
			t.Fatalf("native calls although none were asked for: %+v", reply.Calls)
		}
		s, err := provider.Adapter{}.ParseSolution(reply)
		if w.problem {
			if err == nil && (len(s.Calls) != 1 || s.Calls[0].Problem == "") {
				t.Fatalf("a malformed call was read as %+v", s)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if i == len(w.rounds) {
			if s.Text != w.text || len(s.Calls) > 0 {
				t.Fatalf("answered %q with %d calls, want %q", s.Text, len(s.Calls), w.text)
			}
			return
		}
		if got := callLine(s.Calls); got != w.rounds[i] {
			t.Fatalf("round %d: %q, want %q", i, got, w.rounds[i])
		}
		round := provider.Round{Said: s.Said, Calls: s.Calls}
		for range s.Calls {
			round.Results = append(round.Results, provider.CallResult{Tool: "calculator", Text: "7", OK: true})
		}
		l.Rounds = append(l.Rounds, round)
		if i+1 == w.atMost {
			return
		}
	}
}

func callLine(calls []provider.CallRequest) (line string) {
	for i, c := range calls {
		var args struct {
			Expression string `json:"expression"`
		}
		_ = json.Unmarshal(c.Args, &args)
		if i > 0 {
			line += ", "
		}
		line += c.Tool + " " + args.Expression
	}
	return line
}
