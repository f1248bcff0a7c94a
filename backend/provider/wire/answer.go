package wire

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentchat/backend/provider"
)

// tailPatience is how long a finished answer is kept open for the token counts that some services send last.
const tailPatience = time.Second

// Bounds of an answer.
const (
	maxText     = 256 << 10
	maxThinking = 1 << 20
	maxCalls    = 16
	maxCallText = 64 << 10 // name and arguments of one call
)

// Answer is a reply while it arrives. One goroutine writes it.
type Answer struct {
	on         func(provider.Delta)
	structured bool
	watch      *watch
	arrived    func() // called at the first piece, or at the end without one
	load       func() // called when the model has to be loaded first
	began      time.Time

	textJoin, thinkJoin joiner
	split               splitter
	textLoop, thinkLoop loop
	text, thinking      strings.Builder
	calls               []*call

	reply provider.Reply
	some  bool // a piece arrived
	cold  bool // the model had to be loaded
	done  bool
}

// Text takes the next piece of what the service calls the answer. Reasoning in it is set apart. An error means that the
// rest is not worth waiting for.
func (a *Answer) Text(piece string) error {
	if piece == "" {
		return nil
	}
	a.piece()
	piece = a.textJoin.add(piece)
	parts := a.split.add(piece)
	// White space before the answer goes nowhere, but it must not go on for ever either.
	if len(parts) == 0 && a.text.Len() == 0 && a.split.end == "" {
		if err := a.textLoop.add(piece); err != nil {
			return Bad(err)
		}
	}
	return a.take(parts)
}

// Thinking takes the next piece of what the service itself calls reasoning.
func (a *Answer) Thinking(piece string) error {
	if piece == "" {
		return nil
	}
	a.piece()
	return a.think(a.thinkJoin.add(piece))
}

// call is a native tool call while it arrives. Services number their calls so that the pieces of several can be told apart.
type call struct {
	number          int
	name, arguments strings.Builder
}

// Call takes the next piece of a native tool call: of its name and of its arguments, a JSON text. Calls are told apart by
// their number. An error means that the rest is not worth waiting for.
func (a *Answer) Call(number int, name, arguments string) error {
	a.piece()
	i := slices.IndexFunc(a.calls, func(c *call) bool { return c.number == number })
	if i < 0 {
		if len(a.calls) == maxCalls {
			return Bad(fmt.Errorf("more than %d tool calls at once", maxCalls))
		}
		a.calls = append(a.calls, &call{number: number})
		i = len(a.calls) - 1
	}
	c := a.calls[i]
	if c.name.Len()+c.arguments.Len()+len(name)+len(arguments) > maxCallText {
		return Bad(fmt.Errorf("a tool call of more than %d bytes", maxCallText))
	}
	c.name.WriteString(name)
	c.arguments.WriteString(arguments)
	return nil
}

// Calls is how many native tool calls have begun.
func (a *Answer) Calls() int { return len(a.calls) }

// Loading says, before the first piece, that the service has to read the model into memory.
func (a *Answer) Loading() {
	if !a.some && !a.cold {
		a.cold = true
		a.load()
		a.tell(provider.Delta{Loading: true})
	}
}

// Patient gives a model that is seen to be loading the time for that. Unlike the other methods it may be called by any
// goroutine.
func (a *Answer) Patient() { a.watch.patient() }

// Model names the model that answers.
func (a *Answer) Model(name string) { a.reply.Model = name }

// Done says that the service called the answer finished, and why: stop, length and the like.
func (a *Answer) Done(reason string) {
	a.done = true
	a.reply.DoneReason = reason
	a.watch.next(errGap, tailPatience)
}

// Finish says that nothing more will come. A reason given to Done before stays.
func (a *Answer) Finish() { a.done = true }

// Count notes the service's token counts.
func (a *Answer) Count(in, cached, out int) {
	a.reply.TokensIn, a.reply.TokensCached, a.reply.TokensOut = in, cached, out
}

func (a *Answer) piece() {
	if !a.some {
		a.some = true
		a.reply.FirstToken = time.Since(a.began)
		a.arrived()
	}
	a.watch.piece()
}

func (a *Answer) take(parts []part) error {
	for _, p := range parts {
		if p.reclaim {
			a.thinking.WriteString(a.text.String())
			a.text.Reset()
			a.tell(provider.Delta{Void: true})
			continue
		}
		if err := a.think(p.thinking); err != nil {
			return err
		}
		if p.text == "" {
			continue
		}
		if a.text.Len()+len(p.text) > maxText {
			return Bad(fmt.Errorf("an answer of more than %d bytes", maxText))
		}
		if err := a.textLoop.add(p.text); err != nil {
			return Bad(err)
		}
		a.text.WriteString(p.text)
		a.tell(provider.Delta{Text: p.text})
	}
	return nil
}

func (a *Answer) think(text string) error {
	if text == "" {
		return nil
	}
	if a.thinking.Len()+len(text) > maxThinking {
		return Bad(fmt.Errorf("reasoning of more than %d bytes", maxThinking))
	}
	if err := a.thinkLoop.add(text); err != nil {
		return Bad(err)
	}
	a.thinking.WriteString(text)
	a.tell(provider.Delta{Thinking: text})
	return nil
}

func (a *Answer) tell(d provider.Delta) {
	if a.on != nil {
		a.on(d)
	}
}

// whole gives the reply as far as it came, and what is wrong with it when the service itself reported nothing wrong.
func (a *Answer) whole() (provider.Reply, error) {
	err := a.take(a.split.add(a.textJoin.rest()))
	if err == nil {
		err = a.take(a.split.rest())
	}
	if err == nil {
		err = a.think(a.thinkJoin.rest())
	}
	a.reply.Text, a.reply.Thinking = a.text.String(), a.thinking.String()
	a.reply.Calls = nil
	for i := range a.calls {
		a.reply.Calls = append(a.reply.Calls, provider.RawCall{
			Name: strings.ToValidUTF8(a.calls[i].name.String(), "\uFFFD"), Arguments: a.calls[i].arguments.String(),
		})
	}
	a.reply.Elapsed = time.Since(a.began)
	switch {
	case err != nil:
	case !a.done:
		err = Bad(errors.New("the answer stopped in the middle"))
	case len(a.calls) > 0 && a.reply.DoneReason == "length":
		err = Bad(errors.New("the tool call was cut off at the longest answer allowed; answer shorter"))
	case len(a.calls) > 0:
	case strings.TrimSpace(a.reply.Text) == "" && a.reply.Thinking != "":
		err = Bad(errors.New("there is reasoning but no answer"))
	case strings.TrimSpace(a.reply.Text) == "":
		err = Bad(errors.New("the answer is empty"))
	case a.structured && a.reply.DoneReason == "length":
		err = Bad(errors.New("the JSON was cut off at the longest answer allowed; answer shorter"))
	}
	return a.reply, err
}
