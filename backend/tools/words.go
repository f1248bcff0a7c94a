package tools

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
)

// span says a length of time in its units, from days to seconds: "1시간 5분", "1 hour, 5 minutes".
func span(d time.Duration, lang bilingual.Lang) string {
	units := []struct {
		length time.Duration
		ko, en string
	}{{24 * time.Hour, "일", "day"}, {time.Hour, "시간", "hour"}, {time.Minute, "분", "minute"}, {time.Second, "초", "second"}}
	var parts []string
	d = d.Round(time.Second)
	for _, u := range units {
		n := d / u.length
		d -= n * u.length
		switch {
		case n == 0:
		case lang == bilingual.KO:
			parts = append(parts, fmt.Sprintf("%d%s", n, u.ko))
		case n == 1:
			parts = append(parts, "1 "+u.en)
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, u.en))
		}
	}
	if lang == bilingual.KO {
		if len(parts) == 0 {
			return "0초"
		}
		return strings.Join(parts, " ")
	}
	if len(parts) == 0 {
		return "0 seconds"
	}
	return strings.Join(parts, ", ")
}

// kilometres says a distance: metres below one kilometre, one decimal below a hundred.
func kilometres(km float64) string {
	switch {
	case km < 1:
		return strconv.Itoa(int(km*1000+0.5)) + " m"
	case km < 100:
		return strconv.FormatFloat(km, 'f', 1, 64) + " km"
	}
	return strconv.Itoa(int(km+0.5)) + " km"
}
