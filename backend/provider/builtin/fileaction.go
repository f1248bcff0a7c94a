package builtin

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
)

// A deed is something done with a file or a folder that the customer names. What names it and what stands in quotes may hold
// any words, so a deed is not read clause by clause like other wishes: names and quotes are put aside first, and the word
// for doing (읽어, 지워, add … to) then says which tool is meant. The tools' manuals hold these words.

// fileActionKinds are the grammars that belong to deeds.
var fileActionKinds = []string{
	slot.KindFile, slot.KindFolder, slot.KindPath, slot.KindQuery, slot.KindMoved, slot.KindCopied, slot.KindNewFolder, slot.KindTidyFolder,
}

// verbs are the words of doing in a tool's manual; none: it is no tool of deeds.
func (t *tool) verbs() (list []string) {
	for _, p := range t.props {
		if slices.Contains(fileActionKinds, p.Kind) {
			list = append(list, p.Verbs...)
		}
	}
	return list
}

// fileActions are the tools that deeds are done with.
func (c *catalog) fileActions() bool {
	return slices.ContainsFunc(c.tools, func(t *tool) bool { return len(t.doing) > 0 })
}

// between are the words that lead from one deed to the next wish, outside of quotes.
var between = lazyregexp.New(`(?i)[.!?]\s|\n|\s그리고\s|\s그\s?다음에?\s|\s그런\s?다음에?\s|[,\s]+(?:and\s)?then\s|,\s+and\s|(?:읽고|열고|지우고|삭제하고|버리고|추가하고|적고|쓰고|저장하고|찾고|보여주고)\s`)

// segments cuts a message where one deed may end and another wish begin.
func segments(text string) (list []string) {
	from := 0
	for _, m := range between.FindAllStringIndex(text, 20) {
		if strings.Count(text[:m[0]], `"`)%2 == 1 || insideSingle(text, m[0]) {
			continue
		}
		list = append(list, strings.TrimSpace(text[from:m[1]]))
		from = m[1]
	}
	return append(list, strings.TrimSpace(text[from:]))
}

// freed cuts what else is wanted off the front of segments that ask for a deed: 날씨 알려주고 회의.txt에 "확인" 추가해줘. What the deed needs of
// its words stays with it. apart are those of the segments that need nothing of the one before.
func (c *catalog) freed(list []string, now time.Time) (out []string, apart map[int]bool) {
	apart = map[int]bool{}
	for i, s := range list {
		at := 0
		if w, hit := c.fileActionAsked(s, list[i+1:], now); hit {
			cs := split(s)
			for k := len(cs) - 1; k > 0 && at == 0; k-- {
				alone, hit := c.fileActionAsked(strings.TrimSpace(s[cs[k].start:]), list[i+1:], now)
				if hit && alone.tool == w.tool && reflect.DeepEqual(alone.args, w.args) && len(c.clauses(s[:cs[k].start], now).wishes) > 0 {
					at = cs[k].start
				}
			}
		}
		if at > 0 {
			out = append(out, strings.TrimSpace(s[:at]))
			apart[len(out)] = true
		}
		out = append(out, strings.TrimSpace(s[at:]))
	}
	return out, apart
}

var singles = lazyregexp.New(`(?:^|[\s(])'[^']*'`)

func insideSingle(text string, at int) bool {
	return slices.ContainsFunc(singles.FindAllStringIndex(text, 40), func(m []int) bool { return m[0] < at && at < m[1] })
}

// readFileActions reads a message that holds at least one deed; ok is false when it holds none.
func (c *catalog) readFileActions(text string, now time.Time) (m *message, ok bool) {
	if !c.fileActions() {
		return nil, false
	}
	plain := phrase.Normalize(text)
	list, apart := c.freed(segments(plain), now)
	asked := make([]*wish, len(list)) // by segment; nil: it asks for none
	for i, s := range list {
		if w, hit := c.fileActionAsked(s, list[i+1:], now); hit {
			asked[i], ok = &w, true
		}
	}
	if !ok {
		return nil, false
	}
	m = &message{text: plain}
	for i, s := range list {
		switch w := asked[i]; {
		case w != nil:
			if len(m.wishes) > 0 && !apart[i] {
				w.rel = after // one deed may depend on the one before
			}
			m.wishes = append(m.wishes, *w)
		case s != "":
			other := c.clauses(s, now)
			m.wishes, m.stops, m.parts, m.denied = append(m.wishes, other.wishes...), append(m.stops, other.stops...), append(m.parts, other.parts...), m.denied || other.denied
		}
	}
	return m, true
}

// fileActionAsked reads the deed that a segment asks for, if it does; rest is what comes after it.
func (c *catalog) fileActionAsked(s string, rest []string, now time.Time) (wish, bool) {
	leads := leadsOn.MatchString(s)
	w, hit := c.fileAction(s, now, leads)
	if !hit {
		return w, false
	}
	if _, f, words := c.form(phrase.Respace(s), false); words && f.named { // 회의.txt 확인 메모해줘 is a note
		return w, false
	}
	if leads { // 읽고 있어 tells; 읽고 지워줘 asks for both
		_, hit = c.follows(rest, now)
	}
	return w, hit
}

// leadsOn matches a segment that ends with a word that leads to the next one.
var leadsOn = lazyregexp.New(`[가-힣]고$`)

// follows tells whether what comes next is asked for.
func (c *catalog) follows(rest []string, now time.Time) (wish, bool) {
	if len(rest) == 0 {
		return wish{}, false
	}
	if w, ok := c.fileAction(rest[0], now, false); ok {
		return w, true
	}
	if m := c.clauses(rest[0], now); len(m.wishes) > 0 {
		return m.wishes[0], true
	}
	return wish{}, false
}

// fileAction finds the tool and the values of one deed; led: the words lead on to another, which says what is wanted.
func (c *catalog) fileAction(text string, now time.Time, led bool) (wish, bool) {
	paths := slot.ReadPaths(text)
	masked := paths.Plain
	v := newView(masked)
	if len(v.words) == 0 {
		return wish{}, false
	}
	var best *tool
	place, length := -1, 0
	for _, t := range c.tools {
		if len(t.doing) == 0 || !t.serves(text, paths, v) {
			continue
		}
		for _, verb := range t.doing {
			at, ok := v.says(verb)
			if !ok {
				continue
			}
			if !v.korean {
				at = -at // the first word says it in English, the last in Korean
			}
			if len(t.props) == 1 && t.props[0].Kind == slot.KindQuery {
				at = len(masked) + 1 // it looks everywhere, and its words say just that
			}
			if t.files(text) {
				at = len(masked) + 2 // the whole of it says where files go
			}
			if best == nil || at > place || at == place && len(verb) > length {
				best, place, length = t, at, len(verb)
			}
		}
	}
	if best == nil || !led && !best.wanted(v) {
		return wish{}, false
	}
	args := map[string]any{}
	for _, p := range best.props {
		if val, ok := slot.Fill(p, slot.Input{Text: within(p, text, masked), Now: now, Carrier: best.carrier}); ok {
			args[p.Name] = val
		}
	}
	return wish{tool: best, args: args, request: text, count: 1}, true
}

// within is what a grammar reads: a choice is not made by words in quotes or names.
func within(p slot.Property, text, masked string) string {
	if p.Kind == slot.KindEnum || p.Kind == slot.KindNumber {
		return masked
	}
	return text
}

// files tells whether the whole of a request says where files go, in the way that the tool does it.
func (t *tool) files(text string) bool {
	return slices.ContainsFunc(t.props, func(p slot.Property) bool { says, _ := slot.Filing(p.Kind, text); return says })
}

// serves tells whether the tool could be meant by what is named: what it cannot do without is there.
func (t *tool) serves(text string, p slot.Paths, v *view) bool {
	for _, prop := range t.props {
		if says, known := slot.Filing(prop.Kind, text); known && !says {
			return false
		}
		if t.lacks(prop, p, v) {
			return false
		}
	}
	return true
}

// lacks tells whether a property could not be filled by what is named.
func (t *tool) lacks(prop slot.Property, p slot.Paths, v *view) bool {
	need := slices.Contains(t.required, prop.Name)
	switch prop.Kind {
	case slot.KindFile:
		if p.File != "" {
			return !prop.Fits(p.File)
		}
		return need || !t.chosen(p.Plain)
	case slot.KindPath:
		return need && p.File == "" && (p.Folder == "" || v.namesFile())
	case slot.KindFolder:
		return len(t.required) == 0 && (p.File != "" || p.Folder == "" && !v.folders())
	case slot.KindQuery: // one that looks in files
		return len(t.props) > 1 && !v.namesFile() && p.File == "" && p.Folder == ""
	}
	return false
}

// chosen tells whether a text makes one of the tool's choices (문서로, as a PDF). What the tool does with a file that is not named is
// meant by that: the verb alone (make it 25) may mean anything.
func (t *tool) chosen(text string) bool {
	return slices.ContainsFunc(t.props, func(p slot.Property) bool {
		_, ok := slot.Fill(p, slot.Input{Text: text})
		return p.Kind == slot.KindEnum && ok
	})
}

// folders: the opened folders themselves.
func (v *view) folders() bool {
	return v.containsKO("열린폴더", "열어둔폴더", "연폴더", "내폴더") || v.containsEN(" open folders ", " opened folders ", " my folders ", " folders open ")
}

func (v *view) namesFile() bool {
	return v.containsKO("파일") || v.containsEN(" file ", " files ")
}

// says finds a word of doing: a Korean one from the beginning of a word, an English one as whole words. at rises with its
// place.
func (v *view) says(verb string) (at int, ok bool) {
	if !phrase.Korean(verb) {
		at = strings.Index(v.english, " "+verb+" ")
		return at, at >= 0
	}
	form := strings.ReplaceAll(verb, " ", "")
	for from := len(v.compact); ; {
		i := strings.LastIndex(v.compact[:from], form)
		if i < 0 {
			return 0, false
		}
		if v.starts[i] {
			return i, true
		}
		from = i
	}
}

var (
	courtesyEN = lazyregexp.New(`^ (?:(?:please|now|ok|okay|hey|can|could|would|will|you|i|i'd|want|need|like|to|let's|just|also|then|and|me|help|kindly) )*`)
	movingEN   = lazyregexp.New(`^(?:move|put|send|throw|toss|sort|organi[sz]e|tidy|clean|copy|rename) `)
	openKO     = lazyregexp.New(`(뭐|뭐가|무엇|무슨|어디|어떤|뭐라고)\S*(있어|있지|있니|있나|있더라|써있어|적혀있어|있어요|있나요|있는지)`)
	commandKO  = lazyregexp.New(`(지워|삭제|삭제해|버려|없애|옮겨|읽어|읽어봐|열어|열어봐|추가|추가해|적어|적어라|적어놔|써|써라|써놔|저장|저장해|만들어|바꿔|고쳐|넣어|넣어놔|찾아|찾아봐|검색|목록|내용|정리|정리해|분류|분류해|나눠|복사|복사해|이동|이동해|모아|만들자|옮기자)$`)
)

// wanted decides whether the sentence asks for the deed: talk of files, and what somebody did with them, starts nothing.
func (t *tool) wanted(v *view) bool {
	act := v.act()
	if act == actNegative || v.containsKO("왜", "지마", "지말") || v.containsEN(" don't ", " do not ", " never ", " why ", " how do i ", " how can i ", " how to ", " did you ", " did i ") {
		return false
	}
	if !v.korean {
		rest := strings.TrimPrefix(v.english, courtesyEN.FindString(v.english))
		first := slices.ContainsFunc(t.doing, func(verb string) bool { return strings.HasPrefix(rest, verb+" ") })
		return first || movingEN.MatchString(rest) || act == actRequest || act == actQuestion && t.answers
	}
	switch act {
	case actRequest, actWish:
		return true
	case actQuestion:
		return t.answers
	case actFragment:
		return commandKO.MatchString(v.compact) || t.answers
	case actTalk:
		return !v.past() && commandKO.MatchString(v.compact) && !v.describes() || t.answers && openKO.MatchString(v.compact)
	case actNegative:
	}
	return false
}
