package files

import (
	"context"
	"path"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/brief"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// search finds files by their names and by what is in them.
type search struct{ Deps }

// What one search may cost and bring.
const (
	maxFound  = 40
	maxLines  = 3                // of one file
	maxLine   = 160              // characters of one line
	maxLooked = 64 << 20         // bytes of all files that are looked into
	maxInto   = 2 << 20          // bytes of a file that is looked into
	maxTime   = 20 * time.Second // then what was found so far is given
)

func (*search) Spec() toolbox.Spec { return manual("file_search") }

func (t *search) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	want := newWanted(a.Query)
	var names, contents []item
	whole, err := t.each(ctx, a.Path, func(at *folders.At, text func() string) bool {
		it := itemOf(at)
		if !it.Folder {
			it.Lines = want.lines(text())
		}
		switch {
		case want.names(path.Base(at.Path)):
			names = append(names, it)
		case len(it.Lines) > 0:
			contents = append(contents, it)
		}
		return len(names) <= maxFound
	})
	if err != nil {
		return toolbox.Result{}, err
	}
	all := append(names, contents...)
	out := found{Items: append([]item{}, all[:min(len(all), maxFound)]...), More: !whole || len(all) > maxFound}
	if len(all) == 0 {
		text := bilingual.Say(call.Lang, "‘%s’에 맞는 파일이 없어요.", "No file fits “%s”.", a.Query)
		if !whole {
			text += bilingual.Say(call.Lang, " 다만 파일이 많아 다 보지는 못했어요. 폴더를 정해서 찾아 주세요.", " But there are too many files to see them all; please name a folder.")
		}
		return toolbox.ResultOf(out, text)
	}
	var b strings.Builder
	b.WriteString(bilingual.Say(call.Lang, "%d개 찾았어요.", "Found %d.", len(out.Items)))
	for _, it := range out.Items {
		b.WriteString("\n- " + it.Path)
		if it.Folder {
			b.WriteByte('/')
		}
		for _, l := range it.Lines {
			b.WriteString("\n    " + l)
		}
	}
	if out.More {
		b.WriteString(bilingual.Say(call.Lang, "\n… 더 있을 수 있어요.", "\n… there may be more."))
	}
	return toolbox.ResultOf(out, b.String())
}

// each goes through everything in a folder, or in all of them; text gives what a file says, "" for what is no text. whole
// tells whether everything was looked at.
func (d Deps) each(ctx context.Context, folder string, visit func(at *folders.At, text func() string) bool) (whole bool, err error) {
	var from *folders.At
	if folder != "" {
		if from, err = d.Folders.Find(ctx, folder, folders.Dir); err != nil {
			return false, err
		}
		defer from.Close()
	}
	limited, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	room, all := int64(maxLooked), true
	whole, err = d.Folders.Walk(limited, from, func(e folders.Entry) bool {
		return visit(e.At, func() string {
			n := e.Info.Size()
			if n > maxInto || n > room {
				all = false
				return ""
			}
			room -= n
			raw, err := e.Read(maxInto)
			if err != nil {
				return ""
			}
			doc, ok := decode(raw)
			if !ok {
				return ""
			}
			return doc.text
		})
	})
	if err != nil && limited.Err() != nil && ctx.Err() == nil { // the time is up: what was found is something
		return false, nil
	}
	return whole && all, err
}

// wanted is what a search is for.
type wanted struct {
	words   []string
	pattern string // of a name, with * and ?
}

func newWanted(query string) wanted {
	q := plain(query)
	w := wanted{words: strings.Fields(q)}
	if strings.ContainsAny(q, "*?") {
		w.pattern = strings.TrimSpace(q)
	}
	return w
}

// plain is a text as it is compared: its letters put together, in lower case.
func plain(text string) string { return strings.ToLower(norm.NFC.String(text)) }

// names tells whether a file's name fits: all the words stand in it, or it has the pattern's form.
func (w wanted) names(name string) bool {
	name = plain(name)
	if w.pattern != "" {
		ok, err := path.Match(w.pattern, name)
		return ok && err == nil
	}
	return w.in(name)
}

func (w wanted) in(text string) bool {
	for _, word := range w.words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return len(w.words) > 0
}

// lines are the first lines in which all the words stand.
func (w wanted) lines(text string) (list []string) {
	if w.pattern != "" || text == "" {
		return nil
	}
	for l := range strings.SplitSeq(text, "\n") {
		if w.in(plain(l)) {
			if list = append(list, brief.Cut(strings.TrimSpace(l), maxLine)); len(list) == maxLines {
				break
			}
		}
	}
	return list
}
