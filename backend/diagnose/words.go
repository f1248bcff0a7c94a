package diagnose

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// What the program says by itself: a sentence of its own in a log line has no digits, quotes, slashes or letters beyond English ones
// (archtest makes sure that such sentences are written in the code and put together of nothing); a key is made of names.
var (
	sentence = regexp.MustCompile(`^[A-Za-z][A-Za-z ,;:'()-]{0,120}$`)
	key      = regexp.MustCompile(`^[a-z][a-z0-9_.]{0,60}$`)
	closed   = regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,40}$`)
)

// closedFields are the fields of a log line whose values are the program's own names.
var closedFields = []string{"level", "component", "code", "kind", "state", "version", "outcome", "reason", "role", "node", "step", "setting"}

// signs are what systems and libraries say went wrong, in the words that the report keeps of an error's text.
var signs = []string{
	"connection refused", "connection reset", "no such host", "network is unreachable", "timeout", "deadline exceeded", "context canceled", "EOF",
	"no such file", "permission denied", "no space left", "read-only file system", "too many open files", "is a directory", "not a directory",
	"database is locked", "disk I/O error", "malformed", "unauthorized", "broken pipe", "invalid argument", "not implemented", "executable file not found",
}

// isClosed tells whether a text may be a name out of a closed set, and nothing that a person would write.
func isClosed(text string) bool { return closed.MatchString(text) }

// isKey tells whether a key is the program's own: those of single tools and groups hold names of others.
func isKey(text string) bool {
	return key.MatchString(text) && !strings.HasPrefix(text, "tools.") && !strings.HasPrefix(text, "groups.")
}

// sign is what is kept of an error: its code, if it begins with one, and what is known to be said by systems.
func sign(text string) string {
	var kept []string
	if code, _, is := strings.Cut(text, ": "); is && key.MatchString(code) && strings.Contains(code, "_") {
		kept = append(kept, code)
	}
	for _, s := range signs {
		if strings.Contains(text, s) {
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		return "(left out)"
	}
	return strings.Join(kept, ", ")
}

// logLine gives a line of the log without words; ok is false for what is no line of ours.
func logLine(line []byte) (text string, ok bool) {
	var fields map[string]any
	if json.Unmarshal(line, &fields) != nil {
		return "", false
	}
	at, _ := fields["time"].(string)
	if len(at) < 10 || strings.Trim(at, "0123456789-:.TZ+") != "" {
		return "", false
	}
	said, _ := fields["message"].(string)
	if !sentence.MatchString(said) {
		said = "(left out)"
	}
	parts := []string{at, fmt.Sprintf("%-5s", own(fields["level"])), own(fields["component"]) + ":", said}
	names := make([]string, 0, len(fields))
	for name := range fields {
		if !slices.Contains([]string{"time", "level", "component", "message"}, name) && key.MatchString(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		switch value := fields[name].(type) {
		case bool, float64:
			parts = append(parts, fmt.Sprintf("%s=%v", name, value))
		case string:
			switch {
			case name == "error":
				parts = append(parts, "error="+sign(value))
			case slices.Contains(closedFields, name):
				parts = append(parts, name+"="+own(value))
			}
		}
	}
	return strings.Join(parts, " "), true
}

func own(value any) string {
	if text, ok := value.(string); ok && isClosed(text) {
		return text
	}
	return "?"
}
