package extract_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/korean"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/extract"
	"agentchat/backend/library/structure"
)

var full = flag.Bool("extract.full", false, "let every bomb go off, and read the largest files")

// says tells whether a file was refused for a reason.
func says(err error, why string) bool {
	return apperr.CodeOf(err) == apperr.DocumentRefused && strings.Contains(apperr.From(err).Text(bilingual.EN), why)
}

// What real programs wrote (testdata/make.sh) is read as they show it, with the places that sources name.
func TestFilesOfRealPrograms(t *testing.T) {
	x := extract.New(extract.Limits{}, "")
	sheets := []string{"매출\n[1] 2026년 지점별 매출\n[3] 지점 | 매출 | 날짜 | 확정\n[4] 지점: 서울 | 매출: 1234567.5 | 날짜: 2026-03-02", "메모\n[41] =HYPERLINK(\"http://example.com\")\n"}
	places := []structure.Mark{{Page: 0, Line: 1, Title: "매출!A1:D6"}, {Page: 1, Line: 1, Title: "메모!A41:D41"}}
	slides, titles := []string{"상반기 계획\n새 가게 열기\n\n천천히 말하기", "예산\n임대료 \t300만원"}, []structure.Mark{{Title: "상반기 계획"}, {Page: 1, Title: "예산"}}
	lease := []string{"제1조(목적)", "이 계약은 건물을 빌리는 것을 정한다.", "보증금", "5,000만원", "제2조(기간)"}
	for name, want := range map[string]struct {
		title string
		pages []string
		marks []structure.Mark
	}{
		"sales.xlsx":       {"지점 매출", sheets, places},
		"sales.ods":        {"지점 매출", sheets, places},
		"sales-utf16.csv":  {"", []string{strings.TrimPrefix(sheets[0], "매출\n")}, []structure.Mark{{Title: "A1:D6"}}},
		"plan.pptx":        {"상반기 계획", slides, titles},
		"plan.odp":         {"상반기 계획", slides, titles},
		"lease.odt":        {"임대차 계약서", []string{strings.Join(lease[:2], "\n") + " (상가를 포함한다.) \n" + lease[2] + " \t" + lease[3] + " \n" + lease[4]}, nil},
		"lease.docx":       {"임대차 계약서", []string{strings.Join(lease[:2], "\n") + " (상가를 포함한다.)\n" + lease[2] + " \t" + lease[3], lease[4]}, nil},
		"lease.rtf":        {"임대차 계약서", []string{strings.Join(lease[:2], "\n") + " (\t상가를 포함한다.)\n" + lease[2] + "\t" + lease[3], lease[4]}, nil},
		"hancom-text.hwp":  {"", []string{"첫 문단...\n이것은 원본 HWP 파일의 내용입니다. \n\nABC \t123"}, nil},
		"hancom-table.hwp": {"", []string{"\n0,0 \t0,1 \t0,2 \t0,3 \t0,4 \t0,5 \t0,6 \n1,0 \t1,1"}, nil},
		"lease.epub":       {"임대차 계약서", []string{lease[0] + "\n\n" + lease[1], lease[4]}, nil},
	} {
		got, err := x.Read(t.Context(), filepath.Join("testdata", name))
		if err != nil || got.Title != want.title || len(got.Pages) != len(want.pages) || !slices.Equal(got.Marks, want.marks) || len(got.Gaps) > 0 {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		for i, page := range want.pages {
			if !strings.HasPrefix(got.Pages[i], page) {
				t.Errorf("%s, %d: %q", name, i+1, got.Pages[i])
			}
		}
	}
}

// tableOf reads a table as it is handed to whoever reckons with it.
func tableOf(t *testing.T, path string) (list []string) {
	t.Helper()
	err := extract.New(extract.Limits{}, "").Rows(t.Context(), path, func(r extract.Row) error {
		line := fmt.Sprintf("%d %s %d", r.Sheet, r.Name, r.Number)
		for _, c := range r.Cells {
			line += fmt.Sprintf(" %d:%s", c.Kind, c.Text)
		}
		list = append(list, line)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return list
}

// A table keeps its sheets, its rows' numbers and what its cells are; of a formula there is only what it came to.
func TestTablesAreTables(t *testing.T) {
	for _, name := range []string{"sales.xlsx", "sales.ods"} {
		got := tableOf(t, filepath.Join("testdata", name))
		want := []string{"1 매출 1 0:2026년 지점별 매출", "1 매출 3 0:지점 0:매출 0:날짜 0:확정", "1 매출 4 0:서울 1:1234567.5 2:2026-03-02 1:1", "1 매출 5 0:부산 1:987654 2:2026-03-03", "1 매출 6 0:합계 1:2222221.5", `2 메모 41 0: 0: 0: 0:=HYPERLINK("http://example.com")`}
		got = slices.DeleteFunc(got, func(l string) bool { return regexp.MustCompile(`^\d+ \S+ \d+$`).MatchString(l) }) // empty rows
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s", name, strings.Join(got, "\n"))
		}
	}
	styles := `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="yyyy&quot;년&quot; m"/><numFmt numFmtId="201" formatCode="[Red]#,##0&quot;days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/><xf numFmtId="201"/><xf numFmtId="20"/></cellXfs></styleSheet>`
	made := book(t, `<row r="7"><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c s="1"><v>46083.5</v></c><c s="2"><v>0.30000000000000004</v></c><c s="3"><v>0.25</v></c><c t="str"><f>1+1</f><v>two</v></c><c t="inlineStr"><is><t>in</t></is></c><c t="s"><v>9</v></c><c s="1"><v>59</v></c></row>`, "xl/styles.xml", styles)
	if got := tableOf(t, put(t, "made.xlsx", made)); !slices.Equal(got, []string{"1 a 7 3:TRUE 0:#N/A 2:2026-03-02 12:00:00 1:0.3 2:06:00:00 0:two 0:in 0: 2:1900-02-28"}) {
		t.Errorf("%q", got)
	}
	own := errors.New("enough")
	if err := extract.New(extract.Limits{}, "").Rows(t.Context(), "testdata/sales.ods", func(extract.Row) error { return own }); !errors.Is(err, own) {
		t.Error(err)
	}
	if err := extract.New(extract.Limits{}, "").Rows(t.Context(), "testdata/plan.odp", nil); err == nil {
		t.Error("slides are no table")
	}
}

// Separated values are read whatever separates them and however they are encoded.
func TestDialects(t *testing.T) {
	plain := "지점,매출\n서울,\"1,200\"\n부산,=SUM(A1)\n"
	old, err := korean.EUCKR.NewEncoder().String(plain)
	if err != nil {
		t.Fatal(err)
	}
	want := "1  1 0:지점 0:매출|1  2 0:서울 1:1,200|1  3 0:부산 0:=SUM(A1)"
	wide := func(s string, big bool) string {
		var b bytes.Buffer
		for _, r := range s {
			if big {
				b.Write([]byte{byte(r >> 8), byte(r)})
			} else {
				b.Write([]byte{byte(r), byte(r >> 8)})
			}
		}
		return b.String()
	}
	late := strings.Repeat("a,1\n", 40000) + "가,2\n"
	lateOld, err := korean.EUCKR.NewEncoder().String(late)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"a.csv": plain, "bom.csv": "\ufeff" + plain, "old.csv": old, "crlf.csv": strings.ReplaceAll(plain, "\n", "\r\n"), "wide.csv": "\xff\xfe" + wide(plain, false), "big.csv": "\xfe\xff" + wide(plain, true), "bare.csv": wide(plain, false),
		"semi.csv": strings.NewReplacer(`"1,200"`, "1,200", ",매", ";매", "울,", "울;", "산,", "산;").Replace(plain), "tab.csv": strings.NewReplacer(`"1,200"`, "1,200", ",매", "\t매", "울,", "울\t", "산,", "산\t").Replace(plain),
		"tab.tsv": strings.NewReplacer(`"1,200"`, "1,200", ",매", "\t매", "울,", "울\t", "산,", "산\t").Replace(plain), "pipe.csv": strings.NewReplacer(`"1,200"`, "1,200", ",매", "|매", "울,", "울|", "산,", "산|").Replace(plain),
	} {
		if got := strings.Join(tableOf(t, put(t, name, []byte(data))), "|"); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := tableOf(t, put(t, "says.csv", []byte("sep=;\na,b;c\n"))); !slices.Equal(got, []string{"1  2 0:a,b 0:c"}) {
		t.Errorf("%q", got)
	}
	for name, data := range map[string]string{"late.csv": late, "lateOld.csv": lateOld} { // the first letter that tells the encoding comes late
		if got := tableOf(t, put(t, name, []byte(data))); got[len(got)-1] != "1  40001 0:가 1:2" {
			t.Errorf("%s: %s", name, got[len(got)-1])
		}
	}
	if got := tableOf(t, put(t, "names.csv", []byte("전화,007,1e5,-3.5%,12원\n"))); got[0] != "1  1 0:전화 0:007 1:1e5 1:-3.5% 0:12원" {
		t.Errorf("%q", got)
	}
}

// A table of 200 MB (20 without -extract.full) passes by in a few MB of memory, and is too much text for the library.
func TestALargeTableStreams(t *testing.T) {
	size := 20 << 20
	if *full {
		size = 200 << 20
	}
	row := "서울지점,2026-03-02,1234567,아주 평범한 비고가 여기에 적혀 있어요\n"
	path := filepath.Join(t.TempDir(), "large.csv")
	f, err := os.Create(path)
	for n := 0; err == nil && n+len(row)*1000 < size; n += len(row) * 1000 {
		_, err = f.WriteString(strings.Repeat(row, 1000))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	rows, peak := 0, uint64(0)
	x := extract.New(extract.Limits{}, "")
	err = x.Rows(t.Context(), path, func(r extract.Row) error {
		if rows++; rows%50000 == 0 {
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc-min(before.HeapAlloc, now.HeapAlloc))
		}
		if len(r.Cells) != 4 || r.Number != rows {
			return fmt.Errorf("row %d: %v", r.Number, r.Cells)
		}
		return nil
	})
	if err != nil || rows != (size-1)/(len(row)*1000)*1000 || peak > 32<<20 {
		t.Errorf("%d rows, %d MB, %v", rows, peak>>20, err)
	}
	if _, err := extract.New(extract.Limits{TextBytes: 4 << 20}, "").Read(t.Context(), path); !says(err, "too much text") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := x.Rows(ctx, path, func(extract.Row) error { return nil }); err == nil {
		t.Error("read after its context ended")
	}
}

// A long table's list of contents stays one.
func TestALongTableHasFewMarks(t *testing.T) {
	var b strings.Builder
	for n := range 30000 {
		fmt.Fprintf(&b, "이름 %d,값이 여기에 있고 조금 길어요 %d\n", n, n)
	}
	got, err := extract.New(extract.Limits{}, "").Read(t.Context(), put(t, "long.csv", []byte(b.String())))
	if err != nil || len(got.Marks) < 100 || len(got.Marks) > 400 {
		t.Fatalf("%d marks, %v", len(got.Marks), err)
	}
	next := 1
	for _, m := range got.Marks {
		var from, to int
		if _, err := fmt.Sscanf(m.Title, "A%d:B%d", &from, &to); err != nil || from != next || to < from {
			t.Fatalf("%+v after row %d: %v", m, next-1, err)
		}
		next = to + 1
	}
	if next != 30001 {
		t.Errorf("it ends at row %d", next-1)
	}
}

// The desktop file names every kind of file that can be read, and no other.
func TestTheDesktopFileNamesWhatIsRead(t *testing.T) {
	text, err := os.ReadFile("../../../build/linux/agentchat.desktop")
	if err != nil {
		t.Fatal(err)
	}
	var want string
	for _, f := range extract.Formats() {
		want += strings.Join(f.MIME, ";") + ";"
	}
	if !strings.Contains(string(text), "\nMimeType="+want+"\n") {
		t.Errorf("MimeType=%s", want)
	}
	if p := extract.Patterns(); !strings.HasPrefix(p, "*.pdf;*.docx;") || strings.Count(p, "*.") != strings.Count(p, ";")+1 {
		t.Error(p)
	}
}
