package shop

import (
	"context"
	"encoding/json"
	"slices"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/undo"
	"agentchat/backend/undolog"
)

// openUndo makes the tool that takes back what was changed in the ledger.
func (s *Shop) openUndo() toolbox.Tool {
	s.undo = undo.New(undo.Deps{
		Log: s.store, Changed: s.tellTakenBack,
		Record: func(service string, values []byte, lang bilingual.Lang) string {
			return s.services.Say(service, values, lang)
		},
	})
	return s.undo
}

// TakeBack takes back at once what a person did by hand; what has changed since stays as it is. Errors: nothing_to_undo, storage errors.
func (s *Shop) TakeBack(ctx context.Context, use string) error {
	what, _ := s.undo.Kept(ctx, use, s.lang())
	list, err := s.store.TakeBack(undolog.Under(ctx, undolog.Use{ID: "hand:" + newID()}), use)
	if err != nil {
		return err
	}
	s.tellTakenBack(ctx, list)
	if !slices.ContainsFunc(list, func(c undolog.Change) bool { return c.Why == undolog.Can }) {
		return apperr.New(apperr.NothingToUndo, "what", what)
	}
	return nil
}

// tellTakenBack tells whoever shows what was put back, and has what waits for moments look again.
func (s *Shop) tellTakenBack(ctx context.Context, list []undolog.Change) {
	told := map[undolog.Table]bool{}
	for _, c := range list {
		if c.Why != undolog.Can || told[c.Table] && c.Table != undolog.Orders {
			continue
		}
		told[c.Table] = true
		switch c.Table {
		case undolog.Notes:
			s.Bus.Publish(event.Of("", "", event.NotesChanged{}))
		case undolog.Records, undolog.Dues:
			s.reminders.Wake()
		case undolog.Facts:
			s.Bus.Publish(event.Of("", "", event.MemoryChanged{}))
		case undolog.Documents:
			s.library.Returned()
		case undolog.Orders:
			var key []string
			if json.Unmarshal([]byte(c.Key), &key) == nil && len(key) == 1 {
				if err := s.standing.Renew(ctx, key[0]); err != nil {
					log := s.Log.Component("shop")
					log.Warn().Err(err).Msg("a standing order that came back does not wait for its moment yet")
				}
			}
		case undolog.Runs, undolog.RunJobs, undolog.Files:
		}
	}
}
