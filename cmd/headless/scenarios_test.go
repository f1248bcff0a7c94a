package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/event"
)

// opener starts a session for a scenario, with whichever interpreter.
type opener func(t *testing.T, args ...string) *session

// scenarios are those of the seed; every interpreter must play them the same way.
var scenarios = []struct {
	name string
	play func(t *testing.T, open opener)
}{
	{"A: two workers at once", scenarioATwoWorkersAtOnce},
	{"B: wait", scenarioBWait},
	{"B: cancel", scenarioBCancel},
	{"B: stop_other passes the line", scenarioBStopOtherPassesTheLine},
	{"C: first come, first served", scenarioCFirstComeFirstServed},
}

func TestScenarios(t *testing.T) {
	for _, scenario := range scenarios {
		t.Run(scenario.name, func(t *testing.T) {
			scenario.play(t, func(t *testing.T, args ...string) *session { return start(t, t.TempDir(), args...) })
		})
	}
}

func scenarioATwoWorkersAtOnce(t *testing.T, open opener) {
	s := open(t)
	nav := s.wish("목적지 A로 네비 켜줘")
	s.holds(nav, "nav")
	song := s.wish("노래 불러줘")
	s.holds(song, "song")
	snap := s.snapshot()
	running := 0
	for _, w := range snap.Workers {
		if w.State == "running" {
			running++
		}
	}
	if running != 2 {
		t.Errorf("%d workers run, want 2", running)
	}
	if holders, _, _ := snap.tool("song"); !slices.Equal(holders, []string{song}) {
		t.Errorf("song slots: %v", holders)
	}
	if _, blockers, _ := snap.tool("movie"); !slices.Equal(blockers, []string{nav}) {
		t.Errorf("the film is blocked by %v", blockers)
	}
	for _, g := range snap.Groups {
		if g.Group == "MonitorBox" && (len(g.Holders) != 1 || g.Holders[0].JobID != nav) {
			t.Errorf("the monitor is held by %v", g.Holders)
		}
	}
	s.quit()
}

func scenarioBWait(t *testing.T, open opener) {
	s := open(t, "--pace", "20")
	nav := s.wish("목적지 A로 네비 켜줘")
	s.holds(nav, "nav")
	from := s.mark()
	film := s.wish("영화도 틀어줘")
	a := s.asked(film, from)
	if a.Kind != "lock" || len(a.Holders) != 1 || a.Holders[0].JobID != nav || !slices.Equal(a.Choices, []string{"wait", "cancel", "stop_other"}) {
		t.Fatalf("question: %+v", a)
	}
	s.must("answer", map[string]any{"ask": a.ID, "choice": "wait"}, nil)
	if second := s.do("answer", map[string]any{"ask": a.ID, "choice": "cancel"}); second.Error.Code != "stale_answer" {
		t.Errorf("a second answer got %+v", second)
	}
	s.becomes(nav, "succeeded")
	s.holds(film, "movie")
	s.becomes(film, "succeeded")
	s.quit()
}

func scenarioBCancel(t *testing.T, open opener) {
	s := open(t)
	nav := s.wish("목적지 A로 네비 켜줘")
	s.holds(nav, "nav")
	from := s.mark()
	film := s.wish("영화도 틀어줘")
	s.must("answer", map[string]any{"ask": s.asked(film, from).ID, "choice": "cancel"}, nil)
	s.becomes(film, "canceled")
	if holders, _, _ := s.snapshot().tool("nav"); !slices.Equal(holders, []string{nav}) {
		t.Errorf("navigation lost its tool: %v", holders)
	}
	s.quit()
}

func scenarioBStopOtherPassesTheLine(t *testing.T, open opener) {
	s := open(t)
	nav := s.wish("목적지 A로 네비 켜줘")
	s.holds(nav, "nav")
	from := s.mark()
	first := s.wish("영화 틀어줘")
	s.must("answer", map[string]any{"ask": s.asked(first, from).ID, "choice": "wait"}, nil)
	s.awaitFrom(from, "a place in line", func(l line) bool { return l.Kind == event.KindToolQueued && l.Job == first })
	from = s.mark()
	second := s.wish("영화 하나 더 틀어줘")
	s.must("answer", map[string]any{"ask": s.asked(second, from).ID, "choice": "stop_other", "holder": nav}, nil)
	s.becomes(nav, "canceled")
	s.holds(second, "movie")
	holders, _, waiting := s.snapshot().tool("movie")
	if !slices.Equal(holders, []string{second}) || !slices.Equal(waiting, []string{first}) {
		t.Errorf("film: held by %v, waiting %v", holders, waiting)
	}
	s.quit()
}

func scenarioCFirstComeFirstServed(t *testing.T, open opener) {
	s := open(t, "--workers", "8")
	var songs []string
	for range 2 {
		job := s.wish("노래 불러줘")
		s.holds(job, "song")
		songs = append(songs, job)
	}
	var late []string
	var asks []event.AskOpened
	for range 3 {
		from := s.mark()
		job := s.wish("노래 하나 더!")
		late = append(late, job)
		asks = append(asks, s.asked(job, from))
	}
	if asks[0].Reason != "capacity" || len(asks[0].Holders) != 2 {
		t.Fatalf("question: %+v", asks[0])
	}
	if a := s.do("answer", map[string]any{"ask": asks[2].ID, "choice": "stop_other"}); a.Error.Code != "invalid_args" {
		t.Errorf("which song? %+v", a)
	}
	for i, a := range asks[:2] {
		s.must("answer", map[string]any{"ask": a.ID, "choice": "wait"}, nil)
		s.await("a place in line", func(l line) bool {
			var q event.ToolQueued
			return l.Kind == event.KindToolQueued && l.Job == late[i] && json.Unmarshal(l.Data, &q) == nil && q.Place == i+1
		})
	}
	s.must("answer", map[string]any{"ask": asks[2].ID, "choice": "stop_other", "holder": songs[1]}, nil)
	s.becomes(songs[1], "canceled")
	s.holds(late[2], "song")
	s.must("cancel", map[string]any{"job": songs[0]}, nil)
	s.holds(late[0], "song")
	holders, _, waiting := s.snapshot().tool("song")
	if len(holders) != 2 || !slices.Equal(waiting, []string{late[1]}) {
		t.Errorf("held by %v, waiting %v", holders, waiting)
	}
	s.quit()
}

func TestApprovalsHold(t *testing.T) {
	s := start(t, t.TempDir())
	s.must("config", map[string]any{"set": map[string]any{"tools.calculator.confirm": "always"}}, nil)
	from := s.mark()
	job := s.wish("12 곱하기 3은?")
	a := s.asked(job, from)
	if a.Kind != "approval" || a.Digest == "" || !strings.Contains(string(a.Args), "12") {
		t.Fatalf("question: %+v", a)
	}
	if bare := s.do("answer", map[string]any{"ask": a.ID, "choice": "approve"}); bare.Error.Code != "digest_mismatch" {
		t.Errorf("an approval without digest got %+v", bare)
	}
	from = s.mark()
	s.must("answer", map[string]any{"ask": a.ID, "choice": "reject", "text": "5 더하기 4로 해줘"}, nil)
	b := s.asked(job, from)
	if b.Digest == a.Digest || !strings.Contains(string(b.Args), "5 + 4") {
		t.Fatalf("after the correction: %s", b.Args)
	}
	if bad := s.do("answer", map[string]any{"ask": b.ID, "choice": "edit", "digest": b.Digest, "args": map[string]any{"nonsense": 1}}); bad.Error.Code != "invalid_args" {
		t.Errorf("nonsense got %+v", bad)
	}
	from = s.mark()
	s.must("answer", map[string]any{"ask": b.ID, "choice": "edit", "digest": b.Digest, "args": map[string]any{"expression": "2*21"}}, nil)
	c := s.asked(job, from)
	if c.Digest == b.Digest {
		t.Error("edited arguments kept the digest")
	}
	if old := s.do("answer", map[string]any{"ask": c.ID, "choice": "approve", "digest": b.Digest}); old.Error.Code != "digest_mismatch" {
		t.Errorf("an old digest got %+v", old)
	}
	s.must("answer", map[string]any{"ask": c.ID, "choice": "approve", "digest": c.Digest}, nil)
	report := s.await("the report", func(l line) bool { return l.Kind == event.KindJobReport && l.Job == job })
	if !strings.Contains(string(report.Data), "42") {
		t.Errorf("ran something else than what was shown: %s", report.Data)
	}
	s.quit()
}

func TestBadInputLosesNothing(t *testing.T) {
	s := start(t, t.TempDir(), "--workers", "1")
	for name, c := range map[string]struct{ line, code string }{
		"garbage":     {`garbage`, "bad_command"},
		"an array":    {`[1,2]`, "bad_command"},
		"a key twice": {`{"cmd":"say","cmd":"quit"}`, "bad_command"},
		"no such cmd": {`{"cmd":"nope"}`, "bad_command"},
		"empty":       {`{"cmd":"say","text":" \n "}`, "empty_message"},
		"1 MB":        {`{"cmd":"say","text":"` + strings.Repeat("a", 1<<20) + `"}`, "message_too_long"},
		"5 MB":        {`{"cmd":"say","text":"` + strings.Repeat("a", 5<<20) + `"}`, "bad_command"},
		"no such job": {`{"cmd":"cancel","job":"x"}`, "not_found"},
		"no such ask": {`{"cmd":"answer","ask":"x","choice":"wait"}`, "not_found"},
		"bad setting": {`{"cmd":"config","set":{"workers":0}}`, "invalid_setting"},
	} {
		from := s.mark()
		s.write(c.line)
		l := s.awaitFrom(from, "a refusal of "+name, func(l line) bool { return l.Kind == event.KindReply })
		var a answer
		if err := json.Unmarshal(l.Data, &a); err != nil || a.OK || a.Error.Code != c.code || a.Error.Message == "" {
			t.Errorf("%s: %s", name, l.Data)
		}
	}
	busy := s.wish("목적지 A로 네비 켜줘")
	s.holds(busy, "nav")
	from := s.mark()
	s.wish("3 더하기 4는?")
	s.awaitFrom(from, "that the worker is busy", func(l line) bool {
		return l.Kind == event.KindError && strings.Contains(string(l.Data), "workers_busy")
	})
	s.quit()
}

func TestAThousandJobsAndARestart(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir)
	const n = 1000
	for i := range n {
		s.must("say", map[string]any{"text": fmt.Sprintf("%d 더하기 %d은?", i, i+1), "chat": fmt.Sprintf("c%d", i%7)}, nil)
	}
	s.must("wait", map[string]any{"until": "idle", "timeout_ms": patience.Milliseconds()}, nil)
	s.mu.Lock()
	reports, turns := 0, 0
	for _, l := range s.lines {
		switch l.Kind {
		case event.KindJobReport:
			reports++
		case event.KindTurnDone:
			turns++
		default:
		}
	}
	s.mu.Unlock()
	if reports != n || turns != n {
		t.Errorf("%d reports and %d turns of %d", reports, turns, n)
	}
	timer := s.wish("1시간 뒤에 알려줘")
	s.becomes(timer, "waiting")
	s.kill()

	began := time.Now()
	s = start(t, dir)
	t.Logf("ready again after %s", time.Since(began))
	found := false
	for _, j := range s.snapshot().Jobs {
		found = found || j.ID == timer && j.State == "waiting"
	}
	if !found {
		t.Error("the job that waited is gone")
	}
	s.must("cancel", map[string]any{"job": timer}, nil)
	s.becomes(timer, "canceled")
	s.quit()
}
