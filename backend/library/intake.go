package library

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/library/extract"
)

// Import puts a file, or every readable file of a folder, into the library: ImportAll of one path.
func (l *Library) Import(ctx context.Context, path string, kind Kind) (Import, error) {
	return l.ImportAll(ctx, []string{path}, kind)
}

// ImportAll puts files, and every readable file of folders, into the library as one import, in the background. It survives the
// end of the program. Of several paths those that cannot be read stand refused in it. Errors: document_refused when a path that
// is alone cannot be read; invalid_args for no path at all; storage errors.
func (l *Library) ImportAll(ctx context.Context, paths []string, kind Kind) (Import, error) {
	if kind != KindStandard {
		kind = KindMine
	}
	i := Import{ID: l.deps.NewID(), Kind: kind, State: ImportRunning, Created: l.deps.Now()}
	seen := map[string]bool{}
	for _, path := range paths {
		// An empty path would mean the folder the program happens to run in.
		if strings.TrimSpace(path) == "" {
			continue
		}
		path, err := filepath.Abs(path)
		if err != nil {
			return Import{}, apperr.Wrap(err, apperr.InvalidArgs, "detail", err.Error())
		}
		files, err := extract.Files(path, maxFiles-len(i.Files))
		if err != nil && len(paths) == 1 {
			return Import{}, err
		}
		if i.Path == "" {
			i.Path = path
		}
		if err != nil && !seen[path] {
			seen[path] = true
			i.Files = append(i.Files, File{Path: path, State: FileRefused, Failure: apperr.From(err)})
			continue
		}
		for _, f := range files {
			if !seen[f] {
				seen[f] = true
				i.Files = append(i.Files, File{Path: f, State: FilePending})
			}
		}
	}
	if len(i.Files) == 0 {
		return Import{}, apperr.New(apperr.InvalidArgs, "detail", "no path")
	}
	if err := l.deps.Store.SaveImport(ctx, i); err != nil {
		return Import{}, err
	}
	l.queueImport(i)
	return i, nil
}

// ResumeImport goes on with an import that was cancelled: what was left out of it is put in now. Errors: not_found when there is
// no cancelled import with that id, storage errors.
func (l *Library) ResumeImport(ctx context.Context, id string) (Import, error) {
	list, err := l.deps.Store.Imports(ctx, func(i Import) bool { return i.ID == id })
	if err != nil {
		return Import{}, err
	}
	n := slices.IndexFunc(list, func(i Import) bool { return i.ID == id && i.State == ImportCanceled })
	l.mu.Lock()
	defer l.mu.Unlock()
	if n < 0 || l.imports[id] != nil { // two clicks at once mean one
		return Import{}, apperr.New(apperr.NotFound, "what", "import", "id", id)
	}
	i := list[n]
	i.State = ImportRunning
	for n := range i.Files {
		if i.Files[n].State == FileCanceled {
			i.Files[n].State = FilePending
		}
	}
	if err := l.deps.Store.SaveImport(ctx, i); err != nil {
		return Import{}, err
	}
	l.queueLocked(i)
	return i, nil
}

// queueImport puts an import in line and tells it.
func (l *Library) queueImport(i Import) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queueLocked(i)
}

func (l *Library) queueLocked(i Import) {
	e := &importJob{Import: i}
	e.Files = slices.Clone(i.Files) // the errand's own, for its work changes them
	l.imports[i.ID] = e
	l.tell(e)
	l.queue.Wake()
}

// CancelImport ends an import; what is in the library already stays. Error: not_found.
func (l *Library) CancelImport(id string) error {
	l.mu.Lock()
	e := l.imports[id]
	if e == nil {
		l.mu.Unlock()
		return apperr.New(apperr.NotFound, "what", "import", "id", id)
	}
	e.canceled = true
	if e.stop != nil {
		e.stop()
	}
	l.mu.Unlock()
	l.queue.Wake()
	l.pictures.Wake()
	return nil
}

// Mark says whose a document is from now on. What came with the program stays a standard. Errors: not_found, invalid_args,
// storage errors.
func (l *Library) Mark(ctx context.Context, id string, kind Kind) error {
	d, err := l.deps.Store.Document(ctx, id)
	if err != nil {
		return err
	}
	if d.Path == "" || kind != KindMine && kind != KindStandard {
		return apperr.New(apperr.InvalidArgs, "detail", "kind: "+string(kind))
	}
	if err := l.deps.Store.MarkDocument(ctx, id, kind); err != nil {
		return err
	}
	l.changed()
	return nil
}
