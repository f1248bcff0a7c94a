// Package web reads one page of the internet for a person: GET only, readable text, never this computer or its network; and it searches for pages,
// where that is switched on. What it
// brings are other people's words.
package web

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

//go:embed web_fetch.json web_search.json
var manuals embed.FS

var manual = toolbox.Manuals(manuals)

// fetch is the tool web_fetch.
type fetch struct {
	spec    toolbox.Spec
	fetcher *fetcher
}

// New makes the tool.
func New(o Options) toolbox.Tool {
	return &fetch{fetcher: newFetcher(o, pages), spec: manual("web_fetch")}
}

// Spec implements toolbox.Tool.
func (t *fetch) Spec() toolbox.Spec { return t.spec }

func address(call toolbox.Call) (string, error) {
	var args struct {
		URL string `json:"url"`
	}
	if err := call.Read(&args); err != nil {
		return "", err
	}
	return args.URL, nil
}

// Preview implements toolbox.Previewer: it names the server that would learn everything in the address, as it is really written.
func (t *fetch) Preview(_ context.Context, call toolbox.Call) (toolbox.Preview, error) {
	text, err := address(call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	u, err := Read(text)
	if err != nil {
		return toolbox.Preview{}, err
	}
	return toolbox.Preview{Text: bilingual.Text{
		KO: fmt.Sprintf("%s 서버에서 이 주소를 읽어요. 주소에 적힌 것은 모두 그 서버에 전해져요.", u.Host),
		EN: fmt.Sprintf("Reads this address from the server %s, which learns everything that is written in it.", u.Host),
	}.In(call.Lang)}, nil
}

// Run implements toolbox.Tool.
func (t *fetch) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	text, err := address(call)
	if err != nil {
		return toolbox.Result{}, err
	}
	u, err := Read(text)
	if err != nil {
		return toolbox.Result{}, err
	}
	a, err := t.fetcher.get(ctx, u)
	if err != nil {
		return toolbox.Result{}, err
	}
	p, err := a.read()
	if err != nil {
		return toolbox.Result{}, err
	}
	from := a.url.Redacted()
	data, err := json.Marshal(struct {
		URL   string `json:"url"`
		Title string `json:"title,omitempty"`
		Text  string `json:"text"`
		Cut   bool   `json:"cut,omitempty"`
	}{from, p.title, p.text, p.cut})
	if err != nil {
		return toolbox.Result{}, apperr.Wrap(err, apperr.Internal)
	}
	said := p.title
	if said != "" {
		said += "\n"
	}
	said += bilingual.Text{KO: "출처: ", EN: "From: "}.In(call.Lang) + from + "\n\n" + p.text
	if p.cut {
		said += fmt.Sprintf("…(%d/%d)", maxText, p.all)
	}
	return toolbox.Result{Data: data, Text: said}, nil
}
