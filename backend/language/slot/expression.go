package slot

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Expression turns spoken arithmetic into a formula of + - * / ^ ( ) and sqrt(): "3만5천 나누기 7은?" is "35000 / 7", "15% of 200" is
// "15 / 100 * 200". It finds nothing unless the text names at least one operation and all its operands.
func Expression(text string) (string, bool) {
	toks := lexExpression([]rune(isoDate.ReplaceAllString(prepare(text), " ; ")))
	best, size := "", 0
	for i := 0; i < len(toks); i++ {
		if toks[i].kind == tokBreak {
			continue
		}
		p := exprParser{toks: toks, pos: i}
		s, ok := p.parse()
		if n := p.pos - i; ok && p.ops > 0 && n > size {
			best, size = s, n
		}
		if ok && p.pos > i+1 {
			i = p.pos - 1
		}
	}
	return best, best != ""
}

type tokKind int

const (
	tokNumber  tokKind = iota
	tokInfix           // + - * / ^ between two operands
	tokVerb            // Korean verb-final operation: applies to the two operands before it
	tokPrefix          // add, subtract, multiply, divide, sum of …: applies to the two operands after it
	tokJoin            // 에, 에서, 를, and, by, from: stands between operands
	tokPercent         // %
	tokOf              // of, 의
	tokPower           // squared, 제곱: text is the exponent, or "" when the number before names it
	tokRoot            // 루트, square root of
	tokOpen            //
	tokClose           //
	tokBreak           // any other word: no formula reaches across it
)

type tok struct {
	kind tokKind
	text string
}

// exprWords are the spoken words of arithmetic. Verb forms end a Korean clause; gerunds stand between numbers.
var exprWords = formsOf([]valued[tok]{
	{"더하기, 플러스, plus, added to", tok{tokInfix, "+"}},
	{"더하고, 더하면, 더한, 더해, 더할, 더하, 합치면, 합하면, 합쳐, 합계, 합은, 합", tok{tokVerb, "+"}},
	{"빼기, 마이너스, minus, less", tok{tokInfix, "-"}},
	{"할인하면, 할인하고, 할인한, 할인해, 할인, 깎으면, 깎고, 깎아, 깎은, 빼고, 빼면, 빼줘, 빼, 뺀, 뺄", tok{tokVerb, "-"}},
	{"곱하기, 곱, times, multiplied by, x, multiply by", tok{tokInfix, "*"}},
	{"곱하고, 곱하면, 곱한, 곱해, 곱할, 곱하, 곱은", tok{tokVerb, "*"}},
	{"나눈 나머지, 나눈나머지, 나누고 남은", tok{tokVerb, "%"}},
	{"mod, modulo", tok{tokInfix, "%"}},
	{"명이서, 이서, 명이, 명, 사람이, 개를, 개, 원, the, dollars, won, ways, people", tok{tokJoin, "unit"}},
	{"나누기, 나눗셈, divided by, over, divide by", tok{tokInfix, "/"}},
	{"나누고, 나누면, 나눈, 나눠, 나눌, 나누, 나놔", tok{tokVerb, "/"}},
	{"세제곱, cubed", tok{tokPower, "3"}},
	{"제곱근, 루트, the square root of, square root of, root of, sqrt, square root", tok{tokRoot, ""}},
	{"제곱, squared", tok{tokPower, "2"}},
	{"퍼센트, 프로, 퍼, percent, pct", tok{tokPercent, ""}},
	{"괄호열고, 괄호 열고", tok{tokOpen, ""}},
	{"괄호닫고, 괄호 닫고", tok{tokClose, ""}},
	{"에서, 에다가, 에다, 에, 으로, 로, 을, 를, 이랑, 랑, 하고, 와, 과, 다시, 그리고, and, by, with, from, to, between, among", tok{tokJoin, ""}},
	{"의, of, tip on, tax on, interest on, discount on", tok{tokOf, ""}},
	{"to the power of, raised to, to the", tok{tokInfix, "^"}},
	{"subtracted from", tok{tokInfix, "r-"}},
	{"half of", tok{tokPrefix, "half"}},
	{"sum of, add", tok{tokPrefix, "+"}},
	{"product of, multiply", tok{tokPrefix, "*"}},
	{"difference between", tok{tokPrefix, "-"}},
	{"quotient of, divide, split", tok{tokPrefix, "/"}},
	{"subtract, take", tok{tokPrefix, "r-"}},
	{"square of", tok{tokPrefix, "sq"}},
})

func lexExpression(rs []rune) []tok {
	var out []tok
	for i := 0; i < len(rs) && len(out) < 200; {
		r := rs[i]
		if r == ' ' || r == '$' || r == '₩' {
			i++
			continue
		}
		if k, s, ok := symbol(rs, i); ok {
			out = append(out, tok{k, s})
			i++
			continue
		}
		if w, kind, text := spokenWord(rs, i, out); w > 0 {
			out = append(out, tok{kind, text})
			i += w
			continue
		}
		if end := codeEnd(rs, i); end > i {
			out = append(out, tok{tokBreak, ""})
			i = end
			continue
		}
		if n, end, ok := scanNumber(rs, i); ok && end > i && numberEnds(rs, i, end) {
			out = append(out, tok{tokNumber, plain(n)})
			i = end
			continue
		}
		out = append(out, tok{tokBreak, ""})
		i = skipWord(rs, i)
	}
	return out
}

// codeEnd is where digits end that name something and are no number, as in a telephone number: they begin with a 0 that more of them
// follow.
func codeEnd(rs []rune, i int) int {
	end := i
	for end < len(rs) && (isDigit(rs[end]) || end > i && rs[end] == '-') {
		end++
	}
	if end-i < 2 || rs[i] != '0' || !isDigit(rs[i+1]) {
		return i
	}
	return end
}

func symbol(rs []rune, i int) (tokKind, string, bool) {
	switch rs[i] {
	case '+', '*', '/', '^':
		if rs[i] == '*' && i+1 < len(rs) && rs[i+1] == '*' {
			return tokJoin, "unit", true // 2 ** 3: the second star decides below
		}
		if rs[i] == '*' && i > 0 && rs[i-1] == '*' {
			return tokInfix, "^", true
		}
		return tokInfix, string(rs[i]), true
	case '-':
		return tokInfix, "-", true
	case '(':
		return tokOpen, "", true
	case ')':
		return tokClose, "", true
	case '%':
		return tokPercent, "", true
	case '√':
		return tokRoot, "", true
	}
	return 0, "", false
}

// spokenWord matches the longest word of arithmetic at rs[i], after what was read before. Latin words must end there; Korean ones may
// carry an ending.
func spokenWord(rs []rune, i int, out []tok) (int, tokKind, string) {
	before := tokBreak
	if len(out) > 0 {
		before = out[len(out)-1].kind
	}
	latin := isLatin(rs[i])
	var best valued[tok]
	n := 0
	for _, w := range exprWords {
		size := utf8.RuneCountInString(w.form)
		ends := !latin || i+size >= len(rs) || !isLatin(rs[i+size])
		if size > n && hasAt(rs, i, w.form) && ends && (w.form != "x" || before == tokNumber || before == tokClose) {
			best, n = w, size
		}
	}
	if n == 0 || best.value.kind == tokJoin && len(out) == 0 || best.value.text == "unit" && !latin && before != tokNumber {
		return 0, 0, ""
	}
	for best.value.kind == tokVerb && i+n < len(rs) && strings.ContainsRune("하면은줘주세요봐서고한값은는이지얼마할게?", rs[i+n]) {
		n++ // the verb's ending belongs to it: 더해줘, 곱하면은
	}
	return n, best.value.kind, best.value.text
}

// numberEnds rejects number words that run on into another word: 이거, 일단, 사과, 오늘.
func numberEnds(rs []rune, i, end int) bool {
	if isDigit(rs[i]) {
		return end >= len(rs) || !timeUnit(rs, end)
	}
	if end >= len(rs) || rs[end] == ' ' || isDigit(rs[end]) {
		return true
	}
	if isLatin(rs[i]) {
		return !isLatin(rs[end])
	}
	if strings.ContainsRune("+-*/%^()?.,=!은는이가", rs[end]) {
		return end-i > 1 || !strings.ContainsRune("이가", rs[end]) || hasAt(rs, end, "이서")
	}
	w, _, _ := spokenWord(rs, end, []tok{{kind: tokNumber}})
	return w > 0
}

func timeUnit(rs []rune, i int) bool {
	return slices.ContainsFunc([]string{"분", "시", "초", "월", "일", " 분 ", " minutes", " hours"}, func(u string) bool { return hasAt(rs, i, u) })
}

func skipWord(rs []rune, i int) int {
	latin := isLatin(rs[i])
	for i++; i < len(rs) && rs[i] != ' ' && !isDigit(rs[i]); i++ {
		if latin != isLatin(rs[i]) || strings.ContainsRune("(+-*/", rs[i]) {
			break
		}
	}
	return i
}
