package wire

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func split(structured bool, pieces []string) (text, thinking string) {
	s := splitter{structured: structured}
	take := func(parts []part) {
		for _, p := range parts {
			if p.reclaim {
				text, thinking = "", thinking+text
			}
			text += p.text
			thinking += p.thinking
		}
	}
	for _, piece := range pieces {
		take(s.add(piece))
	}
	take(s.rest())
	return text, thinking
}

func TestReasoningIsSetApart(t *testing.T) {
	for _, c := range []struct {
		name, in, text, thinking string
		structured               bool
	}{
		{name: "none", in: "안녕하세요.", text: "안녕하세요."},
		{name: "before", in: "<think>음</think>\n\n네.", text: "네.", thinking: "음"},
		{name: "between", in: "네.<think>음</think> 그래요.", text: "네. 그래요.", thinking: "음"},
		{name: "twice", in: "<think>가</think>나<thinking>다</thinking>라", text: "나라", thinking: "가다"},
		{name: "never closed", in: "<think>음", thinking: "음"},
		{name: "opened in the prompt", in: "음…</think>\n네.", text: "네.", thinking: "음…"},
		{name: "empty", in: "<think>\n\n</think>\n\n네.", text: "네.", thinking: "\n\n"},
		{name: "other end", in: "<think>가</thinking>나</think>다", text: "다", thinking: "가</thinking>나"},
		{name: "almost a tag", in: "a <thin b < c </thin", text: "a <thin b < c </thin"},
		{name: "only space", in: " \n ", text: ""},
		{name: "before JSON", in: "<think>{}</think> {\"a\":1}", text: `{"a":1}`, thinking: "{}", structured: true},
		{name: "inside JSON", in: ` {"a":"<think>b</think>"}`, text: `{"a":"<think>b</think>"}`, structured: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text, thinking := split(c.structured, cut(t, c.in))
				if text != c.text || thinking != c.thinking {
					t.Fatalf("text %q, thinking %q", text, thinking)
				}
			})
		})
	}
}

// However a stream is cut, nothing is lost, and nothing between the tags is in the answer.
func TestCutsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.SampledFrom([]string{"<think>", "</think>", "<thinking>", "</thinking>", "<", "th", ">", "가", " ", "{", "x"})).Draw(t, "words")
		structured := rapid.Bool().Draw(t, "structured")
		whole := strings.Join(words, "")
		text, thinking := split(structured, []string{whole})
		cutText, cutThinking := split(structured, cut(t, whole))
		if text != cutText || thinking != cutThinking {
			t.Fatalf("whole: %q, %q; cut: %q, %q", text, thinking, cutText, cutThinking)
		}
	})
}

// cut cuts a text anywhere, in the middle of characters too.
func cut(t *rapid.T, text string) []string {
	var pieces []string
	for text != "" {
		n := rapid.IntRange(1, len(text)).Draw(t, "cut")
		pieces = append(pieces, text[:n])
		text = text[n:]
	}
	return pieces
}
