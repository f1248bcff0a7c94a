package library

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"path"
	"regexp"
	"slices"
	"strings"

	"agentchat/backend/brief"
	"agentchat/backend/language/words"
)

// The standard contracts were written for this program; they are a help for comparing, not legal advice.
//
//go:embed standards/*.md
var standards embed.FS

// ShelveStandards puts the standard contracts that came with the program into the library, unless they are there. One that a
// person took out is back after the next start. Errors: storage errors.
func (l *Library) ShelveStandards(ctx context.Context) error {
	files, err := standards.ReadDir("standards")
	if err != nil {
		return err
	}
	for _, f := range files {
		raw, err := standards.ReadFile(path.Join("standards", f.Name()))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(raw)
		hash := hex.EncodeToString(sum[:])
		if _, there, err := l.deps.Store.DocumentWithHash(ctx, hash); err != nil || there {
			if err != nil {
				return err
			}
			continue
		}
		text := string(raw)
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		d := Document{
			ID: "standard-" + hash[:16], Title: title, Format: "md", Kind: KindStandard, Hash: hash, Bytes: int64(len(raw)), Pages: 1, Added: l.deps.Now(),
		}
		if err := l.deps.Store.Shelve(ctx, entry(d, []string{text}, nil)); err != nil {
			return err
		}
	}
	return nil
}

// Comparison sets a clause of one's own beside the standard clause that matches it.
type Comparison struct {
	Mine     Found
	Standard Found
	Alike    float64  // 0 to 1, by what both say
	Both     []string // figures both name: 30일, 1년
	OnlyMine []string // figures only one's own names
	OnlyStd  []string // figures only the standard names
	Missing  []string // paragraphs of the standard that one's own has nothing like
}

// figures are amounts, spans and shares as contracts write them.
var figures = regexp.MustCompile(`(?:제\s*)?\d[\d,.]*\s*(?:퍼센트|%|개월|년|월|주|일|시간|분|원|만\s?원|억\s?원|회|배|조|항|days?|months?|years?|weeks?|hours?|percent)`)

// leastAlike is how much two clauses must have in common to be compared.
const leastAlike = 0.12

// Compare finds the standard clause for a clause of one's own: by title first, then by what it says. ok is false when no
// standard has anything like it. Errors: storage errors.
func (l *Library) Compare(ctx context.Context, mine Found) (c Comparison, ok bool, err error) {
	near, err := l.ArticleByTitle(ctx, mine.Article.Title, KindStandard, "", 8)
	if err != nil {
		return c, false, err
	}
	r, err := l.Search(ctx, Query{Text: mine.Article.Title + " " + brief.First(mine.Text, 400), Kind: KindStandard, Limit: 8})
	if err != nil {
		return c, false, err
	}
	for _, h := range r.Hits {
		if h.Article == nil || slices.ContainsFunc(near, func(f Found) bool { return f.Article.Document == h.Article.Document && f.Article.N == h.Article.N }) {
			continue
		}
		more, err := l.read(ctx, []Article{*h.Article}, "", "")
		if err != nil {
			return c, false, err
		}
		near = append(near, more...)
	}
	best := 0.0
	for _, f := range near {
		kin, err := l.kinship(ctx, mine.Document, f.Document)
		if err != nil {
			return c, false, err
		}
		n := (2*overlap(mine.Text, f.Text) + alike(mine.Article.Title, f.Article.Title) + kin) / 4
		if n > best {
			best, c.Standard = n, f
		}
	}
	if best < leastAlike {
		return Comparison{}, false, nil
	}
	c.Mine, c.Alike = mine, overlap(mine.Text, c.Standard.Text)
	own, std := figuresOf(mine.Text), figuresOf(c.Standard.Text)
	for _, f := range own {
		if slices.Contains(std, f) {
			c.Both = append(c.Both, f)
		} else {
			c.OnlyMine = append(c.OnlyMine, f)
		}
	}
	for _, f := range std {
		if !slices.Contains(own, f) {
			c.OnlyStd = append(c.OnlyStd, f)
		}
	}
	for _, p := range paragraphs(c.Standard.Text) {
		if overlapIn(p, mine.Text) < 0.35 {
			c.Missing = append(c.Missing, p)
		}
	}
	return c, true, nil
}

// kinship is how much two documents are of the same sort, 0 to 1: by their titles, and by the titles of their articles.
func (l *Library) kinship(ctx context.Context, a, b Document) (float64, error) {
	mine, err := l.deps.Store.Articles(ctx, a.ID)
	if err != nil {
		return 0, err
	}
	theirs, err := l.deps.Store.Articles(ctx, b.ID)
	if err != nil {
		return 0, err
	}
	titles := map[string]bool{}
	for _, t := range theirs {
		titles[strings.ReplaceAll(t.Title, " ", "")] = true
	}
	same, all := 0.0, 0.0
	for _, t := range mine {
		if t.Title == "" {
			continue
		}
		if all++; titles[strings.ReplaceAll(t.Title, " ", "")] {
			same++
		}
	}
	return max(alike(a.Title, b.Title), same/max(all, 1)), nil
}

// figuresOf lists the figures of a clause, each once, in order. The numbers of articles and paragraphs are none.
func figuresOf(text string) []string {
	var list []string
	for _, f := range figures.FindAllString(text, -1) {
		f = strings.ReplaceAll(strings.Join(strings.Fields(f), ""), "%", "퍼센트")
		if strings.HasPrefix(f, "제") || strings.HasSuffix(f, "조") || strings.HasSuffix(f, "항") || slices.Contains(list, f) {
			continue
		}
		list = append(list, f)
	}
	return list
}

// paragraphs are the paragraphs of a clause, without its heading.
func paragraphs(text string) []string {
	var list []string
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || i == 0 && strings.Contains(text, "\n") {
			continue
		}
		list = append(list, line)
	}
	return list
}

// overlap is how much two texts have in common: the share of pairs of syllables, as Dice has it.
func overlap(a, b string) float64 {
	x, y := grams(a), grams(b)
	if len(x)+len(y) == 0 {
		return 0
	}
	return 2 * float64(common(x, y)) / float64(len(x)+len(y))
}

// overlapIn is how much of a stands in b.
func overlapIn(a, b string) float64 {
	x, y := grams(a), grams(b)
	if len(x) == 0 {
		return 1
	}
	return float64(common(x, y)) / float64(len(x))
}

func common(x, y map[string]bool) (n int) {
	for g := range x {
		if y[g] {
			n++
		}
	}
	return n
}

func grams(text string) map[string]bool {
	set := map[string]bool{}
	for t := range strings.FieldsSeq(words.Terms(text)) {
		if len([]rune(t)) > 1 {
			set[t] = true
		}
	}
	return set
}
