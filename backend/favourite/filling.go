package favourite

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/language/bilingual"
)

// Filling is a favourite whose words are about to be said: what stands in its blanks, and which one is asked for. It is a value that is
// kept in the ledger until it is whole.
type Filling struct {
	Name    string            `json:"name"`
	Text    string            `json:"text"` // as Parse reads it
	Blanks  []Blank           `json:"blanks"`
	Values  map[string]string `json:"values,omitempty"`
	Asked   string            `json:"asked,omitempty"`
	Message string            `json:"message,omitempty"` // that asks it
}

// Words are what is said: with braces around the names of blanks that nobody filled in.
func (f Filling) Words() string {
	t, err := Parse(f.Text)
	if err != nil {
		return f.Text // it was written by String
	}
	text, _ := t.With(f.Values)
	return text
}

// missing is the first blank without a value; "" when it is whole.
func (f Filling) missing() string {
	for _, b := range f.Blanks {
		if _, ok := f.Values[b.Name]; !ok {
			return b.Name
		}
	}
	return ""
}

func (f Filling) blank(name string) Blank {
	i := slices.IndexFunc(f.Blanks, func(b Blank) bool { return b.Name == name })
	if i < 0 {
		return Blank{Name: name}
	}
	return f.Blanks[i]
}

// Open makes a favourite ready to be said. Words are what the customer made of its text, with values in some of its blanks; "" leaves
// them all. Where they say something else than the favourite, they are said as they are. Errors: not_found, storage errors.
func (b *Book) Open(ctx context.Context, id, words string) (Filling, error) {
	kept, err := b.Get(ctx, id)
	if err != nil {
		return Filling{}, err
	}
	f := Filling{Name: kept.Name, Text: kept.Text, Blanks: kept.Blanks, Values: map[string]string{}}
	if words = strings.TrimSpace(words); words == "" {
		return f, nil
	}
	if t, err := Parse(kept.Text); err == nil {
		if values, same := t.Match(words); same {
			f.Values = values
			return f, nil
		}
	}
	t, err := Parse(words) // other words around the same blanks
	if err != nil {
		t = Words(words)
	}
	f.Text, f.Blanks = t.String(), only(kept.Blanks, t.Blanks())
	return f, nil
}

// only are the blanks of these names; one that is not among them takes any words.
func only(list []Blank, names []string) (blanks []Blank) {
	for _, name := range names {
		blanks = append(blanks, Filling{Blanks: list}.blank(name))
	}
	return blanks
}

// Spelled puts the words of favourites in the place of their names where a message says them with a slash (/morning weather). What
// follows the only name, and a favourite with blanks, is put into these, parted by commas. ok is false where no name stands.
func (b *Book) Spelled(ctx context.Context, text string) (f Filling, ok bool, err error) {
	if !strings.ContainsAny(text, "/{") {
		return f, false, nil
	}
	list, err := b.List(ctx)
	if err != nil || len(list) == 0 {
		return f, false, err
	}
	if k := slices.IndexFunc(list, func(f Favourite) bool { return f.Text == text && len(f.Blanks) > 0 }); k >= 0 {
		return Filling{Name: list[k].Name, Text: text, Blanks: list[k].Blanks}, true, nil // said again, as it stands in the chat
	}
	var t Template
	from, first := 0, true
	for i := 0; i < len(text); i++ {
		if text[i] != '/' || i > 0 && !strings.ContainsAny(text[i-1:i], " \n\t") {
			continue
		}
		named, end := called(list, text, i+1)
		if end == 0 {
			continue
		}
		own, err := Parse(named.Text)
		if err != nil {
			return f, false, err
		}
		t, f.Name, ok = t.and(Words(text[from:i])).and(own), named.Name, true
		for _, blank := range named.Blanks {
			if !slices.ContainsFunc(f.Blanks, func(had Blank) bool { return had.Name == blank.Name }) {
				f.Blanks = append(f.Blanks, blank)
			}
		}
		if rest := strings.TrimSpace(text[end:]); first && rest != "" && len(f.Blanks) > 0 && (i == 0 || !names(list, text[end:])) {
			f.Text, f.Values = t.String(), dealt(f.Blanks, rest)
			return f, true, nil
		}
		from, first = end, false
		i = end - 1
	}
	f.Text = t.and(Words(text[from:])).String()
	return f, ok, nil
}

// names tells whether a text says another favourite by its name.
func names(list []Favourite, text string) bool {
	for i := 1; i < len(text); i++ {
		if text[i] == '/' && strings.ContainsAny(text[i-1:i], " \n\t") {
			if _, end := called(list, text, i+1); end > 0 {
				return true
			}
		}
	}
	return false
}

// dealt puts words parted by commas into blanks; what is more than there are blanks belongs to the last.
func dealt(blanks []Blank, words string) map[string]string {
	values := map[string]string{}
	for i, part := range strings.SplitN(words, ",", len(blanks)) {
		if part = strings.TrimSpace(part); part != "" {
			values[blanks[i].Name] = part
		}
	}
	return values
}

// called is the favourite with the longest name that stands in a text at a byte, and where it ends; 0 for none. In capitals or not, and
// however many spaces stand in it, it is the same name.
func called(list []Favourite, text string, at int) (f Favourite, end int) {
	rest := text[at:]
	for i := 0; i <= len(rest); i++ {
		if i < len(rest) && !utf8.RuneStart(rest[i]) || i > 4*MaxName*2 {
			continue
		}
		next, _ := utf8.DecodeRuneInString(rest[i:])
		if i == 0 || i < len(rest) && (unicode.IsLetter(next) || unicode.IsDigit(next) || unicode.IsMark(next) || next == '/') {
			continue
		}
		said := fold(rest[:i])
		if k := slices.IndexFunc(list, func(f Favourite) bool { return fold(f.Name) == said }); k >= 0 && !unicode.IsSpace(rune(rest[i-1])) {
			f, end = list[k], at+i
		}
	}
	return f, end
}

// Check looks at the values that stand in blanks. One that does not fit is taken out; ask is the question for it, or for the first blank
// without one, and "" when nothing is missing.
func (b *Book) Check(ctx context.Context, f Filling, lang bilingual.Lang) (next Filling, ask string) {
	values := map[string]string{}
	next = f
	for _, blank := range f.Blanks {
		words, ok := f.Values[blank.Name]
		if !ok {
			continue
		}
		value, again := b.deps.Rooms.Take(ctx, blank, words, lang)
		if again != "" {
			if ask == "" {
				next.Asked, ask = blank.Name, again
			}
			continue
		}
		values[blank.Name] = value
	}
	if next.Values = values; ask == "" {
		next, ask = b.next(next, lang)
	}
	return next, ask
}

// Answer takes words as the value of the blank that was asked for. What does not fit leaves it as it was, and is asked again; else ask is the
// question for the next one, "" when nothing is missing.
func (b *Book) Answer(ctx context.Context, f Filling, words string, lang bilingual.Lang) (next Filling, value, ask string) {
	blank := f.blank(f.Asked)
	value, again := b.deps.Rooms.Take(ctx, blank, words, lang)
	if again != "" {
		return f, "", again
	}
	next = f
	next.Values = map[string]string{f.Asked: value}
	for name, had := range f.Values {
		if name != f.Asked {
			next.Values[name] = had
		}
	}
	next, ask = b.next(next, lang)
	return next, value, ask
}

func (b *Book) next(f Filling, lang bilingual.Lang) (Filling, string) {
	if f.Asked = f.missing(); f.Asked == "" {
		return f, ""
	}
	return f, b.deps.Rooms.Ask(f.blank(f.Asked), lang)
}

// Ask is the question for a blank.
func (b *Book) Ask(blank Blank, lang bilingual.Lang) string { return b.deps.Rooms.Ask(blank, lang) }
