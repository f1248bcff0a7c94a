package fakemodel

import (
	"strings"
	"testing"
)

// A call's arguments come in two pieces, each whole characters.
func TestACallIsCutBetweenCharacters(t *testing.T) {
	for arguments := `{"t":"가나다😀"}`; len(arguments) < 40; arguments += "가x" {
		if pieces := (openaiDialect{}).calls([]fakeCall{{"tool", arguments}}); strings.Contains(pieces, "\ufffd") || strings.Contains(pieces, `\ufffd`) {
			t.Errorf("%s: %s", arguments, pieces)
		}
	}
}
