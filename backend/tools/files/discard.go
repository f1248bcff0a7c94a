package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/filing"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
	"agentchat/backend/trash"
)

// discard moves a file or a folder to the trash. It never deletes.
type discard struct{ Deps }

func (*discard) Spec() toolbox.Spec { return manual("file_trash") }

// target is what a call would throw away. Close its At.
type target struct {
	at    *folders.At
	files int    // in a folder
	base  string // stands for all of it as it is now
	whole bool
}

func (t *discard) plan(ctx context.Context, call toolbox.Call) (g target, err error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return g, err
	}
	at, err := t.Folders.Find(ctx, a.Path, folders.Any)
	if err != nil {
		return g, err
	}
	g = target{at: at, whole: true}
	defer func() {
		if err != nil {
			at.Close()
		}
	}()
	if at.Name == "." {
		return g, refused(at.Path, "열린 폴더 자체는 버리지 않아요", "an opened folder itself is not thrown away")
	}
	if err := at.Writable(); err != nil {
		return g, err
	}
	sum := sha256.New()
	note := func(path string, info fs.FileInfo) {
		size := info.Size()
		if info.IsDir() {
			size = 0
		}
		_, _ = fmt.Fprintf(sum, "%s\x00%v\x00%d\x00%d\n", norm.NFC.String(path), info.Mode(), size, info.ModTime().UnixNano())
	}
	note(at.Full, at.Info)
	if at.Info.IsDir() {
		g.whole, err = t.Folders.Walk(ctx, at, func(e folders.Entry) bool {
			note(e.Path, e.Info)
			if !e.Info.IsDir() {
				g.files++
			}
			return true
		})
	}
	g.base = hex.EncodeToString(sum.Sum(nil))
	return g, err
}

// Preview implements toolbox.Previewer.
func (t *discard) Preview(ctx context.Context, call toolbox.Call) (toolbox.Preview, error) {
	g, err := t.plan(ctx, call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	defer g.at.Close()
	p := toolbox.Preview{Base: g.base, Files: g.files}
	switch {
	case !g.at.Info.IsDir():
		p.Text = bilingual.Say(call.Lang, "‘%s’ 파일(%s)을 휴지통으로 옮겨요. 되돌릴 수 있어요.", "Moves the file “%s” (%s) to the trash. It can be put back.", g.at.Path, size(g.at.Info.Size()))
	case g.whole:
		p.Text = bilingual.Say(call.Lang, "‘%s’ 폴더를 그 안의 파일 %d개와 함께 휴지통으로 옮겨요. 되돌릴 수 있어요.", "Moves the folder “%s” and the %d files in it to the trash. It can be put back.", g.at.Path, g.files)
	default:
		p.Text = bilingual.Say(call.Lang, "‘%s’ 폴더를 그 안의 모든 파일(%d개보다 많아요)과 함께 휴지통으로 옮겨요. 되돌릴 수 있어요.", "Moves the folder “%s” and all files in it (more than %d) to the trash. It can be put back.", g.at.Path, g.files)
	}
	return p, nil
}

func (t *discard) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	g, err := t.plan(ctx, call)
	if err != nil {
		if call.Base != "" && apperr.CodeOf(err) == apperr.FileMissing {
			err = apperr.Wrap(err, apperr.Changed, "what", pathOf(call))
		}
		return toolbox.Result{}, err
	}
	defer g.at.Close()
	if call.Base != "" && call.Base != g.base {
		return toolbox.Result{}, apperr.New(apperr.Changed, "what", g.at.Path)
	}
	if err := ctx.Err(); err != nil {
		return toolbox.Result{}, err
	}
	var kept trash.Item
	step := filing.Step{Op: filing.Trash, Path: g.at.Full, Was: filing.MarkOf(g.at.Info)}
	err = t.hands(call.JobID).Record(ctx, useOf(call), step, nil, func() (filing.Step, error) {
		var err error
		kept, err = t.Trash.Move(g.at.Dir, g.at.Name, g.at.Full, g.at.Info)
		step.Item = &kept
		return step, err
	})
	switch {
	case errors.Is(err, trash.ErrChanged):
		return toolbox.Result{}, apperr.Wrap(err, apperr.Changed, "what", g.at.Path)
	case errors.Is(err, trash.ErrNoTrash):
		return toolbox.Result{}, apperr.Wrap(err, apperr.FileRefused, "path", g.at.Path,
			"detail", bilingual.Text{KO: "이 디스크에는 휴지통이 없어서 버리지 않았어요", EN: "this disk has no trash, so it was not thrown away"})
	case err != nil:
		return toolbox.Result{}, apperr.Wrap(err, apperr.FileRefused, "path", g.at.Path,
			"detail", bilingual.Text{KO: "휴지통으로 옮길 수 없어요", EN: "it cannot be moved to the trash"})
	}
	result, err := toolbox.ResultOf(struct {
		Path string `json:"path"`
		ID   string `json:"id,omitempty"`
	}{g.at.Path, kept.ID}, bilingual.Say(call.Lang, "‘%s’ 휴지통으로 옮겼어요. 허락 페이지에서 되돌릴 수 있어요.", "Moved “%s” to the trash. The permissions page puts it back.", g.at.Path))
	return undone(result, call), err
}
