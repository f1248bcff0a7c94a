package builtin

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

// The thresholds of matching, in the units of a term's weight.
const (
	sure    = 0.75 // from here on a tool is meant
	similar = 0.75 // n-gram likeness that means a tool without any known word
)

// found is a tool recognised in a view.
type found struct {
	tool  *tool
	score float64
	noun  bool // a word that names the thing is there
	args  map[string]any
	exact bool // by the whole form of the request
}

// match finds the tool a view means, whatever the speaker does with it. ok is false when none is meant surely enough.
func (c *catalog) match(v *view, now time.Time) (found, bool) {
	if len(v.words) == 0 {
		return found{}, false
	}
	strengths := make([]float64, len(senses))
	for i := range senses {
		strengths[i] = v.strength(&senses[i])
	}
	shapes := v.shapes(now)
	grams := phrase.Grams(v.text)
	best := found{}
	for _, t := range c.tools {
		if len(t.doing) > 0 || t.literal() || t.formOnly() || t.choice() != nil {
			continue
		}
		if f := t.score(v, strengths, shapes, grams); f.score > best.score {
			best = f
		}
	}
	if best.score < sure || !best.noun && v.aboutDevice() {
		return found{}, false
	}
	best.args = best.tool.fill(v.text, now)
	return best, true
}

// shapes are values whose form alone points at a kind of tool.
type shapes struct{ expression, duration, date, conversion bool }

func (v *view) shapes(now time.Time) shapes {
	_, expr := slot.Expression(v.text)
	_, dur := slot.Duration(v.text, now)
	_, date := slot.Date(v.text, now)
	return shapes{expr, dur, date, slot.Converts(v.text)}
}

// score tells how surely a view means a tool.
func (t *tool) score(v *view, strengths []float64, sh shapes, grams []uint64) found {
	f := found{tool: t}
	strongest := 0.0
	for i, a := range t.affinity {
		s := a * strengths[i]
		f.score += s
		f.noun = f.noun || s >= 0.6 && senses[i].name != "play"
		strongest = max(strongest, s)
	}
	f.score = min(f.score, strongest+0.6)
	f.addShapes(v, sh)
	f.addExamples(v, grams)
	if t.bare && f.score > 0 {
		f.score += 0.1
		if strengths[senseIndex["play"]] >= 0.5 && strongest < 0.6 && v.anything() {
			f.score += 0.2
		}
	}
	if has, _ := t.kind(slot.KindTitle); has && f.score > 0 && f.score < 1.1 {
		f.score += t.named(v, strongest)
	}
	return f
}

// addShapes weighs the values that a view holds, or lacks, for what the tool must have.
func (f *found) addShapes(v *view, sh shapes) {
	must := func(kind string) bool { has, required := f.tool.kind(kind); return has && required }
	switch {
	case !must(slot.KindExpression):
	case sh.expression:
		f.score, f.noun = f.score+1.3, true
	case f.score < 1:
		f.score *= 0.6 // 얼마야 alone is no arithmetic
	}
	switch {
	case !must(slot.KindUnit):
	case sh.conversion:
		f.score, f.noun = f.score+1.3, true
	default:
		f.score *= 0.3 // 몇 … 이야 alone converts nothing
	}
	if sh.duration && must(slot.KindDuration) {
		f.score += 0.4
		if len(v.words) <= 2 && slot.OnlySpan(v.text) { // "5분" and nothing else
			f.score, f.noun = f.score+0.5, true
		}
		if v.tellsLater() {
			f.score += 0.5
		}
	}
	if f.tool.hasSense("route") && len(f.tool.required) > 0 {
		goal := v.goal()
		f.score, f.noun = f.score+goal, f.noun || goal >= 0.6
	}
	if has, _ := f.tool.kind(slot.KindDate); has && f.score > 0 && sh.date {
		f.score += 0.15
	}
}

// addExamples weighs how much a view looks like the tool's examples.
func (f *found) addExamples(v *view, grams []uint64) {
	likeness := 0.0
	for i := range f.tool.examples {
		likeness = max(likeness, phrase.Alike(grams, f.tool.examples[i].grams))
	}
	if f.tool.marks != nil {
		n := v.marked(f.tool.marks)
		f.score, f.noun = f.score+min(0.4*float64(n), 0.8), f.noun || n >= 2
	}
	switch {
	case f.score > 0:
		f.score += 0.35 * likeness
	case likeness >= similar:
		f.score, f.noun = sure+likeness-similar, true
	}
}

// marked counts the different words of the view that are marks of a tool.
func (v *view) marked(marks map[string]bool) int {
	seen := map[string]bool{}
	for _, w := range v.words {
		stem, _ := phrase.Stem(w.Lower)
		if marks[w.Lower] || marks[stem] {
			seen[stem] = true
		}
	}
	return len(seen)
}

// named is what a title adds. A title without its kind (아리랑 틀어줘) counts for the tools whose examples speak that way.
func (t *tool) named(v *view, strongest float64) float64 {
	own := 0.0 // a verb of its own: 들려줘, watch
	for i, a := range t.affinity {
		if senses[i].name != "play" {
			own = max(own, a*v.strength(&senses[i]))
		}
	}
	if strongest < 0.4 {
		return 0
	}
	title, ok := "", false
	for _, p := range t.props {
		if p.Kind == slot.KindTitle {
			title, ok = slot.Title(t.input(p, v.text, time.Time{}))
			ok = ok && t.there.Knows(p.Names, title)
		}
	}
	if !ok {
		return 0
	}
	if t.bare || own >= 0.4 {
		return 0.35
	}
	return 0.1
}

// anything: 아무거나 틀어줘, play something.
func (v *view) anything() bool {
	return v.containsKO("아무거나", "아무거", "뭐든", "뭐라도", "뭐좀", "뭐하나") || v.containsEN(" anything ", " something ", " whatever ")
}

// tellsLater: with a time, these words ask to be told when it has come.
func (v *view) tellsLater() bool {
	return v.containsKO("알려", "말해", "얘기", "깨워", "불러줘", "라고해", "울려", "알람", "알림", "호출") || v.containsEN(" tell me ", " let me know ", " remind ", " wake ", " call me ", " shout ", " notify ", " alert ", " warn me ")
}

// goal is how surely Korean words name where to go: 까지, or 로 before a verb of going.
func (v *view) goal() float64 {
	best := 0.0
	for i, w := range v.words {
		_, particle := phrase.Stem(w.Lower)
		next := ""
		if i+1 < len(v.words) {
			next = v.words[i+1].Lower
		}
		going := next != "" && goVerb(next)
		switch particle {
		case "까지", "까지만", "까지요":
			best = max(best, 0.35)
			if next == "" && len(v.words) <= 3 {
				best = 0.8
			}
		case "으로", "로", "쪽으로":
			if going {
				best = max(best, 0.4)
			}
		}
		if particle == "" && going && v.korean && !strings.HasSuffix(w.Lower, "러") && (i == 0 || v.urgent()) {
			best = max(best, 0.2)
		}
	}
	return best
}

// urgent tells need from plan: 지금 가야 돼, 가야 하는데 ask for help; 병원 가야 돼 only says so.
func (v *view) urgent() bool {
	return v.containsKO("지금", "빨리", "얼른", "당장", "는데", "급해")
}

func goVerb(w string) bool {
	return slices.ContainsFunc([]string{"가자", "가줘", "가주", "가야", "가려", "갈래", "가고", "갑시", "가즈", "출발", "안내", "가볼", "가보", "ㄱㄱ", "고고", "이동", "데려", "모셔", "태워", "부탁", "향해", "가는", "가라", "가게", "길", "운전", "달려", "가", "갈"}, func(p string) bool {
		return strings.HasPrefix(w, p) && (len(p) > 3 || w == p || w == "갈게" || w == "갈게요" || w == "가요" || w == "길좀")
	})
}

// adjusts tells an order to make something more or less: 온도 낮춰줘, turn down the heating.
func (v *view) adjusts() bool {
	if v.korean {
		return v.act() == actRequest && adjustKO.MatchString(v.compact)
	}
	return adjustEN.MatchString(v.english)
}

var (
	adjustKO = lazyregexp.New(`(?:낮춰|낮추어|높여|올려|내려|줄여|키워)(?:봐|놔|둬)?(?:줘|주라|주세요|줘요|줄래|줄래요|주실래요|라|봐)$`)
	adjustEN = lazyregexp.New(`^ (?:(?:please|can|could|you|would|just) )*(?:turn (?:\S+ ){0,4}(?:up|down)|raise|lower|dim|brighten) `)
)

// aboutDevice tells a wish for something no tool here is: 에어컨 틀어줘, turn on the lights.
func (v *view) aboutDevice() bool {
	for _, w := range v.words {
		stem, _ := phrase.Stem(w.Lower)
		if devices[stem] || devices[w.Lower] {
			return true
		}
	}
	return false
}

// fill reads the tool's arguments from text: those that are there.
func (t *tool) fill(text string, now time.Time) map[string]any {
	args := map[string]any{}
	for _, p := range t.props {
		if v, ok := slot.Fill(p, t.input(p, text, now)); ok && fits(p, v) {
			args[p.Name] = v
		} else if v, ok := t.sought(p, text); ok {
			args[p.Name] = v
		}
	}
	// One span of words is one argument: where a journey ends is not also where it starts.
	for _, p := range t.props {
		for _, q := range t.props {
			a, b := args[p.Name], args[q.Name]
			if p.Name < q.Name && p.Kind == slot.KindPlace && q.Kind == p.Kind && a != nil && a == b {
				if slices.Contains(t.required, p.Name) {
					delete(args, p.Name)
				} else {
					delete(args, q.Name)
				}
			}
		}
	}
	return args
}

// fits keeps values out that the schema's type cannot hold.
func fits(p slot.Property, v any) bool {
	switch p.Type {
	case "integer":
		if n, ok := v.(json.Number); ok {
			_, err := n.Int64()
			return err == nil
		}
		_, ok := v.(int64)
		return ok
	case "number":
		_, num := v.(json.Number)
		_, whole := v.(int64)
		return num || whole
	case "string":
		s, ok := v.(string)
		return ok && len(s) <= 400
	}
	return true
}

// missing are the required parameters args does not have.
func (t *tool) missing(args map[string]any) []string {
	var out []string
	for _, name := range t.required {
		if _, ok := args[name]; !ok {
			out = append(out, name)
		}
	}
	return out
}

// count is how many of the thing are asked for: 노래 두 곡, three songs, 2 songs. One when nothing is said.
func (v *view) count() int {
	for i, w := range v.words {
		counted := w.Lower + " "
		if i+1 < len(v.words) {
			counted += v.words[i+1].Lower
		}
		for n, forms := range countForms {
			if forms.ko.MatchString(counted) || forms.en[w.Lower] && plural(v.words[i+1:]) {
				return n
			}
		}
	}
	return 1
}

var countForms = map[int]struct {
	ko *lazyregexp.Regexp // with the counter, which may stand apart
	en wordlist.Set
}{
	2: {lazyregexp.New(`^(둘 |(두|2) ?[곡개편])`), wordlist.Of("two 2 couple")},
	3: {lazyregexp.New(`^(셋 |(세|3) ?[곡개편])`), wordlist.Of("three 3")},
	4: {lazyregexp.New(`^(네|4) ?[곡개편]`), wordlist.Of("four 4")},
	5: {lazyregexp.New(`^(다섯|5) ?[곡개편]`), wordlist.Of("five 5")},
}

// plural looks for the counted noun in the next words: two more songs, a couple of tunes.
func plural(rest []phrase.Word) bool {
	for i, w := range rest {
		if i > 2 {
			return false
		}
		if strings.HasSuffix(w.Lower, "s") && !devices[w.Lower] && w.Lower != "minutes" && w.Lower != "hours" && w.Lower != "seconds" && w.Lower != "days" && w.Lower != "times" {
			return true
		}
	}
	return false
}
