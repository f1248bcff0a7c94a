package shop

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/config"
)

var redraw = flag.Bool("update", false, "redraw the graphs in docs/rooms")

// TestGraphsInTheDocsAreTheOnesThatRun compares the drawings in the documentation with the declared graphs.
func TestGraphsInTheDocsAreTheOnesThatRun(t *testing.T) {
	s, err := Open(t.Context(), Options{Config: config.Options{DataDir: t.TempDir(), Env: []string{}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for page, graphs := range map[string]map[string]string{
		"graphs.md":  {"job": s.JobGraph(), "turn": s.TurnGraph()},
		"library.md": {"library": s.LibraryGraph()},
	} {
		compare(t, filepath.Join("../../docs/rooms", page), graphs)
	}
}

func compare(t *testing.T, page string, graphs map[string]string) {
	t.Helper()
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for name, drawing := range graphs {
		begin, end := "<!-- graph:"+name+" -->\n", "<!-- /graph:"+name+" -->"
		before, rest, ok := strings.Cut(text, begin)
		_, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Fatalf("%s: no place for the %s graph", page, name)
		}
		text = before + begin + "```mermaid\n" + drawing + "```\n" + end + after
	}
	if text == string(raw) {
		return
	}
	if !*redraw {
		t.Fatal("the graphs changed: go test ./backend/shop -run Graphs -update")
	}
	if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
