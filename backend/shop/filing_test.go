package shop_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
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

// What is said about files is heard, whatever the words.
func TestWhereFilesGoIsHeard(t *testing.T) {
	c, docs := withFolder(t, true)
	full(t, docs, 12)
	old := time.Now().AddDate(0, -3, 0)
	for _, name := range []string{"스크린샷 2025.png", "보고서.pdf", "report.pdf", "draft.md"} {
		kept(t, filepath.Join(docs, name), name)
		if err := os.Chtimes(filepath.Join(docs, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		"한 달 지난 스크린샷을 보관 폴더로 옮겨줘":                    "file_tidy 문서/보관/스크린샷 2025.png",
		"sort the Documents folder by type":          "file_tidy 문서/Pictures/스크린샷 2025.png",
		"move the PDFs to Contracts":                 "file_tidy 문서/Contracts/report.pdf",
		"문서 폴더의 사진을 월별로 정리해줘":                        "file_tidy 문서/" + old.Format("2006-01") + "/스크린샷 2025.png",
		"문서 폴더에 있는 PDF 파일들을 계약 폴더로 옮겨줘":              "file_tidy 문서/계약/report.pdf",
		"보고서.pdf를 계약 폴더로 옮겨줘":                        "file_move 문서/계약/보고서.pdf",
		"보고서.pdf 이름을 최종.pdf로 바꿔줘":                    "file_move 문서/최종.pdf",
		"rename report.pdf to final.pdf":             "file_move 문서/final.pdf",
		"move report.pdf to Taxes":                   "file_move 문서/Taxes/report.pdf",
		"copy draft.md to draft2.md":                 "file_copy 문서/draft2.md",
		"보고서.pdf를 백업 폴더에 복사해줘":                       "file_copy 문서/백업/보고서.pdf",
		"영수증 폴더 만들어줘":                                "folder_make 문서/영수증",
		"make a folder called Receipts in Documents": "folder_make 문서/Receipts",
	} {
		t.Run(text, func(t *testing.T) {
			id := c.job(text)
			q := c.question(id)
			if q.Preview == nil || q.Preview.Plan == "" {
				t.Fatalf("the question is %+v, %+v", q, q.Preview)
			}
			lines, err := c.FilePlan(t.Context(), q.Preview.Plan)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, l := range lines {
				got = append(got, q.Tool+" "+l.To)
			}
			if !slices.Contains(got, want) {
				t.Errorf("%q, without %q", got, want)
			}
			c.answer(id, "reject", "")
			c.state(id, "canceled")
		})
	}
}

// A folder that nobody opened is to be opened first.
func TestAFolderThatNobodyOpened(t *testing.T) {
	c, _ := withFolder(t, true)
	id := c.job("다운로드 폴더를 종류별로 정리해줘")
	c.state(id, "failed")
	if text := c.outcome(id); !strings.Contains(text, "허락 페이지에서 그 폴더를 열") {
		t.Errorf("it says %q", text)
	}
}

// Everything that a ticket did is taken back, by its button too, and what stands in the way is told.
func TestTakingBack(t *testing.T) {
	c, docs := withFolder(t, true)
	path := filepath.Join(docs, "글.txt")
	kept(t, path, "처음\n")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	before := treeOf(t, docs)
	var done []string
	for _, text := range []string{"글.txt 내용을 '둘째'로 바꿔줘", "글.txt를 보관 폴더로 옮겨줘", "글.txt를 사본.txt로 복사해줘", "사본.txt 지워줘"} {
		id := c.job(text)
		c.answer(id, "approve", "")
		c.state(id, "succeeded")
		done = append(done, id)
	}
	if view, err := c.Job(t.Context(), done[0]); err != nil || !view.Job.Undoable {
		t.Errorf("%+v, %v", view.Job, err)
	}
	back := func(id string) string {
		t.Helper()
		msg, err := c.UndoJob(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		d := until(c, "the turn is done", func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == msg.ID })
		c.again()
		if len(d.Jobs) != 1 {
			t.Fatalf("it became %v", d.Jobs)
		}
		return d.Jobs[0]
	}
	id := back(done[0]) // it was moved since
	c.state(id, "failed")
	if text := c.outcome(id); !strings.Contains(text, "이제 거기 없어요") {
		t.Errorf("it says %q", text)
	}
	for i := len(done) - 1; i >= 0; i-- {
		id := back(done[i])
		c.answer(id, "approve", "")
		c.state(id, "succeeded")
	}
	if now := treeOf(t, docs); now != before {
		t.Errorf("it was\n%s\nand is\n%s", before, now)
	}
}

// Where all there is changed a moment ago, that is said, and not that there is nothing.
func TestFilesOfThisMomentAreSaid(t *testing.T) {
	c, docs := withFolder(t, true)
	path := filepath.Join(docs, "지금.pdf")
	kept(t, path, "내용")
	f, err := os.OpenFile(path, os.O_WRONLY, 0) // held open, or a slow machine would find it an old one
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	id := c.job("문서 폴더를 종류별로 정리해줘")
	c.state(id, "failed")
	v, err := c.Job(t.Context(), id)
	if err != nil || v.Job.Code != string(apperr.FilesBusy) || !strings.Contains(v.Job.Report, "방금 바뀌었거나") || !strings.Contains(v.Job.Report, "1개") {
		t.Errorf("%s: %q, %v", v.Job.Code, v.Job.Report, err)
	}
}
