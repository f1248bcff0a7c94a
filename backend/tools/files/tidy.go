package files

import (
	"context"
	"strconv"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/filing"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// tidy moves many files of a folder at once. Whoever calls it says which ones in a closed form; code finds them.
type tidy struct{ Deps }

// tidyArgs is that form: files of Folder, of a kind, at least so many days old, so large or so called, go to To, each into a folder by
// its kind or its time.
type tidyArgs struct {
	Folder string `json:"folder"`
	To     string `json:"to"`
	By     string `json:"by"`
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Days   int    `json:"days"`
	MB     int    `json:"megabytes"`
}

func (*tidy) Spec() toolbox.Spec { return manual("file_tidy") }

// source is the folder that is spoken of.
func (t *tidy) source(ctx context.Context, said string) (*folders.At, error) {
	if said == "" {
		var names []string
		for _, p := range t.Folders.Places(ctx) {
			if p.Write && p.Problem == nil {
				names = append(names, p.Name)
			}
		}
		if len(names) > 1 {
			return nil, apperr.New(apperr.FileUnclear, "path", "*", "list", strings.Join(names[:min(len(names), 5)], ", "))
		}
		said = strings.Join(names, "")
	}
	at, err := t.Folders.Find(ctx, said, folders.Dir)
	if missing(err) {
		if unopened := t.Folders.Unopened(ctx, said); unopened != nil {
			return nil, unopened
		}
	}
	if err != nil {
		return nil, err
	}
	if err := at.Writable(); err != nil {
		at.Close()
		return nil, err
	}
	return at, nil
}

// root is where the files go: a folder in the one they are in, an opened one, or one that is made there.
func (t *tidy) root(ctx context.Context, from *folders.At, to string) (base *folders.At, below string, err error) {
	if to == "" {
		return from, "", nil
	}
	to = strings.TrimSpace(to)
	if at, err := t.Folders.Find(ctx, from.Full+"/"+to, folders.Dir); err == nil {
		return at, "", nil
	}
	at, err := t.Folders.Find(ctx, to, folders.Dir)
	switch {
	case err == nil:
		if err := at.Writable(); err != nil {
			at.Close()
			return nil, "", err
		}
		return at, "", nil
	case !missing(err):
		return nil, "", err
	}
	if top, rest, cut := strings.Cut(to, "/"); cut { // 문서/계약: a folder that is made in an opened one
		for _, p := range t.Folders.Places(ctx) {
			if at, err := t.Folders.Find(ctx, top, folders.Dir); err == nil && at.Path == p.Name && p.Write {
				return at, rest, nil
			} else if err == nil {
				at.Close()
			}
		}
	}
	return from, to, nil
}

// plan finds the files and says where each of them goes.
func (t *tidy) plan(ctx context.Context, call toolbox.Call) (p filing.Plan, s summary, err error) {
	a, err := toolbox.ArgsOf[tidyArgs](call)
	if err != nil {
		return p, s, err
	}
	if a.By == "" && a.To == "" {
		a.By = "kind"
	}
	from, err := t.source(ctx, a.Folder)
	if err != nil {
		return p, s, err
	}
	defer from.Close()
	base, below, err := t.root(ctx, from, a.To)
	if err != nil {
		return p, s, err
	}
	if base != from {
		defer base.Close()
	}
	s.from, s.by = from.Path, a.By
	list, whole, err := from.List()
	if err != nil {
		return p, s, err
	}
	s.more = !whole
	now := t.Now()
	dirs := map[string]*targetDir{}
	for _, at := range list {
		if !at.Info.Mode().IsRegular() || !a.takes(at.Name, at.Info.Size(), at.Info.ModTime(), now) {
			continue
		}
		if !at.Whole(now) {
			s.busy++
			continue
		}
		sub := strings.Trim(below+"/"+a.into(at.Name, at.Info.ModTime().In(now.Location()), call.Lang), "/")
		dir := dirs[sub]
		if dir == nil {
			d, err := t.inside(ctx, base, sub)
			if err != nil {
				return p, s, err
			}
			dir = &d
			dirs[sub] = dir
			p.Before = add(p.Before, d.make)
			s.to = append(s.to, d.path)
		}
		if dir.full == from.Full {
			continue // it is there already
		}
		p.Lines = append(p.Lines, dir.lineOf(filing.Move, at, at.Name, call.Lang))
		s.bytes += at.Info.Size()
	}
	if len(p.Lines) == 0 && s.busy > 0 {
		return p, s, apperr.New(apperr.FilesBusy, "what", from.Path, "count", s.busy)
	}
	if len(p.Lines) == 0 {
		return p, s, apperr.New(apperr.NothingToDo, "what", from.Path)
	}
	s.files, s.made = len(p.Lines), len(p.Before)
	return p, s, nil
}

// add puts steps that make folders to others, each once.
func add(all, more []filing.Step) []filing.Step {
next:
	for _, m := range more {
		for _, s := range all {
			if s.Path == m.Path {
				continue next
			}
		}
		all = append(all, m)
	}
	return all
}

// summary is a plan in a sentence.
type summary struct {
	from, by          string
	to                []string
	files, made, busy int
	bytes             int64
	more              bool
}

func (s summary) text(lang bilingual.Lang) string {
	n := strconv.Itoa(s.files)
	text := bilingual.Say(lang, "‘%s’의 파일 %s개(%s)를 ", "Moves %[2]s files (%[3]s) of “%[1]s” ", s.from, grouped(n), size(s.bytes))
	switch {
	case s.by == "kind":
		text += bilingual.Say(lang, "종류별로 나눠 옮겨요.", "into folders by their kind.")
	case s.by == "month":
		text += bilingual.Say(lang, "달별로 나눠 옮겨요.", "into folders by month.")
	case s.by == "year":
		text += bilingual.Say(lang, "해별로 나눠 옮겨요.", "into folders by year.")
	default:
		text += bilingual.Say(lang, "‘%s’ 폴더로 옮겨요.", "to “%s”.", s.to[0])
	}
	if s.made > 0 {
		text += bilingual.Say(lang, " 폴더 %d개를 새로 만들어요.", " Makes %d new folders.", s.made)
	}
	if s.busy > 0 {
		text += bilingual.Say(lang, " 아직 받고 있거나 쓰고 있는 %d개는 그대로 둬요.", " %d that are still being written stay.", s.busy)
	}
	if s.more {
		text += bilingual.Say(lang, " 파일이 너무 많아서 먼저 본 것만 옮겨요.", " There are too many files; these are the first of them.")
	}
	return text
}

// grouped writes a whole number as people read it.
func grouped(n string) string {
	for i := len(n) - 3; i > 0; i -= 3 {
		n = n[:i] + "," + n[i:]
	}
	return n
}

// Preview implements toolbox.Previewer.
func (t *tidy) Preview(ctx context.Context, call toolbox.Call) (toolbox.Preview, error) {
	p, s, err := t.plan(ctx, call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	return t.shown(ctx, p, s.text(call.Lang))
}

func (t *tidy) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[tidyArgs](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	o, err := t.carry(ctx, call, a.Folder, func() (filing.Plan, error) { p, _, err := t.plan(ctx, call); return p, err })
	if err == nil {
		err = o.problem(a.Folder)
	}
	if err != nil {
		return toolbox.Result{}, err
	}
	text := bilingual.Say(call.Lang, "파일 %s개를 옮겼어요.", "Moved %s files.", grouped(strconv.Itoa(o.done)))
	if o.folders > 0 {
		text += bilingual.Say(call.Lang, " 폴더 %d개를 만들었어요.", " Made %d folders.", o.folders)
	}
	result, err := toolbox.ResultOf(o.data(), text+o.rest(call.Lang))
	return undone(result, call), err
}
