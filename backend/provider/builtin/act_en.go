package builtin

import (
	"slices"
	"strings"

	"agentchat/backend/language/slot"
	"agentchat/backend/language/told"
	"agentchat/backend/language/wordlist"
)

// English says what a sentence does with its first words.
var (
	leadEN    = wordlist.Of("hey hi hello um uh umm uhh er hmm well ok okay so yo dude man buddy mate please pls plz alright right now just and also then but oh ah yeah yes yep sure cool actually first next finally lastly quickly kindly computer assistant bro sis mom friend sir there say like maybe anyway afterwards afterward plus after that lol")
	imperEN   = told.Imperatives
	statesEN  = wordlist.Of("i'll i'm i've i'd he's she's we're we've we'll they're they've you're you've it's that's there's nobody nothing these those i he she they we you it that this my his her their our the a an there someone everyone people mom dad")
	questEN   = wordlist.Of("what what's whats what're how how's hows is are will does do should when when's where where's which any who's who why whose isn't aren't won't am has have did was were would could can may might")
	verbalEN  = wordlist.Of("starts ends begins works plays needs wants goes gets takes comes looks shows keeps stops runs hurts sucks slaps rocks helps ruined broken died won lost hit can't won't don't doesn't should would could sure is are was were am been has have had does did love loves loved like likes liked hate hates hated think thinks thought said says told made sounds seems feels felt went saw watched heard played sang listened got came stopped makes wish hope remember remembers enjoy enjoys know knows used costs cost it's that's i'm he's she's they're we're there's wasn't isn't didn't doesn't cried broke i've i'd finished")
	whyAskEN  = []string{" why don't you ", " why don't we ", " why not ", " how about ", " what about ", " would you mind ", " would love to ", " would like to ", " would love a ", " would like a ", " do you mind ", " mind playing ", " mind putting ", " what do you say we ", " what if you "}
	wantEN    = []string{" i should like ", " i fancy ", " i'd fancy ", " i want to ", " i want a ", " i want some ", " i want you to ", " i want the ", " i want another ", " i want ", " i wanna ", " i need ", " i'd like ", " i would like ", " i'd love ", " i would love ", " i feel like ", " i'm in the mood ", " im in the mood ", " in the mood for ", " i gotta get ", " i gotta go ", " i have to go ", " i have to get ", " i've got to get ", " i must get ", " i'm trying to get ", " we need ", " we want ", " we wanna ", " we'd like ", " we have to get ", " need to get ", " need to go ", " i'm heading ", " im heading ", " i'm looking for ", " i could use ", " we should watch ", " we should listen ", " i'm going to the ", " ready for ", " time for ", " off to ", " gotta get ", " need a ", " need some ", " need directions ", " want to ", " wanna ", " i'm craving ", " i could go for ", " i'd rather ", " i'd appreciate ", " you should play ", " you may play ", " you can play "}
	negEN     = []string{" don't ", " dont ", " do not ", " never ", " not ", " didn't ", " won't ", " can't ", " cannot ", " doesn't ", " isn't ", " no need ", " wouldn't ", " couldn't ", " wasn't ", " no more ", " stop asking ", " without "}
	softNegEN = strings.NewReplacer(" if you don't mind ", " ", " if it's not too much trouble ", " ", " don't let me forget ", " remind me ", " don't forget to ", " remind me to ", " why don't you ", " can you ", " why don't we ", " let's ", " why not ", " let's ", " can't you ", " can you ", " won't you ", " will you ", " don't you ", " ", " not sure ", " ", " i don't know ", " ", " or not ", " ", " couldn't you ", " could you ", " whether or not ", " ")
	hypoEN    = []string{" if i ", " if you could have ", " if we had ", " if only ", " imagine ", " suppose ", " would have ", " could have ", " should have ", " had i "}
)

// What a sentence does whatever follows its first word.
var (
	restsEN = wordlist.Of("if thanks thank sorry congrats because since although unless")
	modalEN = wordlist.Of("can could would will may might")
	begsEN  = wordlist.Of("let's lets gonna mind wanna gotta need want")
)

func (v *view) actEnglish() mood {
	words := v.openingEN()
	if len(words) == 0 {
		return actTalk
	}
	e := " " + strings.Join(words, " ") + " "
	first := words[0]
	switch {
	case strings.HasPrefix(e, " time to "):
		return actTalk
	case anyIn(e, negEN), first == "no" && len(words) > 1:
		return actNegative
	case !v.question && v.past():
		return actTalk
	case anyIn(e, whyAskEN), strings.HasSuffix(e, " will do "):
		return actRequest
	case anyIn(e, hypoEN) && !imperEN[first], restsEN[first]:
		return actTalk
	case modalEN[first]:
		return modalAct(words)
	case begsEN[first]:
		return actRequest
	case wantsEN(e):
		return actWish
	case imperEN[first] && !(len(words) > 1 && (words[1] == "is" || words[1] == "was")):
		return actRequest
	case questEN[first], v.question && !statesEN[first]:
		return actQuestion
	case statesEN[first] && !articleEN[first], verdictEN[first], articleEN[first] && len(words) > 4,
		slices.ContainsFunc(words, func(w string) bool { return verbalEN[w] }), len(words) > 7:
		return actTalk
	}
	return actFragment
}

var articleEN = wordlist.Of("a an the")

// openingEN are the words of a sentence from the first that says what it does, without times and polite denials.
func (v *view) openingEN() []string {
	e := softNegEN.Replace(newView(slot.WithoutTimes(v.text)).english)
	if strings.TrimSpace(e) == "" {
		e = v.english
	}
	words := strings.Fields(strings.TrimSuffix(e, "? "))
	for len(words) > 1 && leadEN[words[0]] && !(words[0] == "right" || words[0] == "like" && len(words) > 2) {
		words = words[1:]
	}
	return words
}

// modalAct tells can you (a request) from can I and can dogs (questions).
func modalAct(words []string) mood {
	switch {
	case len(words) < 2 || words[1] != "you" && words[1] != "i" && words[1] != "we":
		return actQuestion
	case len(words) > 2 && words[2] == "believe":
		return actTalk
	case len(words) > 2 && words[1] != "you" && !mayIEN[words[2]]:
		return actQuestion
	}
	return actRequest
}

// mayIEN are what "can I" asks for; "can I ask you about movies" asks for nothing here.
var mayIEN = wordlist.Of("get have hear listen watch see play know check find navigate set put use start go trouble request please also just maybe")

// verdictEN are adjectives that judge: great movie.
var verdictEN = wordlist.Of("great nice good bad terrible awful lovely beautiful amazing awesome horrible crazy stupid boring best worst cool such wonderful perfect fantastic brilliant hilarious sad interesting")

// wantsEN finds a wish near the beginning of the sentence: "i want a song", not "the song i want to forget".
func wantsEN(e string) bool {
	for _, w := range wantEN {
		if i := strings.Index(e, w); i >= 0 && strings.Count(e[:i], " ") <= 3 {
			return true
		}
	}
	return false
}

func anyIn(s string, list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return strings.Contains(s, w) })
}
