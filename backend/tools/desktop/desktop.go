// Package desktop holds the tools that reach the person's desktop: clipboard_read, clipboard_write, open_link and open_file.
// Each asks before it does anything, and shows in full what it would do. Each has its manual beside it.
package desktop

import (
	"context"
	"embed"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// Desktop is what the tools need of the desktop: the window's own, or the system's helpers. Safe for concurrent use.
type Desktop interface {
	// ReadClipboard gives the text on the clipboard, "" when it holds none. Error: no_desktop.
	ReadClipboard(ctx context.Context) (string, error)
	// WriteClipboard puts text on the clipboard. Error: no_desktop.
	WriteClipboard(ctx context.Context, text string) error
	// Open opens an http or https address in the browser, or a file by its absolute path in the program for it. Error:
	// no_desktop.
	Open(ctx context.Context, target string) error
}

// Deps are what the tools need of the shop. File follows a path into the folders the person opened and gives where it is on
// the disk and how people call it.
type Deps struct {
	Desktop Desktop
	File    func(ctx context.Context, path string) (full, name string, err error)
}

// Tools are the tools of the desktop, sorted by key.
func Tools(d Deps) []toolbox.Tool {
	return []toolbox.Tool{&readClip{d}, &writeClip{d}, &openFile{d}, &openLink{d}}
}

//go:embed *.json
var manuals embed.FS

var manual = toolbox.Manuals(manuals)

// args are the arguments of all four tools; the schemas say which of them one takes.
type args struct {
	Text    string `json:"text"`
	Address string `json:"address"`
	Path    string `json:"path"`
}

// readClip reads the clipboard: other people's words, and perhaps a secret, so it asks each time.
type readClip struct{ Deps }

// shownClip is how many characters of the clipboard a result carries.
const shownClip = 12_000

func (*readClip) Spec() toolbox.Spec { return manual("clipboard_read") }

func (t *readClip) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	text, err := t.Desktop.ReadClipboard(ctx)
	if err != nil {
		return toolbox.Result{}, err
	}
	cut := false
	if utf8.RuneCountInString(text) > shownClip {
		text, cut = string([]rune(text)[:shownClip]), true
	}
	data := struct {
		Text string `json:"text"`
		Cut  bool   `json:"cut,omitempty"`
	}{text, cut}
	if strings.TrimSpace(text) == "" {
		return toolbox.ResultOf(data, bilingual.Say(call.Lang, "클립보드에 글이 없어요.", "There is no text on the clipboard."))
	}
	return toolbox.ResultOf(data, bilingual.Say(call.Lang, "클립보드에는 이렇게 있어요:\n", "The clipboard says:\n")+text)
}

// writeClip puts text on the clipboard.
type writeClip struct{ Deps }

func (*writeClip) Spec() toolbox.Spec { return manual("clipboard_write") }

func (t *writeClip) Preview(_ context.Context, call toolbox.Call) (toolbox.Preview, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	return toolbox.Preview{
		Text: bilingual.Say(call.Lang, "클립보드에 있던 것 대신 이 글을 넣어요.", "This text takes the place of what is on the clipboard."),
		Diff: udiff.Unified("/dev/null", "clipboard", "", a.Text+"\n"),
	}, nil
}

func (t *writeClip) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	if err := t.Desktop.WriteClipboard(ctx, a.Text); err != nil {
		return toolbox.Result{}, err
	}
	return toolbox.ResultOf(struct {
		Characters int `json:"characters"`
	}{utf8.RuneCountInString(a.Text)}, bilingual.Say(call.Lang, "클립보드에 복사했어요.", "It is on the clipboard."))
}

// openLink opens an address in the browser.
type openLink struct{ Deps }

func (*openLink) Spec() toolbox.Spec { return manual("open_link") }

// Address is an address as a browser may get it: http or https, a host, and no name before an @ that could be taken for the
// host. One without a scheme is taken for https. Error: link_refused.
func Address(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return "", apperr.Wrap(err, apperr.LinkRefused, "address", text)
	}
	return u.String(), nil
}

func (t *openLink) Preview(_ context.Context, call toolbox.Call) (toolbox.Preview, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	address, err := Address(a.Address)
	if err != nil {
		return toolbox.Preview{}, err
	}
	return toolbox.Preview{Text: bilingual.Say(call.Lang, "브라우저에서 이 주소를 열어요: ", "This address is opened in the browser: ") + address, Base: address}, nil
}

func (t *openLink) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	address, err := Address(a.Address)
	if err != nil {
		return toolbox.Result{}, err
	}
	if err := t.Desktop.Open(ctx, address); err != nil {
		return toolbox.Result{}, err
	}
	return toolbox.ResultOf(struct {
		Address string `json:"address"`
	}{address}, bilingual.Say(call.Lang, "브라우저에서 열었어요: ", "Opened in the browser: ")+address)
}

// openFile opens a file of an opened folder in the program for it.
type openFile struct{ Deps }

func (*openFile) Spec() toolbox.Spec { return manual("open_file") }

func (t *openFile) Preview(ctx context.Context, call toolbox.Call) (toolbox.Preview, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	full, _, err := t.File(ctx, a.Path)
	if err != nil {
		return toolbox.Preview{}, err
	}
	return toolbox.Preview{Text: bilingual.Say(call.Lang, "이 파일을 그 프로그램으로 열어요: ", "This file is opened in the program for it: ") + full, Base: full}, nil
}

func (t *openFile) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	full, name, err := t.File(ctx, a.Path)
	if err != nil {
		return toolbox.Result{}, err
	}
	if call.Base != "" && call.Base != full {
		return toolbox.Result{}, apperr.New(apperr.Changed, "what", name)
	}
	if err := t.Desktop.Open(ctx, full); err != nil {
		return toolbox.Result{}, err
	}
	return toolbox.ResultOf(struct {
		Path string `json:"path"`
	}{name}, bilingual.Say(call.Lang, "열었어요: ", "Opened: ")+name)
}

var (
	_ toolbox.Previewer = (*writeClip)(nil)
	_ toolbox.Previewer = (*openLink)(nil)
	_ toolbox.Previewer = (*openFile)(nil)
)
