package media

import (
	"sort"
	"sync"

	"agentchat/backend/event"
)

// Screens remembers what the Monitor and the decks show, so that a window that opens late can show it too, and clears
// what a job left behind when its tool broke off.
type Screens struct {
	pub event.Publisher

	mu    sync.Mutex
	shown map[string]event.Media // by device
}

// NewScreens makes screens that show nothing.
func NewScreens(pub event.Publisher) *Screens {
	return &Screens{pub: pub, shown: map[string]event.Media{}}
}

// Show implements job.Screens.
func (s *Screens) Show(chat, job string, m event.Media, wanted func() bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !wanted() {
		return
	}
	switch m.Action {
	case actionClose:
		if s.shown[m.Device].JobID != job {
			return // cleared already; another job may have the device
		}
		delete(s.shown, m.Device)
	default:
		s.shown[m.Device] = m
	}
	s.pub.Publish(event.Of(chat, job, m))
}

// Clear implements job.Screens.
func (s *Screens) Clear(chat, job string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for device, m := range s.shown {
		if m.JobID == job {
			delete(s.shown, device)
			m.Action, m.Map = actionClose, nil
			s.pub.Publish(event.Of(chat, job, m))
		}
	}
}

// Holder is the job that a device shows, "" for none.
func (s *Screens) Holder(device Device) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown[string(device)].JobID
}

// Open gives what is shown, by device.
func (s *Screens) Open() []event.Media {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]event.Media, 0, len(s.shown))
	for _, m := range s.shown {
		m.Action = actionOpen
		list = append(list, m)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Device < list[j].Device })
	return list
}
