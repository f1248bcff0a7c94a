package main

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/desktop/autostart"
	"agentchat/backend/shop"
)

// PageCommands gives the page, once, what it is to do that did not begin in it. The event "page.command" says that there is something.
func (a *App) PageCommands() []PageCommand { return a.window.takeCommands() }

// CloseAs keeps what closing the window is to mean from now on, stay (it goes on) or quit, and does it.
func (a *App) CloseAs(choice string) error {
	return run(a, func(context.Context, *shop.Shop) error { return a.window.closeAs(choice) })
}

// Quit ends the program, as the person chose who was told what goes on.
func (a *App) Quit() { a.window.quit() }

// AskToQuit ends the program, whatever closing the window means; while something goes on, a person is told so first.
func (a *App) AskToQuit() { a.window.askToQuit() }

// Stay says that the person who was asked does not want the program to end.
func (a *App) Stay() { a.window.asking.Store(false) }

// StartsAtLogin tells whether the program begins with the person's session.
func (a *App) StartsAtLogin() (bool, error) {
	on, err := autostart.On()
	return on, startTrouble(err)
}

// SetStartsAtLogin has the program begin with the person's session, without its window, or no longer.
func (a *App) SetStartsAtLogin(on bool) error {
	return run(a, func(_ context.Context, s *shop.Shop) error {
		args := []string{"--hidden"}
		for _, item := range s.Settings().Settings {
			if place, ok := item.Value.(string); ok && item.Flag != "" && !item.Live && item.Source != config.SourceDefault {
				args = append(args, "--"+item.Flag, place) // the same data folder as now
			}
		}
		entry, err := autostart.This(args...)
		if err == nil {
			err = autostart.Set(on, entry)
		}
		return startTrouble(err)
	})
}

func startTrouble(err error) error {
	if err == nil {
		return nil
	}
	return apperr.Wrap(err, apperr.AutostartFailed, "detail", err.Error())
}
