package wire

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/transform"
	"pgregory.net/rapid"
)

// travel sends pieces through a JSON decoder, each on a line of its own.
func travel(t *rapid.T, pieces []string) string {
	var lines strings.Builder
	for _, p := range pieces {
		lines.WriteString(`{"c":"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(p) + "\"}\n")
	}
	raw, err := io.ReadAll(transform.NewReader(strings.NewReader(lines.String()), escape{}))
	if err != nil {
		t.Fatal(err)
	}
	var j joiner
	var whole strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(string(raw)), "\n") {
		var v struct {
			C string `json:"c"`
		}
		if line == "" {
			continue
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		whole.WriteString(j.add(v.C))
	}
	return whole.String() + j.rest()
}

func TestCharactersAreJoinedAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("가각힣a \"\\é😀한글"))).Draw(t, "text")
		if got := travel(t, cut(t, text)); got != text {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

func TestAnyBytesBecomeText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOf(rapid.ByteRange(' ', 255)).Draw(t, "bytes")
		if got := travel(t, cut(t, string(raw))); !utf8.ValidString(got) {
			t.Fatalf("%q", got)
		}
	})
}
