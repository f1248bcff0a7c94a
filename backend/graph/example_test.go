package graph_test

import (
	"context"
	"fmt"

	"agentchat/backend/graph"
)

type order struct{ Cups int }

// printed is a journal that prints what it keeps.
type printed struct{}

func (printed) Save(_ context.Context, s graph.Step[*order]) error {
	fmt.Printf("%s, then %s: %d cups\n", s.Node, s.Next, s.State.Cups)
	return nil
}

func Example() {
	g, err := graph.Compile("coffee", "brew", []graph.Node[*order]{
		{Name: "brew", Next: []string{"brew", "ask"}, Run: func(_ context.Context, o *order) (graph.Move, error) {
			if o.Cups++; o.Cups < 2 {
				return graph.To("brew"), nil
			}
			return graph.Park("ask"), nil // the run ends here, without a goroutine, until somebody answers
		}},
		{Name: "ask", Next: []string{graph.End}, Facts: graph.Facts{Waits: graph.ForAnswer}, Run: func(context.Context, *order) (graph.Move, error) {
			return graph.To(graph.End), nil
		}},
	})
	if err != nil {
		panic(err)
	}
	ctx, o := context.Background(), &order{}
	outcome, next, err := g.Run(ctx, o, "", printed{}, nil)
	fmt.Println(outcome, next, err)
	outcome, _, err = g.Run(ctx, o, next, printed{}, nil) // perhaps in another run of the program
	fmt.Println(outcome, err)
	// Output:
	// brew, then brew: 1 cups
	// brew, then ask: 2 cups
	// parked ask <nil>
	// ask, then end: 2 cups
	// ended <nil>
}
