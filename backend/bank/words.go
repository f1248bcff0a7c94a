package bank

import (
	"fmt"
	"time"

	"agentchat/backend/apperr"
)

// Answer is the sentence for whoever ordered a transfer: what came of the order at that time.
func (t Transfer) Answer() string {
	if t.Due != "" {
		return text{
			fmt.Sprintf("%s에 %s에게 %s을 보내도록 예약했어요.", DayName(t.Due, apperr.KO), t.Target, Won(t.Amount).In(apperr.KO)),
			fmt.Sprintf("%s will be sent to %s on %s.", Won(t.Amount).In(apperr.EN), t.Target, DayName(t.Due, apperr.EN)),
		}.In(t.Lang)
	}
	return t.sent(t.Known)
}

// Happened is the sentence for the chat a scheduled transfer was ordered in, once its day has come.
func (t Transfer) Happened() string {
	ko := fmt.Sprintf("%s에 예약하신 이체예요. ", DayName(t.Due, apperr.KO))
	en := fmt.Sprintf("The transfer scheduled for %s: ", DayName(t.Due, apperr.EN))
	if t.State == StateDone {
		return text{ko, en}.In(t.Lang) + t.sent(t.Balance)
	}
	return text{
		fmt.Sprintf("%s%s에게 %s을 보내지 못했어요. %s", ko, t.Target, Won(t.Amount).In(apperr.KO), t.Reason),
		fmt.Sprintf("%s%s could not be sent to %s. %s", en, Won(t.Amount).In(apperr.EN), t.Target, t.Reason),
	}.In(t.Lang)
}

// CalledOff is the sentence for whoever called a scheduled transfer off.
func (t Transfer) CalledOff(lang apperr.Lang) string {
	return text{
		fmt.Sprintf("%s에 %s에게 %s을 보내기로 한 예약을 취소했어요.", DayName(t.Due, apperr.KO), t.Target, Won(t.Amount).In(apperr.KO)),
		fmt.Sprintf("The transfer of %s to %s scheduled for %s was canceled.", Won(t.Amount).In(apperr.EN), t.Target, DayName(t.Due, apperr.EN)),
	}.In(lang)
}

// Deed is what a transfer did in a few words, for memory.
func (t Transfer) Deed() string {
	return text{
		fmt.Sprintf("%s %s에게 %s을 보냄", t.Day, t.Target, Won(t.Amount).In(apperr.KO)),
		fmt.Sprintf("%s sent %s to %s", t.Day, Won(t.Amount).In(apperr.EN), t.Target),
	}.In(t.Lang)
}

func (t Transfer) sent(left int64) string {
	return text{
		fmt.Sprintf("%s에게 %s을 보냈어요. 남은 돈은 %s이에요.", t.Target, Won(t.Amount).In(apperr.KO), Won(left).In(apperr.KO)),
		fmt.Sprintf("%s was sent to %s. %s is left.", Won(t.Amount).In(apperr.EN), t.Target, Won(left).In(apperr.EN)),
	}.In(t.Lang)
}

// DayName says a day of the form YYYY-MM-DD.
func DayName(iso string, lang apperr.Lang) string {
	t, err := time.Parse(time.DateOnly, iso)
	switch {
	case err != nil:
		return iso
	case lang == apperr.KO:
		return fmt.Sprintf("%d월 %d일", t.Month(), t.Day())
	}
	return t.Format("January 2")
}
