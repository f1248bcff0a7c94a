package expr

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

type kind int

const (
	end kind = iota
	number
	name
	operator // one of + - * / % ^ ( ) ,
)

type token struct {
	kind  kind
	text  string
	value *big.Rat
}

// symbols are other ways to write the operators.
var symbols = map[rune]string{'×': "*", '∗': "*", '·': "*", '⋅': "*", '÷': "/", '∕': "/", '−': "-", '–': "-", '—': "-", '√': "sqrt"}

// words are operators said instead of written.
var words = map[string]string{
	"더하기": "+", "플러스": "+", "빼기": "-", "마이너스": "-", "곱하기": "*", "나누기": "/", "퍼센트": "%", "프로": "%", "루트": "sqrt",
	"plus": "+", "minus": "-", "times": "*", "x": "*", "over": "/", "mod": "%", "percent": "%", "π": "pi", "파이": "pi",
}

// units are the Korean powers of ten that may follow digits, as in 3만5천.
var units = map[rune]int64{'십': 10, '백': 100, '천': 1000, '만': 1e4, '억': 1e8, '조': 1e12}

// scan splits an expression into tokens.
func scan(text string) ([]token, error) {
	// NFKC turns full-width digits and signs into plain ones.
	text = strings.ToLower(norm.NFKC.String(text))
	var tokens []token
	calls := []bool{} // open parentheses: does it hold the arguments of a function?
	for len(text) > 0 {
		r, width := utf8.DecodeRuneInString(text)
		switch {
		case unicode.IsSpace(r):
			text = text[width:]
		case unicode.IsDigit(r) || r == '.':
			inCall := len(calls) > 0 && calls[len(calls)-1]
			value, rest, err := readNumber(text, inCall)
			if err != nil {
				return nil, err
			}
			tokens, text = append(tokens, token{kind: number, text: text[:len(text)-len(rest)], value: value}), rest
		case strings.HasPrefix(text, "**"):
			tokens, text = append(tokens, token{kind: operator, text: "^"}), text[2:]
		case strings.ContainsRune("+-*/%^(),", r):
			switch r {
			case '(':
				calls = append(calls, len(tokens) > 0 && tokens[len(tokens)-1].kind == name)
			case ')':
				calls = calls[:max(len(calls)-1, 0)]
			}
			tokens, text = append(tokens, token{kind: operator, text: string(r)}), text[width:]
		case symbols[r] != "":
			tokens, text = append(tokens, wordToken(symbols[r])), text[width:]
		case unicode.IsLetter(r):
			size := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
			if size < 0 {
				size = len(text)
			}
			word := text[:size]
			if plain, ok := words[word]; ok {
				word = plain
			}
			tokens, text = append(tokens, wordToken(word)), text[size:]
		default:
			return nil, fail("'"+string(r)+"'은(는) 쓸 수 없는 글자예요", "the character '"+string(r)+"' has no meaning here")
		}
	}
	return append(tokens, token{kind: end}), nil
}

func wordToken(word string) token {
	if len(word) == 1 && strings.Contains("+-*/%", word) {
		return token{kind: operator, text: word}
	}
	return token{kind: name, text: word}
}

// readNumber reads 12, 1,234.5, .5, 1e6 and 3만5천. Among the arguments of a function a comma only separates.
func readNumber(text string, inCall bool) (value *big.Rat, rest string, err error) {
	total, section := new(big.Rat), new(big.Rat)
	rest = text
	for {
		digits, after := readDigits(rest, inCall)
		if digits == "" {
			break
		}
		part, ok := new(big.Rat).SetString(digits)
		if !ok {
			return nil, "", fail("'"+digits+"'은(는) 수가 아니에요", "'"+digits+"' is not a number")
		}
		rest = after
		r, width := utf8.DecodeRuneInString(rest)
		unit, counted := units[r]
		if !counted {
			section.Add(section, part)
			break
		}
		for counted { // 3천만 is 3 × 1000 × 10000
			rest = rest[width:]
			part.Mul(part, new(big.Rat).SetInt64(unit))
			if unit >= 1e4 {
				part.Add(part, section.Mul(section, new(big.Rat).SetInt64(unit)))
				total.Add(total, part)
				section, part = new(big.Rat), new(big.Rat)
			}
			r, width = utf8.DecodeRuneInString(rest)
			unit, counted = units[r]
			if counted && part.Sign() == 0 {
				return nil, "", fail("'"+string(r)+"' 앞에 수가 없어요", "there is no number before '"+string(r)+"'")
			}
		}
		section.Add(section, part)
		if next, _ := utf8.DecodeRuneInString(rest); !unicode.IsDigit(next) {
			break
		}
	}
	value = total.Add(total, section)
	if rest == text {
		return nil, "", fail("점(.) 뒤에 숫자가 없어요", "there is no digit after the point")
	}
	return value, rest, nil
}

// readDigits reads one run of digits with its thousands separators, decimal point and exponent.
func readDigits(text string, inCall bool) (digits, rest string) {
	var b strings.Builder
	i := run(text)
	b.WriteString(text[:i])
	for !inCall && i > 0 && i < len(text) && text[i] == ',' && run(text[i+1:]) == 3 {
		b.WriteString(text[i+1 : i+4])
		i += 4
	}
	if i < len(text) && text[i] == '.' && run(text[i+1:]) > 0 {
		n := run(text[i+1:])
		b.WriteString(text[i : i+1+n])
		i += 1 + n
	}
	if b.Len() > 0 && i < len(text) && text[i] == 'e' {
		sign := 0
		if i+1 < len(text) && (text[i+1] == '-' || text[i+1] == '+') {
			sign = 1
		}
		if n := run(text[i+1+sign:]); n > 0 && n <= len("999") {
			b.WriteString(text[i : i+1+sign+n])
			i += 1 + sign + n
		}
	}
	if strings.HasPrefix(b.String(), ".") {
		return "0" + b.String(), text[i:]
	}
	return b.String(), text[i:]
}

// run is how many ASCII digits text begins with.
func run(text string) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}
