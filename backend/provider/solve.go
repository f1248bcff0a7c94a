package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"agentchat/backend/brief"
	"agentchat/backend/strictjson"
)

// AskCustomer is the function by which a model that calls tools natively asks the customer for a value. It is no tool: the
// box knows nothing of it.
const AskCustomer = "ask_customer"

// What a solver's reply in JSON does.
const (
	ActAnswer = "answer"
	ActCall   = "call"
	ActAsk    = "ask"
)

// Bounds of one round of the solve loop.
const (
	MaxCalls     = 8        // calls in one round
	maxCallBytes = 64 << 10 // arguments of one call
	maxCallDepth = 16
	maxQuestion  = 300 // characters
	maxSaid      = 8 << 10
	maxToolName  = 64
)

// NativeCaller is a Provider whose service may take tool calls natively, in fields of its own instead of in the text.
// NativeCalls says whether solver requests should be written so now: it is asked before every such request and must return
// promptly once ctx ends.
type NativeCaller interface {
	NativeCalls(ctx context.Context) bool
}

// CallStyle is how solver requests have tools called.
type CallStyle string

// The call styles. The empty one leaves it to the provider.
const (
	CallsNative CallStyle = "native"
	CallsJSON   CallStyle = "json"
)

// RawCall is a native tool call as the service gave it: nothing of it has been checked.
type RawCall struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// CallRequest is a tool call that a model proposes. Args is an object in canonical form; nil with Problem, which says in
// words the model can use why the call cannot even be looked at.
type CallRequest struct {
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args,omitempty" ts_type:"any"`
	Problem string          `json:"problem,omitempty"`
}

// CallResult is what became of a CallRequest: the tool's text, or why there is none.
type CallResult struct {
	Tool      string `json:"tool"`
	Text      string `json:"text"`
	OK        bool   `json:"ok"`
	Untrusted bool   `json:"untrusted,omitempty"` // other people's words: data, never orders
}

// Round is one exchange of the solve loop: what the model asked for, and what it was given. Either Calls with a Result for
// each, or Ask, a question to the customer, with their Answer.
type Round struct {
	Said    string        `json:"said,omitempty"` // the model's own reply, word for word, so that it need not be read anew
	Calls   []CallRequest `json:"calls,omitempty"`
	Results []CallResult  `json:"results,omitempty"`
	Ask     string        `json:"ask,omitempty"`
	Answer  string        `json:"answer,omitempty"`
}

// Solution is what a solver's reply comes to: a text, which ends the loop; calls; or a question. Said is kept for the
// Round that is made of it.
type Solution struct {
	Text      string
	Calls     []CallRequest
	Ask       string
	Said      string
	Reasoning string
	Worded    bool // by a model; code sets it
}

// ParseSolution reads a solver's reply. What a service gave as native calls is read the same way as calls in JSON, which a
// model may write whatever the request asked for: a call whose arguments cannot be read becomes a CallRequest with a
// Problem. Text that does not begin a JSON object is the answer itself. Errors are model_bad_output and say what is wrong in words the model can use.
func (a Adapter) ParseSolution(reply Reply) (Solution, error) {
	if len(reply.Calls) > 0 {
		return a.nativeSolution(reply)
	}
	if text := strings.TrimSpace(reply.Text); !strings.HasPrefix(text, "{") {
		return Solution{Text: a.NormalizeOutput(reply.Text)}, nil
	}
	s := Solution{}
	if len(reply.Text) <= maxSaid {
		s.Said = strings.TrimSpace(reply.Text)
	}
	_, err := readForm(reply.Text, s.fill)
	if err != nil {
		return Solution{}, err
	}
	return s, nil
}

// solverForm is a solver's reply in JSON.
type solverForm struct {
	Act   string `json:"act"`
	Text  string `json:"text"`
	Calls []struct {
		Tool string          `json:"tool"`
		Args json.RawMessage `json:"args"`
	} `json:"calls"`
}

func (s *Solution) fill(said *solverForm) error {
	text := clean(said.Text)
	switch said.Act {
	case ActAnswer:
		if text == "" {
			return bad("act answer needs a text")
		}
		s.Text = text
	case ActAsk:
		if text == "" {
			return bad("act ask needs the question in text")
		}
		s.Ask = brief.Cut(text, maxQuestion)
	case ActCall:
		if len(said.Calls) == 0 {
			return bad("act call needs at least one call")
		}
		if len(said.Calls) > MaxCalls {
			return bad("more than %d calls", MaxCalls)
		}
		for _, c := range said.Calls {
			s.Calls = append(s.Calls, request(c.Tool, string(c.Args)))
		}
	default:
		return bad("act must be answer, call or ask")
	}
	return nil
}

func (a Adapter) nativeSolution(reply Reply) (Solution, error) {
	if len(reply.Calls) > MaxCalls {
		return Solution{}, bad("more than %d calls", MaxCalls)
	}
	s := Solution{}
	for _, c := range reply.Calls {
		r := request(c.Name, c.Arguments)
		if r.Tool != AskCustomer {
			s.Calls = append(s.Calls, r)
			continue
		}
		var args struct {
			Question string `json:"question"`
		}
		if r.Problem != "" || json.Unmarshal(r.Args, &args) != nil || a.NormalizeOutput(args.Question) == "" {
			return Solution{}, bad("%s needs a question", AskCustomer)
		}
		// One question at a time, and alone: what else was proposed depends on its answer.
		return Solution{Ask: brief.Cut(a.NormalizeOutput(args.Question), maxQuestion)}, nil
	}
	return s, nil
}

// request reads one call. Whether there is such a tool, and whether the arguments fit it, is for the box to say.
func request(tool, args string) CallRequest {
	r := CallRequest{Tool: strings.TrimSpace(Plain(strings.ToValidUTF8(tool, "\uFFFD")))}
	if n := utf8.RuneCountInString(r.Tool); n == 0 || n > maxToolName {
		r.Tool = string([]rune(r.Tool)[:min(n, maxToolName)])
		r.Problem = fmt.Sprintf("a tool's name has 1 to %d characters", maxToolName)
		return r
	}
	if strings.TrimSpace(args) == "" {
		args = "{}"
	}
	if len(args) > maxCallBytes {
		r.Problem = fmt.Sprintf("the arguments are longer than %d bytes", maxCallBytes)
		return r
	}
	canonical, err := strictjson.Limits{Bytes: maxCallBytes, Depth: maxCallDepth}.Canonical([]byte(args))
	switch {
	case err != nil:
		r.Problem = "the arguments are not one JSON object: " + err.Error()
	case !bytes.HasPrefix(canonical, []byte("{")):
		r.Problem = "the arguments are not a JSON object"
	default:
		r.Args = canonical
	}
	return r
}
