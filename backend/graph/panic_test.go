package graph_test

import (
	"context"
	"strings"
	"testing"

	"agentchat/backend/graph"
)

// A node that breaks down ends its run with an error and nothing journaled; the graph serves the next run as before.
func TestANodeThatPanicsEndsOnlyItsRun(t *testing.T) {
	broken := true
	g := compile(t, visit("a", graph.To("b"), "b"), graph.Node[*state]{Name: "b", Next: []string{graph.End}, Run: func(context.Context, *state) (graph.Move, error) {
		if broken {
			panic("sprocket")
		}
		return graph.To(graph.End), nil
	}})
	j := &journal{}
	_, at, err := g.Run(t.Context(), &state{}, "", j, nil)
	if err == nil || !strings.Contains(err.Error(), "sprocket") || at != "b" || len(j.steps) != 1 {
		t.Fatalf("at %s, %d steps, %v", at, len(j.steps), err)
	}
	broken = false
	if out, _, err := g.Run(t.Context(), &state{}, at, j, nil); err != nil || out != graph.Ended {
		t.Errorf("the next run: %s, %v", out, err)
	}
}

func TestADrawingNamesEveryNodeAndWay(t *testing.T) {
	drawn := compile(t, visit("a", graph.To("b"), "b", graph.End), visit("b", graph.To(graph.End), "a", graph.End)).Mermaid()
	for _, line := range []string{"[*] --> a", "a --> b", "a --> [*]", "b --> a", "b --> [*]"} {
		if !strings.Contains(drawn, line) {
			t.Errorf("%q is missing in\n%s", line, drawn)
		}
	}
}
