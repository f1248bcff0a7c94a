package sim

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"sync/atomic"
	"time"

	"agentchat/backend/job/jobtest"
	"agentchat/backend/toolbox"
)

// allTools are the tools of the simulated shop: one of each kind there is.
func (w *world) allTools(s *stage) []toolbox.Tool {
	pay := jobtest.Approved("pay", toolbox.ConfirmAlways)
	pay.Manual.Capacity = 1
	pay.Do = w.effect(s, "pay")
	first := jobtest.Approved("first", toolbox.ConfirmFirst)
	first.Do = w.effect(s, "first")
	bad := jobtest.NewTool("bad")
	bad.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) { panic("bad") }
	deaf := jobtest.NewTool("deaf")
	deaf.Manual.Capacity = 1
	deaf.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) {
		select {
		case <-w.over:
		case <-time.After(20 * time.Minute):
		}
		return toolbox.Result{Text: "heard nothing"}, nil
	}
	timer := jobtest.NewTool("timer")
	timer.Do = func(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
		if call.Resume != nil {
			return toolbox.Result{Text: "it is time"}, nil
		}
		return toolbox.Result{Park: &toolbox.Park{
			UntilUnixMilli: time.Now().Add(30*time.Minute + apart(call.JobID)).UnixMilli(), Resume: json.RawMessage(`{}`),
		}}, nil
	}
	list := []toolbox.Tool{
		w.transfer(s), pay, first, bad, deaf, timer, jobtest.NewTool("quick"),
		player("nav", toolbox.MonitorBox, 1), player("movie", toolbox.MonitorBox, 1), player("song", toolbox.SongPool, 2),
	}
	for i := range list {
		list[i] = alone{list[i], s.gates}
	}
	return list
}

// alone is a tool that comes back when all the others stand still: the clock may have woken some with it.
type alone struct {
	toolbox.Tool
	gates *gates
}

// Run implements toolbox.Tool.
func (a alone) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	defer a.gates.queue(call.Lease.Tool + " of " + call.JobID + " is back")
	return a.Tool.Run(ctx, call)
}

// player plays for a while unless it is interrupted.
func player(key, group string, capacity int) *jobtest.Tool {
	t := jobtest.Player(key, group, capacity, 0)
	t.Do = func(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
		end := time.NewTimer(15*time.Minute + apart(call.JobID))
		defer end.Stop()
		select {
		case <-end.C:
			return toolbox.Result{Text: key + " ended"}, nil
		case <-ctx.Done():
			return toolbox.Result{}, ctx.Err()
		}
	}
	return t
}

// apart keeps two jobs from waking at the very same instant: which of them went first would be chance, not the seed.
func apart(jobID string) time.Duration {
	h := fnv.New32a()
	_, _ = h.Write([]byte(jobID))
	return time.Duration(h.Sum32()%60000) * time.Millisecond
}

// effect is a tool that changes the world, once, at some moment while it runs.
func (w *world) effect(s *stage, tool string) func(context.Context, toolbox.Call) (toolbox.Result, error) {
	return func(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
		key := tool + " " + call.JobID + " " + call.Title
		s.gates.pass(key + " begins")
		if s.ledger.dead.Load() {
			return toolbox.Result{}, errKilled
		}
		w.happen(tool, call)
		s.gates.pass(key + " is over")
		if s.ledger.dead.Load() {
			return toolbox.Result{}, errKilled
		}
		return toolbox.Result{Text: tool + " done"}, nil
	}
}

// moved counts the transfers of all seeds.
var moved atomic.Int64

// transfer moves money for the counter. Like a bank, it does a thing once, however often it is told.
func (w *world) transfer(s *stage) *jobtest.Tool {
	t := jobtest.NewTool("transfer")
	t.Manual.Confirm, t.Manual.Effect, t.Manual.Counter = toolbox.ConfirmAlways, toolbox.EffectIdempotent, true
	t.Do = func(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
		s.gates.pass("transfer " + call.TodoID + " begins")
		if s.ledger.dead.Load() {
			return toolbox.Result{}, errKilled
		}
		w.move(call)
		s.gates.pass("transfer " + call.TodoID + " is over")
		if s.ledger.dead.Load() {
			return toolbox.Result{}, errKilled
		}
		return toolbox.Result{Text: "보냈어요."}, nil
	}
	return t
}

// move moves money, and checks that it is a sum and a person the customer spoke of together, as often as they said yes.
func (w *world) move(call toolbox.Call) {
	w.mu.Lock()
	known := w.moved[call.TodoID] != ""
	w.moved[call.TodoID] = call.Chat
	moves := 0
	for _, chat := range w.moved {
		if chat == call.Chat {
			moves++
		}
	}
	agreed := w.agreed[call.Chat]
	w.mu.Unlock()
	if known {
		return
	}
	w.note("money moves: %s in %s", call.Args, call.Chat)
	moved.Add(1)
	var args struct {
		Target string `json:"target"`
		Amount int64  `json:"amount"`
	}
	w.must(json.Unmarshal(call.Args, &args))
	if spoken := map[string]int64{"엄마": 10000, "용걸이": 50000}; spoken[args.Target] != args.Amount {
		w.t.Errorf("seed %d: %d won went to %q, which nobody asked for", w.seed, args.Amount, args.Target)
	}
	if moves > agreed {
		w.t.Errorf("seed %d: money was moved %d times in %s, and the customer said yes %d times", w.seed, moves, call.Chat, agreed)
	}
}

// happen notes an effect and checks that it was allowed.
func (w *world) happen(tool string, call toolbox.Call) {
	digest := toolbox.Digest(tool, call.Args)
	w.mu.Lock()
	w.effects[call.JobID+" "+call.Title]++
	times := w.effects[call.JobID+" "+call.Title]
	ok := w.allowed[call.JobID+" "+digest] || tool == "first" && w.granted[call.Chat+" "+tool]
	w.mu.Unlock()
	w.note("effect %s of %s", tool, call.JobID)
	if !ok {
		w.t.Errorf("seed %d: %s of %s ran without an approval of exactly %s", w.seed, tool, call.JobID, call.Args)
	}
	if times > 1 {
		w.t.Errorf("seed %d: %s of %s happened %d times", w.seed, tool, call.JobID, times)
	}
}
