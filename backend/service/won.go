package service

import (
	"strconv"
	"strings"
)

// wonKO writes an amount as Koreans say it: 1만원, 1만 5천원, 3억 2,500만원, 1,234원.
func wonKO(n int64) string {
	if n < 0 {
		return "-" + wonKO(-n)
	}
	var parts []string
	for _, unit := range []struct {
		size int64
		name string
	}{{1_0000_0000_0000, "조"}, {1_0000_0000, "억"}, {1_0000, "만"}} {
		if n >= unit.size {
			parts = append(parts, comma(n/unit.size)+unit.name)
			n %= unit.size
		}
	}
	switch {
	case n > 0 && n%1000 == 0 && len(parts) > 0:
		parts = append(parts, strconv.FormatInt(n/1000, 10)+"천")
	case n > 0 || len(parts) == 0:
		parts = append(parts, comma(n))
	}
	return strings.Join(parts, " ") + "원"
}
