package front

import (
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"agentchat/backend/event"
)

// quick is somebody who answers before the line that asks has come out to its end.
type quick struct {
	t     *testing.T
	say   io.Writer
	took  <-chan struct{} // their answer is being worked on
	asked bool
	next  chan event.NextAction // what each message led to, but for the first
}

// Write implements io.Writer.
func (q *quick) Write(lines []byte) (int, error) {
	for text := range strings.Lines(string(lines)) {
		var l event.Envelope
		if json.Unmarshal([]byte(text), &l) != nil || l.Kind != event.KindTurnDone {
			continue
		}
		var d event.TurnDone
		if err := json.Unmarshal(l.Data, &d); err != nil {
			q.t.Error(err)
		}
		if !q.asked && d.NextAction == event.NextConfirm {
			q.asked = true
			_, _ = io.WriteString(q.say, `{"cmd":"say","text":"응"}`+"\n")
			q.heard()
			continue
		}
		q.next <- d.NextAction
	}
	return len(lines), nil
}

// heard returns when the answer is being worked on, as by a shop that does not look at what is coming out, or waits for that.
func (q *quick) heard() {
	stacks := make([]byte, 1<<20)
	for late := time.Now().Add(time.Second); time.Now().Before(late); runtime.Gosched() { // if it waits in another way
		select {
		case <-q.took:
			return
		default:
		}
		for one := range strings.SplitSeq(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
			if strings.Contains(one, "(*front).seen(") && strings.Contains(one, "[sync.Mutex.Lock") {
				return
			}
		}
	}
}

// What came out is shown, however quickly it is answered.
func TestAYesThatComesAtOnceCounts(t *testing.T) {
	s, _, _ := opened(t, 0)
	in, say := io.Pipe()
	took := make(chan struct{})
	events := s.Bus.Subscribe()
	go func() {
		for {
			batch, err := events.Next(t.Context(), 64)
			if err != nil {
				return
			}
			for _, e := range batch {
				var m event.ChatMessage
				if e.Kind == event.KindChatMessage && json.Unmarshal(e.Data, &m) == nil && m.Text == "응" {
					close(took)
				}
			}
		}
	}()
	q := &quick{t: t, say: say, took: took, next: make(chan event.NextAction, 8)}
	ended := make(chan struct{})
	go func() { defer close(ended); Serve(t.Context(), s, in, q) }()
	go func() { _, _ = io.WriteString(say, `{"cmd":"say","text":"엄마한테 만원 보내줘"}`+"\n") }()
	if next := <-q.next; next == event.NextConfirm {
		t.Error("it is asked again")
	}
	_ = say.Close()
	<-ended
}
