package shop

import (
	"context"
	"errors"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/media"
)

// loudness keeps in the settings how loud the devices are.
type loudness struct{ config *config.Config }

const volumeKeys = "volume."

// Level implements media.Levels.
func (l loudness) Level(d media.Device) int { return l.config.Get().Volume[string(d)] }

// SetLevel implements media.Levels.
func (l loudness) SetLevel(d media.Device, level int) error {
	_, err := l.config.Set(map[string]any{volumeKeys + string(d): level})
	return err
}

// onlyAtHand tells whether nothing was changed but what holds by itself, for which nobody has to look around.
func onlyAtHand(changed map[string]any) bool {
	for key := range changed {
		if !strings.HasPrefix(key, volumeKeys) && key != config.KeyPaused && key != config.KeyOnClose && key != config.KeyUpdates && key != config.KeySearchService && key != config.KeySearchAddress && key != config.KeyShortcuts {
			return false
		}
	}
	return true
}

// MediaReport tells where the real player of a device is, in seconds. It is about whichever job has the device now.
func (s *Shop) MediaReport(r media.Report) {
	r.JobID = s.screens.Holder(r.Device)
	s.player.Report(r)
}

// MediaControl does something with what plays and gives what plays then. Errors: not_found when nothing does, bad_command for an act
// that there is not, media_missing, storage errors.
func (s *Shop) MediaControl(ctx context.Context, o media.Order) (event.Media, error) {
	now, err := s.player.Control(ctx, o)
	switch {
	case errors.Is(err, media.ErrNothingPlays):
		return now, apperr.Wrap(err, apperr.NotFound, "what", "media", "id", string(o.Device))
	case errors.Is(err, media.ErrUnknownAct):
		return now, apperr.Wrap(err, apperr.BadCommand, "detail", "unknown act "+string(o.Act))
	case errors.Is(err, media.ErrNoOther):
		return now, nil // it began anew
	case err != nil:
		return now, apperr.From(err)
	}
	return now, nil
}

// playing is what a job plays, for the interpreter's eyes: its title; "" when it plays nothing.
func (s *Shop) playing(id string) string {
	for _, m := range s.screens.Open() {
		if m.JobID == id {
			return m.Title
		}
	}
	return ""
}
