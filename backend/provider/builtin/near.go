package builtin

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/backend/language/act"
	"agentchat/backend/language/phrase"
)

// What is offered for a message that nobody understood: from two requests to three, and none that is longer than a button. What is less near than
// leastNear has nothing to do with it.
const (
	fewestNear  = 2
	mostNear    = 3
	longestNear = 40
	leastNear   = 0.05
)

// near gives the requests that come nearest to a text, of each tool one, out of the manuals' examples in the speaker's language: by how
// they sound, and by how probably what their tool does is wanted. Where too few come near, others go with them.
func (c *catalog) near(text string, s speaker) []string {
	type request struct {
		text string
		p    float64
	}
	grams, guesses := phrase.Grams(phrase.Normalize(text)), act.Read(text)
	var all []request
	for _, t := range c.tools {
		if t.literal() {
			continue // an address or a command of somebody else is nobody's wish
		}
		top := request{p: -1}
		for i, e := range t.card.Examples {
			said := strings.TrimSpace(e.Text)
			if phrase.Korean(said) != s.ko() || utf8.RuneCountInString(said) > longestNear {
				continue
			}
			if p := phrase.Alike(grams, t.examples[i].grams); p > top.p {
				top = request{said, p}
			}
		}
		if top.p < 0 {
			continue
		}
		for _, a := range t.acts {
			top.p += guesses.Of(a)
		}
		all = append(all, top)
	}
	best := slices.Clone(all)
	slices.SortStableFunc(best, func(a, b request) int { return cmp.Compare(b.p, a.p) })
	best = best[:min(len(best), mostNear)]
	best = slices.DeleteFunc(best, func(r request) bool { return r.p < leastNear })
	for i := 0; i < min(mostNear, len(all)) && len(best) < fewestNear; i++ {
		if r := all[i*len(all)/mostNear]; !slices.Contains(best, r) {
			best = append(best, r)
		}
	}
	texts := make([]string, len(best))
	for i, r := range best {
		texts[i] = r.text
	}
	return texts
}
