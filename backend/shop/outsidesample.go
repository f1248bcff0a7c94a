package shop

import (
	"context"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/interpreter"
	"agentchat/backend/provider"
	"agentchat/backend/tools/mcp"
)

// sampleOutside shows a person what a server wants the model on duty to be asked and, if they let it, asks it: as a request of its own, with that server's words
// alone. It is no message of the chat, so nobody's words in it count as the person's. Errors: sampling_no_model, sampling_refused, sampling_unanswered, and
// those of the model.
func (s *Shop) sampleOutside(ctx context.Context, q mcp.Question) (mcp.Sampled, error) {
	if !s.interp.HasModel(provider.RoleOutside) {
		return mcp.Sampled{}, apperr.New(apperr.SamplingNoModel)
	}
	let, err := s.askOutside(ctx, q)
	switch {
	case err != nil:
		return mcp.Sampled{}, apperr.Wrap(err, apperr.SamplingUnanswered)
	case let == nil:
		return mcp.Sampled{}, apperr.New(apperr.SamplingRefused)
	}
	wrote, err := s.interp.WriteOutside(ctx, interpreter.Brief{
		Chat: q.Chat, Job: q.JobID, Lang: q.Lang, Now: time.Now(), Request: promptText(q), From: q.Server, Most: q.Prompt.Most,
	})
	if apperr.CodeOf(err) == apperr.NotAvailable { // it went while the person read
		return mcp.Sampled{}, apperr.Wrap(err, apperr.SamplingNoModel)
	}
	return mcp.Sampled{Text: wrote.Text, Model: wrote.Model, Cut: wrote.Cut}, err
}

// promptText writes what a server asks for as one text, in the order in which the person saw it.
func promptText(q mcp.Question) string {
	var parts []string
	if q.Prompt.System != "" {
		parts = append(parts, "system:\n"+q.Prompt.System)
	}
	for _, m := range q.Prompt.Messages {
		who := "user"
		if m.Assistant {
			who = "assistant"
		}
		parts = append(parts, who+":\n"+m.Text)
	}
	return strings.Join(parts, "\n\n")
}
