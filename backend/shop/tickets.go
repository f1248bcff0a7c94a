package shop

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/policy"
	"agentchat/backend/spreadsheet"
	"agentchat/backend/toolbox"
)

// mostTickets bounds a page of the list of all jobs.
const mostTickets = 500

// TicketPage is a part of the list of all jobs, the newest first. Total is how many jobs the filter wants in all; Next is the cursor of the
// page behind this one, 0 when there is none.
type TicketPage struct {
	Tickets []job.Ticket `json:"tickets"`
	Total   int          `json:"total"`
	Next    int64        `json:"next,omitempty"`
}

// Tickets gives up to limit jobs that a filter wants, behind a cursor (0: from the newest on). Errors: invalid_args.
func (s *Shop) Tickets(ctx context.Context, f job.TicketFilter, cursor int64, limit int) (page TicketPage, err error) {
	if limit <= 0 || limit > mostTickets {
		limit = mostTickets
	}
	if page.Tickets, err = s.store.Tickets(ctx, f, cursor, limit+1); err != nil {
		return page, err
	}
	if len(page.Tickets) > limit {
		page.Tickets = page.Tickets[:limit]
		page.Next = page.Tickets[limit-1].Number
	}
	page.Total, err = s.store.CountTickets(ctx, f)
	return page, err
}

// Again is what became of saying the message behind a job once more: the message, or what the job did outside of the shop, which a person
// looks at before it is said.
type Again struct {
	Message *event.ChatMessage `json:"message,omitempty"`
	Did     []string           `json:"did,omitempty"`
}

// SayAgain says the customer's message that a job came of once more, in its chat, as a message like any other. Where the job did something
// outside of the shop nothing is said, and that is told, unless they are sure. Errors: not_found when the message is gone, those of Say.
func (s *Shop) SayAgain(ctx context.Context, id string, sure bool) (a Again, err error) {
	rec, err := s.store.LoadRun(ctx, id)
	if err != nil {
		return a, err
	}
	j := rec.Run.Job
	from := j.Turn
	if j.Began != "" {
		from = j.Began
	}
	chat, msg, err := s.store.Request(ctx, from)
	if err != nil {
		return a, err
	}
	if a.Did = s.outside(j); len(a.Did) > 0 && !sure {
		return a, nil
	}
	said := event.ChatMessage{}
	if msg.About != nil {
		said, err = s.SayAbout(ctx, chat, msg.Text, msg.About.DocumentID)
	} else {
		said, err = s.Say(ctx, chat, msg.Text, "", "")
	}
	return Again{Message: &said}, err
}

// didText bounds what is told of one thing that a job did, in characters.
const didText = 200

// outside tells what a job did outside of the shop, a line each: with tools that must not run twice, or that ask before they run.
func (s *Shop) outside(j job.Job) (did []string) {
	for _, t := range j.Todos {
		tools := t.Used
		if t.Ran && len(tools) == 0 {
			tools = []string{t.Tool}
		}
		for _, tool := range tools {
			spec, err := s.box.Spec(tool)
			if err == nil && (spec.Effect == toolbox.EffectRead || spec.Effect != toolbox.EffectOnce && spec.Confirm == toolbox.ConfirmNever) {
				continue
			}
			line := tool // one that is gone is known by its key alone
			if err == nil {
				line = spec.Title.In(j.Lang)
			}
			if text := strings.TrimSpace(t.Text); text != "" && !t.Untrusted && len(tools) == 1 {
				line += ": " + policy.Visible(text, didText)
			}
			did = append(did, line)
		}
	}
	return did
}

// exportedTicket is a job as a file has it.
type exportedTicket struct {
	job.Ticket
	ChatTitle string `json:"chatTitle"`
}

var ticketColumns = []string{"number", "title", "state", "text", "code", "tools", "chat", "chatTitle", "standing", "created", "started", "ended", "id", "imported"}

// ExportTickets writes the jobs that a filter wants, the newest first, into a file that only its owner can read, whole or not at all, as csv
// or json. An empty format goes by the file's name. It tells how many they are. Errors: invalid_args, storage errors.
func (s *Shop) ExportTickets(ctx context.Context, path, format string, f job.TicketFilter) (rows int, err error) {
	if format == "" {
		format = strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	}
	writer := map[string]func(io.Writer) (func(exportedTicket) error, func() error){"csv": csvTickets, "json": jsonTickets}[format]
	if path == "" || writer == nil {
		return 0, apperr.New(apperr.InvalidArgs, "detail", "path, format: csv | json")
	}
	chats, err := s.store.Chats(ctx)
	if err != nil {
		return 0, err
	}
	titles := map[string]string{}
	for _, c := range chats {
		titles[c.ID] = c.Title
	}
	err = writeWhole(path, func(file io.Writer) error {
		write, end := writer(file)
		for cursor := int64(0); ; {
			page, err := s.store.Tickets(ctx, f, cursor, mostTickets)
			if err != nil {
				return err
			}
			for _, t := range page {
				if err := write(exportedTicket{t, titles[t.Chat]}); err != nil {
					return err
				}
				rows, cursor = rows+1, t.Number
			}
			if len(page) < mostTickets {
				return end()
			}
		}
	})
	return rows, err
}

func csvTickets(file io.Writer) (write func(exportedTicket) error, end func() error) {
	table := spreadsheet.New(file, ticketColumns...)
	return func(t exportedTicket) error {
		return table.Row(strconv.FormatInt(t.Number, 10), t.Title, t.State, t.Text, t.Code, strings.Join(t.Tools, " "), t.Chat, t.ChatTitle, t.Standing, t.Created, t.Started, t.Ended, t.ID, strconv.FormatBool(t.Imported))
	}, table.Close
}

// jsonTickets writes one list, an entry a line.
func jsonTickets(file io.Writer) (write func(exportedTicket) error, end func() error) {
	before := "[\n"
	return func(t exportedTicket) error {
			data, err := json.Marshal(t)
			if err == nil {
				_, err = io.WriteString(file, before+string(data))
			}
			before = ",\n"
			return err
		}, func() error {
			if before == "[\n" {
				_, err := io.WriteString(file, "[]\n")
				return err
			}
			_, err := io.WriteString(file, "\n]\n")
			return err
		}
}
