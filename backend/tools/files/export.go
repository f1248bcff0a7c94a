package files

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"agentchat/backend/apperr"
	"agentchat/backend/export"
	"agentchat/backend/filing"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// Taken says what a file is to be made of: the ticket with a Number; the Whole conversation before the ticket was asked for; else what the steps of the ticket before this one
// brought, or the last answer of the chat, with Tables one that has a table.
type Taken struct {
	Job, Todo, Chat string
	Number          int64
	Whole, Tables   bool
}

// exporter makes a file of what was said or found out, in an opened folder. It never replaces one.
type exporter struct{ Deps }

func (*exporter) Spec() toolbox.Spec { return manual("file_export") }

// The values of what in file_export.
const whatChat = "chat"

type exportArgs struct {
	What   string `json:"what"`
	Format string `json:"format"`
	Number int64  `json:"number"`
	Path   string `json:"path"`
}

// made is a file that would be written.
type made struct {
	at     *folders.At // close it
	format export.Format
	doc    *export.Document
	data   []byte
	taken  string // what stands already under the name that it would have had
}

// plan makes the file. Preview shows it and Run writes it, so that they cannot differ.
func (t *exporter) plan(ctx context.Context, call toolbox.Call) (m made, err error) {
	a, err := toolbox.ArgsOf[exportArgs](call)
	if err != nil {
		return m, err
	}
	if a.Format == "" {
		a.Format = "docx"
		if ext := strings.TrimPrefix(strings.ToLower(path.Ext(a.Path)), "."); ext != "" {
			if _, err := export.FormatOf(ext); err == nil {
				a.Format = ext
			}
		}
	}
	if m.format, err = export.FormatOf(a.Format); err != nil {
		return m, err
	}
	if len(t.Folders.Places(ctx)) == 0 {
		return m, apperr.New(apperr.NoFolder)
	}
	of := Taken{Job: call.JobID, Todo: call.TodoID, Chat: call.Chat, Number: a.Number, Whole: a.What == whatChat, Tables: m.format.TablesOnly}
	if m.doc, err = t.Taken(ctx, of); err != nil {
		return m, err
	}
	if m.data, err = m.format.Bytes(m.doc); err != nil {
		return m, err
	}
	m.at, m.taken, err = t.free(ctx, a.Path, m.doc.Title, m.format.Key)
	return m, err
}

// mostNames is how many names are tried for a file.
const mostNames = 1000

// free finds a name that nothing has, and says which one was wanted when that is taken. A path that is a folder is where the file goes; without one it goes
// into the first opened folder that may be written to.
func (t *exporter) free(ctx context.Context, where, title, format string) (at *folders.At, taken string, err error) {
	dir, name := "", fileName(title)
	if where != "" {
		found, err := t.Folders.Find(ctx, where, folders.Dir)
		if err == nil {
			dir = found.Path
			found.Close()
		} else {
			dir, name = path.Split(strings.TrimSuffix(strings.ReplaceAll(where, `\`, "/"), "/"))
			dir = strings.TrimSuffix(dir, "/")
			if ext := path.Ext(name); strings.EqualFold(ext, "."+format) {
				name = strings.TrimSuffix(name, ext)
			}
		}
	}
	if dir == "" {
		if dir, err = t.home(ctx); err != nil {
			return nil, "", err
		}
	}
	for n := 1; n <= mostNames; n++ {
		as := name
		if n > 1 {
			as = fmt.Sprintf("%s (%d)", name, n)
		}
		at, err := t.Folders.Find(ctx, dir+"/"+as+"."+format, folders.Free)
		switch {
		case err != nil && apperr.CodeOf(err) == apperr.FileRefused && n < mostNames: // something stands there that is no file
		case err != nil:
			return nil, "", err
		case at.Info == nil:
			if err := at.Writable(); err != nil {
				at.Close()
				return nil, "", err
			}
			return at, taken, nil
		default:
			at.Close()
		}
		if taken == "" {
			taken = as + "." + format
		}
	}
	return nil, "", refused(where, "그 이름과 비슷한 이름이 모두 쓰이고 있어요", "that name and those like it are all taken")
}

// home is the first opened folder that may be written to.
func (t *exporter) home(ctx context.Context) (string, error) {
	places := t.Folders.Places(ctx)
	for _, p := range places {
		if p.Write {
			return p.Name, nil
		}
	}
	if len(places) == 0 { // it was closed just now
		return "", apperr.New(apperr.NoFolder)
	}
	return "", apperr.New(apperr.FolderReadOnly, "folder", places[0].Name)
}

// fileName makes a name of a title.
func fileName(title string) string {
	const most = 60
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`\/:*?"<>|`, r) {
			return ' '
		}
		return r
	}, title)
	name = strings.Join(strings.Fields(name), " ")
	if letters := []rune(name); len(letters) > most {
		name = strings.TrimSpace(string(letters[:most]))
	}
	if name = strings.Trim(name, ". ~"); name == "" || !folders.GoodName(name) {
		return "agent-chat"
	}
	return name
}

// base stands for the file as it would be, and where.
func (m made) base() string { return filing.Hash([]byte(m.at.Full + "\x00" + filing.Hash(m.data))) }

// mostShown is how much of the text a preview shows, in letters.
const mostShown = 20000

// Preview implements toolbox.Previewer.
func (t *exporter) Preview(ctx context.Context, call toolbox.Call) (toolbox.Preview, error) {
	m, err := t.plan(ctx, call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	defer m.at.Close()
	text := bilingual.Say(call.Lang, "‘%s’ 파일을 새로 만들어요 (%s, %s): %s", "Makes the file “%s” (%s, %s): %s", m.at.Path, m.format.Name.In(call.Lang), size(int64(len(m.data))), m.doc.Title)
	if m.taken != "" {
		text += " " + bilingual.Say(call.Lang, "‘%s’ 파일은 이미 있어서 그대로 두고 ‘%s’ 이름으로 만들어요.", "“%s” is there already and stays as it is; the new one is called “%s”.", m.taken, m.at.Name)
	}
	as, err := export.FormatOf("md")
	if m.format.TablesOnly {
		as, err = export.FormatOf("csv")
	}
	if err != nil {
		return toolbox.Preview{}, err
	}
	shown, err := as.Bytes(m.doc)
	if err != nil {
		return toolbox.Preview{}, err
	}
	letters := []rune(strings.ReplaceAll(strings.TrimPrefix(string(shown), "\ufeff"), "\r\n", "\n"))
	cut := len(letters) > mostShown
	if cut {
		letters = append(letters[:mostShown], '\n')
	}
	return toolbox.Preview{Text: text, Diff: udiff.Unified("/dev/null", m.at.Path, "", string(letters)), Cut: cut, Base: m.base()}, nil
}

func (t *exporter) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	m, err := t.plan(ctx, call)
	if err != nil {
		return toolbox.Result{}, err
	}
	defer m.at.Close()
	if call.Base != "" && call.Base != m.base() {
		return toolbox.Result{}, apperr.New(apperr.Changed, "what", m.at.Path)
	}
	if err := ctx.Err(); err != nil {
		return toolbox.Result{}, err
	}
	if err := t.put(ctx, call, m); err != nil {
		return toolbox.Result{}, err
	}
	result, err := toolbox.ResultOf(struct {
		Path  string `json:"path"`
		Bytes int    `json:"bytes"`
	}{m.at.Path, len(m.data)}, bilingual.Say(call.Lang, "‘%s’ 파일을 만들었어요 (%s).", "Made “%s” (%s).", m.at.Path, size(int64(len(m.data)))))
	return undone(result, call), err
}

// put writes a file that was not there, and says so in the journal, so that it can be taken back.
func (t *exporter) put(ctx context.Context, call toolbox.Call, m made) error {
	if m.at.Info != nil {
		return errors.New("file_export: it would replace a file")
	}
	if t.Made != nil {
		m.at.Before = func(size int64, mod time.Time) error { return t.Made(ctx, call.JobID, m.at.Full, size, mod) }
	}
	step := filing.Step{Op: filing.Write, Path: m.at.Full}
	return t.hands(call.JobID).Record(ctx, useOf(call), step, nil, func() (filing.Step, error) {
		err := m.at.Write(nil, m.data)
		if info, e := m.at.Dir.Lstat(m.at.Name); e == nil {
			step.Is = filing.MarkOf(info)
		}
		return step, err
	})
}
