package interpreter_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/provider"
)

// Whoever stands in line for the model is told their place, and when their turn has come.
func TestAPlaceInLineAndItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(t, func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
			<-time.After(time.Minute)
			return `{"route":"answer","reply":"hello"}`, nil
		})
		for range 6 { // the voice answers four at once
			go func() { _, _ = d.Plan(t.Context(), interpreter.Brief{Chat: "c"}) }()
		}
		<-time.After(time.Hour)
		var places []int
		reader := d.bus.SubscribeFrom(1)
		for seq := uint64(0); seq < d.bus.Seq(); {
			batch, err := reader.Next(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range batch {
				seq = e.Seq
				var q event.AgentQueued
				if e.Kind == event.KindAgentQueued && json.Unmarshal(e.Data, &q) == nil {
					places = append(places, q.Place)
				}
			}
		}
		slices.Sort(places)
		if !slices.Equal(places, []int{0, 0, 1, 2}) && !slices.Equal(places, []int{0, 0, 1, 1, 2}) {
			t.Errorf("the places that were told: %v", places)
		}
	})
}
