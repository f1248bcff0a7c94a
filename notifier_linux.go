package main

import (
	"context"

	onbus "agentchat/backend/notice"
)

// linuxNotices is the session bus's place for notifications.
type linuxNotices struct{ system *onbus.Notifier }

func newNotifier(context.Context) notifier { return &linuxNotices{} }

// Open implements notifier. Whoever opens again has lost the system before.
func (l *linuxNotices) Open(clicked, gone func()) (there bool) {
	if l.system != nil {
		l.system.Close()
	}
	system, err := onbus.Open(clicked, gone)
	l.system = system
	return err == nil
}

// Show implements notifier.
func (l *linuxNotices) Show(title, body, act string) error { return l.system.Show(title, body, act) }

// Hide implements notifier.
func (l *linuxNotices) Hide() { l.system.Hide() }
