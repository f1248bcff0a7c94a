package tables

import (
	"fmt"
	"strings"

	"agentchat/backend/brief"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/tablequery"
)

// mostSaid is how many rows of an answer are said; the window shows them all.
const mostSaid = 20

// Words says an answer: the figure or the rows, which rows it rests on, and what was left out.
func Words(r tablequery.Result, lang bilingual.Lang) string {
	var b strings.Builder
	name := "‘" + r.Table + "’"
	if lang == bilingual.EN {
		name = "“" + r.Table + "”"
	}
	switch {
	case r.Query.Do == tablequery.Columns:
		b.WriteString(bilingual.Say(lang, "%s에는 %d줄이 있고, 열은 이래요.", "%s has %d rows and these columns.", name, r.Used.Count) + "\n\n" + grid(r, lang))
	case r.Used.Count == 0:
		b.WriteString(bilingual.Say(lang, "%s에 조건에 맞는 줄이 없어요%s.", "Nothing in %s meets the conditions%s.", name, conditions(r, lang)))
	case len(r.Rows) == 1 && len(r.Columns) == 1 && r.Rows[0][0] == "":
		b.WriteString(bilingual.Say(lang, "%s에 셈할 수 있는 칸이 없어요%s.", "Nothing in %s can be computed%s.", name, conditions(r, lang)))
	case len(r.Rows) == 1 && len(r.Columns) == 1:
		c := r.Columns[0]
		b.WriteString(bilingual.Say(lang, "%s의 %s%s: **%s**", "%s, %s%s: **%s**", name, lowered(c.Name, lang), conditions(r, lang), about(c, Shown(c, r.Rows[0][0]), lang)))
	case len(r.Rows) == 1 && len(r.Columns) == 1+len(r.Query.Also) && len(r.Query.By) == 0:
		var all []string
		for i, c := range r.Columns {
			all = append(all, lowered(c.Name, lang)+": **"+about(c, figure(c, r.Rows[0][i], lang), lang)+"**")
		}
		b.WriteString(bilingual.Say(lang, "%s의 %s%s", "%s, %s%s", name, strings.Join(all, ", "), conditions(r, lang)))
	case r.Query.Do == tablequery.Rows:
		b.WriteString(bilingual.Say(lang, "%s에서 찾은 줄 %d개%s", "Rows of %[1]s: %[2]d%[3]s", name, len(r.Rows)+r.More, conditions(r, lang)) + "\n\n" + grid(r, lang))
	default:
		b.WriteString(bilingual.Say(lang, "%s의 %s%s", "%s, %s%s", name, grouped(r, lang), conditions(r, lang)) + "\n\n" + grid(r, lang))
	}
	return strings.TrimRight(b.String(), "\n") + notes(r, lang)
}

// grouped names what was computed of what: 지점별 매출 합계, sum of sales by branch.
func grouped(r tablequery.Result, lang bilingual.Lang) string {
	var by, figures []string
	keys := len(r.Columns) - 1 - len(r.Query.Also)
	for i, c := range r.Columns {
		switch {
		case i >= keys:
			figures = append(figures, lowered(c.Name, lang))
		case i < len(r.Query.By):
			by = append(by, r.Query.By[i].Called(lang))
		default:
			by = append(by, c.Name)
		}
	}
	if lang == bilingual.EN {
		return strings.Join(figures, ", ") + " by " + strings.Join(by, " and ")
	}
	return strings.Join(by, "별 ") + "별 " + strings.Join(figures, ", ")
}

// figure writes a figure of several, or says that there is none.
func figure(c tablequery.ResultColumn, v string, lang bilingual.Lang) string {
	if v == "" {
		return bilingual.Say(lang, "없음", "none")
	}
	return Shown(c, v)
}

func lowered(name string, lang bilingual.Lang) string {
	if lang == bilingual.EN && name != "" {
		return strings.ToLower(name[:1]) + name[1:]
	}
	return name
}

func about(c tablequery.ResultColumn, figure string, lang bilingual.Lang) string {
	if !c.About {
		return figure
	}
	return bilingual.Say(lang, "약 ", "about ") + figure
}

// isWords say a comparison of a column with values.
var isWords = map[tablequery.Is]bilingual.Text{
	tablequery.Equals: {KO: "%[1]s = %[2]s", EN: "%[1]s = %[2]s"}, tablequery.Not: {KO: "%[1]s ≠ %[2]s", EN: "%[1]s ≠ %[2]s"},
	tablequery.Contains: {KO: "%[1]s에 ‘%[2]s’ 포함", EN: "%[1]s contains “%[2]s”"}, tablequery.Above: {KO: "%[1]s > %[2]s", EN: "%[1]s > %[2]s"},
	tablequery.AtLeast: {KO: "%[1]s ≥ %[2]s", EN: "%[1]s ≥ %[2]s"}, tablequery.Below: {KO: "%[1]s < %[2]s", EN: "%[1]s < %[2]s"},
	tablequery.AtMost: {KO: "%[1]s ≤ %[2]s", EN: "%[1]s ≤ %[2]s"}, tablequery.Between: {KO: "%[1]s %[2]s~%[3]s", EN: "%[1]s %[2]s–%[3]s"},
	tablequery.Empty: {KO: "%[1]s 빈 칸", EN: "%[1]s empty"}, tablequery.Filled: {KO: "%[1]s 빈 칸 아님", EN: "%[1]s not empty"},
}

// conditions say which rows counted, in brackets; "" where all did.
func conditions(r tablequery.Result, lang bilingual.Lang) string {
	var list []string
	for _, f := range r.Query.Where {
		list = append(list, fmt.Sprintf(isWords[f.Is].In(lang), f.Column, value(f.Value), value(f.To)))
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// value writes what a filter compares with: a number with commas.
func value(v string) string {
	for i := range len(v) {
		if (v[i] < '0' || v[i] > '9') && v[i] != '.' && v[i] != '-' || len(v) == 4 || strings.Count(v, "-") > 1 || i > 0 && v[i] == '-' {
			return v
		}
	}
	return commas(v)
}

// Shown writes a value as people read it: a number with commas and what it counts.
func Shown(c tablequery.ResultColumn, v string) string {
	if c.Kind != tablequery.Number || v == "" || (v[0] < '0' || v[0] > '9') && v[0] != '-' {
		return v
	}
	switch c.Unit {
	case "₩", "￦", "$", "€", "£", "¥":
		if rest, minus := strings.CutPrefix(v, "-"); minus {
			return "-" + c.Unit + commas(rest)
		}
		return c.Unit + commas(v)
	case "", "%", "원":
		return commas(v) + c.Unit
	}
	return commas(v) + " " + c.Unit
}

func commas(v string) string {
	minus := ""
	if strings.HasPrefix(v, "-") {
		minus, v = "-", v[1:]
	}
	whole, rest, has := strings.Cut(v, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if has {
		rest = "." + rest
	}
	return minus + whole + rest
}

// grid writes the first rows of an answer as a table.
func grid(r tablequery.Result, lang bilingual.Lang) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	var heads, rules []string
	for _, c := range r.Columns {
		heads = append(heads, escaped(c.Name))
		if c.Kind == tablequery.Number {
			rules = append(rules, "---:")
		} else {
			rules = append(rules, "---")
		}
	}
	line(heads)
	line(rules)
	for _, row := range r.Rows[:min(len(r.Rows), mostSaid)] {
		var cells []string
		for i, v := range row {
			shown := Shown(r.Columns[i], v)
			if shown == v { // it may be anybody's words
				shown = escaped(v)
			}
			cells = append(cells, shown)
		}
		line(cells)
	}
	if more := len(r.Rows) - mostSaid; more+r.More > 0 {
		b.WriteString("\n" + bilingual.Say(lang, "… %d줄 더 있어요.", "… and %d more.", max(more, 0)+r.More) + "\n")
	}
	return b.String()
}

// escaped is a cell in which nothing is markup: a table holds other people's words.
func escaped(v string) string {
	v = brief.Fit(strings.Join(strings.Fields(v), " "), 80)
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "<", "&lt;", "&", "&amp;", "~", `\~`, "$", `\$`).Replace(v)
}

// notes say which rows an answer rests on and what it leaves out.
func notes(r tablequery.Result, lang bilingual.Lang) string {
	var parts []string
	if r.Used.Count > 0 && r.Query.Do != tablequery.Columns {
		parts = append(parts, bilingual.Say(lang, "%d줄을 썼어요 (%s).", "Rows used: %d (%s).", r.Used.Count, escaped(r.Used.Range)))
	}
	var left []string
	for _, l := range r.Left {
		text := bilingual.Say(lang, "%s %d개", "%s: %d", l.Why.In(lang), l.Count)
		if len(l.Cells) > 0 {
			cells := strings.Join(l.Cells, ", ")
			if l.Count > len(l.Cells) {
				cells += ", …"
			}
			text += " (" + escaped(cells) + ")"
		}
		left = append(left, text)
	}
	if len(left) > 0 {
		parts = append(parts, bilingual.Say(lang, "뺀 것: ", "Left out: ")+strings.Join(left, ", ")+".")
	}
	if len(parts) == 0 {
		return ""
	}
	return "\n\n" + strings.Join(parts, " ")
}
