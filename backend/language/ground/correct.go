package ground

import (
	"strings"

	"agentchat/backend/language/verdict"
	"agentchat/backend/lazyregexp"
)

var (
	takenBackAfter  = lazyregexp.New(`^(?:씩|정도|쯤|을|를|은|는|이|가|도|만|한테|에게|께|으로|로|에)*,?\s*(?:말고|아니고|아니라|아닌|아니야|아니에요|아녜요|빼고|대신|취소하고|취소하고서|보내지\s?(?:말|마)|하지\s?(?:말|마)|주지\s?(?:말|마)|안\s?보내)`)
	takenBackBefore = lazyregexp.New(`(?:\bnot(?: to)?|\binstead of|\brather than|\bdo not send|\bdon't send|\bdon't pay)(?: my| the)?\s+$`)
	correction      = lazyregexp.New(`(?:^|[\s,.!;])` + verdict.TakeBack + `(?:$|[\s,.!;])`)
)

// corrections marks what the words take back: 5만원 말고 3만원, 3만원, 아니 5만원으로, not 50,000 but 30,000, 5만원에서 3만원으로 바꿔줘.
func (p *parsed) corrections() {
	for i := range p.items {
		it := &p.items[i]
		if it.Kind == Text {
			continue
		}
		if takenBackAfter.MatchString(p.around(it.to, 60)) || takenBackBefore.MatchString(strings.ToValidUTF8(p.s[max(0, it.from-40):it.from], "")) {
			it.Negated = true
		}
		if next := p.next(i); next != nil && verdict.Changes(p.around(next.to, 60)+strings.ToValidUTF8(p.s[max(0, it.from-40):it.from], "")) {
			between := strings.TrimSpace(p.s[it.to:next.from])
			if between == "에서" || between == "을" || between == "를" || between == "to" || between == "from" {
				it.Negated = true
			}
		}
	}
	p.landings()
	for at := 0; ; {
		m := correction.FindStringIndex(p.s[at:])
		if m == nil {
			return
		}
		p.correct(at+m[0], at+m[1])
		at += max(m[1]-1, 1) // the mark behind may stand before the next
	}
}

var (
	moves    = lazyregexp.New(`옮[겨기길긴]|미[뤄루룰]|당[겨기길]|바[꿔꾸꿀]|변경|조정|\b(?:move|reschedule|postpone|push|shift|bring|change)\b`)
	landsOn  = lazyregexp.New(`^(?:으로|로)(?:$|[\s.,!?])`)
	landedBy = lazyregexp.New(`\b(?:to|till|until)\s+$`)
)

// landings takes back the day and the time from which something is moved: 3시 치과 4시로 옮겨줘, move the 3 pm call to 4 pm.
func (p *parsed) landings() {
	if !moves.MatchString(p.s) {
		return
	}
	lands := func(it *item) bool {
		return landsOn.MatchString(p.around(it.to, 12)) || landedBy.MatchString(strings.ToValidUTF8(p.s[max(0, it.from-12):it.from], ""))
	}
	for i := range p.items {
		it := &p.items[i]
		if it.Kind != Date && it.Kind != Time {
			continue
		}
		if next := p.next(i); next != nil && lands(next) && !lands(it) {
			it.Negated = true
		}
	}
}

// around is what stands from byte i on, cut short so that the whole stays linear.
func (p *parsed) around(i, n int) string {
	return strings.ToValidUTF8(p.s[i:min(len(p.s), i+n)], "")
}

// next is the next finding of the same slot.
func (p *parsed) next(i int) *item {
	for k := i + 1; k < len(p.items); k++ {
		if p.items[k].Slot == p.items[i].Slot {
			return &p.items[k]
		}
	}
	return nil
}

// correct takes back what the words after a correction replace. A name that was said before is the one whose values
// change; otherwise the last value of the kind is replaced.
func (p *parsed) correct(from, to int) {
	end := len(p.s)
	if m := correction.FindStringIndex(p.s[to:]); m != nil {
		end = to + m[0]
	}
	seen := map[string]bool{}
	about := -1 // the earlier name the correction is about
	for i := range p.items {
		it := &p.items[i]
		if it.from < from || it.from >= end || it.Kind == Text || it.Negated {
			continue
		}
		if p.hidden(from) {
			return
		}
		first := !seen[it.Slot]
		seen[it.Slot] = true
		if it.Kind == Name {
			about = p.earlier(from, func(o *item) bool { return o.Kind == Name && Key(o.Value.(string)) == Key(it.Value.(string)) })
			if about >= 0 {
				p.items[about].Negated = true
				continue
			}
		}
		if about >= 0 {
			if k := p.partner(about, it.Slot, from); k >= 0 {
				p.items[k].Negated = true
			}
			continue
		}
		if !first {
			continue
		}
		if k := p.earlier(from, func(o *item) bool { return o.Slot == it.Slot }); k >= 0 {
			p.items[k].Negated = true
		}
	}
}

// hidden tells whether a place lies inside free words.
func (p *parsed) hidden(i int) bool { return i < len(p.mark) && p.mark[i] == Text }

// earlier is the last finding before a place that counts and fits; -1 if none does.
func (p *parsed) earlier(before int, fits func(*item) bool) int {
	for k := len(p.items) - 1; k >= 0; k-- {
		if it := &p.items[k]; it.from < before && !it.Negated && it.Kind != Text && fits(it) {
			return k
		}
	}
	return -1
}

// partner is the value of a slot that goes with the name at items[k]: behind it and before the next name, or else right
// before it.
func (p *parsed) partner(k int, slotName string, before int) int {
	for i := k + 1; i < len(p.items) && p.items[i].from < before && p.items[i].Kind != Name; i++ {
		if p.items[i].Slot == slotName {
			return i
		}
	}
	if k > 0 && p.items[k-1].Slot == slotName {
		return k - 1
	}
	return -1
}
