package job_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/toolbox"
)

// chaos is a floor on which everything happens in a random but repeatable order.
type chaos struct {
	*jobtest.Floor
	t       *testing.T
	random  *rand.Rand
	workers int
	ids     []string
	pay     *jobtest.Tool
	trail   []string
}

func (c *chaos) note(format string, args ...any) {
	c.trail = append(c.trail, fmt.Sprintf(format, args...))
}

func (c *chaos) fail(format string, args ...any) {
	c.t.Helper()
	c.t.Fatalf(format+"\nafter %v", append(args, c.trail)...)
}

func (c *chaos) some() string { return c.ids[c.random.IntN(len(c.ids))] }

func (c *chaos) step() {
	switch c.random.IntN(12) {
	case 0, 1, 2, 3:
		tools := []string{"nav", "movie", "song", "song", "quick", "pay", "timer", "deaf", "bad", ""}
		var todos []string
		for range 1 + c.random.IntN(3) {
			todos = append(todos, tools[c.random.IntN(len(tools))])
		}
		id := c.Hand("main", jobtest.Plan(todos...))[0]
		c.ids = append(c.ids, id)
		c.note("%s=%v", id, todos)
	case 4, 5, 6, 7:
		open, err := c.Desk.Open(context.Background())
		if err != nil {
			c.fail("%v", err)
		}
		if len(open) == 0 {
			return
		}
		a := open[c.random.IntN(len(open))]
		c.answer(a, a.Choices[c.random.IntN(len(a.Choices))])
	case 8:
		if len(c.ids) == 0 {
			return
		}
		id := c.some()
		c.note("cancel %s", id)
		if err := c.Jobs.CancelJob(id); err != nil && apperr.CodeOf(err) != apperr.JobEnded {
			c.fail("cancel: %v", err)
		}
	case 9:
		c.note("time passes")
		<-time.After(time.Duration(c.random.IntN(40)) * time.Minute)
	case 10:
		c.workers = 1 + c.random.IntN(5)
		c.note("%d workers", c.workers)
		c.Jobs.SetWorkers(c.workers)
	case 11:
		if c.random.IntN(3) == 0 {
			c.note("restart")
			c.Reopen(c.workers)
		}
	}
}

func (c *chaos) answer(a ask.Ask, choice string) {
	reply := ask.Reply{Ask: a.ID, Choice: choice, Digest: a.Digest, Text: "another way"}
	switch choice {
	case ask.ChoiceEdit:
		reply.Args = json.RawMessage(fmt.Sprintf(`{"n":%d}`, c.random.IntN(100)))
	case ask.ChoiceStopOther:
		if len(a.Holders) > 0 {
			reply.Holder = a.Holders[c.random.IntN(len(a.Holders))].JobID
		}
	case ask.ChoiceReject:
		if c.random.IntN(2) == 0 {
			reply.Text = ""
		}
	}
	c.note("%s: %s", a.JobID, choice)
	if _, err := c.Desk.Answer(context.Background(), reply); err != nil && apperr.CodeOf(err) != apperr.StaleAnswer {
		c.fail("answer %s: %v", choice, err)
	}
}

// check looks at the whole floor while nothing moves.
func (c *chaos) check() {
	c.t.Helper()
	c.Pass(soon) // a tool that does not listen is left behind by now
	inv := c.Box.Inventory()
	inLine, holds := map[string]bool{}, map[string]bool{}
	for _, r := range inv.Tools {
		if r.Capacity > 0 && len(r.Holders) > r.Capacity {
			c.fail("%s: %d holders", r.Tool, len(r.Holders))
		}
		for _, h := range r.Holders {
			holds[h.JobID] = true
		}
		for _, w := range r.Waiting {
			inLine[w.JobID] = true
		}
	}
	for _, g := range inv.Groups {
		if len(g.Holders) > g.Capacity {
			c.fail("%s: %d holders", g.Group, len(g.Holders))
		}
	}
	open, err := c.Desk.Open(context.Background())
	if err != nil {
		c.fail("%v", err)
	}
	asks := map[string]int{}
	for _, a := range open {
		asks[a.JobID]++
	}
	busy, places := 0, c.Jobs.Places()
	for _, w := range c.Jobs.Workers() {
		if w.State == "running" {
			busy++
		}
	}
	if len(places) > 0 && busy < c.workers {
		c.fail("%d jobs stand in line though only %d of %d workers are busy", len(places), busy, c.workers)
	}
	for _, id := range c.ids {
		rec, err := c.Store.LoadRun(context.Background(), id)
		if err != nil {
			c.fail("%v", err)
		}
		state := rec.Run.Job.State
		switch {
		case state.Ended() && (holds[id] || inLine[id] || asks[id] > 0):
			c.fail("%s is %s and still holds, waits or asks", id, state)
		case asks[id] > 1:
			c.fail("%s asks %d questions", id, asks[id])
		case state == job.Waiting && asks[id] == 0 && !inLine[id] && rec.WakeAt.IsZero() && places[id] == 0:
			c.fail("%s waits at %s for nothing: %s", id, rec.Next, rec.Run.Job.Reason)
		}
	}
}

// Whatever happens in whatever order: nothing leaks, nothing is stuck, every job ends and says so once.
func TestChaos(t *testing.T) {
	for seed := range uint64(10) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				defer close(release)
				deaf, bad := jobtest.NewTool("deaf"), jobtest.NewTool("bad")
				deaf.Manual.Capacity = 1
				deaf.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) {
					select {
					case <-release:
					case <-time.After(20 * time.Minute):
					}
					return toolbox.Result{Text: "heard nothing"}, nil
				}
				bad.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) { panic("bad") }
				c := &chaos{t: t, random: rand.New(rand.NewPCG(seed, 7)), workers: 2, pay: jobtest.Approved("pay", toolbox.ConfirmAlways)}
				c.pay.Manual.Capacity = 1
				c.Floor = jobtest.Open(t, c.pay, deaf, bad, timer(30*time.Minute), jobtest.NewTool("quick"),
					jobtest.Player("nav", toolbox.MonitorBox, 1, 15*time.Minute), jobtest.Player("movie", toolbox.MonitorBox, 1, 15*time.Minute),
					jobtest.Player("song", toolbox.SongPool, 2, 15*time.Minute)).Start(2)
				for range 80 {
					c.step()
					if c.random.IntN(3) > 0 { // sometimes the next thing happens before the last is over
						c.check()
					}
				}
				c.note("the end")
				for range 200 {
					open, err := c.Desk.Open(context.Background())
					if err != nil {
						t.Fatal(err)
					}
					for _, a := range open {
						c.answer(a, a.Choices[0])
					}
					c.Pass(time.Hour)
					if open, _ = c.Desk.Open(context.Background()); len(open) == 0 && !c.Jobs.Busy() && c.allEnded() {
						break
					}
				}
				c.check()
				for _, id := range c.ids {
					if !c.Job(id).State.Ended() {
						c.fail("%s never ended: %s %s", id, c.Job(id).State, c.Job(id).Reason)
					}
					if r := jobtest.Payloads[event.JobReport](c.Floor, id); len(r) > 1 {
						c.fail("%s reported %d times", id, len(r))
					}
				}
				c.NothingOut()
				msgs, err := c.Store.History(context.Background(), "main", "", 1000)
				if err != nil || len(msgs) != len(c.ids) {
					c.fail("%d jobs told the customer of their end in %d messages, %v", len(c.ids), len(msgs), err)
				}
			})
		})
	}
}

func (c *chaos) allEnded() bool {
	for _, id := range c.ids {
		if !c.Job(id).State.Ended() {
			return false
		}
	}
	return true
}
