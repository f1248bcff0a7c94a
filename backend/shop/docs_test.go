package shop

import (
	"flag"
	"os"
	"strings"
	"testing"

	"agentchat/backend/config"
)

var update = flag.Bool("update", false, "redraw the graphs in docs/ARCHITECTURE.md")

// TestGraphsInTheDocsAreTheOnesThatRun compares the drawings in the documentation with the declared graphs.
func TestGraphsInTheDocsAreTheOnesThatRun(t *testing.T) {
	const page = "../../docs/ARCHITECTURE.md"
	s, err := Open(t.Context(), Options{Config: config.Options{DataDir: t.TempDir(), Env: []string{}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for name, drawing := range map[string]string{"job": s.JobGraph(), "turn": s.TurnGraph(), "library": s.LibraryGraph()} {
		begin, end := "<!-- graph:"+name+" -->\n", "<!-- /graph:"+name+" -->"
		before, rest, ok := strings.Cut(text, begin)
		_, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Fatalf("no place for the %s graph", name)
		}
		text = before + begin + "```mermaid\n" + drawing + "```\n" + end + after
	}
	if text == string(raw) {
		return
	}
	if !*update {
		t.Fatal("the graphs changed: go test ./backend/shop -run Graphs -update")
	}
	if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
