package slot_test

import (
	"fmt"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/slot"
)

func Example() {
	friday := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for _, text := range []string{"엄마한테 3만5천원 보내줘", "send mom 20 thousand won"} {
		amount, _ := slot.Money(text)
		fmt.Println(slot.SayWon(amount, bilingual.KO), "/", slot.SayWon(amount, bilingual.EN))
	}
	day, _ := slot.Date("다음 주 화요일에 부산 날씨", friday)
	span, _ := slot.Duration("in an hour and a half", friday)
	fmt.Println(day, span)
	// Output:
	// 3만5천원 / 35,000 won
	// 2만원 / 20,000 won
	// 2026-11-24 5400
}
