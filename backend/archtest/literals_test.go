package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// properNames are called the same in both languages.
var properNames = regexp.MustCompile(`Agent Chat|Ollama|SearXNG|Brave Search|Esc|https?://\S+|&\w+;`)

var (
	outOfMarkup = regexp.MustCompile(`(?s)<style.*?</style>|<!--.*?-->`)
	scriptPart  = regexp.MustCompile(`(?s)<script.*?</script>`)
	commentPart = regexp.MustCompile(`(?s)/\*.*?\*/|(?m)(?:^|\s)//.*$`)
	spokenAttr  = regexp.MustCompile(`(?s)\b(?:aria-label|aria-description|title|placeholder|alt|label)="([^"]*)"`)
	someWord    = regexp.MustCompile(`\pL{2,}`)
	literal     = regexp.MustCompile("(?s)'(?:[^'\\\\\n]|\\\\.)*'|\"(?:[^\"\\\\\n]|\\\\.)*\"|`(?:[^`\\\\]|\\\\.)*`")
	sentence    = regexp.MustCompile(`^['"` + "`" + `][A-Z][a-z]+ [a-z][^<]*$`)
)

// spokenIn are the words that a component says by itself and in one language: text between tags, attributes that are read out, and strings.
func spokenIn(text string) (found []string) {
	say := func(words string) {
		if words = strings.TrimSpace(words); someWord.MatchString(properNames.ReplaceAllString(words, "")) {
			found = append(found, words)
		}
	}
	for _, script := range scriptPart.FindAllString(text, -1) {
		for _, l := range literal.FindAllString(commentPart.ReplaceAllString(script, ""), -1) {
			if hangul.MatchString(l) || sentence.MatchString(l) {
				say(l)
			}
		}
	}
	markup := outOfMarkup.ReplaceAllString(scriptPart.ReplaceAllString(text, ""), "")
	plain, codes := apart(markup)
	for _, m := range spokenAttr.FindAllStringSubmatch(plain, -1) {
		say(m[1])
	}
	for piece := range strings.SplitSeq(plain, "<") {
		if _, words, ok := strings.Cut(piece, ">"); ok {
			say(words)
		}
	}
	for _, code := range codes {
		for _, l := range literal.FindAllString(code, -1) {
			if hangul.MatchString(l) || sentence.MatchString(l) {
				say(l)
			}
		}
	}
	return found
}

// apart takes what stands in braces out of markup.
func apart(markup string) (plain string, codes []string) {
	var outside, inside strings.Builder
	depth, quote := 0, rune(0)
	for _, r := range markup {
		switch {
		case depth == 0 && r == '{':
			depth = 1
		case depth == 0:
			outside.WriteRune(r)
		case quote != 0:
			if inside.WriteRune(r); r == quote {
				quote = 0
			}
		case r == '}' && depth == 1:
			depth = 0
			codes = append(codes, inside.String())
			inside.Reset()
		default:
			switch r {
			case '{':
				depth++
			case '}':
				depth--
			case '\'', '"', '`':
				quote = r
			}
			inside.WriteRune(r)
		}
	}
	return outside.String(), codes
}

// What a person reads stands in the messages, in both languages, and in no component.
func TestComponentsSayNothingThemselves(t *testing.T) {
	seen := 0
	walk(t, filepath.Join(root, "frontend", "src"), func(file string) {
		if !strings.HasSuffix(file, ".svelte") {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, "frontend", "src", file))
		if err != nil {
			t.Fatal(err)
		}
		seen++
		for _, words := range spokenIn(string(text)) {
			t.Errorf("%s says %q; it belongs into the messages beside it", file, words)
		}
	})
	if seen < 100 {
		t.Fatalf("only %d components found", seen)
	}
}

// The search for them finds what it looks for.
func TestSpokenWordsAreFound(t *testing.T) {
	for text, want := range map[string]string{
		`<p>Hello there</p>`:                                                            "Hello there",
		`<b>{x}</b> 안녕 <i class="some words">{y}</i>`:                                   "안녕",
		`<input aria-label="Your name" />`:                                              "Your name",
		`<p>{ok ? 'All is well' : t.bad}</p>`:                                           "'All is well'",
		`<script>const a = '다시'; // 다시</script>`:                                        "'다시'",
		`<p>{t.hello} · {"}"} (Esc)</p><!-- a note --><style>p { color: red; }</style>`: "",
		`<button data-testid="Look here" title={t.look}>{#if a > b}+{/if}</button>`:     "",
		`<p>SearXNG</p><input placeholder="http://127.0.0.1:8888" />`:                   "",
	} {
		if have := strings.Join(spokenIn(text), "|"); have != want {
			t.Errorf("%s: have %q, want %q", text, have, want)
		}
	}
}
