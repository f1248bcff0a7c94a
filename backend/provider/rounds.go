package provider

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// rounds writes what the solve loop has been through, behind the last block: a model that holds the request of the round
// before in its cache reads only what is new.
func rounds(l Request) []PromptMessage {
	var list []PromptMessage
	n := 0
	for i, r := range l.Rounds {
		if l.Native {
			list = append(list, nativeRound(r, &n)...)
		} else {
			list = append(list, PromptMessage{Role: "assistant", Text: said(r)}, PromptMessage{Role: "user", Text: told(r, &n)})
		}
		if i < len(l.Rounds)-1 {
			continue
		}
		// What holds for this request alone comes at its very end.
		if words := urging(l); words != "" && l.Native {
			list = append(list, PromptMessage{Role: "user", Text: words})
		} else if words != "" {
			list[len(list)-1].Text += "\n" + words
		}
	}
	return list
}

// urging is what is said to the model for the request at hand only.
func urging(l Request) string {
	var words []string
	if l.Final {
		words = append(words, "This was the last result. Call nothing more: answer now with what is there.")
	}
	if l.State.Repair != "" {
		words = append(words, "repair: "+l.State.Repair)
	}
	return strings.Join(words, "\n")
}

// said is the model's part of a round: its own words where they are kept.
func said(r Round) string {
	if r.Said != "" {
		return r.Said
	}
	if r.Ask != "" {
		return encoded(map[string]string{"act": "ask", "text": r.Ask})
	}
	type call struct {
		Tool string          `json:"tool"`
		Args json.RawMessage `json:"args,omitempty"`
	}
	calls := make([]call, len(r.Calls))
	for i, c := range r.Calls {
		calls[i] = call{c.Tool, c.Args}
	}
	return encoded(struct {
		Act   string `json:"act"`
		Calls []call `json:"calls"`
	}{"call", calls})
}

// told is the shop's part of a round. n counts the calls of the whole loop.
func told(r Round, n *int) string {
	if r.Ask != "" {
		return "the customer answers:\n" + harmless(r.Answer)
	}
	var b strings.Builder
	b.WriteString("results:")
	for _, result := range r.Results {
		*n++
		fmt.Fprintf(&b, "\n%d. %s", *n, resultLine(result))
	}
	return b.String()
}

func resultLine(r CallResult) string {
	outcome := "ok"
	if !r.OK {
		outcome = "failed"
	}
	text := harmless(r.Text)
	if r.Untrusted {
		text = Fence(r.Tool, r.Text)
	}
	return harmless(r.Tool) + " " + outcome + ": " + text
}

// nativeRound is a round in the service's own way. n counts the calls of the whole loop; it makes their ids.
func nativeRound(r Round, n *int) []PromptMessage {
	call := PromptMessage{Role: "assistant"}
	var results []PromptMessage
	add := func(tool string, args json.RawMessage, text string) {
		*n++
		id := "call_" + strconv.Itoa(*n)
		if len(args) == 0 {
			args = json.RawMessage("{}")
		}
		call.Calls = append(call.Calls, PromptCall{ID: id, Tool: tool, Arguments: args})
		results = append(results, PromptMessage{Role: "tool", CallID: id, Tool: tool, Text: text})
	}
	if r.Ask != "" {
		add(AskCustomer, json.RawMessage(encoded(map[string]string{"question": r.Ask})), harmless(r.Answer))
	}
	for i, c := range r.Calls {
		text := ""
		if i < len(r.Results) {
			text = resultLine(r.Results[i])
		}
		add(c.Tool, c.Args, text)
	}
	return append([]PromptMessage{call}, results...)
}

// nativeTools are the cards as a service is told of them, and the one way to ask the customer.
func nativeTools(cards []ToolCard) []PromptTool {
	tools := make([]PromptTool, 0, len(cards)+1)
	for _, c := range cards {
		tools = append(tools, PromptTool{Name: c.Key, Description: c.Description, Params: modelParams(c.Params)})
	}
	return append(tools, PromptTool{
		Name: AskCustomer, Description: "Asks the customer for one value that is needed and that nobody else knows.",
		Params: json.RawMessage(`{"type":"object","properties":{"question":{"type":"string"}},"required":["question"]}`),
	})
}

func encoded(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "{}"
	}
	return string(text)
}
