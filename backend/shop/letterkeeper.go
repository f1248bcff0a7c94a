package shop

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/rs/zerolog"

	"agentchat/backend/interpreter"
	"agentchat/backend/logging"
	"agentchat/backend/provider"
	"agentchat/backend/store"
)

// maxUnkept bounds the exchanges that wait to be kept; a disk that is slower than the models loses the oldest.
const maxUnkept = 200

// shortestSecret is the shortest key that is looked for in letters: a shorter one would be found in ordinary words.
const shortestSecret = 8

// letterKeeper keeps what is sent to interpreters and what comes back, with secrets taken out. It works apart from those
// who talk to them, and commits together what gathered while the disk was busy. Safe for concurrent use.
type letterKeeper struct {
	store   *store.Store
	log     zerolog.Logger
	secrets func() []string // keys that rules cannot tell by their shape

	mu      sync.Mutex
	waiting []interpreter.Exchange
	wake    chan struct{}
	stop    chan struct{}
	done    chan struct{}
	once    sync.Once
	flushM  sync.Mutex
}

func newLetterKeeper(s *store.Store, log zerolog.Logger, secrets func() []string) *letterKeeper {
	k := &letterKeeper{store: s, log: log, secrets: secrets, wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	go k.run()
	return k
}

func (k *letterKeeper) keep(x interpreter.Exchange) {
	k.mu.Lock()
	if len(k.waiting) >= maxUnkept {
		k.waiting = append(k.waiting[:0:0], k.waiting[maxUnkept/2:]...)
	}
	k.waiting = append(k.waiting, x)
	k.mu.Unlock()
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

func (k *letterKeeper) run() {
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
func (k *letterKeeper) flush() {
	k.flushM.Lock()
	defer k.flushM.Unlock()
	k.mu.Lock()
	list := k.waiting
	k.waiting = nil
	k.mu.Unlock()
	if len(list) == 0 {
		return
	}
	keys := k.secrets()
	for i := range list {
		list[i] = redacted(list[i], keys)
	}
	if err := k.store.AddLetters(context.Background(), list); err != nil {
		k.log.Warn().Err(err).Int("letters", len(list)).Msg("letters could not be kept")
	}
}

func (k *letterKeeper) close() error {
	k.once.Do(func() { close(k.stop); <-k.done })
	return nil
}

// redacted is an exchange without secrets. The cards and the schema are the shop's own and stay as they are.
func redacted(x interpreter.Exchange, keys []string) interpreter.Exchange {
	hide := func(text string) string {
		for _, key := range keys {
			if len(key) >= shortestSecret {
				text = strings.ReplaceAll(text, key, logging.Redacted)
			}
		}
		return text
	}
	clean := func(text string) string { return logging.Redact(hide(text)) }
	l := x.Letter
	l.Summary, l.Request, l.State = clean(l.Summary), clean(l.Request), cleanState(l.State, hide)
	l.Facts = append([]string(nil), l.Facts...)
	for i := range l.Facts {
		l.Facts[i] = clean(l.Facts[i])
	}
	l.Transcript = append([]provider.Turn(nil), l.Transcript...)
	for i := range l.Transcript {
		l.Transcript[i].Text = clean(l.Transcript[i].Text)
	}
	x.Letter = l
	x.Prompt.Messages = append([]provider.PromptMessage(nil), x.Prompt.Messages...)
	for i := range x.Prompt.Messages {
		x.Prompt.Messages[i].Text = clean(x.Prompt.Messages[i].Text)
	}
	x.Reply.Text, x.Reply.Thinking, x.Problem = clean(x.Reply.Text), clean(x.Reply.Thinking), clean(x.Problem)
	return x
}

// cleanState takes secrets out of every text in a state. A state that cannot be read again afterwards is left out: better
// a gap than a secret.
func cleanState(s provider.State, hide func(string) string) (out provider.State) {
	text, err := json.Marshal(s)
	if err != nil || json.Unmarshal(logging.RedactJSON([]byte(hide(string(text)))), &out) != nil {
		return provider.State{}
	}
	return out
}
