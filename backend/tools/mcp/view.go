package mcp

import (
	"encoding/json"
	"errors"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/outbound"
	"agentchat/backend/toolbox"
)

// View is everything the page of outside servers shows. Secrets are covered.
type View struct {
	File     string       `json:"file"`
	Text     string       `json:"text"`     // of the file, to edit; "" when it cannot be read
	Problems []string     `json:"problems"` // what is wrong in the file, in the shop's language
	Servers  []ServerView `json:"servers"`
}

// ServerView is one server. Digest stands for exactly the tools shown here (those not refused); consent is given to it. It
// is empty while there is nothing to consent to.
type ServerView struct {
	Server    string      `json:"server"`
	Title     string      `json:"title,omitempty"` // what it is called instead
	Transport string      `json:"transport"`       // stdio or http
	Target    string      `json:"target"`          // the command line or address
	State     State       `json:"state"`
	Error     string      `json:"error,omitempty"`
	Digest    string      `json:"digest,omitempty"`
	SignIn    *SignInView `json:"signIn,omitempty"` // nil where nobody signs in
	Tools     []ToolView  `json:"tools"`
}

// ToolState is what holds for one tool.
type ToolState string

// The states of a tool.
const (
	ToolOK       ToolState = "ok"       // consented to
	ToolNew      ToolState = "new"      // nobody has consented to it
	ToolChanged  ToolState = "changed"  // it is not what was consented to; Old is what was
	ToolDisabled ToolState = "disabled" // switched off in the settings
	ToolRefused  ToolState = "refused"  // it cannot be used; Reason says why
)

// ToolView is one tool of a server. Key is its key in the toolbox.
type ToolView struct {
	Key         string          `json:"key"`
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema" ts_type:"any"`
	ReadOnly    bool            `json:"readOnly,omitempty"` // the server's own claim
	Confirm     toolbox.Confirm `json:"confirm"`
	State       ToolState       `json:"state"`
	Reason      string          `json:"reason,omitempty"`
	Old         *Manual         `json:"old,omitempty"`
}

// View shows all servers, by name.
func (m *Mounts) View(lang bilingual.Lang) View {
	m.mu.Lock()
	servers := m.servers
	view := View{File: m.opt.File, Text: hide(m.text), Problems: []string{}, Servers: []ServerView{}}
	for _, p := range m.problems {
		view.Problems = append(view.Problems, p.Text(lang))
	}
	m.mu.Unlock()
	for _, v := range servers {
		view.Servers = append(view.Servers, v.view(lang))
	}
	return view
}

func (v *server) view(lang bilingual.Lang) ServerView {
	v.shelf.Lock() // what is seen as offered is in the box
	defer v.shelf.Unlock()
	v.mu.Lock()
	defer v.mu.Unlock()
	out := ServerView{
		Server: v.Name, Title: v.Title, Transport: v.transport(), Target: v.cover().all(v.target()), State: v.state, Tools: []ToolView{},
		Error: v.words(lang),
	}
	wanted := v.state == StateFailed && errors.Is(v.trouble, errSignIn)
	if out.SignIn = v.account.view(wanted); out.SignIn != nil && (wanted || v.state == StateFailed && out.SignIn.State == SignInWaiting) {
		out.State, out.Error = StateNeedsSignIn, ""
	}
	open := false
	for _, o := range v.offers {
		t := v.toolView(o, lang)
		open = open || t.State == ToolNew || t.State == ToolChanged
		out.Tools = append(out.Tools, t)
	}
	if out.State == StateReady && open {
		out.State = StateNeedsConsent
	}
	if v.live != nil && !v.stale && open {
		out.Digest = digestOf(v.source(), usable(v.offers))
	}
	return out
}

func (v *server) toolView(o offer, lang bilingual.Lang) ToolView {
	t := ToolView{
		Key: o.key, Name: plain(o.Name, 200), Title: o.Title, Description: o.Description, Schema: o.Schema, ReadOnly: o.ReadOnly,
		Confirm: specOf(v.Server, o.Manual).Confirm,
	}
	old, same := v.consent.agreed(o)
	switch {
	case o.refused != nil:
		t.State, t.Reason = ToolRefused, o.refused.In(lang)
	case v.tool(o.Name).Disabled:
		t.State = ToolDisabled
	case same:
		t.State = ToolOK
	case old != nil:
		t.State, t.Old = ToolChanged, old
	default:
		t.State = ToolNew
	}
	return t
}

// words says what is wrong with the server, "" when nothing is. Called with v.mu held.
func (v *server) words(lang bilingual.Lang) string {
	if v.trouble == nil {
		return ""
	}
	if v.wrong != nil {
		return v.wrong.In(lang)
	}
	why := plain(v.cover().all(v.trouble.Error()), maxLine)
	text := bilingual.Text{KO: "서버가 멈췄어요: " + why, EN: "The server ended: " + why}
	if errors.As(v.trouble, &noProgram{}) {
		text = bilingual.Text{KO: "이 컴퓨터에 없는 프로그램이에요. 설치하거나 ‘바꾸기’에서 명령을 고쳐 주세요. (" + why + ")", EN: "This program is not on this computer. Install it, or correct the command under “Change”. (" + why + ")"}
	}
	if errors.Is(v.trouble, errHung) {
		text = bilingual.Text{KO: "서버가 제때 답하지 않았어요: " + why, EN: "The server did not answer in time: " + why}
	}
	if outbound.Refused(v.trouble) {
		return apperr.From(v.trouble).Text(lang)
	}
	return text.In(lang)
}
