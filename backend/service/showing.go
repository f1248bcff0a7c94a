package service

import (
	"cmp"
	"encoding/json"
	"sync"

	"agentchat/backend/event"
)

// Showing tracks, for a front without a page, which confirmation it was last given to show in each chat. Events and snapshots may come in any
// order; the newer one counts. Safe for concurrent use; the zero value has shown nothing.
type Showing struct {
	mu    sync.Mutex
	seq   uint64 // of the newest snapshot
	marks map[string]marked
	asked map[string]string // what a card in the chat itself asks about, until something else is said there
}

type marked struct {
	seq  uint64
	mark string
}

// Told notes an envelope that was shown.
func (s *Showing) Told(e event.Envelope) {
	if e.Kind != event.KindTurnDone {
		return
	}
	var done struct {
		State struct {
			Stage Stage `json:"stage"`
			Meta  struct {
				View *View  `json:"view"`
				Mark string `json:"mark"`
			} `json:"meta"`
		} `json:"state"`
	}
	if json.Unmarshal(e.Data, &done) != nil {
		return
	}
	s.ask(e.Chat, done.State.Meta.Mark)
	mark := ""
	switch view := done.State.Meta.View; {
	case view != nil:
		mark = view.Mark
	case done.State.Stage == "":
		return // the turn was about something else
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.Seq > s.seq {
		s.set(e.Chat, marked{e.Seq, mark})
	}
}

func (s *Showing) ask(chat, mark string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked == nil {
		s.asked = map[string]string{}
	}
	s.asked[chat] = mark
}

// All notes a snapshot that was shown: it stands for every event up to its seq.
func (s *Showing) All(views []View, seq uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seq < s.seq {
		return
	}
	s.seq = seq
	for chat, m := range s.marks {
		if m.seq <= seq {
			delete(s.marks, chat)
		}
	}
	for _, v := range views {
		if m, told := s.marks[v.Chat]; !told || m.seq <= seq { // of several in a chat the last is talked about
			s.set(v.Chat, marked{seq, v.Mark})
		}
	}
}

// set is called with s.mu held.
func (s *Showing) set(chat string, m marked) {
	if s.marks == nil {
		s.marks = map[string]marked{}
	}
	s.marks[chat] = m
}

// Mark is what the chat's customer has been shown to confirm; "" for nothing.
func (s *Showing) Mark(chat string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.marks[chat].mark, s.asked[chat])
}
