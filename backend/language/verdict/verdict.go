// Package verdict knows what a whole short message decides in Korean and English: a yes, a no, a wish to wait or to stop, and that
// something said before shall be otherwise. A sentence that merely contains such a word decides nothing: 아니 5만원으로 corrects.
package verdict

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
)

// Verdict is what a whole message decides about what is on show.
type Verdict string

// The verdicts.
const (
	None      Verdict = ""
	Confirm   Verdict = "confirm"
	Cancel    Verdict = "cancel"
	Skip      Verdict = "skip"
	CancelAll Verdict = "cancel_all"
)

//go:embed words/*.txt
var files embed.FS

// The words, one a line in words/. A word stands in one list only; what may stand beside a decision decides nothing itself.
var (
	lists = wordlist.Must(files, []string{
		"words/yes.txt", "words/no.txt", "words/cancel.txt", "words/quit.txt", "words/skip.txt", "words/all.txt",
		"words/stop.txt", "words/stop_other.txt", "words/wait.txt", "words/misread.txt",
	}, "words/beside_yes.txt", "words/beside_no.txt", "words/beside_skip.txt")
	yes, no, cancel, quit, skip, all = lists[0], wordlist.Join(lists[1:4]...), lists[2], lists[3], lists[4], lists[5]
	stop, stopOther, wait            = wordlist.Join(lists[6], cancel, quit), lists[7], lists[8]
	misread                          = lists[9]
	besideYes, besideNo, besideSkip  = lists[10], lists[11], lists[12]
)

// Own are somebody's words for yes and no, beside those that everybody has: at a transfer 보내줘 confirms.
type Own struct {
	Yes   []string `yaml:"yes"`
	No    []string `yaml:"no"`
	About []string `yaml:"about"` // may stand beside either: 이체 취소해줘

	yes, no, about wordlist.Set
}

// Compile reads the lists; phrases are known by their words put together. A word that means yes and no is an error.
func (o *Own) Compile() error {
	compact := func(list []string) wordlist.Set {
		words := wordlist.Set{}
		for _, w := range list {
			words[wordlist.Compact(w)] = true
		}
		return words
	}
	o.yes, o.no, o.about = compact(o.Yes), compact(o.No), compact(o.About)
	for w := range o.yes {
		if o.no[w] {
			return fmt.Errorf("says: %q means yes and no", w)
		}
	}
	return nil
}

// Of tells what a whole message decides. Only messages made of nothing but such words count. already are words that ask for what
// holds anyway, which may stand beside a yes.
func Of(text string, own Own, already wordlist.Set) Verdict {
	words := wordlist.Words(text)
	if len(words) == 0 || len(words) > 6 || Asks(text) {
		return None
	}
	rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return all[w] })
	everything := len(rest) < len(words)
	switch {
	case len(rest) == 0:
		return None
	case everything:
		if made(rest, []wordlist.Set{no, own.no}, besideNo, own.about) {
			return CancelAll
		}
		return None // 다 보내줘: more than the one task that is on show
	case made(rest, []wordlist.Set{yes, own.yes}, besideYes, own.about, already):
		return Confirm
	case made(rest, []wordlist.Set{no, own.no}, besideNo, own.about):
		return Cancel
	case made(rest, []wordlist.Set{skip}, besideSkip):
		return Skip
	}
	return None
}

// made tells whether words are all core words or fillers, with a core word among them. Several words may be one core phrase:
// 그냥 안 보낼래, no, forget it, don't send it.
func made(words []string, core []wordlist.Set, fillers ...wordlist.Set) bool {
	in := func(sets []wordlist.Set, w string) bool {
		return slices.ContainsFunc(sets, func(s wordlist.Set) bool { return s[w] })
	}
	found := false
	for i := 0; i < len(words); {
		to := len(words) // where the longest core phrase ends that begins here
		for to > i && !in(core, strings.Join(words[i:to], "")) {
			to--
		}
		switch w := words[i]; {
		case to > i:
			found, i = true, to
		case glued(w, core):
			found, i = true, i+1
		case !in(fillers, w) && !in(fillers, bare(w)):
			return false
		default:
			i++
		}
	}
	return found
}

// bare is a word without its particle, and 것 as people say it: 그건 and 그거는 are 그거.
func bare(word string) string {
	for _, said := range []string{"건", "걸", "게"} {
		if thing, ok := strings.CutSuffix(word, said); ok {
			return thing + "거"
		}
	}
	stem, _ := phrase.Stem(word)
	return stem
}

// glued tells whether a word is two core words without the space between them: ㅇㅇ보내.
func glued(word string, core []wordlist.Set) bool {
	for i := range word {
		if i > 0 && slices.ContainsFunc(core, func(s wordlist.Set) bool { return s[word[:i]] }) && core[len(core)-1][word[i:]] {
			return true
		}
	}
	return false
}

// Asks tells whether a message is a question, which decides nothing.
func Asks(text string) bool { return strings.ContainsAny(text, "?？") }

// Waits tells whether a whole message says nothing but to wait, to something that waits or works; so do the others of theirs.
func Waits(text string) bool { return whole(text, wait) }

// Misread tells whether a whole message says that the one before it was taken wrongly, and not how it was meant: 아니 그게 아니라.
func Misread(text string) bool {
	return !Asks(text) && made(wordlist.Words(text), []wordlist.Set{misread}, no, besideNo)
}

// Cancels tells 취소할게, never mind.
func Cancels(text string) bool { return whole(text, cancel) }

// StopsOther tells 그거 꺼, stop the other one.
func StopsOther(text string) bool { return whole(text, stopOther) }

// Stops tells 그만, stop, and what cancels.
func Stops(text string) bool { return whole(text, stop) }

func whole(text string, words wordlist.Set) bool { return !Asks(text) && words[wordlist.Compact(text)] }
