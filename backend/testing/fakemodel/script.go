package fakemodel

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Act is what the scenario call-script does with requests that contain a text, whatever else the request says: the calls of
// round after round, and then the answer. It stands for a model that somebody else has in hand, or for one that works.
type Act struct {
	Contains string   `json:"contains"`
	Rounds   [][]Made `json:"rounds"`
	Say      string   `json:"say"`               // every word it says
	Ask      string   `json:"ask,omitempty"`     // it asks the customer this before the first round
	Direct   bool     `json:"direct,omitempty"`  // its plan names the calls of all rounds, so that there is nothing to solve
	Talk     bool     `json:"talk,omitempty"`    // its plan is nothing but talk
	Endless  bool     `json:"endless,omitempty"` // behind the last round it begins anew, and never answers
}

// Made is a call it makes. {{n}} in Arguments, which need be no JSON, becomes a number that no other call of the todo has.
type Made struct {
	Tool      string `json:"tool"`
	Arguments string `json:"arguments"`
}

func init() { scenarios["call-script"] = act }

// act plays the first act that fits the request. Without one it does as the shop scenario does.
func act(p *pen) {
	for _, a := range p.acts {
		if !strings.Contains(p.asked, a.Contains) {
			continue
		}
		switch field(p.asked, "role: ") {
		case "planner":
			p.tell(a.plan(p))
		case "solver":
			a.solve(p)
		case "tool_chooser":
			p.tell(a.choose(p))
		case "reporter", "responder":
			p.tell(a.Say)
		default:
			p.tell(new(Server).shop(p))
		}
		return
	}
	p.tell(new(Server).shop(p))
}

// numbered are the calls of a round. No two rounds have the same numbers.
func numbered(calls []Made, round int) []fakeCall {
	list := make([]fakeCall, len(calls))
	for i, c := range calls {
		list[i] = fakeCall{c.Tool, strings.ReplaceAll(c.Arguments, "{{n}}", strconv.Itoa(100*(round+1)+i))}
	}
	return list
}

// plan hands everything to the solver, or names every call itself.
func (a Act) plan(p *pen) string {
	if a.Talk {
		return encode(map[string]any{"route": "answer", "reply": a.Say})
	}
	_, request, _ := strings.Cut(p.asked, "request:\n")
	todos := []any{map[string]any{"title": "일", "request": clip(request)}}
	if a.Direct {
		todos = nil
		for round, calls := range a.Rounds {
			for _, c := range numbered(calls, round) {
				todo := map[string]any{"title": "일", "tool": c.tool, "request": clip(request)}
				if json.Valid([]byte(c.arguments)) {
					todo["args"] = json.RawMessage(c.arguments)
				}
				todos = append(todos, todo)
				p.made = append(p.made, c.tool)
			}
		}
	}
	job := map[string]any{"title": "일", "todos": todos}
	return encode(map[string]any{"route": "jobs", "reply": a.Say, "jobs": []any{job}})
}

func (a Act) solve(p *pen) {
	round := p.turn
	if a.Ask != "" {
		if round--; round < 0 {
			a.question(p)
			return
		}
	}
	if a.Endless && len(a.Rounds) > 0 {
		p.callOr(true, "", numbered(a.Rounds[round%len(a.Rounds)], round)...)
		return
	}
	if round >= len(a.Rounds) {
		p.words(a.Say)
		return
	}
	p.callOr(true, "", numbered(a.Rounds[round], round)...)
}

// question asks the customer, in the way the request wants it.
func (a Act) question(p *pen) {
	if p.tools {
		p.raw(p.dialect.calls([]fakeCall{{"ask_customer", encode(map[string]string{"question": a.Ask})}}))
		p.done("tool_calls")
		return
	}
	p.tell(encode(map[string]string{"act": "ask", "text": a.Ask}))
}

// choose fills the planned tool's call in as the act would make it.
func (a Act) choose(p *pen) string {
	var state struct {
		Todo struct {
			Tool string `json:"tool"`
		} `json:"todo"`
	}
	_ = json.Unmarshal([]byte(field(p.asked, "state: ")), &state)
	for round, calls := range a.Rounds {
		for _, c := range numbered(calls, round+p.times) {
			if c.tool == state.Todo.Tool && json.Valid([]byte(c.arguments)) {
				p.made = append(p.made, c.tool)
				return encode(map[string]any{"tool": c.tool, "args": json.RawMessage(c.arguments)})
			}
		}
	}
	return encode(map[string]any{"tool": state.Todo.Tool, "args": map[string]any{}})
}
