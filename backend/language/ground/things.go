package ground

import (
	"strings"
	"unicode/utf8"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

// Several things that one value names stand in it line by line: nothing that is read out of words has lines otherwise.

// Lines are the things that a value names, one at least.
func Lines(value string) []string { return strings.Split(value, "\n") }

var (
	commas     = lazyregexp.New(`[、;·]|,(?:\D|$)`)
	joinsWords = lazyregexp.New(`(?i)\s+(?:and|&|plus|그리고|및|또)\s+`)
	joinsFirst = lazyregexp.New(`(?i)^(?:and|&|plus|그리고|또|및)\s+`)
	little     = lazyregexp.New(`(?i)^(?:the|a|an|some)\s+`)
	company    = wordlist.Of("이랑 랑 하고 와 과")

	// A deed is said with its verb: in Korean at its end, in English at its beginning, or before an article (water the plants).
	deedKO = lazyregexp.New(`(?:하|가|오|사|쓰|읽|보|내|리|주|치|받|찾|묻|먹|마시|들|챙기|널|개|닦|씻|빨|끄|켜|걸|갈|맡기|꾸|옮기|싸|풀|넣|빼|적|짓|굽|이|볶|접|놓|타|만나|되)기$`)
	deedEN = wordlist.Of(`ask bake book bring build buy call cancel change charge check clean clear collect cook do drop email feed find finish fix get give go help install
		iron learn mail make meet move order pack paint pay phone pick plan post practice prepare print pull put read renew repair reply replace
		return schedule see sell send set shop sign start stop study submit take talk tell text throw try update visit walk wash watch write`)
	bound   = wordlist.Of("the a an my our his her their your")
	towards = wordlist.Of("with to for at from about by before after between on in into that if when because so or i you we he she they it is are was were be will can")
	aimed   = wordlist.Of("한테 에게 에서 으로 로 께 까지 부터 에")
)

// Things are the single things that words name one after the other: 우유, 계란이랑 두부; milk, eggs and tofu. Where listed is false they must
// stand between commas, for what 랑 or and joins may belong together. One thing, a sentence (치과 가고 약 사기), and what joins words inside
// of one (call mom and dad, dinner with Tom and Jerry) are no things: nil. Deeds are several only between commas.
func Things(words string, listed bool) (things []string) {
	var whole []string
	for from := 0; ; {
		m := commas.FindStringIndex(words[from:])
		if m == nil {
			whole = append(whole, words[from:])
			break
		}
		whole = append(whole, words[from:from+m[0]])
		_, mark := utf8.DecodeRuneInString(words[from+m[0]:])
		from += m[0] + mark
	}
	apart := len(whole) > 1
	whole = bareThings(whole)
	for _, w := range whole {
		things = append(things, joined(w)...)
	}
	things = bareThings(things)
	switch {
	case len(things) < 2 || !apart && !listed:
		return nil
	case plainThings(things, apart):
		return things
	case apart && allDeeds(things):
		return things
	case apart && len(whole) > 1 && allDeeds(whole): // call mom, buy milk and eggs
		return whole
	}
	return nil
}

// bareThings are parts without what joins them and without their articles; empty ones are left out.
func bareThings(parts []string) (list []string) {
	for _, p := range parts {
		p = little.ReplaceAllString(joinsFirst.ReplaceAllString(strings.TrimSpace(p), ""), "")
		if p = strings.Trim(p, " .!~"); p != "" {
			list = append(list, p)
		}
	}
	return list
}

// joined cuts words at what joins them: and, 그리고, 우유랑, 계란하고.
func joined(words string) (list []string) {
	for _, part := range joinsWords.Split(words, -1) {
		from, all := 0, phrase.Words(part)
		for i, w := range all {
			if stem, particle := phrase.Stem(w.Text); i+1 < len(all) && company[particle] {
				list = append(list, part[from:w.Start]+stem)
				from = all[i+1].Start
			}
		}
		list = append(list, part[from:])
	}
	return list
}

// mostThingWords is how many words a single thing has.
const mostThingWords = 4

// plainThings tells whether all parts are things, none of them a deed or a part of a sentence.
func plainThings(parts []string, apart bool) bool {
	for i, p := range parts {
		words := wordlist.Words(p)
		if len(words) == 0 || len(words) > mostThingWords || deed(p) {
			return false
		}
		for k, w := range words {
			_, particle := phrase.Stem(w)
			switch {
			case !apart && (k+1 < len(words) && aimed[particle] || strings.HasSuffix(w, "'s")):
				return false
			case towards[w] && (i+1 < len(parts) || k == 0 || k+1 == len(words)):
				return false // dinner with Tom and Jerry: what follows may belong to it
			}
		}
	}
	return true
}

func allDeeds(parts []string) bool {
	for _, p := range parts {
		if !deed(p) {
			return false
		}
	}
	return true
}

// deed tells whether words say what is done: 약 사기, call mom.
func deed(words string) bool {
	list := wordlist.Words(words)
	if len(list) == 0 {
		return false
	}
	return deedKO.MatchString(list[len(list)-1]) || len(list) > 1 && (deedEN[list[0]] || bound[list[1]])
}
