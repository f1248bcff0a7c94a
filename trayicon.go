package main

import (
	"context"
	"fmt"
	"time"

	"agentchat/backend/background"
	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/shop"
	"agentchat/backend/tray"
)

const (
	// trayLines is how many jobs, questions and favourites the menu names; of the rest of the first two it tells the number.
	trayLines = 6
	// trayEvery is how often the menu changes at most.
	trayEvery = time.Second
)

// trayRoom is the room of the menu's sections: open and favourites, what goes on, what waits, and pause and quit.
var trayRoom = []int{1 + trayLines, trayLines + 2, trayLines + 2, 2}

// trayKinds are the events after which the menu may say something else.
var trayKinds = map[event.Kind]bool{
	event.KindJobCreated: true, event.KindJobState: true, event.KindAskOpened: true, event.KindAskClosed: true,
	event.KindChatDeleted: true, event.KindChatRestored: true, event.KindChatCut: true, event.KindConfig: true,
	event.KindFavouritesChanged: true,
}

// refreshMenu has the menu looked at again. It never waits.
func (w *window) refreshMenu() { background.Wake(w.menuStale) }

// followTray keeps the menu true. While nothing happens it does nothing.
func (w *window) followTray(ctx context.Context, s *shop.Shop) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.menuStale:
		}
		if d, err := s.Activity(ctx, trayLines); err == nil {
			w.icon.Show(w.trayMenu(d, s.Config.Get().Lang))
		}
		pause(ctx, trayEvery)
	}
}

// trayMenu is what the icon's menu says.
func (w *window) trayMenu(d shop.Activity, lang bilingual.Lang) tray.Menu {
	say := func(ko, en string) string { return bilingual.Say(lang, ko, en) }
	count := func(n int, ko, one, many string) string {
		if n == 1 {
			return say(fmt.Sprintf(ko, n), fmt.Sprintf(one, n))
		}
		return say(fmt.Sprintf(ko, n), fmt.Sprintf(many, n))
	}
	going := []tray.Entry{{Title: say("하고 있는 일이 없어요", "No job is under way")}}
	if d.AllJobs > 0 {
		going[0].Title = count(d.AllJobs, "하고 있는 일 %d개", "%d job under way", "%d jobs under way")
	}
	for _, j := range d.Jobs {
		going = append(going, tray.Entry{Title: j.Title, Do: func() { w.lead(place{j.Chat, j.ID, ""}) }})
	}
	waiting := []tray.Entry{{Title: say("기다리는 질문이 없어요", "No question waits for you")}}
	if d.AllAsks > 0 {
		waiting[0].Title = count(d.AllAsks, "기다리는 질문 %d개", "%d question waits for you", "%d questions wait for you")
	}
	for _, a := range d.Asks {
		waiting = append(waiting, tray.Entry{Title: a.Question, Do: func() { w.lead(place{a.Chat, a.JobID, a.ID}) }})
	}
	for _, more := range []struct {
		list *[]tray.Entry
		left int
	}{{&going, d.AllJobs - len(d.Jobs)}, {&waiting, d.AllAsks - len(d.Asks)}} {
		if more.left > 0 {
			*more.list = append(*more.list, tray.Entry{Title: say(fmt.Sprintf("그 밖에 %d개", more.left), fmt.Sprintf("%d more", more.left)), Do: w.raise})
		}
	}
	rest := tray.Entry{Title: say("모두 멈추기", "Pause everything"), Do: func() { w.rest(true) }}
	if d.Paused {
		rest = tray.Entry{Title: say("계속하기", "Go on"), Do: func() { w.rest(false) }}
	}
	open := []tray.Entry{{Title: say("Agent Chat 열기", "Open Agent Chat"), Do: w.raise}}
	for _, f := range d.Favourites {
		open = append(open, tray.Entry{Title: "/" + f.Name, Do: func() { w.order(f) }})
	}
	return tray.Menu{
		open, going, waiting,
		{rest, {Title: say("끝내기", "Quit"), Do: w.askToQuit}},
	}
}

// order says a favourite. One that is left with blanks brings the window, which asks for them.
func (w *window) order(f shop.FavouriteView) {
	const chat = "main" // where a favourite is said that no chat asked for
	_, err := w.open.RunFavourite(w.ctx, chat, f.ID, "")
	if err != nil {
		log := w.open.Log.Component("tray")
		log.Warn().Err(err).Str("favourite", f.ID).Msg("a favourite was not run")
	}
	if err != nil || len(f.Blanks) > 0 {
		w.lead(place{chat: chat})
	}
}

// rest has everything pause or go on.
func (w *window) rest(paused bool) {
	if _, err := w.open.SetSettings(map[string]any{config.KeyPaused: paused}); err != nil {
		log := w.open.Log.Component("tray")
		log.Warn().Err(err).Msg("pause")
	}
}
