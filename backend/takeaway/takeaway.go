// Package takeaway makes documents of what was said and done: of a conversation, of a reply with what it rests on, and of a ticket. Package export
// makes files of them.
package takeaway

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image/color"
	"image/jpeg"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/brief"
	"agentchat/backend/event"
	"agentchat/backend/export"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/spreadsheet"
)

// Store is what is read of the ledger.
type Store interface {
	Chats(ctx context.Context) ([]manager.Chat, error)
	History(ctx context.Context, chat, before string, limit int) ([]event.ChatMessage, error)
	LoadRun(ctx context.Context, id string) (job.Record, error)
	Tickets(ctx context.Context, f job.TicketFilter, before int64, limit int) ([]job.Ticket, error)
}

// Deps are what the documents are made of. Picture gives an attached picture as a JPEG; one that is gone is left out.
type Deps struct {
	Store   Store
	Picture func(ctx context.Context, id string) ([]byte, error)
	Lang    func() bilingual.Lang
	Zone    func() *time.Location // in which times are told
}

// Maker makes documents. It is safe for concurrent use.
type Maker struct{ Deps }

// New makes a maker.
func New(d Deps) *Maker { return &Maker{d} }

// Blind is a maker that looks at no pictures: for whoever only asks what there is.
func (m *Maker) Blind() *Maker {
	d := m.Deps
	d.Picture = nil
	return New(d)
}

// page is how many messages are read at once, and mostPictures how many pictures one document shows; the others are named.
const (
	page         = 500
	mostPictures = 100
	titleRunes   = 60
)

// history gives the messages of a chat before one of them, oldest first; "" is before none.
func (m *Maker) history(ctx context.Context, chat, before string) ([]event.ChatMessage, error) {
	var pages [][]event.ChatMessage
	for {
		list, err := m.Store.History(ctx, chat, before, page)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			break
		}
		pages = append(pages, list)
		before = list[0].ID
	}
	slices.Reverse(pages)
	return slices.Concat(pages...), nil
}

// Chat makes a document of a conversation, or of what was said in it before a message. What is hidden in it stays behind. Errors: not_found,
// nothing_to_export when nothing was said, storage errors.
func (m *Maker) Chat(ctx context.Context, id, before string) (*export.Document, error) {
	lang := m.Lang()
	d := &export.Document{Title: bilingual.Say(lang, "대화", "Conversation"), Lang: lang}
	if !strings.HasPrefix(id, jobChat) {
		chats, err := m.Store.Chats(ctx)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(chats, func(c manager.Chat) bool { return c.ID == id })
		if at < 0 {
			return nil, apperr.New(apperr.NotFound, "what", "chat", "id", id)
		}
		if chats[at].Title != "" {
			d.Title = chats[at].Title
		}
	}
	messages, err := m.history(ctx, id, before)
	if err != nil {
		return nil, err
	}
	if len(messages) == 0 && before != "" {
		return nil, nothing(bilingual.Of("대화", "conversation"))
	}
	w := &writing{Maker: m, ctx: ctx, lang: lang}
	for _, msg := range messages {
		t := w.turn(msg)
		if msg.Role == event.RoleJob && msg.JobID != "" {
			slip, err := w.slip(msg.JobID)
			if err != nil {
				return nil, err
			}
			t.Blocks = append(slip, t.Blocks...)
		}
		d.Blocks = append(d.Blocks, t)
		d.Made = later(d.Made, msg.Time)
	}
	d.Note = bilingual.Say(lang, "메시지 %d개", "%d messages", len(messages))
	if !d.Made.IsZero() {
		d.Note += " · " + w.when(d.Made)
	}
	return d, nil
}

// jobChat begins the id of a job's own chat.
const jobChat = "job:"

// Message makes a document of one reply, with what it rests on. Errors: not_found, storage errors.
func (m *Maker) Message(ctx context.Context, chat, id string) (*export.Document, error) {
	messages, err := m.history(ctx, chat, "")
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(messages, func(msg event.ChatMessage) bool { return msg.ID == id })
	if at < 0 {
		return nil, apperr.New(apperr.NotFound, "what", "message", "id", id)
	}
	return m.reply(ctx, messages[:at+1])
}

// Answer makes a document of the last reply of a chat before a message that says something; with tables, of the last one that has a table. Errors:
// nothing_to_export, storage errors.
func (m *Maker) Answer(ctx context.Context, chat, before string, tables bool) (*export.Document, error) {
	messages, err := m.history(ctx, chat, before)
	if err != nil {
		return nil, err
	}
	begun := map[string]bool{} // requests that became tickets: what was said first only handed these out
	for _, msg := range messages {
		begun[msg.Turn] = begun[msg.Turn] || msg.JobID != ""
	}
	for i, msg := range slices.Backward(messages) {
		if msg.Role != event.RoleShop && msg.Role != event.RoleJob || msg.Code != "" || strings.TrimSpace(msg.Text) == "" || msg.JobID == "" && msg.Turn != "" && begun[msg.Turn] {
			continue
		}
		if quiet, err := m.filing(ctx, msg.JobID); err != nil || quiet {
			if err != nil {
				return nil, err
			}
			continue
		}
		d, err := m.reply(ctx, messages[:i+1])
		if err != nil {
			return nil, err
		}
		if !tables || len(d.Tables()) > 0 {
			return d, nil
		}
	}
	if tables {
		return nil, nothing(bilingual.Of("표", "table"))
	}
	return nil, nothing(bilingual.Of("답", "answer"))
}

// filing tells whether a job did nothing but make files of answers, or take that back: its report is no answer itself.
func (m *Maker) filing(ctx context.Context, id string) (bool, error) {
	if id == "" {
		return false, nil
	}
	rec, err := m.Store.LoadRun(ctx, id)
	if err != nil {
		if apperr.CodeOf(err) == apperr.NotFound {
			err = nil
		}
		return false, err
	}
	todos := rec.Run.Job.Todos
	return len(todos) > 0 && !slices.ContainsFunc(todos, func(t job.Todo) bool { return t.Tool != "file_export" && t.Tool != "file_undo" }), nil
}

func nothing(what bilingual.Text) error { return apperr.New(apperr.NothingToExport, "what", what) }

// reply makes a document of the last of these messages. It is called what was asked.
func (m *Maker) reply(ctx context.Context, messages []event.ChatMessage) (*export.Document, error) {
	msg := messages[len(messages)-1]
	w := &writing{Maker: m, ctx: ctx, lang: m.Lang()}
	d := &export.Document{Lang: w.lang, Title: bilingual.Say(w.lang, "답", "Answer"), Made: later(time.Time{}, msg.Time)}
	asked := slices.IndexFunc(messages, func(q event.ChatMessage) bool { return q.ID == msg.Turn })
	for i := len(messages) - 1; asked < 0 && msg.Turn == "" && i >= 0; i-- {
		if messages[i].Role == event.RoleCustomer {
			asked = i
		}
	}
	if asked >= 0 && strings.TrimSpace(messages[asked].Text) != "" {
		d.Title = titleOf(messages[asked].Text)
	}
	if !d.Made.IsZero() {
		d.Note = w.when(d.Made)
	}
	d.Blocks = w.said(msg)
	if msg.Library != nil && len(msg.Library.Sources) > 0 {
		d.Blocks = append(d.Blocks, export.Heading{Level: 1, Runs: []export.Run{{Text: bilingual.Say(w.lang, "출처", "Sources")}}})
		d.Blocks = append(d.Blocks, w.sources(msg)...)
	}
	for _, note := range w.notes(msg) {
		d.Blocks = append(d.Blocks, export.Plain(note))
	}
	if msg.JobID != "" {
		rec, err := m.Store.LoadRun(ctx, msg.JobID)
		switch {
		case err == nil:
			d.Values = valuesOf(rec.Run.Job)
		case apperr.CodeOf(err) != apperr.NotFound:
			return nil, err
		}
		if len(d.Values) > 0 && !hasTable(d.Blocks) {
			d.Blocks = append(d.Blocks, shown(d.Values)...)
		}
	}
	return d, nil
}

func titleOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return brief.Cut(line, titleRunes)
}

func hasTable(blocks []export.Block) bool {
	return len((&export.Document{Blocks: blocks}).Tables()) > 0
}

// shown are tables as they stand in a document.
func shown(tables []spreadsheet.Table) (blocks []export.Block) {
	for _, t := range tables {
		if t.Title != "" {
			blocks = append(blocks, export.Heading{Level: 2, Runs: []export.Run{{Text: t.Title}}})
		}
		blocks = append(blocks, export.TableOf(t))
	}
	return blocks
}

// valuesOf are the tables that a job's tools gave.
func valuesOf(j job.Job) (tables []spreadsheet.Table) {
	for _, todo := range j.Todos {
		if t, ok := spreadsheet.Of(todo.Data); ok {
			if t.Title == "" {
				t.Title = todo.Title
			}
			tables = append(tables, t)
		}
	}
	return tables
}

func later(at time.Time, said string) time.Time {
	if t, err := time.Parse(time.RFC3339Nano, said); err == nil && t.After(at) {
		return t
	}
	return at
}

// writing is one document that is being made.
type writing struct {
	*Maker
	ctx      context.Context
	lang     bilingual.Lang
	pictures int
}

func (w *writing) when(at time.Time) string { return at.In(w.Zone()).Format("2006-01-02 15:04") }

// turn is a message of a conversation.
func (w *writing) turn(msg event.ChatMessage) export.Turn {
	t := export.Turn{Mine: msg.Role == event.RoleCustomer, Who: bilingual.Say(w.lang, "가게", "Shop"), When: msg.Time}
	if msg.Role == event.RoleImportedAsk {
		t.Mine = true
	}
	if msg.Role == event.RoleImportedReply {
		t.Who = bilingual.Say(w.lang, "다른 프로그램", "Another program")
	}
	if t.Mine {
		t.Who = bilingual.Say(w.lang, "나", "You")
	}
	if at := later(time.Time{}, msg.Time); !at.IsZero() {
		t.When = w.when(at)
	}
	if msg.About != nil {
		t.When += " · " + bilingual.Say(w.lang, "‘"+msg.About.Title+"’에서", "in “"+msg.About.Title+"”")
	}
	t.Blocks = append(w.said(msg), w.sources(msg)...)
	t.Notes = w.notes(msg)
	return t
}

// said is what a message says: a person's words as they are, all else as Markdown.
func (w *writing) said(msg event.ChatMessage) (blocks []export.Block) {
	switch {
	case msg.Role != event.RoleCustomer:
		blocks = export.Parse(msg.Text)
	case msg.Text != "":
		blocks = append(blocks, export.Plain(msg.Text))
	}
	for _, a := range msg.Attachments {
		if a.Kind != event.AttachmentImage || w.Picture == nil || w.pictures >= mostPictures {
			continue
		}
		data, err := w.Picture(w.ctx, a.ID)
		if err != nil {
			continue // its name stands below
		}
		if c, err := jpeg.DecodeConfig(bytes.NewReader(data)); err == nil {
			w.pictures++
			blocks = append(blocks, export.Image{JPEG: data, Width: c.Width, Height: c.Height, Grey: c.ColorModel == color.GrayModel, Alt: a.Name})
		}
	}
	return blocks
}

func (w *writing) sources(msg event.ChatMessage) (blocks []export.Block) {
	if msg.Library == nil {
		return nil
	}
	for i, s := range msg.Library.Sources {
		at := s.Article
		if s.Page > 0 {
			at = strings.TrimSpace(at + " " + place(w.lang, s.Unit, s.Page))
		}
		blocks = append(blocks, export.Source{Number: i + 1, Title: s.Title, At: at, Text: strings.TrimSpace(s.Quote)})
	}
	return blocks
}

// place names a page, or what a document has instead.
func place(lang bilingual.Lang, unit string, n int) string {
	switch unit {
	case "sheet":
		return bilingual.Say(lang, "시트 %d", "sheet %d", n)
	case "slide":
		return bilingual.Say(lang, "슬라이드 %d", "slide %d", n)
	case "chapter":
		return bilingual.Say(lang, "%d번째 장", "chapter %d", n)
	case "part":
		return bilingual.Say(lang, "메일의 %d번째 부분", "part %d of the mail", n)
	}
	return bilingual.Say(lang, "%d쪽", "p. %d", n)
}

// notes are what belongs to a message and is not said in it.
func (w *writing) notes(msg event.ChatMessage) (notes []string) {
	for _, a := range msg.Attachments {
		if from := a.From; from != nil && from.Prompt != "" {
			notes = append(notes, bilingual.Say(w.lang, "바깥 서버 ‘%[2]s’의 프롬프트: %[1]s", "Prompt of the outside server “%[2]s”: %[1]s", a.Name, cmp.Or(from.Title, from.Server)))
			continue
		}
		what := strings.ToUpper(a.Format)
		if a.Kind == event.AttachmentImage {
			what = fmt.Sprintf("%s, %d×%d", what, a.Width, a.Height)
		}
		notes = append(notes, bilingual.Say(w.lang, "첨부: ", "Attached: ")+fmt.Sprintf("%s (%s)", a.Name, what))
	}
	imported := msg.Role == event.RoleImportedAsk || msg.Role == event.RoleImportedReply
	notes = append(notes, w.done(msg.Did, imported)...)
	if msg.Library != nil && len(msg.Library.Unverified) > 0 {
		notes = append(notes, bilingual.Say(w.lang, "근거에서 찾지 못한 것: ", "Found in no source: ")+strings.Join(msg.Library.Unverified, ", "))
	}
	return notes
}

// from says before what is told of work that it is an imported file's word, which anybody can write: the shop did nothing of it.
func (w *writing) from(imported bool) string {
	if !imported {
		return ""
	}
	return bilingual.Say(w.lang, "가져온 파일의 기록 · ", "From an imported file · ")
}

// done tells what was really done, or what an imported file says of that.
func (w *writing) done(did []event.Effect, imported bool) (lines []string) {
	from := w.from(imported)
	for _, e := range did {
		head := bilingual.Say(w.lang, "한 일", "Done")
		switch e.Outcome {
		case event.EffectFailed:
			head = bilingual.Say(w.lang, "하지 못한 일", "Not done")
		case event.EffectUnknown:
			head = bilingual.Say(w.lang, "되었는지 모르는 일", "Not known")
		case event.EffectRead:
			head = bilingual.Say(w.lang, "본 것", "Looked at")
		case event.EffectNone:
			lines = append(lines, from+e.Text)
			continue
		case event.EffectDone:
		}
		lines = append(lines, from+head+": "+e.Text)
	}
	return lines
}
