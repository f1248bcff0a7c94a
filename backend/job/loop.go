package job

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// DefaultMaxRounds is how often the model may be asked for one todo (seed: MAX_ITERATIONS).
const DefaultMaxRounds = 5

// maxRetries is how often one round is requested again after the model gave nothing usable.
const maxRetries = 3

// maxResultShown is how much of one result a request carries, in bytes. What is longer says so.
const maxResultShown = 12 << 10

// Loop is the state of a todo that is solved in rounds (seed: AgentState): the model asks for tools and gets their results, until it
// answers. It is journaled with its Run after every node, so after a restart it goes on at the same request.
type Loop struct {
	Began    time.Time  `json:"began"`
	Count    int        `json:"count"`             // rounds so far (seed: iterationCount)
	Retries  int        `json:"retries,omitempty"` // failures of the round at hand
	Rounds   []Exchange `json:"rounds,omitempty"`  // those that asked for something
	Requests []Request  `json:"requests,omitempty"`
	At       int        `json:"at"` // the request at hand; len(Requests): none
	Asking   bool       `json:"asking,omitempty"`
	Kept     string     `json:"kept,omitempty"` // the use of a tool whose result the last settled request has
	Text     string     `json:"text,omitempty"` // the answer
	Problem  *Outcome   `json:"problem,omitempty"`
}

// Exchange is what the model said in one round, and the customer's answer if it asked one.
type Exchange struct {
	Said   string `json:"said,omitempty"`
	Ask    string `json:"ask,omitempty"`
	Answer string `json:"answer,omitempty"`
}

// Request is one tool call the model asked for (seed: ToolExecutionRequest) and, once it is settled, its result.
type Request struct {
	Round     int             `json:"round"` // index of its Exchange
	Tool      string          `json:"tool"`
	Args      json.RawMessage `json:"args,omitempty"`
	Malformed string          `json:"malformed,omitempty"` // why the arguments could not even be read
	OK        bool            `json:"ok,omitempty"`
	Ran       bool            `json:"ran,omitempty"` // the tool was really run
	Text      string          `json:"text,omitempty"`
	Code      apperr.Code     `json:"code,omitempty"`
	Untrusted bool            `json:"untrusted,omitempty"` // the text holds other people's words
}

// Solved is what a solved todo brought, for programs (seed: AgentResponse). ExecutionTime is in seconds.
type Solved struct {
	Response      string      `json:"response"`
	SessionID     string      `json:"sessionId"`
	ToolsUsed     []string    `json:"toolsUsed"`
	ExecutionTime float64     `json:"executionTime"`
	Error         bool        `json:"error,omitempty"`
	ErrorCode     apperr.Code `json:"errorCode,omitempty"`
}

// untrusted tells whether a tool's results are other people's words.
func untrusted(spec toolbox.Spec) bool { return spec.Untrusted || spec.Outside != "" }

// cut gives the beginning of a text, at most so many bytes of whole characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// inLoop tells whether the tool at hand is one that a loop asked for.
func (s *Run) inLoop() bool { return s.Loop != nil && s.Loop.At < len(s.Loop.Requests) }

// callID names the use of a tool: the todo, and in a loop the request with it. It stays the same when the use is run again.
func (s *Run) callID() string {
	if s.inLoop() {
		return fmt.Sprintf("%s.%d", s.todo().ID, s.Loop.At+1)
	}
	return s.todo().ID
}

// addRequests notes what the model asked for.
func (l *Loop) addRequests(solution provider.Solution) {
	l.Text = solution.Text
	if solution.Ask != "" {
		l.Asking = true
		l.Rounds = append(l.Rounds, Exchange{Said: solution.Said, Ask: solution.Ask})
		return
	}
	if len(solution.Calls) == 0 {
		return
	}
	l.Rounds = append(l.Rounds, Exchange{Said: solution.Said})
	for _, c := range solution.Calls {
		l.Requests = append(l.Requests, Request{Round: len(l.Rounds) - 1, Tool: c.Tool, Args: c.Args, Malformed: c.Problem})
	}
}

// request is the one at hand.
func (l *Loop) request() *Request { return &l.Requests[l.At] }

// recordResult gives the request at hand its result.
func (l *Loop) recordResult(o Outcome, foreign bool) {
	q := l.request()
	text := o.Text
	if text == "" {
		text = string(o.Data)
	}
	if kept := cut(text, maxResultShown); len(kept) < len(text) {
		text = fmt.Sprintf("%s…(%d/%d)", kept, len(kept), len(text))
	}
	q.OK, q.Ran, q.Text, q.Code, q.Untrusted = o.OK, o.Ran, text, o.Code, foreign
	l.At++
}

// earlier finds the same call among the requests that are settled.
func (l *Loop) earlier(tool string, args json.RawMessage) (Request, bool) {
	for _, q := range l.Requests[:l.At] {
		if q.Tool == tool && q.Malformed == "" && bytes.Equal(q.Args, args) {
			return q, true
		}
	}
	return Request{}, false
}

// request writes the loop down for the next request.
func (l *Loop) rounds() []provider.Round {
	rounds := make([]provider.Round, len(l.Rounds))
	for i, x := range l.Rounds {
		rounds[i] = provider.Round{Said: x.Said, Ask: x.Ask, Answer: x.Answer}
	}
	for _, q := range l.Requests {
		r := &rounds[q.Round]
		r.Calls = append(r.Calls, provider.CallRequest{Tool: q.Tool, Args: q.Args, Problem: q.Malformed})
		r.Results = append(r.Results, provider.CallResult{Tool: q.Tool, OK: q.OK, Text: q.Text, Untrusted: q.Untrusted})
	}
	return rounds
}

// toolsUsed lists the tools that ran, each once, in order.
func (l *Loop) toolsUsed() []string {
	used := []string{}
	for _, q := range l.Requests {
		if q.Ran && !slices.Contains(used, q.Tool) {
			used = append(used, q.Tool)
		}
	}
	return used
}

// foreign tells whether the model has read untrusted text in the loop; its answer is then untrusted as well.
func (l *Loop) foreign() bool {
	return slices.ContainsFunc(l.Requests, func(q Request) bool { return q.Untrusted })
}

// effects are the results of the tools that ran well, one to a line.
func (l *Loop) completedCalls() string {
	var lines []string
	for _, q := range l.Requests {
		if q.OK && q.Ran {
			lines = append(lines, cut(q.Tool+": "+q.Text, 400))
		}
	}
	return strings.Join(lines, "\n")
}

// solved is the loop's end for programs.
func (l *Loop) solved(chat string, o Outcome, now time.Time) json.RawMessage {
	raw, err := json.Marshal(Solved{
		Response: o.Text, SessionID: chat, ToolsUsed: l.toolsUsed(), ExecutionTime: max(now.Sub(l.Began).Seconds(), 0),
		Error: !o.OK, ErrorCode: o.Code,
	})
	if err != nil { // texts and numbers always encode
		return nil
	}
	return raw
}

// leave copies what a loop did into its todo, however the loop ends.
func (s *Run) leaveLoop() {
	if s.Loop != nil && s.hasTodo() {
		t := s.todo()
		t.Used, t.Untrusted = s.Loop.toolsUsed(), s.Loop.foreign()
		t.Ran = len(t.Used) > 0
	}
}

// selected tells of the tools the model chose in a round.
func (s *Run) selected() {
	l := s.Loop
	tools := []string{}
	for _, q := range l.Requests[l.At:] {
		tools = append(tools, q.Tool)
	}
	s.emit(event.Thinking{
		Step: "tool_selected", Text: bilingual.Say(s.Job.Lang, "%d번째 바퀴: %s", "Round %d: %s", l.Count, strings.Join(tools, ", ")),
		Data: map[string]any{"todoId": s.todo().ID, "round": l.Count, "tools": tools},
	})
}

// evaluated tells of the request that was just settled.
func (s *Run) evaluated() {
	l := s.Loop
	q := l.Requests[l.At-1]
	outcome := bilingual.Say(s.Job.Lang, "결과를 받았어요", "brought a result")
	if !q.OK {
		outcome = bilingual.Say(s.Job.Lang, "결과를 내지 못했어요", "brought no result")
	}
	s.emit(event.Thinking{
		Step: "evaluation_result", Text: q.Tool + ": " + outcome,
		Data: map[string]any{"todoId": s.todo().ID, "request": l.At, "tool": q.Tool, "ok": q.OK},
	})
}
