package files

import (
	"context"
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/filing"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// transfer moves one file or folder, gives it another name, or copies it; its key says which.
type transfer struct {
	Deps
	key string
}

// transferArgs say what goes where: To is a folder, or a name.
type transferArgs struct {
	Path string `json:"path"`
	To   string `json:"to"`
}

func (t *transfer) Spec() toolbox.Spec { return manual(t.key) }

func (t *transfer) plan(ctx context.Context, call toolbox.Call) (p filing.Plan, err error) {
	a, err := toolbox.ArgsOf[transferArgs](call)
	if err != nil {
		return p, err
	}
	at, err := t.Folders.Find(ctx, a.Path, folders.Any)
	if err != nil {
		return p, err
	}
	defer at.Close()
	op := filing.Move
	if t.key == "file_copy" {
		op = filing.Copy
	}
	switch {
	case at.Name == ".":
		return p, refused(at.Path, "열린 폴더 자체는 옮기지 않아요", "an opened folder itself is not moved")
	case op == filing.Copy && at.Info.IsDir():
		return p, refused(at.Path, "폴더는 통째로 복사하지 않아요. 파일을 골라 주세요", "folders are not copied whole; choose files")
	case op == filing.Move:
		if err := at.Writable(); err != nil {
			return p, err
		}
	}
	dir, as, err := t.where(ctx, at, a.To)
	if err != nil {
		return p, err
	}
	if dir.full == filepath.Dir(at.Full) && op == filing.Move {
		if as == at.Name {
			return p, apperr.New(apperr.NothingToDo, "what", at.Path)
		}
		delete(dir.taken, fold(at.Name)) // a name of other case is another name
	}
	if strings.HasPrefix(dir.full+"/", at.Full+"/") {
		return p, refused(at.Path, "폴더를 그 안으로 옮길 수는 없어요", "a folder cannot go into itself")
	}
	return filing.Plan{Lines: []filing.Line{dir.lineOf(op, at, as, call.Lang)}, Before: dir.make}, nil
}

// where is the folder that something goes into, and its name there. What is said is a folder that is there, a path whose last step is a
// new name, or a new name beside it; a name without the ending that a file has gets it.
func (t *transfer) where(ctx context.Context, at *folders.At, to string) (dir targetDir, as string, err error) {
	into := strings.HasSuffix(strings.TrimSpace(to), "/") // a folder, and not a name
	to = strings.Trim(strings.TrimSpace(to), "/")
	beside := filepath.Dir(at.Full)
	for _, try := range []string{filepath.Join(beside, to), to} {
		if found, err := t.Folders.Find(ctx, try, folders.Dir); err == nil && found.Full != at.Full {
			defer found.Close()
			if err := found.Writable(); err != nil {
				return dir, "", err
			}
			if found.Name != "." {
				if err := found.Inside(); err != nil {
					return dir, "", err
				}
			}
			dir, err = t.inside(ctx, found, "")
			return dir, at.Name, err
		}
	}
	if unopened := t.Folders.Unopened(ctx, to); unopened != nil && !at.Info.IsDir() && filepath.Ext(to) == "" {
		return dir, "", unopened
	}
	up, name := "", to
	if i := strings.LastIndexByte(to, '/'); into {
		up, name = to, at.Name
	} else if i >= 0 {
		up, name = to[:i], to[i+1:]
	}
	if !at.Info.IsDir() && filepath.Ext(name) == "" {
		name += filepath.Ext(at.Name)
	}
	if !folders.GoodName(name) {
		return dir, "", refused(to, "쓸 수 없는 이름이에요", "nothing may be called that")
	}
	base, err := t.Folders.Find(ctx, beside, folders.Dir)
	if err != nil {
		return dir, "", err
	}
	defer func() { base.Close() }()
	if first, rest, _ := strings.Cut(up, "/"); up != "" {
		if found, err := t.Folders.Find(ctx, first, folders.Dir); err == nil && rest != "" {
			base.Close()
			base, up = found, rest
		}
	}
	if err := base.Writable(); err != nil {
		return dir, "", err
	}
	dir, err = t.inside(ctx, base, up)
	return dir, norm.NFC.String(name), err
}

// Preview implements toolbox.Previewer.
func (t *transfer) Preview(ctx context.Context, call toolbox.Call) (toolbox.Preview, error) {
	p, err := t.plan(ctx, call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	l := p.Lines[0]
	text := bilingual.Say(call.Lang, "‘%s’을(를) ‘%s’(으)로 옮겨요.", "Moves “%s” to “%s”.", l.From, l.To)
	switch {
	case t.key == "file_copy":
		text = bilingual.Say(call.Lang, "‘%s’을(를) ‘%s’(으)로 복사해요.", "Copies “%s” to “%s”.", l.From, l.To)
	case filepath.Dir(l.From) == filepath.Dir(l.To):
		text = bilingual.Say(call.Lang, "‘%s’의 이름을 ‘%s’(으)로 바꿔요.", "Renames “%s” to “%s”.", l.From, filepath.Base(l.To))
	}
	return t.shown(ctx, p, text)
}

func (t *transfer) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	what := pathOf(call)
	o, err := t.carry(ctx, call, what, func() (filing.Plan, error) { return t.plan(ctx, call) })
	if err == nil && o.done == 0 {
		o.folders = 0
		err = o.problem(what)
	}
	if err != nil {
		return toolbox.Result{}, err
	}
	to := norm.NFC.String(o.first.To)
	if at, err := t.Folders.Find(ctx, o.first.To, folders.Any); err == nil {
		to = at.Path
		at.Close()
	}
	text := bilingual.Say(call.Lang, "옮겼어요: %s", "Moved: %s", to)
	switch {
	case t.key == "file_copy":
		text = bilingual.Say(call.Lang, "복사했어요: %s", "Copied: %s", to)
	case filepath.Dir(o.first.Path) == filepath.Dir(o.first.To):
		text = bilingual.Say(call.Lang, "이름을 바꿨어요: %s", "Renamed: %s", to)
	}
	result, err := toolbox.ResultOf(struct {
		Path string `json:"path"`
	}{to}, text)
	return undone(result, call), err
}

// folderMake makes a folder.
type folderMake struct{ Deps }

func (*folderMake) Spec() toolbox.Spec { return manual("folder_make") }

func (t *folderMake) plan(ctx context.Context, call toolbox.Call) (p filing.Plan, err error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return p, err
	}
	said := strings.Trim(strings.TrimSpace(a.Path), "/")
	if at, err := t.Folders.Find(ctx, said, folders.Any); err == nil {
		defer at.Close()
		return p, refused(at.Path, "그 이름으로 이미 있어요", "there is one of that name already")
	}
	var base *folders.At
	if top, rest, cut := strings.Cut(said, "/"); cut {
		if base, err = t.Folders.Find(ctx, top, folders.Dir); err == nil {
			said = rest
		}
	}
	if base == nil {
		if base, err = (&tidy{t.Deps}).source(ctx, ""); err != nil {
			return p, err
		}
	}
	defer func() { base.Close() }()
	if err := base.Writable(); err != nil {
		return p, err
	}
	dir, err := t.inside(ctx, base, said)
	if err != nil {
		return p, err
	}
	for i, s := range dir.make {
		l := filing.Line{To: dir.path, Step: s}
		for range len(dir.make) - 1 - i {
			l.To = filepath.ToSlash(filepath.Dir(l.To))
		}
		p.Lines = append(p.Lines, l)
	}
	return p, nil
}

// Preview implements toolbox.Previewer.
func (t *folderMake) Preview(ctx context.Context, call toolbox.Call) (toolbox.Preview, error) {
	p, err := t.plan(ctx, call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	return t.shown(ctx, p, bilingual.Say(call.Lang, "‘%s’ 폴더를 만들어요.", "Makes the folder “%s”.", p.Lines[len(p.Lines)-1].To))
}

func (t *folderMake) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	what := pathOf(call)
	o, err := t.carry(ctx, call, what, func() (filing.Plan, error) { return t.plan(ctx, call) })
	if err == nil {
		err = o.problem(what)
	}
	if err != nil {
		return toolbox.Result{}, err
	}
	result, err := toolbox.ResultOf(struct {
		Path string `json:"path"`
	}{what}, bilingual.Say(call.Lang, "‘%s’ 폴더를 만들었어요.", "Made the folder “%s”.", what))
	return undone(result, call), err
}
