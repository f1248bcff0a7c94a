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
	l.Rounds = cleanRounds(l.Rounds, clean, hide)
	x.Letter = l
	x.Prompt.Messages = append([]provider.PromptMessage(nil), x.Prompt.Messages...)
	for i := range x.Prompt.Messages {
		m := &x.Prompt.Messages[i]
		m.Text, m.Calls = clean(m.Text), append([]provider.PromptCall(nil), m.Calls...)
		for k := range m.Calls {
			m.Calls[k].Arguments = cleanArgs(m.Calls[k].Arguments, hide)
		}
	}
	x.Reply.Calls = append([]provider.RawCall(nil), x.Reply.Calls...)
	for i := range x.Reply.Calls {
		c := &x.Reply.Calls[i]
		c.Name, c.Arguments = clean(c.Name), clean(c.Arguments)
	}
	x.Reply.Text, x.Reply.Thinking, x.Problem = clean(x.Reply.Text), clean(x.Reply.Thinking), clean(x.Problem)
	return x
}

// cleanRounds takes secrets out of a solve loop.
func cleanRounds(rounds []provider.Round, clean, hide func(string) string) []provider.Round {
	rounds = append([]provider.Round(nil), rounds...)
	for i := range rounds {
		r := &rounds[i]
		r.Said, r.Ask, r.Answer = clean(r.Said), clean(r.Ask), clean(r.Answer)
		r.Calls, r.Results = append([]provider.CallRequest(nil), r.Calls...), append([]provider.CallResult(nil), r.Results...)
		for k := range r.Calls {
			r.Calls[k].Args, r.Calls[k].Problem = cleanArgs(r.Calls[k].Args, hide), clean(r.Calls[k].Problem)
		}
		for k := range r.Results {
			r.Results[k].Text = clean(r.Results[k].Text)
		}
	}
	return rounds
}

// cleanArgs takes secrets out of arguments. What is no JSON afterwards is left out.
func cleanArgs(args json.RawMessage, hide func(string) string) json.RawMessage {
	if len(args) == 0 {
		return args
	}
	if out := logging.RedactJSON([]byte(hide(string(args)))); json.Valid(out) {
		return out
	}
	return json.RawMessage("{}")
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
