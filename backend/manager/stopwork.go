package manager

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/job"
	"agentchat/backend/language/hangul"
	"agentchat/backend/provider"
)

// stopWork stops the jobs a StopPlan means. When it could mean several, the customer chooses by button.
func (m *Manager) stopWork(ctx context.Context, t *Turn) (graph.Move, error) {
	stop := *t.Plan.Stop
	jobs, err := m.atWork(ctx, t.Chat, 0)
	if err != nil {
		return graph.Move{}, err
	}
	hit := meant(stop, jobs)
	t.Next = event.NextNone
	switch {
	case len(hit) == 0:
		t.Reply = t.say("지금 멈출 일이 없어요.", "There is nothing running to stop.")
	case stop.All:
		t.Reply = t.stopping(hit)
		if m.deps.Jobs.CancelChat(t.Chat) == 0 {
			t.Reply = t.say("이미 끝난 일이에요.", "That has ended already.")
		}
	case len(hit) == 1:
		t.Reply = m.cancelAll(t, hit)
	default:
		t.Reply = t.say("어느 것을 멈출까요?", "Which one should be stopped?")
		for _, j := range hit {
			t.Buttons = append(t.Buttons, event.Button{
				ID: cancelAction + j.ID, Label: fmt.Sprintf("No.%d %s", j.Number, j.Title),
			})
		}
		t.Buttons = append(t.Buttons, event.Button{ID: cancelAction + "tool:" + stop.Tool, Label: t.say("모두 멈추기", "Stop them all")})
		t.Next = event.NextConfirm
	}
	return graph.To(nodeSave), nil
}

// meant are the jobs a StopPlan means, of jobs with the newest first.
func meant(stop provider.StopPlan, jobs []job.Job) []job.Job {
	var hit []job.Job
	for _, j := range jobs {
		if stop.Job != "" && j.ID != stop.Job {
			continue
		}
		if stop.All || stop.Tool == "" || usesTool(j, stop.Tool) {
			hit = append(hit, j)
		}
	}
	if stop.Newest && !stop.All {
		hit = hit[:min(len(hit), 1)]
	}
	return hit
}

func usesTool(j job.Job, tool string) bool {
	return slices.ContainsFunc(j.Todos, func(t job.Todo) bool { return t.Tool == tool && t.State != job.TodoDone })
}

func (m *Manager) cancelAll(t *Turn, jobs []job.Job) string {
	var stopped []job.Job
	for _, j := range jobs {
		if err := m.deps.Jobs.CancelJob(j.ID); err == nil {
			stopped = append(stopped, j)
		}
	}
	if len(stopped) == 0 {
		return t.say("이미 끝난 일이에요.", "That has ended already.")
	}
	return t.stopping(stopped)
}

// mostNamed is how many jobs a sentence names.
const mostNamed = 5

// stopping says which jobs are being stopped.
func (t *Turn) stopping(jobs []job.Job) string {
	names := make([]string, 0, mostNamed)
	for _, j := range jobs[:min(len(jobs), mostNamed)] {
		names = append(names, t.say("‘"+j.Title+"’", "“"+j.Title+"”"))
	}
	list := strings.Join(names, ", ")
	if more := len(jobs) - len(names); more > 0 {
		return t.say(fmt.Sprintf("%s 말고도 %d가지, 모두 %d가지 일을 멈출게요.", list, more, len(jobs)), fmt.Sprintf("Stopping %s and %d more, %d in all.", list, more, len(jobs)))
	}
	return t.say(hangul.With(list, "을", "를")+" 멈출게요.", "Stopping "+list+".")
}

// currentTool is the tool of the step a job is at.
func currentTool(j job.Job) string {
	if tools := left(j); len(tools) > 0 {
		return tools[0]
	}
	return ""
}

// left are the tools of the steps of a job that are not over, from the one it is at.
func left(j job.Job) (tools []string) {
	for _, t := range j.Todos {
		if t.State != job.TodoDone && t.State != job.TodoFailed && t.State != job.TodoSkipped {
			tools = append(tools, t.Tool)
		}
	}
	return tools
}
