package tablequery

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/library/extract"
)

// mostDigits is how many digits a number may have to be computed exactly, those after the point as well.
const mostDigits = 18

// number is a decimal: units / 10^scale. One with more digits than fit is wide: only near is known.
type number struct {
	units int64
	scale int
	wide  bool
	near  float64
}

// clean is what a cell says, as it is compared and shown.
func clean(text string) string {
	text = strings.TrimSpace(text)
	if !norm.NFC.IsNormalString(text) {
		text = norm.NFC.String(text)
	}
	return text
}

// units that stand at a number, which it is one without. Of a column with several, only the most frequent counts.
var suffixes = []string{"원", "%", "달러", "유로", "엔", "개", "명", "건", "점", "회", "권", "대", "kg", "km"}

var prefixes = []string{"₩", "￦", "$", "€", "£", "¥"}

// readNumber reads a number as people type it into a cell: 1,234.50, -5, (1,200), ₩3,000, 12%, 1.5e3. ok is false for all else, such as
// the figures of a name (01012345678) or a comma in the wrong place.
func readNumber(text string) (n number, unit string, ok bool) {
	if text == "" || len(text) > 60 {
		return n, "", false
	}
	minus := false
	if text[0] == '(' && text[len(text)-1] == ')' {
		minus, text = true, strings.TrimSpace(text[1:len(text)-1])
	}
	text, minus = signed(text, minus)
	if text == "" {
		return n, "", false
	}
	if c := text[0]; (c < '0' || c > '9') && c != '.' {
		for _, p := range prefixes {
			if rest, has := strings.CutPrefix(text, p); has {
				unit = p
				text, minus = signed(strings.TrimSpace(rest), minus)
				break
			}
		}
		if unit == "" {
			return n, "", false
		}
	}
	if text == "" {
		return n, "", false
	}
	if c := text[len(text)-1]; (c < '0' || c > '9') && c != '.' {
		for _, s := range suffixes {
			if rest, has := strings.CutSuffix(text, s); has && unit == "" {
				unit, text = s, strings.TrimSpace(rest)
				break
			}
		}
	}
	n, ok = decimal(text)
	if minus {
		n.units, n.near = -n.units, -n.near
	}
	return n, unit, ok
}

func signed(text string, minus bool) (string, bool) {
	switch {
	case strings.HasPrefix(text, "-"):
		return text[1:], !minus
	case strings.HasPrefix(text, "−"):
		return text[len("−"):], !minus
	case strings.HasPrefix(text, "+"):
		return text[1:], minus
	}
	return text, minus
}

// decimal reads digits with a point and commas between thousands.
func decimal(text string) (n number, ok bool) {
	digits, point, comma, lead := 0, -1, -1, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			if digits == 1 && lead == 1 && text[0] == '0' && point < 0 {
				return n, false // 0123 names something
			}
			if digits++; point < 0 {
				lead++
			} else {
				n.scale++
			}
			if digits > mostDigits {
				n.wide = true
				continue
			}
			n.units = n.units*10 + int64(c-'0')
		case c == ',' && point < 0 && lead > 0 && (comma < 0 && lead <= 3 || comma >= 0 && i-comma == 4):
			comma = i
		case c == '.' && point < 0 && (comma < 0 || i-comma == 4):
			point = i
		case (c == 'e' || c == 'E') && digits > 0 && comma < 0:
			return float(text)
		default:
			return n, false
		}
	}
	if digits == 0 || comma >= 0 && point < 0 && len(text)-comma != 4 {
		return n, false
	}
	if n.wide {
		return float(strings.ReplaceAll(text, ",", ""))
	}
	for n.scale > 0 && n.units%10 == 0 { // 1.50 is 1.5
		n.units, n.scale = n.units/10, n.scale-1
	}
	return n, true
}

// float reads what has an exponent or too many digits.
func float(text string) (n number, ok bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return n, false
	}
	if plain := strconv.FormatFloat(f, 'f', -1, 64); len(plain) <= mostDigits && strings.ContainsAny(text, "eE") {
		return decimal(plain)
	}
	return number{wide: true, near: f}, true
}

// value is the number as a float.
func (n number) value() float64 {
	if n.wide {
		return n.near
	}
	return float64(n.units) / math.Pow10(n.scale)
}

// digits is how many it has before its point.
func (n number) digits() (count int) {
	for u := n.units; u != 0; u /= 10 {
		count++
	}
	return max(count-n.scale, 1)
}

// at is the number in units of 10^-scale; ok is false where it has more decimals, or does not fit.
func (n number) at(scale int) (int64, bool) {
	if n.wide || n.scale > scale || n.digits()+scale > mostDigits {
		return 0, false
	}
	u := n.units
	for range scale - n.scale {
		u *= 10
	}
	return u, true
}

// readDate reads a day as people write it down, and gives it as ISO 8601 has it, with the time if there is one: 2026-03-02, 2026/3/2,
// 2026. 3. 2., 2026년 3월 2일, 2026-03-02T09:30.
func readDate(text string) (iso string, ok bool) {
	if len(text) < 8 || len(text) > 40 || text[0] < '0' || text[0] > '9' {
		return "", false
	}
	year, rest, ok := figures(text, 4)
	if !ok {
		return "", false
	}
	rest, sep := separated(rest, "년", "-", "/", ".")
	if sep == "" {
		return "", false
	}
	month, rest, ok := figures(rest, 2)
	if !ok {
		return "", false
	}
	rest, sep2 := separated(rest, map[string]string{"년": "월"}[sep]+strings.TrimPrefix(sep, "년"))
	if sep2 == "" {
		return "", false
	}
	day, rest, ok := figures(rest, 2)
	if !ok || !there(year, month, day) {
		return "", false
	}
	iso = year + "-" + two(month) + "-" + two(day)
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "일"), ".")
	rest = strings.TrimSpace(strings.TrimPrefix(rest, "T"))
	if rest == "" {
		return iso, true
	}
	clock, ok := readClock(rest)
	if !ok {
		return "", false
	}
	if clock == "00:00:00" {
		return iso, true
	}
	return iso + " " + clock, true
}

// readClock reads 9:30, 09:30:00, 09:30:00.000, 09:30Z.
func readClock(text string) (string, bool) {
	text, _, _ = strings.Cut(text, ".")
	text = strings.TrimSuffix(text, "Z")
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return "", false
	}
	out := make([]string, 3)
	out[2] = "00"
	for i, p := range parts {
		v, rest, ok := figures(p, 2)
		most := "59"
		if i == 0 {
			most = "23"
		}
		if !ok || rest != "" || two(v) > most {
			return "", false
		}
		out[i] = two(v)
	}
	return strings.Join(out, ":"), true
}

// figures takes digits off the front of a text, at most so many; four of four.
func figures(text string, most int) (digits, rest string, ok bool) {
	n := 0
	for n < len(text) && n < most && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return text[:n], text[n:], n > 0 && (most < 4 || n == most)
}

func separated(text string, seps ...string) (rest, sep string) {
	text = strings.TrimLeft(text, " ")
	for _, s := range seps {
		if rest, has := strings.CutPrefix(text, s); has {
			return strings.TrimLeft(rest, " "), s
		}
	}
	return text, ""
}

func two(digits string) string {
	if len(digits) == 1 {
		return "0" + digits
	}
	return digits
}

// there tells whether there is such a day.
func there(year, month, day string) bool {
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	if y < 1 || m < 1 || m > 12 || d < 1 {
		return false
	}
	most := []int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[m-1]
	if m == 2 && (y%4 == 0 && y%100 != 0 || y%400 == 0) {
		most = 29
	}
	return d <= most
}

// cell is what one cell holds, whatever its column is.
type cell struct {
	text string
	kind Kind
	num  number
	unit string
	date string
}

// read reads a cell. What a program typed as text may still be a number: people's tables are full of those.
func read(c extract.Cell) cell {
	out := cell{text: clean(c.Text), kind: Text}
	if out.text == "" {
		return out
	}
	switch c.Kind {
	case extract.CellDate:
		if d, ok := readDate(out.text); ok {
			out.kind, out.date = Date, d
		}
		return out
	case extract.CellBool:
		return out
	case extract.CellNumber, extract.CellText:
	}
	if n, unit, ok := readNumber(out.text); ok {
		out.kind, out.num, out.unit = Number, n, unit
		return out
	}
	if d, ok := readDate(out.text); ok {
		out.kind, out.date = Date, d
	}
	return out
}
