package fakemodel

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// pullSize is how many bytes every download of the fake has: two files of half as many.
const pullSize = 2000

// pullFaults are downloads that end in an error line, by scenario.
var pullFaults = map[string]string{
	"offline": "pull model manifest: Get \"https://registry.invalid/v2/\": dial tcp: lookup registry.invalid: no such host",
	"nothing": "pull model manifest: file does not exist",
	"full":    "write blob: no space left on device",
}

// pull downloads nothing, in a way that its model's name says: "offline" finds no network, "nothing" is no model, "full"
// has no disk; "stuck" stops in the middle and "waits" there until it is released; "slow" takes its time; "cut" breaks off
// in the middle the first time, and "spoiled" finds at the very end that all was in vain. Every other name comes at once.
// As with the real server, what has arrived is there the next time, and a model that is whole is listed.
func (s *Server) pull(w http.ResponseWriter, r *http.Request) {
	model, raw := body(r)
	times, end := s.begin(r, model, raw)
	defer end()
	p := &pen{w: w, ctx: r.Context(), dialect: ollamaDialect{model}, times: times}
	line := func(v map[string]any) bool { return p.raw(encode(v) + "\n") }
	line(map[string]any{"status": "pulling manifest"})
	scenario := scenarioOf(model)
	if words, bad := pullFaults[scenario]; bad {
		p.fault(words)
		return
	}
	for at := s.arrivedOf(model); ; at += 50 {
		at = min(at, pullSize)
		s.setArrived(model, at)
		for i, file := range []string{"sha256:aa", "sha256:bb"} {
			completed := min(max(at-i*pullSize/2, 0), pullSize/2)
			if (i == 0 || at > pullSize/2) && !line(map[string]any{"status": "pulling " + file, "digest": file, "total": pullSize / 2, "completed": completed}) {
				return
			}
		}
		if at == pullSize {
			break
		}
		if at == pullSize/4 && !p.obstacle(s, scenario, model) {
			return
		}
		if scenario == "slow" {
			select {
			case <-time.After(50 * time.Millisecond):
			case <-p.ctx.Done():
				return
			}
		}
	}
	line(map[string]any{"status": "verifying sha256 digest"})
	if scenario == "spoiled" {
		p.fault("digest mismatch, file must be downloaded again")
		return
	}
	s.mu.Lock()
	s.pulled[model] = true
	s.mu.Unlock()
	line(map[string]any{"status": "success"})
}

// obstacle is what happens in the middle of a download; it says whether the download goes on.
func (p *pen) obstacle(s *Server, scenario, model string) bool {
	switch scenario {
	case "stuck":
		p.hang()
		return false
	case "waits":
		select {
		case <-s.gate(model):
		case <-p.ctx.Done():
			return false
		}
	case "cut":
		if p.times == 1 {
			p.reset()
			return false
		}
	}
	return true
}

func (s *Server) arrivedOf(model string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.arrived[model]
}

func (s *Server) setArrived(model string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arrived[model] = n
}

// tagged is a name with its tag, as models are listed.
func tagged(name string) string {
	if strings.Contains(name, ":") {
		return name
	}
	return name + ":latest"
}

func (s *Server) hasPulled(model string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pulled[model] || s.pulled[strings.TrimSuffix(model, ":latest")]
}

// pulledModels lists what was downloaded, without what every fake has anyway.
func (s *Server) pulledModels() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	models := []any{}
	for _, name := range slices.Sorted(maps.Keys(s.pulled)) {
		_, own := scenarios[strings.TrimSuffix(name, ":latest")]
		if s.o.NoModel || !own && name != "shop" && name != "vectors" {
			models = append(models, map[string]any{"name": tagged(name), "model": tagged(name), "size": pullSize, "capabilities": []string{"completion"}})
		}
	}
	return models
}

// remove deletes a model that was downloaded, and pretends to delete every other.
func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	model, _ := body(r)
	if scenarioOf(model) == "missing" {
		answer(w, http.StatusNotFound, map[string]string{"error": fmt.Sprintf("model '%s' not found", model)})
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pulled, model)
	delete(s.pulled, strings.TrimSuffix(model, ":latest"))
	delete(s.arrived, model)
	delete(s.loaded, model)
}
