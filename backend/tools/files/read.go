package files

import (
	"context"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// read gives the text of a file.
type read struct{ Deps }

// maxShown is how many characters one call gives: about what a model reads at once.
const maxShown = 16000

func (*read) Spec() toolbox.Spec { return manual("file_read") }

func (t *read) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	at, err := t.Folders.Find(ctx, a.Path, folders.File)
	if err != nil {
		return toolbox.Result{}, err
	}
	defer at.Close()
	d, err := t.text(at)
	if err != nil {
		return toolbox.Result{}, err
	}
	lines := strings.SplitAfter(strings.TrimSuffix(d.text, "\n"), "\n")
	if d.text == "" {
		lines = nil
	}
	from := max(a.From, 1)
	if from > len(lines) && len(lines) > 0 {
		return toolbox.Result{}, refused(at.Path, "%d줄까지 있어요", "it has %d lines", len(lines))
	}
	text, next := portion(lines, from)
	head := bilingual.Say(call.Lang, "[%s, %d줄]", "[%s, %d lines]", at.Path, len(lines))
	tail := ""
	switch {
	case len(lines) == 0:
		tail = bilingual.Say(call.Lang, "빈 파일이에요.", "The file is empty.")
	case next > 0:
		tail = "\n" + bilingual.Say(call.Lang, "(%d줄부터 더 있어요.)", "(There is more from line %d on.)", next)
	}
	return toolbox.ResultOf(struct {
		Path  string `json:"path"`
		From  int    `json:"from"`
		Lines int    `json:"lines"`          // of the whole file
		Next  int    `json:"next,omitempty"` // the first line that was not given
		Text  string `json:"text"`
	}{at.Path, from, len(lines), next, text}, head+"\n"+fenced(at.Path, text)+tail)
}

// fenced puts a file's text into a Markdown fence, longer than any in it, so that it is shown and read as what it is.
func fenced(path, text string) string {
	if text == "" {
		return ""
	}
	longest, run := 2, 0
	for _, r := range text {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + strings.TrimPrefix(filepath.Ext(path), ".") + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
}

// text reads a file as text. Errors: file_refused for what is none, or too large.
func (d Deps) text(at *folders.At) (document, error) {
	if at.Info.Size() > maxRead {
		return document{}, refused(at.Path, "8 MB보다 큰 파일은 읽지 않아요", "files of more than 8 MB are not read")
	}
	raw, err := at.Read(maxRead)
	if err != nil {
		return document{}, err
	}
	doc, ok := decode(raw)
	if !ok {
		return document{}, refused(at.Path, "글자로 된 파일이 아니에요. PDF나 문서라면 도서관에 넣고 물어봐 주세요", "it is not a text file; put a PDF or a document into the library and ask there")
	}
	return doc, nil
}

// portion gives lines from one on, as many as are read at once, and the first that is not among them (0: all are). A line
// that is too long by itself is cut.
func portion(lines []string, from int) (text string, next int) {
	var b strings.Builder
	room := maxShown
	for i := from - 1; i < len(lines); i++ {
		n := utf8.RuneCountInString(lines[i])
		if n > room && b.Len() > 0 {
			return b.String(), i + 1
		}
		if n > room {
			b.WriteString(string([]rune(lines[i])[:room]) + "…\n")
			n = room
		} else {
			b.WriteString(lines[i])
		}
		if room -= n; room <= 0 && i+1 < len(lines) {
			return b.String(), i + 2
		}
	}
	return b.String(), 0
}
