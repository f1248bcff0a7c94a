package builtin_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
)

// planned is what a message starts, one "tool{name=value;…}" for each step.
func planned(t *testing.T, text string) (steps []string) {
	t.Helper()
	reply, err := builtin.New().Chat(t.Context(), provider.Request{Role: provider.RolePlanner, Lang: bilingual.KO, Tools: cards(t)(bilingual.KO), Now: now, Message: text}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var plan provider.Plan
	if err := json.Unmarshal([]byte(reply.Text), &plan); err != nil {
		t.Fatal(err)
	}
	for _, j := range plan.Jobs {
		for _, todo := range j.Todos {
			var args map[string]any
			_ = json.Unmarshal(todo.Args, &args)
			var list []string
			for _, name := range []string{"query", "path", "text", "mode", "from", "expression", "to", "folder", "by", "kind", "name", "days", "megabytes"} {
				if v, ok := args[name]; ok {
					list = append(list, name+"="+fmt.Sprint(v))
				}
			}
			step := todo.Tool
			if len(list) > 0 {
				slices.Sort(list)
				step += "{" + strings.Join(list, ";") + "}"
			}
			steps = append(steps, step)
		}
	}
	return steps
}

// TestDeeds: what is said about files starts the right tool with the right values, and talk of files starts nothing.
func TestDeeds(t *testing.T) {
	f, err := os.Open("testdata/deeds.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	wrong, all := 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		text, want, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			continue
		}
		if tool, args, ok := strings.Cut(strings.TrimSuffix(want, "}"), "{"); ok {
			list := strings.Split(args, ";")
			slices.Sort(list)
			want = tool + "{" + strings.Join(list, ";") + "}"
		}
		all++
		got := strings.Join(planned(t, text), " + ")
		if got == "" {
			got = "-"
		}
		if got != want {
			wrong++
			t.Errorf("%q starts %s, not %s", text, got, want)
		}
	}
	t.Logf("%d of %d right", all-wrong, all)
}

// TestDeedsBesideOtherWishes: a deed does not swallow what else is wanted.
func TestDeedsBesideOtherWishes(t *testing.T) {
	for text, want := range map[string]string{
		"메모.txt 읽고 있어":                                              "",
		"메모.txt 읽어줘. 그리고 3 더하기 4 계산해줘":                              "file_read{path=메모.txt} + calculator{expression=3 + 4}",
		"메모.txt 읽고 회의.txt 지워줘":                                      "file_read{path=메모.txt} + file_trash{path=회의.txt}",
		"부산 날씨 알려주고 회의.txt에 '날씨 확인' 추가해줘":                           "weather + file_write{path=회의.txt;text=날씨 확인}",
		"tell me the weather in Busan and add 'check' to notes.txt": "weather + file_write{path=notes.txt;text=check}",
		"회의.txt에 '그리고. 그 다음에' 추가해줘":                                 "file_write{path=회의.txt;text=그리고. 그 다음에}",
		"read notes.txt and then delete old.md":                     "file_read{path=notes.txt} + file_trash{path=old.md}",
	} {
		if got := strings.Join(planned(t, text), " + "); got != want {
			t.Errorf("%q starts %s, not %s", text, got, want)
		}
	}
}
