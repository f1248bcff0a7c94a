package job

import (
	"context"
	"slices"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

func (r *Runner) saveResult(_ context.Context, s *Run) (graph.Move, error) {
	r.doubt(s)
	r.recall(s)
	s.interrupted()
	if s.inLoop() && s.Call != nil {
		r.keepRequest(s)
		s.mark(TodoRunning, nodeSave)
		return graph.To(nodeRelease), s.move(Running, "")
	}
	t := s.todo()
	t.Text, t.Data, t.Ran, t.Undo = s.Outcome.Text, s.Outcome.Data, s.Outcome.Ran, s.Outcome.Undo
	if s.Loop != nil {
		s.leaveLoop()
	} else if s.Call != nil {
		spec, err := r.box.Spec(s.Call.Tool)
		t.Untrusted = s.Outcome.Ran && (err != nil || untrusted(spec))
	}
	state := TodoDone
	if !s.Outcome.OK {
		state = TodoFailed
		s.Job.Code = s.Outcome.Code
	}
	if err := s.move(Running, ""); err != nil {
		return graph.Move{}, err
	}
	s.mark(state, nodeSave)
	return graph.To(nodeRelease), nil
}

func (r *Runner) release(_ context.Context, s *Run) (graph.Move, error) {
	r.box.ReleaseJob(s.Job.ID)
	switch {
	case s.todo().State == TodoFailed:
		return r.toReport(s), nil
	case s.Loop != nil && s.todo().State != TodoDone: // one request of the loop is settled
		s.nextCall()
		if s.Loop.Problem != nil {
			s.mark(TodoRunning, nodeReactError)
			return graph.To(nodeReactError), nil
		}
		s.mark(TodoRunning, nodeReactTool)
		return graph.To(nodeReactTool), nil
	}
	s.nextTodo()
	return graph.To(nodePick).Soon(), nil
}

// toReport goes on to the report. A ticket of an older program gets the id of its message here, and that is kept before.
func (r *Runner) toReport(s *Run) graph.Move {
	if s.Job.Message == "" && !s.Job.Counter {
		s.Job.Message = r.newID()
		return graph.To(nodeReport)
	}
	return graph.To(nodeReport).Soon()
}

// report words the report for the customer. If no interpreter can word it, the results themselves are the report.
func (r *Runner) report(ctx context.Context, s *Run) (graph.Move, error) {
	if s.Job.Counter || s.Job.Guest != nil {
		s.Job.Report = plainReport(s.Job.results()) // the counter words the outcome, and no model tells a guest what it remembers of the customer
		return graph.To(nodeDone).Soon(), nil
	}
	b := r.brief(ctx, s)
	b.Todo = nil
	b.Outcome = string(Succeeded)
	if s.Job.Code != "" {
		b.Outcome = string(Failed)
		b.Problem = s.todo().Text
	}
	b.Message = s.Job.Message
	words, err := r.interp.Report(ctx, b)
	switch {
	case ctx.Err() != nil:
		return graph.Move{}, ctx.Err()
	case err != nil || words.Text == "":
		words = interpreter.Words{Text: plainReport(b.Results)}
	}
	s.Job.Report, s.Job.Reasoning, s.Job.Worded = words.Text, words.Reasoning, s.Job.Worded || words.Worded
	return graph.To(nodeDone).Soon(), nil
}

func (r *Runner) done(_ context.Context, s *Run) (graph.Move, error) {
	to := Succeeded
	switch {
	case s.Job.Code == apperr.Canceled || s.Outcome != nil && s.Outcome.Code == apperr.Canceled:
		to = Canceled
		if s.Job.Report == "" {
			s.Job.Report = canceledReport(s)
		}
	case s.Job.Code != "":
		to = Failed
	}
	if err := r.end(s, to); err != nil {
		return graph.Move{}, err
	}
	return graph.To(graph.End), nil
}

// end gives the job its last state, closes what is open and tells the customer.
func (r *Runner) end(s *Run, to State) error {
	r.box.ReleaseJob(s.Job.ID)
	s.interrupted()
	s.leaveLoop()
	reason := ""
	for i := range s.Job.Todos {
		switch t := s.Job.Todos[i]; t.State {
		case TodoPending, TodoRunning, TodoWaiting:
			s.markAt(i, TodoSkipped, nodeDone)
		case TodoFailed:
			reason = t.Text
		case TodoDone, TodoSkipped:
		}
	}
	if to == Canceled {
		reason = bilingual.Say(s.Job.Lang, "멈췄어요", "Stopped")
	}
	if s.Job.State == Waiting && to == Succeeded {
		if err := s.move(Running, ""); err != nil {
			return err
		}
	}
	s.Job.Ended = r.now()
	if err := s.move(to, reason); err != nil {
		return err
	}
	if s.AskID != "" {
		s.out.Close = s.AskID
		s.emit(event.AskClosed{ID: s.AskID, JobID: s.Job.ID, Choice: "none", By: "system", Reason: string(to)})
		s.AskID = ""
	}
	began := s.Job.Started
	if began.IsZero() {
		began = s.Job.Created
	}
	if s.Job.Worded {
		s.Job.Did = r.effects(s, to)
	}
	s.Job.Undoable = r.undoable(s.Job)
	s.emit(event.JobReport{
		JobID: s.Job.ID, Text: s.Job.Report, Did: s.Job.Did, Undoable: s.Job.Undoable, ToolsUsed: s.Job.toolsUsed(), Seconds: s.Job.Ended.Sub(began).Seconds(),
	})
	code := s.Job.Code
	if to == Canceled {
		code = apperr.Canceled
	}
	if s.Job.Counter {
		return nil
	}
	id := s.Job.Message
	if id == "" {
		id = r.newID()
	}
	s.out.Message = &event.ChatMessage{
		ID: id, Role: event.RoleJob, Text: s.Job.Report, JobID: s.Job.ID, Turn: s.Job.Turn, Code: string(code), Time: event.Stamp(s.Job.Ended),
		Reasoning: s.Job.Reasoning, Did: s.Job.Did,
	}
	return nil
}

// undoable tells whether something of what a job did can be taken back. Of a step that was broken off, the tool's own journal knows
// how far it came.
func (r *Runner) undoable(j Job) bool {
	return slices.ContainsFunc(j.Todos, func(t Todo) bool {
		if len(t.Inverses()) > 0 {
			return true
		}
		spec, err := r.box.Spec(t.Tool)
		return err == nil && spec.Undo && spec.Effect == toolbox.EffectIdempotent && t.State != TodoDone && t.Node == nodeDone && !j.Started.IsZero()
	})
}
