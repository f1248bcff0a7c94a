package shop_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/shop"
)

func TestAChatIsPinnedAndWrittenToAFile(t *testing.T) {
	t.Parallel()
	c := enter(t, t.TempDir())
	if _, err := c.NewChat(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.say("asdfasdf")
	if err := c.RenameChat(t.Context(), "main", "여행"); err != nil {
		t.Fatal(err)
	}
	if err := c.PinChat(t.Context(), "main", true); err != nil {
		t.Fatal(err)
	}
	snap, err := c.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, view := range snap.Chats {
		if view.Pinned != (view.ID == "main") {
			t.Errorf("chat %q: pinned is %v", view.ID, view.Pinned)
		}
	}
	if err := c.PinChat(t.Context(), "nobody's", true); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("pinning what is not there: %v", err)
	}

	path := filepath.Join(t.TempDir(), "여행.md")
	if err := c.Export(t.Context(), shop.Takeaway{Chat: "main"}, path, ""); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# 여행\n", "**나**", "asdfasdf", "**가게**"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the file lacks %q:\n%s", want, text)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info.Mode(), err)
	}
	if err := c.Export(t.Context(), shop.Takeaway{Chat: "nobody's"}, path, ""); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("writing what is not there: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".agentchat-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A conversation is made a file of by a word: it is shown what is written where, a name that is taken is told and kept, and it is taken back.
func TestAFileIsMadeByAWord(t *testing.T) {
	c, docs := withFolder(t, true)
	id := c.job("12 곱하기 34는?")
	c.state(id, "succeeded")
	c.names("12 곱하기 34는")
	kept(t, filepath.Join(docs, "12 곱하기 34는.pdf"), "mine")
	before := treeOf(t, docs)

	id = c.job("이 대화 PDF로 저장해줘")
	q := c.question(id)
	if q.Tool != "file_export" || q.Preview == nil || !strings.Contains(q.Preview.Text, "문서/12 곱하기 34는 (2).pdf") || !strings.Contains(q.Preview.Text, " ‘12 곱하기 34는.pdf’ 파일은 이미 있어서") ||
		!strings.Contains(q.Preview.Diff, "= 408") || strings.Contains(q.Preview.Diff, "PDF로 저장해줘") {
		t.Fatalf("the question is %+v, %+v", q, q.Preview)
	}
	c.answer(id, "approve", "")
	c.state(id, "succeeded")
	reads(t, filepath.Join(docs, "12 곱하기 34는.pdf"), "mine")
	if raw, err := os.ReadFile(filepath.Join(docs, "12 곱하기 34는 (2).pdf")); err != nil || !strings.HasPrefix(string(raw), "%PDF-") {
		t.Errorf("the file: %.20q, %v", raw, err)
	}

	id = c.job("방금 거 되돌려줘")
	if q = c.question(id); q.Tool != "file_undo" {
		t.Fatalf("the question is %+v", q)
	}
	c.answer(id, "approve", "")
	c.state(id, "succeeded")
	if now := treeOf(t, docs); now != before {
		t.Errorf("it was\n%s\nand is\n%s", before, now)
	}

	// The last answer is that of the sum: what only told of files is none.
	id = c.job("이거 문서로 만들어줘")
	if q = c.question(id); !strings.Contains(q.Preview.Text, "12 곱하기 34는.docx") || !strings.Contains(q.Preview.Diff, "= 408") {
		t.Fatalf("the question is %+v, %+v", q, q.Preview)
	}
	c.answer(id, "approve", "")
	c.state(id, "succeeded")
	if raw, err := os.ReadFile(filepath.Join(docs, "12 곱하기 34는.docx")); err != nil || !strings.HasPrefix(string(raw), "PK") {
		t.Errorf("the file: %.20q, %v", raw, err)
	}
}

// A file that names what it is to hold gets just that: what nobody has answered yet is found out first, by whichever room can, or asked for.
func TestAFileHoldsWhatItsWordsName(t *testing.T) {
	c, docs := withFolder(t, true)
	kept(t, filepath.Join(docs, "매출.csv"), ledgerCSV)
	id := c.job("12 곱하기 34는?")
	c.state(id, "succeeded")
	for _, step := range []struct{ text, tools, shows string }{
		{"3 더하기 4를 마크다운 파일로 저장해줘", "calculator file_export", "= 7"},
		{"매출.csv에서 지점별 금액 합계를 엑셀로 저장해줘", "table_query file_export", "29150"},
		{"지점별 금액 합계와 건수를 CSV로 저장해줘", "table_query file_export", "29150,3"},
		{"엑셀로 저장해줘", "file_export", "29150"},
	} {
		jobs := c.say(step.text)
		if keys := strings.Join(c.toolsOf(jobs), " "); keys != step.tools {
			t.Errorf("%s: %s, want %s", step.text, keys, step.tools)
			continue
		}
		if q := c.question(jobs[0]); q.Preview == nil || !strings.Contains(q.Preview.Diff, step.shows) || strings.Contains(q.Preview.Diff, "408") {
			t.Errorf("%s: %+v", step.text, q.Preview)
		}
		c.answer(jobs[0], "approve", "")
		c.state(jobs[0], "succeeded")
	}
	if m, jobs := c.replied("여행 계획을 PDF로 저장해줘"); len(jobs) > 0 || !strings.Contains(m.Text, "여행 계획") {
		t.Errorf("%v %q", jobs, m.Text)
	}
}

// Whatever has an id is taken away by it, in every kind of file that it has something for.
func TestEverythingIsTakenAway(t *testing.T) {
	c := enter(t, t.TempDir())
	id := c.job("12 곱하기 34는?")
	c.state(id, "succeeded")
	list, err := c.History(t.Context(), "main", "", 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []shop.Takeaway{{Chat: "main"}, {Chat: "main", Message: list[len(list)-1].ID}, {Job: id}} {
		formats, err := c.ExportFormats(t.Context(), of)
		want := "pdf docx html md"
		if of.Message == "" && of.Job == "" {
			want += " json zip" // a conversation leaves for programs, and with what was attached to it, too
		}
		if err != nil || strings.Join(formats, " ") != want {
			t.Errorf("%+v can be %v, %v", of, formats, err)
		}
		for _, format := range formats {
			path := filepath.Join(t.TempDir(), "x")
			if err := c.Export(t.Context(), of, path, format); err != nil {
				t.Errorf("%+v as %s: %v", of, format, err)
			}
			if raw, _ := os.ReadFile(path); format == "md" && !strings.Contains(string(raw), "= 408") {
				t.Errorf("%+v says %s", of, raw)
			}
		}
		if err := c.Export(t.Context(), of, filepath.Join(t.TempDir(), "x.xlsx"), ""); apperr.CodeOf(err) != apperr.NothingToExport {
			t.Errorf("without a table: %v", err)
		}
	}
	for _, of := range []shop.Takeaway{{Message: list[len(list)-1].ID}, {Chat: "main", Message: list[len(list)-1].ID}, {Job: id}, {Chat: "main", Job: id}} {
		path := filepath.Join(t.TempDir(), "x.zip") // which holds whole conversations
		if err := c.Export(t.Context(), of, path, ""); apperr.CodeOf(err) != apperr.InvalidArgs {
			t.Errorf("%+v as a zip: %v", of, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%+v made a zip", of)
		}
	}
	for _, of := range []shop.Takeaway{{Job: "nobody's"}, {Chat: "main", Message: "nobody's"}} {
		if err := c.Export(t.Context(), of, filepath.Join(t.TempDir(), "x.md"), ""); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("%+v: %v", of, err)
		}
	}
}
