package builtin

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"agentchat/backend/provider/builtin/phrase"
	"agentchat/backend/provider/builtin/slot"
)

// The thresholds of matching, in the units of a term's weight.
const (
	sure    = 0.75 // from here on a tool is meant
	similar = 0.62 // n-gram likeness that means a tool without any known word
)

// found is a tool recognised in a view.
type found struct {
	tool  *tool
	score float64
	noun  bool // a word that names the thing is there
	args  map[string]any
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
		f := t.score(v, strengths, shapes, grams)
		if f.score > best.score {
			best = f
		}
	}
	if best.score < sure {
		return found{}, false
	}
	if !best.noun && v.aboutDevice() {
		return found{}, false
	}
	best.args = best.tool.fill(v.text, now)
	return best, true
}

// shapes are values whose form alone points at a kind of tool.
type shapes struct{ expression, duration bool }

func (v *view) shapes(now time.Time) shapes {
	_, expr := slot.Expression(v.text)
	_, dur := slot.Duration(v.text, now)
	return shapes{expr, dur}
}

func (t *tool) score(v *view, strengths []float64, sh shapes, grams map[string]int) found {
	f := found{tool: t}
	strongest := 0.0
	for i, a := range t.affinity {
		if a == 0 || strengths[i] == 0 {
			continue
		}
		s := a * strengths[i]
		f.score += s
		if s >= 0.6 && senses[i].name != "play" {
			f.noun = true
		}
		strongest = max(strongest, s)
	}
	f.score = min(f.score, strongest+0.6)
	if has, must := t.kind(slot.KindExpression); has && must {
		if sh.expression {
			f.score, f.noun = f.score+1.3, true
		} else if f.score < 1 {
			f.score *= 0.6 // 얼마야 alone is no arithmetic
		}
	}
	if has, must := t.kind(slot.KindDuration); has && must && sh.duration {
		f.score += 0.4
	}
	likeness := 0.0
	for i := range t.examples {
		likeness = max(likeness, phrase.Alike(grams, t.examples[i].grams))
	}
	switch {
	case f.score > 0:
		f.score += 0.35 * likeness
	case likeness >= similar:
		f.score, f.noun = sure+likeness-similar, true
	}
	if has, _ := t.kind(slot.KindTitle); has && strongest >= 0.3 && !f.noun {
		if _, named := slot.Quoted(v.text); named {
			f.score += 0.5
		} else if strongest >= 0.45 {
			if _, named := slot.Title(v.text, t.carrier); named {
				f.score += 0.35
			}
		}
	}
	return f
}

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
		in := slot.Input{Text: text, Now: now, Carrier: t.carrier}
		if v, ok := slot.Fill(p, in); ok && fits(p, v) {
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
		low := w.Lower
		for n, forms := range countForms {
			for _, f := range forms {
				if low == f || strings.HasPrefix(low, f) && phrase.Korean(low) && len(f) > len("두") {
					if phrase.Korean(low) || i+1 < len(v.words) && len(low) > 0 && plural(v.words[i+1:]) {
						return n
					}
				}
			}
		}
		if (low == "두" || low == "세" || low == "네") && i+1 < len(v.words) && (strings.HasPrefix(v.words[i+1].Lower, "곡") || strings.HasPrefix(v.words[i+1].Lower, "개") || strings.HasPrefix(v.words[i+1].Lower, "편")) {
			return map[string]int{"두": 2, "세": 3, "네": 4}[low]
		}
		if len(low) == 1 && low[0] >= '2' && low[0] <= '5' && i+1 < len(v.words) && (strings.HasPrefix(v.words[i+1].Lower, "곡") || strings.HasPrefix(v.words[i+1].Lower, "개") || strings.HasPrefix(v.words[i+1].Lower, "편")) {
			return int(low[0] - '0')
		}
	}
	return 1
}

var countForms = map[int][]string{
	2: {"두곡", "두개", "2곡", "2개", "2편", "두편", "둘", "two", "2", "couple"},
	3: {"세곡", "세개", "3곡", "3개", "3편", "세편", "셋", "three", "3"},
	4: {"네곡", "4곡", "four", "4"},
	5: {"다섯곡", "5곡", "five", "5"},
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
