package takeaway

import (
	"context"
	"strconv"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/export"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
)

// Ticket makes a document of a ticket: what was asked, what was reported, and what each step brought. Errors: not_found, storage errors.
func (m *Maker) Ticket(ctx context.Context, id string) (*export.Document, error) {
	rec, err := m.Store.LoadRun(ctx, id)
	if err != nil {
		return nil, err
	}
	return m.ticket(rec.Run.Job), nil
}

// Numbered makes a document of the ticket with a number. Errors: not_found, storage errors.
func (m *Maker) Numbered(ctx context.Context, number int64) (*export.Document, error) {
	list, err := m.Store.Tickets(ctx, job.TicketFilter{}, number+1, 1)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 || list[0].Number != number {
		return nil, apperr.New(apperr.NotFound, "what", "job", "id", strconv.FormatInt(number, 10))
	}
	return m.Ticket(ctx, list[0].ID)
}

// For makes a document of what a step of a job is to make a file of: what the steps before it brought, or else the last answer of the chat before the job was asked for. It is the
// ticket itself that is not over yet. Errors: those of Answer.
func (m *Maker) For(ctx context.Context, id, todo, chat string, tables bool) (*export.Document, error) {
	rec, err := m.Store.LoadRun(ctx, id)
	if err != nil {
		return nil, err
	}
	j := rec.Run.Job
	before := j
	before.Todos, before.Report, before.Did = nil, "", nil
	for _, t := range j.Todos {
		if t.ID == todo {
			break
		}
		if strings.TrimSpace(t.Text) != "" && t.State == job.TodoDone {
			before.Todos = append(before.Todos, t)
		}
	}
	if len(before.Todos) > 0 {
		if d := m.ticket(before); !tables || len(d.Tables()) > 0 {
			return d, nil
		}
	}
	return m.Answer(ctx, chat, j.Turn, tables)
}

// Before makes a document of what was said in a chat before a job was asked for. Errors: those of Chat.
func (m *Maker) Before(ctx context.Context, id, chat string) (*export.Document, error) {
	rec, err := m.Store.LoadRun(ctx, id)
	if err != nil {
		return nil, err
	}
	return m.Chat(ctx, chat, rec.Run.Job.Turn)
}

func (m *Maker) ticket(j job.Job) *export.Document {
	w := &writing{Maker: m, lang: m.Lang()}
	d := &export.Document{Title: j.Title, Lang: w.lang, Made: j.Created, Values: valuesOf(j)}
	if !j.Ended.IsZero() {
		d.Made = j.Ended
	}
	d.Note = w.from(j.Imported) + bilingual.Say(w.lang, "일 %d번", "Job %d", j.Number)
	if !d.Made.IsZero() {
		d.Note += " · " + w.when(d.Made)
	}
	if request := strings.TrimSpace(j.Request); request != "" && request != strings.TrimSpace(j.Title) {
		d.Blocks = append(d.Blocks, export.Quote{Blocks: []export.Block{export.Plain(request)}})
	}
	report := strings.TrimSpace(j.Report)
	if report == "" {
		report = strings.TrimSpace(j.Reason)
	}
	d.Blocks = append(d.Blocks, export.Parse(report)...)
	for _, todo := range j.Todos {
		text := strings.TrimSpace(todo.Text)
		if text == "" || text == report {
			continue
		}
		if len(j.Todos) > 1 {
			d.Blocks = append(d.Blocks, export.Heading{Level: 2, Runs: []export.Run{{Text: todo.Title}}})
		}
		d.Blocks = append(d.Blocks, export.Parse(text)...)
	}
	if len(d.Values) > 0 && !hasTable(d.Blocks) {
		d.Blocks = append(d.Blocks, shown(d.Values)...)
	}
	for _, line := range w.done(j.Did, j.Imported) {
		d.Blocks = append(d.Blocks, export.Plain(line))
	}
	return d
}

// slip is a ticket as it stands in a conversation: its number, its title and how it ended, and below them its steps where it has several.
// One that is gone has none. Errors: storage errors.
func (w *writing) slip(id string) ([]export.Block, error) {
	rec, err := w.Store.LoadRun(w.ctx, id)
	if err != nil {
		if apperr.CodeOf(err) == apperr.NotFound {
			err = nil
		}
		return nil, err
	}
	j := rec.Run.Job
	row := func(cells ...string) [][]export.Run {
		runs := make([][]export.Run, len(cells))
		for i, c := range cells {
			runs[i] = []export.Run{{Text: c}}
		}
		return runs
	}
	t := export.Table{
		Form: true, Aligns: []export.Align{export.Left, export.Left, export.Right},
		Head: row(bilingual.Say(w.lang, "일 %d번", "Job %d", j.Number), j.Title, stateWord(j.State, w.lang)),
	}
	for i, todo := range j.Todos {
		if len(j.Todos) > 1 {
			t.Rows = append(t.Rows, row(strconv.Itoa(i+1), todo.Title, todoWord(todo.State, w.lang)))
		}
	}
	return []export.Block{t}, nil
}

// stateWord is the window's word for how a job stands.
func stateWord(s job.State, lang bilingual.Lang) string {
	switch s {
	case job.Queued:
		return bilingual.Say(lang, "대기열", "Queued")
	case job.Running:
		return bilingual.Say(lang, "하는 중", "Working")
	case job.Waiting:
		return bilingual.Say(lang, "기다리는 중", "Waiting")
	case job.Succeeded:
		return bilingual.Say(lang, "끝", "Done")
	case job.Failed:
		return bilingual.Say(lang, "실패", "Failed")
	case job.Canceled:
		return bilingual.Say(lang, "취소됨", "Canceled")
	}
	return ""
}

// todoWord is that for a step.
func todoWord(s job.TodoState, lang bilingual.Lang) string {
	switch s {
	case job.TodoPending:
		return stateWord(job.Queued, lang)
	case job.TodoRunning:
		return stateWord(job.Running, lang)
	case job.TodoWaiting:
		return stateWord(job.Waiting, lang)
	case job.TodoDone:
		return stateWord(job.Succeeded, lang)
	case job.TodoFailed:
		return stateWord(job.Failed, lang)
	case job.TodoSkipped:
		return bilingual.Say(lang, "건너뜀", "Skipped")
	}
	return ""
}
