package favourite

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/apperr"
)

// The bounds of a template.
const (
	MaxText   = 2000 // characters of its text
	MaxBlanks = 8    // different blanks
	maxBlank  = 20   // characters of a blank's name
)

// Template is a text with blanks: {place} is one, {{ and }} stand for the braces themselves. It never changes.
type Template struct{ parts []part }

// part is a stretch of a template: words, or a blank by its name.
type part struct{ words, blank string }

// Parse reads a template. Error: blank_unreadable for braces that open or close nothing, stand in each other or hold no name of 1 to 20
// letters, digits, spaces and hyphens, and for more than MaxBlanks blanks.
func Parse(text string) (t Template, err error) {
	var words strings.Builder
	flush := func() {
		if words.Len() > 0 {
			t.parts = append(t.parts, part{words: words.String()})
			words.Reset()
		}
	}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case (c == '{' || c == '}') && i+1 < len(text) && text[i+1] == c:
			words.WriteByte(c)
			i += 2
		case c == '{':
			name, _, closed := strings.Cut(text[i+1:], "}")
			if !closed || !blankName(name) {
				return Template{}, unreadable(text[i:])
			}
			flush()
			t.parts = append(t.parts, part{blank: strings.TrimSpace(name)})
			i += len(name) + 2
		case c == '}':
			return Template{}, unreadable(text[i:])
		default:
			words.WriteByte(c)
			i++
		}
	}
	flush()
	if len(t.Blanks()) > MaxBlanks {
		return Template{}, unreadable(text)
	}
	return t, nil
}

// Words is a template without blanks that says exactly these words.
func Words(text string) Template {
	if text == "" {
		return Template{}
	}
	return Template{[]part{{words: text}}}
}

func unreadable(at string) error {
	rest := []rune(at)
	return apperr.New(apperr.BlankUnreadable, "at", string(rest[:min(len(rest), 40)]))
}

func blankName(name string) bool {
	name = strings.TrimSpace(name)
	n := utf8.RuneCountInString(name)
	return n > 0 && n <= maxBlank && utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool {
		return r != ' ' && r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// Blanks are the names of the blanks in the order in which they come first, each once.
func (t Template) Blanks() (names []string) {
	for _, p := range t.parts {
		if p.blank != "" && !slices.Contains(names, p.blank) {
			names = append(names, p.blank)
		}
	}
	return names
}

// String writes the template as Parse reads it.
func (t Template) String() string {
	var b strings.Builder
	for _, p := range t.parts {
		if p.blank != "" {
			b.WriteString("{" + p.blank + "}")
			continue
		}
		b.WriteString(strings.NewReplacer("{", "{{", "}", "}}").Replace(p.words))
	}
	return b.String()
}

// With is the text with values in its blanks; one without a value stands there by its name, in braces. at says where each blank came to
// stand, in bytes: the first one of a name.
func (t Template) With(values map[string]string) (text string, at map[string][2]int) {
	var b strings.Builder
	at = map[string][2]int{}
	for _, p := range t.parts {
		words := p.words
		if p.blank != "" {
			words = "{" + p.blank + "}"
			if value, ok := values[p.blank]; ok {
				words = value
			}
			if _, stands := at[p.blank]; !stands {
				at[p.blank] = [2]int{b.Len(), b.Len() + len(words)}
			}
		}
		b.WriteString(words)
	}
	return b.String(), at
}

// Match reads the values out of a text that says the words of the template around them. A blank that still stands there by its name has
// none. ok is false when the text says other words.
func (t Template) Match(text string) (values map[string]string, ok bool) {
	pattern := `(?s)^`
	for _, p := range t.parts {
		if p.blank != "" {
			pattern += `(.+?)`
			continue
		}
		pattern += regexp.QuoteMeta(p.words)
	}
	re, err := regexp.Compile(pattern + `$`)
	if err != nil {
		return nil, false
	}
	found := re.FindStringSubmatch(text)
	if found == nil {
		return nil, false
	}
	values, blanks := map[string]string{}, slices.DeleteFunc(slices.Clone(t.parts), func(p part) bool { return p.blank == "" })
	for i, p := range blanks {
		value := strings.TrimSpace(found[i+1])
		if value == "" || value == "{"+p.blank+"}" {
			continue
		}
		if had, twice := values[p.blank]; twice && had != value {
			return nil, false
		}
		values[p.blank] = value
	}
	return values, true
}

// and puts another template behind this one.
func (t Template) and(other Template) Template {
	return Template{append(slices.Clip(t.parts), other.parts...)}
}
