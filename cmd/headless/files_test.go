package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/shop"
)

// Files over the headless front, as a process: a folder is opened and kept, a file written after its diff was approved,
// searched, thrown away and put back, and the folder closed.
func TestFilesOfTheFront(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	docs, dir := filepath.Join(home, "문서"), t.TempDir()
	if err := os.Mkdir(docs, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(docs, "회의.txt")
	s := start(t, dir)
	var view shop.FoldersView
	s.must("open_folder", map[string]any{"path": docs, "write": true}, &view)
	if len(view.Folders) != 1 || view.Folders[0].Name != "문서" || !view.Folders[0].Write {
		t.Fatalf("%+v", view)
	}
	for _, path := range []string{"/", dir, filepath.Dir(dir), "/etc", "문서"} {
		if a := s.do("open_folder", map[string]any{"path": path}); a.OK || a.Error.Code != "folder_refused" {
			t.Errorf("%s: %+v", path, a)
		}
	}
	id := s.wish("회의.txt에 '내일 3시 회의' 추가해줘")
	q := s.asked(id, 0)
	if q.Preview == nil || !strings.Contains(q.Preview.Diff, "+내일 3시 회의") {
		t.Errorf("%+v", q.Preview)
	}
	s.must("answer", map[string]any{"ask": q.ID, "choice": "approve", "digest": q.Digest}, nil)
	s.becomes(id, "succeeded")
	if raw, err := os.ReadFile(file); err != nil || string(raw) != "내일 3시 회의\n" {
		t.Errorf("%q, %v", raw, err)
	}
	s.quit()

	s = start(t, dir) // the folder stays open
	s.becomes(s.wish("'3시'가 들어간 파일 찾아줘"), "succeeded")
	from := s.mark()
	id = s.wish("회의.txt 지워줘")
	q = s.asked(id, from)
	s.must("answer", map[string]any{"ask": q.ID, "choice": "approve", "digest": q.Digest}, nil)
	s.becomes(id, "succeeded")
	s.must("folders", nil, &view)
	if len(view.Trashed) != 1 || view.Trashed[0].Path != file {
		t.Fatalf("%+v", view)
	}
	s.must("restore_trashed", map[string]any{"trashed": view.Trashed[0].ID}, nil)
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	s.must("close_folder", map[string]any{"path": docs}, &view)
	if len(view.Folders) != 0 {
		t.Errorf("%+v", view)
	}
	s.becomes(s.wish("회의.txt 읽어줘"), "failed")
	s.must("wait", map[string]any{"until": "idle"}, nil)
	var h struct {
		Messages []event.ChatMessage `json:"messages"`
	}
	s.must("history", nil, &h)
	if !slices.ContainsFunc(h.Messages, func(m event.ChatMessage) bool { return strings.Contains(m.Text, "폴더 열기") }) {
		t.Errorf("nobody says how a folder is opened: %+v", h.Messages)
	}
	s.quit()
}
