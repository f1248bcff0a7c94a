package shop

import (
	"context"
	"sync"

	"github.com/rs/zerolog"

	"agentchat/backend/event"
	"agentchat/backend/store"
)

// maxKept bounds the lines that wait to be kept; a tool that writes faster than the disk loses its oldest lines.
const maxKept = 10000

// logKeeper keeps what running tools write. Lines are gathered while the disk is busy and committed together, so a tool
// that writes much costs few commits and never waits for one.
type logKeeper struct {
	store *store.Store
	log   zerolog.Logger

	mu     sync.Mutex
	lines  []event.JobLog
	wake   chan struct{}
	stop   chan struct{}
	done   chan struct{}
	once   sync.Once
	flushM sync.Mutex
}

func newLogKeeper(s *store.Store, log zerolog.Logger) *logKeeper {
	k := &logKeeper{store: s, log: log, wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	go k.run()
	return k
}

func (k *logKeeper) keep(line event.JobLog) {
	k.mu.Lock()
	if len(k.lines) >= maxKept {
		k.lines = k.lines[maxKept/2:]
	}
	k.lines = append(k.lines, line)
	k.mu.Unlock()
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

func (k *logKeeper) run() {
	defer close(k.done)
	for {
		select {
		case <-k.wake:
			k.flush()
		case <-k.stop:
			k.flush()
			return
		}
	}
}

// flush commits what has gathered.
func (k *logKeeper) flush() {
	k.flushM.Lock()
	defer k.flushM.Unlock()
	k.mu.Lock()
	lines := k.lines
	k.lines = nil
	k.mu.Unlock()
	if len(lines) == 0 {
		return
	}
	if err := k.store.AddLog(context.Background(), lines); err != nil {
		k.log.Warn().Err(err).Int("lines", len(lines)).Msg("log lines of tools could not be kept")
	}
}

func (k *logKeeper) close() error {
	k.once.Do(func() { close(k.stop); <-k.done })
	return nil
}
