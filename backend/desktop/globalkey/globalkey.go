// Package globalkey asks the desktop for a key that calls the program wherever the person is. Which key it is and whether there is one is the desktop's to say,
// and the person's through it.
package globalkey

import (
	"context"
	"errors"
	"sync"
	"time"
)

// State is what the desktop said.
type State string

// The states.
const (
	Off     State = "off"     // nobody asked for a key
	Asking  State = "asking"  // the desktop asks the person
	Granted State = "granted" // pressing it calls
	Refused State = "refused" // the person, the desktop or another program has it otherwise
	Absent  State = "absent"  // this desktop gives programs no keys
)

// View is how far it is. Trigger is the key in the desktop's words, where it says so.
type View struct {
	State   State  `json:"state"`
	Trigger string `json:"trigger"`
}

// What may come of asking a desktop.
var (
	errRefused = errors.New("globalkey: refused")
	errAbsent  = errors.New("globalkey: there is nobody to ask")
)

// patience is how long a desktop may ask the person.
const patience = 2 * time.Minute

// Key is a key of the desktop's. Safe for concurrent use.
type Key struct {
	words   func() string
	pressed func()

	turn sync.Mutex // one asks at a time

	mu   sync.Mutex
	view View
	stop func() // ends what is asked or held; nil: neither
}

// New makes a key that nobody has asked for yet. words say what it does; pressed is called when it was pressed and must not block.
func New(words func() string, pressed func()) *Key {
	return &Key{words: words, pressed: pressed, view: View{State: Off}}
}

// Follow asks for the key, or lets it go, and tells what the desktop said. What was refused is asked for again only after it was let go.
func (k *Key) Follow(ctx context.Context, on bool) View {
	if !on {
		k.letGo()
		return View{State: Off}
	}
	k.turn.Lock()
	defer k.turn.Unlock()
	k.mu.Lock()
	if k.view.State == Granted || k.view.State == Refused {
		defer k.mu.Unlock()
		return k.view
	}
	held, stop := context.WithCancel(ctx)
	k.stop = stop
	k.mu.Unlock()
	asked, done := context.WithTimeout(held, patience)
	defer done()
	trigger, err := bind(asked, held, k.words(), k.pressed, func() { k.lost(held) })
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case held.Err() != nil: // let go meanwhile
		return View{State: Off}
	case err == nil:
		k.view = View{Granted, trigger}
	case errors.Is(err, errAbsent):
		stop()
		k.view, k.stop = View{State: Absent}, nil
	default:
		stop()
		k.view, k.stop = View{State: Refused}, nil
	}
	return k.view
}

// lost notes that the desktop took the key away, or went.
func (k *Key) lost(held context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if held.Err() == nil && k.stop != nil {
		k.stop()
		k.view, k.stop = View{State: Absent}, nil
	}
}

func (k *Key) letGo() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stop != nil {
		k.stop()
	}
	k.view, k.stop = View{State: Off}, nil
}
