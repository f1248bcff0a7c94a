package ground

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
)

var (
	// dativeWord is a word that says to whom: 엄마한테, 용걸이에게만.
	dativeWord = lazyregexp.New(`[^\s,.;:!?"']+?(?:한테|한태|에게|께|한텐|에겐)(?:만|도|는|은|요|다가|다|로|로도)*(?:$|[\s,.;:!?~])`)
	dative     = lazyregexp.New(`^(.*?)(한테|한태|에게|께|한텐|에겐)(?:만|도|는|은|요|다가|다|로)*(?:$|(?:보내|송금|이체|부쳐|쏴|쏠|줘|줄|입금|돈|각각|씩)\S*$)`)
	toAccount  = lazyregexp.New(`^(?:계좌|통장|카드|카카오페이|카톡|토스)(?:로|에|으로|에다|에다가)$`)
	changeVerb = lazyregexp.New(`^(?:바꿔|바꿀|변경|수정|고쳐|해줘|해주|할게|할래|해$|보내|부탁)`)
	payeeLabel = lazyregexp.New(`(?:받는\s?(?:사람|분|이)|수취인|수신인|상대방?|recipient|payee)\s?(?:은|는|이|을|를|:|is)?\s*$`)
	copulas    = []string{"이에요", "이예요", "입니다", "이라고", "라고", "이야", "예요", "에요", "이요", "으로", "요", "야", "로"}
)

// names finds who is meant. A name is marked by a particle or a word of sending; where no name in a clause is marked, a
// word beside an amount is one (엄마 만원 아빠 2만원).
func (p *parsed) names() {
	if len(p.slots.of(Name)) == 0 {
		return
	}
	for i := range p.tokens {
		if p.tokens[i].kind == word {
			p.markedKorean(i)
			p.correctedKorean(i)
		}
	}
	p.markedEnglish()
	p.listed()
	p.besideAmounts()
	p.bareAnswer()
}

// name adds a name made of the words of tokens[a..b], the last one only up to its byte to.
func (p *parsed) name(a, b, to int, weak bool) {
	from := p.tokens[a].from
	for k := from; k < to; k++ {
		if p.mark[k] != "" {
			return
		}
	}
	text := strings.TrimSpace(p.original(from, to))
	if n := utf8.RuneCountInString(text); n == 0 || n > 40 {
		return
	}
	p.add(item{Finding: Finding{Kind: Name, Value: text}, from: from, to: to, weak: weak})
	for k := a; k <= b; k++ {
		p.tokens[k].found = Name
	}
}

func (p *parsed) word(i int) string {
	if i < 0 || i >= len(p.tokens) || p.tokens[i].kind != word {
		return ""
	}
	return p.tokens[i].text
}

// markedKorean reads a word that says to whom.
func (p *parsed) markedKorean(i int) {
	t := p.tokens[i]
	if t.text == "함께" {
		return
	}
	if m := dative.FindStringSubmatch(t.text); m != nil {
		switch {
		case strings.HasSuffix(t.text, "한테서"), strings.HasSuffix(t.text, "에게서"), strings.HasSuffix(t.text, "께서"):
		case m[1] != "":
			p.korean(i, t.from+len(m[1]))
		case i > 0: // the particle stands alone: 엄마 한테, "엄마"한테
			p.beforeParticle(i)
		}
		return
	}
	switch {
	case t.text == "앞으로" && p.bareName(p.word(i-1)) || toAccount.MatchString(t.text) && p.bareName(p.word(i-1)) && !institution[p.word(i-1)]:
		p.korean(i-1, p.tokens[i-1].from+len(strings.TrimSuffix(p.word(i-1), "의")))
	case p.labelled(t.from):
		to := t.to
		for _, c := range copulas {
			if cut, ok := strings.CutSuffix(t.text, c); ok && cut != "" && (c != "로" || !final(lastRune(cut))) {
				to = t.from + len(cut)
				break
			}
		}
		if p.bareName(p.s[t.from:to]) {
			p.korean(i, to)
		}
	}
}

// labelled tells whether 받는 사람은 stands before.
func (p *parsed) labelled(at int) bool {
	b := p.s[max(0, at-40):at]
	return payeeLabel.MatchString(strings.ToValidUTF8(b, ""))
}

// beforeParticle reads the name before a particle that stands alone.
func (p *parsed) beforeParticle(i int) {
	if t := p.tokens[i-1]; t.kind == punctuation && (t.text == `"` || t.text == "'") {
		for k := i - 2; k >= 0 && k > i-6; k-- {
			if p.tokens[k].text == t.text {
				if k+1 < i-1 {
					p.name(k+1, i-2, p.tokens[i-2].to, false)
				}
				return
			}
		}
		return
	}
	if p.word(i-1) != "" {
		p.korean(i-1, p.tokens[i-1].to)
	}
}

// korean adds the name whose last word is token i up to byte to, with the words before it that belong to it.
func (p *parsed) korean(i, to int) {
	head := p.s[p.tokens[i].from:to]
	prev := p.word(i - 1)
	if nobody[head] || (prev == "그" || prev == "저" || prev == "아무" || prev == "다른" || prev == "어떤" || prev == "누구") && p.tokens[i].spaced || pointing(head) {
		return
	}
	for _, own := range []string{"우리", "울", "저희", "내"} {
		if rest, ok := strings.CutPrefix(head, own); ok && relations[rest] {
			p.tokens[i].from += len(own)
			head = rest
		}
	}
	a := i
	for a > 0 && i-a < 3 && p.belongs(a-1, a, head) {
		a--
	}
	p.name(a, i, to, false)
}

// pointing tells 그사람, 저분, 이친구: somebody the words do not name.
func pointing(head string) bool {
	for _, d := range []string{"그", "저", "이"} {
		if rest, ok := strings.CutPrefix(head, d); ok && (rest == "사람" || rest == "분" || rest == "친구" || rest == "애" || rest == "놈" || rest == "녀석") {
			return true
		}
	}
	return false
}

// belongs tells whether token k is part of the name that goes on with token k+1.
func (p *parsed) belongs(k, next int, head string) bool {
	w := p.word(k)
	if w == "" || !p.tokens[next].spaced || p.tokens[k].found != "" || k > 0 && !p.tokens[k].spaced && p.tokens[k-1].kind == value {
		return false
	}
	if titled(head) && surname(w) {
		return true // 이 과장님
	}
	if nobody[w] || purposes[w] || stops[w] {
		return false
	}
	if latin(lastRune(head)) {
		return latin(lastRune(w)) && !englishStop[w]
	}
	return hangul(lastRune(w)) && p.belongsKorean(w, head)
}

// belongsKorean tells whether a word is part of the name that goes on with head.
func (p *parsed) belongsKorean(w, head string) bool {
	switch {
	case family[w] && family[head]: // 엄마 아빠한테: two people
		return false
	case utf8.RuneCountInString(w) == 1:
		return surname(w) && utf8.RuneCountInString(head) == 2 && !relations[head] || w == "큰" && relations[head]
	case groups[w]:
		return true
	case strings.HasSuffix(w, "의") && utf8.RuneCountInString(w) > 2:
		return p.bareName(strings.TrimSuffix(w, "의"))
	}
	return (titled(head) || relations[head]) && p.bareName(w) && !particled(w)
}

var particleEnd = lazyregexp.New(`(?:[을를은는]|에서|로|에|까지|부터|하고|이랑|[가-힣]랑|씩|한테|에게|께|[가-힣]와|[가-힣]과)$`)

// particled tells a word that ends in a particle and so does not go on: 민수를, 민수가, 형이. 이 behind a name alone is part of
// it (용걸이).
func particled(w string) bool {
	if who, ok := strings.CutSuffix(w, "가"); ok && utf8.RuneCountInString(who) > 1 && hangul(lastRune(who)) && !final(lastRune(who)) {
		return true
	}
	who, ok := strings.CutSuffix(w, "이")
	return ok && (relations[who] || titled(who)) && final(lastRune(who)) || particleEnd.MatchString(w)
}

// titled tells 부장님, 선생님, 씨: what stands behind a name.
func titled(head string) bool {
	return strings.HasSuffix(head, "님") || titles[head]
}

// bareName tells whether a word could be a name where nothing marks it: 15분 could not.
func (p *parsed) bareName(w string) bool {
	n := utf8.RuneCountInString(w)
	r := lastRune(w)
	if w == "" || n > 12 || w[0] >= '0' && w[0] <= '9' || nobody[w] || purposes[w] || stops[w] || englishStop[w] {
		return false
	}
	if !hangul(r) {
		return latin(r) && n > 1
	}
	return n > 1 && !predicate.MatchString(w) && (relations[w] || !slot.FunctionWord(w))
}

// predicate matches Korean words that ask or tell, by their look.
var predicate = lazyregexp.New(`(?:^(?:보내|이체|송금|입금|부쳐|바꿔|변경|취소|확인|알려|얼마|언제|어디|뭐|왜|싶|해줘|적어|메모|추가|수정)|(?:히|하게|없이|만큼|보낸|받은|빌린|했던|던|[가-힣]야|줘|줘요|세요|해요|어요|아요|까요|까|니다|다|고|서|면|지만|는데|은데|인데|니까|네요|데요|한데|네|거든|려고|려면|할게|줄게|싶어|한테|에게|께|에서|부터|까지|으로|처럼|보다)$)`)

// correctedKorean reads names in 엄마 말고 아빠로, 아니 아빠로, 아빠로 바꿔줘.
func (p *parsed) correctedKorean(i int) {
	w, next := p.word(i), p.word(i+1)
	p.rejectedKorean(i, w, next)
	if p.tokens[i].found != "" {
		return
	}
	instead, sorry := p.takesBack(i)
	last := p.endsAt(i + 1)
	changes := changeVerb.MatchString(next)
	ordered := changes && !strings.HasPrefix(next, "보내") && !strings.HasPrefix(next, "부탁")
	for _, to := range []string{"이요", "이야", "이에요", "예요", "으로", "로", "요", "야", ""} {
		cut, ok := strings.CutSuffix(w, to)
		if !ok || !p.bareName(cut) || to == "로" && !takesRo(lastRune(cut)) {
			continue
		}
		moved := (to == "로" || to == "으로") && (last || changes)
		if moved && (instead || sorry || ordered) || last && (instead || sorry && to != "") {
			p.korean(i, p.tokens[i].from+len(cut))
			return
		}
	}
}

// endsAt tells whether nothing more is said from token i on, up to a punctuation mark.
func (p *parsed) endsAt(i int) bool { return i >= len(p.tokens) || p.tokens[i].kind == punctuation }

// takesBack tells whether what stands before token i takes somebody back: 엄마 말고 …, or only what was said: 아니, ….
func (p *parsed) takesBack(i int) (instead, sorry bool) {
	prev := p.word(i - 1)
	instead = prev == "아니고" || prev == "아니라" || prev == "대신" || strings.HasSuffix(prev, "말고")
	if i > 1 && p.tokens[i-1].text == "," {
		prev = p.word(i - 2)
		return instead, prev == "아니" || prev == "아냐"
	}
	return instead, prev == "아니" || prev == "아냐" || prev == "아니다"
}

// takesRo tells whether 로 stands behind a syllable, and not 으로.
func takesRo(r rune) bool { return !final(r) || r == '로' || (r-'가')%28 == 8 }

// notWords stand behind somebody who is not meant.
var notWords = []string{"말고", "아니고", "대신", "빼고"}

// rejectedKorean reads a name that is taken back: 엄마 말고, 엄마가 아니라.
func (p *parsed) rejectedKorean(i int, w, next string) {
	for _, but := range notWords {
		if cut, ok := strings.CutSuffix(w, but); ok && cut != "" && p.bareName(cut) && p.tokens[i].found == "" {
			p.korean(i, p.tokens[i].from+len(cut))
		} else if next == but && p.tokens[i].found == "" && p.bareName(w) {
			p.korean(i, p.tokens[i].to)
		}
	}
	if next == "아니라" || next == "아니고" || next == "아니야" {
		if cut := strings.TrimSuffix(strings.TrimSuffix(w, "이"), "가"); p.tokens[i].found == "" && p.bareName(cut) {
			p.korean(i, p.tokens[i].from+len(cut))
		}
	}
}

// listed adds the names before another that share its particle: 엄마랑 용걸이한테, 엄마, 아빠한테.
func (p *parsed) listed() {
	for i := len(p.tokens) - 1; i > 0; i-- {
		if p.tokens[i].found != Name || p.tokens[i-1].found == Name && !p.startsName(i) {
			continue
		}
		k, comma := i-1, false
		if t := p.tokens[k]; t.kind == punctuation && (t.text == "," || t.text == "&" || t.text == "/") || p.word(k) == "및" || p.word(k) == "그리고" {
			k, comma = k-1, true
		}
		w := p.word(k)
		if w == "" || p.tokens[k].found != "" {
			continue
		}
		cut := unjoined(w)
		if (cut != w || comma && hangul(lastRune(w)) || comma && !englishStop[w] || relations[w]) && p.bareName(cut) {
			p.korean(k, p.tokens[k].from+len(cut))
		}
	}
}

// unjoined is a word without the particle that joins it to the next.
func unjoined(w string) string {
	for _, c := range []string{"이랑", "하고", "랑", "와", "과"} {
		if s, ok := strings.CutSuffix(w, c); ok && s != "" && (c != "와" && c != "랑" || !final(lastRune(s))) && (c != "과" || final(lastRune(s))) {
			return s
		}
	}
	return w
}

func (p *parsed) startsName(i int) bool {
	return slices.ContainsFunc(p.items, func(it item) bool { return it.Kind == Name && it.from == p.tokens[i].from })
}

// besideAmounts reads names that only their place beside an amount shows.
func (p *parsed) besideAmounts() {
	bounds := p.bounds()
	marked := map[int]bool{}
	for _, it := range p.items {
		if it.Kind == Name && !it.weak {
			marked[clauseOf(bounds, it.from)] = true
		}
	}
	for i, t := range p.tokens {
		if t.kind != value || t.found != Money {
			continue
		}
		if also, ok := strings.CutSuffix(p.word(i-1), "도"); ok && p.tokens[i-1].found == "" && p.bareName(also) {
			p.weakName(i-1, also) // 아빠도 3만원
		} else if n := clauseOf(bounds, t.from); !marked[n] && !p.nameBefore(i, bounds, n) {
			p.nameAfter(i)
		}
	}
}

// nameBefore reads the name before an amount, in the same clause: 엄마 만원, 엄마는 만원, 엄마: 만원.
func (p *parsed) nameBefore(i int, bounds []int, n int) bool {
	k := i - 1
	if k >= 0 && p.tokens[k].kind == punctuation && slices.Contains([]string{":", "-", "="}, p.tokens[k].text) {
		k--
	}
	w := p.word(k)
	if w == "" || p.tokens[k].found != "" {
		return false
	}
	cut := w
	for _, c := range []string{"은", "는"} {
		if s, ok := strings.CutSuffix(w, c); ok && s != "" && hangul(lastRune(s)) && final(lastRune(s)) == (c == "은") {
			cut = s
		}
	}
	if !p.bareName(cut) || particled(cut) || clauseOf(bounds, p.tokens[k].from) != n {
		return false
	}
	p.weakName(k, cut)
	return true
}

// nameAfter reads the name that an amount is for: 만원은 엄마, 5만원은 용걸이.
func (p *parsed) nameAfter(i int) {
	if topic := p.word(i + 1); topic != "은" && topic != "는" && topic != "을" {
		return
	}
	if w := p.word(i + 2); w != "" && p.tokens[i+2].found == "" && p.bareName(w) {
		p.weakName(i+2, w)
	}
}

func (p *parsed) weakName(i int, cut string) {
	before := len(p.items)
	p.korean(i, p.tokens[i].from+len(cut))
	for k := before; k < len(p.items); k++ {
		p.items[k].weak = true
	}
}

var answerTail = lazyregexp.New(`(?:이에요|이예요|예요|에요|입니다|이요|이야|요|야)$`)

// bareAnswer reads an answer to the question for a name: 용걸이, 김 부장님이요, mom.
func (p *parsed) bareAnswer() {
	if asked.MatchString(p.s) || !slices.ContainsFunc(p.slots.of(Name), func(n Slot) bool { return n.Name == p.request.Asked }) {
		return
	}
	a, b, ok := p.onlyWords()
	if !ok {
		return
	}
	w := p.word(b)
	cut := w
	if utf8.RuneCountInString(w) > 2 {
		cut = answerTail.ReplaceAllString(w, "")
	}
	if relations[w] {
		cut = w
	}
	for k := a; k < b; k++ {
		if x := p.word(k); !p.bareName(x) && !surname(x) {
			return
		}
	}
	if p.bareName(cut) {
		p.name(a, b, p.tokens[b].from+len(cut), true)
	}
}

// onlyWords are the words of an answer, three at most, when nothing else is said that counts.
func (p *parsed) onlyWords() (a, b int, ok bool) {
	a = -1
	for i, t := range p.tokens {
		leads := answerLead[t.text] || englishStop[t.text] && t.text != "john"
		switch {
		case t.found == Name:
			return 0, 0, false
		case t.kind != word, leads && a < 0:
		case a < 0:
			a, b = i, i
		case !leads && b == i-1 && t.spaced && i-a < 3:
			b = i
		default:
			return 0, 0, false
		}
	}
	return a, b, a >= 0
}

// surname tells a surname that stands by itself.
func surname(w string) bool { return utf8.RuneCountInString(w) == 1 && strings.Contains(surnames, w) }
