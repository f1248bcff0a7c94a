//go:build unix

package store_test

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/manager"
	"agentchat/backend/store"
	"agentchat/backend/testing/baddisk"
	"agentchat/backend/testing/breadth"
	"agentchat/backend/toolbox"
)

var everyFault = flag.Bool("fault.full", false, "let the disk fail at every request, not at a sample of them")

// first and stride choose the requests at which the disk fails.
func first() (n, stride int) {
	if *everyFault {
		return 1, 1
	}
	stride = breadth.Stride(23, 211)
	return 1 + rand.IntN(stride), stride
}

// sound fails the test when the ledger in dir is damaged.
func sound(t *testing.T, dir string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var found string
	if err := db.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&found); err != nil || found != "ok" {
		t.Fatalf("the ledger: %s, %v", found, err)
	}
}

// acknowledged says messages until it is told of a failure, and gives those that were taken.
func acknowledged(t *testing.T, s *store.Store, from, n int) (taken []string, refusal error) {
	t.Helper()
	for i := range n {
		id := fmt.Sprintf("m%d", from+i)
		turn := manager.Turn{ID: id, Chat: "main", Text: id}
		_, err := s.AddTurn(context.Background(), turn, event.ChatMessage{ID: id, Role: event.RoleCustomer, Text: id}, "")
		if err != nil {
			refusal = err
			continue
		}
		taken = append(taken, id)
	}
	return taken, refusal
}

func wantMessages(t *testing.T, s *store.Store, taken []string) {
	t.Helper()
	msgs, err := s.History(context.Background(), "main", "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]int{}
	for _, m := range msgs {
		there[m.ID]++
	}
	for _, id := range taken {
		if there[id] != 1 {
			t.Errorf("%s is there %d times", id, there[id])
		}
	}
}

// Every single request to the disk fails once, in every way, from the first opening to the last checkpoint: what was
// acknowledged is there afterwards, the person is told of what was not, and the ledger is sound.
func TestTheDiskFailsOnceAtEveryRequest(t *testing.T) {
	for _, fault := range []baddisk.Fault{baddisk.Full, baddisk.IO} {
		t.Run(string(fault), func(t *testing.T) {
			refusals := 0
			for n, stride := first(); ; n += stride {
				dir := t.TempDir()
				disk := baddisk.Under(t, dir)
				disk.FailAt(n, fault)
				taken := live(t, dir, fault, &refusals)
				failed := disk.Failed() > 0
				reached := disk.Asked() >= n
				disk.Heal()
				sound(t, dir)
				s, err := store.Open(t.Context(), dir, time.Now)
				if err != nil {
					t.Fatalf("request %d: it does not open again: %v", n, err)
				}
				wantMessages(t, s, taken)
				more, refusal := acknowledged(t, s, 100, 1)
				if refusal != nil || len(more) != 1 {
					t.Fatalf("request %d: the next message: %v", n, refusal)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				if t.Failed() {
					t.Fatalf("after request %d failed (%t)", n, failed)
				}
				if !reached {
					if n < 30 {
						t.Errorf("only %d requests: the test is not about what it was about", n)
					}
					return
				}
			}
		})
	}
}

// live opens the ledger, fills it, answers a question and closes it, and gives what was acknowledged.
func live(t *testing.T, dir string, fault baddisk.Fault, refusals *int) (taken []string) {
	t.Helper()
	s, err := store.Open(context.Background(), dir, time.Now)
	if err != nil {
		wantTold(t, err, fault)
		return nil
	}
	taken, refusal := acknowledged(t, s, 0, 4)
	if refusal != nil {
		*refusals++
		wantTold(t, refusal, fault)
	}
	if _, err := s.BackUp(context.Background(), store.ReasonAsked); err != nil {
		wantTold(t, err, fault)
	}
	more, refusal := acknowledged(t, s, 4, 4)
	if refusal != nil {
		wantTold(t, refusal, fault)
	}
	if err := s.Close(); err != nil {
		wantTold(t, err, fault)
	}
	copies, err := store.Backups(context.Background(), dir)
	if err != nil {
		t.Error(err)
	}
	for _, c := range copies {
		if !c.OK {
			t.Errorf("a backup is there that cannot be read: %+v", c)
		}
	}
	return append(taken, more...)
}

// wantTold wants an error a person can do something about.
func wantTold(t *testing.T, err error, fault baddisk.Fault) {
	t.Helper()
	code := apperr.CodeOf(err)
	if fault == baddisk.Full && code != apperr.StorageFull || fault == baddisk.IO && code != apperr.StorageFailed {
		t.Errorf("told %s: %v", code, err)
	}
}

// The power goes at any request to the disk: nothing is written from then on. The next start finds the ledger whole, and
// finishes what was begun, be it the upgrade of an old one.
func TestThePowerGoesDuringAnUpgrade(t *testing.T) {
	for n, stride := first(); ; n += stride {
		dir := thaw(t, "v1.sql")
		disk := baddisk.Under(t, dir)
		disk.FailFrom(n, baddisk.IO)
		s, err := store.Open(t.Context(), dir, time.Now)
		if err == nil {
			_ = s.Close() // the dead process does not close anything; here its files must be let go of
		}
		dead := disk.Failed() > 0
		disk.Heal()
		sound(t, dir)
		s, err = store.Open(t.Context(), dir, time.Now)
		if err != nil {
			t.Fatalf("request %d: %v", n, err)
		}
		msgs, err := s.History(t.Context(), "main", "", 100)
		if err != nil || len(msgs) != 5 {
			t.Fatalf("request %d: %d messages, %v", n, len(msgs), err)
		}
		if _, refusal := acknowledged(t, s, 0, 1); refusal != nil {
			t.Fatalf("request %d: %v", n, refusal)
		}
		copies, err := s.Backups(t.Context())
		if err != nil || len(copies) == 0 || !copies[len(copies)-1].OK || copies[len(copies)-1].Schema != 1 {
			t.Fatalf("request %d: the backup from before the upgrade: %+v, %v", n, copies, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if !dead {
			if n < 30 {
				t.Errorf("only %d requests", n)
			}
			return
		}
	}
}

// A whole shop floor on a disk that fails at any request: every job ends, is told, or goes on once the disk is well; what
// was done is not done again.
func TestTheDiskFailsUnderAJob(t *testing.T) {
	for _, fault := range []baddisk.Fault{baddisk.Full, baddisk.IO} {
		for _, lasting := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, lasting %t", fault, lasting), func(t *testing.T) {
				n, stride := first()
				for more := true; more && !t.Failed(); n += stride {
					t.Run(fmt.Sprint("request ", n), func(t *testing.T) {
						synctest.Test(t, func(t *testing.T) { more = jobOnBadDisk(t, n, fault, lasting) })
					})
				}
			})
		}
	}
}

func jobOnBadDisk(t *testing.T, n int, fault baddisk.Fault, lasting bool) (failed bool) {
	pay, once := jobtest.Approved("pay", toolbox.ConfirmAlways), jobtest.Approved("once", toolbox.ConfirmNever)
	disk := baddisk.Under(t, t.TempDir())
	f := jobtest.OpenIn(t, disk.Dir(), pay, once, jobtest.NewTool("read")).Start(2)
	id := f.Hand("main", jobtest.Plan("read", "pay", "once"))[0]
	if lasting {
		disk.FailFrom(n, fault)
	} else {
		disk.FailAt(n, fault)
	}
	answer(t, f)
	told := 0
	for _, e := range f.Envelopes() {
		if e.Kind == event.KindError || e.Kind == event.KindJobReport {
			told++
		}
	}
	ended := f.Job(id).State.Ended()
	f.Settle()
	failed = disk.Failed() > 0
	disk.Heal()
	if ended && told == 0 {
		t.Error("the job ended and nobody was told")
	}
	f.Reopen(2)
	for range 10 {
		if f.Job(id).State.Ended() {
			break
		}
		answer(t, f)
	}
	j := f.Job(id)
	if !j.State.Ended() {
		t.Errorf("the job is %s after the disk is well", j.State)
	}
	if len(pay.Runs()) > 1 || len(once.Runs()) > 1 {
		t.Errorf("paid %d times, once ran %d times", len(pay.Runs()), len(once.Runs()))
	}
	if j.State == job.Succeeded && (len(pay.Runs()) != 1 || len(once.Runs()) != 1) {
		t.Errorf("it succeeded without its effects: %d, %d", len(pay.Runs()), len(once.Runs()))
	}
	f.NothingOut()
	f.NoQuestion()
	f.Close()
	sound(t, disk.Dir())
	return failed
}

// answer answers what is asked, as one who knows what has happened in the world.
func answer(t *testing.T, f *jobtest.Floor) {
	t.Helper()
	f.Settle()
	open, err := f.Desk.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range open {
		choice := ask.ChoiceApprove
		if a.Kind == ask.KindRecovery {
			choice = ask.ChoiceRunAgain
			if tool, err := f.Box.Tool(a.Tool); err == nil {
				if own, ok := tool.(*jobtest.Tool); ok && len(own.Runs()) > 0 {
					choice = ask.ChoiceHappened
				}
			}
		}
		_, err := f.Desk.Answer(context.Background(), ask.Reply{Ask: a.ID, Choice: choice, Digest: a.Digest})
		var told *apperr.Error
		if err != nil && !errors.As(err, &told) {
			t.Errorf("answering: %v", err)
		}
		f.Settle()
	}
}

// A file system that is full in earnest, as the engine sees it: the page count may not grow.
func TestALedgerThatMayNotGrow(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	s.LimitPages(t, 1)
	taken, refusal := acknowledged(t, s, 0, 500)
	if apperr.CodeOf(refusal) != apperr.StorageFull || len(taken) == 500 {
		t.Fatalf("%d were taken, then %v", len(taken), refusal)
	}
	s.LimitPages(t, 1<<30)
	if _, refusal := acknowledged(t, s, 1000, 1); refusal != nil {
		t.Fatalf("with room again: %v", refusal)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wantMessages(t, open(t, dir), taken)
	if info, err := os.Stat(filepath.Join(dir, store.FileName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}
