package stream_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"agentchat/backend/stream"
)

func TestReadsAsLongAsSomebodyWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := stream.Until(ctx, strings.NewReader("abc"))
	if _, err := r.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if n, err := r.Read(make([]byte, 1)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d, %v", n, err)
	}
}

func TestNotesWhatWentWrongWithReading(t *testing.T) {
	whole := &stream.Source{From: strings.NewReader("abc")}
	if text, err := io.ReadAll(whole); string(text) != "abc" || err != nil || whole.Err != nil {
		t.Errorf("%q, %v, %v", text, err, whole.Err)
	}
	broken := &stream.Source{From: iotest.ErrReader(io.ErrUnexpectedEOF)}
	if _, err := io.ReadAll(broken); err == nil || !errors.Is(broken.Err, io.ErrUnexpectedEOF) {
		t.Errorf("%v, %v", err, broken.Err)
	}
}

func TestRefusesToReadMore(t *testing.T) {
	tooMuch := errors.New("too much")
	text, err := io.ReadAll(&stream.Bounded{ReadCloser: io.NopCloser(strings.NewReader("abcdef")), Left: 4, TooMuch: tooMuch})
	if string(text) != "abcd" || !errors.Is(err, tooMuch) {
		t.Errorf("%q, %v", text, err)
	}
}
