package job

import (
	"bytes"
	"context"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/graph"
	"agentchat/backend/language/bilingual"
)

// The solve loop (seed 003): input → llm → conditional → tool → llm …, until response or error. A tool that it asks for passes the same
// nodes as any other call (acquire, confirm_check, exec, save_result, release), so it is authorized in the same way.

// reactInput starts the loop, or continues one that another version of the program began.
func (r *Runner) reactInput(_ context.Context, s *Run) (graph.Move, error) {
	if s.Loop == nil {
		s.Loop = &Loop{Began: r.now()}
	}
	if strings.TrimSpace(s.todo().Request) == "" {
		s.Loop.Problem = s.problem(apperr.New(apperr.EmptyMessage))
		s.mark(TodoRunning, nodeReactError)
		return graph.To(nodeReactError), nil
	}
	s.mark(TodoRunning, nodeReactLLM)
	return graph.To(nodeReactLLM), nil
}

// reactLLM asks the model for the next round.
func (r *Runner) reactLLM(ctx context.Context, s *Run) (graph.Move, error) {
	l := s.Loop
	s.mark(TodoRunning, nodeReactLLM)
	switch {
	case s.Job.State == Waiting: // a worker has it again after a question: that is told before the model is asked
		return graph.To(nodeReactLLM), s.move(Running, "")
	case s.inLoop(): // what the model asked for last is not settled yet
		return graph.To(nodeReactConditional), nil
	case l.Count >= r.maxRounds(): // no round is left for an answer
		l.Count++
		return graph.To(nodeReactConditional), nil
	}
	b := r.brief(ctx, s)
	// The same words in every round, the time too, so that a model has to read only what is new.
	b.Message, b.Now, b.Rounds = s.todo().ID, l.Began, l.rounds()
	b.Final, b.Again = l.Count+1 >= r.maxRounds() && l.Count > 0, l.Count > 0 || l.Retries > 0
	solution, err := r.interp.Solve(ctx, b)
	switch {
	case ctx.Err() != nil:
		return graph.Move{}, ctx.Err()
	case err != nil && l.Retries < maxRetries && again(err):
		l.Retries++
		s.log("warn", bilingual.Say(s.Job.Lang, "통역가에게 다시 물어봐요 (%d/%d): %s", "Asking the interpreter again (%d/%d): %s", l.Retries, maxRetries, apperr.From(err).Text(s.Job.Lang)))
		return graph.To(nodeReactLLM), nil
	case err != nil:
		l.Problem = s.problem(err)
		return graph.To(nodeReactConditional), nil
	}
	l.Count++
	l.Retries = 0
	l.addRequests(solution)
	s.Job.Worded = s.Job.Worded || solution.Worded && len(solution.Calls) == 0
	if s.inLoop() {
		s.selected()
	}
	return graph.To(nodeReactConditional), nil
}

// again tells whether the same request may do better next time. One that is too long will not get shorter.
func again(err error) bool {
	return apperr.CodeOf(err) != apperr.ContextOverflow
}

// reactConditional says what follows a round.
func (r *Runner) reactConditional(_ context.Context, s *Run) (graph.Move, error) {
	l := s.Loop
	switch {
	case l.Problem != nil:
		s.mark(TodoRunning, nodeReactError)
		return graph.To(nodeReactError), nil
	case l.Count > r.maxRounds():
		l.Problem = s.problem(errTooComplex())
		s.mark(TodoRunning, nodeReactError)
		return graph.To(nodeReactError), nil
	case l.Asking:
		s.todo().Text = l.Rounds[len(l.Rounds)-1].Ask
		s.mark(TodoWaiting, nodeAskInput)
		return graph.To(nodeAskInput), nil
	case s.inLoop():
		s.mark(TodoRunning, nodeReactTool)
		return graph.To(nodeReactTool), nil
	}
	s.mark(TodoRunning, nodeReactResponse)
	return graph.To(nodeReactResponse), nil
}

// reactTool hands the next request to acquire. One that cannot be run, or was run before, is settled on the spot.
func (r *Runner) reactTool(_ context.Context, s *Run) (graph.Move, error) {
	l := s.Loop
	if !s.inLoop() {
		s.mark(TodoRunning, nodeReactLLM)
		return graph.To(nodeReactLLM), nil
	}
	s.mark(TodoRunning, nodeReactTool)
	q := l.request()
	if err := r.readRequest(q); err != nil {
		o := s.problem(err)
		o.Text = apperr.From(err).Text(bilingual.EN) // for the model
		s.log("warn", bilingual.Say(s.Job.Lang, "공구를 부르는 법이 틀려서 돌려보냈어요: %s", "Sent back a call that was wrong: %s", apperr.From(err).Text(s.Job.Lang)))
		l.recordResult(*o, false)
		s.evaluated()
		return graph.To(nodeReactTool), nil
	}
	if same, ok := l.earlier(q.Tool, q.Args); ok {
		s.log("info", bilingual.Say(s.Job.Lang, "같은 호출이라 앞의 결과를 다시 써요: %s", "The same call as before; its result is used again: %s", q.Tool))
		l.recordResult(Outcome{OK: same.OK, Text: same.Text, Code: same.Code}, same.Untrusted)
		s.evaluated()
		return graph.To(nodeReactTool), nil
	}
	s.setCall(q.Tool, q.Args)
	s.mark(TodoRunning, nodeAcquire)
	s.log("info", bilingual.Say(s.Job.Lang, "공구를 골랐어요: %s", "Chose the tool: %s", r.called(s.Job.Lang, q.Tool, q.Args)))
	return graph.To(nodeAcquire), nil
}

// readRequest checks a request against the box: the tool is there for everybody, and the arguments fit it. They become
// canonical.
func (r *Runner) readRequest(q *Request) error {
	spec, err := r.box.Spec(q.Tool)
	switch {
	case err != nil:
		return err
	case spec.Counter, spec.Library, spec.House: // only the service counter, the library's agent or the shop's own code hands it out
		return apperr.New(apperr.UnknownTool, "tool", q.Tool)
	case q.Malformed != "":
		return apperr.New(apperr.InvalidArgs, "tool", q.Tool, "detail", q.Malformed)
	}
	args, err := r.box.ValidateArgs(q.Tool, q.Args)
	if err == nil {
		q.Args = args
	}
	return err
}

// keepRequest stores the result of the current request; it is the save_result of a loop. Failures and refusals go back to the model like
// results. If it is unknown whether the call took effect, the loop ends, because a person must know that at once.
func (r *Runner) keepRequest(s *Run) {
	foreign := true
	if spec, err := r.box.Spec(s.Call.Tool); err == nil {
		foreign = untrusted(spec)
	}
	if s.Outcome.Code == apperr.InDoubt {
		s.Loop.Problem = s.Outcome
	}
	r.did(s, foreign)
	if s.Outcome.Undo != nil {
		s.todo().Undos = append(s.todo().Undos, *s.Outcome.Undo)
	}
	o, q := *s.Outcome, s.Loop.request()
	if !bytes.Equal(q.Args, s.Call.Args) { // what ran is what the customer made of it, and the model must know
		q.Args = s.Call.Args
		o.Text = "The customer changed the arguments to " + compact(q.Args) + "\n" + o.Text
	}
	s.Loop.recordResult(o, foreign && o.Ran)
	if s.Exec != nil {
		s.Loop.Kept = s.Exec.ID
	}
	s.evaluated()
}

// reactResponse ends the loop well.
func (r *Runner) reactResponse(_ context.Context, s *Run) (graph.Move, error) {
	o := Outcome{OK: true, Text: s.Loop.Text}
	o.Data = s.Loop.solved(s.Job.Chat, o, r.now())
	s.Outcome = &o
	return graph.To(nodeSave), nil
}

// reactError ends the loop with a sentence for people. What its tools did before that is told with it.
func (r *Runner) reactError(_ context.Context, s *Run) (graph.Move, error) {
	o := *s.Loop.Problem
	if deeds := s.Loop.completedCalls(); deeds != "" {
		o.Text += "\n" + bilingual.Say(s.Job.Lang, "여기까지는 했어요:", "This much was done:") + "\n" + deeds
	}
	o.Data = s.Loop.solved(s.Job.Chat, o, r.now())
	s.Outcome = &o
	s.log("error", s.Loop.Problem.Text)
	return graph.To(nodeSave), nil
}

// problem is an error as a person reads it.
func (s *Run) problem(err error) *Outcome {
	e := apperr.From(err)
	return &Outcome{Text: e.Text(s.Job.Lang), Code: e.Code}
}
