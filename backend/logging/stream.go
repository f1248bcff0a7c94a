package logging

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"
)

const (
	// DefaultLines is how many lines a stream keeps unless told otherwise.
	DefaultLines = 5000

	maxLine    = 32 << 10 // bytes; of a longer line only the beginning of its message is kept
	maxMessage = 4 << 10  // bytes of that beginning
)

// Line is one line of the live log. A line with Missed > 0 stands for that many lines that were dropped because the
// reader was slower than the log; all else in it is empty.
type Line struct {
	// Seq is the line's number in the stream, from 1 on: it tells a line that was heard from one that was fetched.
	Seq       uint64         `json:"seq,omitempty"`
	Time      time.Time      `json:"time" ts_type:"string"`
	Level     string         `json:"level" ts_type:"'debug' | 'info' | 'warn' | 'error' | ''"`
	Component string         `json:"component,omitempty"`
	Message   string         `json:"message"`
	Fields    map[string]any `json:"fields,omitempty"`
	Missed    uint64         `json:"missed,omitempty"`
}

// Stream keeps the newest lines of the log for readers that come and go. Writing never waits for a reader: a reader that
// is too slow loses the oldest lines and is told how many. It is safe for concurrent use.
type Stream struct {
	mu    sync.Mutex
	ring  [][]byte      // raw lines; line n is at n modulo the length
	next  uint64        // the number of the line to come; numbers begin at 0
	ready chan struct{} // closed when a line arrives; nil while nobody waits
}

// NewStream makes a stream that keeps the newest lines (DefaultLines if lines < 1).
func NewStream(lines int) *Stream {
	if lines < 1 {
		lines = DefaultLines
	}
	return &Stream{ring: make([][]byte, lines)}
}

// Write implements io.Writer for one line of JSON. It copies the line; taking it apart is left to the readers.
func (s *Stream) Write(line []byte) (int, error) {
	kept := bytes.TrimSuffix(line, []byte{'\n'})
	if len(kept) > maxLine {
		kept = shorten(kept)
	} else {
		kept = bytes.Clone(kept)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ring[s.next%uint64(len(s.ring))] = kept
	s.next++
	if s.ready != nil {
		close(s.ready)
		s.ready = nil
	}
	return len(line), nil
}

// Reader reads a stream at its own speed. One reader is for one goroutine.
type Reader struct {
	stream *Stream
	next   uint64
}

// Subscribe gives a reader that begins with the lines the stream still has. It needs no closing.
func (s *Stream) Subscribe() *Reader {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Reader{stream: s, next: s.oldest()}
}

// oldest is the number of the first line that is still there. The caller holds mu.
func (s *Stream) oldest() uint64 {
	if size := uint64(len(s.ring)); s.next > size {
		return s.next - size
	}
	return 0
}

// Next waits for new lines and gives all there are, oldest first; a reader that pauses between calls gets the lines of
// the pause in one piece. Lines that were dropped meanwhile come first, as one line with Missed. The error is ctx's.
func (r *Reader) Next(ctx context.Context) ([]Line, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		raw, missed, ready := r.take()
		if ready == nil {
			return parseLines(raw, missed, r.next), nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-ready:
		}
	}
}

// take gives what there is, or, when there is nothing, a channel that is closed when there is more.
func (r *Reader) take() (raw [][]byte, missed uint64, ready <-chan struct{}) {
	s := r.stream
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.next == s.next {
		if s.ready == nil {
			s.ready = make(chan struct{})
		}
		return nil, 0, s.ready
	}
	if oldest := s.oldest(); r.next < oldest {
		missed = oldest - r.next
		r.next = oldest
	}
	raw = make([][]byte, 0, s.next-r.next)
	for ; r.next < s.next; r.next++ {
		raw = append(raw, s.ring[r.next%uint64(len(s.ring))])
	}
	return raw, missed, nil
}

// parseLines takes lines apart of which the last has the number last.
func parseLines(raw [][]byte, missed, last uint64) []Line {
	lines := make([]Line, 0, len(raw)+1)
	if missed > 0 {
		lines = append(lines, Line{Missed: missed})
	}
	seq := last - uint64(len(raw))
	for _, text := range raw {
		seq++
		line := parseLine(text)
		line.Seq = seq
		lines = append(lines, line)
	}
	return lines
}

// parseLine takes a line apart. What is not a log line of ours becomes the message of one.
func parseLine(text []byte) Line {
	var fields map[string]any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&fields); err != nil {
		return Line{Level: "info", Message: string(text)}
	}
	pop := func(name string) string {
		value, ok := fields[name].(string)
		if ok {
			delete(fields, name)
		}
		return value
	}
	line := Line{Level: pop("level"), Component: pop("component"), Message: pop("message")}
	if at, err := time.Parse(time.RFC3339Nano, pop("time")); err == nil {
		line.Time = at
	}
	if len(fields) > 0 {
		line.Fields = fields
	}
	return line
}

// shorten keeps a huge line from filling the memory: its message is cut and its fields are left out.
func shorten(text []byte) []byte {
	line := parseLine(text)
	message := line.Message
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "") + "…" // the cut may go through a character
	}
	short, err := json.Marshal(map[string]any{
		"level": line.Level, "component": line.Component, "message": message,
		"time": line.Time.Format(time.RFC3339Nano), "bytes": len(text),
	})
	if err != nil {
		return nil
	}
	return short
}
