package job_test

import (
	"context"
	"encoding/json"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// story is a job, and whoever wants its tools, from the first ticket to the last report.
type story struct {
	name  string
	tools func(f **jobtest.Floor) []toolbox.Tool
	hand  func(f *jobtest.Floor) // hands out the tickets; the one named hero is killed after each of its steps
	model func(f *jobtest.Floor)
}

// shown is a tool that shows first what it would change.
type shown struct{ *jobtest.Tool }

func (s shown) Preview(context.Context, toolbox.Call) (toolbox.Preview, error) {
	return toolbox.Preview{Text: "what would change", Base: "b"}, nil
}

func stories() []story {
	one := func(t *jobtest.Tool) *jobtest.Tool {
		t.Manual.Capacity = 1
		return t
	}
	hero := func(tools ...string) provider.JobPlan {
		p := jobtest.Plan(tools...)
		p.Title = "hero"
		return p
	}
	rivals := func(f *jobtest.Floor, tool string) {
		f.Hand("main", hero(tool))
		f.Settle()
		f.Give(tool)
	}
	return []story{
		{
			name: "asked about and wanted by another",
			tools: func(**jobtest.Floor) []toolbox.Tool {
				write := one(counted("write", toolbox.EffectIdempotent, toolbox.ConfirmAlways))
				return []toolbox.Tool{shown{write}}
			},
			hand: func(f *jobtest.Floor) { rivals(f, "write") },
		},
		{
			name: "in line behind one and before another",
			tools: func(**jobtest.Floor) []toolbox.Tool {
				return []toolbox.Tool{jobtest.Player("play", "", 1, time.Hour)}
			},
			hand: func(f *jobtest.Floor) {
				f.Give("play")
				rivals(f, "play")
			},
		},
		{
			name: "in doubt and wanted by another",
			tools: func(f **jobtest.Floor) []toolbox.Tool {
				pay := one(jobtest.Approved("pay", toolbox.ConfirmNever))
				pay.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) {
					if len(pay.Runs()) == 1 {
						(*f).Ledger.FailAfter(0, errKilled)
					}
					return toolbox.Result{Text: "paid"}, nil
				}
				return []toolbox.Tool{pay}
			},
			hand: func(f *jobtest.Floor) { rivals(f, "pay") },
		},
		{
			name: "put aside until a moment",
			tools: func(**jobtest.Floor) []toolbox.Tool {
				later := one(jobtest.NewTool("later"))
				later.Do = func(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
					if call.Resume != nil {
						return toolbox.Result{Text: "it is time"}, nil
					}
					return toolbox.Result{Park: &toolbox.Park{UntilUnixMilli: time.Now().Add(time.Hour).UnixMilli(), Resume: json.RawMessage(`1`)}}, nil
				}
				return []toolbox.Tool{later}
			},
			hand: func(f *jobtest.Floor) { rivals(f, "later") },
		},
		{
			name: "solved in rounds, with a question and a value that is missing",
			tools: func(**jobtest.Floor) []toolbox.Tool {
				return []toolbox.Tool{one(reader("read")), one(counted("pay", toolbox.EffectOnce, toolbox.ConfirmNever))}
			},
			model: func(f *jobtest.Floor) {
				f.Model.OnSolve = script(round("read 1", "nothing 2"), round("?which one?"), round("end"))
				f.Model.OnChoose = func(_ context.Context, b interpreter.Brief) (provider.ToolCall, error) {
					if b.Correction == "" {
						return provider.ToolCall{Missing: []string{"n"}, Question: "how many?"}, nil
					}
					return provider.ToolCall{Tool: "pay", Args: json.RawMessage(`{"n":1}`)}, nil
				}
			},
			hand: func(f *jobtest.Floor) {
				plan := hero("", "pay")
				plan.Todos[1].Args = nil
				f.Hand("main", plan)
			},
		},
		{
			name:  "solved in rounds that fail",
			tools: func(**jobtest.Floor) []toolbox.Tool { return []toolbox.Tool{one(reader("read"))} },
			model: func(f *jobtest.Floor) {
				f.Model.OnSolve = func(context.Context, interpreter.Brief) (provider.Solution, error) {
					return provider.Solution{}, apperr.New(apperr.ContextOverflow)
				}
			},
			hand: func(f *jobtest.Floor) { f.Hand("main", hero("")) },
		},
	}
}

// moment is what the toolbox knew of the hero right after one of its steps was saved.
type moment struct {
	node, next string
	tool       string
	holds      bool // it had its tool and had not finished with it
	place      int  // in line, 0 when it stood in none
}

func momentOf(f *jobtest.Floor, step job.Step) moment {
	m := moment{node: step.Node, next: step.Next}
	if step.Run.Call == nil || step.Run.Outcome != nil {
		return m
	}
	m.tool = step.Run.Call.Tool
	m.holds, m.place = stands(f, step.Run.Job.ID, m.tool)
	return m
}

func stands(f *jobtest.Floor, id, tool string) (holds bool, place int) {
	_, holds = f.Box.Holds(id, tool)
	for _, rack := range f.Box.Inventory().Tools {
		for _, w := range rack.Waiting {
			if rack.Tool == tool && w.JobID == id {
				place = w.Place
			}
		}
	}
	return holds, place
}

// play carries a story on until it is over or the ledger takes no more steps.
func play(t *testing.T, f *jobtest.Floor) (over bool) {
	t.Helper()
	for range 100 {
		f.Settle()
		if f.Ledger.Failing() {
			return false
		}
		all, err := f.Desk.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(all) == 0 {
			if jobs, err := f.Store.ChatJobs(t.Context(), "", 100); err != nil || len(jobs) == 0 {
				return err == nil
			}
			f.Pass(time.Hour)
			continue
		}
		a := all[0]
		reply := ask.Reply{Ask: a.ID, Digest: a.Digest, Choice: map[ask.Kind]string{
			ask.KindLock: ask.ChoiceWait, ask.KindApproval: ask.ChoiceApprove, ask.KindInput: ask.ChoiceValue, ask.KindRecovery: ask.ChoiceRunAgain,
		}[a.Kind]}
		if a.Kind == ask.KindInput {
			reply.Text = "1"
		}
		if _, err := f.Desk.Answer(t.Context(), reply); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the story does not end")
	return false
}

// Killed after any step, wherever that leads, a job has its tool again and its place in line before anybody else is served.
// Every node of the graph is come by.
func TestWhoeverHadAToolHasItAgain(t *testing.T) {
	// The entries of these are always shared with the node behind: no kill finds a job there.
	visited := map[string]bool{"pick_todo": true, "report": true}
	drawing := ""
	for _, tale := range stories() {
		t.Run(tale.name, func(t *testing.T) {
			for n, done := 1, false; !done && !t.Failed(); n++ {
				synctest.Test(t, func(t *testing.T) {
					var f *jobtest.Floor
					f = jobtest.Open(t, tale.tools(&f)...)
					drawing = f.Jobs.Mermaid()
					var hero string
					var was moment
					steps, killed := 0, false
					f.Saved = func(step job.Step) {
						if step.Run.Job.Title != "hero" {
							return
						}
						visited[step.Node], visited[step.Next], hero = true, true, step.Run.Job.ID
						if steps++; steps == n {
							was, killed = momentOf(f, step), true
							f.Ledger.FailAfter(0, errKilled)
						}
					}
					if tale.model != nil {
						tale.model(f)
					}
					f.Start(2)
					tale.hand(f)
					for !play(t, f) && !killed { // the story itself may kill
						f.Reopen(2)
					}
					if !killed {
						done = true
						return
					}
					f.Reopen(0)
					holds, place := stands(f, hero, was.tool)
					if was.tool != "" && (holds != was.holds || was.place > 0 && place > was.place) {
						t.Errorf("killed between %s and %s: had the tool %v, place %d; now %v, place %d", was.node, was.next, was.holds, was.place, holds, place)
					}
					f.Jobs.SetWorkers(2)
					for !play(t, f) {
						f.Reopen(2)
					}
					f.NothingOut()
					if open := intents(t, f); len(open) > 0 {
						t.Errorf("killed between %s and %s: left open in the books: %v", was.node, was.next, open)
					}
				})
			}
		})
	}
	var forgotten []string
	for _, m := range regexp.MustCompile(`(?m)^ +(\w+) : `).FindAllStringSubmatch(drawing, -1) {
		if !visited[m[1]] {
			forgotten = append(forgotten, m[1])
		}
	}
	if len(visited) < 20 || len(forgotten) > 0 {
		t.Errorf("no story comes by %v", forgotten)
	}
}
