package shop

import (
	"sort"
	"sync"

	"agentchat/backend/event"
)

// screens remembers what the Monitor and the decks show, so that a window that opens late can show it too, and clears
// what a job left behind when its tool broke off.
type screens struct {
	pub event.Publisher

	mu   sync.Mutex
	open map[string]event.Media // by device
}

func newScreens(pub event.Publisher) *screens {
	return &screens{pub: pub, open: map[string]event.Media{}}
}

// Show implements job.Screens.
func (s *screens) Show(chat, job string, m event.Media) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m.Action {
	case "close":
		if s.open[m.Device].JobID != job {
			return // cleared already; another job may have the device
		}
		delete(s.open, m.Device)
	default:
		s.open[m.Device] = m
	}
	s.pub.Publish(event.Of(chat, job, m))
}

// Clear implements job.Screens.
func (s *screens) Clear(chat, job string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for device, m := range s.open {
		if m.JobID == job {
			delete(s.open, device)
			m.Action, m.Map = "close", nil
			s.pub.Publish(event.Of(chat, job, m))
		}
	}
}

// holder is the job that a device shows, "" for none.
func (s *screens) holder(device string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[device].JobID
}

// now gives what is shown, by device.
func (s *screens) now() []event.Media {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]event.Media, 0, len(s.open))
	for _, m := range s.open {
		m.Action = "open"
		list = append(list, m)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Device < list[j].Device })
	return list
}
