package event

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Envelope is one event as every front sees it. Seq rises by exactly 1 within one run. Data is the payload as JSON.
type Envelope struct {
	Seq  uint64          `json:"seq"`
	Time string          `json:"time"`
	Kind Kind            `json:"kind"`
	Chat string          `json:"chat,omitempty"`
	Job  string          `json:"job,omitempty"`
	Data json.RawMessage `json:"data" ts_type:"any"`
}

// Event is a payload with its address, before it has a place in the stream.
type Event struct {
	Chat string
	Job  string
	Data Payload
}

// Of addresses a payload: chat and job may be empty.
func Of(chat, job string, data Payload) Event { return Event{Chat: chat, Job: job, Data: data} }

// Stamp is a moment as people's fronts are told of it: RFC 3339 in UTC; "" for the zero time.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// Publisher publishes events. Publish never waits for a reader.
type Publisher interface{ Publish(events ...Event) }

// ErrLagged is returned by Reader.Next when the reader was so slow that envelopes it had not read were dropped. The reader then continues
// at the newest envelope, and its owner must load a snapshot.
var ErrLagged = errors.New("event: reader lagged behind the stream")

// ErrClosed is returned by Reader.Next after the bus closed and everything published was read.
var ErrClosed = errors.New("event: bus closed")

// Limits of the ring: how far a reader may fall behind before it has to reload.
const (
	DefaultCapacity = 1 << 16  // envelopes
	startCapacity   = 1 << 8   // envelopes, in a ring that was just made
	maxBytes        = 64 << 20 // bytes of encoded payloads
)

// Bus is the one ordered stream of events. All readers share one ring of envelopes, so publishing costs the same with no reader, many
// readers or a slow one. Safe for concurrent use.
type Bus struct {
	mu     sync.Mutex
	most   int        // envelopes the ring may come to hold
	ring   []Envelope // grows to that as it is filled
	first  uint64     // seq of the oldest envelope still in the ring
	next   uint64     // seq of the next envelope
	bytes  int
	closed bool
	wake   chan struct{} // closed and replaced at every publish; readers wait on it
	idle   bool          // nobody waits on wake, so it need not be replaced
	now    func() time.Time
}

// NewBus makes a bus whose ring holds capacity envelopes (DefaultCapacity if 0). now may be nil.
func NewBus(capacity int, now func() time.Time) *Bus {
	if capacity <= 0 {
		capacity = DefaultCapacity
	}
	if now == nil {
		now = time.Now
	}
	return &Bus{
		most: capacity, ring: make([]Envelope, min(capacity, startCapacity)),
		first: 1, next: 1, wake: make(chan struct{}), idle: true, now: now,
	}
}

// Publish appends events in order, without a gap between them. A payload that cannot be encoded becomes an error event:
// the stream itself never breaks. After Close it does nothing.
func (b *Bus) Publish(events ...Event) {
	if len(events) == 0 {
		return
	}
	encoded := make([]json.RawMessage, len(events))
	for i, e := range events {
		data, err := json.Marshal(e.Data)
		if err != nil {
			e.Data = Error{Code: "internal", Message: fmt.Sprintf("event %s could not be encoded: %v", e.Data.EventKind(), err)}
			events[i] = e
			data, _ = json.Marshal(e.Data)
		}
		encoded[i] = data
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	stamp := Stamp(b.now())
	for i, e := range events {
		b.append(Envelope{Time: stamp, Kind: e.Data.EventKind(), Chat: e.Chat, Job: e.Job, Data: encoded[i]})
	}
	b.signal()
}

func (b *Bus) append(env Envelope) {
	if b.next-b.first == uint64(len(b.ring)) {
		if len(b.ring) < b.most {
			b.grow()
		} else {
			b.drop()
		}
	}
	env.Seq = b.next
	b.ring[b.next%uint64(len(b.ring))] = env
	b.next++
	b.bytes += len(env.Data)
	for b.bytes > maxBytes && b.next-b.first > 1 {
		b.drop()
	}
}

// grow gives the ring twice the room, up to the most it may have.
func (b *Bus) grow() {
	larger := make([]Envelope, min(2*len(b.ring), b.most))
	for seq := b.first; seq < b.next; seq++ {
		larger[seq%uint64(len(larger))] = b.ring[seq%uint64(len(b.ring))]
	}
	b.ring = larger
}

func (b *Bus) drop() {
	slot := &b.ring[b.first%uint64(len(b.ring))]
	b.bytes -= len(slot.Data)
	*slot = Envelope{}
	b.first++
}

func (b *Bus) signal() {
	if !b.idle {
		close(b.wake)
		b.wake = make(chan struct{})
		b.idle = true
	}
}

// Seq is the number of the newest envelope, 0 before the first.
func (b *Bus) Seq() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.next - 1
}

// Close ends the stream: readers get what is left, then ErrClosed. Closing twice is fine.
func (b *Bus) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.closed = true
		b.signal()
	}
}

// Reader reads the stream from one place on. A reader is one goroutine's.
type Reader struct {
	bus  *Bus
	next uint64
}

// Subscribe makes a reader that starts behind the newest envelope. Readers need no closing.
func (b *Bus) Subscribe() *Reader {
	b.mu.Lock()
	defer b.mu.Unlock()
	return &Reader{bus: b, next: b.next}
}

// SubscribeFrom makes a reader whose first envelope is seq; if that is gone already, the first Next returns ErrLagged.
func (b *Bus) SubscribeFrom(seq uint64) *Reader { return &Reader{bus: b, next: max(seq, 1)} }

// Next returns the next envelopes, at least one and at most limit (no limit if 0), waiting until there is one.
// Errors: ErrLagged, ErrClosed, or the context's.
func (r *Reader) Next(ctx context.Context, limit int) ([]Envelope, error) {
	for {
		batch, wake, err := r.take(limit)
		if err != nil || len(batch) > 0 {
			return batch, err
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (r *Reader) take(limit int) ([]Envelope, <-chan struct{}, error) {
	b := r.bus
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.next < b.first {
		r.next = b.next
		return nil, nil, ErrLagged
	}
	n := 0
	if b.next > r.next {
		n = int(b.next - r.next) //nolint:gosec // bounded by the ring's capacity
	}
	if limit > 0 && n > limit {
		n = limit
	}
	if n == 0 {
		if b.closed {
			return nil, nil, ErrClosed
		}
		b.idle = false
		return nil, b.wake, nil
	}
	batch := make([]Envelope, n)
	for i := range batch {
		batch[i] = b.ring[(r.next+uint64(i))%uint64(len(b.ring))]
	}
	r.next += uint64(n)
	return batch, nil, nil
}
