package reading

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/provider"
	"agentchat/backend/slot"
)

// Bare gives a slot's value when the message is nothing but that value, as an answer to the question for it is.
func Bare(s provider.SlotCard, text string, now time.Time) (any, bool) {
	text = strings.TrimRight(strings.TrimSpace(norm.NFC.String(text)), ".!~ ")
	words := strings.Fields(text)
	switch s.Type {
	case "name":
		name := bareName(text)
		return name, name != "" && len(words) <= 2
	case "text":
		return text, text != "" && !strings.ContainsAny(text, "?？")
	}
	if found := Find(s, text, now); len(found) == 1 && len(words) <= 4 && leftover(s, text) {
		return found[0], true
	}
	return nil, false
}

// leftover tells whether a short answer holds only its value: digits, numerals, units and particles.
func leftover(s provider.SlotCard, text string) bool {
	if s.Type == "enum" || s.Type == "date" || s.Type == "time" {
		return true
	}
	for _, w := range strings.Fields(text) {
		if !strings.ContainsFunc(w, unicode.IsDigit) && !strings.ContainsAny(w, "영일이삼사오육칠팔구십백천만억원") && !amountWords[strings.ToLower(w)] {
			return false
		}
	}
	return true
}

var amountWords = map[string]bool{"won": true, "krw": true, "thousand": true, "million": true, "hundred": true, "마이너스": true, "minus": true, "ten": true, "twenty": true, "thirty": true, "forty": true, "fifty": true, "five": true, "one": true, "two": true, "three": true, "네": true, "음": true}

func bareName(text string) string {
	for _, p := range []string{"한테요", "에게요", "한테", "에게", "께", "이요", "요"} {
		if cut, ok := strings.CutSuffix(text, p); ok && cut != "" {
			text = cut
			break
		}
	}
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "to "), "To "))
	if slot.FunctionWord(text) || strings.ContainsAny(text, "?？0123456789,") {
		return ""
	}
	return text
}

// Check tells whether a proposed value stands in the text, and gives it in the form a slot holds.
func Check(s provider.SlotCard, raw json.RawMessage, text string, asked bool, now time.Time) (any, bool) {
	value, ok := decode(s, raw)
	if !ok {
		return nil, false
	}
	if asked {
		if v, ok := Bare(s, text, now); ok && v == value {
			return value, true
		}
	}
	for _, v := range Find(s, text, now) {
		if v == value {
			return value, true
		}
	}
	if words, is := value.(string); is && s.Type == "text" && len([]rune(words)) > 1 {
		return value, strings.Contains(norm.NFC.String(text), words) && len(Find(s, text, now)) > 0
	}
	return nil, false
}

// decode reads a proposed value strictly: a whole number or a string.
func decode(s provider.SlotCard, raw json.RawMessage) (any, bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if len(raw) == 0 || dec.Decode(&v) != nil {
		return nil, false
	}
	number := s.Type == "money" || s.Type == "number"
	switch v := v.(type) {
	case json.Number:
		n, err := v.Int64()
		return n, number && err == nil
	case string:
		if number {
			n, err := json.Number(strings.ReplaceAll(strings.TrimSpace(v), ",", "")).Int64()
			return n, err == nil
		}
		v = strings.TrimSpace(norm.NFC.String(v))
		return v, v != ""
	}
	return nil, false
}
