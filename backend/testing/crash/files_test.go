package crash

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agentchat/backend/event"
)

// The folder of the stories about files, and what is in it at first.
const (
	folderName = "문서"
	written    = "회의.txt"
	thrown     = "버릴것.txt"
	before     = "안건\n"
	after      = "안건\n한 줄\n"
)

// opened makes the folder, once, and opens it.
func opened(p *process) error {
	dir := filepath.Join(p.home, folderName)
	if _, err := os.Stat(dir); err != nil {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
		for _, name := range []string{written, thrown} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(before), 0o644); err != nil {
				return err
			}
		}
	}
	return p.do("open_folder", map[string]any{"path": dir, "write": true}, nil)
}

// scattered are the files of the story about a folder that is tidied, each with what is in it.
var scattered = map[string]string{"가.pdf": "계약", "나.png": "그림", "다.pdf": "", "라.mp3": "노래", "마": "?"}

// longAgo is when they were written.
var longAgo = time.Date(2025, 4, 5, 6, 7, 8, 9000, time.UTC)

// strewn makes the folder with them, once, and opens it.
func strewn(p *process) error {
	dir := filepath.Join(p.home, folderName)
	if _, err := os.Stat(dir); err != nil {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
		for name, text := range scattered {
			path := filepath.Join(dir, name)
			if err := errors.Join(os.WriteFile(path, []byte(text), 0o640), os.Chtimes(path, longAgo, longAgo)); err != nil {
				return err
			}
		}
	}
	return p.do("open_folder", map[string]any{"path": dir, "write": true}, nil)
}

// asItWas checks that the folder was tidied and put back: every file is where it was, byte for byte, and nothing besides.
func asItWas(p *process, end snapshot) []string {
	wrong := all("succeeded", "succeeded")(p, end)
	dir := filepath.Join(p.home, folderName)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(scattered) {
		wrong = append(wrong, fmt.Sprintf("doubled: the folder holds %v (%v)", entries, err))
	}
	for name, text := range scattered {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		info, statErr := os.Stat(filepath.Join(dir, name))
		if err != nil || statErr != nil || string(raw) != text || !info.ModTime().Equal(longAgo) || info.Mode().Perm() != 0o640 {
			wrong = append(wrong, fmt.Sprintf("lost: %s holds %q (%v, %v)", name, raw, err, statErr))
		}
	}
	return wrong
}

// looked is a customer who looks at the folder before answering whether it happened.
func looked(home string, a event.AskOpened) bool {
	if a.Tool == "file_trash" {
		_, err := os.Stat(filepath.Join(home, folderName, thrown))
		return err != nil
	}
	text, err := os.ReadFile(filepath.Join(home, folderName, written))
	return err == nil && string(text) == after
}

// commanded is a customer who looks whether a command has come to its end.
func commanded(home string, a event.AskOpened) bool {
	dir := filepath.Join(home, folderName)
	_, err := os.Stat(filepath.Join(dir, thrown))
	if err == nil && a.Kind == "recovery" { // it did not: what it began is cleared away before it runs again
		_ = os.Remove(filepath.Join(dir, "상자"))
		_ = os.WriteFile(filepath.Join(dir, written), []byte(before), 0o644)
	}
	return err != nil
}

// ordered checks that the command came to its end once: it adds a line each time, and works only where it did not before.
func ordered(p *process, end snapshot) []string {
	wrong := all("succeeded")(p, end)
	dir := filepath.Join(p.home, folderName)
	text, err := os.ReadFile(filepath.Join(dir, written))
	if n := strings.Count(string(text), "한 줄"); err != nil || n != 1 {
		wrong = append(wrong, fmt.Sprintf("the command added %d lines: %q (%v)", n, text, err))
	}
	if _, err := os.Stat(filepath.Join(dir, thrown)); err == nil {
		wrong = append(wrong, "lost: the command did not end")
	}
	return wrong
}

// filed checks that the line was added once, the file thrown away once and whole, and nothing left behind.
func filed(states ...string) func(*process, snapshot) []string {
	return func(p *process, end snapshot) (wrong []string) {
		wrong = among(2, states...)(p, end)
		dir := filepath.Join(p.home, folderName)
		text, err := os.ReadFile(filepath.Join(dir, written))
		switch n := strings.Count(string(text), "한 줄"); {
		case err != nil || n == 0:
			wrong = append(wrong, fmt.Sprintf("lost: the file holds %q (%v)", text, err))
		case n > 1:
			wrong = append(wrong, fmt.Sprintf("doubled: the file holds %q", text))
		case string(text) != after:
			wrong = append(wrong, fmt.Sprintf("lost: the file holds %q", text))
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 1 {
			wrong = append(wrong, fmt.Sprintf("doubled: the folder holds %v (%v)", entries, err))
		}
		var view struct {
			Trashed []struct {
				Path string `json:"path"`
			} `json:"trashed"`
		}
		if err := p.do("folders", nil, &view); err != nil {
			return append(wrong, "lost: "+err.Error())
		}
		if len(view.Trashed) != 1 || filepath.Base(view.Trashed[0].Path) != thrown {
			wrong = append(wrong, fmt.Sprintf("lost: the trash holds %+v", view.Trashed))
		}
		return wrong
	}
}

// lined is a customer who looks whether the line of a call stands in the file.
func lined(home string, a event.AskOpened) bool {
	text, err := os.ReadFile(filepath.Join(home, folderName, written))
	var args struct {
		Text string `json:"text"`
	}
	return err == nil && json.Unmarshal(a.Args, &args) == nil && strings.Contains(string(text), args.Text)
}

// inTurn checks that both lines were added once. Which comes first is promised only to who stood in line already, and no kill
// says whether both did: job's TestWhoeverHadAToolHasItAgain holds the line to its order.
func inTurn(p *process, end snapshot) []string {
	wrong := all("succeeded", "succeeded")(p, end)
	text, err := os.ReadFile(filepath.Join(p.home, folderName, written))
	if got := string(text); err != nil || got != before+"한 줄\n두 줄\n" && got != before+"두 줄\n한 줄\n" {
		wrong = append(wrong, fmt.Sprintf("lost: the file holds %q (%v)", text, err))
	}
	return wrong
}

// forbidden has a rule deny the guest book from now on, and takes away what stands in it: nothing may be written any more,
// also not by a step that may run again.
func forbidden(c *customer) error {
	files, err := filepath.Glob(c.witness + ".book.*")
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.Remove(f); err != nil {
			return err
		}
	}
	c.book = nil
	if err := os.MkdirAll(filepath.Join(c.home, "data"), 0o700); err != nil { // it died before there was one
		return err
	}
	return os.WriteFile(filepath.Join(c.home, "data", "settings.json"), []byte(`{"policy.rules":[{"tool":"guest_book","decision":"deny","note":"이제 안 돼요"}]}`), 0o600)
}

// shelfTitles are the documents of the story about a shelf, and what is in them.
var shelfTitles = map[string]string{"가 계약": "제1조(목적) 갑의 계약", "나 계약": "제1조(목적) 을의 계약", "다 계약": "제1조(목적) 병의 계약"}

// followed makes the folder, once, has a shelf follow it, moves one file and takes another away, and waits until all is as it should be.
func followed(p *process) error {
	dir := filepath.Join(p.home, folderName)
	if _, err := os.Stat(dir); err != nil {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
		for title, text := range shelfTitles {
			path := filepath.Join(dir, title+".txt")
			if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, longAgo, longAgo)); err != nil {
				return err
			}
		}
	}
	return p.shelfIs(func(v event.LibraryShelf) error {
		gone := filepath.Join(dir, "다 계약.txt")
		_, err := os.Stat(gone)
		switch {
		case v.ID == "":
			return p.do("shelf_add", map[string]any{"path": dir, "rule": "drop"}, nil)
		case v.Read == len(shelfTitles) && err == nil: // all is read: now one goes, and one goes elsewhere
			return errors.Join(os.Mkdir(filepath.Join(dir, "옮긴 곳"), 0o755),
				os.Rename(filepath.Join(dir, "가 계약.txt"), filepath.Join(dir, "옮긴 곳", "가 계약.txt")), os.Remove(gone))
		case v.Read == len(shelfTitles)-1 && v.Files == v.Read && err != nil && !v.Looking:
			return errDone
		}
		return nil
	})
}

var errDone = errors.New("it is done")

// shelfIs shows the shelf as it is now, and whenever it changed, until it is done.
func (p *process) shelfIs(look func(event.LibraryShelf) error) error {
	for {
		p.mu.Lock()
		seen := len(p.events)
		p.mu.Unlock()
		var list struct{ Shelves []event.LibraryShelf }
		if err := p.do("shelves", nil, &list); err != nil {
			return err
		}
		v := event.LibraryShelf{}
		if len(list.Shelves) > 0 {
			v = list.Shelves[0]
		}
		if err := look(v); errors.Is(err, errDone) {
			return nil
		} else if err != nil {
			return err
		}
		err := p.until("the shelf to move", func() bool {
			for _, e := range p.events[seen:] {
				if e.Kind == event.KindLibraryShelf {
					return true
				}
			}
			return false
		})
		if err != nil {
			return err
		}
	}
}

// onFollowedShelf checks that each document is on the shelf once, that nothing else is in the library, and that one that moved goes by its
// new place.
func onFollowedShelf(p *process, _ snapshot) (wrong []string) {
	var all struct{ Shelves []event.LibraryShelf }
	var list struct {
		Files []struct{ Path, State string }
	}
	var own shelves
	if err := p.do("shelves", nil, &all); err != nil || len(all.Shelves) != 1 {
		return []string{fmt.Sprintf("lost: the shelves are %+v (%v)", all.Shelves, err)}
	}
	if err := errors.Join(p.do("shelf_files", map[string]any{"shelf": all.Shelves[0].ID}, &list), p.do("documents", nil, &own)); err != nil {
		return []string{"lost: " + err.Error()}
	}
	if have := fmt.Sprint(list.Files); have != "[{나 계약.txt read} {옮긴 곳/가 계약.txt read}]" {
		wrong = append(wrong, "lost: the shelf holds "+have)
	}
	for _, d := range own.Documents {
		if d.Kind == "mine" {
			wrong = append(wrong, "doubled: beside the shelf there is "+d.Title)
		}
	}
	return wrong
}
