package shop

import (
	"context"

	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/pager"
	"agentchat/backend/toolbox"
)

// mostOnPager is how many jobs a phone is shown.
const mostOnPager = 50

// openPager makes room for paired phones. They come in when the settings say so.
func (s *Shop) openPager() {
	log := s.Log.Component("pager")
	s.pager = pager.New(pager.Deps{
		Bus: s.Bus, Lang: s.lang, Now: s.now, NewID: newID, Dir: s.Config.Get().DataDir, Log: &log,
		Waiting: s.waiting,
		Running: func(ctx context.Context) ([]job.View, error) {
			jobs, err := s.store.ChatJobs(ctx, "", mostOnPager)
			views := make([]job.View, len(jobs))
			for i, j := range jobs {
				views[len(jobs)-1-i] = j.View()
			}
			return views, err
		},
		Answer: func(ctx context.Context, r ask.Reply) error { _, err := s.Answer(ctx, r); return err },
		Tool: func(tool string) toolbox.Spec {
			spec, _ := s.box.Spec(tool) // one that was taken out has no manual
			return spec
		},
	})
	s.closing = append(s.closing, func() error { s.pager.Close(); return nil })
	s.followPager()
}

// followPager opens the door for phones, or closes it, as the settings say.
func (s *Shop) followPager() {
	s.pager.Close()
	c := s.Config.Get()
	if c.PagerOpen {
		if err := s.pager.Open(c.PagerPort); err != nil {
			log := s.Log.Component("pager")
			log.Warn().Err(err).Int("port", c.PagerPort).Msg("phones cannot call on this port")
		}
	}
}

// waiting are the open questions, oldest first, with those of outside servers behind them.
func (s *Shop) waiting(ctx context.Context) ([]event.AskOpened, error) {
	asks, err := s.desk.Open(ctx)
	return append(openings(asks), openings(s.asked.open())...), err
}

// Pager shows which phones are paired, and whether they can call.
func (s *Shop) Pager() (pager.View, error) {
	c := s.Config.Get()
	v, err := s.pager.View()
	v.Open, v.Port = c.PagerOpen, c.PagerPort
	return v, err
}

// InvitePhone makes what one phone is paired with, once and soon. Errors: pager_off.
func (s *Shop) InvitePhone() (pager.Invitation, error) { return s.pager.Invite() }

// UninvitePhone voids what was made for a phone that did not come.
func (s *Shop) UninvitePhone() { s.pager.Uninvite() }

// RemovePhone unpairs a phone. Errors: not_found, storage errors.
func (s *Shop) RemovePhone(id string) error { return s.pager.Remove(id) }
