package shop

import (
	"context"
	"time"

	"agentchat/backend/batch"
	"agentchat/backend/event"
	"agentchat/backend/frontdesk"
	"agentchat/backend/interpreter"
)

// How many exchanges and lines of running tools wait to be kept at most: a disk that is slower loses the oldest.
const (
	maxRequests = 200
	mostLines   = 10000
)

// requestLinger is how long a request waits for those that follow it in the same turn, so that they share a commit.
const requestLinger = 250 * time.Millisecond

// readingLinger is how long a reading waits for others: nobody looks at it meanwhile.
const readingLinger = 2 * time.Second

// openRecorders makes what keeps things apart from those they come from: what running tools write, and what is sent to
// interpreters and what comes back, with secrets taken out.
func (s *Shop) openRecorders() {
	s.openPlaces()
	s.recorder = batch.New(batch.Options[event.JobLog]{
		Most: mostLines, Write: s.store.AddLog, Failed: s.unkept("log", "log lines of tools could not be kept"),
	})
	s.exchanges = batch.New(batch.Options[interpreter.Exchange]{
		Most: maxRequests, Linger: requestLinger, Failed: s.unkept("letters", "letters could not be kept"),
		Write: func(ctx context.Context, list []interpreter.Exchange) error {
			keys := s.secrets() // keys that rules cannot tell by their shape
			for i := range list {
				list[i] = list[i].Redacted(keys)
			}
			return s.store.AddExchanges(ctx, list)
		},
	})
	s.readings = readings{s, batch.New(batch.Options[frontdesk.Kept]{
		Most: maxRequests, Linger: readingLinger, Failed: s.unkept("letters", "how messages were read could not be kept"),
		Write: func(ctx context.Context, list []frontdesk.Kept) error {
			keys := s.secrets()
			for i := range list {
				list[i] = list[i].Redacted(func(text string) string { return interpreter.Redact(text, keys) })
			}
			return s.store.AddReadings(ctx, list)
		},
	})}
	s.closing = append(s.closing, s.recorder.Close, s.exchanges.Close, s.readings.Close)
}

// readings keeps how messages were read; it implements manager.Readings.
type readings struct {
	shop *Shop
	*batch.Writer[frontdesk.Kept]
}

// Keep hands a reading over and returns at once.
func (r readings) Keep(k frontdesk.Kept) { r.Put(k) }

// Kept gives how a message was read.
func (r readings) Kept(ctx context.Context, message string) (frontdesk.Kept, bool, error) {
	r.Flush()
	return r.shop.store.Reading(ctx, message)
}

func (s *Shop) unkept(component, what string) func(error, int) {
	log := s.Log.Component(component)
	return func(err error, lost int) { log.Warn().Err(err).Int("lost", lost).Msg(what) }
}
