package slot

import (
	"strings"
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

// spoken words of arithmetic, longest first within a first letter. Verb forms end a Korean clause; gerunds stand between numbers.
var exprWords = []struct {
	form string
	kind tokKind
	text string
}{
	{"더하기", tokInfix, "+"},
	{"더하고", tokVerb, "+"},
	{"더하면", tokVerb, "+"},
	{"더한", tokVerb, "+"},
	{"더해", tokVerb, "+"},
	{"더할", tokVerb, "+"},
	{"더하", tokVerb, "+"},
	{"합치면", tokVerb, "+"},
	{"합하면", tokVerb, "+"},
	{"합쳐", tokVerb, "+"},
	{"합계", tokVerb, "+"},
	{"합은", tokVerb, "+"},
	{"합", tokVerb, "+"},
	{"플러스", tokInfix, "+"},
	{"빼기", tokInfix, "-"},
	{"빼고", tokVerb, "-"},
	{"빼면", tokVerb, "-"},
	{"빼줘", tokVerb, "-"},
	{"빼", tokVerb, "-"},
	{"뺀", tokVerb, "-"},
	{"뺄", tokVerb, "-"},
	{"마이너스", tokInfix, "-"},
	{"곱하기", tokInfix, "*"},
	{"곱하고", tokVerb, "*"},
	{"곱하면", tokVerb, "*"},
	{"곱한", tokVerb, "*"},
	{"곱해", tokVerb, "*"},
	{"곱할", tokVerb, "*"},
	{"곱하", tokVerb, "*"},
	{"곱은", tokVerb, "*"},
	{"곱", tokInfix, "*"},
	{"나눈 나머지", tokVerb, "%"},
	{"나눈나머지", tokVerb, "%"},
	{"나누고 남은", tokVerb, "%"},
	{"mod", tokInfix, "%"},
	{"modulo", tokInfix, "%"},
	{"명이서", tokJoin, "unit"},
	{"명이", tokJoin, "unit"},
	{"명", tokJoin, "unit"},
	{"사람이", tokJoin, "unit"},
	{"개를", tokJoin, "unit"},
	{"개", tokJoin, "unit"},
	{"나누기", tokInfix, "/"},
	{"나눗셈", tokInfix, "/"},
	{"나누고", tokVerb, "/"},
	{"나누면", tokVerb, "/"},
	{"나눈", tokVerb, "/"},
	{"나눠", tokVerb, "/"},
	{"나눌", tokVerb, "/"},
	{"나누", tokVerb, "/"},
	{"나놔", tokVerb, "/"},
	{"세제곱", tokPower, "3"},
	{"제곱근", tokRoot, ""},
	{"제곱", tokPower, "2"},
	{"루트", tokRoot, ""},
	{"퍼센트", tokPercent, ""},
	{"프로", tokPercent, ""},
	{"퍼", tokPercent, ""},
	{"괄호열고", tokOpen, ""},
	{"괄호 열고", tokOpen, ""},
	{"괄호닫고", tokClose, ""},
	{"괄호 닫고", tokClose, ""},
	{"에서", tokJoin, ""},
	{"에다가", tokJoin, ""},
	{"에다", tokJoin, ""},
	{"에", tokJoin, ""},
	{"으로", tokJoin, ""},
	{"로", tokJoin, ""},
	{"을", tokJoin, ""},
	{"를", tokJoin, ""},
	{"이랑", tokJoin, ""},
	{"랑", tokJoin, ""},
	{"하고", tokJoin, ""},
	{"와", tokJoin, ""},
	{"과", tokJoin, ""},
	{"의", tokOf, ""},
	{"다시", tokJoin, ""},
	{"원", tokJoin, "unit"},
	{"그리고", tokJoin, ""},
	{"plus", tokInfix, "+"},
	{"minus", tokInfix, "-"},
	{"times", tokInfix, "*"},
	{"multiplied by", tokInfix, "*"},
	{"divided by", tokInfix, "/"},
	{"over", tokInfix, "/"},
	{"less", tokInfix, "-"},
	{"to the power of", tokInfix, "^"},
	{"raised to", tokInfix, "^"},
	{"to the", tokInfix, "^"},
	{"squared", tokPower, "2"},
	{"cubed", tokPower, "3"},
	{"x", tokInfix, "*"},
	{"added to", tokInfix, "+"},
	{"divide by", tokInfix, "/"},
	{"multiply by", tokInfix, "*"},
	{"subtracted from", tokInfix, "r-"},
	{"the square root of", tokRoot, ""},
	{"square root of", tokRoot, ""},
	{"root of", tokRoot, ""},
	{"sqrt", tokRoot, ""},
	{"square root", tokRoot, ""},
	{"percent", tokPercent, ""},
	{"pct", tokPercent, ""},
	{"of", tokOf, ""},
	{"half of", tokPrefix, "half"},
	{"sum of", tokPrefix, "+"},
	{"product of", tokPrefix, "*"},
	{"difference between", tokPrefix, "-"},
	{"quotient of", tokPrefix, "/"},
	{"add", tokPrefix, "+"},
	{"subtract", tokPrefix, "r-"},
	{"multiply", tokPrefix, "*"},
	{"divide", tokPrefix, "/"},
	{"take", tokPrefix, "r-"},
	{"split", tokPrefix, "/"},
	{"square of", tokPrefix, "sq"},
	{"and", tokJoin, ""},
	{"by", tokJoin, ""},
	{"with", tokJoin, ""},
	{"from", tokJoin, ""},
	{"to", tokJoin, ""},
	{"between", tokJoin, ""},
	{"among", tokJoin, ""},
	{"the", tokJoin, "unit"},
	{"dollars", tokJoin, "unit"},
	{"won", tokJoin, "unit"},
}

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

// spokenWord matches a word of arithmetic at rs[i]. Latin words must end there; Korean ones may carry an ending.
func spokenWord(rs []rune, i int, out []tok) (int, tokKind, string) {
	best := -1
	for k, w := range exprWords {
		if !hasAt(rs, i, w.form) {
			continue
		}
		n := len([]rune(w.form))
		if isLatin(rs[i]) && i+n < len(rs) && isLatin(rs[i+n]) {
			continue
		}
		if w.form == "x" && (len(out) == 0 || out[len(out)-1].kind != tokNumber && out[len(out)-1].kind != tokClose) {
			continue
		}
		if best < 0 || n > len([]rune(exprWords[best].form)) {
			best = k
		}
	}
	if best < 0 {
		return 0, 0, ""
	}
	w := exprWords[best]
	if w.text == "unit" && !isLatin(rs[i]) && (len(out) == 0 || out[len(out)-1].kind != tokNumber) {
		return 0, 0, ""
	}
	n := len([]rune(w.form))
	if w.kind == tokVerb { // the verb's ending belongs to it: 더해줘, 곱하면은
		for i+n < len(rs) && rs[i+n] != ' ' && !isDigit(rs[i+n]) && strings.ContainsRune("하면은줘주세요봐서고한값은는이지얼마할게?", rs[i+n]) {
			n++
		}
	}
	if len(out) == 0 && w.kind == tokJoin {
		return 0, 0, ""
	}
	return n, w.kind, w.text
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
		return end-i > 1 || !strings.ContainsRune("이가", rs[end])
	}
	w, _, _ := spokenWord(rs, end, []tok{{kind: tokNumber}})
	return w > 0
}

func timeUnit(rs []rune, i int) bool {
	for _, u := range []string{"분", "시", "초", "월", "일", " 분 ", " minutes", " hours"} {
		if hasAt(rs, i, u) {
			return true
		}
	}
	return false
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
