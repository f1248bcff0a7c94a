// Package graph runs durable state graphs: nodes and their allowed successors, compiled on eino's compose.Graph, with
// one journal entry after every node, or after several that follow one another at once. A run can stop anywhere, also by power
// loss, and goes on at the node after the last one that was journaled; a node may therefore run again and must be safe to.
package graph

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/cloudwego/eino/compose"
)

// End is the successor of a node after which the run is over.
const End = "end"

// maxSteps bounds one Run call, because a loop that never parks is a bug. No real job has nearly as many nodes.
const maxSteps = 1 << 20

// Node is one step of a graph over the state S (a pointer). Run does the step, changes the state and says where to go;
// it may go to one of Next, or park at one of them that waits for something. An error ends the call with nothing journaled:
// the node runs again when the run is resumed, from the state as it was journaled last.
type Node[S any] struct {
	Name  string
	Doc   string // one sentence, for the exported drawing
	Next  []string
	Facts Facts
	Soon  bool // most of its moves are Soon: it and the node after it are one step of eino's
	Run   func(ctx context.Context, state S) (Move, error)
}

// Facts are the properties of a node. They are declared with the node, and scheduling, recovery and drawing read them from there, so no
// list elsewhere has to be kept up to date when a node is added.
type Facts struct {
	Inline bool // only reads and decides, or ends the run: quick, so it needs no worker
	Lease  bool // a run that stands here has its tool and still needs it
	Waits  Wait // what a run that is parked here waits for
	Effect bool // acts outside the journal: if it was interrupted, it may have happened. Every other node may simply run again.
	Doubt  bool // a person is to say what happened
}

// Wait is what a parked run waits for.
type Wait string

// What runs wait for. None can be parked at a node that waits for nothing.
const (
	ForNothing Wait = ""
	ForAnswer  Wait = "answer"
	ForLease   Wait = "lease"
	ForMoment  Wait = "moment"
)

// Move is a node's decision.
type Move struct {
	to   string
	park bool
	sync bool
	soon bool
}

// To goes on with the named node, or to End.
func To(node string) Move { return Move{to: node} }

// Park stops the run; it is resumed later at the named node.
func Park(node string) Move { return Move{to: node, park: true} }

// Durable asks that the journal entry survive power loss, not only a crash of the process.
func (m Move) Durable() Move { m.sync = true; return m }

// Soon writes the journal entry together with that of the next node, which follows at once. It is for nodes that are safe to run again:
// after a crash before that entry, both nodes run again. The node's events are published with those of the next one.
func (m Move) Soon() Move { m.soon = true; return m }

// Step is what one node leaves in the journal, or several that followed one another at once.
type Step[S any] struct {
	Node   string
	Next   string
	Parked bool
	Sync   bool
	State  S
}

// Journal keeps steps. Save returns when the step is committed; an error stops the run before the next node.
type Journal[S any] interface {
	Save(ctx context.Context, step Step[S]) error
}

// Outcome says how a Run call ended.
type Outcome string

// The outcomes of a Run call.
const (
	Ended   Outcome = "ended"   // End was reached
	Parked  Outcome = "parked"  // a node parked the run
	Yielded Outcome = "yielded" // the next node was one the caller does not want to run now
)

// Graph is a compiled graph. Safe for concurrent use; each Run has its own state.
type Graph[S any] struct {
	name     string
	start    string
	nodes    []Node[S]
	byName   map[string]Node[S]
	allowed  map[string]map[string]bool
	facts    map[string]Facts
	runnable compose.Runnable[*cursor[S], *cursor[S]]
}

// cursor is the value that eino passes from node to node: the state and its position.
type cursor[S any] struct {
	state   S
	journal Journal[S]
	before  func(node string) bool
	next    string
	outcome Outcome
	err     error
}

func (c *cursor[S]) over() bool { return c.err != nil || c.outcome != "" }

// errStopped tells eino to stop; the real cause is in the cursor.
var errStopped = errors.New("graph: stopped")

// Compile checks the declaration and builds the graph: every successor exists, every node can be reached from start.
func Compile[S any](name, start string, nodes []Node[S]) (*Graph[S], error) {
	g := &Graph[S]{name: name, start: start, nodes: nodes, byName: map[string]Node[S]{}, allowed: map[string]map[string]bool{}, facts: map[string]Facts{}}
	if err := g.check(); err != nil {
		return nil, fmt.Errorf("graph %s: %w", name, err)
	}
	eg := compose.NewGraph[*cursor[S], *cursor[S]]()
	all := map[string]bool{compose.END: true}
	for _, n := range nodes {
		all[n.Name] = true
		if err := eg.AddLambdaNode(n.Name, compose.InvokableLambda(g.step(n))); err != nil {
			return nil, fmt.Errorf("graph %s: %w", name, err)
		}
	}
	where := func(_ context.Context, c *cursor[S]) (string, error) {
		if c.over() {
			return compose.END, nil
		}
		return c.next, nil
	}
	for _, n := range nodes {
		if err := eg.AddBranch(n.Name, compose.NewGraphBranch(where, g.ends(n))); err != nil {
			return nil, fmt.Errorf("graph %s: %w", name, err)
		}
	}
	// START is a branch too: a resumed run enters at the node the journal names.
	if err := eg.AddBranch(compose.START, compose.NewGraphBranch(where, all)); err != nil {
		return nil, fmt.Errorf("graph %s: %w", name, err)
	}
	runnable, err := eg.Compile(context.Background(), compose.WithGraphName(name), compose.WithMaxRunSteps(maxSteps))
	if err != nil {
		return nil, fmt.Errorf("graph %s: %w", name, err)
	}
	g.runnable = runnable
	return g, nil
}

func (g *Graph[S]) check() error {
	for _, n := range g.nodes {
		if n.Name == End || n.Name == "" || n.Run == nil {
			return fmt.Errorf("node %q is not a node", n.Name)
		}
		if g.allowed[n.Name] != nil {
			return fmt.Errorf("node %q is declared twice", n.Name)
		}
		g.byName[n.Name], g.allowed[n.Name], g.facts[n.Name] = n, map[string]bool{}, n.Facts
		for _, next := range n.Next {
			g.allowed[n.Name][next] = true
		}
	}
	if g.allowed[g.start] == nil {
		return fmt.Errorf("no start node %q", g.start)
	}
	seen := map[string]bool{End: true}
	var visit func(node string) error
	visit = func(node string) error {
		if seen[node] {
			return nil
		}
		seen[node] = true
		if g.allowed[node] == nil {
			return fmt.Errorf("no node %q", node)
		}
		for next := range g.allowed[node] {
			if err := visit(next); err != nil {
				return err
			}
		}
		return nil
	}
	if err := visit(g.start); err != nil {
		return err
	}
	for _, n := range g.nodes {
		if !seen[n.Name] {
			return fmt.Errorf("node %q cannot be reached", n.Name)
		}
	}
	return nil
}

// step is what eino runs as one node: a node together with those that follow it by Soon.
func (g *Graph[S]) step(n Node[S]) func(context.Context, *cursor[S]) (*cursor[S], error) {
	return func(ctx context.Context, c *cursor[S]) (*cursor[S], error) {
		at := n
		for range maxSteps {
			if !g.walk(ctx, c, at) || !at.Soon {
				break
			}
			at = g.byName[c.next]
		}
		return c, nil
	}
}

// walk runs one node and tells whether the next one follows soon.
func (g *Graph[S]) walk(ctx context.Context, c *cursor[S], n Node[S]) (soon bool) {
	move, err := n.Run(ctx, c.state)
	if err != nil {
		c.err = err
		return false
	}
	if !g.allowed[n.Name][move.to] {
		c.err = fmt.Errorf("graph %s: no way from %s to %q", g.name, n.Name, move.to)
		return false
	}
	if move.park && g.facts[move.to].Waits == ForNothing {
		c.err = fmt.Errorf("graph %s: %s parks at %q, which waits for nothing", g.name, n.Name, move.to)
		return false
	}
	if move.soon && !move.park && !move.sync && move.to != End && ctx.Err() == nil && (c.before == nil || c.before(move.to)) {
		c.next = move.to
		return true
	}
	step := Step[S]{Node: n.Name, Next: move.to, Parked: move.park, Sync: move.sync, State: c.state}
	// What a node did is journaled even if the run was canceled meanwhile: otherwise a result could be lost.
	if err := c.journal.Save(context.WithoutCancel(ctx), step); err != nil {
		c.err = err
		return false
	}
	c.next = move.to
	switch {
	case move.to == End:
		c.outcome = Ended
	case move.park:
		c.outcome = Parked
	case ctx.Err() != nil:
		c.err = ctx.Err()
	case c.before != nil && !c.before(move.to):
		c.outcome = Yielded
	}
	return false
}

// ends are where a step of eino's that begins at a node may lead: to the node's successors and, beyond those it goes to soon,
// to theirs.
func (g *Graph[S]) ends(n Node[S]) map[string]bool {
	into, seen := map[string]bool{compose.END: true}, map[string]bool{}
	var visit func(n Node[S])
	visit = func(n Node[S]) {
		if seen[n.Name] {
			return
		}
		seen[n.Name] = true
		for _, next := range n.Next {
			if next == End {
				continue
			}
			into[next] = true
			if n.Soon {
				visit(g.byName[next])
			}
		}
	}
	visit(n)
	return into
}

// Run runs the graph from a node ("" for the start) until it ends, parks, or before returns false for the next node (before may be nil).
// It returns the position. On an error the journal has the last finished node, while the state may hold changes of the failed one: to
// go on, load the state from the journal.
func (g *Graph[S]) Run(ctx context.Context, state S, from string, journal Journal[S], before func(node string) bool) (Outcome, string, error) {
	if from == "" {
		from = g.start
	}
	if g.allowed[from] == nil {
		return "", from, fmt.Errorf("graph %s: no node %q", g.name, from)
	}
	if before != nil && !before(from) {
		return Yielded, from, nil
	}
	if err := ctx.Err(); err != nil {
		return "", from, err
	}
	c := &cursor[S]{state: state, journal: journal, before: before, next: from}
	_, err := g.runnable.Invoke(ctx, c)
	switch {
	case c.err != nil:
		return "", c.next, c.err
	case c.outcome != "":
		return c.outcome, c.next, nil
	case err != nil:
		return "", c.next, err
	default:
		return "", c.next, errStopped
	}
}

// Has tells whether a node of that name exists: a run parked by an older version may stand at one that does not.
func (g *Graph[S]) Has(node string) bool { return g.allowed[node] != nil }

// Facts are what is true of a node; of one that does not exist, nothing is.
func (g *Graph[S]) Facts(node string) Facts { return g.facts[node] }

// words say the facts for the drawing, the most telling first.
func (f Facts) words() string {
	var list []string
	for _, fact := range []struct {
		word string
		is   bool
	}{
		{"acts", f.Effect},
		{"in doubt", f.Doubt},
		{"has the tool", f.Lease},
		{"may wait for its " + string(f.Waits), f.Waits != ForNothing},
		{"needs no worker", f.Inline},
	} {
		if fact.is {
			list = append(list, fact.word)
		}
	}
	return strings.Join(list, ", ")
}

// Mermaid draws the declared graph.
func (g *Graph[S]) Mermaid() string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntitle: %s\n---\nstateDiagram-v2\n", g.name)
	fmt.Fprintf(&b, "    [*] --> %s\n", g.start)
	for _, n := range g.nodes {
		if n.Doc != "" {
			fmt.Fprintf(&b, "    %s : %s<br/>%s", n.Name, n.Name, n.Doc)
			if words := n.Facts.words(); words != "" {
				fmt.Fprintf(&b, "<br/>(%s)", words)
			}
			b.WriteString("\n")
		}
		next := append([]string(nil), n.Next...)
		sort.Strings(next)
		for _, to := range next {
			if to == End {
				to = "[*]"
			}
			fmt.Fprintf(&b, "    %s --> %s\n", n.Name, to)
		}
	}
	return b.String()
}
