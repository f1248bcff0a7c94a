package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/filing"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// planned is what the tools have in common that do what a plan says: it is shown, kept by its hash, and carried out as it was shown.

// shown keeps a plan and gives the preview of it.
func (d Deps) shown(ctx context.Context, p filing.Plan, text string) (toolbox.Preview, error) {
	raw, err := json.Marshal(p)
	if err != nil {
		return toolbox.Preview{}, apperr.Wrap(err, apperr.Internal)
	}
	hash := filing.Hash(raw)
	if err := d.Journal.KeepPlan(ctx, hash, raw); err != nil {
		return toolbox.Preview{}, err
	}
	return toolbox.Preview{Text: text, Base: hash, Plan: hash, Lines: len(p.Lines)}, nil
}

// approved is the plan that a call was approved with; without one, it is made now.
func (d Deps) approved(ctx context.Context, call toolbox.Call, what string, fresh func() (filing.Plan, error)) (p filing.Plan, err error) {
	if call.Base == "" {
		return fresh()
	}
	raw, err := d.Journal.Plan(ctx, call.Base)
	switch {
	case apperr.CodeOf(err) == apperr.NotFound, err == nil && filing.Hash(raw) != call.Base:
		return p, apperr.New(apperr.Changed, "what", what)
	case err != nil:
		return p, err
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return p, apperr.Wrap(err, apperr.RecordUnreadable)
	}
	return p, nil
}

// mostTold is how often a use tells how far it is.
const mostTold = 25

// carry does what the plan of a call says, or goes on with it after a crash, and gives what became of each step.
func (d Deps) carry(ctx context.Context, call toolbox.Call, what string, fresh func() (filing.Plan, error)) (outcome, error) {
	begun, err := d.Journal.Steps(ctx, useOf(call))
	if err != nil {
		return outcome{}, err
	}
	var steps []filing.Step
	if len(begun) == 0 {
		p, err := d.approved(ctx, call, what, fresh)
		if err != nil {
			return outcome{}, err
		}
		if steps = p.Steps(call.Pick); len(steps) == 0 {
			return outcome{}, apperr.New(apperr.NothingToDo, "what", what)
		}
	}
	rows, err := d.hands(call.JobID).Do(ctx, useOf(call), steps, func(n, of int) {
		if call.Progress != nil && of > mostTold && n%(of/mostTold) == 0 {
			call.Progress(n, of)
		}
	})
	if err != nil {
		return outcome{}, err
	}
	return outcomeOf(rows), nil
}

// outcome is what became of the steps of a use.
type outcome struct {
	done, folders int
	left          []filing.Row
	first         filing.Step // of those that were done
}

func outcomeOf(rows []filing.Row) (o outcome) {
	for _, r := range rows {
		folder := r.Step.Op == filing.Make || r.Step.Op == filing.Unmake
		switch {
		case r.State == filing.Done && folder:
			o.folders++
		case r.State == filing.Done:
			if o.done++; o.done == 1 {
				o.first = r.Step
			}
		case folder && (r.Why == filing.NotEmpty || r.Why == filing.Taken): // it is there, which is all that counts
		default:
			o.left = append(o.left, r)
		}
	}
	return o
}

// leftShown is how many of what was left are named.
const leftShown = 5

// rest says what was left, and why.
func (o outcome) rest(lang bilingual.Lang) string {
	if len(o.left) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(bilingual.Say(lang, "\n그대로 둔 것 %d개:", "\nLeft as they are: %d", len(o.left)))
	for _, r := range o.left[:min(len(o.left), leftShown)] {
		b.WriteString("\n- " + norm.NFC.String(filepath.Base(r.Step.Path)) + ": " + reasons[r.Why].In(lang))
	}
	if len(o.left) > leftShown {
		b.WriteString("\n- …")
	}
	return b.String()
}

// problem is the error of a use of which nothing was done; nil: something was.
func (o outcome) problem(what string) error {
	if o.done+o.folders > 0 {
		return nil
	}
	if len(o.left) == 0 {
		return apperr.New(apperr.NothingToDo, "what", what)
	}
	r := o.left[0]
	if r.Why == filing.Changed || r.Why == filing.Gone {
		return apperr.New(apperr.Changed, "what", norm.NFC.String(filepath.Base(r.Step.Path)))
	}
	return apperr.New(apperr.FileRefused, "path", norm.NFC.String(filepath.Base(r.Step.Path)), "detail", bilingual.Wrong{Text: reasons[r.Why]})
}

// reasons say why something was left.
var reasons = map[filing.Reason]bilingual.Text{
	filing.Gone:     {KO: "이제 거기 없어요", EN: "it is not there any more"},
	filing.Changed:  {KO: "그 사이에 바뀌었어요", EN: "it has changed since"},
	filing.Taken:    {KO: "그 자리에 다른 것이 있어요", EN: "something else stands there"},
	filing.Closed:   {KO: "폴더가 닫혀 있거나 읽기만 하도록 열려 있어요", EN: "its folder is closed, or open for reading only"},
	filing.NotEmpty: {KO: "폴더가 비어 있지 않아요", EN: "the folder is not empty"},
	filing.NotKept:  {KO: "옛 내용이 더는 남아 있지 않아요", EN: "what it was is not kept any more"},
	filing.Misnamed: {KO: "쓸 수 없는 이름이에요", EN: "nothing may be called that"},
	filing.TooFar:   {KO: "폴더는 다른 디스크로 옮기지 않아요", EN: "folders do not go to another disk"},
	filing.Refused:  {KO: "이 컴퓨터가 허락하지 않아요", EN: "this computer does not permit it"},
}

// moved is what the planned tools bring.
type moved struct {
	Done    int `json:"done"`
	Folders int `json:"folders,omitempty"`
	Left    int `json:"left,omitempty"`
}

func (o outcome) data() moved { return moved{o.done, o.folders, len(o.left)} }

// target is a folder that files go into: it is there, or some of it has to be made.
type targetDir struct {
	path, full string
	make       []filing.Step // from the top down
	taken      map[string]bool
}

// inside is the folder of a name in a folder that is open; nothing of it is made.
func (d Deps) inside(ctx context.Context, at *folders.At, name string) (t targetDir, err error) {
	t = targetDir{path: at.Path, full: at.Full, taken: map[string]bool{}}
	for step := range strings.SplitSeq(strings.Trim(name, "/ "), "/") {
		if step = strings.TrimSpace(step); step == "" {
			continue
		}
		if !folders.GoodName(step) {
			return t, refused(name, "폴더 이름으로 쓸 수 없어요", "no folder may be called that")
		}
		t.path, t.full = t.path+"/"+norm.NFC.String(step), filepath.Join(t.full, step)
		if len(t.make) == 0 {
			found, err := d.Folders.Find(ctx, t.full, folders.Any)
			switch {
			case err == nil && !found.Info.IsDir():
				found.Close()
				return t, refused(t.path, "폴더가 아니라 파일이에요", "it is a file, not a folder")
			case err == nil:
				t.full, t.path = found.Full, found.Path
				found.Close()
				continue
			case apperr.CodeOf(err) != apperr.FileMissing:
				return t, err
			}
		}
		t.make = append(t.make, filing.Step{Op: filing.Make, Path: t.full})
	}
	if len(t.make) == 0 {
		err = t.look(ctx, d.Folders)
	}
	return t, err
}

// look notes what stands in a folder that is there.
func (t *targetDir) look(ctx context.Context, book *folders.Book) error {
	at, err := book.Find(ctx, t.full, folders.Dir)
	if err != nil {
		return err
	}
	defer at.Close()
	if err := at.Inside(); err != nil {
		return err
	}
	dir, err := at.Dir.Open(".")
	if err != nil {
		return refused(at.Path, "읽을 수 없어요", "it cannot be read")
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	for _, n := range names {
		t.taken[fold(n)] = true
	}
	return err
}

func fold(name string) string { return strings.ToLower(norm.NFC.String(name)) }

// free is a name that nothing in the folder has: the wanted one, or one with a number.
func (t *targetDir) free(name string) string {
	end := path.Ext(name)
	stem := strings.TrimSuffix(name, end)
	as := name
	for n := 2; t.taken[fold(as)]; n++ {
		as = fmt.Sprintf("%s (%d)%s", stem, n, end)
	}
	t.taken[fold(as)] = true
	return as
}

// lineOf is the line that moves or copies something into a folder.
func (t *targetDir) lineOf(op filing.Op, at *folders.At, want string, lang bilingual.Lang) filing.Line {
	as := t.free(want)
	l := filing.Line{
		From: at.Path, To: t.path + "/" + norm.NFC.String(as), Step: filing.Step{Op: op, Path: at.Full, To: filepath.Join(t.full, as), Was: filing.MarkOf(at.Info)},
	}
	if !at.Info.IsDir() {
		l.Size = at.Info.Size()
	}
	if as != want {
		l.Note = bilingual.Say(lang, "같은 이름이 있어 번호를 붙여요", "numbered, for there is one of that name")
	}
	return l
}

// missing tells whether an error says that there is nothing of that name.
func missing(err error) bool {
	return apperr.CodeOf(err) == apperr.FileMissing || errors.Is(err, fs.ErrNotExist)
}
