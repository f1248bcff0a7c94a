package shop_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/event"
)

// contracts imports the standard contracts as somebody's own documents.
func (c *customer) contracts() {
	c.t.Helper()
	files, err := filepath.Glob("../library/standards/*.md")
	if err != nil || len(files) == 0 {
		c.t.Fatal(files, err)
	}
	dir := c.t.TempDir()
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			c.t.Fatal(err)
		}
		text = append(text, "\n끝.\n"...) // it is another document than the standard
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), text, 0o600); err != nil {
			c.t.Fatal(err)
		}
	}
	i, err := c.ImportDocuments(c.t.Context(), dir, "")
	if err != nil {
		c.t.Fatal(err)
	}
	until(c, "the contracts are there", func(_ event.Envelope, x event.LibraryImport) bool { return x.ID == i.ID && x.State == "done" })
}

// Questions in the words of people who never read a contract reach the library and find their passage.
func TestEverydayQuestions(t *testing.T) {
	c := enter(t, t.TempDir())
	c.contracts()
	text, err := os.ReadFile("../library/testdata/standards_questions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var all []question
	for line := range strings.Lines(string(text)) {
		if asked, answer, two := strings.Cut(strings.TrimSpace(line), "\t"); two && !strings.HasPrefix(asked, "#") {
			all = append(all, question{asked, answer})
		}
	}
	f := c.questions(all)
	t.Log(f)
	if 100*f.reached < 42*f.asked || 100*f.answered < 40*f.asked {
		t.Error("less than 42 % reach the library, or less than 40 % are answered")
	}
}

// What is said at the counter, too (수수료), is asked of the documents where these hold it; whether one may is no refusal.
func TestDocumentsAreAskedRather(t *testing.T) {
	c := enter(t, t.TempDir())
	c.contracts()
	if came := c.starts("fee", "부동산 수수료는 누가 내?"); len(came.started) != 1 || came.started[0].name != "library" {
		t.Errorf("%v %q", came.started, came.reply)
	}
	if came := c.starts("may", "말로만 계약 내용을 바꿔도 돼?"); strings.Contains(came.reply, "시작하지 않을게요") {
		t.Errorf("taken for a refusal: %q", came.reply)
	}
}
