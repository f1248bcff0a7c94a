package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
)

// noticeDesk is the system that shows notifications. Any of its calls may take long, or never return.
type noticeDesk interface {
	Open() bool
	Show(title, body string)
}

// systemNotices is the desktop's own, by way of Wails.
type systemNotices struct{ ctx context.Context } //nolint:containedctx // Wails hands out one context for the life of the window

func (s systemNotices) Open() bool {
	return runtime.InitializeNotifications(s.ctx) == nil && runtime.IsNotificationAvailable(s.ctx)
}

func (s systemNotices) Show(title, body string) {
	_ = runtime.SendNotification(s.ctx, runtime.NotificationOptions{ID: "agentchat", Title: title, Body: body})
}

// notices tells people who look elsewhere of questions, ended jobs and reminders. It speaks to the desktop in a goroutine
// of its own and keeps one notice at most: what happens while the desktop is slow is added to that one.
type notices struct {
	settings func() config.Settings

	mu      sync.Mutex
	waiting notice
	wake    chan struct{}
}

func newNotices(settings func() config.Settings) *notices {
	return &notices{settings: settings, wake: make(chan struct{}, 1)}
}

// run shows what is told until ctx ends.
func (n *notices) run(ctx context.Context, desk noticeDesk) {
	for open := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-n.wake:
		}
		if open = open || desk.Open(); !open {
			return // there is none
		}
		n.mu.Lock()
		next := n.waiting
		n.waiting = notice{}
		n.mu.Unlock()
		desk.Show(next.words(n.settings().Lang))
	}
}

// tell notes what of a batch people should hear of. It never waits.
func (n *notices) tell(batch []event.Envelope) {
	if !n.settings().Notifications {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	before := n.waiting.count()
	for _, env := range batch {
		n.waiting.add(env)
	}
	if n.waiting.count() == before {
		return
	}
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// notice is what one notification says.
type notice struct {
	asks, reports, reminders int
	title, body              string // of the first
}

func (n *notice) count() int { return n.asks + n.reports + n.reminders }

func (n *notice) add(env event.Envelope) {
	title, body := "Agent Chat", ""
	switch env.Kind {
	case event.KindAskOpened:
		var a event.AskOpened
		if json.Unmarshal(env.Data, &a) != nil {
			return
		}
		title, body = a.JobTitle, a.Question
		n.asks++
	case event.KindJobReport:
		var r event.JobReport
		if json.Unmarshal(env.Data, &r) != nil {
			return
		}
		if body = r.Text; len(r.Did) > 0 {
			body = r.Did[0].Text // what was done, rather than what a model says of it
		}
		n.reports++
	case event.KindReminderDue:
		var r event.ReminderDue
		if json.Unmarshal(env.Data, &r) != nil {
			return
		}
		body = r.Text
		n.reminders++
	default:
		return
	}
	if n.count() == 1 {
		n.title, n.body = title, body
	}
}

// words says one thing as it is and several by their number.
func (n *notice) words(lang bilingual.Lang) (title, body string) {
	if n.count() == 1 {
		return n.title, n.body
	}
	var parts []string
	for _, p := range []struct {
		n             int
		ko, one, many string
	}{
		{n.asks, "답을 기다리는 질문 %d개", "%d question waits for your answer", "%d questions wait for your answer"},
		{n.reports, "끝난 일 %d개", "%d job ended", "%d jobs ended"},
		{n.reminders, "알림 %d개", "%d reminder", "%d reminders"},
	} {
		words := p.many
		switch {
		case p.n == 0:
			continue
		case lang == bilingual.KO:
			words = p.ko
		case p.n == 1:
			words = p.one
		}
		parts = append(parts, fmt.Sprintf(words, p.n))
	}
	return "Agent Chat", strings.Join(parts, " · ")
}
