package files_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"agentchat/backend/apperr"
	"agentchat/backend/export"
	"agentchat/backend/filing"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/store"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/files"
	"agentchat/backend/trash"
)

// desk is the tools over one folder, 문서, that may be written to, and one, 참고, that may not.
type desk struct {
	t       testing.TB
	docs    string
	refs    string
	home    string // of the trash
	tools   map[string]toolbox.Tool
	book    *folders.Book
	journal filing.Journal
}

// journal is a ledger of its own.
func journal(t testing.TB) filing.Journal {
	t.Helper()
	s, err := store.Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func open(t testing.TB, notes ...files.Note) *desk {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, docs: filepath.Join(dir, "문서"), refs: filepath.Join(dir, "참고"), home: filepath.Join(dir, "data"), tools: map[string]toolbox.Tool{}}
	for _, sub := range []string{d.docs, d.refs} {
		if err := os.Mkdir(sub, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	d.book = folders.NewBook(folders.Deps{
		List: func() []folders.Folder { return []folders.Folder{{Path: d.docs, Write: true}, {Path: d.refs}} }, Home: "/nowhere",
	})
	d.journal = journal(t)
	for _, tool := range files.Tools(files.Deps{
		Folders: d.book, Trash: trash.Bin{Home: d.home}, Notes: func(context.Context) ([]files.Note, error) { return notes, nil },
		Journal: d.journal, Now: time.Now, Taken: func(_ context.Context, of files.Taken) (*export.Document, error) {
			return &export.Document{Title: "여행: 부산?", Blocks: export.Parse(fmt.Sprintf("%d %v\n\n| a | b |\n|---|---|\n| =1+1 | 2 |", of.Number, of.Whole))}, nil
		},
	}) {
		if err := tool.Spec().Check(); err != nil {
			t.Fatal(err)
		}
		d.tools[tool.Spec().Key] = tool
	}
	return d
}

func (d *desk) put(name, text string) string {
	d.t.Helper()
	path := filepath.Join(d.docs, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
	return path
}

func call(base string, args map[string]any) toolbox.Call {
	raw, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return toolbox.Call{JobID: "j", TodoID: strconv.FormatInt(uses.Add(1), 10), Args: raw, Base: base, Lang: bilingual.KO}
}

// uses tells one use from another.
var uses atomic.Int64

type args = map[string]any

func (d *desk) run(tool string, a args) (toolbox.Result, error) {
	return d.tools[tool].Run(d.t.Context(), call("", a))
}

func (d *desk) says(tool string, a args, want ...string) {
	d.t.Helper()
	r, err := d.run(tool, a)
	if err != nil {
		d.t.Fatalf("%s %v: %v", tool, a, err)
	}
	for _, w := range want {
		if !strings.Contains(r.Text, w) {
			d.t.Errorf("%s %v says %q, without %q", tool, a, r.Text, w)
		}
	}
}

func (d *desk) fails(tool string, a args, code apperr.Code) {
	d.t.Helper()
	if _, err := d.run(tool, a); apperr.CodeOf(err) != code {
		d.t.Errorf("%s %v: %v, want %s", tool, a, err, code)
	}
}

func (d *desk) look(tool string, a args) toolbox.Preview {
	d.t.Helper()
	p, err := d.tools[tool].(toolbox.Previewer).Preview(d.t.Context(), call("", a))
	if err != nil {
		d.t.Fatalf("%s %v: %v", tool, a, err)
	}
	return p
}

func holds(t *testing.T, path, want string) {
	t.Helper()
	if raw, err := os.ReadFile(path); err != nil || string(raw) != want {
		t.Errorf("%s holds %q (%v), not %q", filepath.Base(path), raw, err, want)
	}
}

func TestListing(t *testing.T) {
	d := open(t)
	d.put("나.txt", "1")
	d.put("일/가.txt", "1")
	d.put(".env", "1")
	d.put("server.pem", "1")
	d.says("file_list", args{"path": "문서"}, "2개", "- 일/", "- 나.txt (1 B")
	d.says("file_list", args{"path": "문서/일"}, "가.txt")
	d.says("file_list", args{}, "2개", "- 문서/", "- 참고/ (읽기만)")
	d.fails("file_list", args{"path": "없는"}, apperr.FileMissing)
	d.fails("file_list", args{"path": "/etc"}, apperr.PathOutside)
}

func TestReading(t *testing.T) {
	d := open(t)
	d.put("메모.txt", "첫 줄\n둘째 줄\n")
	d.says("file_read", args{"path": "메모.txt"}, "[문서/메모.txt, 2줄]\n```txt\n첫 줄\n둘째 줄\n```")
	d.says("file_read", args{"path": "메모.txt", "from": 2}, "둘째 줄")
	d.fails("file_read", args{"path": "메모.txt", "from": 9}, apperr.FileRefused)
	old, err := korean.EUCKR.NewEncoder().String("옛 글자\r\n")
	if err != nil {
		t.Fatal(err)
	}
	d.put("옛.txt", old)
	d.says("file_read", args{"path": "옛.txt"}, "옛 글자")
	d.put("그림.png", "\x89PNG\r\n\x1a\n\x00\x00\x00")
	d.fails("file_read", args{"path": "그림.png"}, apperr.FileRefused)
	d.put("빈.txt", "")
	d.says("file_read", args{"path": "빈.txt"}, "빈 파일")
	d.put("긴.txt", strings.Repeat("가나다라마바사\n", 5000))
	got := 0
	for from := 1; from > 0; {
		r, err := d.run("file_read", args{"path": "긴.txt", "from": from})
		if err != nil {
			t.Fatal(err)
		}
		var page struct {
			Next int    `json:"next"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal(r.Data, &page); err != nil {
			t.Fatal(err)
		}
		got += strings.Count(page.Text, "\n")
		from = page.Next
	}
	if got != 4999 && got != 5000 {
		t.Errorf("page by page it has %d lines", got)
	}
	big := d.put("큰.txt", "")
	if err := os.Truncate(big, 9<<20); err != nil {
		t.Fatal(err)
	}
	d.fails("file_read", args{"path": "큰.txt"}, apperr.FileRefused)
	d.fails("file_read", args{"path": "문서/.env"}, apperr.FileRefused)
}

func TestSearching(t *testing.T) {
	d := open(t)
	d.put("회의록.txt", "보증금은 천만 원\n월세 50")
	d.put("일/"+norm.NFD.String("보증금 영수증")+".txt", "받음")
	d.put(".ssh/보증금", "x")
	d.put("그림.png", "\x00보증금")
	d.says("file_search", args{"query": "보증금"}, "2개", "- 문서/일/보증금 영수증.txt\n- 문서/회의록.txt\n    보증금은 천만 원")
	d.says("file_search", args{"query": "*.txt"}, "2개")
	d.says("file_search", args{"query": "월세", "path": "문서/일"}, "없어요")
	d.says("file_search", args{"query": "MEMO"}, "없어요")
	d.fails("file_search", args{"query": "x", "path": "밖"}, apperr.FileMissing)
}

func TestSearchingEverywhere(t *testing.T) {
	d := open(t, files.Note{ID: "n1", Title: "집", Text: "전세 계약은 3월에 끝난다"}, files.Note{ID: "n2", Text: "치과 예약 화요일"})
	d.put("계약.txt", strings.Repeat("아무 말\n", 300)+"전세계약서는 서랍에 있다\n")
	d.put("잡담.txt", "계약과는 상관없는 이야기")
	d.says("local_search", args{"query": "전세 계약이 언제 끝나?"}, "[집]", "3월에 끝난다", "[문서/계약.txt]", "서랍에")
	d.says("local_search", args{"query": "치과"}, "치과 예약 화요일")
	d.says("local_search", args{"query": "양자역학"}, "찾지 못했어요")
}

func TestWritingIsWhatWasShown(t *testing.T) {
	d := open(t)
	path := d.put("회의.txt", "안건 하나")
	a := args{"path": "회의.txt", "text": "내일 3시 회의"}
	p := d.look("file_write", a)
	if want := "--- 문서/회의.txt\n+++ 문서/회의.txt\n@@ -1 +1,2 @@\n-안건 하나\n\\ No newline at end of file\n+안건 하나\n+내일 3시 회의\n"; p.Diff != want {
		t.Errorf("the diff is %q", p.Diff)
	}
	if p.Base == "" || !strings.Contains(p.Text, "문서/회의.txt") {
		t.Errorf("the preview is %+v", p)
	}
	if _, err := d.tools["file_write"].Run(t.Context(), call(p.Base, a)); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "안건 하나\n내일 3시 회의\n")
	if _, err := d.tools["file_write"].Run(t.Context(), call(p.Base, a)); apperr.CodeOf(err) != apperr.Changed {
		t.Errorf("appended twice: %v", err)
	}
	holds(t, path, "안건 하나\n내일 3시 회의\n")

	p = d.look("file_write", args{"path": "새.txt", "text": "하나", "mode": "create"})
	d.put("새.txt", "다른 사람이")
	if _, err := d.tools["file_write"].Run(t.Context(), call(p.Base, args{"path": "새.txt", "text": "하나", "mode": "create"})); apperr.CodeOf(err) != apperr.Changed {
		t.Errorf("made over another: %v", err)
	}
	d.fails("file_write", args{"path": "새.txt", "text": "x", "mode": "create"}, apperr.FileRefused)
	d.fails("file_write", args{"path": "참고/새.txt", "text": "x"}, apperr.FolderReadOnly)
	d.fails("file_write", args{"path": "../새.txt", "text": "x"}, apperr.PathOutside)
	d.fails("file_write", args{"path": "문서/.bashrc", "text": "x"}, apperr.FileRefused)
	d.fails("file_write", args{"path": "회의.txt", "text": "a\x00b"}, apperr.FileRefused)
	d.put("그림.png", "\x89PNG\x00")
	d.fails("file_write", args{"path": "그림.png", "text": "x"}, apperr.FileRefused)
	d.says("file_write", args{"path": "회의.txt", "text": "최종", "mode": "replace"}, "바꿨어요")
	holds(t, path, "최종\n")
	d.fails("file_write", args{"path": "회의.txt", "text": "최종", "mode": "replace"}, apperr.FileRefused) // it says that already
	old, _ := korean.EUCKR.NewEncoder().String("옛 글자\r\n")
	path = d.put("옛.txt", old)
	d.says("file_write", args{"path": "옛.txt", "text": "새 줄"}, "더했어요")
	want, _ := korean.EUCKR.NewEncoder().String("옛 글자\r\n새 줄\r\n")
	holds(t, path, want)
	d.fails("file_write", args{"path": "옛.txt", "text": "🦊"}, apperr.FileRefused)
	holds(t, path, want)
}

// applied is what a unified diff makes of a text: an own reading of it, so that the diff is not checked by its maker.
func applied(t *rapid.T, old, diff string) string {
	if diff == "" {
		return old
	}
	var out strings.Builder
	lines := strings.SplitAfter(old, "\n")
	at := 0
	rows := strings.SplitAfter(diff, "\n")
	for i := 2; i < len(rows) && rows[i] != ""; i++ {
		row := rows[i]
		body := row[1:]
		if i+1 < len(rows) && strings.HasPrefix(rows[i+1], `\`) {
			body = strings.TrimSuffix(body, "\n")
		}
		switch row[0] {
		case '@':
			var from, n int
			if _, err := fmt.Sscanf(row, "@@ -%d,%d", &from, &n); err != nil {
				if _, err := fmt.Sscanf(row, "@@ -%d", &from); err != nil {
					t.Fatalf("%q: %v", row, err)
				}
				n = 1
			}
			if n > 0 {
				from--
			}
			for ; at < from; at++ {
				out.WriteString(lines[at])
			}
		case ' ', '-':
			if lines[at] != body {
				t.Fatalf("the diff has %q where the file has %q", body, lines[at])
			}
			if at++; row[0] == ' ' {
				out.WriteString(body)
			}
		case '+':
			out.WriteString(body)
		}
	}
	for ; at < len(lines); at++ {
		out.WriteString(lines[at])
	}
	return out.String()
}

// Whatever is written, the file holds afterwards exactly what the preview's diff makes of what it held before.
func TestPreviewsAreTrue(t *testing.T) {
	d := open(t)
	line := rapid.SampledFrom([]string{"", "하나", "줄\r", "둘\r", "둘", "셋", "+넷", "-다섯", "@@ -1 +1 @@", "a b", "\t", "끝 "})
	text := rapid.Custom(func(r *rapid.T) string {
		s := strings.Join(rapid.SliceOfN(line, 0, 12).Draw(r, "lines"), "\n")
		if rapid.Bool().Draw(r, "ends") && s != "" {
			s += "\n"
		}
		return s
	})
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		name := fmt.Sprintf("%d.txt", n)
		old, fresh := text.Draw(r, "old"), rapid.Bool().Draw(r, "fresh")
		path := filepath.Join(d.docs, name)
		if fresh {
			old = ""
		} else {
			d.put(name, old)
		}
		a := args{"path": "문서/" + name, "text": text.Draw(r, "text"), "mode": rapid.SampledFrom([]string{"append", "replace"}).Draw(r, "mode")}
		p, err := d.tools["file_write"].(toolbox.Previewer).Preview(t.Context(), call("", a))
		if err != nil {
			if apperr.CodeOf(err) != apperr.FileRefused {
				r.Fatal(err)
			}
			return // nothing would change
		}
		if _, err := d.tools["file_write"].Run(t.Context(), call(p.Base, a)); err != nil {
			r.Fatal(err)
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			r.Fatal(err)
		}
		want := ""
		if n := strings.Count(old, "\r\n"); n > 0 && n == strings.Count(old, "\n") { // every line end of the file is kept as it is
			want = strings.ReplaceAll(applied(r, strings.ReplaceAll(old, "\r\n", "\n"), p.Diff), "\n", "\r\n")
		} else {
			want = applied(r, old, p.Diff)
		}
		if string(raw) != want {
			r.Fatalf("it holds %q, the preview said %q", raw, want)
		}
	})
}

func TestThrowingAwayAndBack(t *testing.T) {
	d := open(t)
	path := d.put("회의.txt", "안건")
	a := args{"path": "회의.txt"}
	p := d.look("file_trash", a)
	if !strings.Contains(p.Text, "문서/회의.txt") || p.Base == "" {
		t.Errorf("the preview is %+v", p)
	}
	d.put("회의.txt", "안건이 바뀌었다")
	if _, err := d.tools["file_trash"].Run(t.Context(), call(p.Base, a)); apperr.CodeOf(err) != apperr.Changed {
		t.Errorf("thrown away although it changed: %v", err)
	}
	holds(t, path, "안건이 바뀌었다")
	d.says("file_trash", a, "휴지통으로 옮겼어요")
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
	d.put("회의.txt", "새 안건")
	d.says("file_trash", a, "휴지통")
	bin := trash.Bin{Home: d.home}
	items, err := bin.List([]string{d.docs})
	if err != nil || len(items) != 2 || items[0].Path != path || time.Since(items[0].When) > time.Hour {
		t.Fatalf("the trash holds %+v, %v", items, err)
	}
	if other, err := bin.List([]string{d.refs}); err != nil || len(other) != 0 {
		t.Errorf("of another folder: %+v, %v", other, err)
	}
	root, err := os.OpenRoot(d.docs)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	if err := bin.Restore(items[0], root, "회의.txt"); err != nil {
		t.Fatal(err)
	}
	if err := bin.Restore(items[1], root, "회의.txt"); err == nil {
		t.Error("put back over another")
	}
	if left, err := bin.List([]string{d.docs}); err != nil || len(left) != 1 {
		t.Errorf("left: %+v, %v", left, err)
	}
	if raw, err := os.ReadFile(path); err != nil || !bytes.Contains(raw, []byte("안건")) {
		t.Errorf("it came back as %q, %v", raw, err)
	}

	d.put("옛날/하나.txt", "1")
	d.put("옛날/둘.txt", "2")
	if p := d.look("file_trash", args{"path": "문서/옛날"}); !strings.Contains(p.Text, "2개") {
		t.Errorf("the preview says %q", p.Text)
	}
	d.says("file_trash", args{"path": "문서/옛날"}, "휴지통")
	d.fails("file_trash", args{"path": "문서"}, apperr.FileRefused)
	d.fails("file_trash", args{"path": "참고"}, apperr.FileRefused)
	d.fails("file_trash", args{"path": "문서/없는.txt"}, apperr.FileMissing)
	if err := os.WriteFile(filepath.Join(d.refs, "a.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	d.fails("file_trash", args{"path": "참고/a.txt"}, apperr.FolderReadOnly)
}

func TestNoFolderIsOpen(t *testing.T) {
	none := files.Deps{Folders: folders.NewBook(folders.Deps{List: func() []folders.Folder { return nil }}), Journal: journal(t), Now: time.Now}
	for _, tool := range files.Tools(none) {
		if tool.Spec().Key == "file_undo" {
			continue // what is taken back is in the journal
		}
		_, err := tool.Run(t.Context(), call("", args{"path": "메모.txt", "to": "x", "query": "메모", "text": "x"}))
		if apperr.CodeOf(err) != apperr.NoFolder {
			t.Errorf("%s: %v", tool.Spec().Key, err)
		}
	}
}

// What a replacement takes away lies in the trash and comes back beside the file; of one file the newest twenty stay.
func TestWhatIsReplacedIsKept(t *testing.T) {
	d := open(t)
	path := d.put("제목.txt", "처음\n")
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)
	bin := trash.Bin{Home: d.home, Now: func() time.Time { now = now.Add(time.Second); return now }}
	for _, tool := range files.Tools(files.Deps{Folders: d.book, Trash: bin, Journal: d.journal, Now: time.Now}) {
		d.tools[tool.Spec().Key] = tool
	}
	kept := func() []trash.Item {
		t.Helper()
		items, err := bin.List([]string{d.docs})
		if err != nil {
			t.Fatal(err)
		}
		return items
	}
	d.says("file_write", args{"path": "제목.txt", "text": "더"}, "더했어요")
	if items := kept(); len(items) != 0 {
		t.Fatalf("adding takes nothing away: %v", items)
	}
	if p := d.look("file_write", args{"path": "제목.txt", "text": "둘째", "mode": "replace"}); !strings.Contains(p.Text, "휴지통에 남아요") {
		t.Errorf("%q", p.Text)
	}
	d.says("file_write", args{"path": "제목.txt", "text": "둘째", "mode": "replace"}, "되돌릴 수 있어요")
	holds(t, path, "둘째\n")
	items := kept()
	if len(items) != 1 || filepath.Base(items[0].Path) != "제목 2026-01-02 03.04.06.txt" {
		t.Fatalf("%v", items)
	}
	root, err := os.OpenRoot(d.docs)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	if err := bin.Restore(items[0], root, filepath.Base(items[0].Path)); err != nil {
		t.Fatal(err)
	}
	holds(t, items[0].Path, "처음\n더\n")
	for n := range 25 {
		d.says("file_write", args{"path": "제목.txt", "text": fmt.Sprint(n), "mode": "replace"})
	}
	if items := kept(); len(items) != 20 || items[0].Path < items[19].Path {
		t.Errorf("%d are kept: %v", len(items), items)
	}
	holds(t, path, "24\n")
}
