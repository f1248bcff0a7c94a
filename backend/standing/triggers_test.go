package standing_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/slot"
	"agentchat/backend/manager"
	"agentchat/backend/standing"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
)

// drawer is a folder without a disk.
type drawer struct {
	files map[string]standing.File
	half  map[string]bool // still being written
}

func (d *drawer) Find(context.Context, string) (path, name string, err error) {
	return "/drawer", "drawer", nil
}

func (d *drawer) FindFile(_ context.Context, _, file string) (path, in, name string, err error) {
	return "/drawer/" + file, "/drawer", "drawer/" + file, nil
}

func (d *drawer) List(context.Context, string) (files []standing.File, dirs []string, err error) {
	for _, f := range d.files {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b standing.File) int { return strings.Compare(a.Path, b.Path) })
	return files, []string{"/drawer"}, nil
}

func (d *drawer) Whole(_ context.Context, path string) bool { return !d.half[path] }

func (d *drawer) put(name string, size int64, mod time.Time) {
	d.files["/drawer/"+name] = standing.File{Path: "/drawer/" + name, Name: "drawer/" + name, Size: size, Mod: mod}
}

// watchman is a book of orders on a drawer, with a clock that is set by hand.
type watchman struct {
	*standing.Book
	*drawer

	t      *testing.T
	ledger *store.Store
	now    time.Time
	id     int
	claims []standing.Claim
	going  []manager.Turn
	told   []event.ChatMessage
	dies   func() bool
	made   map[string][]string // by file: the orders whose runs led to it
}

// knowing is a ledger that is told who made which file.
type knowing struct {
	missing

	made map[string][]string
}

func (k knowing) MadeBy(_ context.Context, f standing.File) ([]string, error) {
	return k.made[f.Path], nil
}

func watches(t *testing.T) *watchman {
	t.Helper()
	ledger, err := store.Open(t.Context(), ledgertest.In(t.TempDir()), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ledger.Close() })
	w := &watchman{
		t: t, ledger: ledger, now: time.Date(2026, 11, 23, 7, 0, 0, 0, time.UTC),
		drawer: &drawer{map[string]standing.File{}, map[string]bool{}}, dies: func() bool { return false }, made: map[string][]string{},
	}
	w.restart()
	return w
}

// restart is what a new start of the program has: nothing but the ledger.
func (w *watchman) restart() {
	w.Book = standing.New(standing.Deps{
		Store: knowing{missing{w.ledger, func(c standing.Claim) { w.claims = append(w.claims, c) }}, w.made}, Publisher: heard{w}, Follow: func([]string) {},
		Folders: w.drawer, Now: func() time.Time { return w.now },
		NewID: func() string { w.id++; return fmt.Sprint("m", w.id) },
		Run: func(ctx context.Context, c standing.Claim) (bool, error) {
			if w.dies() {
				return false, context.DeadlineExceeded
			}
			turn := manager.Turn{ID: c.Turn, Chat: c.Order.Chat, Text: c.Order.What}
			claimed, err := w.ledger.AddRun(ctx, c, &turn, event.ChatMessage{ID: c.Turn, Role: event.RoleCustomer, Text: turn.Text})
			if claimed {
				w.claims, w.going = append(w.claims, c), append(w.going, turn)
			}
			if err == nil && w.dies() {
				err = context.DeadlineExceeded
			}
			return claimed, err
		},
	})
}

type heard struct{ w *watchman }

func (h heard) Publish(events ...event.Event) {
	for _, e := range events {
		if m, ok := e.Data.(event.ChatMessage); ok {
			h.w.told = append(h.w.told, m)
		}
	}
}

func (w *watchman) keep(id, what string, t standing.Trigger) {
	w.t.Helper()
	t.On, t.Folder, t.Name = standing.OnFile, "/drawer", "drawer"
	o := standing.Order{ID: id, Chat: "main", Text: what, What: what, Lang: bilingual.EN, Trigger: &t}
	if _, err := w.Propose(w.t.Context(), o, slot.Recurrence{}); err != nil {
		w.t.Fatal(err)
	}
	w.do(id, standing.Keep)
}

func (w *watchman) do(id string, verb standing.Verb) {
	w.t.Helper()
	if _, err := w.Do(w.t.Context(), standing.Command{Order: id, Verb: verb}); err != nil {
		w.t.Fatal(err)
	}
}

// look has the drawer looked at and everything dealt with, and gives what was claimed.
func (w *watchman) look(late bool) (got []string) {
	w.t.Helper()
	w.claims = nil
	if _, _, err := w.Look(w.t.Context(), "/drawer", late); err != nil {
		w.t.Fatal(err)
	}
	w.RunDue(w.t.Context())
	for _, c := range w.claims {
		got = append(got, fmt.Sprintf("%s %s %s +%d", c.Order.ID, c.Outcome, c.Because(), c.Missed))
	}
	return got
}

// end brings everything that runs to its end.
func (w *watchman) end() {
	w.t.Helper()
	for i := range w.going {
		if err := w.ledger.SaveTurn(w.t.Context(), manager.TurnStep{Turn: &w.going[i], Done: true}); err != nil {
			w.t.Fatal(err)
		}
	}
	w.going = nil
}

func (w *watchman) wants(what string, got []string, want ...string) {
	w.t.Helper()
	if !slices.Equal(got, want) {
		w.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// Of thousands of files that come at once the record of the run names a few.
func TestThousandsOfFiles(t *testing.T) {
	w := watches(t)
	w.keep("all", "count them", standing.Trigger{Arrives: true})
	for i := range 3000 {
		w.put(fmt.Sprintf("%04d.txt", i), 1, w.now)
	}
	w.wants("all of them, once", w.look(false), "all run drawer/0000.txt, drawer/0001.txt, drawer/0002.txt, drawer/0003.txt, drawer/0004.txt and 2995 more +0")
}

func TestWhatAFileSetsOff(t *testing.T) {
	w := watches(t)
	w.put("old", 1, w.now)
	w.keep("all", "count them", standing.Trigger{Arrives: true})
	w.keep("one", "read that file", standing.Trigger{Arrives: true, Endings: []string{".txt"}})
	w.keep("changed", "tell me", standing.Trigger{Changes: true})
	w.wants("what was there", w.look(false))
	w.half["/drawer/a.txt"] = true
	w.put("a.txt", 1, w.now)
	w.wants("what is being written", w.look(false))
	w.half["/drawer/a.txt"] = false
	w.put("b.txt", 1, w.now.Add(time.Second))
	w.put("c.pdf", 1, w.now.Add(2*time.Second))
	w.wants("three files", w.look(false), "all run drawer/a.txt, drawer/b.txt, drawer/c.pdf +0", "one run drawer/a.txt +0")
	w.wants("the run before goes on", w.look(false))
	w.end()
	w.wants("the next file", w.look(false), "one run drawer/b.txt +0")
	w.end()
	w.wants("each once", w.look(false))
	w.put("a.txt", 2, w.now)
	w.put("d", 1, w.now.Add(time.Second)) // another name for c.pdf
	w.files["/drawer/d"] = standing.File{Path: "/drawer/d", Name: "drawer/d", Size: 1, Mod: w.files["/drawer/c.pdf"].Mod}
	delete(w.files, "/drawer/c.pdf")
	w.wants("a change and another name", w.look(false), "changed run drawer/a.txt +0")
	w.end()
	gone := w.files["/drawer/a.txt"]
	delete(w.files, "/drawer/a.txt")
	w.look(false)
	w.files["/drawer/a.txt"] = gone
	w.wants("it is there again", w.look(false))
	w.do("one", standing.Pause)
	w.put("e.txt", 1, w.now.Add(3*time.Second))
	w.look(false)
	w.end()
	w.do("one", standing.Resume)
	w.wants("what came in a pause", w.look(false))
	w.do("one", standing.Skip)
	w.put("f.txt", 1, w.now.Add(4*time.Second))
	w.put("g.txt", 1, w.now.Add(5*time.Second))
	w.wants("one is skipped", w.look(false), "all run drawer/f.txt, drawer/g.txt +0", "one skipped drawer/f.txt +0", "one run drawer/g.txt +0")
}

func TestWhatCameWhileNobodyWasThere(t *testing.T) {
	w := watches(t)
	w.keep("once", "read that file", standing.Trigger{Arrives: true})
	w.keep("told", "read that file", standing.Trigger{Arrives: true})
	if _, err := w.SetMissed(t.Context(), "told", standing.Tell); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(time.Hour)
	w.restart()
	for i := range 3 {
		w.put(fmt.Sprint("f", i), int64(i), w.now)
	}
	w.wants("asleep over three files", w.look(true), "once run drawer/f2 +2", "told missed drawer/f0, drawer/f1, drawer/f2 +3")
	if len(w.told) != 1 || !strings.Contains(w.told[0].Text, "3 went by") {
		t.Errorf("told %+v", w.told)
	}
}

// An order does not set itself off, neither by itself nor through others, and none is set off again and again without a rest.
func TestOrdersDoNotGoRound(t *testing.T) {
	w := watches(t)
	w.keep("a", "write into drawer", standing.Trigger{Arrives: true})
	w.put("x", 1, w.now)
	w.wants("a file", w.look(false), "a run drawer/x +0")
	made := func(chain ...string) {
		t.Helper()
		w.end()
		f := standing.File{Path: fmt.Sprint("/drawer/by", w.id), Name: fmt.Sprint("drawer/by", w.id), Size: 1, Mod: w.now.Add(time.Duration(w.id))}
		w.files[f.Path] = f
		w.made[f.Path] = chain
		w.id++
	}
	made("a")
	w.wants("its own file", w.look(false))
	made("a", "b")
	if got := w.look(false); len(got) != 1 || !strings.HasPrefix(got[0], "a looped") || len(w.told) != 1 {
		t.Errorf("through another: %q, told %v", got, w.told)
	}
	made("b", "a", "c")
	w.look(false)
	made("b", "c", "d")
	if got := w.look(false); len(got) != 1 || !strings.HasPrefix(got[0], "a looped") || len(w.told) != 1 {
		t.Errorf("too deep: %q, told %v", got, w.told)
	}
	made("b")
	if got := w.look(false); len(got) != 1 || !strings.HasPrefix(got[0], "a run") {
		t.Errorf("by another order: %q", got)
	}
	ran := 2
	for i := range 20 {
		w.end()
		w.put(fmt.Sprint("n", i), 1, w.now.Add(time.Duration(1000+i)*time.Second))
		ran += len(w.look(false))
	}
	if ran != 10 || len(w.told) != 2 || !strings.Contains(w.told[1].Text, "rests until") {
		t.Errorf("it ran %d times at once, and was told %d things", ran, len(w.told))
	}
	w.now = w.now.Add(11 * time.Minute)
	if got := w.look(false); len(got) != 1 || !strings.HasPrefix(got[0], "a run drawer/n8, ") || !strings.Contains(got[0], " and 7 more ") { // up to n19
		t.Errorf("after the rest: %q", got)
	}
}

// A year of files, with sleeps, clocks that are set, restarts, and deaths before and after a firing: each file is dealt with once.
func TestAYearOfTriggers(t *testing.T) {
	for seed := range *years {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := watches(t)
			dice := rand.New(rand.NewPCG(31, seed))
			w.dies = func() bool { return dice.IntN(10) == 0 }
			w.keep("all", "count them", standing.Trigger{Arrives: true})
			w.keep("one", "read that file", standing.Trigger{Arrives: true})
			end, late, n, dealt := w.now.AddDate(1, 0, 0), true, 0, map[string]int{}
			step := func() {
				w.look(late)
				for _, c := range w.claims {
					for _, e := range c.Events {
						dealt[e.Order+" "+e.Name]++
					}
				}
				if late = dice.IntN(8) == 0; late {
					w.restart()
				}
				if dice.IntN(3) > 0 {
					w.end()
				}
			}
			for w.now.Before(end) {
				switch dice.IntN(20) {
				case 0:
					w.now, late = w.now.Add(time.Duration(dice.IntN(96))*time.Hour), true
				case 1:
					w.now = w.now.Add(-time.Duration(dice.IntN(180)) * time.Minute)
				default:
					w.now = w.now.Add(time.Duration(1+dice.IntN(1800)) * time.Minute)
				}
				for range dice.IntN(3) {
					n++
					w.put(fmt.Sprint("f", n), int64(n), w.now)
				}
				step()
			}
			for range 40 + 2*n {
				w.now = w.now.Add(11 * time.Minute)
				if step(); len(dealt) == 2*n && len(w.going) == 0 {
					break
				}
			}
			for key, times := range dealt {
				if times != 1 {
					t.Errorf("%s was dealt with %d times", key, times)
				}
			}
			if len(dealt) != 2*n || n < 100 {
				t.Errorf("%d of %d were dealt with", len(dealt), 2*n)
			}
		})
	}
}
