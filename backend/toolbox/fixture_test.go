package toolbox_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// recorder keeps what was published.
type recorder struct {
	mu     sync.Mutex
	events []event.Event
}

func (r *recorder) Publish(events ...event.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, events...)
}

// drain gives what was published since the last drain.
func (r *recorder) drain() []event.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	events := r.events
	r.events = nil
	return events
}

// told draws what was published since the last call, one line an event.
func (r *recorder) told() []string {
	var lines []string
	for _, e := range r.drain() {
		switch d := e.Data.(type) {
		case event.ToolAcquired:
			lines = append(lines, fmt.Sprintf("%s acquired %s", e.Job, d.Tool))
		case event.ToolReleased:
			lines = append(lines, fmt.Sprintf("%s released %s", e.Job, d.Tool))
		case event.ToolLocked:
			lines = append(lines, fmt.Sprintf("%s locked %s %s %d", e.Job, d.Tool, d.Reason, d.Place))
		case event.ToolQueued:
			lines = append(lines, fmt.Sprintf("%s queued %s %d", e.Job, d.Tool, d.Place))
		}
	}
	return lines
}

// gadget is a tool that is all manual.
type gadget toolbox.Spec

func (g gadget) Spec() toolbox.Spec { return toolbox.Spec(g) }

func (g gadget) Run(context.Context, toolbox.Call) (toolbox.Result, error) {
	return toolbox.Result{}, nil
}

// seedTools are the tools the seeds name.
func seedTools() []toolbox.Tool {
	return []toolbox.Tool{
		plain("nav", toolbox.MonitorBox, 1),
		plain("movie", toolbox.MonitorBox, 1),
		plain("song", toolbox.SongPool, 2),
		plain("weather", "", toolbox.Infinite),
	}
}

func plain(key, group string, capacity int) gadget {
	return gadget{
		Key: key, Group: group, Capacity: capacity, Confirm: toolbox.ConfirmNever, Effect: toolbox.EffectRead,
		Title:  bilingual.Text{KO: key, EN: key},
		Params: json.RawMessage(`{"type":"object"}`),
	}
}

// shop is a box with ears.
type shop struct {
	*toolbox.Box
	t     testing.TB
	told  func() []string
	heard *recorder
	mu    sync.Mutex
	ready []string
}

var opening = time.Date(2025, 3, 1, 9, 0, 0, 0, time.UTC)

// openShop makes a box with these tools; leases are L1, L2, … and the clock stands still.
func openShop(t testing.TB, tools ...toolbox.Tool) *shop {
	t.Helper()
	s := &shop{t: t, heard: &recorder{}}
	ids := 0
	box, err := toolbox.New(s.heard, toolbox.Options{
		Now:   func() time.Time { return opening },
		NewID: func() string { ids++; return fmt.Sprintf("L%d", ids) },
		Title: func(job string) string { return "title of " + job },
		OnReady: func(job string) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.ready = append(s.ready, job)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := box.Register(tools...); err != nil {
		t.Fatal(err)
	}
	s.Box, s.told = box, s.heard.told
	return s
}

// woken gives the jobs OnReady heard of since the last call.
func (s *shop) woken() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ready := s.ready
	s.ready = nil
	return ready
}

// takes acquires a tool that must be free.
func (s *shop) takes(job, tool string) toolbox.Lease {
	s.t.Helper()
	lease, locked, err := s.Acquire(job, tool)
	if err != nil || locked != nil {
		s.t.Fatalf("%s acquires %s: locked %+v, error %v", job, tool, locked, err)
	}
	return lease
}

// refused acquires a tool that must be locked.
func (s *shop) refused(job, tool string) *toolbox.Locked {
	s.t.Helper()
	_, locked, err := s.Acquire(job, tool)
	if err != nil || locked == nil {
		s.t.Fatalf("%s acquires %s: want a lock, have error %v", job, tool, err)
	}
	return locked
}

// waits stands in line for a tool that must be locked.
func (s *shop) waits(job, tool string, place int) {
	s.t.Helper()
	have, ready, err := s.Wait(job, tool)
	if err != nil || ready || have != place {
		s.t.Fatalf("%s waits for %s: place %d, ready %v, error %v; want place %d", job, tool, have, ready, err, place)
	}
}

func (s *shop) stops(job, tool, holder string, want bool) {
	s.t.Helper()
	ok, err := s.StopOther(job, tool, holder)
	if err != nil || ok != want {
		s.t.Fatalf("%s stops %s for %s: ok %v, error %v; want %v", job, holder, tool, ok, err, want)
	}
}

// rack gives one tool of the inventory.
func (s *shop) rack(tool string) toolbox.Rack {
	s.t.Helper()
	for _, r := range s.Inventory().Tools {
		if r.Tool == tool {
			return r
		}
	}
	s.t.Fatalf("no %s in the inventory", tool)
	return toolbox.Rack{}
}

func same[T comparable](t testing.TB, what string, have []T, want ...T) {
	t.Helper()
	if !slices.Equal(have, want) {
		t.Errorf("%s:\nhave %v\nwant %v", what, have, want)
	}
}

func jobs(holders []event.Holder) []string {
	var names []string
	for _, h := range holders {
		names = append(names, h.JobID)
	}
	return names
}

func wantCode(t testing.TB, err error, code apperr.Code) {
	t.Helper()
	if apperr.CodeOf(err) != code {
		t.Errorf("have error %v, want code %s", err, code)
	}
}

func ptr[T any](v T) *T { return &v }
