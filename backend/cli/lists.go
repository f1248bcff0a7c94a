package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
)

// shopState is as much of a snapshot as the lists show.
type shopState struct {
	Jobs []job.View        `json:"jobs"`
	Asks []event.AskOpened `json:"asks"`
}

func (r *run) state(ctx context.Context, c *client) (s shopState, err error) {
	return s, c.do(ctx, "snapshot", nil, &s)
}

func ended(j job.View) bool {
	s := job.State(j.State)
	return s == job.Succeeded || s == job.Failed || s == job.Canceled
}

var stateNames = map[job.State]bilingual.Text{
	job.Queued: {KO: "차례 기다림", EN: "in line"}, job.Running: {KO: "하는 중", EN: "running"}, job.Waiting: {KO: "기다림", EN: "waiting"},
	job.Succeeded: {KO: "끝남", EN: "done"}, job.Failed: {KO: "실패", EN: "failed"}, job.Canceled: {KO: "그만둠", EN: "canceled"},
}

func jobsCommand() command {
	return command{
		name: "jobs", params: "[--all]", what: bilingual.Of("지금 하는 일과 기다리는 일", "What runs and what waits"),
		flags: func(set *flag.FlagSet) func(*run) {
			all := set.Bool("all", false, "")
			return func(r *run) { r.own = *all }
		},
		do: func(ctx context.Context, r *run) int {
			return r.at(ctx, func(c *client) int {
				s, err := r.state(ctx, c)
				if err != nil {
					return r.trouble(ctx, err)
				}
				if !r.own.(bool) {
					s.Jobs = slices.DeleteFunc(s.Jobs, ended)
				}
				r.listJobs(s)
				return Done
			})
		},
	}
}

func (r *run) listJobs(s shopState) {
	var rows [][]string
	for _, j := range s.Jobs {
		if r.json {
			r.print(j)
			continue
		}
		why := cell(j.Reason, 60)
		if i := slices.IndexFunc(s.Asks, func(a event.AskOpened) bool { return a.JobID == j.ID }); i >= 0 {
			why = "? " + cell(s.Asks[i].Question, 60) + " (" + r.Name + " answer " + handle(s.Asks[i]) + ")"
		}
		rows = append(rows, []string{"#" + strconv.FormatInt(j.Number, 10), stateNames[job.State(j.State)].In(r.lang), cell(j.Title, 40), why})
	}
	r.table(rows)
	if len(rows) == 0 && !r.json {
		r.note("하는 일이 없어요.", "Nothing runs.")
	}
}

func answerCommand() command {
	return command{
		name: "answer", params: "[QUESTION CHOICE [TEXT…]]",
		what: bilingual.Of("열린 질문을 보여 주고, 답해요", "Shows the open questions, and answers one"),
		do: func(ctx context.Context, r *run) int {
			return r.at(ctx, func(c *client) int { return r.answer(ctx, c) })
		},
		offers: func(r *run) []offer {
			var list []offer
			r.peek(func(s shopState) {
				if len(r.words) > 1 {
					return
				}
				for _, a := range s.Asks {
					if len(r.words) == 0 {
						list = append(list, offer{handle(a), cell(a.Question, 60)})
					} else if found, _, n := meant(s.Asks, r.words[0]); n == 1 && found.ID == a.ID {
						for i, o := range options(a) {
							list = append(list, offer{strconv.Itoa(i + 1), o.label.In(r.lang)})
						}
					}
				}
			})
			return list
		},
	}
}

func (r *run) answer(ctx context.Context, c *client) int {
	s, err := r.state(ctx, c)
	if err != nil {
		return r.trouble(ctx, err)
	}
	if len(r.words) == 0 {
		return r.listAsks(s.Asks)
	}
	a, bound, n := meant(s.Asks, r.words[0])
	if n != 1 {
		return r.misspelt(r.say("그런 질문이 열려 있지 않아요: %s. 답했거나, 보여 준 것이 그 뒤에 바뀌었어요. `%s answer`가 지금 것을 보여 줘요.", "No such question is open: %s. It was answered, or what it shows has changed. `%s answer` shows those that are.", r.words[0], r.Name))
	}
	if len(r.words) == 1 {
		return r.listAsks([]event.AskOpened{a})
	}
	fields, ok := chosen(a, strings.Join(r.words[1:], " "))
	if !ok {
		_ = r.listAsks([]event.AskOpened{a})
		return r.misspelt(r.say("그런 답은 없어요: %s", "There is no such answer: %s", strings.Join(r.words[1:], " ")))
	}
	if !bound && binds(fields["choice"]) && a.Digest != "" { // an answer holds for what was shown
		_ = r.listAsks([]event.AskOpened{a})
		return r.misspelt(r.say("허락은 보여 준 것에만 해요. 이름을 끝까지 적어 주세요: %s", "What is allowed is what was shown. Write the whole name: %s", handle(a)))
	}
	var result json.RawMessage
	if err := c.do(ctx, "answer", fields, &result); err != nil {
		return r.trouble(ctx, err)
	}
	if r.json {
		r.print(result)
	}
	return Done
}

// binds tells whether an answer lets something run, or counts it as done.
func binds(choice any) bool {
	return choice == ask.ChoiceApprove || choice == ask.ChoiceEdit || choice == ask.ChoiceRunAgain || choice == ask.ChoiceHappened
}

func (r *run) listAsks(asks []event.AskOpened) int {
	for _, a := range asks {
		if r.json {
			r.print(a)
			continue
		}
		_, _ = fmt.Fprintf(r.Out, "%s\n  %s answer %s …\n", strings.TrimPrefix(plain(r.shown(a)), "\n"), r.Name, handle(a))
	}
	if len(asks) == 0 && !r.json {
		r.note("열린 질문이 없어요.", "No question is open.")
	}
	return Done
}

func stopCommand() command {
	return command{
		name: "stop", params: "JOB… | reply", what: bilingual.Of("일을 멈추거나, 쓰던 답을 멈춰요", "Stops jobs, or the reply that is being written"),
		flags: func(set *flag.FlagSet) func(*run) {
			chat := set.String("chat", "main", "")
			return func(r *run) { r.own = *chat }
		},
		do: func(ctx context.Context, r *run) int {
			if len(r.words) == 0 {
				return r.misspelt(r.say("어느 일을 멈출까요? 번호는 `%s jobs`에 있어요.", "Stop what? The numbers are in `%s jobs`.", r.Name))
			}
			return r.at(ctx, func(c *client) int { return r.stop(ctx, c) })
		},
		offers: func(r *run) (list []offer) {
			r.peek(func(s shopState) {
				for _, j := range s.Jobs {
					if !ended(j) {
						list = append(list, offer{strconv.FormatInt(j.Number, 10), cell(j.Title, 60)})
					}
				}
			})
			return append(list, offer{"reply", r.say("쓰던 답", "the reply being written")})
		},
	}
}

func (r *run) stop(ctx context.Context, c *client) int {
	s, err := r.state(ctx, c)
	if err != nil {
		return r.trouble(ctx, err)
	}
	for _, word := range r.words {
		cmd, fields := "stop_reply", map[string]any{"chat": r.own}
		if word != "reply" {
			id, ok := jobOf(s.Jobs, word)
			if !ok {
				return r.misspelt(r.say("그런 일이 없어요: %s", "There is no such job: %s", word))
			}
			cmd, fields = "cancel", map[string]any{"job": id}
		}
		var result json.RawMessage
		if err := c.do(ctx, cmd, fields, &result); err != nil {
			return r.trouble(ctx, err)
		}
		if r.json {
			r.print(result)
		}
	}
	return Done
}

// jobOf finds a job by its ticket's number or by its id.
func jobOf(jobs []job.View, word string) (id string, ok bool) {
	word = strings.TrimPrefix(word, "#")
	for _, j := range jobs {
		if j.ID == word || strconv.FormatInt(j.Number, 10) == word {
			return j.ID, true
		}
	}
	return "", false
}

// taken are the flags of export.
type taken struct{ chat, job, format string }

func exportCommand() command {
	return command{
		name: "export", params: "[--chat ID | --job JOB] [--format md] FILE",
		what: bilingual.Of("대화나 일 하나를 파일로 내보내요", "Writes a chat or a job into a file"),
		flags: func(set *flag.FlagSet) func(*run) {
			var o taken
			set.StringVar(&o.chat, "chat", "main", "")
			set.StringVar(&o.job, "job", "", "")
			set.StringVar(&o.format, "format", "", "")
			return func(r *run) { r.own = o }
		},
		do: func(ctx context.Context, r *run) int {
			if len(r.words) != 1 {
				return r.misspelt(r.say("파일 하나를 적어 주세요. 예: %s export 대화.pdf", "Name one file, for example: %s export chat.pdf", r.Name))
			}
			path, err := filepath.Abs(r.words[0])
			if err != nil {
				return r.failed(err)
			}
			return r.at(ctx, func(c *client) int { return r.export(ctx, c, path, r.own.(taken)) })
		},
	}
}

func (r *run) export(ctx context.Context, c *client, path string, o taken) int {
	fields := map[string]any{"path": path, "format": o.format}
	if o.job != "" {
		s, err := r.state(ctx, c)
		if err != nil {
			return r.trouble(ctx, err)
		}
		id, ok := jobOf(s.Jobs, o.job)
		if !ok {
			return r.misspelt(r.say("그런 일이 없어요: %s", "There is no such job: %s", o.job))
		}
		fields["job"] = id
	} else {
		fields["chat"] = o.chat
	}
	var result json.RawMessage
	if err := c.do(ctx, "export", fields, &result); err != nil {
		return r.trouble(ctx, err)
	}
	if r.json {
		r.print(result)
	}
	return Done
}
