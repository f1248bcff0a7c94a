package files

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/brief"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/words"
	"agentchat/backend/toolbox"
)

// local looks through the person's notes and the files in opened folders, for what is meant rather than for exact words.
type local struct{ Deps }

// What a local search weighs and brings.
const (
	passageRunes = 400
	maxPassages  = 100000
	fewHits      = 8
	partly       = 0.4 // of a word's worth, when only some of its syllable pairs are there
	inName       = 0.5 // of a word's worth, when it stands in the name
)

func (*local) Spec() toolbox.Spec { return manual("local_search") }

// source is where a passage stands.
type source struct {
	Kind  string  `json:"kind"` // note or file
	ID    string  `json:"id,omitempty"`
	Title string  `json:"title"`
	Line  int     `json:"line,omitempty"`
	Quote string  `json:"quote"`
	Score float64 `json:"score"`
}

func (t *local) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	r := ranking{words: words.Question(a.Query)}
	r.df = make([]int, len(r.words))
	if t.Notes != nil {
		notes, err := t.Notes(ctx)
		if err != nil {
			return toolbox.Result{}, err
		}
		for _, n := range notes {
			r.add(source{Kind: "note", ID: n.ID, Title: cmp.Or(n.Title, bilingual.Say(call.Lang, "메모", "note"))}, n.Text)
		}
	}
	whole, err := t.each(ctx, "", func(at *folders.At, text func() string) bool {
		if !at.Info.IsDir() {
			r.add(source{Kind: "file", Title: at.Path}, text())
		}
		return r.seen < maxPassages
	})
	if err != nil && (t.Notes == nil || apperr.CodeOf(err) != apperr.NoFolder) { // notes alone are enough
		return toolbox.Result{}, err
	}
	hits := r.best()
	out := struct {
		Items []source `json:"items"`
		More  bool     `json:"more,omitempty"` // not everything was looked at
	}{hits, !whole && err == nil}
	if len(hits) == 0 {
		return toolbox.ResultOf(out, bilingual.Say(call.Lang, "메모와 열린 폴더에서 ‘%s’에 맞는 것을 찾지 못했어요.", "Nothing in the notes and opened folders fits “%s”.", a.Query))
	}
	var b strings.Builder
	for i, h := range hits {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString("[" + h.Title + "]\n" + h.Quote)
	}
	return toolbox.ResultOf(out, b.String())
}

// ranking weighs passages against the words of a question: a word counts more the rarer it is, and partly when only some of
// its pairs of syllables are there.
type ranking struct {
	words []string
	df    []int
	seen  int
	hits  []hit
}

type hit struct {
	source
	by []float64 // per word, 0 to 1
}

// add looks at every passage of a text.
func (r *ranking) add(s source, text string) {
	name := " " + words.Terms(s.Title) + " "
	line := 1
	for _, p := range passages(text) {
		r.seen++
		terms := " " + words.Terms(p) + " "
		h := hit{source: s, by: make([]float64, len(r.words))}
		h.Line, h.Quote = line, brief.Cut(strings.TrimSpace(p), passageRunes)
		line += strings.Count(p, "\n")
		any := false
		for i, w := range r.words {
			h.by[i] = max(presence(terms, w), inName*presence(name, w))
			if h.by[i] > 0 {
				r.df[i]++
				any = true
			}
		}
		if any {
			r.hits = append(r.hits, h)
		}
	}
}

// presence tells how much of a word stands in a text's terms.
func presence(terms, word string) float64 {
	phrase := strings.Trim(words.Phrase(word), `"`)
	if strings.Contains(terms, " "+phrase+" ") {
		return 1
	}
	pairs := strings.Fields(phrase)
	n := 0
	for _, p := range pairs {
		if strings.Contains(terms, " "+p+" ") {
			n++
		}
	}
	if len(pairs) < 2 || 2*n < len(pairs) {
		return 0
	}
	return partly * float64(n) / float64(len(pairs))
}

// best are the strongest passages, at most two of one source. A passage that has little of what was asked is none.
func (r *ranking) best() []source {
	worth := make([]float64, len(r.words))
	sum := 0.0
	for i, n := range r.df {
		worth[i] = math.Log(1 + float64(r.seen+1)/float64(n+1))
		sum += worth[i]
	}
	for i := range r.hits {
		for j, by := range r.hits[i].by {
			r.hits[i].Score += by * worth[j] / sum
		}
	}
	slices.SortStableFunc(r.hits, func(a, b hit) int { return cmp.Compare(b.Score, a.Score) })
	out := []source{}
	of := map[string]int{}
	for _, h := range r.hits {
		if len(out) == fewHits || h.Score < 0.3 {
			break
		}
		if key := h.Kind + h.ID + h.Title; of[key] < 2 {
			of[key]++
			h.Score = math.Round(h.Score*1000) / 1000
			out = append(out, h.source)
		}
	}
	return out
}

// passages cuts a text into stretches of lines of about passageRunes characters.
func passages(text string) (list []string) {
	var b strings.Builder
	n := 0
	for l := range strings.SplitAfterSeq(text, "\n") {
		if n > 0 && n+len([]rune(l)) > passageRunes {
			list = append(list, b.String())
			b.Reset()
			n = 0
		}
		b.WriteString(l)
		n += len([]rune(l))
	}
	if b.Len() > 0 || len(list) == 0 { // a file without text still has a name
		list = append(list, b.String())
	}
	return list
}
