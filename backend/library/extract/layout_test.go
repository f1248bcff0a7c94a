package extract_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"agentchat/backend/library/extract"
	"agentchat/backend/testing/readertest"
)

// Pages of many layouts are read so that what belongs together stays together: the price beside its goods, a column before the next. At
// most so many of a hundred letters are wrong (white space aside), and every line stands as it is said here.
func TestLayoutsAreRead(t *testing.T) {
	tesseract(t)
	bought := []string{"8,500", "15,900", "가위 3,200", "2,400", "합계 금액 42,000", "부가세 3,818"}
	whole := "행복 문구점 복사 용지 A4 12,000 볼펜 세트 8,500 USB 메모리 32GB 15,900 가위 3,200 딱풀 3개입 2,400 합계 금액 42,000 부가세 3,818"
	extract.PageTime(t, 20*time.Minute) // how well it is read is asked here, on whatever machine
	x := extract.New(extract.Limits{}, readertest.Dir())
	t.Cleanup(func() { _ = x.Close() })
	for _, c := range []struct {
		name  string
		wrong float64 // of a hundred letters
		whole string
		lines []string
	}{
		{"receipt", 5, whole, bought},
		{"receipt-faint", 5, whole, bought},
		{"receipt-photo", 15, whole, bought}, // held sideways, slanted by 7 degrees, in the shadow of a lamp
		{"receipt-short", 8, "행복 문구점 복사 용지 12,000 볼펜 세트 8,500 합계 금액 20,500", []string{"복사 용지 12,000", "볼펜 세트 8,500", "합계 금액 20,500"}}, // a small sheet on a dark table
		{
			"receipt-three", 12, "CAFE 봄날 품목 수량 금액 아메리카노 2 9,000 카페라떼 1 5,000 Earl Grey Tea 3 16,500 합계 30,500 받은 돈 50,000 거스름돈 19,500",
			[]string{"아메리카노 2 9,000", "카페라떼 1 5,000", "Earl Grey Tea 3 16,500", "합계 30,500"},
		},
		{"columns-ko", 8, "임대차 계약의 개요 이 계약은 임대인과 임차인 사이의 권리와 의무를 정함을 목적으로 한다. 임차인은 건물을 주거의 목적으로만 사용하여야 하며 임대인의 동의 없이 구조를 변경할 수 없다. 차임은 매월 말일에 지급한다. " +
			"보증금은 계약이 끝난 날부터 열흘 안에 돌려준다. 수선에 드는 비용은 임대인이 부담하되 임차인의 잘못으로 생긴 것은 임차인이 부담한다. 분쟁은 건물이 있는 곳의 법원에서 다룬다.", nil},
		{"columns-en", 3, "The quarterly report shows that sales in the northern region grew by twelve percent while costs remained flat. Management attributes this to the new warehouse, which opened in March, and to shorter routes. " +
			"In the south the picture is mixed. Two branches closed for repairs and lost about six weeks of trade. Staff were paid in full during that time. The board expects both of them to recover before winter.", nil},
		{
			"quotation", 8, "견적서 Quotation 수신: 한빛상사 김민수 님 / Project: Office Move 2026 항목 Qty 단가 Amount 책상 Desk 4 180,000 720,000 의자 Chair 8 95,000 760,000 모니터 Monitor 4 250,000 1,000,000 Total 2,480,000원 (VAT 별도). 납기는 계약 후 2주입니다.",
			[]string{"책상 Desk 4 180,000 720,000", "의자 Chair 8 95,000 760,000", "모니터 Monitor 4 250,000 1,000,000"},
		},
		{
			"bill-small", 8, "3월 전기요금 청구서 기본요금 1,260원 전력량요금 24,850원 기후환경요금 1,800원 부가가치세 2,791원 청구금액 30,701원 납기일은 4월 25일이며 기한이 지나면 연체료가 붙습니다.",
			[]string{"기본요금 1,260원", "청구금액 30,701원"},
		},
	} {
		began := time.Now()
		got, err := x.Read(t.Context(), filepath.Join("testdata", "layout", c.name+".jpg"))
		if err != nil || len(got.Gaps) > 0 {
			t.Errorf("%s: %+v, %v", c.name, got, err)
			continue
		}
		text := got.Pages[0]
		wrong := 100 * float64(distance(bare(text), bare(c.whole))) / float64(len(bare(c.whole)))
		t.Logf("%s: %.1f %% wrong in %v", c.name, wrong, time.Since(began).Round(100*time.Millisecond))
		if wrong > c.wrong {
			t.Errorf("%s: %.1f %% wrong:\n%s", c.name, wrong, text)
		}
		plain := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }), " ")
		for _, line := range c.lines {
			if !strings.Contains(plain, line) {
				t.Errorf("%s: %q is not in\n%s", c.name, line, text)
			}
		}
	}
}

// What was made out before the time was up is given, and it is said that the rest is missing. A machine that makes nothing out in that time is
// given more.
func TestATimeThatRunsOutIsSaid(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	// The first part of a page is read, at the second it hangs.
	script := fmt.Sprintf(`#!/bin/sh
[ "$1" = --list-langs ] && { echo kor; echo eng; exit 0; }
cat >/dev/null
[ -e %[1]s/first ] && exec sleep 600
: > %[1]s/first
printf 'made out\n' > page.txt
printf '5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t96\tmade\n5\t1\t1\t1\t1\t2\t9\t0\t9\t9\t96\tout\n' > page.tsv
`, dir)
	if err := os.WriteFile(dir+"/tesseract", []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	x := extract.New(extract.Limits{}, readertest.Dir())
	t.Cleanup(func() { _ = x.Close() })
	for within := 3 * time.Second; within < 2*time.Minute; within *= 3 {
		_ = os.Remove(dir + "/first")
		extract.PageTime(t, within)
		got, err := x.Read(t.Context(), filepath.Join("testdata", "layout", "columns-en.jpg"))
		if says(err, "making out its text takes too long") {
			t.Logf("nothing was made out in %v", within)
			continue
		}
		if err != nil || !strings.Contains(got.Pages[0], "made out") || len(got.Gaps) != 1 || !strings.Contains(extract.Unread(got).EN, "ran out") {
			t.Errorf("%+v, %v", got, err)
		}
		return
	}
	t.Error("what was made out is not given")
}

func bare(text string) []rune {
	return []rune(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text))
}

// distance is how many letters must change to make one text of another.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before := row[0]
		row[0] = i + 1
		for j := range b {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, change)
		}
	}
	return row[len(b)]
}
