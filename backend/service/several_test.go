package service

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// drawer are records that are kept and taken away.
type drawer struct {
	shelf
	added, gone [][]string // by transaction
}

func (d *drawer) AddRecord(_ context.Context, list ...Record) error {
	var names []string
	for _, r := range list {
		names = append(names, r.ID+" "+r.text("what"))
		d.shelf = append(d.shelf, r)
	}
	d.added = append(d.added, names)
	return nil
}

func (d *drawer) CancelRecord(_ context.Context, _, _ string, values ...json.RawMessage) error {
	var names []string
	for _, v := range values {
		r := Record{Values: v}
		names = append(names, r.text("list")+" "+r.text("what"))
		at := slices.IndexFunc(d.shelf, func(have Record) bool { return string(have.Values) == string(v) })
		if at < 0 {
			return apperr.New(apperr.NotFound, "what", "record", "id", string(v))
		}
		d.shelf = slices.Delete(d.shelf, at, at+1)
	}
	d.gone = append(d.gone, names)
	return nil
}

func (d *drawer) use(t *testing.T, key, args string) (toolbox.Result, error) {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC) }
	for _, tool := range Tools(d, now) {
		if tool.Spec().Key == key {
			return tool.Run(t.Context(), toolbox.Call{TodoID: d.todo(), Lang: bilingual.EN, Args: json.RawMessage(args)})
		}
	}
	t.Fatalf("no tool %s", key)
	return toolbox.Result{}, nil
}

func gave(t *testing.T, r toolbox.Result) string {
	t.Helper()
	if r.Undo == nil {
		t.Fatal("nothing takes it back")
	}
	return string(r.Undo.Args)
}

// What names several things writes one record each, in one transaction, and what takes it back takes away exactly these.
func TestSeveralThingsAreWrittenAndTakenBackTogether(t *testing.T) {
	d := &drawer{}
	r, err := d.use(t, toolRecord, `{"service":"reminder","values":{"what":"milk\neggs\ntofu","list":"shopping"}}`)
	if err != nil || len(d.added) != 1 || fmt.Sprint(d.added[0]) != "[todo milk todo-2 eggs todo-3 tofu]" {
		t.Fatalf("%q, %v", d.added, err)
	}
	if _, ids := Wrote(toolRecord, json.RawMessage(`{"service":"reminder"}`), r.Data); fmt.Sprint(ids) != "[todo todo-2 todo-3]" {
		t.Errorf("it says that it wrote %q", ids)
	}
	back := gave(t, r)
	if _, err := d.use(t, toolCancel, back); err != nil || len(d.shelf) != 0 || len(d.gone) != 1 {
		t.Errorf("%s: %q left, %q gone, %v", back, d.shelf, d.gone, err)
	}
}

// Several names take away as many records, each of what is called so another one; on a list those that stand on it.
func TestSeveralAreTakenAwayByName(t *testing.T) {
	d := &drawer{}
	for _, values := range []string{`{"what":"milk"}`, `{"what":"milk","list":"shopping"}`, `{"what":"eggs","list":"shopping"}`, `{"what":"dentist","date":"2026-03-05"}`} {
		if _, err := d.use(t, toolRecord, `{"service":"reminder","values":`+values+`}`); err != nil {
			t.Fatal(err)
		}
	}
	r, err := d.use(t, toolCancel, `{"service":"reminder","key":"what","name":"milk\neggs","list":"shopping"}`)
	if err != nil || fmt.Sprint(d.gone) != "[[shopping milk shopping eggs]]" || !strings.Contains(gave(t, r), `"what":"milk\neggs"`) {
		t.Fatalf("%q, %v", d.gone, err)
	}
	if _, err := d.use(t, toolCancel, `{"service":"reminder","key":"what","name":"milk\nbread"}`); apperr.CodeOf(err) != apperr.RecordMissing || len(d.gone) != 1 {
		t.Errorf("of two one is not there: %q, %v", d.gone, err)
	}
	r, err = d.use(t, toolCancel, `{"service":"reminder","key":"what","name":"milk\ndentist","list":"errands"}`) // nothing stands on that list
	if err != nil || len(d.shelf) != 0 {
		t.Errorf("%q left, %v", d.shelf, err)
	}
	if strings.Contains(gave(t, r), "milk") {
		t.Errorf("no one call writes both again: %s", gave(t, r))
	}
}

// A name becomes what the record itself is called, so that the question names all that would go.
func TestANameIsThatOfTheRecord(t *testing.T) {
	b, err := NewBook("", nil)
	if err != nil {
		t.Fatal(err)
	}
	kept := keep([3]string{"우유, 계란, 두부"}, [3]string{"치과 정기 검진"}, [3]string{"빵"}, [3]string{"치즈"}, [3]string{"팀 회의"}, [3]string{"임원 회의"}, [3]string{"call mom and dad"})
	b.Names(func(_, key, name string) []string { return Names(kept, key, name) })
	m, _ := b.Get("reminder_done")
	for text, want := range map[string]string{
		"두부 빼줘":                             "우유, 계란, 두부",
		"두부랑 우유 빼줘":                         "우유, 계란, 두부",
		"치과 지워줘":                            "치과 정기 검진",
		"빵이랑 치즈 빼줘":                         "빵\n치즈",
		"빵, 버터 빼줘":                          "빵",
		"회의 지워줘":                            "회의",
		"안경원 지워줘":                           "안경원",
		"take call mom and dad off my list": "call mom and dad",
	} {
		s := Open("s", m, bilingual.KO)
		s, _, err := m.Apply(s, m.Ground(s, m.Reads(s, text, anyDay), text, true, anyDay), "2026-03-04")
		if err != nil || s.Slots["what"] != want {
			t.Errorf("%q: %q, %v; want %q", text, s.Slots["what"], err, want)
		}
	}
}

func TestManyThingsAreNamedInASentence(t *testing.T) {
	many := strings.TrimSuffix(strings.Repeat("milk\n", mostThings+3), "\n")
	for value, want := range map[string]string{"milk": "“milk”", "milk\neggs": "“milk” and “eggs”", "a\nb\nc": "“a”, “b” and “c”"} {
		if got := things(value, bilingual.EN); got != want {
			t.Errorf("%q", got)
		}
	}
	if got := things(many, bilingual.KO); !strings.HasSuffix(got, "‘milk’ 외 3개") || several(many) != mostThings+3 || several("milk") != 0 {
		t.Errorf("%q", got)
	}
}

// Each of several things must fit by itself.
func TestEachOfSeveralIsChecked(t *testing.T) {
	b, err := NewBook("", nil)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := b.Get("reminder")
	fits := strings.Repeat("가", 90)
	s, _, err := m.Apply(Open("s", m, bilingual.KO), Extraction{Set: Values{"what": fits + "\n" + fits + "\n" + fits}}, "2026-03-04")
	if err != nil || s.Stage != Ready {
		t.Errorf("%s, %v", s.Stage, err)
	}
	s, _, err = m.Apply(Open("s", m, bilingual.KO), Extraction{Set: Values{"what": "우유\n" + fits + fits}}, "2026-03-04")
	if err != nil || s.Stage != Filling {
		t.Errorf("%s, %v", s.Stage, err)
	}
}

// todo names a step as no other is named.
func (d *drawer) todo() string {
	if len(d.added) == 0 {
		return "todo"
	}
	return fmt.Sprint("todo", len(d.added))
}

// A day that is only pointed at is asked for, also by a service that has no question of its own for it.
func TestADayThatNobodyKnowsIsAskedFor(t *testing.T) {
	b, err := NewBook("", nil)
	if err != nil {
		t.Fatal(err)
	}
	for id, text := range map[string]string{"reminder": "put dinner with Sam at 7 that day on my list", "transfer": "send 10,000 won to mom that day"} {
		m, _ := b.Get(id)
		s := Open("s", m, bilingual.EN)
		s, out, err := m.Apply(s, m.Ground(s, m.Reads(s, text, anyDay), text, true, anyDay), "2024-01-01")
		if err != nil || s.Stage != Filling || s.Asked != "date" || !strings.Contains(out.Message, "which day") || m.Question(s).Message == "" {
			t.Fatalf("%s: %s %s %q, %v", id, s.Stage, s.Asked, out.Message, err)
		}
		found, ok := m.Answers(s, "on friday", anyDay)
		if s, _, err = m.Apply(s, found, "2024-01-01"); !ok || err != nil || s.Stage != Ready || s.Slots["date"] != "2024-01-05" {
			t.Errorf("%s: %s %v, %v", id, s.Stage, s.Slots, err)
		}
	}
}
