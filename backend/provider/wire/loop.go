package wire

import (
	"bytes"
	"errors"
	"unicode"
)

// How an answer is recognised that will never end well.
const (
	loopWindow = 2048 // bytes that must repeat
	loopPeriod = 256  // the longest repetition looked for
	loopEvery  = 256  // bytes between two looks
	maxBlank   = 1024 // white space in a row
)

var (
	errLoop  = errors.New("the answer repeats itself without end")
	errBlank = errors.New("the answer is nothing but white space")
)

// loop watches a text for endless repetition. Its zero value is ready.
type loop struct {
	window []byte
	fresh  int // bytes since the last look
	blank  int // white space in a row
}

func (l *loop) add(text string) error {
	for _, r := range text {
		if unicode.IsSpace(r) {
			l.blank++
		} else {
			l.blank = 0
		}
		if l.blank > maxBlank {
			return errBlank
		}
	}
	l.window = append(l.window, text...)
	if l.fresh += len(text); l.fresh < loopEvery || len(l.window) < loopWindow {
		return nil
	}
	l.fresh = 0
	l.window = append(l.window[:0], l.window[len(l.window)-loopWindow:]...)
	for period := 1; period <= loopPeriod; period++ {
		if bytes.Equal(l.window[period:], l.window[:loopWindow-period]) {
			return errLoop
		}
	}
	return nil
}
