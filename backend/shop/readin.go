package shop

import (
	"context"
	"sync"
	"time"

	"agentchat/backend/background"
	"agentchat/backend/interpreter"
	"agentchat/backend/provider/ollama"
)

// readIns have the model read in what the next request begins with, as soon as it is on duty or in memory, and after every compaction
// of a chat: what a slow model has read by then, no customer waits for. Made before the providers, which tell it of their models.
type readIns struct {
	*background.Loop
	mu       sync.Mutex
	chat     string   // the one that was spoken in or compacted last
	unloaded []string // models that Ollama has sent out of memory since
	held     int      // how many want nothing to be read in now
	stop     func()   // breaks off the reading that is under way; nil: none is
	over     chan struct{}
}

func (s *Shop) openReadIns() {
	s.readIns = &readIns{Loop: background.New(time.Now, time.Hour, s.readIn), chat: "main"}
}

// expect says in which chat the next request is to be expected.
func (r *readIns) expect(chat string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.chat = chat
}

// compacted says that the requests of a chat begin with something else.
func (r *readIns) compacted(chat string) {
	r.expect(chat)
	r.Wake()
}

// moved says that models came or went, and which are not in memory any more.
func (r *readIns) moved(unloaded ...string) {
	r.mu.Lock()
	r.unloaded = append(r.unloaded, unloaded...)
	r.mu.Unlock()
	r.Wake()
}

// look gives the chat and what was unloaded since it was asked last.
func (r *readIns) look() (chat string, unloaded []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	unloaded, r.unloaded = r.unloaded, nil
	return r.chat, unloaded
}

// without does something with a model that leaves it nothing of what it read, while nothing is read in, for that could load it again.
// A reading under way is broken off.
func (r *readIns) without(model string, do func() error) error {
	r.mu.Lock()
	r.held++
	stop, over := r.stop, r.over
	r.mu.Unlock()
	if stop != nil {
		stop()
		<-over
	}
	defer func() {
		r.mu.Lock()
		r.held--
		r.mu.Unlock()
		r.moved(model)
	}()
	return do()
}

// begin begins a reading; false: somebody wants none now. end must be called at its end.
func (r *readIns) begin(ctx context.Context) (reading context.Context, end func(), ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held > 0 {
		return nil, nil, false
	}
	reading, stop := context.WithCancel(ctx)
	over := make(chan struct{})
	r.stop, r.over = stop, over
	return reading, func() {
		stop()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.stop = nil
		close(over)
	}, true
}

func (s *Shop) readIn(ctx context.Context) (again time.Time) {
	ctx, end, ok := s.readIns.begin(ctx)
	if !ok {
		return again
	}
	defer end()
	done, err := s.interp.ReadIn(ctx, func() interpreter.Brief {
		chat, unloaded := s.readIns.look()
		for _, model := range unloaded {
			s.interp.Unloaded(ollama.Name, model)
		}
		return interpreter.Brief{Chat: chat, Lang: s.Config.Get().Lang, Now: s.now(), Background: s.memory.Background(ctx, chat)}
	})
	log := s.Log.Component("models")
	switch {
	case ctx.Err() != nil:
	case err != nil:
		log.Debug().Err(err).Msg("the model could not read ahead")
	case done.Whole > 0:
		log.Info().Int("tokens", done.Tokens).Int("of", done.Whole).Dur("took", done.Took).Msg("the model has read ahead")
	}
	return again // when it is woken
}
