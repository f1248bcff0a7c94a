package banking

import (
	"context"
	"fmt"
	"strings"

	"agentchat/backend/bank"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/slot"
	"agentchat/backend/toolbox"
)

// statement answers questions about money from the books: what was sent, what is there, what is scheduled.
type statement struct{ bank *bank.Bank }

// The questions it answers.
const (
	aboutBalance   = "balance"
	aboutScheduled = "scheduled"
	aboutLast      = "last"
)

// listed is how many payees or scheduled transfers a sentence names.
const listed = 8

type payeeTotal struct {
	Name  string `json:"name"`
	Total int64  `json:"total"`
	Count int    `json:"count"`
}

type planned struct {
	ID     string `json:"id"`
	Date   string `json:"date"`
	Target string `json:"target"`
	Amount int64  `json:"amount"`
	Memo   string `json:"memo"`
}

func (*statement) Spec() toolbox.Spec { return manual("statement") }

func (s *statement) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		About  string      `json:"about"`
		Period bank.Period `json:"period"`
		Payee  string      `json:"payee"`
	}
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	sum, err := s.bank.Sum(ctx, bank.Question{Period: args.Period, Payee: args.Payee, Chat: call.Chat})
	if err != nil {
		return toolbox.Result{}, err
	}
	text := sentText(sum, call.Lang)
	switch args.About {
	case aboutBalance:
		text = balanceText(sum, call.Lang)
	case aboutLast:
		text = lastText(sum, call.Lang)
	case aboutScheduled:
		text = scheduledText(sum, call.Lang)
	}
	data := struct {
		Text      string       `json:"text"`
		Period    bank.Period  `json:"period"`
		Payee     string       `json:"payee,omitempty"`
		Total     int64        `json:"total"`
		Count     int          `json:"count"`
		Payees    []payeeTotal `json:"payees"`
		Balance   int64        `json:"balance"`
		Scheduled []planned    `json:"scheduled"`
	}{text, sum.Period, sum.Payee, sum.Total, sum.Count, []payeeTotal{}, sum.Balance, []planned{}}
	for _, t := range sum.Payees {
		data.Payees = append(data.Payees, payeeTotal{t.Name, t.Amount, t.Count})
	}
	for _, t := range sum.Scheduled {
		data.Scheduled = append(data.Scheduled, planned{t.ID, t.Due, t.Target, t.Amount, t.Memo})
	}
	return toolbox.ResultOf(data, text)
}

// when are the words for a period, at the head of a sentence.
var when = map[bank.Period]bilingual.Text{
	bank.PeriodToday:     {KO: "오늘", EN: "Today"},
	bank.PeriodYesterday: {KO: "어제", EN: "Yesterday"},
	bank.PeriodWeek:      {KO: "이번 주에", EN: "This week"},
	bank.PeriodLastWeek:  {KO: "지난주에", EN: "Last week"},
	bank.PeriodMonth:     {KO: "이번 달에", EN: "This month"},
	bank.PeriodLastMonth: {KO: "지난달에", EN: "Last month"},
	bank.PeriodAll:       {KO: "지금까지", EN: "So far"},
	bank.PeriodChat:      {KO: "이번에", EN: "This time"},
}

// sentText says what was sent: 이번에 총 6만원을 보내셨어요. 엄마에게 1만원, 용걸이에게 5만원이었어요.
func sentText(s bank.Summary, lang bilingual.Lang) string {
	head, total, sent := when[s.Period].In(lang), bank.Won(s.Total).In(lang), "have sent"
	if s.Period == bank.PeriodYesterday || s.Period == bank.PeriodLastWeek || s.Period == bank.PeriodLastMonth {
		sent = "sent" // it is over
	}
	switch {
	case s.Count == 0 && s.Payee != "":
		return bilingual.Say(lang, head+" "+s.Payee+"에게 보낸 돈이 없어요.", head+" you "+sent+" nothing to "+s.Payee+".")
	case s.Count == 0:
		return bilingual.Say(lang, head+" 보낸 돈이 없어요.", head+" you "+sent+" no money.")
	case s.Payee != "":
		return bilingual.Say(lang, head+" "+s.Payee+"에게 총 "+total+"을 보내셨어요.", head+" you "+sent+" "+total+" to "+s.Payee+".")
	}
	parts := make([]string, 0, listed)
	for _, t := range s.Payees[:min(len(s.Payees), listed)] {
		amount := bank.Won(t.Amount).In(lang)
		parts = append(parts, bilingual.Say(lang, t.Name+"에게 "+amount, amount+" to "+t.Name))
	}
	tail := bilingual.Say(lang, "이었어요.", ".")
	if more := len(s.Payees) - listed; more > 0 {
		tail = bilingual.Say(lang, fmt.Sprintf(", 그 밖에 %d명이었어요.", more), fmt.Sprintf(", and to %d more.", more))
	}
	return bilingual.Say(lang,
		head+" 총 "+total+"을 보내셨어요. "+strings.Join(parts, ", ")+tail,
		head+" you "+sent+" "+total+" in all: "+strings.Join(parts, ", ")+tail)
}

// lastText says what was sent last: 마지막으로 보낸 돈은 11월 21일 엄마에게 1만원이에요.
func lastText(s bank.Summary, lang bilingual.Lang) string {
	if s.Last == nil {
		return bilingual.Say(lang, "아직 보낸 돈이 없어요.", "You have sent no money yet.")
	}
	day, amount := slot.SayDay(s.Last.Day, lang), bank.Won(s.Last.Amount).In(lang)
	return bilingual.Say(lang, "마지막으로 보낸 돈은 "+day+" "+s.Last.Target+"에게 "+amount+"이에요.", "The last you sent was "+amount+" to "+s.Last.Target+" on "+day+".")
}

func balanceText(s bank.Summary, lang bilingual.Lang) string {
	balance := bank.Won(s.Balance).In(lang)
	return bilingual.Say(lang, s.Title+" 잔액은 "+balance+"이에요.", "The balance of your account ("+s.Title+") is "+balance+".")
}

func scheduledText(s bank.Summary, lang bilingual.Lang) string {
	n := len(s.Scheduled)
	if n == 0 {
		return bilingual.Say(lang, "예약된 이체가 없어요.", "No transfer is scheduled.")
	}
	parts := make([]string, 0, listed)
	for _, t := range s.Scheduled[:min(n, listed)] {
		day, amount := slot.SayDay(t.Due, lang), bank.Won(t.Amount).In(lang)
		parts = append(parts, bilingual.Say(lang, day+" "+t.Target+"에게 "+amount, amount+" to "+t.Target+" on "+day))
	}
	tail := bilingual.Say(lang, "이에요.", ".")
	if more := n - listed; more > 0 {
		tail = bilingual.Say(lang, fmt.Sprintf(", 그 밖에 %d건이에요.", more), fmt.Sprintf(", and %d more.", more))
	}
	return bilingual.Say(lang,
		fmt.Sprintf("예약된 이체는 %d건이에요. ", n)+strings.Join(parts, ", ")+tail,
		fmt.Sprintf("Scheduled (%d): ", n)+strings.Join(parts, ", ")+tail)
}
