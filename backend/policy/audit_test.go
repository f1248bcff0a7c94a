package policy_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/policy"
)

// No cell of an exported sheet begins like a formula, and every entry is read again as it was.
func TestExport(t *testing.T) {
	list := []policy.Entry{
		{N: 2, ID: "b", Tool: "=cmd|'/c calc'!A1", Args: json.RawMessage(`{"a":"<b>\n"}`), Question: "+1", Result: "-1", Basis: "@SUM(A1)", Outcome: policy.AuditDone},
		{N: 1, ID: "a", Tool: "\tx", Args: json.RawMessage(`{}`), Question: " =1", Result: "＝1", Preview: &event.AskPreview{Text: "plain, \"quoted\"", Diff: "-old\n+new"}, Origins: []event.Origin{{Arg: "path", Text: "made up"}}},
	}
	for _, format := range []policy.Format{policy.JSONL, policy.CSV} {
		var out bytes.Buffer
		w := policy.NewWriter(format, &out)
		for _, e := range list {
			if err := w.Write(e); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if format == policy.JSONL {
			for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
				var e policy.Entry
				if err := json.Unmarshal([]byte(line), &e); err != nil || e.ID != list[i].ID || e.Question != list[i].Question {
					t.Errorf("%s: %v", line, err)
				}
			}
			continue
		}
		rows, err := csv.NewReader(&out).ReadAll()
		if err != nil || len(rows) != 3 {
			t.Fatalf("%v, %v", rows, err)
		}
		for _, row := range rows {
			for _, cell := range row {
				if strings.IndexAny(strings.TrimLeft(cell, " "), "=+-@\t＝") == 0 {
					t.Errorf("%q looks like a formula", cell)
				}
			}
		}
	}
	if policy.NewWriter("xlsx", nil) != nil {
		t.Error("an unknown format is written")
	}
}
