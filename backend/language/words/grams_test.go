package words

import (
	"strings"
	"testing"
)

// finds does what an index of pieces does with a query.
func finds(text, query string) bool {
	terms := strings.Fields(Grams(text))
	for want := range strings.SplitSeq(query, " AND ") {
		begins := strings.HasSuffix(want, "*")
		want = strings.Trim(want, `"*`)
		found := false
		for _, term := range terms {
			found = found || term == want || begins && strings.HasPrefix(term, want)
		}
		if !found {
			return false
		}
	}
	return query != ""
}

// What a text holds is found by any piece of it, and nothing that it does not hold is said to be in it.
func TestPiecesOfATextFindIt(t *testing.T) {
	const text = "임대차 계약서의 보증금은 3,000만원, paid in Currency GPT4로"
	for query, want := range map[string]bool{
		"임대": true, "대차": true, "차": true, "임": true, "보증금": true, "계약 보증": true, "rren": true, "CY": true, "currency": true,
		"c": true, "gpt4": true, "3,000만": true, "000": true, "월세": false, "currencyx": false, "계약 월세": false,
	} {
		sought := Sought(query)
		if got := finds(text, GramsQuery(sought)) && Holds(text, sought); got != want {
			t.Errorf("%q: found %v, want %v by %s", query, got, want, GramsQuery(sought))
		}
	}
	if got := GramsQuery(Sought("?! …")); got != "" {
		t.Errorf("marks are no words: %q", got)
	}
}

func FuzzGrams(f *testing.F) {
	for _, seed := range [][2]string{{"임대차 계약", "대차"}, {"Hello world", "lo"}, {"각\xff나", "나"}, {"ﬁne", "fi"}, {"İstanbul", "istanbul"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, query string) {
		sought := Sought(query)
		if q := GramsQuery(sought); q != "" && Holds(text, sought) && !finds(text, q) {
			t.Errorf("%q holds %q, and %s does not find it", text, query, q)
		}
	})
}
