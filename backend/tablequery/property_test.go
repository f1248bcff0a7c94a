package tablequery_test

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentchat/backend/library/extract"
	"agentchat/backend/tablequery"
)

// drawn is a table that a property draws: a word, a decimal and a day in each row; some decimals are missing or no numbers.
type drawn struct {
	name, amount, day string
}

func draw(t *rapid.T) []drawn {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) drawn {
		amount := rapid.SampledFrom([]string{"", "n/a", "x", "x", "x", "x", "x", "x"}).Draw(t, "kind")
		if amount == "x" {
			amount = fmt.Sprintf("%d.%02d", rapid.Int64Range(-1e12, 1e12).Draw(t, "whole"), rapid.IntRange(0, 99).Draw(t, "cents"))
		}
		return drawn{
			rapid.SampledFrom([]string{"north", "south", "east", "west", "서울", "부산"}).Draw(t, "name"), amount,
			fmt.Sprintf("2026-%02d-%02d", rapid.IntRange(1, 12).Draw(t, "month"), rapid.IntRange(1, 28).Draw(t, "day")),
		}
	}), 8, 60).Draw(t, "rows")
}

// tableOf is a drawn table with two sure numbers on top, so that its columns are what they are meant to be.
func tableOf(t *rapid.T, dir string, list []drawn) (*tablequery.Table, []drawn) {
	for range len(list) {
		list = append(list, drawn{"north", "1.25", "2026-01-01"})
	}
	table, err := tablequery.Open(context.Background(), "t.csv", func(_ context.Context, on func(extract.Row) error) error {
		if err := on(extract.Row{Sheet: 1, Number: 1, Cells: []extract.Cell{{Text: "name"}, {Text: "amount"}, {Text: "day"}}}); err != nil {
			return err
		}
		for i, r := range list {
			if err := on(extract.Row{Sheet: 1, Number: i + 2, Cells: []extract.Cell{{Text: r.name}, {Text: r.amount}, {Text: r.day}}}); err != nil {
				return err
			}
		}
		return nil
	}, dir)
	if err != nil {
		t.Fatal(err)
	}
	return table, list
}

// What SQLite computes is what is computed by hand, to the last digit.
func TestAnswersAreThoseOfANaiveComputation(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		table, list := tableOf(t, dir, draw(t))
		q := tablequery.Query{Do: rapid.SampledFrom([]tablequery.Do{tablequery.Sum, tablequery.Average, tablequery.Min, tablequery.Max, tablequery.Count}).Draw(t, "do"), Column: "amount"}
		for _, do := range rapid.SliceOfN(rapid.SampledFrom([]tablequery.Do{tablequery.Sum, tablequery.Average, tablequery.Min, tablequery.Max}), 0, 3).Draw(t, "also") {
			q.Also = append(q.Also, tablequery.Measure{Do: do, Column: "amount"})
		}
		keep := func(drawn) bool { return true }
		switch rapid.IntRange(0, 4).Draw(t, "filter") {
		case 1:
			q.Where = where("name", tablequery.Equals, "서울")
			keep = func(r drawn) bool { return r.name == "서울" }
		case 2:
			limit := rapid.Int64Range(-1e12, 1e12).Draw(t, "limit")
			q.Where = where("amount", tablequery.Above, fmt.Sprint(limit))
			keep = func(r drawn) bool { n := rat(r.amount); return n != nil && n.Cmp(new(big.Rat).SetInt64(limit)) > 0 }
		case 3:
			q.Where = where("day", tablequery.Between, "2026-03", "2026-06-15")
			keep = func(r drawn) bool { return r.day >= "2026-03-01" && r.day <= "2026-06-15" }
		case 4:
			q.Where = where("name", tablequery.Not, "north")
			keep = func(r drawn) bool { return r.name != "north" }
		}
		key := func(drawn) string { return "" }
		if rapid.Bool().Draw(t, "grouped") {
			q.By = by("name")
			key = func(r drawn) string { return r.name }
			if rapid.Bool().Draw(t, "by month") {
				q.By = by("day", tablequery.Month)
				key = func(r drawn) string { return r.day[:7] }
			}
		}
		groups, used := map[string][]*big.Rat{}, 0
		filled := map[string]int{}
		for _, r := range list {
			if !keep(r) {
				continue
			}
			used++
			n := rat(r.amount)
			groups[key(r)] = append(groups[key(r)], nil)
			if r.amount != "" {
				filled[key(r)]++
			}
			if n != nil {
				groups[key(r)] = append(groups[key(r)], n)
			}
		}
		if len(q.By) == 0 && used == 0 {
			groups[""] = nil
		}
		r, err := table.Ask(context.Background(), q, "en")
		if err != nil {
			t.Fatal(err)
		}
		if r.Used.Count != used || len(r.Rows) != len(groups) {
			t.Fatalf("%s: %d rows used, %d groups; want %d, %d", form(q), r.Used.Count, len(r.Rows), used, len(groups))
		}
		for _, row := range r.Rows {
			name := ""
			if len(q.By) > 0 {
				name = row[0]
			}
			numbers := slices.DeleteFunc(groups[name], func(n *big.Rat) bool { return n == nil })
			for i, m := range append([]tablequery.Measure{{Do: q.Do}}, q.Also...) {
				want := naive(m.Do, numbers)
				if m.Do == tablequery.Count {
					want = fmt.Sprint(filled[name])
				}
				if got := row[len(row)-1-len(q.Also)+i]; got != want {
					t.Fatalf("%s, %q, figure %d: %s, want %s", form(q), name, i, got, want)
				}
			}
		}
	})
}

func rat(s string) *big.Rat {
	n, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil
	}
	return n
}

func naive(do tablequery.Do, list []*big.Rat) string {
	if len(list) == 0 {
		return ""
	}
	sum, low, high := new(big.Rat), list[0], list[0]
	for _, n := range list {
		sum.Add(sum, n)
		if n.Cmp(low) < 0 {
			low = n
		}
		if n.Cmp(high) > 0 {
			high = n
		}
	}
	places := 2
	switch do {
	case tablequery.Average:
		sum.Quo(sum, new(big.Rat).SetInt64(int64(len(list))))
		places = 4
	case tablequery.Min:
		sum = low
	case tablequery.Max:
		sum = high
	default: // the sum itself
	}
	text := strings.TrimRight(sum.FloatString(places), "0")
	if text = strings.TrimRight(text, "."); text == "-0" {
		return "0"
	}
	return text
}

// Whatever somebody says, it is read or refused, and what was read can be asked.
func FuzzQuestions(f *testing.F) {
	for _, text := range []string{"지점별 금액 합계와 평균", "count and total 금액 too", "지점별 금액 합계", "금액이 만 원 이상인 줄", "상위 3개", "담당에 '이'가 들어간 줄", "2월부터 3월까지", "top 3 by 금액", "where B is 서울", "열 열 열", "가장", "별별별", "sheet sheet"} {
		f.Add(text, false)
		f.Add(text, true)
	}
	table := open(f, "매출.csv", sales)
	f.Fuzz(func(t *testing.T, text string, goesOn bool) {
		var before *tablequery.Query
		if goesOn {
			before = &tablequery.Query{Do: tablequery.Sum, Column: "금액(원)", By: by("지점")}
		}
		q, err := table.Read(text, before, now)
		if err != nil {
			return
		}
		if _, err := table.Ask(t.Context(), q, "ko"); err != nil {
			t.Errorf("%q was read as %s and refused: %v", text, form(q), err)
		}
	})
}

// Whatever stands in a closed form, it is answered or refused with a reason, and never breaks.
func FuzzForm(f *testing.F) {
	f.Add("sum", "금액", "지점", "month", "날짜", "between", "2026-01", "2026-02", "금액", "desc", 3)
	f.Add("rows", "E", "", "", "금액", "above", "1e9", "", "", "asc", -1)
	f.Add("distinct", "품목", "품목", "day", "지점", "contains", "'; DROP TABLE t", "x", "r", "", 0)
	table := open(f, "매출.csv", sales)
	f.Fuzz(func(t *testing.T, do, column, group, each, filter, is, value, to, sort, order string, top int) {
		q := tablequery.Query{Do: tablequery.Do(do), Column: column, Sort: sort, Order: order, Top: top}
		if group != "" {
			q.By = by(group, tablequery.Each(each))
		}
		if sort != "" {
			q.Also = []tablequery.Measure{{Do: tablequery.Do(each), Column: sort}, {Do: tablequery.Average, Column: filter}}
		}
		if filter != "" {
			q.Where = where(filter, tablequery.Is(is), value, to)
		}
		r, err := table.Ask(t.Context(), q, "en")
		if err == nil && r.Used.Count > 7 {
			t.Errorf("%s used %d rows", form(q), r.Used.Count)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "table_unclear") {
			t.Errorf("%s: %v", form(q), err)
		}
	})
}
