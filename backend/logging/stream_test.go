package logging

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func write(s *Stream, message string) {
	_, _ = fmt.Fprintf(s, `{"level":"info","message":%q}`+"\n", message)
}

func messages(lines []Line) string {
	var out []string
	for _, l := range lines {
		if l.Missed > 0 {
			out = append(out, fmt.Sprintf("missed %d", l.Missed))
		} else {
			out = append(out, l.Message)
		}
	}
	return strings.Join(out, ",")
}

func TestNextGivesWhatIsThereThenWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewStream(10)
		write(s, "a")
		write(s, "b")
		reader := s.Subscribe()
		lines, err := reader.Next(t.Context())
		if got := messages(lines); got != "a,b" || err != nil {
			t.Fatalf("got %s, %v", got, err)
		}

		arrived := make(chan string, 1)
		go func() {
			lines, _ := reader.Next(context.Background())
			arrived <- messages(lines)
		}()
		synctest.Wait()
		select {
		case got := <-arrived:
			t.Fatalf("Next did not wait: %s", got)
		default:
		}
		write(s, "c")
		if got := <-arrived; got != "c" {
			t.Errorf("got %s", got)
		}
	})
}

// The window fetches the lines there are while it hears new ones: only the numbers tell which it has twice.
func TestLinesAreNumberedForEveryReader(t *testing.T) {
	s := NewStream(3)
	for _, message := range []string{"a", "b", "c", "d"} {
		write(s, message)
	}
	late, live := s.Subscribe(), s.Subscribe()
	numbers := func(r *Reader) (out []uint64) {
		lines, err := r.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			out = append(out, l.Seq)
		}
		return out
	}
	if got := numbers(live); !slices.Equal(got, []uint64{2, 3, 4}) {
		t.Errorf("got %v", got)
	}
	write(s, "e")
	if got := numbers(live); !slices.Equal(got, []uint64{5}) {
		t.Errorf("got %v", got)
	}
	if got := numbers(late); !slices.Equal(got, []uint64{0, 3, 4, 5}) { // one was missed and has no number
		t.Errorf("got %v", got)
	}
}

func TestNextEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := NewStream(1).Subscribe().Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

func TestSlowReaderIsToldWhatItMissed(t *testing.T) {
	s := NewStream(3)
	slow, fast := s.Subscribe(), s.Subscribe()
	for i := range 5 {
		write(s, fmt.Sprint(i))
		if lines, _ := fast.Next(t.Context()); messages(lines) != fmt.Sprint(i) {
			t.Errorf("the fast reader got %s", messages(lines))
		}
	}
	lines, _ := slow.Next(t.Context())
	if got := messages(lines); got != "missed 2,2,3,4" {
		t.Errorf("the slow reader got %s", got)
	}
	write(s, "5")
	lines, _ = slow.Next(t.Context())
	if got := messages(lines); got != "5" {
		t.Errorf("then it got %s", got)
	}
	late, _ := s.Subscribe().Next(t.Context())
	if got := messages(late); got != "3,4,5" {
		t.Errorf("a late reader got %s", got)
	}
}

func TestLineIsTakenApart(t *testing.T) {
	s := NewStream(0)
	_, _ = fmt.Fprintln(s, `{"level":"warn","component":"job","job":"7","n":12345678901234567890,"time":"2026-01-02T03:04:05.678Z","message":"멈췄어요"}`)
	_, _ = fmt.Fprintln(s, `plain text`)
	lines, _ := s.Subscribe().Next(t.Context())
	got := lines[0]
	want := time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)
	if got.Level != "warn" || got.Component != "job" || got.Message != "멈췄어요" || !got.Time.Equal(want) {
		t.Errorf("got %+v", got)
	}
	if fmt.Sprint(got.Fields) != "map[job:7 n:12345678901234567890]" {
		t.Errorf("fields %v", got.Fields)
	}
	if lines[1].Message != "plain text" {
		t.Errorf("got %+v", lines[1])
	}
}

func TestHugeLineIsShortened(t *testing.T) {
	s := NewStream(1)
	write(s, strings.Repeat("가", maxLine))
	if kept := len(s.ring[0]); kept > maxMessage+200 {
		t.Errorf("%d bytes kept", kept)
	}
	lines, _ := s.Subscribe().Next(t.Context())
	if m := lines[0].Message; !strings.HasPrefix(m, "가가") || !strings.HasSuffix(m, "가…") {
		t.Errorf("the message ends with %q", m[len(m)-12:])
	}
}

func TestManyWritersAndReaders(t *testing.T) {
	const writers, each = 4, 500
	s := NewStream(64)
	var readers, writing sync.WaitGroup
	for range 3 {
		reader := s.Subscribe()
		readers.Go(func() {
			for seen := uint64(0); seen < writers*each; {
				lines, err := reader.Next(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				for _, l := range lines {
					seen += max(1, l.Missed)
				}
			}
		})
	}
	for range writers {
		writing.Go(func() {
			for i := range each {
				write(s, fmt.Sprint(i))
			}
		})
	}
	writing.Wait()
	readers.Wait()
}

func BenchmarkStreamWrite(b *testing.B) {
	s := NewStream(0)
	line := []byte(`{"level":"info","component":"job","job":"0192f","message":"노래를 재생해요","time":"2026-01-02T03:04:05.678+09:00"}` + "\n")
	b.ReportAllocs()
	for b.Loop() {
		_, _ = s.Write(line)
	}
}
