package tablequery_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/library/extract"
	"agentchat/backend/tablequery"
)

func answer(t testing.TB, table *tablequery.Table, q tablequery.Query) tablequery.Result {
	t.Helper()
	r, err := table.Ask(t.Context(), q, "ko")
	if err != nil {
		t.Fatalf("%s: %v", form(q), err)
	}
	return r
}

func cells(r tablequery.Result) string {
	var lines []string
	for _, row := range r.Rows {
		lines = append(lines, strings.Join(row, ","))
	}
	return strings.Join(lines, " ")
}

func where(column string, is tablequery.Is, values ...string) []tablequery.Filter {
	f := tablequery.Filter{Column: column, Is: is}
	if len(values) > 0 {
		f.Value = values[0]
	}
	if len(values) > 1 {
		f.To = values[1]
	}
	return []tablequery.Filter{f}
}

// also are measures: what is computed, and of which column.
func also(pairs ...any) (list []tablequery.Measure) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, tablequery.Measure{Do: pairs[i].(tablequery.Do), Column: pairs[i+1].(string)})
	}
	return list
}

func by(column string, each ...tablequery.Each) []tablequery.Group {
	g := tablequery.Group{Column: column}
	if len(each) > 0 {
		g.Each = each[0]
	}
	return []tablequery.Group{g}
}

func TestAnswers(t *testing.T) {
	table := open(t, "매출.csv", sales)
	for _, c := range []struct {
		q    tablequery.Query
		want string
		used int
	}{
		{tablequery.Query{Do: tablequery.Sum, Column: "금액"}, "67650", 7},
		{tablequery.Query{Do: tablequery.Sum, Column: "E"}, "67650", 7},
		{tablequery.Query{Do: tablequery.Average, Column: "금액(원)"}, "9664.29", 7},
		{tablequery.Query{Do: tablequery.Sum, Column: "수량"}, "52", 7},
		{tablequery.Query{Do: tablequery.Min, Column: "수량"}, "3", 7},
		{tablequery.Query{Do: tablequery.Max, Column: "날짜"}, "2026-03-09", 7},
		{tablequery.Query{Do: tablequery.Count}, "7", 7},
		{tablequery.Query{Do: tablequery.Count, Column: "담당"}, "6", 7},
		{tablequery.Query{Do: tablequery.Sum, Column: "금액", By: by("지점")}, "서울,34650 부산,19800 대전,9600 대구,3600", 7},
		{tablequery.Query{Do: tablequery.Sum, Column: "금액", By: by("지점"), Order: "asc", Top: 2}, "대구,3600 대전,9600", 7},
		{tablequery.Query{Do: tablequery.Sum, Column: "금액", By: by("날짜", tablequery.Month)}, "2026-01,21800 2026-02,30750 2026-03,15100", 7},
		{tablequery.Query{Do: tablequery.Sum, Column: "금액", By: by("날짜", tablequery.Quarter)}, "2026-Q1,67650", 7},
		{tablequery.Query{Do: tablequery.Sum, Column: "금액", By: by("날짜", tablequery.Year)}, "2026,67650", 7},
		{tablequery.Query{Do: tablequery.Count, By: by("날짜", tablequery.Weekday)}, "월요일,3 화요일,1 수요일,1 토요일,2", 7},
		{tablequery.Query{Do: tablequery.Distinct, Column: "품목"}, "사과,3 배,2 귤,2", 7},
		{tablequery.Query{Do: tablequery.Count, Where: where("금액", tablequery.AtLeast, "10,000")}, "3", 3},
		{tablequery.Query{Do: tablequery.Count, Where: where("금액", tablequery.Between, "3600", "9600")}, "3", 3},
		{tablequery.Query{Do: tablequery.Count, Where: where("금액", tablequery.Above, "9599.5")}, "5", 5},
		{tablequery.Query{Do: tablequery.Count, Where: where("날짜", tablequery.Equals, "2026-02")}, "3", 3},
		{tablequery.Query{Do: tablequery.Count, Where: where("날짜", tablequery.Between, "2026-01-17", "2026-02")}, "4", 4},
		{tablequery.Query{Do: tablequery.Count, Where: where("날짜", tablequery.Above, "2026-02")}, "2", 2},
		{tablequery.Query{Do: tablequery.Count, Where: where("날짜", tablequery.Below, "2026년 2월 11일")}, "3", 3},
		{tablequery.Query{Do: tablequery.Count, Where: where("담당", tablequery.Contains, "이")}, "2", 2},
		{tablequery.Query{Do: tablequery.Count, Where: where("담당", tablequery.Empty)}, "1", 1},
		{tablequery.Query{Do: tablequery.Count, Where: where("지점", tablequery.Not, "서울")}, "4", 4},
		{tablequery.Query{Do: tablequery.Count, Where: where("수량", tablequery.Equals, "미정")}, "1", 1},
		{tablequery.Query{Do: tablequery.Rows, Sort: "금액", Order: "desc", Top: 2}, "2026-02-03,서울,배,7,17150,김하나 2026-01-05,서울,사과,10,12000,김하나", 7},
		{tablequery.Query{Do: tablequery.Rows, Sort: "수량", Order: "asc", Top: 1}, "2026-02-11,대구,사과,3,3600,박세찬", 7},
		{tablequery.Query{Do: tablequery.Rows, Order: "desc", Top: 1}, "2026-03-09,대전,사과,8,9600,", 7},
		{tablequery.Query{Do: tablequery.Sum, Column: "금액", Where: where("지점", tablequery.Equals, "없음")}, "", 0},
		{tablequery.Query{Do: tablequery.Sum, Column: "금액", Also: also(tablequery.Average, "금액", tablequery.Count, "", tablequery.Max, "수량")}, "67650,9664.29,7,20", 7},
		{tablequery.Query{Do: tablequery.Count, Also: also(tablequery.Sum, "금액", tablequery.Min, "날짜"), By: by("지점"), Order: "desc", Top: 2}, "서울,3,34650,2026-01-05 부산,2,19800,2026-01-17", 7},
		{tablequery.Query{Do: tablequery.Columns}, "A,날짜,날짜 B,지점,글 C,품목,글 D,수량,숫자 E,금액(원),숫자 F,담당,글", 7},
	} {
		r := answer(t, table, c.q)
		if got := cells(r); got != c.want || r.Used.Count != c.used {
			t.Errorf("%s\n got %s of %d\nwant %s of %d", form(c.q), got, r.Used.Count, c.want, c.used)
		}
	}
}

func TestAnAnswerSaysWhatItRestsOn(t *testing.T) {
	table := open(t, "매출.csv", sales)
	r := answer(t, table, tablequery.Query{Do: tablequery.Sum, Column: "수량", Where: where("지점", tablequery.Equals, "서울")})
	if r.Used.Range != "A2:F7" || r.Used.Count != 3 || len(r.Used.Rows) != 3 || r.Used.Rows[1].Number != 4 || r.Used.Rows[1].Cells[2] != "배" {
		t.Errorf("used: %+v", r.Used)
	}
	raw, err := json.Marshal(r.Left)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"합계 줄", "9행", "숫자가 아닌 칸", "D7 ‘미정’"} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s is not said: %s", want, raw)
		}
	}
	if r.Rows[0][0] != "17" {
		t.Errorf("%v", r.Rows)
	}
}

func TestMoneyIsExact(t *testing.T) {
	table := open(t, "m.csv", "what|amount|change\na|0.10|$1,234.56\nb|0.20|-$0.56\nc|0.30|($1,000.00)\nd|99999999999999.99|$5\n")
	for column, want := range map[string]string{"amount": "100000000000000.59", "change": "239.00"} {
		r := answer(t, table, tablequery.Query{Do: tablequery.Sum, Column: column})
		if r.Rows[0][0] != want || r.About {
			t.Errorf("%s: %v %v", column, r.Rows, r.About)
		}
	}
	if unit := answer(t, table, tablequery.Query{Do: tablequery.Max, Column: "change"}).Columns[0].Unit; unit != "$" {
		t.Errorf("unit %q", unit)
	}
}

func TestChartsWhereTheySayItBetter(t *testing.T) {
	table := open(t, "매출.csv", sales)
	for _, c := range []struct {
		q    tablequery.Query
		want string
	}{
		{tablequery.Query{Do: tablequery.Sum, Column: "금액", By: by("지점")}, "bar"},
		{tablequery.Query{Do: tablequery.Sum, Column: "금액", By: by("날짜", tablequery.Month)}, "line"},
		{tablequery.Query{Do: tablequery.Sum, Column: "금액", By: by("날짜", tablequery.Weekday)}, "bar"},
		{tablequery.Query{Do: tablequery.Rows, Sort: "금액", Top: 3}, "bar"},
		{tablequery.Query{Do: tablequery.Rows}, ""},
		{tablequery.Query{Do: tablequery.Sum, Column: "금액"}, ""},
		{tablequery.Query{Do: tablequery.Sum, Column: "금액", By: append(by("지점"), by("품목")...)}, ""},
	} {
		got := ""
		if r := answer(t, table, c.q); r.Chart != nil {
			got = r.Chart.Kind
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", form(c.q), got, c.want)
		}
	}
}

// A form is held to what the table has, whoever filled it in.
func TestAFormThatDoesNotFitIsRefused(t *testing.T) {
	table := open(t, "매출.csv", sales)
	for _, q := range []tablequery.Query{
		{Do: tablequery.Sum, Column: "이익"},
		{Do: tablequery.Sum, Column: "지점"},
		{Do: tablequery.Sum},
		{Do: tablequery.Distinct},
		{Do: tablequery.Count, By: by("지점", tablequery.Month)},
		{Do: tablequery.Count, Where: where("금액", tablequery.Above, "많이")},
		{Do: tablequery.Count, Where: where("날짜", tablequery.Below, "언젠가")},
		{Do: tablequery.Count, Where: where("지점", tablequery.Above, "3")},
		{Do: tablequery.Count, Sheet: "없는 시트"},
		{Do: tablequery.Count, Where: where("금액", tablequery.Between, "3")},
		{Do: tablequery.Average, Column: "날짜"},
		{Do: tablequery.Sum, Column: "금액", Also: also(tablequery.Average, "지점")},
		{Do: tablequery.Sum, Column: "금액", Also: also(tablequery.Rows, "")},
		{Do: tablequery.Rows, Also: also(tablequery.Sum, "금액")},
		{Do: tablequery.Sum, Column: `금액"; DROP TABLE t; --`},
	} {
		if r, err := table.Ask(t.Context(), q, "ko"); apperr.CodeOf(err) != apperr.TableUnclear {
			t.Errorf("%s: %v %v", form(q), r.Rows, err)
		}
	}
}

func TestWhatProgramsWrote(t *testing.T) {
	reader := extract.New(extract.Limits{}, "")
	for _, file := range []string{"sales.xlsx", "sales.ods", "sales-utf16.csv"} {
		dir := t.TempDir()
		table, err := tablequery.Open(t.Context(), file, tablequery.File(reader, filepath.Join("../library/extract/testdata", file)), dir)
		if err != nil {
			t.Fatal(err)
		}
		r := answer(t, table, tablequery.Query{Do: tablequery.Sum, Column: "매출"})
		if r.Rows[0][0] != "2222221.5" || r.Used.Count != 2 || !strings.HasSuffix(r.Used.Range, "A4:D5") {
			t.Errorf("%s: %v %+v", file, r.Rows, r.Used)
		}
		q, err := table.Read("지점이 부산인 매출 합계", nil, now)
		if err != nil {
			t.Fatal(err)
		}
		if r := answer(t, table, q); r.Rows[0][0] != "987654" {
			t.Errorf("%s: %v", file, r.Rows)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("files stay: %v %v", left, err)
		}
	}
}

func TestASheetIsNamed(t *testing.T) {
	table := open(t, "x.xlsx", "# 1월\n지점|매출\n서울|10\n부산|20\n# 2월\n지점|매출\n서울|30\n부산|40\n")
	for text, want := range map[string]string{"2월 시트에서 매출 합계": "70", "매출 합계": "30", "sheet 2월 매출 합계": "70"} {
		q, err := table.Read(text, nil, now)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if r := answer(t, table, q); r.Rows[0][0] != want {
			t.Errorf("%s: %v, want %s", text, r.Rows, want)
		}
	}
}
