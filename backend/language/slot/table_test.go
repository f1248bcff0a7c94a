package slot

import "testing"

func TestWhatIsAskedOfATable(t *testing.T) {
	for text, want := range map[string]string{
		"예산.xlsx에서 부서별 합계":              "예산.xlsx",
		"sum of hours in timesheet.csv": "timesheet.csv",
		"예산.xlsx 읽어줘":                   "",
		"예산.xlsx 지워줘":                   "",
		"보고서.pdf에서 합계":                  "",
		"move budget.csv to Top Secret": "",
		"부서별 합계":                        "",
	} {
		file, ok := ReadTable(text)
		if !ok {
			file = ""
		}
		if file != want {
			t.Errorf("%s: %q, want %q", text, file, want)
		}
	}
	for text, want := range map[string][2]bool{ // asks, leans
		"부서별 합계": {true, false}, "상위 5개": {true, false}, "부산은?": {false, true}, "서울만": {false, true}, "only chairs": {false, true},
		"top 3": {true, false}, "고마워": {false, false}, "나도": {false, false}, "just kidding": {false, false}, "오늘 날씨 어때?": {false, false},
	} {
		if got := [2]bool{AsksTable(text), LeansOnTable(text)}; got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
