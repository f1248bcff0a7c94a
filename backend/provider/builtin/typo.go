package builtin

import (
	"strings"
	"unicode/utf8"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

// spelling is a word of the lexicon that typing slips are put right to.
type spelling struct {
	form string
	jamo []rune
}

// The vocabulary of correction: the words that name a thing, long enough that a slip does not make another word. Nothing is put right
// to a verb: what somebody wants done is never guessed, and a verb of one tool lies a slip from many others (올려줘, 굴려줘, 울려줘).
var spellingKO, spellingEN = func() (ko, en []spelling) {
	for _, s := range senses {
		for _, t := range s.terms {
			n := utf8.RuneCountInString(t.form)
			switch {
			case t.inside || strings.Contains(t.form, " ") || t.acts():
			case t.korean && n >= 2 && n <= 6 && t.weight >= 0.5:
				ko = append(ko, spelling{t.form, phrase.Jamo(t.form)})
			case !t.korean && n >= 5 && t.weight >= 0.7:
				en = append(en, spelling{t.form, []rune(t.form)})
			}
		}
	}
	return ko, en
}()

// acts tells a term that is a predicate: alone it orders, wishes or tells. A noun that 하다 makes a verb of is none.
func (t term) acts() bool {
	switch newView(t.form).act() {
	case actRequest, actWish, actTalk, actNegative:
		return !t.korean || !koImper.MatchString(t.form+"해")
	case actQuestion, actFragment:
	}
	return false
}

// corrected puts typing slips in a view right: 노레 → 노래, 날시 → 날씨, musik → music. Only words the lexicon does not know are touched.
func corrected(v *view) (string, bool) {
	var b strings.Builder
	from, changed := 0, false
	for _, w := range v.words {
		fixed, ok := correctWord(w.Lower)
		if !ok {
			continue
		}
		b.WriteString(v.text[from:w.Start])
		b.WriteString(fixed)
		from, changed = w.End, true
	}
	b.WriteString(v.text[from:])
	return b.String(), changed
}

func correctWord(w string) (string, bool) {
	if strings.ContainsFunc(w, phrase.Hangul) {
		stem, particle := phrase.Stem(w)
		if form, ok := nearest(stem, phrase.Jamo(stem), spellingKO, 6); ok {
			return form + particle, true
		}
		if form, ok := nearest(w, phrase.Jamo(w), spellingKO, 6); ok {
			return form, true
		}
		return "", false
	}
	if len(w) < 5 || soundWords[w] {
		return "", false
	}
	return nearest(w, []rune(w), spellingEN, 5)
}

// nearest finds the one spelling a slip away. A word of fewer than min requests must sound the same.
func nearest(word string, reqs []rune, among []spelling, min int) (string, bool) {
	if utf8.RuneCountInString(word) < 2 {
		return "", false
	}
	best, form := 3, ""
	for _, s := range among {
		if s.form == word {
			return "", false
		}
		limit := 0
		if len(reqs) >= min && len(s.jamo) >= min {
			limit = 1
		}
		if len(reqs) >= 9 && len(s.jamo) >= 9 {
			limit = 2
		}
		if d := phrase.Distance(reqs, s.jamo, limit); d <= limit && d < best {
			best, form = d, s.form
		}
	}
	return form, form != ""
}

// soundWords are English words one request away from a word of the lexicon.
var soundWords = wordlist.Of("files field fields timber tamer tiger trains drain brain plain spain grain musical mover moves moved remain remains songs' strong alarms' chart count clocks block locked flock lock party parts places placed plays player played watch match catch batch patch windy winds wind cloud clouds rainbow tracks crack trick truck notes' wrote texts' storm' worm swarm hotel model would could should world sender sending mailed " +
	"there three these those their where which while white about again after never other every right night light might money honey story sorry early daily really today great bread dream cream")

var slips = lazyregexp.New(`(?i)\b(wat|wut|wats|pleas|plese|plz|pls|tmrw|tmr|teh|tomorow|tommorow|tommorrow)\b`)

// spellOut writes hurried English function words in full, which no correction by likeness could.
func spellOut(text string) string {
	return slips.ReplaceAllStringFunc(text, func(w string) string {
		if full, ok := shorthand[strings.ToLower(w)]; ok {
			return full
		}
		return w
	})
}
