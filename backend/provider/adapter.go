package provider

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds of what a reply may be. A reply beyond them is model_bad_output, whatever it says.
const (
	maxReplyBytes = 256 << 10
	maxDepth      = 32
	maxJobs       = 16
	maxTodos      = 32
	maxTitle      = 200
)

// Adapter is the dialect corrector's pen (seed: ProviderAdapter): it writes a request as a prompt, and reads replies
// strictly. It keeps no state; its zero value is ready.
type Adapter struct{}

// Prompt is a request written out for a chat model: one frozen system block, then the transcript, then one last message
// with everything that changes (role, state, time, schema, request).
type Prompt struct {
	System   string          `json:"system"`
	Messages []PromptMessage `json:"messages"`
	Format   json.RawMessage `json:"format,omitempty" ts_type:"any"`
	Tools    []PromptTool    `json:"tools,omitempty"` // may be called natively
}

// PromptMessage is one message of a prompt. Role is user or assistant; in a request whose tools are called natively an
// assistant may have Calls, each answered by a message of the role tool with the call's id and tool.
type PromptMessage struct {
	Role   string       `json:"role"`
	Text   string       `json:"text"`
	Calls  []PromptCall `json:"calls,omitempty"`
	CallID string       `json:"callId,omitempty"`
	Tool   string       `json:"tool,omitempty"`

	Pictures []Picture `json:"pictures,omitempty"`
}

// PromptCall is a native tool call that a model made before. Arguments is a JSON object.
type PromptCall struct {
	ID        string          `json:"id"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments" ts_type:"any"`
}

// PromptTool is a tool as a service that calls tools natively is told of it.
type PromptTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Params      json.RawMessage `json:"params" ts_type:"any"`
}

// NormalizePrompt writes a request as a prompt. The system block is the same, byte for byte, for every role of a chat, so
// that a local model has to read it only once: but for prompts of outside servers, whose words see no tool of the shop.
func (Adapter) NormalizePrompt(l Request) Prompt {
	if l.Sent != nil {
		return *l.Sent
	}
	if l.Role == RoleOutside {
		return outsidePrompt(l)
	}
	p := Prompt{System: systemBlock(l.Tools, l.More, l.Services), Format: l.Schema}
	if l.Role == RolePrompt {
		p.System = promptOrders
	} else if l.Native {
		p.System, p.Tools = systemBlock(nil, l.More, nil), nativeTools(l.Tools)
	}
	if l.Instructions != "" || l.Summary != "" || len(l.Facts) > 0 {
		p.Messages = append(p.Messages, PromptMessage{Role: "user", Text: memoryBlock(l)})
	}
	for _, t := range l.Transcript {
		role := "user"
		if t.Speaker == "shop" {
			role = "assistant"
		}
		p.Messages = append(p.Messages, PromptMessage{Role: role, Text: t.Text})
	}
	p.Messages = append(p.Messages, PromptMessage{Role: "user", Text: lastBlock(l), Pictures: l.Pictures})
	p.Messages = append(p.Messages, rounds(l)...)
	return p
}

// ParsePlan reads a planner's reply. Errors are model_bad_output and say what is wrong in words the model can use.
func (Adapter) ParsePlan(reply string, known func(tool string) bool) (Plan, error) {
	return readForm(reply, func(plan *Plan) error {
		plan.Reply = clean(plan.Reply)
		return checkPlan(*plan, known)
	})
}

func checkPlan(plan Plan, known func(string) bool) error {
	switch plan.Route {
	case RouteAnswer:
		if strings.TrimSpace(plan.Reply) == "" {
			return bad("route answer needs a reply")
		}
	case RouteJobs:
		if len(plan.Jobs) == 0 {
			return bad("route jobs needs at least one job")
		}
	case RouteStop:
		if plan.Stop == nil || !plan.Stop.All && !plan.Stop.Newest && plan.Stop.Tool == "" {
			return bad("route stop needs stop.all, stop.tool or stop.newest")
		}
	case RouteService, RouteLibrary:
	default:
		return bad("unknown route %q", plan.Route)
	}
	if len(plan.Jobs) > maxJobs {
		return bad("more than %d jobs", maxJobs)
	}
	for i, job := range plan.Jobs {
		if err := checkJob(job, fmt.Sprintf("jobs[%d]", i), known); err != nil {
			return err
		}
	}
	return nil
}

func checkJob(job JobPlan, at string, known func(string) bool) error {
	titled := func(title string) bool {
		return strings.TrimSpace(title) != "" && utf8.RuneCountInString(title) <= maxTitle
	}
	if !titled(job.Title) {
		return bad("%s.title must have 1 to %d characters", at, maxTitle)
	}
	if len(job.Todos) == 0 || len(job.Todos) > maxTodos {
		return bad("%s must have 1 to %d todos", at, maxTodos)
	}
	for k, todo := range job.Todos {
		if !titled(todo.Title) {
			return bad("%s.todos[%d].title must have 1 to %d characters", at, k, maxTitle)
		}
		if todo.Tool != "" && !known(todo.Tool) {
			return bad("%s.todos[%d]: there is no tool named %q", at, k, todo.Tool)
		}
	}
	return nil
}

// ParseToolSpec reads a tool chooser's reply. The arguments are checked against the tool's schema by the toolbox, not here.
func (Adapter) ParseToolSpec(reply string, known func(tool string) bool) (ToolCall, error) {
	return readForm(reply, func(call *ToolCall) error {
		if !known(call.Tool) {
			return bad("there is no tool named %q", call.Tool)
		}
		if len(call.Args) == 0 {
			call.Args = json.RawMessage("{}")
		}
		return nil
	})
}

// NormalizeOutput makes a model's free text fit for people: valid UTF-8 in NFC, no control characters, no reasoning
// block, no surrounding space.
func (Adapter) NormalizeOutput(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if i := strings.Index(text, "</think>"); i >= 0 {
		text = text[i+len("</think>"):]
	} else if strings.HasPrefix(strings.TrimSpace(text), "<think>") {
		text = ""
	}
	return clean(text)
}

// Plain takes control characters out of a text, line breaks and tabs aside. It may be given a text piece by piece.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, text)
}
