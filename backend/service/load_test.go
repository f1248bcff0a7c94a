package service_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/service"
)

const small = `id: tea
intent: TEA
title: {ko: 차, en: Tea}
tool: service_record
with: {service: tea}
args: {values: "*"}
examples: {ko: [차 한 잔 줘], en: [a cup of tea]}
slots:
  - name: kind
    type: enum
    required: true
    title: {ko: 종류, en: Kind}
    values: {green: [녹차, green], black: [홍차, black]}
    ask: {ko: 어떤 차요?, en: Which tea?}
  - name: cups
    type: number
    title: {ko: 잔, en: Cups}
    check: value >= 1 && value <= 3
    error: {ko: 세 잔까지예요., en: At most three.}
messages:
  ready: {ko: '{{.kind}} 드릴까요?', en: 'Shall I bring {{.kind}} tea?'}
  done: {ko: 드렸어요., en: Here you are.}
  canceled: {ko: 안 드릴게요., en: Never mind.}
`

func TestManifestsThatAreRefused(t *testing.T) {
	if _, err := service.Parse("tea.yaml", []byte(small)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, old, with string
		line            int
		ko              string
	}{
		{"not yaml", "id: tea\n", "id: [tea\n", 0, "YAML"},
		{"unknown key", "tool: service_record\n", "tool: service_record\nshell: rm\n", 5, "YAML"},
		{"a key twice", "tool: service_record\n", "tool: service_record\ntool: other\n", 5, "YAML"},
		{"bad id", "id: tea\n", "id: Te a\n", 1, "id"},
		{"GENERAL", "intent: TEA\n", "intent: GENERAL\n", 2, "intent"},
		{"no English title", "title: {ko: 차, en: Tea}\n", "title: {ko: 차}\n", 3, "title"},
		{"unknown type", "type: number", "type: bool", 16, "type"},
		{"slot twice", "name: cups", "name: kind", 15, "두 번"},
		{"reserved slot", "name: cups", "name: total", 15, "total"},
		{"enum without values", "    values: {green: [녹차, green], black: [홍차, black]}\n", "", 0, "values"},
		{"required without a question", "    ask: {ko: 어떤 차요?, en: Which tea?}\n", "", 0, "ask"},
		{"a rule that is none", "value >= 1 && value <= 3", "value >=", 18, "check"},
		{"a rule over what is not there", "value >= 1 && value <= 3", "money > 1", 18, "check"},
		{"a rule that is no question", "value >= 1 && value <= 3", "value + 1", 18, "check"},
		{"a rule without its error", "    error: {ko: 세 잔까지예요., en: At most three.}\n", "", 0, "error"},
		{"a template that is none", "{{.kind}} 드릴까요?", "{{.kind 드릴까요?", 21, "틀"},
		{"a template with an unknown function", "{{.kind}} 드릴까요?", "{{run .kind}} 드릴까요?", 21, "틀"},
		{"no ready message", "  ready: {ko: '{{.kind}} 드릴까요?', en: 'Shall I bring {{.kind}} tea?'}\n", "", 0, "ready"},
		{"unknown message", "  done: ", "  finished: {ko: ㅇ, en: o}\n  done: ", 0, "finished"},
		{"an argument of no slot", `args: {values: "*"}`, `args: {values: money}`, 0, "money"},
		{"an anchor", "id: tea\n", "id: &x tea\n", 1, "앵커"},
		{"a bad pattern", "slots:\n", "match: {ko: ['(차'], en: []}\nslots:\n", 8, "정규식"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(small, c.old, c.with, 1)
			if text == small {
				t.Fatal("nothing was changed")
			}
			_, err := service.Parse("tea.yaml", []byte(text))
			if err == nil {
				t.Fatal("taken")
			}
			p, ok := err.(*service.Problem) //nolint:errorlint // Parse says so
			if !ok {
				t.Fatalf("%T", err)
			}
			if c.line > 0 && p.Line != c.line {
				t.Errorf("line %d, want %d: %s", p.Line, c.line, p.Text(bilingual.KO))
			}
			if !strings.Contains(p.Text(bilingual.KO), c.ko) || p.What.EN == "" || p.File != "tea.yaml" {
				t.Errorf("%s / %s", p.Text(bilingual.KO), p.Text(bilingual.EN))
			}
		})
	}
	if _, err := service.Parse("big.yaml", []byte(small+strings.Repeat("# \n", 40000))); err == nil {
		t.Error("a huge manifest was taken")
	}
	if _, err := service.Parse("empty.yaml", nil); err == nil {
		t.Error("an empty manifest was taken")
	}
}

// The shop opens whatever lies in the person's folder; what is bad is listed with what to fix.
func TestUserServices(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("tea.yaml", small)
	write("twice.yaml", strings.Replace(small, "id: tea", "id: transfer", 1))
	write("tool.yaml", strings.NewReplacer("id: tea", "id: coffee", "TEA", "COFFEE", "tool: service_record", "tool: rm").Replace(small))
	write("bad.yml", "id: [")
	write("notes.txt", "not a service")
	b, err := service.NewBook(dir, func(tool string) bool { return tool != "rm" })
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := b.Get("tea"); !ok {
		t.Errorf("no tea: %v", b.Problems())
	}
	refused := 0
	for _, info := range b.List(bilingual.KO) {
		switch {
		case info.Error != "":
			refused++
		case info.ID == "tea" && info.Source != service.SourceUser:
			t.Errorf("%+v", info)
		}
	}
	if refused != 3 {
		t.Errorf("%d refused, want 3: %v", refused, b.Problems())
	}
	if _, err := service.NewBook(filepath.Join(dir, "nowhere"), nil); err != nil {
		t.Error(err)
	}
}
