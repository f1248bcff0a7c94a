package builtin

import (
	"fmt"
	"strings"

	"agentchat/backend/language/slot"
	"agentchat/backend/provider"
)

// report tells the customer how a job ended.
func report(req provider.Request) string {
	s := speaker{req.Lang, req.Now}
	var done, failed []string
	for _, r := range req.State.Results {
		text := strings.TrimSpace(r.Text)
		if text == "" {
			text = r.Title
		}
		if r.OK {
			done = append(done, text)
		} else {
			failed = append(failed, strings.TrimSpace(r.Title)+": "+text)
		}
	}
	problem := strings.TrimSpace(req.State.Problem)
	switch req.State.Outcome {
	case "canceled":
		head := s.in("그만뒀어요.", "Stopped.")
		if len(done) > 0 {
			head += s.in(" 그 전에 끝난 일: ", " Done before that: ") + strings.Join(done, " ")
		}
		return head
	case "failed":
		head := s.in("끝내지 못했어요.", "That could not be finished.")
		if problem == "" && len(failed) > 0 {
			problem = failed[len(failed)-1]
		}
		if problem != "" {
			head += " " + problem
		}
		if len(done) > 0 {
			head += s.in(" 끝난 일: ", " Done: ") + strings.Join(done, " ")
		}
		return head
	}
	switch {
	case len(done) == 0:
		return s.in("다 했어요.", "Done.")
	case len(done) == 1:
		return done[0]
	}
	lines := make([]string, len(done))
	for i, d := range done {
		lines[i] = fmt.Sprintf("%d. %s", i+1, d)
	}
	return s.in("모두 마쳤어요.\n", "All done.\n") + strings.Join(lines, "\n")
}

// solve answers a step without a tool from what came out so far, or says honestly that it cannot.
func (c *catalog) solve(req provider.Request) string {
	s := speaker{req.Lang, req.Now}
	var known []string
	for _, r := range req.State.Results {
		if r.OK && strings.TrimSpace(r.Text) != "" {
			known = append(known, strings.TrimSpace(r.Text))
		}
	}
	if len(known) > 0 {
		return strings.Join(known, "\n")
	}
	request := req.Message
	if req.State.Todo != nil && req.State.Todo.Request != "" {
		request = req.State.Todo.Request
	}
	if expr, ok := slot.Expression(request); ok {
		return s.in("계산할 식: "+expr, "To work out: "+expr)
	}
	return s.in("내장 통역가는 모델이 없어서 이 부분을 스스로 풀 수 없어요. 공구로 할 수 있는 일로 말씀해 주세요.",
		"The built-in interpreter has no model, so it cannot work this out by itself. Please ask for something a tool can do.")
}

// maxSummary bounds a summary, in runes.
const maxSummary = 1200

// summarize keeps the old summary's end and one line for each thing the customer asked, newest kept when there is too much.
func summarize(req provider.Request) string {
	s := speaker{req.Lang, req.Now}
	var lines []string
	if old := strings.TrimSpace(req.Summary); old != "" {
		lines = append(lines, strings.Split(old, "\n")...)
	}
	for i, turn := range req.Transcript {
		text := shorten(strings.Join(strings.Fields(strings.ToValidUTF8(turn.Text, "")), " "), 120)
		if text == "" {
			continue
		}
		if turn.Speaker == "customer" {
			lines = append(lines, s.in("고객: ", "Customer: ")+text)
		} else if i == len(req.Transcript)-1 || req.Transcript[i+1].Speaker == "customer" {
			lines = append(lines, s.in("가게: ", "Shop: ")+text)
		}
	}
	size, from := 0, len(lines)
	for from > 0 {
		n := len([]rune(lines[from-1])) + 1
		if size+n > maxSummary {
			break
		}
		size += n
		from--
	}
	return strings.Join(lines[from:], "\n")
}
