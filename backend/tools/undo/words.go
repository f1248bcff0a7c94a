package undo

import (
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/hangul"
	"agentchat/backend/notes"
	"agentchat/backend/standing"
	"agentchat/backend/undolog"
)

// name is what a changed thing is called, with its kind.
func (t *Tool) name(c undolog.Change, lang bilingual.Lang) string {
	r := c.Is
	if r == nil {
		r = c.Was
	}
	switch c.Table {
	case undolog.Notes:
		return kind(lang, "메모", "note", notes.Note{Text: r.Text("text")}.Title())
	case undolog.Records:
		return "‘" + t.deps.Record(r.Text("service"), []byte(r.Text("data")), lang) + "’"
	case undolog.Orders:
		return kind(lang, "정기 주문", "standing order", r.Text("what"))
	case undolog.Facts:
		text := r.Text("text")
		if text == "" {
			text = c.Was.Text("text")
		}
		return kind(lang, "기억", "memory", text)
	case undolog.Documents:
		return kind(lang, "문서", "document", r.Text("title"))
	case undolog.Dues, undolog.Runs, undolog.RunJobs, undolog.Files:
	}
	return ""
}

func kind(lang bilingual.Lang, ko, en, name string) string {
	return bilingual.Say(lang, ko+" ‘"+name+"’", "the "+en+" “"+name+"”")
}

// line says what taking a change back does.
func (t *Tool) line(c undolog.Change, lang bilingual.Lang) string {
	name := t.name(c, lang)
	with := hangul.With(name, "을", "를")
	was, is := there(c.Table, c.Was), there(c.Table, c.Is)
	switch {
	case was && !is:
		return bilingual.Say(lang, with+" 다시 둬요", capital(name)+" comes back")
	case !was && is:
		return bilingual.Say(lang, with+" 없애요", capital(name)+" goes")
	case c.Table == undolog.Orders && c.Was.Text("state") != c.Is.Text("state"):
		if standing.State(c.Was.Text("state")) == standing.Active {
			return bilingual.Say(lang, with+" 다시 시작해요", capital(name)+" goes on")
		}
		return bilingual.Say(lang, with+" 멈춰요", capital(name)+" is paused")
	case c.Table == undolog.Records:
		before := "‘" + t.deps.Record(c.Was.Text("service"), []byte(c.Was.Text("data")), lang) + "’"
		return bilingual.Say(lang, name+" → "+before+": 전으로 돌려요", name+" → "+before+", as before")
	}
	return bilingual.Say(lang, with+" 전과 같게 돌려요", capital(name)+" becomes what it was")
}

// there tells whether a row is something that people see.
func there(table undolog.Table, r undolog.Row) bool {
	if r == nil {
		return false
	}
	switch table {
	case undolog.Notes:
		return r.Number("deleted") == 0
	case undolog.Records:
		return r.Number("canceled") == 0
	case undolog.Orders:
		return standing.State(r.Text("state")) != standing.Proposed
	case undolog.Facts:
		return r.Text("text") != ""
	case undolog.Documents:
		return r.Text("state") == "ready"
	case undolog.Dues, undolog.Runs, undolog.RunJobs, undolog.Files:
	}
	return true
}

// capital begins a sentence.
func capital(name string) string {
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		return name
	}
	return string(name[0]-'a'+'A') + name[1:]
}
