// Package brief makes a text short enough for a line, a card or a record: by whole characters, never through one.
package brief

import "unicode/utf8"

// First is the beginning of a text, so many characters at the most.
func First(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most])
}

// Cut is First, with an ellipsis behind it where the text goes on.
func Cut(text string, most int) string { return shortened(text, most, most) }

// Fit is Cut where the ellipsis counts, too: nothing is longer than most.
func Fit(text string, most int) string { return shortened(text, most, most-1) }

func shortened(text string, most, kept int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return First(text, kept) + "…"
}
