package fakemodel

import (
	"encoding/json"
	"strings"
)

// Rule is one answer of the shop scenario: to a request of that role whose request contains that text. Empty matches all.
type Rule struct {
	Role     string `json:"role,omitempty"`
	Contains string `json:"contains,omitempty"`
	Reply    string `json:"reply"`
}

// shop answers a request sensibly, without understanding it.
func (s *Server) shop(p *pen) string {
	role, request := field(p.asked, "role: "), p.asked
	if _, after, ok := strings.Cut(p.asked, "request:\n"); ok {
		request = after
	}
	for _, r := range s.o.Rules {
		if (r.Role == "" || r.Role == role) && strings.Contains(request, r.Contains) {
			return r.Reply
		}
	}
	korean := field(p.asked, "language: ") != "en"
	say := func(ko, en string) string {
		if korean {
			return ko
		}
		return en
	}
	switch role {
	case "planner":
		return planned(strings.Contains(p.system, "\n- song("), request, say)
	case "intent":
		return `{"intent":"general"}`
	case "librarian":
		return librarian(p.asked)
	case "tool_chooser":
		var state struct {
			Todo struct {
				Tool string `json:"tool"`
			} `json:"todo"`
		}
		_ = json.Unmarshal([]byte(field(p.asked, "state: ")), &state)
		return encode(map[string]any{"tool": state.Todo.Tool, "args": map[string]any{}})
	case "summarizer":
		return say("손님이 노래를 부탁했고, 가게가 틀어 드렸어요.", "The customer asked for a song and the shop played it.")
	case "reporter":
		return say("다 됐어요.", "It is done.")
	case "responder":
		if p.pictures > 0 {
			return say("그림에는 빨간 영수증이 있어요 [1].", "The picture shows a red receipt [1].")
		}
		return say("문서에 있어요 [1].", "The document says so [1].")
	}
	answer := say("네, 그렇게 할게요.", "Certainly.")
	switch {
	case p.format && role == "solver":
		return encode(map[string]any{"act": "answer", "text": answer})
	case p.format:
		return "{}"
	}
	return answer
}

// planned plays a song where one is asked for and the toolbox has it, and else answers.
func planned(plays bool, request string, say func(ko, en string) string) string {
	if !plays || !strings.Contains(request, "노래") && !strings.Contains(request, "song") {
		return encode(map[string]any{"route": "answer", "reply": say("네, 듣고 있어요.", "Yes, I am listening.")})
	}
	todo := map[string]any{"title": say("노래 틀기", "Play a song"), "tool": "song", "request": clip(request), "args": map[string]any{}}
	job := map[string]any{"title": say("노래", "Song"), "todos": []any{todo}}
	return encode(map[string]any{"route": "jobs", "reply": say("노래를 틀게요.", "Playing a song."), "jobs": []any{job}})
}

// librarian takes what was found for what was asked.
func librarian(asked string) string {
	var state struct {
		Library struct {
			Task string `json:"task"`
		} `json:"library"`
	}
	_ = json.Unmarshal([]byte(field(asked, "state: ")), &state)
	switch state.Library.Task {
	case "scope":
		return `{"inScope":true}`
	case "context":
		return `{"needPrevious":false}`
	case "plan":
		return `{"uses":[]}`
	}
	return `{"sufficient":true,"missing":[],"why":"ok"}`
}

// field is the rest of the line that begins with a word.
func field(text, word string) string {
	if !strings.HasPrefix(text, word) {
		i := strings.Index(text, "\n"+word)
		if i < 0 {
			return ""
		}
		text = text[i+1:]
	}
	line, _, _ := strings.Cut(text[len(word):], "\n")
	return line
}

func clip(text string) string {
	runes := []rune(strings.ToValidUTF8(text[:min(len(text), 1000)], ""))
	return string(runes[:min(len(runes), 100)])
}
