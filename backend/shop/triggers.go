package shop

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/folders"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/standing"
	"agentchat/backend/store"
)

// mostWatched is how many folders below one may be watched for a standing order.
const mostWatched = 1000

// watchedFolders are the opened folders as the standing orders see them.
type watchedFolders struct{ book *folders.Book }

// Find implements standing.Folders.
func (w watchedFolders) Find(ctx context.Context, said string) (path, name string, err error) {
	at, err := w.book.Find(ctx, said, folders.Dir)
	if err != nil {
		return "", "", err
	}
	defer at.Close()
	return at.Full, at.Path, nil
}

// FindFile implements standing.Folders.
func (w watchedFolders) FindFile(ctx context.Context, folder, file string) (path, in, name string, err error) {
	said, need := file, folders.File
	if folder != "" {
		said, need = folder+"/"+file, folders.New
	}
	at, err := w.book.Find(ctx, said, need)
	if err != nil {
		return "", "", "", err
	}
	defer at.Close()
	if at.Info != nil && at.Info.IsDir() {
		return "", "", "", apperr.New(apperr.FileMissing, "path", said)
	}
	return at.Full, filepath.Dir(at.Full), at.Path, nil
}

// List implements standing.Folders.
func (w watchedFolders) List(ctx context.Context, path string) (files []standing.File, dirs []string, err error) {
	at, err := w.book.Find(ctx, path, folders.Dir)
	if err != nil {
		return nil, nil, err
	}
	defer func() { at.Close() }()
	dirs = []string{at.Full}
	whole, err := w.book.Walk(ctx, at, func(e folders.Entry) bool {
		switch {
		case e.Info.IsDir():
			dirs = append(dirs, e.Full)
		case !folders.Half(e.Name):
			files = append(files, standing.File{Path: e.Full, Name: e.Path, Size: e.Info.Size(), Mod: e.Info.ModTime()})
		}
		return len(dirs) <= mostWatched
	})
	if err == nil && (!whole || len(dirs) > mostWatched) {
		err = apperr.New(apperr.FolderRefused, "path", at.Path, "detail",
			bilingual.WrongOf("파일이나 폴더가 너무 많아서 지켜볼 수 없어요. 그 안의 폴더 하나를 골라 주세요", "it holds too many files or folders to be watched; name one folder inside it"))
	}
	return files, dirs, err
}

// Whole implements standing.Folders.
func (w watchedFolders) Whole(ctx context.Context, path string) bool {
	at, err := w.book.Find(ctx, path, folders.File)
	if err != nil {
		return false
	}
	defer at.Close()
	return at.Whole(time.Now())
}

// ticketCalled finds the tool whose tickets people call so, and how they say that one has ended.
func (s *Shop) ticketCalled(noun string) (tool string, called, ends bilingual.Text, ok bool) {
	for _, spec := range s.box.Specs() {
		ko := append(slices.Clone(spec.Called[bilingual.KO]), spec.Title.KO)
		en := append(slices.Clone(spec.Called[bilingual.EN]), strings.ToLower(spec.Title.EN))
		if !slices.Contains(ko, noun) && !slices.Contains(en, noun) {
			continue
		}
		ends = bilingual.Text{KO: "끝날", EN: "ends"}
		if spec.Ends != nil {
			ends = *spec.Ends
		}
		article := "a "
		if strings.ContainsAny(en[0][:1], "aeiou") {
			article = "an "
		}
		return spec.Key, bilingual.Text{KO: ko[0], EN: article + en[0]}, ends, true
	}
	return "", called, ends, false
}

// tellingStore has the standing orders look when something ended that one of them may wait for.
type tellingStore struct {
	*store.Store

	ended func()
}

// SaveStep implements job.Store.
func (t tellingStore) SaveStep(ctx context.Context, step job.Step) error {
	err := t.Store.SaveStep(ctx, step)
	if err == nil && !step.Run.Job.Ended.IsZero() {
		t.ended()
	}
	return err
}

// SaveTurn implements manager.Store.
func (t tellingStore) SaveTurn(ctx context.Context, step manager.TurnStep) error {
	err := t.Store.SaveTurn(ctx, step)
	if err == nil && step.Done {
		t.ended()
	}
	return err
}

// DeleteChat implements manager.Store.
func (t tellingStore) DeleteChat(ctx context.Context, chat string) (manager.Cut, error) {
	defer t.ended()
	return t.Store.DeleteChat(ctx, chat)
}

// AddTurnInstead implements manager.Store.
func (t tellingStore) AddTurnInstead(ctx context.Context, turn manager.Turn, msg event.ChatMessage, in manager.Place) (manager.Cut, error) {
	defer t.ended()
	return t.Store.AddTurnInstead(ctx, turn, msg, in)
}
