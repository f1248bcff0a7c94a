package shop_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/toolbox"
)

// treeOf is everything below a folder: names, bytes, modes and times of files.
func treeOf(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		_, _ = fmt.Fprintf(&b, "%s %v", rel, info.Mode())
		if !e.IsDir() {
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			_, _ = fmt.Fprintf(&b, " %d %q", info.ModTime().UnixNano(), raw)
		}
		_, _ = b.WriteString("\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// full is a folder with files of several kinds, none of them new.
func full(t *testing.T, dir string, n int) {
	t.Helper()
	ends := []string{"pdf", "png", "mp3", "zip", "mp4", "xyz"}
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("파일 %03d.%s", i, ends[i%len(ends)]))
		kept(t, path, fmt.Sprint("내용 ", i))
		old := time.Now().Add(-time.Duration(i+1) * time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
}

// A folder is sorted by kind with one yes, without the lines that were unticked, and is put back as it was by a word; and that, too, is
// taken back by a word.
func TestTidyingWithOneYesAndBack(t *testing.T) {
	c, docs := withFolder(t, true)
	full(t, docs, 60)
	before := treeOf(t, docs)
	id := c.job("문서 폴더를 종류별로 정리해줘")
	q := c.question(id)
	if q.Tool != "file_tidy" || q.Preview == nil || q.Preview.Lines != 60 || q.Preview.Plan == "" {
		t.Fatalf("the question is %+v, %+v", q, q.Preview)
	}
	for _, o := range q.Origins {
		if !o.Trusted {
			t.Errorf("said by the customer, yet %+v", o)
		}
	}
	lines, err := c.FilePlan(t.Context(), q.Preview.Plan)
	if err != nil || len(lines) != 60 || lines[0].From != "문서/파일 000.pdf" || lines[0].To != "문서/문서/파일 000.pdf" {
		t.Fatalf("%d lines, %+v, %v", len(lines), lines[0], err)
	}
	if _, err := c.Answer(t.Context(), ask.Reply{Ask: q.ID, Choice: "approve", Digest: q.Digest, Pick: &toolbox.Pick{Leave: []int{60}}}); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Errorf("a line that is not there: %v", err)
	}
	if _, err := c.Answer(t.Context(), ask.Reply{Ask: q.ID, Choice: "approve", Digest: q.Digest, Pick: &toolbox.Pick{Names: []toolbox.Rename{{Line: 4, Name: "../x"}}}}); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Errorf("a name that leads elsewhere: %v", err)
	}
	kept(t, filepath.Join(docs, "파일 007.png"), "그 사이에 다른 것이 됨") // what has drifted is not moved
	drifted := treeOf(t, docs)
	pick := &toolbox.Pick{Leave: []int{2, 0, 1, 1}, Names: []toolbox.Rename{{Line: 6, Name: "계약서.pdf"}}}
	if _, err := c.Answer(t.Context(), ask.Reply{Ask: q.ID, Choice: "approve", Digest: q.Digest, Pick: pick}); err != nil {
		t.Fatal(err)
	}
	c.state(id, "succeeded")
	if text := c.outcome(id); !strings.Contains(text, "56개를 옮겼어요") || !strings.Contains(text, "파일 007.png: 그 사이에 바뀌었어요") {
		t.Errorf("it tells %q", text)
	}
	for path, there := range map[string]bool{
		"파일 000.pdf": true, "파일 001.png": true, "파일 002.mp3": true, "파일 003.zip": false, "압축 파일/파일 003.zip": true, "문서/계약서.pdf": true, "파일 007.png": true, "음악/파일 008.mp3": true, "기타/파일 005.xyz": true,
	} {
		if _, err := os.Lstat(filepath.Join(docs, path)); (err == nil) != there {
			t.Errorf("%s: %v", path, err)
		}
	}
	after := treeOf(t, docs)

	id = c.job("방금 거 되돌려줘")
	if q = c.question(id); q.Tool != "file_undo" || q.Preview.Lines != 56 {
		t.Fatalf("the question is %+v, %+v", q, q.Preview)
	}
	c.answer(id, "approve", "")
	c.state(id, "succeeded")
	if now := treeOf(t, docs); now != drifted {
		t.Errorf("it was\n%s\nand is\n%s", drifted, now)
	}
	if before == drifted {
		t.Error("nothing drifted")
	}
	id = c.job("undo that")
	c.answer(id, "approve", "")
	c.state(id, "succeeded")
	if now := treeOf(t, docs); now != after {
		t.Errorf("it was\n%s\nand is again\n%s", after, now)
	}
}
