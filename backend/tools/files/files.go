// Package files holds the tools that work in the folders a person opened: file_list, file_read, file_search, file_write, file_export, file_trash,
// file_move, file_copy, folder_make, file_tidy over many, file_undo, and local_search, which also looks through notes. Reading asks nothing; what changes something is shown before
// anybody approves it. Each has its manual beside it.
package files

import (
	"context"
	"embed"
	"fmt"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/export"
	"agentchat/backend/filing"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
	"agentchat/backend/trash"
)

// Note is one note of the person's, as a search sees it.
type Note struct {
	ID, Title, Text string
}

// Deps are what the tools need of the shop. Notes lists the person's notes; nil: there are none.
type Deps struct {
	Folders *folders.Book
	Trash   trash.Bin
	Notes   func(ctx context.Context) ([]Note, error)
	Journal filing.Journal
	Now     func() time.Time // the clock; its location is the person's
	// Made hears which file a ticket is about to put in place, how large it is and when it was written; an error keeps it from that. nil:
	// nobody wants to know.
	Made func(ctx context.Context, job string, path string, size int64, mod time.Time) error
	// Taken makes the document that is to be a file.
	Taken func(ctx context.Context, of Taken) (*export.Document, error)
}

// Tools are the tools of the opened folders, sorted by key.
func Tools(d Deps) []toolbox.Tool {
	return []toolbox.Tool{
		&transfer{d, "file_copy"}, &exporter{d}, &list{d}, &transfer{d, "file_move"}, &read{d}, &search{d}, &tidy{d}, &discard{d}, &undo{d}, &write{d}, &folderMake{d}, &local{d},
	}
}

//go:embed *.json
var manuals embed.FS

var manual = toolbox.Manuals(manuals)

// args are the arguments of all these tools; the schemas say which of them one takes.
type args struct {
	Path  string `json:"path"`
	Query string `json:"query"`
	From  int    `json:"from"`
	Text  string `json:"text"`
	Mode  string `json:"mode"`
}

// hands carry out what these tools do, for one ticket.
func (d Deps) hands(job string) filing.Hands {
	h := filing.Hands{Folders: d.Folders, Trash: d.Trash, Journal: d.Journal}
	if d.Made != nil {
		h.Made = func(ctx context.Context, path string, size int64, mod time.Time) error {
			return d.Made(ctx, job, path, size, mod)
		}
	}
	return h
}

// useOf names one use of a tool in the journal.
func useOf(call toolbox.Call) string { return call.JobID + "/" + call.TodoID }

// undone adds the call that takes back what a use did to files.
func undone(r toolbox.Result, call toolbox.Call) toolbox.Result {
	return r.UndoneBy("file_undo", map[string]any{"use": useOf(call)})
}

// refused says why a file cannot be used.
func refused(path, ko, en string, args ...any) error {
	return apperr.New(apperr.FileRefused, "path", path, "detail", bilingual.Text{KO: fmt.Sprintf(ko, args...), EN: fmt.Sprintf(en, args...)})
}

// size says how big a file is.
func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.1f KB", float64(n)/1000)
	case n < 1000*1000*1000:
		return fmt.Sprintf("%.1f MB", float64(n)/1000/1000)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1000/1000/1000)
}
