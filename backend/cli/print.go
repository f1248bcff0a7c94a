package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"agentchat/backend/brief"
)

// object is a line of a command's own with --json, in the form of the protocol.
func object(kind string, data any) any {
	return struct {
		Kind string `json:"kind"`
		Data any    `json:"data"`
	}{kind, data}
}

// print writes one line of JSON.
func (r *run) print(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		return // what is printed came as JSON
	}
	_, _ = fmt.Fprintf(r.Out, "%s\n", data)
}

// table writes rows with columns below each other. Wide letters take two places.
func (r *run) table(rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-width(cell)+2))
			}
		}
		_, _ = fmt.Fprintln(r.Out, strings.TrimRight(b.String(), " "))
	}
}

// width is how many places a text takes in a terminal, near enough for a table.
func width(s string) int {
	n := utf8.RuneCountInString(s)
	for _, c := range s {
		if c >= 0x1100 && c <= 0x115f || c >= 0x2e80 && c <= 0xd7a3 || c >= 0xf900 && c <= 0xfaff || c >= 0xff00 && c <= 0xff60 || c >= 0x1f300 {
			n++
		}
	}
	return n
}

// cell is a text on one line of a table.
func cell(s string, most int) string {
	return brief.Fit(strings.Join(strings.Fields(plain(s)), " "), most)
}
