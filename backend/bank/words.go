package bank

import (
	"fmt"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/slot"
)

// Answer is the sentence for whoever ordered a transfer: what came of the order at that time.
func (t Transfer) Answer() string {
	if t.Due != "" {
		return bilingual.Of(
			fmt.Sprintf("%s에 %s에게 %s을 보내도록 예약했어요.", slot.SayDay(t.Due, bilingual.KO), t.Target, Won(t.Amount).In(bilingual.KO)),
			fmt.Sprintf("%s will be sent to %s on %s.", Won(t.Amount).In(bilingual.EN), t.Target, slot.SayDay(t.Due, bilingual.EN)),
		).In(t.Lang)
	}
	return t.sent(t.Known)
}

// Happened is the sentence for the chat a scheduled transfer was ordered in, once its day has come.
func (t Transfer) Happened() string {
	ko := fmt.Sprintf("%s에 예약하신 이체예요. ", slot.SayDay(t.Due, bilingual.KO))
	en := fmt.Sprintf("The transfer scheduled for %s: ", slot.SayDay(t.Due, bilingual.EN))
	if t.State == StateDone {
		return bilingual.Of(ko, en).In(t.Lang) + t.sent(t.Balance)
	}
	return bilingual.Of(
		fmt.Sprintf("%s%s에게 %s을 보내지 못했어요. %s", ko, t.Target, Won(t.Amount).In(bilingual.KO), t.Reason),
		fmt.Sprintf("%s%s could not be sent to %s. %s", en, Won(t.Amount).In(bilingual.EN), t.Target, t.Reason),
	).In(t.Lang)
}

// Planned is what a scheduled transfer is called.
func (t Transfer) Planned(lang bilingual.Lang) string {
	return bilingual.Say(lang, "예약 이체: %s에게 %s", "Scheduled transfer: %[2]s to %[1]s", t.Target, Won(t.Amount).In(lang))
}

// CalledOff is the sentence for whoever called a scheduled transfer off.
func (t Transfer) CalledOff(lang bilingual.Lang) string {
	return bilingual.Of(
		fmt.Sprintf("%s에 %s에게 %s을 보내기로 한 예약을 취소했어요.", slot.SayDay(t.Due, bilingual.KO), t.Target, Won(t.Amount).In(bilingual.KO)),
		fmt.Sprintf("The transfer of %s to %s scheduled for %s was canceled.", Won(t.Amount).In(bilingual.EN), t.Target, slot.SayDay(t.Due, bilingual.EN)),
	).In(lang)
}

// Text is what was done on the transfer's day, in a few words, for memory: it was made, or put down for a later day.
func (t Transfer) Text() string {
	amount, memo := Won(t.Amount).In(t.Lang), ""
	if t.Memo != "" {
		memo = " (" + t.Memo + ")"
	}
	if t.Due > t.Day {
		return bilingual.Say(t.Lang, "%[1]s %[2]s에게 %[3]s 이체를 %[4]s로 예약함%[5]s", "%[1]s scheduled a transfer of %[3]s to %[2]s for %[4]s%[5]s",
			t.Day, t.Target, amount, t.Due, memo)
	}
	return bilingual.Say(t.Lang, "%[1]s %[2]s에게 %[3]s을 보냄%[4]s", "%[1]s sent %[3]s to %[2]s%[4]s", t.Day, t.Target, amount, memo)
}

func (t Transfer) sent(left int64) string {
	return bilingual.Of(
		fmt.Sprintf("%s에게 %s을 보냈어요. 남은 돈은 %s이에요.", t.Target, Won(t.Amount).In(bilingual.KO), Won(left).In(bilingual.KO)),
		fmt.Sprintf("%s was sent to %s. %s is left.", Won(t.Amount).In(bilingual.EN), t.Target, Won(left).In(bilingual.EN)),
	).In(t.Lang)
}
