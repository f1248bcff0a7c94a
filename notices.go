package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"agentchat/backend/background"
	"agentchat/backend/brief"
	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
)

// notifier is the system that shows notifications, one at a time. Any of its calls may take long, or never return.
type notifier interface {
	// Open tells whether there is one. clicked and gone are called when what is shown was clicked, and when it was put away.
	Open(clicked, gone func()) bool
	// Show shows a notification in the place of the last one; act says what a click does.
	Show(title, body, act string) error
	// Hide takes it away.
	Hide()
}

// longestNotice is how many signs of what happened a notification shows.
const longestNotice = 300

// notices tells people who look elsewhere of questions, ended jobs and reminders. It speaks to the desktop in a goroutine
// of its own and keeps one notice at most: what happens while the desktop is slow, or before a person looked at what was shown, is
// added to that one.
type notices struct {
	settings func() config.Settings
	lead     func(to place) // brings the person to what a notice told of

	mu      sync.Mutex
	waiting notice
	shown   notice // and not looked at yet
	seen    bool   // it is to be taken away
	wake    chan struct{}
}

func newNotices(settings func() config.Settings, lead func(to place)) *notices {
	return &notices{settings: settings, lead: lead, wake: make(chan struct{}, 1)}
}

// run shows what is told until ctx ends.
func (n *notices) run(ctx context.Context, system notifier) {
	for open := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-n.wake:
		}
		n.mu.Lock()
		next, seen := n.shown.with(n.waiting), n.seen
		fresh := n.waiting.count() > 0
		n.waiting, n.seen = notice{}, false
		if fresh {
			n.shown = next
		}
		n.mu.Unlock()
		if seen && open {
			system.Hide()
		}
		if !fresh {
			continue
		}
		if open = open || system.Open(n.clicked, n.gone); !open {
			continue // there is none, or none yet
		}
		lang := n.settings().Lang
		title, body := next.words(lang)
		open = system.Show(brief.Fit(title, longestNotice), brief.Fit(body, longestNotice), bilingual.Say(lang, "열기", "Open")) == nil
	}
}

// clicked leads to what is shown, and takes it away: not every desktop does.
func (n *notices) clicked() {
	n.mu.Lock()
	to := n.shown.place
	n.shown, n.seen = notice{}, true
	n.tellSoon()
	n.mu.Unlock()
	go n.lead(to)
}

// gone notes that what was shown was put away: what comes next is told anew.
func (n *notices) gone() {
	n.mu.Lock()
	n.shown = notice{}
	n.mu.Unlock()
}

// look notes that the person looks at the window: nothing of what was shown is news any more. It never waits.
func (n *notices) look() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.shown.count()+n.waiting.count() == 0 {
		return
	}
	n.shown, n.waiting, n.seen = notice{}, notice{}, true
	n.tellSoon()
}

func (n *notices) tellSoon() { background.Wake(n.wake) }

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
	n.tellSoon()
}

// notice is what one notification says.
type notice struct {
	asks, reports, reminders int
	title, body              string // of the first
	place                    place  // where it leads: to the first question, or else to what came first
}

// with is this notice and what came after it, in one.
func (n notice) with(later notice) notice {
	if n.count() == 0 {
		return later
	}
	if n.asks == 0 && later.asks > 0 {
		n.place = later.place
	}
	n.asks, n.reports, n.reminders = n.asks+later.asks, n.reports+later.reports, n.reminders+later.reminders
	return n
}

func (n *notice) count() int { return n.asks + n.reports + n.reminders }

func (n *notice) add(env event.Envelope) {
	title, body, to := "Agent Chat", "", place{env.Chat, env.Job, ""}
	switch env.Kind {
	case event.KindAskOpened:
		var a event.AskOpened
		if json.Unmarshal(env.Data, &a) != nil {
			return
		}
		title, body, to = a.JobTitle, a.Question, place{a.Chat, a.JobID, a.ID}
		if title == "" {
			title = "Agent Chat"
		}
		if n.asks == 0 {
			n.place = to
		}
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
		n.title, n.body, n.place = title, body, to
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
