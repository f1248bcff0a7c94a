package wordlist_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"agentchat/backend/language/wordlist"
)

func TestLoad(t *testing.T) {
	files := func(texts ...string) fstest.MapFS {
		m := fstest.MapFS{}
		for i, text := range texts {
			m[string(rune('a'+i))] = &fstest.MapFile{Data: []byte(text)}
		}
		return m
	}
	lists, err := wordlist.Load(files("yes\nok\n", "no\n", "please\n", "please\nnow\n"), []string{"a", "b"}, "c", "d")
	if err != nil || len(lists) != 4 || !lists[0]["ok"] || lists[1]["ok"] || !lists[3]["please"] {
		t.Fatalf("%v, %v", lists, err)
	}
	for want, texts := range map[string][]string{
		"not one word":       {"안 할래\n", "", ""},
		"small letters":      {"Yes\n", "", ""},
		"stands there":       {"yes\nyes\n", "", ""},
		"stands in a too":    {"yes\n", "yes\n", ""},
		"\"할래\" stands in b": {"yes\n", "할래\n", "할래\n"},
	} {
		if _, err := wordlist.Load(files(texts...), []string{"a", "b"}, "c"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", texts, err, want)
		}
	}
	if got := wordlist.Compact(" I’ll  wait! "); got != "i'llwait" {
		t.Error(got)
	}
}
