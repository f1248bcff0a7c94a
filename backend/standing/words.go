package standing

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"agentchat/backend/brief"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/hangul"
	"agentchat/backend/language/slot"
)

// Say puts a rule into words: 매주 월요일 오전 10시, every Monday at 10:00 AM.
func Say(rule string, lang bilingual.Lang) string {
	r, err := said(rule)
	if err != nil {
		return rule
	}
	text := often(r, lang)
	if len(r.Hours) > 0 {
		var times []string
		for _, h := range r.Hours {
			times = append(times, clock(h, r.Minute, lang))
		}
		text += bilingual.Say(lang, " ", " at ") + strings.Join(times, bilingual.Say(lang, "와 ", " and "))
	}
	return text + endWords(r, lang)
}

func endWords(r slot.Recurrence, lang bilingual.Lang) (text string) {
	if day, err := time.Parse(time.DateOnly, r.Until); err == nil {
		text += day.Format(bilingual.Say(lang, ", 1월 2일까지", ", until January 2"))
	}
	if r.Count > 0 {
		text += bilingual.Say(lang, ", %d번", ", %d times in all", r.Count)
	}
	return text
}

// Say says when an order runs.
func (o Order) Say(lang bilingual.Lang) string {
	if o.Trigger == nil {
		return Say(o.Rule, lang)
	}
	r, err := saidEnds(o.Rule)
	if err != nil {
		return o.Rule
	}
	return o.Trigger.say(lang) + endWords(r, lang)
}

// say puts a trigger into words: 다운로드 폴더에 파일이 올 때마다, whenever a file arrives in Downloads.
func (t *Trigger) say(lang bilingual.Lang) string {
	if t.On == OnTicket {
		return bilingual.Say(lang, hangul.With(t.Called.KO, "이", "가")+" "+t.Ends.KO+" 때마다", "whenever "+t.Called.EN+" "+t.Ends.EN)
	}
	if t.File != "" {
		return t.sayNamed(lang)
	}
	what := bilingual.Say(lang, "파일", "a file")
	if len(t.Endings) > 0 {
		list := strings.Join(t.Endings, ", ")
		what = bilingual.Say(lang, list+" 파일", "a "+list+" file")
	}
	where := bilingual.Say(lang, "‘"+t.Name+"’ 폴더에", "in “"+t.Name+"”")
	switch {
	case !t.Changes:
		return bilingual.Say(lang, where+" "+what+"이 올 때마다", "whenever "+what+" arrives "+where)
	case !t.Arrives:
		return bilingual.Say(lang, where+"서 "+what+"이 바뀔 때마다", "whenever "+what+" changes "+where)
	}
	return bilingual.Say(lang, where+" "+what+"이 오거나 바뀔 때마다", "whenever "+what+" arrives or changes "+where)
}

// sayNamed puts a trigger of one file into words.
func (t *Trigger) sayNamed(lang bilingual.Lang) string {
	ko, en := "‘"+t.Name+"’ 파일이", "whenever “"+t.Name+"” "
	switch {
	case !t.Changes:
		return bilingual.Say(lang, ko+" 올 때마다", en+"arrives")
	case !t.Arrives:
		return bilingual.Say(lang, ko+" 바뀔 때마다", en+"changes")
	}
	return bilingual.Say(lang, ko+" 오거나 바뀔 때마다", en+"arrives or changes")
}

// because says of a run what set it off.
func because(c Claim) string {
	lang, t := c.Order.Lang, c.Order.Trigger
	if t == nil || len(c.Events) == 0 {
		return ""
	}
	text := c.listed(quoted)
	if t.On == OnTicket {
		return bilingual.Say(lang, text+": 끝나서 해요.", text+" ended, so I do this.")
	}
	verb := bilingual.Say(lang, "왔어요", "arrived")
	if !t.Arrives {
		verb = bilingual.Say(lang, "바뀌었어요", "changed")
	}
	return bilingual.Say(lang, "파일이 "+verb+": "+text+".", "A file "+verb+": "+text+".")
}

// quoted shows a name that anybody may have given as nothing but a name.
func quoted(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '`' || !unicode.IsPrint(r) {
			return '·'
		}
		return r
	}, name)
	return "`" + brief.Fit(name, 200) + "`"
}

// heldWords say that an order was set off too often.
func heldWords(o Order, until time.Time) string {
	return bilingual.Say(o.Lang, "정기 주문 ‘%s’: 10분 동안 %d번 했어요. 너무 잦아서 %s까지 쉬고, 그 사이에 일어난 것은 그때 이어서 해요. 끝없이 되풀이된다면 정기 주문 페이지에서 멈춰 주세요.",
		"Standing order “%s”: it ran %[2]d times in 10 minutes. That is too often, so it rests until %[3]s and goes on then with what happens meanwhile. If it goes round in a circle, pause it on the standing orders page.",
		o.What, mostSetOff, clock(until.Hour(), until.Minute(), o.Lang))
}

func often(r slot.Recurrence, lang bilingual.Lang) string {
	n := r.Interval
	each := func(one, ko, en string) string {
		if n == 1 {
			return one
		}
		return bilingual.Say(lang, "%d"+ko+"마다", "every %d "+en, n)
	}
	switch r.Freq {
	case "MINUTELY":
		return each(bilingual.Say(lang, "1분마다", "every minute"), "분", "minutes")
	case "HOURLY":
		return each(bilingual.Say(lang, "매시간", "every hour"), "시간", "hours")
	case "DAILY":
		return each(bilingual.Say(lang, "매일", "every day"), "일", "days")
	case "WEEKLY":
		return weekly(r, lang, each(bilingual.Say(lang, "매주", "every"), "주", "weeks on"))
	case "MONTHLY":
		return each(bilingual.Say(lang, "매달", "every month"), "달", "months") + bilingual.Say(lang, " ", " on the ") + dayOfMonth(r.Day, 28, lang)
	default:
		day := dayOfMonth(r.Day, 31, lang)
		if r.Month == time.February {
			day = dayOfMonth(r.Day, 28, lang)
		}
		return each(bilingual.Say(lang, "매년", "every year"), "년", "years") + bilingual.Say(lang, " %d월 ", " in %s on the ", monthIn(r.Month, lang)) + day
	}
}

func monthIn(m time.Month, lang bilingual.Lang) any {
	if lang == bilingual.KO {
		return int(m)
	}
	return m.String()
}

// dayOfMonth names a day; of one above sure that some months lack it says what stands for it there.
func dayOfMonth(day, sure int, lang bilingual.Lang) string {
	switch {
	case day < 0:
		return bilingual.Say(lang, "말일", "last day")
	case day > sure:
		return bilingual.Say(lang, "%d일(없는 달에는 말일)", "%s (or the last day of a shorter month)", ordinal(day, lang))
	}
	return bilingual.Say(lang, "%d일", "%s", ordinal(day, lang))
}

func ordinal(n int, lang bilingual.Lang) any {
	if lang == bilingual.KO {
		return n
	}
	end := "th"
	if n/10 != 1 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return fmt.Sprint(n, end)
}

var koWeekdays = []string{"일", "월", "화", "수", "목", "금", "토"}

func weekly(r slot.Recurrence, lang bilingual.Lang, every string) string {
	var days []string
	set := 0
	for _, d := range r.Weekdays {
		set |= 1 << d
		days = append(days, bilingual.Say(lang, koWeekdays[d]+"요일", d.String()))
	}
	if r.Interval == 1 {
		switch set {
		case 0b0111110:
			return bilingual.Say(lang, "평일마다", "every weekday")
		case 0b1000001:
			return bilingual.Say(lang, "주말마다", "every weekend day")
		}
	}
	return every + " " + strings.Join(days, bilingual.Say(lang, "·", ", "))
}

func clock(hour, minute int, lang bilingual.Lang) string {
	return bilingual.Clock(time.Date(2000, 1, 1, hour, minute, 0, 0, time.UTC), lang)
}

// Moment puts a moment into words: 11월 24일(화) 오전 8시, Tuesday, November 24 at 8:00 AM.
func Moment(at time.Time, lang bilingual.Lang) string {
	time := clock(at.Hour(), at.Minute(), lang)
	if lang == bilingual.EN {
		return at.Format("Monday, January 2 at ") + time
	}
	return at.Format("1월 2일(") + koWeekdays[at.Weekday()] + ") " + time
}

// LateWords say what set a run off, that it comes late, and how many before it passed unseen; nothing when none is so.
func LateWords(c Claim) string {
	lang := c.Order.Lang
	text := because(c)
	if c.Late() {
		text = bilingual.Say(lang, "%s에 할 것이었는데 그때 꺼져 있거나 바빠서 지금 해요.", "This was due on %s, when I was away or busy, so I do it now.", Moment(c.Due, lang))
	}
	switch {
	case c.Missed > 0 && len(c.Events) > 0:
		text += bilingual.Say(lang, " 꺼져 있는 동안 온 것 중 마지막 것만 하고, 그 전의 %d개는 지나갔어요.", " Of what came while I was away I take the last; %d before it went by.", c.Missed)
	case c.Missed > 0:
		text += bilingual.Say(lang, " 그 전의 %d번은 하지 못하고 지나갔어요.", " Before it, %d more went by undone.", c.Missed)
	}
	return strings.TrimSpace(text)
}

// missedWords tell of moments that passed and are not made up for.
func missedWords(c Claim) string {
	lang := c.Order.Lang
	switch {
	case c.Outcome == Looped:
		return bilingual.Say(lang, "정기 주문 ‘%s’: 다른 정기 주문을 거쳐 돌아온 일이라 하지 않았어요 (%s). 서로 끝없이 부르지 않게 막은 거예요.",
			"Standing order “%s”: not done, because another standing order led to it (%s). Orders may not set each other off without end.", c.Order.What, quoted(c.Events[0].Name))
	case len(c.Events) > 0:
		return bilingual.Say(lang, "정기 주문 ‘%s’: 꺼져 있는 동안 %d가지가 지나갔어요. 마지막은 %s예요.", "Standing order “%s”: %d went by while I was away, the last was %s.", c.Order.What, c.Missed, quoted(c.Events[len(c.Events)-1].Name))
	}
	if c.Outcome == Busy {
		return bilingual.Say(lang, "정기 주문 ‘%s’: 앞의 일이 아직 끝나지 않아서 %s 것은 하지 않았어요.", "Standing order “%s”: the run before is not over, so the one of %s was left out.", c.Order.What, Moment(c.Due, lang))
	}
	if c.Missed > 1 {
		return bilingual.Say(lang, "정기 주문 ‘%s’: 꺼져 있는 동안 %d번이 지나갔어요. 마지막은 %s 것이에요.", "Standing order “%s”: %d went by while I was away, the last on %s.", c.Order.What, c.Missed, Moment(c.Due, lang))
	}
	return bilingual.Say(lang, "정기 주문 ‘%s’: 꺼져 있는 동안 %s 것이 지나갔어요.", "Standing order “%s”: the one of %s went by while I was away.", c.Order.What, Moment(c.Due, lang))
}
