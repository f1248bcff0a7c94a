package job

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/graph"
	"agentchat/backend/language/bilingual"
)

// maxTries bounds how often one todo may go back to the tool chooser, corrections by the customer included.
const maxTries = 8

// maxRepairs is how often arguments that do not fit the tool go back to the chooser with what is wrong with them.
const maxRepairs = 2

func (r *Runner) pick(_ context.Context, s *Run) (graph.Move, error) {
	if !s.hasTodo() {
		return r.toReport(s), nil
	}
	s.mark(TodoRunning, nodePick)
	s.log("info", bilingual.Say(s.Job.Lang, "%d번째 할 일을 시작해요: %s", "Starting step %d: %s", s.Cur+1, s.todo().Title))
	return graph.To(nodeNeed).Soon(), nil
}

func (r *Runner) need(_ context.Context, s *Run) (graph.Move, error) {
	if s.todo().Tool == "" {
		s.mark(TodoRunning, nodeReactInput)
		return graph.To(nodeReactInput), nil
	}
	s.mark(TodoRunning, nodeChoose)
	move := graph.To(nodeChoose)
	if len(s.todo().Args) > 0 { // else the model is asked for them, and that the todo has begun is told before
		move = move.Soon()
	}
	return move, nil
}

// choose settles on the tool and its arguments. The planner's own suggestion is taken when it fits the schema;
// otherwise, and after a correction, the tool chooser is asked. Code validates both alike.
func (r *Runner) choose(ctx context.Context, s *Run) (graph.Move, error) {
	t := s.todo()
	if spec, err := r.box.Spec(t.Tool); err != nil {
		return s.fail(err), nil
	} else if spec.Off {
		return s.fail(apperr.New(apperr.ToolOff, "tool", spec.Title)), nil
	}
	if s.Job.Counter {
		return r.confirmed(s), nil
	}
	if s.Job.Guest != nil {
		return r.demanded(s), nil
	}
	if len(t.Args) > 0 && s.Correction == "" && s.Tries == 0 {
		if args, err := r.box.ValidateArgs(t.Tool, t.Args); err == nil {
			return r.chosen(s, args), nil
		}
	}
	if s.Job.State == Waiting {
		// A worker has it again after a question: that is told before the model is asked, which may take a while.
		s.mark(TodoRunning, nodeChoose)
		return graph.To(nodeChoose), s.move(Running, "")
	}
	if s.Tries++; s.Tries > maxTries {
		return s.fail(errTooComplex()), nil
	}
	b := r.brief(ctx, s)
	for repair := 0; ; repair++ {
		call, err := r.interp.ChooseTool(ctx, b)
		switch {
		case ctx.Err() != nil:
			return graph.Move{}, ctx.Err()
		case err != nil:
			return s.fail(err), nil
		}
		// A todo keeps its tool: the chooser fills in the call, it does not pick another effect than the one planned.
		if len(call.Missing) > 0 {
			s.mark(TodoWaiting, nodeAskInput)
			s.Previous = call.Args
			s.todo().Text = call.Question
			return graph.To(nodeAskInput), nil
		}
		args, err := r.box.ValidateArgs(t.Tool, call.Args)
		if err == nil {
			return r.chosen(s, args), nil
		}
		if repair == maxRepairs {
			return s.fail(err), nil
		}
		b.Problem = apperr.From(err).Text(bilingual.EN)
	}
}

// chosen takes a call whose arguments fit. One that names what there is not goes back to the customer before anything is leased.
func (r *Runner) chosen(s *Run, args []byte) graph.Move {
	t := s.todo()
	if spec, err := r.box.Spec(t.Tool); err == nil && spec.Outside == "" && s.Job.Guest == nil {
		if u, unknown := r.names.Unknown(spec.Params, args, s.Job.Lang); unknown {
			s.mark(TodoWaiting, nodeAskInput)
			s.Previous, s.Near, s.todo().Text = args, u.Near, nameQuestion(s.Job.Lang, u)
			return graph.To(nodeAskInput)
		}
	}
	s.setCall(t.Tool, args)
	s.Correction, s.Previous = "", nil
	s.mark(TodoRunning, nodeAcquire)
	s.log("info", bilingual.Say(s.Job.Lang, "공구를 골랐어요: %s", "Chose the tool: %s", r.called(s.Job.Lang, t.Tool, args)))
	return graph.To(nodeAcquire).Soon()
}

func (r *Runner) askInput(_ context.Context, s *Run) (graph.Move, error) {
	question := s.todo().Text
	if question == "" {
		question = bilingual.Say(s.Job.Lang, "조금 더 알려 주세요.", "Please tell me a little more.")
	}
	near := s.Near
	s.todo().Text, s.Near = "", nil
	return r.open(s, ask.Ask{
		Kind: ask.KindInput, Question: question, Tool: s.todo().Tool,
		Choices: []string{ask.ChoiceValue, ask.ChoiceCancel}, Near: near,
	}, nodeAskInput, nodeReadInput)
}

func (r *Runner) readInput(ctx context.Context, s *Run) (graph.Move, error) {
	answer, parked, err := r.answer(ctx, s, nodeReadInput)
	if answer == nil {
		return parked, err
	}
	if answer.Choice == ask.ChoiceCancel {
		return r.cancelHere(s), nil
	}
	if s.Loop != nil {
		l := s.Loop
		l.Asking, l.Rounds[len(l.Rounds)-1].Answer = false, answer.Text
		s.mark(TodoWaiting, nodeReactLLM)
		return graph.To(nodeReactLLM), nil
	}
	s.Correction = answer.Text
	s.mark(TodoWaiting, nodeChoose)
	return graph.To(nodeChoose), nil
}

// open asks a person a question and parks the job until it is answered.
func (r *Runner) open(s *Run, a ask.Ask, here, resumeAt string) (graph.Move, error) {
	a.ID, a.State, a.Chat, a.JobID, a.JobTitle = r.newID(), ask.StateOpen, s.Job.Chat, s.Job.ID, s.Job.Title
	a.TodoID, a.Opened = s.todo().ID, r.now()
	s.AskID = a.ID
	s.out.Open = &a
	s.mark(TodoWaiting, here)
	s.log("info", bilingual.Say(s.Job.Lang, "물어봤어요: %s", "Asked: %s", a.Question))
	if err := s.move(Waiting, a.Question); err != nil {
		return graph.Move{}, err
	}
	return graph.Park(resumeAt).Durable(), nil
}

// answer gives the answer to the question the job is parked on. Without one the job parks again: it may have been woken early.
func (r *Runner) answer(ctx context.Context, s *Run, here string) (*ask.Answer, graph.Move, error) {
	a, err := r.store.Ask(ctx, s.AskID)
	if err != nil {
		return nil, graph.Move{}, err
	}
	if a.Answer == nil {
		return nil, graph.Park(here), nil
	}
	s.out.Consume = a.ID
	s.AskID = ""
	s.log("info", bilingual.Say(s.Job.Lang, "답을 받았어요: %s", "Answered: %s", choiceName(s.Job.Lang, a.Answer.Choice)))
	return a.Answer, graph.Move{}, nil
}

// cancelHere ends the job because the customer said so in an answer.
func (r *Runner) cancelHere(s *Run) graph.Move {
	s.Outcome = &Outcome{Code: "canceled", Text: bilingual.Say(s.Job.Lang, "취소했어요.", "Canceled.")}
	if r.begun(s) { // then that is not all there is to tell
		return graph.To(nodeSave)
	}
	return graph.To(nodeDone)
}
