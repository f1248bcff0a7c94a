package builtin

import (
	"strings"

	"agentchat/backend/provider"
)

// solution does one round of the solve loop: the next call of a chain, the calls of the wishes it finds, a question for what is
// missing, or the answer, made of what the tools said.
func (c *catalog) solution(req provider.Request) provider.Solution {
	say := speaker{req.Lang, req.Now}
	request := req.Message
	if todo := req.State.Todo; todo != nil && todo.Request != "" {
		request = todo.Request
	}
	for _, r := range req.Rounds { // what the customer was asked for belongs to the request
		if r.Ask != "" {
			request += " " + r.Answer
		}
	}
	results := given(req)
	for _, r := range results {
		if !r.OK {
			return provider.Solution{Text: say.in("하지 못한 것이 있어요. ", "Something could not be done. ") + strings.TrimSpace(r.Text)}
		}
	}
	if ch, ok := c.chained(request, req.Now); ok {
		if s, ok := c.follow(ch, req, results, say); ok {
			return s
		}
	}
	if len(results) > 0 {
		return provider.Solution{Text: lines(results)}
	}
	if s, ok := c.calls(request, req, say); ok {
		return s
	}
	return provider.Solution{Text: c.solve(req)}
}

// given are the results of the loop so far.
func given(req provider.Request) (results []provider.CallResult) {
	for _, r := range req.Rounds {
		results = append(results, r.Results...)
	}
	return results
}

func lines(results []provider.CallResult) string {
	texts := make([]string, len(results))
	for i, r := range results {
		texts[i] = strings.TrimSpace(r.Text)
	}
	return strings.Join(texts, "\n")
}

// follow takes the next step of a chain.
func (c *catalog) follow(ch chain, req provider.Request, results []provider.CallResult, say speaker) (provider.Solution, bool) {
	done := len(results)
	last := ""
	switch {
	case ch.first != nil && done == 0:
		return provider.Solution{Calls: []provider.CallRequest{{Tool: ch.first.tool.card.Key, Args: encode(ch.first.args)}}}, true
	case ch.first != nil:
		done--
	}
	switch {
	case len(results) > 0:
		last = results[len(results)-1].Text
	case len(req.State.Results) > 0:
		last = req.State.Results[len(req.State.Results)-1].Text
	default:
		return provider.Solution{}, false
	}
	if done < len(ch.ops) {
		call, ok := c.apply(ch.ops[done], last)
		if !ok {
			return provider.Solution{Text: last + "\n" + say.in("여기에는 계산할 수가 없어요.", "There is no number in it to work with.")}, true
		}
		return provider.Solution{Calls: []provider.CallRequest{call}}, true
	}
	text := lines(results)
	if unit := ch.ops[len(ch.ops)-1].unit; unit != "" {
		if m := equals.FindStringSubmatch(last); m != nil {
			before := lines(results[:len(results)-1])
			text = strings.TrimSpace(before + "\n" + say.in(map[string]string{"°F": "화씨", "°C": "섭씨"}[unit]+"로는 ", "That is ") + m[1] + unit + say.in("예요.", "."))
		}
	}
	return provider.Solution{Text: text}, true
}

// calls asks for the tools the request names.
func (c *catalog) calls(request string, req provider.Request, say speaker) (s provider.Solution, ok bool) {
	for _, w := range c.read(request, req.Now).wishes {
		if missing := w.tool.missing(w.args); len(missing) > 0 {
			return provider.Solution{Ask: say.ask(w.tool, missing[0])}, true
		}
		if len(s.Calls) < provider.MaxCalls {
			s.Calls = append(s.Calls, provider.CallRequest{Tool: w.tool.card.Key, Args: encode(w.args)})
		}
	}
	return s, len(s.Calls) > 0
}

// said writes a solution as the request wants it: natively, or as JSON.
func said(s provider.Solution, native bool) (text string, calls []provider.RawCall) {
	if native {
		for _, c := range s.Calls {
			calls = append(calls, provider.RawCall{Name: c.Tool, Arguments: string(c.Args)})
		}
		if s.Ask != "" {
			calls = append(calls, provider.RawCall{Name: provider.AskCustomer, Arguments: write(map[string]string{"question": s.Ask})})
		}
		return s.Text, calls
	}
	type call struct {
		Tool string `json:"tool"`
		Args any    `json:"args"`
	}
	reply := struct {
		Act   string `json:"act"`
		Text  string `json:"text,omitempty"`
		Calls []call `json:"calls,omitempty"`
	}{Act: provider.ActAnswer, Text: s.Text}
	switch {
	case len(s.Calls) > 0:
		reply.Act = provider.ActCall
		for _, c := range s.Calls {
			reply.Calls = append(reply.Calls, call{c.Tool, c.Args})
		}
	case s.Ask != "":
		reply.Act, reply.Text = provider.ActAsk, s.Ask
	}
	return write(reply), nil
}
