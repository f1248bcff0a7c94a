package tablequery_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"agentchat/backend/library/extract"
	"agentchat/backend/tablequery"
)

// rows is a table out of lines of cells with | between them. A line that begins with # begins a sheet.
func rows(text string) tablequery.Source {
	return func(_ context.Context, on func(extract.Row) error) error {
		r := extract.Row{Sheet: 1}
		for line := range strings.Lines(strings.TrimSpace(text)) {
			line = strings.TrimSuffix(line, "\n")
			if name, begins := strings.CutPrefix(line, "# "); begins {
				if r.Name != "" {
					r.Sheet++
				}
				r.Name, r.Number = name, 0
				continue
			}
			r.Number++
			r.Cells = r.Cells[:0]
			for c := range strings.SplitSeq(line, "|") {
				r.Cells = append(r.Cells, extract.Cell{Text: strings.TrimSpace(c)})
			}
			if err := on(r); err != nil {
				return err
			}
		}
		return nil
	}
}

const sales = `
날짜|지점|품목|수량|금액(원)|담당
2026-01-05|서울|사과|10|12,000|김하나
2026-01-17|부산|배|4|9,800|이두리
2026-02-03|서울|배|7|17,150|김하나
2026-02-11|대구|사과|3|3,600|박세찬
2026-02-28|부산|귤|20|10,000|이두리
2026-03-02|서울|귤|미정|5,500|최네오
2026-03-09|대전|사과|8|9,600|
합계||||67,650|
`

const orders = `
# Orders
Order date|Region|Product|Units|Unit price|Amount
2025-11-02|North|Desk lamp|3|19.90|59.70
2025-12-24|South|Chair|1|120.00|120.00
2026-01-10|North|Chair|2|120.00|240.00
2026-01-21|East|Desk lamp|5|19.90|99.50
2026-02-14|South|Shelf|1|75.25|75.25
`

func open(t testing.TB, name, text string) *tablequery.Table {
	t.Helper()
	table, err := tablequery.Open(t.Context(), name, rows(text), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return table
}

var now = time.Date(2026, 3, 20, 9, 0, 0, 0, time.UTC)
