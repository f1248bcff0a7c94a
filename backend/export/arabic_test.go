package export

import "testing"

// Arabic letters are written in one stroke: each has the form of its place, lam and alef are one sign, and what is copied is what was written.
func TestArabicLettersAreJoined(t *testing.T) {
	s, err := newSetter()
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for text, want := range map[string]string{
		"سلام": "ﺳ\ufefcﻡ", "بيت": "ﺑﻴﺖ", "باب": "ﺑﺎﺏ", "دار": "ﺩﺍﺭ", "لا": "\ufefb", "مدرسة": "ﻣﺪﺭﺳﺔ", "بَيت": "ﺑَﻴﺖ", "شيء": "ﺷﻲﺀ", "گربه": "ﮔﺮﺑﻪ", "پنج": "ﭘﻨﺞ", "ایران": "ﺍﻳﺮﺍﻥ",
		"أهلا وسهلا": "ﺃﻫ\ufefc ﻭﺳﻬ\ufefc", "ab سل": "ab ﺳﻞ", "مـم": "ﻣـﻢ",
	} {
		run := Run{Text: text}
		lines := s.lines([]Run{run}, 100, false)
		if len(lines) != 1 {
			t.Fatalf("%s: %d lines", text, len(lines))
		}
		forms, said := []rune(want), ""
		if len(lines[0]) != len(forms) {
			t.Errorf("%s: %d signs, want %d", text, len(lines[0]), len(forms))
			continue
		}
		for i, g := range lines[0] {
			said += g.Text
			if id := g.Face.Glyph(forms[i]); id == 0 || g.ID != id {
				t.Errorf("%s: sign %d is glyph %d, want %d of %q", text, i, g.ID, id, forms[i])
			}
		}
		if said != text {
			t.Errorf("%s is copied as %s", text, said)
		}
	}
	if len(s.lacks) > 0 {
		t.Errorf("no font for %v", s.lacks)
	}
}

// What is read from the right is put so, numbers and words of the other direction in it stay as they are, and marks on their letters.
func TestLinesAreSeenInTheirOrder(t *testing.T) {
	s, err := newSetter()
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for text, want := range map[string]string{
		"abc":           "abc",
		"אבג":           "גבא",
		"אב 12 גד":      "דג 12 בא",
		"אב abc 12 גד":  "דג abc 12 בא",
		"אב (12) גד":    "דג (12) בא",
		"ab אב 12 גד c": "ab דג 12 בא c",
		"ab אב 12 cd":   "ab 12 בא cd",
		"ab אב, cd":     "ab בא, cd",
		"בָּב":          "בבָּ",
	} {
		runs := []Run{{Text: text}}
		got := ""
		for _, g := range visual(s.lines(runs, 100, false)[0], beginsRight(runs)) {
			shown := g.Text
			if g.ID == g.Face.Glyph('(') {
				shown = "("
			} else if g.ID == g.Face.Glyph(')') {
				shown = ")"
			}
			got += shown
		}
		if got != want {
			t.Errorf("%q is seen as %q, want %q", text, got, want)
		}
	}
}
