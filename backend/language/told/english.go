package told

import (
	_ "embed"
	"slices"
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
)

//go:embed verbs.txt
var verbList string

// The shapes of irregular verbs: what they are called by, their past, their participle. A regular past ends in -ed.
var bases, pasts, participles = readVerbs(verbList)

func readVerbs(text string) (bases, pasts, participles wordlist.Set) {
	bases, pasts, participles = wordlist.Set{}, wordlist.Of("were"), wordlist.Set{}
	for line := range strings.Lines(text) {
		if shapes := strings.Fields(line); len(shapes) == 3 {
			bases[shapes[0]], pasts[shapes[1]], participles[shapes[2]] = true, true, true
		}
	}
	return bases, pasts, participles
}

// Imperatives are the verbs that requests to the shop begin with.
var Imperatives = wordlist.Of("play put start show navigate take bring guide drive direct give tell calculate compute figure work add subtract multiply divide set remind wake alert notify ping let open turn switch launch queue run find get check sing hit throw fire stick crank blast watch listen go route lead gimme look stop pause cancel kill quit end mute shut halt plan make help stream search read write send transfer translate note remember call point head crunch solve convert spin buzz nudge count time begin schedule drop pop use lemme display report grab fetch walk steer travel bang hum perform do double halve split resume kick fix sum book whip square load boot pull chuck cue jam plot map")

// Closed classes of English words.
var (
	opens      = wordlist.Of("oh hey hi well so ok okay um uh yeah actually apparently anyway and but then also yesterday today tonight earlier recently once")
	lately     = wordlist.Of("last this") // a night, week, month
	speaks     = wordlist.Of("i we")
	others     = wordlist.Of("he she they someone somebody everyone everybody nobody")
	things     = wordlist.Of("it that this these those there")
	decides    = wordlist.Of("the a an my our his her their some one another every no")
	adverbs    = wordlist.Of("just already also even really finally never always still once only kindly recently actually almost both all not")
	objects    = wordlist.Of("me him her us them it you myself himself herself everyone someone that about")
	joins      = wordlist.Of("and but then or so")
	goesOn     = wordlist.Of("which who whom where when while because since as after before until for with without in on at to by from of into about yesterday today last this all not")
	never      = wordlist.Of("need feed speed red bed seed indeed hundred shed weed breed bleed exceed proceed succeed embed naked sacred wicked")
	saying     = wordlist.Of("say said says ask asked asks tell told tells want wanted wants")
	wishing    = wordlist.Of("wish hope")
	polite     = wordlist.Of("wanted needed wondered hoped wished wondering hoping wanting looking thinking trying")
	modalHave  = wordlist.Of("would could should might must")
	perfect    = wordlist.Of("have has had i've we've they've you've")
	noSubject  = wordlist.Of("what who whose which how why if can could would will may might shall do does is are please let let's don't thanks thank you your yes no not")
	clauseEnds = ".,;:!\n"
)

// english tells whether what a text says first is told, and all that follows only goes on with it.
func english(text string) bool {
	text = phrase.Normalize(text)
	clauses := split(text)
	if len(clauses) == 0 || !narrates(clauses[0]) || beginsEN(text, phrase.Words(text)) > 0 {
		return false
	}
	return !slices.ContainsFunc(clauses[1:], func(c []string) bool { return !narrates(c) && !continues(c) })
}

// split gives the clauses of a text as their words in small letters; one that is joined on begins with the word that joins it.
func split(text string) (clauses [][]string) {
	end := 0
	for i, w := range phrase.Words(text) {
		if i == 0 || strings.ContainsAny(text[end:w.Start], clauseEnds) || joins[w.Lower] {
			clauses = append(clauses, nil)
		}
		last := len(clauses) - 1
		clauses[last] = append(clauses[last], w.Lower)
		end = w.End
	}
	return clauses
}

// continues tells a clause that says more of what was told: when, where, why, or what was done besides (and paid for it).
func continues(words []string) bool {
	joined := len(words) > 0 && joins[words[0]]
	if joined {
		words = words[1:]
	}
	words = skip(words, adverbs)
	switch {
	case len(words) == 0:
		return true
	case goesOn[words[0]]:
		return true
	}
	return joined && past(words[0]) && !bases[words[0]]
}

// narrates tells a clause whose subject is not who is spoken to and whose verb is in the past, or tells of somebody else.
func narrates(words []string) bool {
	words = opening(words)
	if len(words) < 2 {
		return false
	}
	first := words[0]
	switch {
	case perfect[first] && strings.Contains(first, "'"):
		return perfected(words[1:])
	case speaks[first]:
		return tells(words[1:], first)
	case others[first], things[first]:
		return tells(words[1:], first)
	case decides[first]:
		for i := 2; i <= min(4, len(words)-1); i++ {
			if verbal(words[i:]) {
				return true
			}
		}
		return false
	case noSubject[first], bases[first], past(first):
		return false
	}
	return verbal(skip(words[1:], adverbs))
}

// opening takes what may stand before a clause away: oh, yesterday, last week.
func opening(words []string) []string {
	for len(words) > 1 {
		switch {
		case lately[words[0]] && len(words) > 2 && !past(words[1]):
			if next := words[2]; !speaks[next] && !others[next] && !decides[next] && !things[next] {
				return words // this song was great
			}
			words = words[2:]
		case opens[words[0]]:
			words = words[1:]
		default:
			return words
		}
	}
	return words
}

func skip(words []string, list wordlist.Set) []string {
	for len(words) > 0 && list[words[0]] {
		words = words[1:]
	}
	return words
}

// tells tells whether what follows a pronoun tells of it. Who says politely what they would like (I wanted to know) asks.
func tells(words []string, of string) bool {
	words = skip(words, adverbs)
	if len(words) == 0 {
		return false
	}
	verb := words[0]
	switch {
	case modalHave[verb]:
		return len(words) > 1 && words[1] == "have"
	case verb == "have" || verb == "has":
		return perfected(words[1:])
	case speaks[of] && (polite[verb] || verb == "was" && asksPolitely(words[1:])):
		return false
	case past(verb), speaks[of] && wishing[verb] && len(words) > 1 && !strings.HasPrefix(words[1], "you"):
		return true // I wish I could send it is no request, and I hope you can is
	}
	return others[of] && strings.HasSuffix(verb, "s") && !strings.HasSuffix(verb, "ss") && !strings.Contains(verb, "'")
}

// asksPolitely tells what follows I was of a wish: wondering if it rains.
func asksPolitely(words []string) bool {
	words = skip(words, adverbs)
	return len(words) > 0 && polite[words[0]]
}

// perfected tells have paid and have already sent; who has got to do something has not done it.
func perfected(words []string) bool {
	words = skip(words, adverbs)
	return len(words) > 0 && words[0] != "got" && words[0] != "been" && (participles[words[0]] && !bases[words[0]] || regular(words[0]))
}

// verbal tells whether the words after a noun are what it does or did. A word that may be a participle (the money sent to mom) is a verb where
// an object follows, which no participle has.
func verbal(words []string) bool {
	if len(words) == 0 {
		return false
	}
	verb := words[0]
	if pasts[verb] && !participles[verb] && !bases[verb] {
		return true
	}
	acts := past(verb) && !bases[verb] || thirdPerson(verb)
	return acts && len(words) > 1 && (takes(words[1]) || saying[verb] && (words[1] == "to" || bases[words[1]])) // my boss said send it
}

// takes tells a word that an object begins with.
func takes(word string) bool { return objects[word] || decides[word] || startsNumber(word) }

// thirdPerson tells sends and goes: verbs of which the list knows what they are called by.
func thirdPerson(word string) bool {
	return word == "has" || bases[strings.TrimSuffix(word, "s")] && strings.HasSuffix(word, "s") || bases[strings.TrimSuffix(word, "es")] && strings.HasSuffix(word, "es")
}

func past(word string) bool { return pasts[word] || regular(word) }

// regular tells a past or a participle by its ending.
func regular(word string) bool { return len(word) > 3 && strings.HasSuffix(word, "ed") && !never[word] }

func startsNumber(word string) bool { return word[0] >= '0' && word[0] <= '9' || word[0] == '$' }
