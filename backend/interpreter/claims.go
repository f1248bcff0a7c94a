package interpreter

import (
	"errors"
	"iter"
	"regexp"
	"strings"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/slot"
)

// Money moves at the service counter alone, whose words are code's. A model that says elsewhere that it moved some, or is
// about to, tells a customer something untrue about their money: it is asked once to say it otherwise, and then a plain
// sentence stands in its place.

var errClaims = errors.New("the reply says that money was sent or is being sent, and none was: you cannot move money. Say nothing of the kind; the customer can ask for a transfer in their own words and confirm it")

var errBalance = errors.New("the reply names a balance that is not in this letter: you do not know it. The customer can ask for the balance and the books answer")

// plainly is what is said in place of an untrue claim.
func plainly(claim error, lang apperr.Lang) string {
	switch {
	case errors.Is(claim, errBalance) && lang == apperr.KO:
		return "잔액은 짐작해서 말씀드리지 않아요. “잔액 얼마야?”라고 물어보시면 장부에서 확인해 드릴게요."
	case errors.Is(claim, errBalance):
		return "I do not guess balances. Ask “what is my balance?” and the books answer."
	case lang == apperr.KO:
		return "방금 보낸 돈은 없어요. 돈은 받는 분과 금액을 말씀하시고 확인을 누르셔야 나가요. 보낸 내역이 궁금하시면 “이체 내역 보여줘”라고 말씀해 주세요."
	}
	return "No money was sent just now. It is sent only after you name the recipient and the amount and confirm. To see what was sent, say “show my transfer history”."
}

// The sentences that speak of money on its way, by who is said to have done what. Endings that only echo the customer
// (보냈군요, 보내셨네요) are none.
var (
	moneyWords = regexp.MustCompile(`(?i)잔액|잔고|\bbalance\b|[0-9영일이삼사오육칠팔구십백천만억]\s?원|(^|\s)돈|이체|송금|입금|용돈|월세|금액|계좌|\b(won|krw|money|cash|funds|amount|transfer\w*|payment|remittance)\b|[$₩]`)

	done = regexp.MustCompile(`(?i)(보냈|보내\s?드렸|보내\s?줬|보내\s?놨|부쳤|부쳐\s?드렸|쐈|쏴\s?드렸|(이체|송금|입금|전송)(했|하였|을 했|를 했|해\s?드렸))(어요|습니다|어|죠|지요|답니다|음|고|으며|으니|다)|` +
		`(이체|송금|입금)\S{0,2}\s?(\S+\s){0,2}\S*?(완료|처리|성공|마무리|실행)?\S{0,2}\s?(됐|되었|했|하였|해\s?드렸|끝났|마쳤|끝냈)(어요|습니다|어|죠|답니다|음|고|으며|으니|다)|` +
		`(이체|송금|입금)\s?(완료|성공)\s*[.!]*$|` +
		`\b(i|we|i've|we've)( have)?( just| already| now| successfully)*\s(sent|transferred|wired|paid|remitted)\b|` +
		`\b(transfer|payment|remittance|money|won|funds|cash|it)\b.{0,60}\b(is|was|were|has been|have been|been|are)( now| just| already| successfully)*\s(sent|transferred|wired|remitted|completed?|done|processed|successful|on (its|the) way)\b|` +
		`^\W*((ok|okay|done|sure|all done|all set)\W+)?(sent|transferred|wired)\b`)

	promise = regexp.MustCompile(`(?i)(보내|부쳐|쏴|(이체|송금|입금)(를|을)?\s?해)\s?(드릴게|드리겠|줄게|놓을게|둘게)|(보내|부치|(이체|송금|입금)하)겠(습니다|어요)|(보낼|부칠|(이체|송금|입금)할)게|` +
		`(이체|송금|입금)\S{0,2}\s?(\S+\s)?(진행|실행|처리)\S{0,2}\s?(하겠|할게|해\s?드릴게|해\s?드리겠|중|하고\s?있)|(보내|부치|(이체|송금|입금)하)(는 중|고 있)|` +
		`\b(i'll|i will|we'll|we will|i am going to|i'm going to|let me)( now| just)*\s(send|transfer|wire|remit|pay)\b|\b(i'm|i am|we're|we are)( now| just)*\s(sending|transferring|wiring|remitting)\b`)

	past = regexp.MustCompile(`(?i)(보내|부치|(이체|송금|입금)하)셨(어요|습니다|어|죠|지요|고|으며)|\byou( have|'ve)?( already| just)?\s(sent|transferred|wired|paid)\b`)

	balance = regexp.MustCompile(`(?i)(잔액|잔고|남은 돈)(은|는|이|가|도|을|를)?\s.*(이에요|예요|입니다|있어요|있습니다|남았|이고|이며)|\bbalance\b.*\b(is|of|has)\b|\byou have\b.*\b(left|in your account)\b`)

	// hedges make a sentence something else: it denies, asks, or says what would be if.
	hedges = regexp.MustCompile(`(?i)[?？]|않|(^|\s)(안|못)\s?(보|했|됐|이체|송금|입금|부)|아직|없|아니|실패|(으면|시면|다면|려면|하면|되면|라면|는지|거나|경우|셔야|해야|어야)|(확인|승인|말씀|버튼)\S*\s?(후|뒤|다음)|` +
		`\b(not|never|no|cannot|can't|couldn't|wasn't|haven't|hasn't|isn't|won't|if|once|when|whether|unless|would|could|should|shall|may)\b|n't\b`)

	// sendRequests ask for money to be sent. Whatever was sent before, nothing was for this one.
	sendRequests = regexp.MustCompile(`(?i)(보내|부쳐|쏴|이체|송금|입금)\s?(해\s?)?(줘|주세요|줄래|주라|드려|해|할게|부탁|하자)|^\W*(please |can you |could you )*(send|transfer|wire|pay|remit)\b`)
	// compose are requests for a text, in which people may send each other what they like.
	compose = regexp.MustCompile(`(?i)이야기|소설|예문|문장|편지|문자|메일|시나리오|대본|요약|써\s?줘|작성|\b(story|stories|novel|sentence|letter|e-?mail|essay|draft|write|summar\w*|example)\b`)
)

// claims tells by an error whether a text says, without the ledger behind it, that money was sent or will be, or how much
// there is.
func claims(b Brief, text string) error {
	request := b.Request
	if b.Todo != nil {
		request += "\n" + b.Todo.Request
	}
	if wishes.MatchString(request) || compose.MatchString(request) {
		return nil
	}
	text = quoted.ReplaceAllString(aside.ReplaceAllString(text, " "), "$1 ")
	about := moneyWords.MatchString(request)
	for sentence := range utterances(text) {
		if !about && !moneyWords.MatchString(sentence) || hedges.MatchString(sentence) {
			continue
		}
		switch {
		case balance.MatchString(sentence) && len(slot.Amounts(sentence)) > 0 && !b.booked(sentence):
			return errBalance
		case promise.MatchString(sentence):
			return errClaims
		case done.MatchString(sentence), past.MatchString(sentence):
			if sendRequests.MatchString(request) || !b.booked(sentence) {
				return errClaims
			}
		}
	}
	return nil
}

// truthful gives a text without untrue claims about money: the text itself; an error, so that it is sent back, the first
// time; and from then on the plain sentence. What the standby worded is: code made it.
func (i *Interpreter) truthful(b Brief, x Exchange, text string, warned *bool) (string, error) {
	claim := claims(b, text)
	if claim == nil || i.deps.Standby != nil && x.Provider == i.deps.Standby.Name() {
		return text, nil
	}
	if *warned {
		return plainly(claim, b.Lang), nil
	}
	*warned = true
	return text, apperr.Wrap(claim, apperr.ModelBadOutput)
}

// moving are words with which such a claim begins.
var moving = regexp.MustCompile(`(?i)보[내냈낼]|부[치쳤쳐칠]|쐈|쏴|이체|송금|입금|전송|잔액|잔고|남은 돈|\b(balance|you have|sen[dt]|transf|wire|paid|remit|payment)`)

// gate lets the words of a model through as they arrive. A sentence that could be a claim waits until it is whole; with the
// first untrue one the rest is kept back: the whole text is read again when it is there.
type gate struct {
	brief    Brief
	sentence string // at hand
	given    int    // bytes of it that went through
	shut     bool
}

// add takes the next words and gives those that may be shown.
func (g *gate) add(words string) string {
	if g.shut {
		return ""
	}
	g.sentence += words
	out := ""
	for whole := range utterances(g.sentence) {
		if !ended(whole) {
			break
		}
		if claims(g.brief, whole) != nil {
			g.shut = true
			return out
		}
		out += whole[g.given:]
		g.sentence, g.given = g.sentence[len(whole):], 0
	}
	if !moving.MatchString(g.sentence) {
		out += g.sentence[g.given:]
		g.given = len(g.sentence)
	}
	return out
}

// sentenceEnds are the marks a sentence may end with.
const sentenceEnds = ".!?？\n"

// ended tells whether a sentence has its mark.
func ended(sentence string) bool {
	last, _ := utf8.DecodeLastRuneInString(sentence)
	return strings.ContainsRune(sentenceEnds, last)
}

// utterances gives the sentences of a text, each with its mark. The point in 1.5 is none.
func utterances(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i, r := range text {
			next := i + utf8.RuneLen(r)
			if !strings.ContainsRune(sentenceEnds, r) || r == '.' && next < len(text) && text[next] >= '0' && text[next] <= '9' {
				continue
			}
			if !yield(text[start:next]) {
				return
			}
			start = next
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}

// booked tells whether a sentence names amounts, and only such as stand in what the shop itself noted: facts and the
// results of tools.
func (b Brief) booked(sentence string) bool {
	noted := map[int64]bool{}
	note := func(text string) {
		for _, a := range slot.Amounts(text) {
			noted[a.Value] = true
		}
	}
	for _, f := range b.Background.Facts {
		note(f)
	}
	for _, f := range b.Background.Fresh {
		note(f)
	}
	for _, r := range b.Results {
		if !r.Untrusted {
			note(r.Text)
		}
	}
	for _, round := range b.Rounds {
		for _, r := range round.Results {
			if r.OK && !r.Untrusted {
				note(r.Text)
			}
		}
	}
	amounts := slot.Amounts(sentence)
	for _, a := range amounts {
		if !noted[a.Value] {
			return false
		}
	}
	return len(amounts) > 0
}
