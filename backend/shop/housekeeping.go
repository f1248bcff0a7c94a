package shop

import (
	"context"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/guest"
	"agentchat/backend/manager"
	"agentchat/backend/store"
)

// When the house is kept.
const (
	backupEvery = 24 * time.Hour
	lookEvery   = time.Hour        // a clock that was set, or a lid that was closed, delays nothing for longer
	settleIn    = time.Minute      // after the start: people come first
	idleWithin  = 30 * time.Minute // how long to wait for a quiet moment before it is done beside the work
)

// kept is what stays of work that is over.
var kept = store.Keep{
	Jobs: 20000, Records: 90 * 24 * time.Hour, Cleared: 7 * 24 * time.Hour, Batch: 500, Audit: 400 * 24 * time.Hour, AuditRows: 100000, Chats: manager.ChatTrashFor,
	Filing: 30 * 24 * time.Hour, Outbound: 90 * 24 * time.Hour, OutboundRows: 20000,
	Uses: guest.UseLife + 30*24*time.Hour, // the clocks of two shops differ by less
}

// housekeeping looks for what cannot be read, examines a ledger that is too big to be examined at the start, backs it up once a
// day and lets go of what is over and old, when nobody works.
func (s *Shop) housekeeping(unfinished event.ShopRecovered) *background.Loop {
	examined := false
	return background.New(time.Now, lookEvery, func(ctx context.Context) (next time.Time) {
		if !examined {
			examined = true
			s.checkRecords(ctx, unfinished)
			s.examine(ctx)
			return time.Now().Add(settleIn)
		}
		if s.backupDue(ctx) {
			s.awaitQuiet(ctx)
			s.backUpDaily(ctx)
		}
		return time.Now().Add(lookEvery)
	})
}

// examine looks for damage that the start had no time to look for, and says so: work goes on, as long as it can.
func (s *Shop) examine(ctx context.Context) {
	err := s.store.Examine(ctx)
	if err == nil || ctx.Err() != nil {
		return
	}
	log := s.Log.Component("shop")
	log.Error().Err(err).Msg("the ledger is damaged")
	e := apperr.From(err)
	s.Bus.Publish(event.Of("", "", event.Error{Code: string(e.Code), Message: e.Text(s.Config.Get().Lang), Fields: e.Fields}))
}

// backupDue tells whether the newest backup is a day old. One from the future was made by a clock that went wrong.
func (s *Shop) backupDue(ctx context.Context) bool {
	copies, err := s.store.Backups(ctx)
	if err != nil {
		return true
	}
	now := time.Now()
	for _, c := range copies {
		if age := now.Sub(c.At); c.OK && age >= 0 && age < backupEvery {
			return false
		}
	}
	return true
}

// awaitQuiet waits for a moment in which nobody works, but not for ever.
func (s *Shop) awaitQuiet(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, idleWithin)
	defer cancel()
	_ = s.WaitIdle(limited)
}

func (s *Shop) backUpDaily(ctx context.Context) {
	log := s.Log.Component("shop")
	c, err := s.store.BackUp(ctx, store.ReasonDaily)
	if err != nil {
		if ctx.Err() == nil {
			log.Warn().Err(err).Msg("the daily backup could not be made; it is tried again in an hour")
		}
		return
	}
	log.Info().Str("name", c.Name).Int64("bytes", c.Bytes).Msg("backed up")
	gone, err := s.store.Prune(ctx, kept)
	if err != nil && ctx.Err() == nil {
		log.Warn().Err(err).Msg("old work could not be let go of")
	}
	if _, err := s.notes.Sweep(ctx); err != nil && ctx.Err() == nil {
		log.Warn().Err(err).Msg("the trash of the notes could not be emptied")
	}
	if err := s.favourites.Sweep(ctx); err != nil && ctx.Err() == nil {
		log.Warn().Err(err).Msg("the trash of the favourites could not be emptied")
	}
	if err := s.sweepAttachments(ctx); err != nil && ctx.Err() == nil {
		log.Warn().Err(err).Msg("attachments that belong to nothing could not be let go of")
	}
	if gone > 0 {
		log.Info().Int("rows", gone).Msg("what is over and old was let go of")
	}
}
