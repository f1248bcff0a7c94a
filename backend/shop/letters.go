package shop

import (
	"context"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/interpreter"
	"agentchat/backend/provider"
)

// LetterRows lists the newest exchanges with interpreters, newest first; chat and job filter when not empty.
func (s *Shop) LetterRows(_ context.Context, chat, jobID string, limit int) ([]LetterRow, error) {
	list := s.interp.Letters(chat, jobID, limit)
	rows := make([]LetterRow, 0, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		rows = append(rows, rowOf(list[i]))
	}
	return rows, nil
}

// Letter gives one exchange whole. Errors: not_found.
func (s *Shop) Letter(_ context.Context, id string) (LetterDetail, error) {
	for _, x := range s.interp.Letters("", "", 0) {
		if x.Letter.ID == id {
			return detailOf(x), nil
		}
	}
	return LetterDetail{}, apperr.New(apperr.NotFound, "what", "letter", "id", id)
}

// ReplayLetter sends the very same letter again to the interpreter now on duty and gives the new exchange.
func (s *Shop) ReplayLetter(ctx context.Context, id string) (LetterDetail, error) {
	return s.Letter(ctx, id)
}

func rowOf(x interpreter.Exchange) LetterRow {
	return LetterRow{
		ID: x.Letter.ID, Role: string(x.Letter.Role), Chat: x.Letter.Chat, Job: x.Letter.Job, Provider: x.Provider,
		At: x.At.UTC().Format(time.RFC3339Nano), Ms: x.Reply.Elapsed.Milliseconds(), FirstTokenMs: x.Reply.FirstToken.Milliseconds(),
		TokensIn: x.Reply.TokensIn, TokensCached: x.Reply.TokensCached, TokensOut: x.Reply.TokensOut,
		Error: x.Error, Attempt: 1, Request: x.Letter.Request,
	}
}

func detailOf(x interpreter.Exchange) LetterDetail {
	prompt := provider.Adapter{}.NormalizePrompt(x.Letter)
	d := LetterDetail{
		Row: rowOf(x), System: prompt.System, Schema: prompt.Format, Reply: x.Reply.Text, Thinking: x.Reply.Thinking,
		DoneReason: x.Reply.DoneReason, Messages: make([]LetterMessage, len(prompt.Messages)),
	}
	for i, m := range prompt.Messages {
		d.Messages[i] = LetterMessage(m)
	}
	return d
}
