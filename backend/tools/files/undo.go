package files

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/filing"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// undo takes back what one use of a tool did to files, from its last step to its first. It is a use like any other, and can be taken
// back itself.
type undo struct{ Deps }

func (*undo) Spec() toolbox.Spec { return manual("file_undo") }

type undoArgs struct {
	Use string `json:"use"`
}

func (t *undo) plan(ctx context.Context, call toolbox.Call) (p filing.Plan, err error) {
	a, err := toolbox.ArgsOf[undoArgs](call)
	if err != nil {
		return p, err
	}
	rows, err := t.Journal.Steps(ctx, a.Use)
	if err != nil {
		return p, err
	}
	var steps []filing.Step
	var lines []int // of steps: those that stand in a line
	alone := !slices.ContainsFunc(rows, func(r filing.Row) bool { return r.State == filing.Done && !ofFolder(r.Step) })
	for _, r := range slices.Backward(rows) {
		if r.State != filing.Done {
			continue
		}
		back, ok := r.Step.Back()
		switch {
		case !ok:
			p.Lines = append(p.Lines, filing.Line{From: t.said(ctx, r.Step.End()), Blocked: true, Note: reasons[filing.NotKept].In(call.Lang), Step: r.Step})
		case ofFolder(back) && !alone && back.Op == filing.Make:
			p.Before = append(p.Before, back)
		case ofFolder(back) && !alone:
			p.After = append(p.After, back)
		default:
			lines = append(lines, len(steps))
		}
		steps = append(steps, back)
	}
	if len(steps) == 0 {
		return p, apperr.New(apperr.NothingToUndo, "what", call.Title)
	}
	why := t.hands(call.JobID).Look(ctx, steps)
	for _, n := range lines {
		p.Lines = append(p.Lines, t.line(ctx, steps[n], why[n], call.Lang))
	}
	return p, nil
}

func ofFolder(s filing.Step) bool { return s.Op == filing.Make || s.Op == filing.Unmake }

// line shows a step that takes something back.
func (t *undo) line(ctx context.Context, s filing.Step, why filing.Seen, lang bilingual.Lang) filing.Line {
	l := filing.Line{Step: s, Blocked: why.Reason != "", Note: reasons[why.Reason].In(lang)}
	switch s.Op {
	case filing.Move:
		l.From, l.To = t.said(ctx, s.Path), t.said(ctx, s.To)
		if why.Drifted && !l.Blocked {
			l.Note = bilingual.Say(lang, "그 뒤에 바뀌었어요. 지금 내용 그대로 돌아가요", "changed since; it goes back as it is now")
		}
	case filing.Make, filing.Restore:
		l.To = t.said(ctx, s.Path)
	case filing.Unmake, filing.Trash:
		l.From = t.said(ctx, s.Path)
	case filing.Write:
		l.From, l.To = t.said(ctx, s.Path), t.said(ctx, s.Path)
		if !l.Blocked {
			l.Note = bilingual.Say(lang, "옛 내용으로 돌아가요", "gets back what it said")
		}
	case filing.Copy: // nothing is taken back by a copy
	}
	if s.Was != nil {
		l.Size = s.Was.Size
	}
	return l
}

// said is a path as people say it.
func (t *undo) said(ctx context.Context, full string) string {
	for _, p := range t.Folders.Places(ctx) {
		if rel, err := filepath.Rel(p.Path, full); err == nil && filepath.IsLocal(rel) {
			return norm.NFC.String(p.Name + "/" + filepath.ToSlash(rel))
		}
	}
	return norm.NFC.String(full)
}

// Preview implements toolbox.Previewer.
func (t *undo) Preview(ctx context.Context, call toolbox.Call) (toolbox.Preview, error) {
	p, err := t.plan(ctx, call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	blocked := 0
	for _, l := range p.Lines {
		if l.Blocked {
			blocked++
		}
	}
	if blocked == len(p.Lines) {
		return toolbox.Preview{}, apperr.New(apperr.NothingToUndo, "what", p.Lines[0].From+": "+p.Lines[0].Note)
	}
	text := bilingual.Say(call.Lang, "%s가지를 되돌려요.", "Takes back %s things.", grouped(strconv.Itoa(len(p.Lines)-blocked)))
	if blocked > 0 {
		text += bilingual.Say(call.Lang, " %d가지는 되돌릴 수 없어요. 까닭은 줄에 적혀 있어요.", " %d cannot be taken back; each line says why.", blocked)
	}
	return t.shown(ctx, p, text)
}

func (t *undo) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	o, err := t.carry(ctx, call, call.Title, func() (filing.Plan, error) { return t.plan(ctx, call) })
	if err == nil {
		err = o.problem(call.Title)
	}
	if err != nil {
		return toolbox.Result{}, err
	}
	text := bilingual.Say(call.Lang, "%s가지를 되돌렸어요.", "Took back %s things.", grouped(strconv.Itoa(max(o.done, min(o.folders, 1)))))
	result, err := toolbox.ResultOf(o.data(), text+o.rest(call.Lang))
	return undone(result, call), err
}

var (
	_ toolbox.Previewer = (*undo)(nil)
	_ toolbox.Previewer = (*tidy)(nil)
	_ toolbox.Previewer = (*transfer)(nil)
	_ toolbox.Previewer = (*folderMake)(nil)
)
