package match

import "testing"

func TestFoldMakesOneNameOfItsSpellings(t *testing.T) {
	for _, names := range [][]string{
		{"São Paulo", "sao paulo", "SAO-PAULO"},
		{"서울 시청", "서울시청", "서울시청"}, // the last one is NFD, as macOS stores file names
		{"Gate 13 (live)", "gate13live"},
	} {
		for _, name := range names[1:] {
			if Fold(name) != Fold(names[0]) {
				t.Errorf("Fold(%q) = %q, Fold(%q) = %q", name, Fold(name), names[0], Fold(names[0]))
			}
		}
	}
}

func TestCloseForgivesASlip(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"해운대", "해은대", true},
		{"busan", "bsuan", true},
		{"서울", "서산", false},
		{"부산", "분산", false},
		{"newyork", "newyrok", true},
		{"", "a", false},
	} {
		if got := Spell(c.a).Close(Spell(c.b)); got != c.want {
			t.Errorf("Close(%q, %q) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestSimilarityIsSymmetric(t *testing.T) {
	if Similarity("아리랑", "아리랑") != 1 || Similarity("", "") != 1 {
		t.Error("equal names must be fully similar")
	}
	if a, b := Similarity("아리랑", "아리앙"), Similarity("아리앙", "아리랑"); a != b || a <= 0.5 {
		t.Errorf("similarity %v and %v", a, b)
	}
}

func TestNearestFirst(t *testing.T) {
	names := []string{"강릉", "강남역", "서울역", "부산"}
	var spelt []Spelled
	for _, n := range names {
		spelt = append(spelt, Spell(n))
	}
	if got := Nearest("강남", names, spelt); len(got) != 1 || got[0] != "강남역" {
		t.Errorf("near 강남: %q", got)
	}
	if got := Nearest("qwerty", names, spelt); len(got) != 0 {
		t.Errorf("near qwerty: %q", got)
	}
}
