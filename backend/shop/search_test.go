package shop_test

import (
	"slices"
	"testing"

	"agentchat/backend/bank"
	"agentchat/backend/shop"
)

// The search box looks into every room: what is there is found by the word a person would type.
func TestTheSearchBoxFindsWhatEveryRoomHas(t *testing.T) {
	t.Parallel()
	c := enter(t, t.TempDir())
	c.bring("근로계약서.md", "# 근로계약서\n\n제5조 (임금) 월급은 300만원으로 한다.\n")
	if _, err := c.AddNote(t.Context(), "우유 사기"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.SavePayee(t.Context(), bank.Payee{Name: "동생", Aliases: []string{"막내"}, Bank: "연습은행", Number: "110-2"}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.AddFact(t.Context(), "나는 고수를 못 먹는다"); err != nil {
		t.Fatal(err)
	}
	kinds := func(text string) (kinds []string) {
		hits, err := c.Search(t.Context(), shop.SearchQuery{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			if h.Title == "" || h.ID == "" {
				t.Errorf("%q finds something without a name: %+v", text, h)
			}
			kinds = append(kinds, h.Kind)
			if h.Kind == "passage" && h.End <= h.Start {
				t.Errorf("%+v stands nowhere", h)
			}
		}
		return kinds
	}
	for text, kind := range map[string]string{"우유": "note", "계약": "document", "월급": "passage", "막내": "payee", "송금": "service", "못 고수": "fact"} {
		if got := kinds(text); !slices.Contains(got, kind) {
			t.Errorf("%q finds %v, not a %s", text, got, kind)
		}
	}
	if got := kinds("없는낱말이에요"); len(got) != 0 {
		t.Errorf("nothing like that is there: %v", got)
	}
}
