package slot

import "testing"

func TestATableIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"예산.xlsx에서 부서별 합계":              "예산.xlsx",
		"sum of hours in timesheet.csv": "timesheet.csv",
		"보고서.pdf에서 합계":                  "",
		"부서별 합계":                        "",
	} {
		file, ok := TableFile(text)
		if !ok {
			file = ""
		}
		if file != want {
			t.Errorf("%s: %q, want %q", text, file, want)
		}
	}
}
