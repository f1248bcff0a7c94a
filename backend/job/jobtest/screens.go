package jobtest

import (
	"sync"

	"agentchat/backend/event"
)

// Screens keeps what the Monitor and the decks show.
type Screens struct {
	mu    sync.Mutex
	open  map[string]event.Media
	shown int

	Late func() // runs in Show before anything is shown; may be nil
}

// Show implements job.Screens.
func (s *Screens) Show(_, _ string, m event.Media, wanted func() bool) {
	if s.Late != nil {
		s.Late()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !wanted() {
		return
	}
	s.shown++
	s.open[m.Device] = m
}

// Clear implements job.Screens.
func (s *Screens) Clear(_, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for device, m := range s.open {
		if m.JobID == id {
			delete(s.open, device)
		}
	}
}

// On tells whether a device shows something.
func (s *Screens) On(device string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, on := s.open[device]
	return on
}
