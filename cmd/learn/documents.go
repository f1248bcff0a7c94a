package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/language/act"
	"agentchat/backend/shop"
)

// witness has the rooms of a shop look at every sentence. All documents are in its library by then; what is asked of them was general
// knowledge while it was empty, and, of the second half, while only the others were there.
func witness(all []sentence, shelf []document) ([]sentence, error) {
	dir, err := os.MkdirTemp("", "learn")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx := context.Background()
	s, err := shop.Open(ctx, shop.Options{Config: config.Options{DataDir: filepath.Join(dir, "shop"), Env: []string{}}})
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }() // its ledger goes with the folder
	half := len(shelf) / 2
	before, among := asked(shelf, act.Knowledge), asked(shelf[half:], act.Knowledge)
	look(ctx, s, before)
	if err := shelve(ctx, s, filepath.Join(dir, "first"), shelf[:half]); err != nil {
		return nil, err
	}
	look(ctx, s, among)
	if err := shelve(ctx, s, filepath.Join(dir, "second"), shelf[half:]); err != nil {
		return nil, err
	}
	all = append(all, asked(shelf, act.DocumentAsk)...)
	look(ctx, s, all)
	return slices.Concat(all, before, among), nil
}

// document is a document of our own and what it is asked.
type document struct {
	name, text string
	questions  []string
}

// ownDocuments are the documents of a folder. A line that begins with a question mark is a question that what stands above it answers.
func ownDocuments(dir string) (shelf []document, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		d := document{name: filepath.Base(name)}
		for line := range strings.Lines(string(text)) {
			if q, is := strings.CutPrefix(line, "? "); is {
				d.questions = append(d.questions, strings.TrimSpace(q))
			} else {
				d.text += line
			}
		}
		shelf = append(shelf, d)
	}
	return shelf, nil
}

// shelved begins the name of a set of questions to documents.
const shelved = "documents/"

// asked are the questions to some documents, as wanting an act.
func asked(shelf []document, wants act.Act) (list []sentence) {
	for _, d := range shelf {
		for _, q := range d.questions {
			list = append(list, sentence{Example: act.Example{Text: q, Acts: []act.Act{wants}, Scale: 1}, set: shelved + string(wants)})
		}
	}
	return list
}

// shelve puts documents into a new folder and waits until they are in the library.
func shelve(ctx context.Context, s *shop.Shop, dir string, shelf []document) error {
	if len(shelf) == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, d := range shelf {
		if err := os.WriteFile(filepath.Join(dir, d.name), []byte(d.text), 0o600); err != nil {
			return err
		}
	}
	events := s.Bus.Subscribe()
	if _, err := s.ImportDocuments(ctx, dir, ""); err != nil {
		return err
	}
	for {
		batch, err := events.Next(ctx, 100)
		if err != nil {
			return err
		}
		for _, e := range batch {
			var i event.LibraryImport
			if e.Kind == i.EventKind() && json.Unmarshal(e.Data, &i) == nil && i.State == "done" {
				return nil
			}
		}
	}
}

// look keeps what each room makes of each sentence, the phrasebook's first.
func look(ctx context.Context, s *shop.Shop, all []sentence) {
	var wg sync.WaitGroup
	for part := range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := part; i < len(all); i += runtime.GOMAXPROCS(0) {
				r := s.Reading(ctx, all[i].Text)
				all[i].seen = r.Evidence
			}
		})
	}
	wg.Wait()
}
