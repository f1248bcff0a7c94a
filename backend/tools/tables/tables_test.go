package tables_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/extract"
	"agentchat/backend/tablequery"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/tables"
)

const orders = "Region|Product|Amount|Sold\nNorth|Chair|$240.20|2026-01-10\nSouth|Chair|$120.10|2025-12-24\nEast|Desk *lamp*|$99.50|2026-01-21\nEast|Shelf|free|2026-02-02\n"

// box is a toolbox with the tool alone, and one table.
func box(t *testing.T) (*toolbox.Box, func(args string, lang bilingual.Lang) (toolbox.Result, error)) {
	t.Helper()
	tool := tables.New(tables.Deps{Dir: t.TempDir(), Now: func() time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) }, Find: func(_ context.Context, _, name string) (tables.File, error) {
		if name != "orders.csv" {
			return tables.File{}, apperr.New(apperr.FileMissing, "path", name)
		}
		return tables.File{Name: name, Close: func() {}, From: func(_ context.Context, on func(extract.Row) error) error {
			number := 0
			for line := range strings.Lines(orders) {
				number++
				r := extract.Row{Sheet: 1, Number: number}
				for c := range strings.SplitSeq(strings.TrimSpace(line), "|") {
					r.Cells = append(r.Cells, extract.Cell{Text: c})
				}
				if err := on(r); err != nil {
					return err
				}
			}
			return nil
		}}, nil
	}})
	b, err := toolbox.New(event.NewBus(0, nil), toolbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Register(tool); err != nil {
		t.Fatal(err)
	}
	return b, func(args string, lang bilingual.Lang) (toolbox.Result, error) {
		valid, err := b.ValidateArgs(tables.Key, json.RawMessage(args))
		if err != nil {
			return toolbox.Result{}, err
		}
		r, err := tool.Run(t.Context(), toolbox.Call{Args: valid, Lang: lang})
		if err == nil {
			_, err = b.ValidateResult(tables.Key, r.Data)
		}
		return r, err
	}
}

func TestTheFormAndTheWordsMeanTheSame(t *testing.T) {
	_, run := box(t)
	for _, c := range []struct {
		form, ask string
		want      []string
	}{
		{`{"table":"orders.csv","do":"sum","column":"amount","by":[{"column":"region"}]}`, "total amount by region", []string{"sum of Amount by Region", "| North | $240.20 |", "Rows used: 4 (A2:D5)", "Left out: cells that are no numbers: 1 (C5 ‘free’)."}},
		{`{"table":"orders.csv","do":"average","column":"C","where":[{"column":"B","is":"is","value":"chair"}]}`, "average of column C where B is chair", []string{"**$180.15**", "Product = "}},
		{`{"table":"orders.csv","do":"count","where":[{"column":"Sold","is":"at_least","value":"2026"}]}`, "how many since 2026", []string{"**3**", "Sold ≥ 2026"}},
		{`{"table":"orders.csv","do":"rows","where":[{"column":"Amount","is":"below","value":"100"}]}`, "rows with amount under 100", []string{`Desk \*lamp\*`, "Rows of “orders.csv”: 1"}},
	} {
		formed, err := run(c.form, bilingual.EN)
		if err != nil {
			t.Errorf("%s: %v", c.form, err)
			continue
		}
		asked, err := run(`{"table":"orders.csv","ask":"`+c.ask+`"}`, bilingual.EN)
		if err != nil {
			t.Errorf("%s: %v", c.ask, err)
			continue
		}
		for _, want := range c.want {
			for _, r := range []toolbox.Result{formed, asked} {
				if !strings.Contains(r.Text, want) {
					t.Errorf("%s: no %q in\n%s", c.ask, want, r.Text)
				}
			}
		}
	}
}

func TestAQuestionGoesOnWithItsForm(t *testing.T) {
	_, run := box(t)
	r, err := run(`{"table":"orders.csv","do":"sum","column":"Amount","by":[{"column":"Region"}],"goes_on":true,"ask":"상위 1개"}`, bilingual.KO)
	if err != nil || !strings.Contains(r.Text, "Region별 Amount 합계") || !strings.Contains(r.Text, "| North | $240.20 |") || strings.Contains(r.Text, "South") {
		t.Errorf("%v\n%s", err, r.Text)
	}
	var kept tablequery.Result
	if err := json.Unmarshal(r.Data, &kept); err != nil || kept.Query.Top != 1 || kept.Columns[1].Unit != "$" || kept.Rows[0][1] != "240.20" {
		t.Errorf("%v %s", err, r.Data)
	}
}

func TestWhatAModelGetsWrongIsSaid(t *testing.T) {
	_, run := box(t)
	for args, code := range map[string]apperr.Code{
		`{"table":"orders.csv","do":"sum","column":"Profit"}`:                                         apperr.TableUnclear,
		`{"table":"orders.csv","do":"median","column":"Amount"}`:                                      apperr.InvalidArgs,
		`{"table":"orders.csv","do":"sum","column":"Amount","where":[{"column":"Sold","is":"like"}]}`: apperr.InvalidArgs,
		`{"table":"none.csv","do":"count"}`:                                                           apperr.FileMissing,
		`{"table":"orders.csv","ask":"total profit"}`:                                                 apperr.TableUnclear,
	} {
		if r, err := run(args, bilingual.EN); apperr.CodeOf(err) != code {
			t.Errorf("%s: %v, want %s\n%s", args, err, code, r.Text)
		}
	}
}

func TestTheManual(t *testing.T) {
	b, _ := box(t)
	spec, err := b.Spec(tables.Key)
	if err != nil || spec.Effect != toolbox.EffectRead || spec.Confirm != toolbox.ConfirmNever || !spec.Untrusted {
		t.Fatalf("%+v %v", spec, err)
	}
	korean, english := 0, 0
	for _, e := range spec.Examples {
		args, err := json.Marshal(e.Args)
		if err == nil {
			_, err = b.ValidateArgs(tables.Key, args)
		}
		if err != nil {
			t.Errorf("%s: %v", e.Text, err)
		}
		if strings.ContainsFunc(e.Text, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) {
			korean++
		} else {
			english++
		}
	}
	if korean < 8 || english < 8 {
		t.Errorf("%d Korean and %d English examples", korean, english)
	}
	for key := range spec.Names() {
		if name := spec.Names()[key].Name; name.KO == "" || name.EN == "" {
			t.Errorf("%s has no name in a language", key)
		}
	}
}
