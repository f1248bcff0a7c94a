package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
)

// slowDesk answers when it is let, and keeps what it was to show.
type slowDesk struct {
	hold          chan struct{}
	shown         []string
	hidden        int
	clicked, gone func()
}

func (d *slowDesk) Open(clicked, gone func()) bool {
	d.clicked, d.gone = clicked, gone
	return true
}

func (d *slowDesk) Show(title, body, _ string) error {
	<-d.hold
	d.shown = append(d.shown, title+": "+body)
	return nil
}

func (d *slowDesk) Hide() { d.hidden++ }

// page is a window's page as the relay sees it.
type page struct {
	window *window
	bus    *event.Bus
	desk   *slowDesk
	got    []event.Envelope
	gaps   int
	led    []place
}

func openPage(t *testing.T, ring int) *page {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	p := &page{window: newWindow(), bus: event.NewBus(ring, nil), desk: &slowDesk{hold: make(chan struct{})}}
	p.window.ctx = ctx
	p.window.focused.Store(false)
	p.window.notices = newNotices(func() config.Settings { return config.Settings{Notifications: true, Lang: bilingual.EN} }, func(to place) { p.led = append(p.led, to) })
	reader := p.bus.SubscribeFrom(1)
	go p.window.notices.run(ctx, p.desk)
	go p.window.relayEvents(reader, func(name string, data ...any) {
		if name == "gap" {
			p.gaps++
			return
		}
		batch, ok := data[0].([]event.Envelope)
		if !ok {
			t.Errorf("%s: %T", name, data[0])
		}
		p.got = append(p.got, batch...)
	})
	t.Cleanup(func() {
		cancel()
		select {
		case <-p.desk.hold:
		default:
			close(p.desk.hold)
		}
		p.bus.Close()
		synctest.Wait()
	})
	return p
}

// The desktop never answers: the page hears everything all the same, at once, and one notice waits however much happens.
func TestADesktopThatHangsDelaysNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := openPage(t, 0)
		const jobs = 1000
		for i := range jobs {
			p.bus.Publish(event.Of("", "", event.JobReport{Text: fmt.Sprint("job ", i)}))
			if i == 0 {
				synctest.Wait() // the desktop hangs over the first, and the relay pauses after it
			}
		}
		<-time.After(relayEvery)
		synctest.Wait()
		if len(p.got) != jobs {
			t.Fatalf("the page got %d of %d", len(p.got), jobs)
		}
		<-time.After(time.Minute)
		p.bus.Publish(event.Of("", "", event.AskOpened{JobTitle: "a job", Question: "may I?"}))
		synctest.Wait()
		if len(p.got) != jobs+1 {
			t.Fatal("what came a minute later did not reach the page")
		}
		close(p.desk.hold)
		synctest.Wait()
		if want := "[Agent Chat: job 0 Agent Chat: 1 question waits for your answer · 1000 jobs ended]"; fmt.Sprint(p.desk.shown) != want {
			t.Errorf("shown %v, want %v", p.desk.shown, want)
		}
	})
}

// A page that fell behind is told without waiting for the next event, which may never come.
func TestALagIsToldAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := openPage(t, 4)
		p.bus.Publish(event.Of("", "", event.BankChanged{}))
		synctest.Wait() // the relay pauses after it
		for range 100 {
			p.bus.Publish(event.Of("", "", event.BankChanged{}))
		}
		<-time.After(relayEvery)
		synctest.Wait()
		if p.gaps != 1 || len(p.got) != 1 {
			t.Errorf("told of %d gaps, got %d events", p.gaps, len(p.got))
		}
	})
}

// What is shown and was not looked at takes in what comes after it, leads to the question among it, and ends with a click, when it is
// put away, and when the person looks at the window.
func TestNoticesAreOneUntilTheyAreLookedAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := openPage(t, 0)
		close(p.desk.hold)
		tell := func(chat, job string, what event.Payload) {
			p.bus.Publish(event.Of(chat, job, what))
			<-time.After(relayEvery)
			synctest.Wait()
		}
		report := event.JobReport{Text: "done"}
		said := func(want string) {
			t.Helper()
			if got := p.desk.shown[len(p.desk.shown)-1]; got != want {
				t.Errorf("shown %q, want %q", got, want)
			}
		}
		tell("c", "j1", report)
		said("Agent Chat: done")
		tell("c", "j2", event.AskOpened{ID: "a", Chat: "c", JobID: "j2", JobTitle: "a job", Question: "may I?"})
		said("Agent Chat: 1 question waits for your answer · 1 job ended")
		p.desk.clicked()
		synctest.Wait()
		if want := (place{"c", "j2", "a"}); len(p.led) != 1 || p.led[0] != want {
			t.Errorf("a click leads to %v", p.led)
		}
		tell("c", "j3", report)
		said("Agent Chat: done")
		p.desk.gone()
		tell("c", "j4", report)
		said("Agent Chat: done")
		p.window.notices.look()
		synctest.Wait()
		if p.desk.hidden != 2 { // once after the click
			t.Errorf("taken away %d times", p.desk.hidden)
		}
		tell("c", "j5", event.JobReport{Text: strings.Repeat("x", 1000)})
		if got := []rune(p.desk.shown[len(p.desk.shown)-1]); len(got) > longestNotice+len("Agent Chat: ") {
			t.Errorf("%d signs are shown", len(got))
		}
		p.desk.clicked()
		synctest.Wait()
		if want := (place{"c", "j5", ""}); p.led[len(p.led)-1] != want {
			t.Errorf("a click leads to %v", p.led)
		}
	})
}

func TestOneNoticeSaysWhatHappened(t *testing.T) {
	var n notice
	for range 2 {
		n.add(event.Envelope{Kind: event.KindAskOpened, Data: []byte(`{"jobTitle":"a","question":"b"}`)})
	}
	n.add(event.Envelope{Kind: event.KindReminderDue, Data: []byte(`{"text":"c"}`)})
	n.add(event.Envelope{Kind: event.KindMedia, Data: []byte(`{}`)})
	for lang, want := range map[bilingual.Lang]string{
		bilingual.KO: "답을 기다리는 질문 2개 · 알림 1개", bilingual.EN: "2 questions wait for your answer · 1 reminder",
	} {
		if _, body := n.words(lang); body != want {
			t.Errorf("%s: %q", lang, body)
		}
	}
}
