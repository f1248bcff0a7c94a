package shop_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"agentchat/backend/ask"
	"agentchat/backend/manager"
	"agentchat/backend/shop"
	"agentchat/backend/testing/breadth"
)

// What is kept of the ledger is what a reading anew of it gives, after each of many changes of all kinds, while somebody else asks for it with each of them.
func TestWhatIsKeptIsWhatTheLedgerHas(t *testing.T) {
	dir := t.TempDir()
	for round := range breadth.Count(3, 1) {
		walk(t, dir, rand.New(rand.NewPCG(uint64(round), 1)), 50)
	}
}

func walk(t *testing.T, dir string, dice *rand.Rand, steps int) {
	t.Helper()
	ctx := t.Context()
	c := enter(t, dir)
	look := onlooker(c)
	did := map[string]int{}
	for range steps {
		now := asRead(c)
		chat := now.Chats[dice.IntN(len(now.Chats))]
		message, request := "", ""
		if n := len(chat.Messages); n > 0 {
			message = chat.Messages[dice.IntN(n)].ID
			for _, m := range chat.Messages {
				if m.Role == "customer" {
					request = m.ID
				}
			}
		}
		words := []string{"12 곱하기 3은?", "메모해줘: 우유 사기", "메모 보여줘", "우유 메모를 '두부 사기'로 바꿔줘", "방금 거 되돌려줘", "안녕"}[dice.IntN(6)]
		kinds := []struct {
			what string
			do   func() error
		}{
			{"say", func() error { _, err := c.Say(ctx, chat.ID, words, "", ""); return err }},
			{"say elsewhere", func() error { _, err := c.Say(ctx, "main", words, "", ""); return err }},
			{"say instead", func() error { _, err := c.SayInstead(ctx, request, manager.Instead{Text: words}); return err }},
			{"show a version", func() error {
				list, err := c.Versions(ctx, request)
				if err != nil || len(list) == 0 {
					return err
				}
				return c.ShowVersion(ctx, list[dice.IntN(len(list))].ID)
			}},
			{"answer", func() error {
				if len(now.Asks) == 0 {
					return nil
				}
				q := now.Asks[dice.IntN(len(now.Asks))]
				_, err := c.Answer(ctx, ask.Reply{Ask: q.ID, Choice: q.Choices[dice.IntN(len(q.Choices))], Digest: q.Digest})
				return err
			}},
			{"new chat", func() error { _, err := c.NewChat(ctx); return err }},
			{"fork", func() error { _, err := c.ForkChat(ctx, message, "다른 이야기"); return err }},
			{"rename", func() error { return c.RenameChat(ctx, chat.ID, words) }},
			{"pin", func() error { return c.PinChat(ctx, chat.ID, !chat.Pinned) }},
			{"archive", func() error { return c.ArchiveChat(ctx, chat.ID, !chat.Archived) }},
			{"instruct", func() error { return c.SetChat(ctx, chat.ID, shop.ChatSettings{Instructions: words}) }},
			{"delete", func() error { return c.DeleteChat(ctx, chat.ID) }},
			{"take back a chat", func() error {
				list, err := c.DeletedChats(ctx)
				if err != nil || len(list) == 0 {
					return err
				}
				return c.RestoreChat(ctx, list[dice.IntN(len(list))].ID)
			}},
			{"hide", func() error { return c.HideMessage(ctx, message, dice.IntN(2) == 0) }},
			{"look", func() error { return c.Looked(chat.ID, message, message, 0.5) }},
			{"clear", func() error { return c.ClearEnded(ctx) }},
			{"cancel", func() error {
				for _, j := range now.Jobs {
					if j.Ended == "" {
						return c.CancelJob(j.ID)
					}
				}
				return nil
			}},
			{"go back", func() error {
				b, err := c.BackupNow(ctx)
				if err != nil {
					return err
				}
				if _, err := c.Say(ctx, "main", words, "", ""); err != nil {
					return err
				}
				if err := c.RestoreBackup(ctx, b.Name); err != nil {
					return err
				}
				look()
				c.leave()
				c = enter(t, dir)
				look = onlooker(c)
				return nil
			}},
		}
		k := kinds[dice.IntN(len(kinds))]
		if k.do() == nil { // what there is nothing for is refused
			did[k.what]++
		}
		if dice.IntN(3) > 0 {
			if err := c.WaitIdle(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	asRead(c)
	look()
	c.leave()
	t.Log(did)
}

// asRead compares what a snapshot shows with a reading anew, at a moment when nothing is written in between: two snapshots around it are the same.
func asRead(c *customer) shop.Snapshot {
	c.t.Helper()
	shown := func() shop.Snapshot {
		snap, err := c.Snapshot(c.t.Context())
		if err != nil {
			c.t.Fatal(err)
		}
		for i := range snap.Chats {
			snap.Chats[i].Busy = false
		}
		for i := range snap.Jobs {
			snap.Jobs[i].Place = 0
		}
		return snap
	}
	for before := shown(); ; {
		anew, err := c.Anew(c.t.Context())
		if err != nil {
			c.t.Fatal(err)
		}
		chats, jobs, err := anew.Carried(c.t.Context())
		if err := errors.Join(err, anew.Close()); err != nil {
			c.t.Fatal(err)
		}
		after := shown()
		if reflect.DeepEqual(before.Chats, after.Chats) && reflect.DeepEqual(before.Jobs, after.Jobs) {
			if !reflect.DeepEqual(after.Chats, chats) {
				c.t.Fatalf("chats are shown as\n%+v\nand are\n%+v", after.Chats, chats)
			}
			if !reflect.DeepEqual(after.Jobs, jobs) {
				c.t.Fatalf("jobs are shown as\n%+v\nand are\n%+v", after.Jobs, jobs)
			}
			return after
		}
		before = after
	}
}

// onlooker asks for a snapshot whenever something happens, until it is told to stop.
func onlooker(c *customer) (stop func()) {
	ctx, over := context.WithCancel(c.t.Context())
	reader := c.Bus.SubscribeFrom(c.Bus.Seq() + 1)
	var done sync.WaitGroup
	done.Go(func() {
		for {
			if _, err := reader.Next(ctx, 0); err != nil {
				return
			}
			if _, err := c.Snapshot(context.WithoutCancel(ctx)); err != nil {
				c.t.Error(err)
				return
			}
		}
	})
	return func() { over(); done.Wait() }
}
