package gazetteer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/tools/match"
)

// Find looks a name up as people write it: any case and spacing, with or without what kind of place it is (역, 시,
// airport), behind its region (부산 해운대, Busan Haeundae) or before it (Paris, France), a beginning of a name, and with a
// slip of the finger. ok is false when nothing fits well enough to be driven to.
func Find(name string) (place Place, ok bool) {
	ix := load()
	folded := match.Fold(name)
	if folded == "" || utf8.RuneCountInString(folded) > 64 {
		return Place{}, false
	}
	for _, look := range []func(name, folded string) (int, bool){ix.exact, ix.ofKind, ix.inRegion, ix.beginning, ix.typo} {
		if i, ok := look(name, folded); ok {
			return ix.places[i], true
		}
	}
	return Place{}, false
}

// kinds are the words that may stand behind a name or be left out.
var kinds = []string{
	"역", "시", "군", "구", "읍", "면", "동", "도", "공항", "국제공항", "광역시", "특별시", "특별자치시", "터미널", "시내", "station", "city", "airport",
	"internationalairport", "county", "district", "terminal",
}

// lead are words before a name that say nothing about where it is.
var lead = []string{"목적지", "destination", "도시", "cityof", "the"}

func (ix *index) exact(_, folded string) (int, bool) {
	if i, ok := ix.byName[folded]; ok {
		return i, true
	}
	for _, word := range lead {
		if rest, cut := strings.CutPrefix(folded, word); cut {
			if i, ok := ix.byName[rest]; ok {
				return i, true
			}
		}
	}
	return 0, false
}

// ofKind tries the name with the kind of place taken off or put on.
func (ix *index) ofKind(_, folded string) (int, bool) {
	for _, kind := range kinds {
		if bare, cut := strings.CutSuffix(folded, kind); cut && utf8.RuneCountInString(bare) >= 2 {
			if i, ok := ix.byName[bare]; ok {
				return i, true
			}
		}
	}
	if utf8.RuneCountInString(folded) < 2 {
		return 0, false
	}
	for _, kind := range kinds {
		if i, ok := ix.byName[folded+kind]; ok {
			return i, true
		}
	}
	return 0, false
}

// inRegion takes a region off: the first words of a Korean address, or what stands behind a comma in an English one.
func (ix *index) inRegion(name, _ string) (int, bool) {
	if front, _, ok := strings.Cut(name, ","); ok {
		if i, ok := ix.plain(match.Fold(front)); ok {
			return i, true
		}
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" ,/()\t", r) })
	for cut := 1; cut < len(words); cut++ {
		front, back := match.Fold(strings.Join(words[:cut], "")), match.Fold(strings.Join(words[cut:], ""))
		i, frontKnown := ix.plain(front)
		j, backKnown := ix.plain(back)
		switch {
		case backKnown && (frontKnown || slices.Contains(regions, front)):
			return j, true
		case frontKnown && slices.Contains(regions, back):
			return i, true
		}
	}
	return 0, false
}

func (ix *index) plain(folded string) (int, bool) {
	if i, ok := ix.exact("", folded); ok {
		return i, true
	}
	return ix.ofKind("", folded)
}

// regions are provinces: large, so they are no destinations, but they may stand before one.
var regions = []string{
	"대한민국", "한국", "경기", "경기도", "강원", "강원도", "강원특별자치도", "충북", "충청북도", "충남", "충청남도", "전북", "전라북도", "전북특별자치도", "전남", "전라남도",
	"경북", "경상북도", "경남", "경상남도", "제주특별자치도",
}

// beginning completes a name; of several, the first of the table, which lists the well known first.
func (ix *index) beginning(_, folded string) (int, bool) {
	least := 5
	if len(folded) > utf8.RuneCountInString(folded) { // Hangul says more in a letter
		least = 3
	}
	if utf8.RuneCountInString(folded) < least {
		return 0, false
	}
	for _, name := range ix.names {
		if strings.HasPrefix(name, folded) && !ix.places[ix.byName[name]].Practice {
			return ix.byName[name], true
		}
	}
	return 0, false
}

// typo finds the one place whose name is a slip away. Where two different places are equally near, none is meant.
func (ix *index) typo(_, folded string) (int, bool) {
	best, score, tied := 0, 0.0, false
	spelt := match.Spell(folded)
	for n, name := range ix.names {
		if !spelt.Close(ix.spelt[n]) {
			continue
		}
		switch s, i := spelt.Similarity(ix.spelt[n]), ix.byName[name]; {
		case s > score:
			best, score, tied = i, s, false
		case s == score && i != best:
			tied = true
		}
	}
	return best, score > 0 && !tied
}

// Names are the names there are, for whoever has to know whether one names a place.
type Names struct{}

// Knows implements names.Room.
func (Names) Knows(name string) bool {
	_, ok := Find(name)
	return ok
}

// Near implements names.Room.
func (Names) Near(name string, lang bilingual.Lang) (near []string) {
	ix := load()
	for _, folded := range match.Nearest(match.Fold(name), ix.names, ix.spelt) {
		if p := ix.places[ix.byName[folded]]; !p.Practice && !slices.Contains(near, p.Name(lang)) {
			near = append(near, p.Name(lang))
		}
	}
	return near
}
