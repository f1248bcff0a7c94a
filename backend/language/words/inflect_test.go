package words

import (
	"slices"
	"testing"
)

// A verb is known in the shapes that documents give it; what has no stem is left alone.
func TestInflected(t *testing.T) {
	for word, want := range map[string]string{
		"올릴": "올려", "올리면": "올린", "끝나면": "끝난", "돌려받나": "돌려받", "지나야": "지난",
	} {
		if got := Inflected(word); !slices.Contains(got, want) {
			t.Errorf("%s: %v, want %s among them", word, got, want)
		}
	}
	for _, word := range []string{"rent", "살", "낼", "12"} {
		if got := Inflected(word); got != nil {
			t.Errorf("%s: %v", word, got)
		}
	}
}

func FuzzInflected(f *testing.F) {
	for _, seed := range []string{"올릴", "하면", "ㄹ", "각", "lease", "\xff가나"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		for _, shape := range Inflected(word) {
			if !Korean(shape) {
				t.Errorf("%q: %q", word, shape)
			}
		}
	})
}
