package bilingual

import (
	"strconv"
	"time"
)

// Clock says a time of day as the window writes it too, in halves of the day: 오전 8시, 오후 2시 32분; 8:00 AM, 2:32 PM.
func Clock(at time.Time, lang Lang) string {
	if lang != KO {
		return at.Format("3:04 PM")
	}
	text := half(at) + " " + at.Format("3") + "시"
	if at.Minute() > 0 {
		text += " " + strconv.Itoa(at.Minute()) + "분"
	}
	return text
}

// ClockSeconds says it to the second, in figures: 오후 2:32:07, 2:32:07 PM.
func ClockSeconds(at time.Time, lang Lang) string {
	if lang != KO {
		return at.Format("3:04:05 PM")
	}
	return half(at) + " " + at.Format("3:04:05")
}

func half(at time.Time) string {
	if at.Hour() < 12 {
		return "오전"
	}
	return "오후"
}
