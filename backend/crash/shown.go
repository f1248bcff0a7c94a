package crash

import (
	"regexp"
	"strings"
)

// The lines of a report that hold no word of a person: what the runtime and the compiler wrote. A frame's arguments are numbers.
var safe = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`program: [\w.+()/ -]+`,
	`(?:panic: )?runtime error: [a-z ]+(?:\[[\d:]+\])?[a-z \d:]*`,
	`(?:panic: )?runtime error: [a-z ]+`,
	`fatal error: [a-z :\-]+`,
	`(?:panic|runtime|signal): ?(?:SIG[A-Z]+|signal SIG[A-Z]+): [a-z ]+`,
	`SIG[A-Z]+: [a-z ]+`,
	`\[signal SIG[A-Z]+: [\w :=]+\]`,
	`PC=0x[0-9a-f]+ m=\d+ sigcode=\d+(?: addr=0x[0-9a-f]+)?`,
	`signal arrived during cgo execution`,
	`goroutine \d+ .*\[[a-z ,\d()]+\]:`,
	`runtime: [a-z ]+`,
	`[\w./*()\[\]{}·~…,$-]+\((?:0x[0-9a-f]+|[{}?, .]|\.\.\.)*\)`,
	`created by [\w./*()\[\]{}·,$-]+(?: in goroutine \d+)?`,
	`r[\da-z]+\s+0x[0-9a-f]+|(?:rip|rflags|cs|fs|gs)\s+0x[0-9a-f]+`,
	`\.\.\.(?:additional frames elided|\d+ frames elided)\.*`,
}, "|") + `)$`)

// place is where in the source a frame stands: the last two parts of the path are enough, and more may name a person's home.
var place = regexp.MustCompile(`^\t(?:(?:.*[/\\])?([\w.@-]+[/\\][\w.-]+\.(?:go|s))|([\w.-]+\.(?:go|s))):(\d+)(?: \+0x[0-9a-f]+)?$`)

// Shown is a report without anything that a person may have said: the kind of the failure and where it happened. A line it does not know
// is left out, and said to be.
func Shown(text string) string {
	var out strings.Builder
	left := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch at := place.FindStringSubmatch(line); {
		case line == "" || safe.MatchString(line):
			out.WriteString(line + "\n")
		case at != nil:
			out.WriteString("\t" + at[1] + at[2] + ":" + at[3] + "\n")
		case left:
			continue
		default:
			kind := ""
			if strings.HasPrefix(line, "panic: ") {
				kind = "panic: "
			}
			out.WriteString(kind + "(words are left out)\n")
			left = true
			continue
		}
		left = false
	}
	return out.String()
}
