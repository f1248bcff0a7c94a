package graph_test

import (
	"context"
	"errors"
	"testing"

	"agentchat/backend/graph"
)

type state struct{ trail []string }

type journal struct {
	steps []graph.Step[*state]
	fail  string
}

func (j *journal) Save(_ context.Context, s graph.Step[*state]) error {
	if s.Node == j.fail {
		return errDisk
	}
	j.steps = append(j.steps, s)
	return nil
}

var errDisk = errors.New("disk")

// parkable is a node that a run may be parked at.
func parkable(n graph.Node[*state]) graph.Node[*state] {
	n.Facts.Waits = graph.ForAnswer
	return n
}

func visit(name string, move graph.Move, next ...string) graph.Node[*state] {
	return graph.Node[*state]{Name: name, Next: next, Run: func(_ context.Context, s *state) (graph.Move, error) {
		s.trail = append(s.trail, name)
		return move, nil
	}}
}

func compile(t *testing.T, nodes ...graph.Node[*state]) *graph.Graph[*state] {
	t.Helper()
	g, err := graph.Compile("test", nodes[0].Name, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestRunsToTheEndAndJournalsEveryNode(t *testing.T) {
	loops := 0
	g := compile(t, visit("a", graph.To("b"), "b"),
		graph.Node[*state]{Name: "b", Next: []string{"a", graph.End}, Run: func(context.Context, *state) (graph.Move, error) {
			if loops++; loops < 50 {
				return graph.To("a"), nil
			}
			return graph.To(graph.End).Durable(), nil
		}})
	j := &journal{}
	out, _, err := g.Run(context.Background(), &state{}, "", j, nil)
	if err != nil || out != graph.Ended {
		t.Fatalf("got %s, %v", out, err)
	}
	if len(j.steps) != 100 || !j.steps[99].Sync || j.steps[99].Next != graph.End {
		t.Fatalf("journal: %d steps, last %+v", len(j.steps), j.steps[len(j.steps)-1])
	}
}

// What a node leaves soon is written with the next one's entry, unless the run does not get that far.
func TestSeveralNodesShareAnEntry(t *testing.T) {
	broken := errors.New("broken")
	var fail bool
	g := compile(t, visit("a", graph.To("b").Soon(), "b"), visit("b", graph.To("c").Soon(), "c"),
		graph.Node[*state]{Name: "c", Next: []string{graph.End}, Run: func(context.Context, *state) (graph.Move, error) {
			if fail {
				return graph.Move{}, broken
			}
			return graph.To(graph.End).Soon(), nil
		}})
	j := &journal{}
	if out, _, err := g.Run(context.Background(), &state{}, "", j, nil); err != nil || out != graph.Ended || len(j.steps) != 1 || j.steps[0].Node != "c" {
		t.Fatalf("%s, %v, %+v", out, err, j.steps)
	}
	j, fail = &journal{}, true
	if _, at, err := g.Run(context.Background(), &state{}, "", j, nil); !errors.Is(err, broken) || at != "c" || len(j.steps) != 0 {
		t.Errorf("broken at %s, %v, %+v", at, err, j.steps)
	}
	j = &journal{}
	out, at, err := g.Run(context.Background(), &state{}, "", j, func(node string) bool { return node != "c" })
	if err != nil || out != graph.Yielded || at != "c" || len(j.steps) != 1 || j.steps[0].Next != "c" {
		t.Errorf("%s at %s, %v, %+v", out, at, err, j.steps)
	}
	ctx, cancel := context.WithCancel(context.Background())
	g = compile(t, graph.Node[*state]{Name: "a", Next: []string{"b"}, Run: func(context.Context, *state) (graph.Move, error) {
		cancel()
		return graph.To("b").Soon(), nil
	}}, visit("b", graph.To(graph.End), graph.End))
	j = &journal{}
	if _, _, err := g.Run(ctx, &state{}, "", j, nil); !errors.Is(err, context.Canceled) || len(j.steps) != 1 {
		t.Errorf("stopped in between: %v, %+v", err, j.steps)
	}
}

// Nodes that are declared to move on soon may lead to any node behind them, in whatever order they were declared.
func TestSoonNodesLeadAnywhereBehindThem(t *testing.T) {
	soon := func(n graph.Node[*state]) graph.Node[*state] { n.Soon = true; return n }
	g := compile(t, soon(visit("a", graph.To("c").Soon(), "b", "c")), visit("b", graph.To("d"), "d"), soon(visit("c", graph.To("d").Soon(), "d")),
		soon(visit("d", graph.To("e").Soon(), "e")), visit("e", graph.To("f"), "f"), visit("f", graph.To(graph.End), graph.End))
	for from, entries := range map[string]int{"a": 2, "b": 3, "d": 2} {
		j, s := &journal{}, &state{}
		if out, _, err := g.Run(context.Background(), s, from, j, nil); err != nil || out != graph.Ended || len(j.steps) != entries {
			t.Errorf("from %s: %s, %v, trail %v, %d entries", from, out, err, s.trail, len(j.steps))
		}
	}
}

func TestParksAndResumesWhereTheJournalSays(t *testing.T) {
	g := compile(t, visit("ask", graph.Park("read"), "read"), parkable(visit("read", graph.To(graph.End), graph.End)))
	j, s := &journal{}, &state{}
	out, at, err := g.Run(context.Background(), s, "", j, nil)
	if err != nil || out != graph.Parked || at != "read" {
		t.Fatalf("got %s at %s, %v", out, at, err)
	}
	out, _, err = g.Run(context.Background(), s, at, j, nil)
	if err != nil || out != graph.Ended || len(s.trail) != 2 {
		t.Fatalf("got %s, trail %v, %v", out, s.trail, err)
	}
}

func TestParksOnlyWhereSomethingIsWaitedFor(t *testing.T) {
	g := compile(t, visit("ask", graph.Park("read"), "read"), visit("read", graph.To(graph.End), graph.End))
	j := &journal{}
	if _, _, err := g.Run(context.Background(), &state{}, "", j, nil); err == nil || len(j.steps) != 0 {
		t.Fatalf("%v, %d steps in the journal", err, len(j.steps))
	}
}

func TestYieldsBeforeANodeTheCallerDoesNotWant(t *testing.T) {
	g := compile(t, visit("read", graph.To("exec"), "exec"), visit("exec", graph.To(graph.End), graph.End))
	s := &state{}
	notExec := func(node string) bool { return node != "exec" }
	out, at, err := g.Run(context.Background(), s, "", &journal{}, notExec)
	if err != nil || out != graph.Yielded || at != "exec" || len(s.trail) != 1 {
		t.Fatalf("got %s at %s, trail %v, %v", out, at, s.trail, err)
	}
	if out, _, _ = g.Run(context.Background(), s, "exec", &journal{}, notExec); out != graph.Yielded || len(s.trail) != 1 {
		t.Fatalf("a run that starts at an unwanted node must not run it: %s, %v", out, s.trail)
	}
}

func TestRefusesAMoveThatIsNotDeclared(t *testing.T) {
	g := compile(t, visit("a", graph.To("a"), graph.End))
	j := &journal{}
	if _, _, err := g.Run(context.Background(), &state{}, "", j, nil); err == nil || len(j.steps) != 0 {
		t.Fatalf("an undeclared move was journaled: %v, %v", j.steps, err)
	}
}

func TestAJournalThatFailsStopsTheRun(t *testing.T) {
	g := compile(t, visit("a", graph.To("b"), "b"), visit("b", graph.To(graph.End), graph.End))
	s := &state{}
	_, at, err := g.Run(context.Background(), s, "", &journal{fail: "a"}, nil)
	if !errors.Is(err, errDisk) || at != "a" || len(s.trail) != 1 {
		t.Fatalf("at %s, trail %v, %v", at, s.trail, err)
	}
}

func TestWhatANodeDidIsJournaledThoughItWasCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	g := compile(t, graph.Node[*state]{Name: "a", Next: []string{"b"}, Run: func(context.Context, *state) (graph.Move, error) {
		cancel()
		return graph.To("b"), nil
	}}, visit("b", graph.To(graph.End), graph.End))
	j, s := &journal{}, &state{}
	_, at, err := g.Run(ctx, s, "", j, nil)
	if !errors.Is(err, context.Canceled) || at != "b" || len(j.steps) != 1 || len(s.trail) != 0 {
		t.Fatalf("at %s, %d steps, trail %v, %v", at, len(j.steps), s.trail, err)
	}
}

func TestCompileRefusesBrokenDeclarations(t *testing.T) {
	ok := visit("a", graph.To(graph.End), graph.End)
	for name, nodes := range map[string][]graph.Node[*state]{
		"unknown successor": {visit("a", graph.To("x"), "x")},
		"declared twice":    {ok, ok},
		"unreachable":       {ok, visit("b", graph.To(graph.End), graph.End)},
	} {
		if _, err := graph.Compile("bad", "a", nodes); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func BenchmarkNode(b *testing.B) {
	n := 0
	g, err := graph.Compile("bench", "a", []graph.Node[*state]{{Name: "a", Next: []string{"a", graph.End}, Run: func(context.Context, *state) (graph.Move, error) {
		if n++; n >= b.N {
			return graph.To(graph.End), nil
		}
		return graph.To("a"), nil
	}}})
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	if _, _, err := g.Run(context.Background(), &state{}, "", discard{}, nil); err != nil {
		b.Fatal(err)
	}
}

type discard struct{}

func (discard) Save(context.Context, graph.Step[*state]) error { return nil }
