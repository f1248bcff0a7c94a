package crash

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/backend/testing/breadth"
)

var (
	full   = flag.Bool("crash.full", false, "kill at every moment of every script, not at a sample of them")
	random = flag.Int("crash.random", 4, "kills at a random time, for each script")
)

// tally counts what the runs found.
type tally struct {
	runs, kills atomic.Int64

	mu    sync.Mutex
	wrong map[string]int // by kind: lost, doubled, stuck, unapproved
}

func (t *tally) note(wrong []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, w := range wrong {
		kind, _, _ := strings.Cut(w, ":")
		t.wrong[kind]++
	}
}

// Killed at every moment of every story, and once more while it recovers: the story ends as if nothing had happened.
func TestCrash(t *testing.T) {
	program := build(t)
	count := &tally{wrong: map[string]int{}}
	t.Cleanup(func() {
		t.Logf("%d runs, %d kills: %d lost, %d doubled, %d unapproved, %d stuck", count.runs.Load(), count.kills.Load(),
			count.wrong["lost"], count.wrong["doubled"], count.wrong["unapproved"], count.wrong["stuck"])
	})
	for _, s := range breadth.Some(scripts, 3) {
		t.Run(s.name, func(t *testing.T) {
			moments := rehearse(t, program, s, count)
			if len(moments) < 10 {
				t.Fatalf("only %d moments: the program was not built for this test", len(moments))
			}
			for i, moment := range sample(moments, s.always) {
				kills := []string{moment}
				if name, _, _ := strings.Cut(moment, "#"); *full && i%3 == 0 {
					kills = append(kills, name+"#1") // and again while it recovers
				}
				t.Run(moment, func(t *testing.T) {
					t.Parallel()
					tell(t, program, s, count, kills, 0)
				})
			}
			for i := range breadth.Count(*random, 1) {
				t.Run(fmt.Sprint("random ", i), func(t *testing.T) {
					t.Parallel()
					tell(t, program, s, count, nil, time.Duration(rand.Int64N(int64(400*time.Millisecond))))
				})
			}
		})
	}
}

// sample takes one moment in thirty unless all are wanted, and one of those that the story is about.
func sample(moments []string, always string) []string {
	if *full {
		return moments
	}
	var some []string
	for i := rand.IntN(30); i < len(moments); i += 30 {
		some = append(some, moments[i])
	}
	about := slices.DeleteFunc(slices.Clone(moments), func(m string) bool { return always == "" || !strings.HasPrefix(m, always) })
	if len(about) > 0 {
		some = append(some, about[rand.IntN(len(about))])
	}
	slices.Sort(some)
	return slices.Compact(some)
}

// build makes the headless program with its fail points.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "agentchat-headless")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-tags", "failpoint,nethttpomithttp2", "-ldflags", "-w -s", "-o", program, "agentchat/cmd/headless")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// rehearse tells the story once without a kill and gives the moments it came past, each as "name#n".
func rehearse(t *testing.T, program string, s script, count *tally) []string {
	t.Helper()
	trail := filepath.Join(t.TempDir(), "trail")
	live(t, program, s, count, t.TempDir(), nil, trail, 0)
	f, err := os.Open(trail)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	passed := map[string]int{}
	var moments []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		passed[lines.Text()]++
		moments = append(moments, fmt.Sprintf("%s#%d", lines.Text(), passed[lines.Text()]))
	}
	sort.Strings(moments)
	return moments
}

func tell(t *testing.T, program string, s script, count *tally, kills []string, after time.Duration) {
	t.Helper()
	live(t, program, s, count, t.TempDir(), kills, "", after)
}

// live tells the story from beginning to end, through as many lives of the program as it takes: one for each kill (or
// one that ends at a random time), and a last one that is left alone.
func live(t *testing.T, program string, s script, count *tally, dir string, kills []string, trail string, after time.Duration) {
	t.Helper()
	count.runs.Add(1)
	c := &customer{script: s, witness: filepath.Join(dir, "witness"), approved: map[string]bool{}, asked: map[string]bool{}, home: dir}
	data := filepath.Join(dir, "data")
	var house *modelHouse
	if s.house {
		house = openHouse(t)
		s.flags = append(slices.Clone(s.flags), house.flags()...)
	}
	if len(s.before) > 0 {
		yesterday(t, program, c, data)
	}
	for life := 0; ; life++ {
		kill := ""
		if life < len(kills) {
			kill = kills[life]
		}
		days := s.days
		if life > 0 {
			days -= s.back
		}
		p, err := launch(program, data, kill, trail, c.witness, days, s.flags...)
		if err != nil {
			t.Fatal(err)
		}
		p.house, p.life = house, life
		var clock *time.Timer
		if after > 0 && life == 0 {
			clock = time.AfterFunc(after, p.kill)
		}
		err = c.play(p)
		if clock != nil && !clock.Stop() && err == nil {
			err = errGone // it had said its last word when the kill came
		}
		if errors.Is(err, errGone) && (kill != "" || clock != nil) {
			_ = p.wait()
			count.kills.Add(1)
			if c.between != nil {
				if err := c.between(c); err != nil {
					t.Fatal(err)
				}
			}
			continue
		}
		if err != nil {
			p.kill()
			_ = p.wait()
			count.note([]string{"stuck:"})
			t.Fatalf("life %d: %v\n%s", life, err, p.complaint())
		}
		wrong, err := c.verdict(p)
		if len(wrong) > 0 && errors.Is(p.do("snapshot", nil, nil), errGone) {
			err = errGone // a story's own questions were put to a program that was no more
		}
		if errors.Is(err, errGone) && kill != "" {
			_ = p.wait()
			count.kills.Add(1) // killed by what it does in the background
			continue
		}
		if err != nil {
			t.Fatalf("life %d: %v\n%s", life, err, p.complaint())
		}
		count.note(wrong)
		for _, w := range wrong {
			t.Errorf("killed at %v: %s", kills, w)
		}
		err = p.do("quit", nil, nil)
		if err = errors.Join(err, p.wait()); err != nil && kill != "" {
			count.kills.Add(1) // killed while it closed
			continue
		}
		if err != nil {
			t.Errorf("the program did not end cleanly: %v\n%s", err, p.complaint())
		}
		return
	}
}

// yesterday tells what comes before the story, unharmed.
func yesterday(t *testing.T, program string, c *customer, data string) {
	t.Helper()
	p, err := launch(program, data, "", "", c.witness, 0, c.flags...)
	if err != nil {
		t.Fatal(err)
	}
	eve := &customer{script: script{says: c.before, first: c.eve}, witness: c.witness, approved: c.approved, asked: c.asked}
	if err := eve.play(p); err != nil {
		t.Fatalf("the day before: %v\n%s", err, p.complaint())
	}
	if err := p.do("quit", nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := p.wait(); err != nil {
		t.Fatal(err)
	}
	c.says = append(slices.Clone(c.before), c.says...)
}
