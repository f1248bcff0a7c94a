package shop_test

import (
	"runtime"
	"slices"
	"testing"

	"agentchat/backend/event"
)

// What the shop called a chat just before a person named or deleted it is not told after that.
func TestThePersonsWordOnAChatIsTheLastThatIsTold(t *testing.T) {
	titles := func(c *customer) (list []string) {
		for _, v := range c.snapshot().Chats {
			list = append(list, v.ID+" "+v.Title)
		}
		return list
	}
	for name, act := range map[string]struct {
		do     func(c *customer) error
		stored func(c *customer) bool
		told   func(c *customer)
	}{
		"named": {
			do:     func(c *customer) error { return c.RenameChat(t.Context(), "main", "Mine") },
			stored: func(c *customer) bool { return slices.Contains(titles(c), "main Mine") },
			told: func(c *customer) {
				until(c, "the person's name was told", func(_ event.Envelope, p event.ChatCreated) bool { return p.Title == "Mine" })
			},
		},
		"deleted": {
			do:     func(c *customer) error { return c.DeleteChat(t.Context(), "main") },
			stored: func(c *customer) bool { return !slices.Contains(titles(c), "main The shop's") },
			told: func(c *customer) {
				until(c, "the end was told", func(event.Envelope, event.ChatDeleted) bool { return true })
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := enter(t, t.TempDir())
			c.say("안녕")
			if err := c.RenameChat(t.Context(), "main", "The shop's"); err != nil {
				t.Fatal(err)
			}
			until(c, "it has a name", func(_ event.Envelope, p event.ChatCreated) bool { return p.Title == "The shop's" })
			ended := make(chan error, 1)
			if err := c.Telling(func() error {
				go func() { ended <- act.do(c) }()
				for !act.stored(c) {
					runtime.Gosched()
				}
				for range 1000 { // who does not wait for what was stored before tells of it now
					runtime.Gosched()
				}
				c.Bus.Publish(event.Of("main", "", event.ChatCreated{ID: "main", Title: "Late"}))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
			until(c, "the shop's name was told", func(_ event.Envelope, p event.ChatCreated) bool { return p.Title == "Late" })
			act.told(c)
		})
	}
}
