package shop

import (
	"context"

	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/media"
	"agentchat/backend/standing"
)

// Activity is what goes on right now, in a few lines: jobs that go on by themselves, questions that wait for the customer, each with how
// many there are in all; and what the customer often says.
type Activity struct {
	Paused  bool
	Jobs    []job.Going
	AllJobs int
	Asks    []event.AskOpened
	AllAsks int

	Favourites []FavouriteView // the first of them
}

// Activity says what goes on, with up to lines jobs, questions and favourites.
func (s *Shop) Activity(ctx context.Context, lines int) (Activity, error) {
	d := Activity{Paused: s.Config.Get().Paused}
	d.Jobs, d.AllJobs = s.jobs.Going(lines)
	favourites, err := s.favourites.List(ctx)
	if err != nil {
		return d, err
	}
	for _, f := range favourites[:min(len(favourites), lines)] {
		d.Favourites = append(d.Favourites, s.favouriteView(f))
	}
	asks, all, err := s.store.FirstOpenAsks(ctx, lines)
	d.AllAsks = all
	for _, a := range asks {
		if a.State != ask.StateUnreadable {
			d.Asks = append(d.Asks, a.Opening())
		}
	}
	return d, err
}

// Leaving is what the end of the program means for what goes on: how much stops and goes on at the next start, waits meanwhile, and
// cannot be run as long.
type Leaving struct {
	Jobs   int `json:"jobs"`
	Asks   int `json:"asks"`
	Orders int `json:"orders"`
}

// Leaving says what the end of the program would mean now.
func (s *Shop) Leaving(ctx context.Context) (l Leaving, err error) {
	d, err := s.Activity(ctx, 0)
	if err != nil {
		return l, err
	}
	l.Jobs, l.Asks = d.AllJobs, d.AllAsks
	orders, err := s.standing.List(ctx)
	for _, o := range orders {
		if o.State == standing.Active {
			l.Orders++
		}
	}
	return l, err
}

// pause has everything rest or go on: the workers take no job and what plays stands still. What a person paused besides stays so.
func (s *Shop) pause(paused bool) {
	s.jobs.Hold(paused)
	act := media.ActResume
	if paused {
		act = media.ActPause
	}
	for _, m := range s.screens.Open() {
		device := media.Device(m.Device)
		if m.Play == nil || m.Play.Paused == paused || !paused && !s.hushed[device] {
			continue
		}
		if s.hushed == nil {
			s.hushed = map[media.Device]bool{}
		}
		s.hushed[device] = paused
		if _, err := s.player.Control(context.Background(), media.Order{Act: act, Device: device}); err != nil {
			log := s.Log.Component("player")
			log.Warn().Err(err).Str("device", string(device)).Msg("pause")
		}
	}
}
