package files

import (
	"context"
	"strings"
	"time"

	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// list shows what is in a folder.
type list struct{ Deps }

// maxListed is how many entries are named.
const maxListed = 200

// item is one file or folder in a result.
type item struct {
	Path    string   `json:"path"`
	Folder  bool     `json:"folder,omitempty"`
	Bytes   int64    `json:"bytes,omitempty"`
	Changed string   `json:"changed,omitempty"`
	Lines   []string `json:"lines,omitempty"`
}

func itemOf(a *folders.At) item {
	it := item{Path: a.Path, Folder: a.Info.IsDir(), Changed: a.Info.ModTime().UTC().Format(time.RFC3339)}
	if !it.Folder {
		it.Bytes = a.Info.Size()
	}
	return it
}

// found is what all the tools that look for something bring.
type found struct {
	Items []item `json:"items"`
	More  bool   `json:"more,omitempty"` // there is more than is listed
}

func (*list) Spec() toolbox.Spec { return manual("file_list") }

func (t *list) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	if a.Path == "" {
		places := t.Folders.Places(ctx)
		if len(places) != 1 {
			return t.all(ctx, call, places)
		}
		a.Path = places[0].Name
	}
	at, err := t.Folders.Find(ctx, a.Path, folders.Dir)
	if err != nil {
		return toolbox.Result{}, err
	}
	defer at.Close()
	entries, whole, err := at.List()
	if err != nil {
		return toolbox.Result{}, err
	}
	out := found{Items: []item{}, More: !whole || len(entries) > maxListed}
	var b strings.Builder
	b.WriteString(bilingual.Say(call.Lang, "‘%s’에 %d개 있어요.", "“%s” holds %d.", at.Path, len(entries)))
	for _, e := range entries[:min(len(entries), maxListed)] {
		it := itemOf(e)
		out.Items = append(out.Items, it)
		b.WriteString("\n- " + line(e, it))
	}
	if out.More {
		b.WriteString(bilingual.Say(call.Lang, "\n… 더 있어요.", "\n… and more."))
	}
	return toolbox.ResultOf(out, b.String())
}

func line(a *folders.At, it item) string {
	name := a.Path[strings.LastIndexByte(a.Path, '/')+1:]
	switch {
	case it.Folder:
		return name + "/"
	case !a.Info.Mode().IsRegular():
		return name + " (link)"
	}
	return name + " (" + size(it.Bytes) + ", " + a.Info.ModTime().Format("2006-01-02 15:04") + ")"
}

// all lists the opened folders.
func (t *list) all(ctx context.Context, call toolbox.Call, places []folders.Place) (toolbox.Result, error) {
	out := found{Items: []item{}}
	if len(places) == 0 {
		_, err := t.Folders.Find(ctx, "x", folders.Dir) // says how to open one
		return toolbox.Result{}, err
	}
	text := bilingual.Say(call.Lang, "열린 폴더는 %d개예요.", "%d folders are open.", len(places))
	for _, p := range places {
		out.Items = append(out.Items, item{Path: p.Name, Folder: true})
		text += "\n- " + p.Name + "/"
		switch {
		case p.Problem != nil:
			text += " (" + p.Problem.Text(call.Lang) + ")"
		case !p.Write:
			text += bilingual.Say(call.Lang, " (읽기만)", " (read only)")
		}
	}
	return toolbox.ResultOf(out, text)
}
