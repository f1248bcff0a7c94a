package shop

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/folders"
	"agentchat/backend/job"
	"agentchat/backend/library/extract"
	"agentchat/backend/provider"
	"agentchat/backend/tablequery"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/tables"
)

// tablesFolder is where copies of tables lie while they are asked, inside the data folder.
const tablesFolder = "tables"

// What a table may be that is asked: far more than a text that is read whole, for no more of it is held than a row.
var tableLimits = extract.Limits{FileBytes: 512 << 20, TextBytes: 64 << 20, Time: 10 * time.Minute}

// openTables makes the tool that answers questions about tables.
func (s *Shop) openTables(now func() time.Time) toolbox.Tool {
	dir := filepath.Join(s.Config.Get().DataDir, tablesFolder)
	if err := os.RemoveAll(dir); err != nil { // what a sudden end left there
		log := s.Log.Component("tables")
		log.Warn().Err(err).Msg("old copies stay")
	}
	s.tableReader = extract.New(tableLimits, "")
	return tables.New(tables.Deps{Dir: dir, Now: now, Find: func(ctx context.Context, chat, name string) (tables.File, error) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return tables.File{}, apperr.Wrap(err, apperr.StorageFailed)
		}
		return s.findTable(ctx, dir, chat, name)
	}})
}

// findTable opens the table that is called so: attached in the chat, in an opened folder, in the library. Errors: no_folder, file_missing and those
// of opened folders, attachment_gone, storage errors.
func (s *Shop) findTable(ctx context.Context, dir, chat, name string) (f tables.File, err error) {
	if name == "" {
		near, err := s.tablesNear(ctx, chat, nil, nil)
		if err != nil {
			return f, err
		}
		if len(near) == 0 {
			return f, apperr.New(apperr.FileMissing, "path", "*.xlsx")
		}
		name = near[0].Name
	}
	t, err := s.tableNamed(ctx, chat, name)
	if err != nil {
		return f, err
	}
	defer t.close()
	from, err := t.open()
	if err != nil {
		return f, err
	}
	defer func() { _ = from.Close() }()
	// It is read more than once, and must be the same each time, whoever writes in it meanwhile.
	path, err := copied(from, dir, filepath.Ext(t.shown))
	if err != nil {
		return f, err
	}
	return tables.File{Name: t.shown, From: tablequery.File(s.tableReader, path), Close: func() { _ = os.Remove(path) }}, nil
}

// tableFound is the file of a table. Close it.
type tableFound struct {
	shown   string // what it is called
	content string // the same as long as it holds the same
	open    func() (io.ReadCloser, error)
	close   func()
}

// tableNamed finds the file of a table.
func (s *Shop) tableNamed(ctx context.Context, chat, name string) (t tableFound, err error) {
	attached, err := s.tablesAttached(ctx, chat)
	if err != nil {
		return t, err
	}
	for _, a := range attached {
		if sameName(a.Name, name) {
			return tableFound{a.Name, a.ID, func() (io.ReadCloser, error) { return s.attachments.Content(a.ID) }, func() {}}, nil
		}
	}
	at, missing := s.files.book.Find(ctx, name, folders.File)
	if missing == nil {
		return tableFound{at.Path, fmt.Sprint(at.Full, at.Info.Size(), at.Info.ModTime().UnixNano()), func() (io.ReadCloser, error) {
			file, err := at.Dir.Open(at.Name)
			if err != nil {
				return nil, apperr.Wrap(err, apperr.FileMissing, "path", at.Path)
			}
			return file, nil
		}, at.Close}, nil
	}
	documents, err := s.library.Documents(ctx)
	if err != nil {
		return t, err
	}
	for _, d := range documents {
		called := filepath.Base(d.Path)
		if !extract.IsTable("x."+d.Format) || !sameName(called, name) && !sameName(d.Title, name) {
			continue
		}
		return tableFound{cmp.Or(withEnding(d.Title, d.Format), called), d.Hash, func() (io.ReadCloser, error) {
			if kept, err := s.attachments.Content(d.Hash); err == nil {
				return kept, nil
			}
			file, err := os.Open(d.Path)
			if err != nil {
				return nil, apperr.Wrap(err, apperr.FileMissing, "path", d.Path)
			}
			return file, nil
		}, func() {}}, nil
	}
	return t, missing
}

// withEnding is a title that says of which format it is.
func withEnding(title, format string) string {
	if title == "" || extract.IsTable(title) {
		return title
	}
	return title + "." + format
}

// sameName tells whether a file is meant by a name, which may leave out its ending and the folders it is in.
func sameName(file, name string) bool {
	plain := func(s string) string { return strings.ToLower(norm.NFC.String(strings.TrimSpace(s))) }
	file, name = plain(filepath.Base(file)), plain(name[strings.LastIndexAny(name, `/\`)+1:])
	return file == name || strings.TrimSuffix(file, filepath.Ext(file)) == name
}

// copied writes a copy that ends as the file's name does, for readers go by that.
func copied(from io.Reader, dir, ending string) (path string, err error) {
	tmp, err := os.CreateTemp(dir, "asked-*"+strings.ToLower(ending))
	if err != nil {
		return "", apperr.Wrap(err, apperr.StorageFailed)
	}
	_, err = io.Copy(tmp, io.LimitReader(from, tableLimits.FileBytes+1))
	if err = errors.Join(err, tmp.Close()); err != nil {
		return "", apperr.Wrap(errors.Join(err, os.Remove(tmp.Name())), apperr.StorageFailed)
	}
	return tmp.Name(), nil
}

// tableTalk is how many messages are looked back on for the table that a chat is about.
const tableTalk = 60

// cameAsTable tells whether what came with a message is a table: a prompt of an outside server is none, whatever it is called.
func cameAsTable(a event.Attachment) bool {
	return (a.From == nil || a.From.Prompt == "") && extract.IsTable(a.Name)
}

// tablesAttached are the tables that came with messages of a chat, the newest first.
func (s *Shop) tablesAttached(ctx context.Context, chat string) (list []event.Attachment, err error) {
	messages, err := s.store.History(ctx, chat, "", 1000)
	for _, m := range slices.Backward(messages) {
		for _, a := range m.Attachments {
			if cameAsTable(a) {
				list = append(list, a)
			}
		}
	}
	return list, err
}

// tablesNear are the tables that a chat is about, the nearest first: those that a message came with, the one it is put to, those that were
// asked or attached before.
func (s *Shop) tablesNear(ctx context.Context, chat string, attached []event.Attachment, about *event.DocumentRef) (list []provider.TableCard, err error) {
	for _, a := range attached {
		if cameAsTable(a) {
			list = append(list, provider.TableCard{Name: a.Name})
		}
	}
	if about != nil {
		d, err := s.store.Document(ctx, about.DocumentID)
		if err == nil && extract.IsTable("x."+d.Format) {
			list = append(list, provider.TableCard{Name: withEnding(about.Title, d.Format)})
		}
		return list, err
	}
	if len(attached) > 0 {
		return list, nil
	}
	if card, ok, err := s.tableGoing(ctx, chat); ok || err != nil {
		return []provider.TableCard{card}, err
	}
	messages, err := s.store.History(ctx, chat, "", tableTalk)
	if err != nil {
		return nil, err
	}
	jobs := []string{}
	for _, m := range messages {
		if m.JobID != "" {
			jobs = append(jobs, m.JobID)
		}
	}
	asked, err := s.store.JobsWith(ctx, tables.Key, jobs)
	if err != nil {
		return nil, err
	}
	last := true // nothing but the customer's newest message has been met
	for _, m := range slices.Backward(messages) {
		if asked[m.JobID] {
			card, ok, err := s.tableOf(ctx, m.JobID)
			if err != nil {
				return nil, err
			}
			if ok {
				card.Last = last
				list = append(list, card)
			}
		}
		for _, a := range m.Attachments {
			if cameAsTable(a) {
				list = append(list, provider.TableCard{Name: a.Name, Last: last})
			}
		}
		if len(list) > 0 {
			return list, nil
		}
		last = last && m.Role == event.RoleCustomer
	}
	return list, nil
}

// tableGoing is the table that is being asked in a chat, with the words of that question: its answer is not there yet.
func (s *Shop) tableGoing(ctx context.Context, chat string) (card provider.TableCard, ok bool, err error) {
	jobs, err := s.store.ChatJobs(ctx, chat, 1)
	if err != nil || len(jobs) == 0 || len(jobs[0].Todos) != 1 || jobs[0].Todos[0].Tool != tables.Key {
		return card, false, err
	}
	asked := jobs[0].Todos[0].Args
	var args struct {
		Table string `json:"table"`
		Ask   string `json:"ask"`
	}
	if json.Unmarshal(asked, &args) != nil || args.Table == "" || args.Ask == "" {
		return card, false, nil
	}
	return provider.TableCard{Name: args.Table, Asked: asked, Last: true}, true, nil
}

// tableOf is the table that a job asked last, and what.
func (s *Shop) tableOf(ctx context.Context, id string) (card provider.TableCard, ok bool, err error) {
	answers, err := s.TableAnswers(ctx, id)
	if err != nil || len(answers) == 0 {
		return card, false, err
	}
	r := answers[len(answers)-1]
	asked, err := json.Marshal(r.Query)
	if err != nil {
		return card, false, apperr.Wrap(err, apperr.Internal)
	}
	return provider.TableCard{Name: r.Table, Asked: asked}, true, nil
}

// TableAnswers are the answers about tables that a job brought, in the order of its steps. Errors: storage errors; a job that is gone
// brought none.
func (s *Shop) TableAnswers(ctx context.Context, id string) (list []tablequery.Result, err error) {
	rec, err := s.store.LoadRun(ctx, id)
	if code := apperr.CodeOf(err); code == apperr.NotFound || code == apperr.RecordUnreadable {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, t := range jobOf(rec).Todos {
		var r tablequery.Result
		if t.Tool == tables.Key && len(t.Data) > 0 && json.Unmarshal(t.Data, &r) == nil && len(r.Columns) > 0 {
			list = append(list, r)
		}
	}
	return list, nil
}

func jobOf(rec job.Record) job.Job { return rec.Run.Job }
