package shop

import (
	"context"
	"math"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/batch"
	"agentchat/backend/store"
)

// placesLinger is how long places wait for others before they are written.
const placesLinger = 300 * time.Millisecond

func (s *Shop) openPlaces() {
	log := s.Log.Component("places")
	s.places = batch.New(batch.Options[store.Place]{
		Write:  func(ctx context.Context, list []store.Place) error { return s.store.SavePlaces(ctx, list) },
		Failed: func(err error, lost int) { log.Warn().Err(err).Int("lost", lost).Msg("where people were was not kept") },
		Linger: placesLinger,
	})
	s.closing = append(s.closing, s.places.Close)
}

// Looked keeps how far a person has read in a chat and where they are in it (store.Place), and returns at once. Errors: invalid_args.
func (s *Shop) Looked(chat, seen, line string, offset float64) error {
	if chat == "" || max(len(chat), len(seen), len(line)) > 128 || math.IsNaN(offset) || math.Abs(offset) > 1e6 {
		return apperr.New(apperr.InvalidArgs, "detail", "chat: 1…128, seen, line: 0…128")
	}
	s.places.Put(store.Place{Chat: chat, Seen: seen, Line: line, Offset: offset})
	return nil
}
