package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/testing/fakemodel"
)

// A question about a document whose answer was being written when the program was killed is answered by the next one. Where
// checkpoints are kept, it goes on with what was found; where they are not, it is looked for again.
func TestAQuestionSurvivesAKill(t *testing.T) {
	server, err := fakemodel.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	contract := filepath.Join(t.TempDir(), "근로계약서.txt")
	if err := os.WriteFile(contract, []byte("근로계약서\n제1조(목적) 이 계약은 근로조건을 정한다.\n제5조(임금) 월급은 300만원으로 하고 매월 25일에 지급한다.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		set  map[string]any
		anew bool
	}{
		"with the turn":         {map[string]any{"library.persistence": "database"}, false},
		"in a file of its own":  {map[string]any{"library.persistence": "database", "library.checkpoint_path": filepath.Join(t.TempDir(), "checkpoints.db")}, false},
		"not after the program": {map[string]any{"library.persistence": "memory"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := start(t, dir, "--provider", "ollama", "--ollama-host", server.Addr, "--model", "silent")
			s.must("config", map[string]any{"set": c.set}, nil)
			s.must("import", map[string]any{"path": contract}, nil)
			s.await("the contract is there", func(l line) bool {
				var v event.LibraryImport
				return l.Kind == event.KindLibraryImport && json.Unmarshal(l.Data, &v) == nil && v.State == "done"
			})
			s.must("say", map[string]any{"text": "제5조 내용이 뭐야?"}, nil)
			s.await("the answer is being written", func(l line) bool {
				var a event.AgentStart
				return l.Kind == event.KindAgentStart && json.Unmarshal(l.Data, &a) == nil && a.Agent == "responder"
			})
			s.kill()

			s = start(t, dir)
			answers, looked := 0, 0
			s.await("turn.done", func(l line) bool { return l.Kind == event.KindTurnDone })
			s.must("wait", map[string]any{"until": "idle", "timeout_ms": patience.Milliseconds()}, nil)
			for _, l := range s.printed() {
				var m event.ChatMessage
				var step event.Thinking
				switch {
				case l.Kind == event.KindChatMessage && json.Unmarshal(l.Data, &m) == nil && m.Role == event.RoleShop && strings.Contains(m.Text, "300만원"):
					answers++
				case l.Kind == event.KindThinking && json.Unmarshal(l.Data, &step) == nil && step.Step == "tool_selected":
					looked++
				}
			}
			if answers != 1 || (looked > 0) != c.anew {
				t.Errorf("%d answers, looked %d times", answers, looked)
			}
			s.quit()
		})
	}
}
