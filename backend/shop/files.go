package shop

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/filing"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/files"
	"agentchat/backend/tools/undo"
	"agentchat/backend/trash"
	"agentchat/backend/undolog"
)

// fileService is what the file tools and the permissions page share.
type fileService struct {
	book *folders.Book
	bin  trash.Bin
	// changing is held while the list of folders is read and written.
	changing *sync.Mutex
}

// openFiles makes the file tools.
func (s *Shop) openFiles() []toolbox.Tool {
	c := s.Config.Get()
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // then ~ stands for nothing
	}
	s.files = fileService{
		book: folders.NewBook(folders.Deps{
			List: func() []folders.Folder { return s.Config.Get().Folders }, Own: []string{c.DataDir, c.ConfigFile}, Home: home,
		}),
		changing: &sync.Mutex{},
	}
	return files.Tools(files.Deps{Folders: s.files.book, Trash: s.files.bin, Notes: s.noted, Journal: s.store, Now: time.Now, Taken: s.takenAway, Made: func(ctx context.Context, job, path string, size int64, mod time.Time) error {
		return s.standing.Made(ctx, job, path, size, mod)
	}})
}

// notesSearched is how many notes a search looks through, the newest first.
const notesSearched = 5000

// noted lists the notes as a search sees them.
func (s *Shop) noted(ctx context.Context) ([]files.Note, error) {
	list, err := s.notes.List(ctx, notesSearched)
	out := make([]files.Note, len(list))
	for i, n := range list {
		out[i] = files.Note{ID: n.ID, Title: n.Title(), Text: n.Text}
	}
	return out, err
}

// FolderView is one opened folder as fronts list it.
type FolderView struct {
	Name    string `json:"name"` // how people call it in paths
	Path    string `json:"path"`
	Write   bool   `json:"write"`
	Problem string `json:"problem,omitempty"` // why nothing can be done in it right now
}

// TrashedView is something that was thrown away out of an opened folder and can be put back. When is RFC 3339 in UTC.
type TrashedView struct {
	ID     string `json:"id"`
	Path   string `json:"path"`
	When   string `json:"when"`
	Folder bool   `json:"folder,omitempty"`
}

// FoldersView is everything the permissions page shows of folders.
type FoldersView struct {
	Folders []FolderView  `json:"folders"`
	Trashed []TrashedView `json:"trashed"` // the newest first
}

// trashedShown is how much of the trash is listed.
const trashedShown = 50

// Folders lists the opened folders and what was thrown away out of them.
func (s *Shop) Folders() FoldersView {
	lang := s.Config.Get().Lang
	view := FoldersView{Folders: []FolderView{}, Trashed: []TrashedView{}}
	for _, p := range s.files.book.Places(context.Background()) {
		f := FolderView{Name: p.Name, Path: p.Path, Write: p.Write}
		if p.Problem != nil {
			f.Problem = p.Problem.Text(lang)
		}
		view.Folders = append(view.Folders, f)
	}
	for _, it := range s.trashed() {
		view.Trashed = append(view.Trashed, TrashedView{ID: it.ID, Path: it.Path, When: it.When.UTC().Format(time.RFC3339), Folder: it.Dir})
	}
	view.Trashed = view.Trashed[:min(len(view.Trashed), trashedShown)]
	return view
}

// trashed is what was thrown away out of folders that may be written to.
func (s *Shop) trashed() []trash.Item {
	var roots []string
	for _, p := range s.files.book.Places(context.Background()) {
		if p.Write && p.Problem == nil {
			roots = append(roots, p.Path)
		}
	}
	items, err := s.files.bin.List(roots)
	if err != nil {
		log := s.Log.Component("shop")
		log.Warn().Err(err).Msg("the trash could not be read")
	}
	return items
}

// OpenFolder opens a folder to the file tools, or changes whether they may write in it. Errors: folder_refused,
// invalid_setting, storage errors.
func (s *Shop) OpenFolder(path string, write bool) (FoldersView, error) {
	s.files.changing.Lock()
	defer s.files.changing.Unlock()
	real, err := s.files.book.Check(path)
	if err != nil {
		return s.Folders(), err
	}
	list := slices.Clone(s.Config.Get().Folders)
	if i := slices.IndexFunc(list, func(f folders.Folder) bool { return f.Path == real }); i >= 0 {
		list[i].Write = write
	} else {
		list = append(list, folders.Folder{Path: real, Write: write})
	}
	return s.setFolders(list)
}

// CloseFolder closes an opened folder: from the moment it returns no tool enters it. Errors: not_found, storage errors.
func (s *Shop) CloseFolder(path string) (FoldersView, error) {
	s.files.changing.Lock()
	defer s.files.changing.Unlock()
	list := slices.Clone(s.Config.Get().Folders)
	i := slices.IndexFunc(list, func(f folders.Folder) bool { return f.Path == path })
	if i < 0 {
		return s.Folders(), apperr.New(apperr.NotFound, "what", "folder", "id", path)
	}
	return s.setFolders(slices.Delete(list, i, i+1))
}

func (s *Shop) setFolders(list []folders.Folder) (FoldersView, error) {
	_, err := s.Config.Set(map[string]any{config.KeyFilesFolders: folders.Encode(list)})
	return s.Folders(), err
}

// endFileGrants ends the standing approvals of the file tools: they speak of folders by name, and another folder may have
// that name now.
func (s *Shop) endFileGrants() {
	ctx := context.Background()
	log := s.Log.Component("shop")
	grants, err := s.store.Grants(ctx, "", "")
	if err != nil {
		log.Warn().Err(err).Msg("grants of the file tools")
	}
	for _, g := range grants {
		if !strings.HasPrefix(g.Tool, "file_") {
			continue
		}
		if err := s.store.RevokeGrant(ctx, g.ID); err != nil && apperr.CodeOf(err) != apperr.NotFound {
			log.Warn().Err(err).Msg("a grant of the file tools")
		}
	}
	s.Bus.Publish(event.Of("", "", event.PermissionsChanged{}))
}

// RestoreTrashed puts something back where it was thrown away, over nothing. Errors: not_found, folder_readonly, file_refused
// when there is something of that name, changed.
func (s *Shop) RestoreTrashed(ctx context.Context, id string) (FoldersView, error) {
	items := s.trashed()
	i := slices.IndexFunc(items, func(it trash.Item) bool { return it.ID == id })
	if i < 0 {
		return s.Folders(), apperr.New(apperr.NotFound, "what", "file", "id", id)
	}
	at, err := s.files.book.Find(ctx, items[i].Path, folders.New)
	if err != nil {
		return s.Folders(), err
	}
	defer at.Close()
	if err := at.Writable(); err != nil {
		return s.Folders(), err
	}
	switch err := s.files.bin.Restore(items[i], at.Dir, filepath.Base(items[i].Path)); {
	case errors.Is(err, trash.ErrTaken):
		return s.Folders(), apperr.Wrap(err, apperr.FileRefused, "path", at.Path,
			"detail", bilingual.Text{KO: "그 이름으로 이미 있어요", EN: "there is one of that name already"})
	case errors.Is(err, trash.ErrGone):
		return s.Folders(), apperr.Wrap(err, apperr.NotFound, "what", "file", "id", items[i].Path)
	case err != nil:
		return s.Folders(), apperr.Wrap(err, apperr.StorageFailed)
	}
	return s.Folders(), nil
}

// brokenOff gives the call that takes back what a step did to files, or in the ledger, before it was stopped.
func (s *Shop) brokenOff(ctx context.Context, ticket, step string) (call toolbox.Undo, ok bool) {
	use := undolog.Step(ticket, step, "").ID
	if _, kept := s.undo.Kept(ctx, use, bilingual.EN); kept {
		return undo.Call(use), true
	}
	rows, err := s.store.Steps(ctx, use)
	if err != nil || !slices.ContainsFunc(rows, func(r filing.Row) bool { return r.State == filing.Done }) {
		return call, false
	}
	r := toolbox.Result{}.UndoneBy("file_undo", map[string]any{"use": use})
	return *r.Undo, true
}

// PlanLine is a line of a plan as fronts show it, see filing.Line. Named lines may be given another name.
type PlanLine struct {
	From    string `json:"from,omitempty"`
	To      string `json:"to,omitempty"`
	Size    int64  `json:"size,omitempty"`
	Note    string `json:"note,omitempty"`
	Blocked bool   `json:"blocked,omitempty"`
	Named   bool   `json:"named,omitempty"`
}

// FilePlan gives the lines of a plan that a question shows. Errors: not_found.
func (s *Shop) FilePlan(ctx context.Context, plan string) ([]PlanLine, error) {
	raw, err := s.store.Plan(ctx, plan)
	if err != nil {
		return nil, err
	}
	var p filing.Plan
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, apperr.Wrap(err, apperr.RecordUnreadable)
	}
	lines := make([]PlanLine, len(p.Lines))
	for i, l := range p.Lines {
		lines[i] = PlanLine{From: l.From, To: l.To, Size: l.Size, Note: l.Note, Blocked: l.Blocked, Named: l.Named()}
	}
	return lines, nil
}

// UndoJob takes a ticket back, as the words for it would, in the ticket's chat. Errors: those of Say, not_found.
func (s *Shop) UndoJob(ctx context.Context, id string) (event.ChatMessage, error) {
	rec, err := s.store.LoadRun(ctx, id)
	if err != nil {
		return event.ChatMessage{}, err
	}
	return s.Say(ctx, rec.Run.Job.Chat, "", manager.UndoAction(id), "")
}
