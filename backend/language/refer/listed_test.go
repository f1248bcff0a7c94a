package refer_test

import (
	"testing"

	"agentchat/backend/language/refer"
)

func TestSpell(t *testing.T) {
	notes := refer.Listing{Kind: refer.Note, Names: []string{"우유 사기", "mum's cake", "자물쇠 4471"}}
	files := refer.Listing{Kind: refer.File, Names: []string{"문서/회의록.txt", "문서/긴 이름.txt"}}
	for _, x := range []struct {
		list       refer.Listing
		text, want string
	}{
		{notes, "둘째 메모 지워줘", `"mum's cake" 메모 지워줘`},
		{notes, "첫 번째 거 지워줘", `'우유 사기' 메모 지워줘`},
		{notes, "마지막 메모에 오늘이라고 덧붙여줘", `'자물쇠 4471' 메모에 오늘이라고 덧붙여줘`},
		{notes, "2번 지워줘", `"mum's cake" 메모 지워줘`},
		{notes, "delete the first note", "delete the '우유 사기' note"},
		{notes, "delete note 3", "delete the '자물쇠 4471' note"},
		{notes, "Please remove the last one.", "Please remove the '자물쇠 4471' note."},
		{files, "첫 번째 파일 열어줘", "문서/회의록.txt 열어줘"},
		{files, "open the second file", "open '문서/긴 이름.txt'"},
	} {
		if got, _, ok := x.list.Spell(x.text); !ok || got != x.want {
			t.Errorf("%q: %q, %v", x.text, got, ok)
		}
	}
	for _, text := range []string{"", "두 번째로 좋아", "두 번째 노래 틀어줘", "첫 번째 파일 열어줘", "the first time I saw it", "메모 지워줘", "내일 첫 번째 회의 알려줘", "second thoughts", "2번 출구로 안내해줘"} {
		if got, short, ok := notes.Spell(text); ok || short {
			t.Errorf("%q: %q", text, got)
		}
	}
	if _, short, ok := notes.Spell("다섯 번째 메모 지워줘"); ok || !short {
		t.Error("a place that the list does not have")
	}
}

// Whatever is said, what is put into it is a name of the list.
func FuzzSpell(f *testing.F) {
	f.Add("둘째 메모 지워줘")
	f.Add("delete the LAST one İ")
	list := refer.Listing{Kind: refer.Note, Names: []string{"가", "b"}}
	f.Fuzz(func(t *testing.T, text string) {
		if spelled, short, ok := list.Spell(text); ok && (short || spelled == "") || (ok || short) && !refer.Counts(text) {
			t.Errorf("%q: %q, %v, %v", text, spelled, short, ok)
		}
	})
}
