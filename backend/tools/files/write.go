package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/filing"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// write makes a file, adds to one or puts other text in its place.
type write struct{ Deps }

// The modes of file_write.
const (
	modeAppend  = "append"
	modeCreate  = "create"
	modeReplace = "replace"
)

func (*write) Spec() toolbox.Spec { return manual("file_write") }

// change is what a call would do to a file. Close its At.
type change struct {
	at       *folders.At
	mode     string
	old, new string // as text
	was, is  []byte // as it is kept
}

// plan works out what a call would write. Preview shows it and Run does it, so that they cannot differ.
func (t *write) plan(ctx context.Context, call toolbox.Call) (c change, err error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return c, err
	}
	if a.Mode == "" {
		a.Mode = modeAppend
	}
	need := folders.Free
	if a.Mode == modeCreate {
		need = folders.New
	}
	at, err := t.Folders.Find(ctx, a.Path, need)
	if err != nil {
		return c, err
	}
	c = change{at: at, mode: a.Mode}
	defer func() {
		if err != nil {
			at.Close()
		}
	}()
	if err := at.Writable(); err != nil {
		return c, err
	}
	var doc document
	if at.Info != nil {
		if c.was, err = at.Read(maxWrite); err != nil {
			return c, err
		}
		var ok bool
		if doc, ok = decode(c.was); !ok {
			return c, refused(at.Path, "글자로 된 파일이 아니라서 고치지 않아요", "it is not a text file, so it is left alone")
		}
		if same, ok := doc.encode(doc.text); !ok || !bytes.Equal(same, c.was) { // what nobody wanted changed would change
			return c, refused(at.Path, "옛 글자 체계라 그대로 다시 쓸 수 없어서 고치지 않아요", "its old encoding cannot be written back as it was, so it is left alone")
		}
	}
	if garbage(a.Text) {
		return c, refused(at.Path, "글이 아닌 글자가 들어 있어요", "what should be written is no text")
	}
	c.old = doc.text
	c.new = compose(a.Mode, doc.text, strings.ReplaceAll(a.Text, "\r\n", "\n"))
	ok := false
	switch c.is, ok = doc.encode(c.new); {
	case !ok:
		return c, refused(at.Path, "이 파일의 글자 체계(%s)로는 쓸 수 없는 글자가 있어요", "its encoding (%s) has no such letters", doc.known)
	case len(c.is) > maxWrite:
		return c, refused(at.Path, "1 MB보다 큰 파일은 쓰지 않아요", "files of more than 1 MB are not written")
	case at.Info != nil && string(c.is) == string(c.was):
		return c, refused(at.Path, "이미 그 내용 그대로예요", "it says exactly that already")
	}
	return c, nil
}

// compose is the text of the whole file after the change. What is added begins on a line of its own, and every text ends
// with one.
func compose(mode, old, text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if mode != modeAppend {
		return text
	}
	if old != "" && !strings.HasSuffix(old, "\n") {
		old += "\n"
	}
	return old + text
}

// loses tells whether something that is in the file now would no longer be there.
func (c change) loses() bool { return len(c.was) > 0 && !bytes.HasPrefix(c.is, c.was) }

// base stands for the file as it is now, wherever a name may lead later.
func (c change) base() string {
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "%s\x00%t\x00", norm.NFC.String(c.at.Full), c.at.Info != nil)
	_, _ = sum.Write(c.was)
	return hex.EncodeToString(sum.Sum(nil))
}

// Preview implements toolbox.Previewer.
func (t *write) Preview(ctx context.Context, call toolbox.Call) (toolbox.Preview, error) {
	c, err := t.plan(ctx, call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	defer c.at.Close()
	from := c.at.Path
	text := bilingual.Say(call.Lang, "‘%s’ 파일의 내용을 바꿔요.", "Changes the file “%s”.", c.at.Path)
	switch {
	case c.at.Info == nil:
		from, text = "/dev/null", bilingual.Say(call.Lang, "‘%s’ 파일을 새로 만들어요.", "Makes the file “%s”.", c.at.Path)
	case c.mode == modeAppend:
		text = bilingual.Say(call.Lang, "‘%s’ 파일의 끝에 더해요.", "Adds to the end of “%s”.", c.at.Path)
	}
	if c.loses() {
		text += bilingual.Say(call.Lang, " 옛 내용은 휴지통에 남아요.", " What it says now stays in the trash.")
	}
	return toolbox.Preview{Text: text, Diff: udiff.Unified(from, c.at.Path, c.old, c.new), Base: c.base()}, nil
}

func (t *write) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	c, err := t.plan(ctx, call)
	if err != nil {
		return toolbox.Result{}, t.moved(call, err)
	}
	defer c.at.Close()
	if call.Base != "" && call.Base != c.base() {
		return toolbox.Result{}, apperr.New(apperr.Changed, "what", c.at.Path)
	}
	if err := ctx.Err(); err != nil {
		return toolbox.Result{}, err
	}
	if c.loses() {
		if err := t.Trash.Keep(c.at.Full, c.was); err != nil {
			return toolbox.Result{}, apperr.Wrap(err, apperr.FileRefused, "path", c.at.Path,
				"detail", bilingual.Text{KO: "옛 내용을 휴지통에 남겨 둘 수 없어서 바꾸지 않았어요", EN: "what it says now cannot be kept in the trash, so it was not replaced"})
		}
	}
	if t.Made != nil {
		c.at.Before = func(size int64, mod time.Time) error { return t.Made(ctx, call.JobID, c.at.Full, size, mod) }
	}
	step := filing.Step{Op: filing.Write, Path: c.at.Full}
	if c.at.Info != nil {
		step.Was = filing.MarkOf(c.at.Info)
	}
	err = t.hands(call.JobID).Record(ctx, useOf(call), step, c.was, func() (filing.Step, error) {
		err := c.at.Write(c.was, c.is)
		if info, e := c.at.Dir.Lstat(c.at.Name); e == nil {
			step.Is = filing.MarkOf(info)
		}
		return step, err
	})
	if err != nil {
		return toolbox.Result{}, err
	}
	text := bilingual.Say(call.Lang, "‘%s’ 파일을 바꿨어요.", "Changed “%s”.", c.at.Path)
	switch {
	case c.at.Info == nil:
		text = bilingual.Say(call.Lang, "‘%s’ 파일을 만들었어요.", "Made “%s”.", c.at.Path)
	case c.mode == modeAppend:
		text = bilingual.Say(call.Lang, "‘%s’ 파일에 더했어요.", "Added it to “%s”.", c.at.Path)
	}
	if c.loses() {
		text += bilingual.Say(call.Lang, " 옛 내용은 허락 페이지에서 되돌릴 수 있어요.", " The permissions page puts back what it said before.")
	}
	result, err := toolbox.ResultOf(struct {
		Path  string `json:"path"`
		Bytes int    `json:"bytes"`
		Made  bool   `json:"made,omitempty"`
	}{c.at.Path, len(c.is), c.at.Info == nil}, text)
	return undone(result, call), err
}

// moved: what could be done when it was shown and cannot be any more has changed meanwhile.
func (t *write) moved(call toolbox.Call, err error) error {
	if call.Base != "" && slices.Contains([]apperr.Code{apperr.FileMissing, apperr.FileRefused, apperr.FileUnclear}, apperr.CodeOf(err)) {
		return apperr.Wrap(err, apperr.Changed, "what", pathOf(call))
	}
	return err
}

func pathOf(call toolbox.Call) string {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return ""
	}
	return a.Path
}
