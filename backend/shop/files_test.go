package shop_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/shop"
)

// withFolder opens a shop and a folder, 문서, in it; what is thrown away goes to a trash of the test's own.
func withFolder(t *testing.T, write bool) (c *customer, docs string) {
	t.Helper()
	t.Setenv("XDG_DATA_HOME", filepath.Join(t.TempDir(), "share"))
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	docs = filepath.Join(dir, "문서")
	if err := os.Mkdir(docs, 0o755); err != nil {
		t.Fatal(err)
	}
	c = enter(t, t.TempDir())
	if _, err := c.OpenFolder(docs, write); err != nil {
		t.Fatal(err)
	}
	return c, docs
}

func kept(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func reads(t *testing.T, path, want string) {
	t.Helper()
	if raw, err := os.ReadFile(path); err != nil || string(raw) != want {
		t.Errorf("%s holds %q (%v), not %q", filepath.Base(path), raw, err, want)
	}
}

// Asked in words, a file is read at once; it is written only after its diff was approved, as it was shown.
func TestFilesThroughTheShop(t *testing.T) {
	c, docs := withFolder(t, true)
	path := filepath.Join(docs, "회의.txt")
	kept(t, path, "안건 하나\n")
	id := c.job("회의.txt 읽어줘")
	c.state(id, "succeeded")
	if text := c.outcome(id); !strings.Contains(text, "안건 하나") {
		t.Errorf("it read %q", text)
	}
	id = c.job("문서 폴더에 뭐 있어?")
	c.state(id, "succeeded")
	if text := c.outcome(id); !strings.Contains(text, "회의.txt") {
		t.Errorf("the folder holds %q", text)
	}

	id = c.job("회의.txt에 '내일 3시 회의' 추가해줘")
	q := c.question(id)
	reads(t, path, "안건 하나\n")
	if q.Preview == nil || !strings.Contains(q.Preview.Diff, "\n+내일 3시 회의\n") || q.Tool != "file_write" || q.Why != "" {
		t.Errorf("the question is %+v, %+v", q, q.Preview)
	}
	for _, o := range q.Origins {
		if !o.Trusted {
			t.Errorf("said by the customer, yet %+v", o)
		}
	}
	c.answer(id, "approve", "")
	c.state(id, "succeeded")
	reads(t, path, "안건 하나\n내일 3시 회의\n")

	id = c.job("회의.txt에 '한 번 더' 추가해줘")
	c.answer(id, "reject", "")
	c.state(id, "canceled")
	reads(t, path, "안건 하나\n내일 3시 회의\n")

	id = c.job("회의.txt에 '늦은 줄' 추가해줘")
	c.question(id)
	kept(t, path, "그 사이에 바뀜\n")
	c.answer(id, "approve", "")
	c.state(id, "failed")
	if text := c.outcome(id); !strings.Contains(text, "바뀐 것이 있어") {
		t.Errorf("it said %q", text)
	}
	reads(t, path, "그 사이에 바뀜\n")
}

// Thrown away only after an approval that holds once, and put back from the permissions page.
func TestTrashThroughTheShop(t *testing.T) {
	c, docs := withFolder(t, true)
	path := filepath.Join(docs, "회의.txt")
	kept(t, path, "안건\n")
	id := c.job("회의.txt 지워줘")
	q := c.question(id)
	if len(q.Scopes) != 1 || q.Scopes[0].Scope != "once" || q.Preview == nil || !strings.Contains(q.Preview.Text, "문서/회의.txt") {
		t.Errorf("the question offers %+v with %+v", q.Scopes, q.Preview)
	}
	if _, err := c.Answer(t.Context(), ask.Reply{Ask: q.ID, Choice: "approve", Digest: q.Digest, Scope: "always"}); err == nil {
		t.Error("it can be approved for always")
	}
	c.answer(id, "approve", "")
	c.state(id, "succeeded")
	view := c.Folders()
	if _, err := os.Stat(path); err == nil || len(view.Trashed) != 1 || view.Trashed[0].Path != path {
		t.Fatalf("%v, the trash shows %+v", err, view.Trashed)
	}
	if _, err := c.RestoreTrashed(t.Context(), "/etc/passwd"); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("anything can be put anywhere: %v", err)
	}
	if view, err := c.RestoreTrashed(t.Context(), view.Trashed[0].ID); err != nil || len(view.Trashed) != 0 {
		t.Errorf("%+v, %v", view, err)
	}
	reads(t, path, "안건\n")
}

// A folder is closed at once, what is open for reading is not written, and what was allowed ends with the folder.
func TestFoldersOpenAndClose(t *testing.T) {
	c, docs := withFolder(t, false)
	path := filepath.Join(docs, "회의.txt")
	kept(t, path, "안건\n")
	id := c.job("회의.txt에 '하나' 추가해줘")
	c.state(id, "failed")
	if text := c.outcome(id); !strings.Contains(text, "읽기만") {
		t.Errorf("it said %q", text)
	}
	if _, err := c.OpenFolder(docs, true); err != nil {
		t.Fatal(err)
	}
	id = c.job("회의.txt에 '하나' 추가해줘")
	q := c.question(id)
	if _, err := c.Answer(t.Context(), ask.Reply{Ask: q.ID, Choice: "approve", Digest: q.Digest, Scope: "chat"}); err != nil {
		t.Fatal(err)
	}
	c.state(id, "succeeded")
	id = c.job("회의.txt에 '둘' 추가해줘") // allowed in this chat
	c.state(id, "succeeded")
	reads(t, path, "안건\n하나\n둘\n")
	if v, err := c.Permissions(t.Context()); err != nil || len(v.Grants) != 1 {
		t.Errorf("%+v, %v", v.Grants, err)
	}
	if view, err := c.CloseFolder(docs); err != nil || len(view.Folders) != 0 {
		t.Fatalf("%+v, %v", view, err)
	}
	if v, err := c.Permissions(t.Context()); err != nil || len(v.Grants) != 0 {
		t.Errorf("after its folder was closed: %+v, %v", v.Grants, err)
	}
	id = c.job("회의.txt 읽어줘")
	c.state(id, "failed")
	if text := c.outcome(id); !strings.Contains(text, "폴더 열기") {
		t.Errorf("it said %q", text)
	}
	if _, err := c.CloseFolder(docs); apperr.CodeOf(err) != apperr.NotFound {
		t.Error(err)
	}
	for _, bad := range []string{"/", "/proc", c.Config.Get().DataDir, filepath.Dir(c.Config.Get().DataDir), filepath.Join(docs, "none")} {
		if _, err := c.OpenFolder(bad, true); apperr.CodeOf(err) != apperr.FolderRefused {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// Whatever a model asks for, nothing outside of the opened folders is read, written or even asked about.
func TestAModelStaysInTheOpenedFolders(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	voice := calls()
	o := options(t.TempDir())
	o.Provider = voice
	s, err := shop.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	c := &customer{Shop: s, t: t, reader: s.Bus.SubscribeFrom(1)}
	t.Cleanup(c.leave)
	docs, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.OpenFolder(docs, true); err != nil {
		t.Fatal(err)
	}
	id := c.uses("file_write", map[string]any{"path": "/etc/cron.d/x", "text": "x"})
	c.state(id, "failed")
	id = c.uses("file_write", map[string]any{"path": "../../x", "text": "x"})
	c.state(id, "failed")
	id = c.uses("file_read", map[string]any{"path": "/etc/passwd"})
	c.state(id, "failed")
	if text := c.outcome(id); strings.Contains(text, "root:") {
		t.Errorf("%q", text)
	}
}

// Notes and files are looked through together; a shop without an opened folder still has its notes.
func TestNotesAndFilesAreSearchedTogether(t *testing.T) {
	c, docs := withFolder(t, false)
	kept(t, filepath.Join(docs, "보험.txt"), "치과 보험은 12월에 끝난다\n")
	if _, err := c.AddNote(t.Context(), "치과 예약 화요일 3시"); err != nil {
		t.Fatal(err)
	}
	id := c.job("내 메모랑 파일에서 '치과' 찾아줘")
	c.state(id, "succeeded")
	if text := c.outcome(id); !strings.Contains(text, "화요일 3시") || !strings.Contains(text, "[문서/보험.txt]") {
		t.Errorf("it found %q", text)
	}
	if _, err := c.CloseFolder(docs); err != nil {
		t.Fatal(err)
	}
	id = c.job("내 메모랑 파일에서 '치과' 찾아줘")
	c.state(id, "succeeded")
	if text := c.outcome(id); !strings.Contains(text, "화요일 3시") || strings.Contains(text, "보험.txt") {
		t.Errorf("it found %q", text)
	}
}
