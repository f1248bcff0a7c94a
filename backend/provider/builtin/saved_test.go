package builtin_test

import (
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// What a file is made of is what was answered, or what the message names: that is found out first, or asked for.
func TestWhatIsSavedIsReadByItself(t *testing.T) {
	weather := []provider.Turn{{Speaker: "customer", Text: "서울 날씨 어때?"}, {Speaker: "shop", Text: "서울은 맑고 21°C예요."}}
	recipe := []provider.Turn{{Speaker: "customer", Text: "how do I make kimchi stew"}, {Speaker: "shop", Text: "Boil the kimchi with pork for the stew."}}
	for _, c := range []struct {
		text   string
		before []provider.Turn
		want   string // the tools of the one job; or a part of the answer
	}{
		{"서울 날씨를 PDF로 저장해줘", nil, "weather file_export"},
		{"서울 날씨를 PDF로 저장해줘", recipe, "weather file_export"},
		{"서울 날씨를 PDF로 저장해줘", weather, "file_export"},
		{"서울 날씨 워드로도 저장해줘", append(weather, provider.Turn{Speaker: "customer", Text: "PDF로 저장해줘"}, provider.Turn{Speaker: "shop", Text: "만들었어요."}), "file_export"},
		{"부산 날씨를 PDF로 저장해줘", weather, "weather file_export"},
		{"save the weather in Seoul as a PDF", recipe, "weather file_export"},
		{"export the weather in Busan to Word", nil, "weather file_export"},
		{"make a PDF of the weather in Seoul", nil, "weather file_export"},
		{"12 곱하기 34를 문서로 만들어줘", nil, "calculator file_export"},
		{"save the kimchi stew as a PDF", recipe, "file_export"},
		{"save the holiday plan as a PDF", recipe, "holiday plan"},
		{"여행 계획을 PDF로 저장해줘", weather, "여행 계획"},
		{"엑셀로 저장해줘", weather, "file_export"},
		{"이거 문서로 만들어줘", nil, "file_export"},
		{"이 대화 PDF로 저장해줘", weather, "file_export"},
		{"결과를 CSV로 저장해줘", weather, "file_export"},
		{"방금 답 워드 파일로 저장해줘", weather, "file_export"},
		{"이 표 엑셀 파일로 내보내줘", weather, "file_export"},
		{"나눈 이야기 전부 웹 페이지로 저장해줘", weather, "file_export"},
		{"이 답을 문서 폴더에 PDF로 저장해줘", weather, "file_export"},
		{"이거 봄여행이라는 이름으로 PDF로 저장해줘", weather, "file_export"},
		{"save this as a Word file", weather, "file_export"},
		{"export the table to Excel", weather, "file_export"},
		{"please save it as a PDF for me", weather, "file_export"},
		{"make a PDF of this answer", weather, "file_export"},
		{"save our whole conversation as a web page", weather, "file_export"},
		{"이걸 여행.pdf로 저장해줘", weather, "file_export"},
	} {
		lang := bilingual.KO
		if strings.Contains(c.text, " a ") || strings.HasPrefix(c.text, "export") {
			lang = bilingual.EN
		}
		p := plan(t, provider.Request{Lang: lang, Message: c.text, Transcript: c.before})
		got := ""
		for _, j := range p.Jobs {
			for _, todo := range j.Todos {
				got += " " + todo.Tool
			}
		}
		got = strings.TrimSpace(got)
		if got == "" {
			got = p.Reply
		}
		if got != c.want && (strings.Contains(c.want, "export") || !strings.Contains(got, c.want)) {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}
