package memory_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agentchat/backend/interpreter"
	"agentchat/backend/manager"
	"agentchat/backend/memory"
)

// Whatever happens in whatever order, requests are summary and tail without a gap, nothing in front of what is new changes
// between two cuts, and what is compacted fits.
func TestLettersAreAlwaysWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := enterRapid(t, rt)
		defer r.close()
		var open []manager.Turn // said, not answered yet
		var last interpreter.Background
		n := 0
		req := func() interpreter.Background {
			b := r.Background(t.Context(), "main")
			r.whole(b)
			if covered(b.Summary) == covered(last.Summary) && !begins(b, last) {
				rt.Fatalf("between two cuts the beginning changed from %+v to %+v", last, b)
			}
			last = b
			return b
		}
		rt.Repeat(map[string]func(*rapid.T){
			"say": func(*rapid.T) {
				n++
				open = append(open, r.begin("main", fmt.Sprintf("말 %d", n)))
			},
			"answer": func(rt *rapid.T) {
				if len(open) == 0 {
					rt.Skip("nothing was said")
				}
				turn := open[0] // turns of a chat run in order
				open = open[1:]
				done := r.Turn("main")
				req()
				r.end(turn, "답 "+turn.Text)
				done()
			},
			"learn": func(rt *rapid.T) {
				n++
				r.must(r.Learn(t.Context(), memory.Event{Source: memory.SourceLedger, Ref: fmt.Sprint(n), Text: fmt.Sprintf("이체 %d", n)}))
			},
			"break": func(*rapid.T) { r.fail(errModel) },
			"mend":  func(*rapid.T) { r.fail(nil); r.pass(time.Hour) },
			"idle":  func(*rapid.T) { r.idle() },
			"restart": func(*rapid.T) {
				r.restart()
			},
			"squeeze": func(rt *rapid.T) {
				most := rapid.IntRange(2, 20).Draw(rt, "lines that fit")
				fits := func(b interpreter.Background) bool { return len(b.Transcript) <= most }
				b, made, err := r.Compact(t.Context(), "main", r.pen(fits))
				r.must(err)
				r.whole(b)
				if !fits(b) {
					rt.Fatalf("%d lines are left where %d fit", len(b.Transcript), most)
				}
				if now := req(); made && !begins(now, b) {
					rt.Fatalf("the cut is not what the next letter begins with")
				}
			},
			"": func(*rapid.T) { req() },
		})
	})
}

// enterRapid is a room that reports to rapid's test.
func enterRapid(t *testing.T, rt *rapid.T) *room {
	r := &room{t: rapidly{t, rt}, dir: t.TempDir(), now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.Local)}
	r.open()
	return r
}

// rapidly is a test whose failures rapid can shrink.
type rapidly struct {
	testing.TB
	rt *rapid.T
}

func (r rapidly) Fatal(args ...any)                 { r.rt.Fatal(args...) }
func (r rapidly) Fatalf(format string, args ...any) { r.rt.Fatalf(format, args...) }
func (r rapidly) Errorf(format string, args ...any) { r.rt.Errorf(format, args...) }
func (r rapidly) Helper()                           { r.rt.Helper() }

// begins tells whether a request begins as an earlier one did, byte for byte.
func begins(now, before interpreter.Background) bool {
	return now.Summary == before.Summary && slices.Equal(now.Facts, before.Facts) &&
		len(now.Transcript) >= len(before.Transcript) && slices.Equal(now.Transcript[:len(before.Transcript)], before.Transcript)
}
