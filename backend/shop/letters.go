package shop

import (
	"context"
	"slices"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
)

// Letters gives the newest letters and their replies whole, oldest first; chat and job filter when not empty. Letters
// survive the program's end; the newest thousand or so are kept, with secrets taken out.
func (s *Shop) Letters(ctx context.Context, chat, jobID string, limit int) ([]interpreter.Exchange, error) {
	s.exchanges.Flush()
	list, err := s.store.Exchanges(ctx, chat, jobID, limit)
	slices.Reverse(list)
	return list, err
}

// LetterRows lists the newest exchanges with interpreters, newest first; chat and job filter when not empty.
func (s *Shop) LetterRows(ctx context.Context, chat, jobID string, limit int) ([]LetterRow, error) {
	s.exchanges.Flush()
	list, err := s.store.ExchangeHeads(ctx, chat, jobID, limit)
	rows := make([]LetterRow, len(list))
	for i, x := range list {
		rows[i] = rowOf(x)
	}
	return rows, err
}

// Letter gives one exchange whole. Errors: not_found.
func (s *Shop) Letter(ctx context.Context, id string) (LetterDetail, error) {
	s.exchanges.Flush()
	x, err := s.store.Exchange(ctx, id)
	if err != nil {
		return LetterDetail{}, err
	}
	return detailOf(x), nil
}

// ReplayLetter sends the very same request again to the interpreter now on duty and gives the new exchange, which is kept
// beside the old one. Nothing else comes of it: the reply is not acted upon and no chat hears of it. A secret that was
// taken out of the request stays out. What went wrong stands in the exchange. Errors: not_found, canceled.
func (s *Shop) ReplayLetter(ctx context.Context, id string) (LetterDetail, error) {
	s.exchanges.Flush()
	old, err := s.store.Exchange(ctx, id)
	if err != nil {
		return LetterDetail{}, err
	}
	x := s.interp.Replay(ctx, old)
	if ctx.Err() != nil {
		return LetterDetail{}, apperr.From(ctx.Err())
	}
	return s.Letter(ctx, x.Request.ID)
}

// secrets are keys that must not stand in a request, whatever the customer pasted where.
func (s *Shop) secrets() []string { return append(s.mcp.Secrets(), s.failover.Secrets()...) }

func rowOf(x interpreter.Exchange) LetterRow {
	asked := x.Request.Message
	if x.Request.From != "" { // an outside server's words: whose they are stands before them
		asked = "‘" + x.Request.From + "’ " + asked
	}
	return LetterRow{
		ID: x.Request.ID, Role: string(x.Request.Role), Chat: x.Request.Chat, Job: x.Request.Job, Turn: x.Request.Turn, Provider: x.Provider, Model: x.Reply.Model,
		At: event.Stamp(x.At), Ms: x.Reply.Elapsed.Milliseconds(), FirstTokenMs: x.Reply.FirstToken.Milliseconds(),
		TokensIn: x.Reply.TokensIn, TokensCached: x.Reply.TokensCached, TokensOut: x.Reply.TokensOut,
		Error: x.Error, Attempt: x.Attempt, ReplayOf: x.ReplayOf, Recalled: x.Reply.Recalled, Request: asked,
	}
}

func detailOf(x interpreter.Exchange) LetterDetail {
	d := LetterDetail{
		Row: rowOf(x), System: x.Prompt.System, Schema: x.Prompt.Format, Reply: x.Reply.Text, Thinking: x.Reply.Thinking,
		DoneReason: x.Reply.DoneReason, Problem: x.Problem, Messages: make([]LetterMessage, len(x.Prompt.Messages)),
	}
	for i, m := range x.Prompt.Messages {
		d.Messages[i] = LetterMessage{Role: m.Role, Text: m.Text}
		for _, c := range m.Calls {
			d.Messages[i].Text += callLine(c.Tool, string(c.Arguments))
		}
	}
	for _, c := range x.Reply.Calls {
		d.Reply += callLine(c.Name, c.Arguments)
	}
	return d
}

// callLine is a native tool call as a reader of requests sees it.
func callLine(tool, arguments string) string { return "\n→ " + tool + " " + arguments }
