package main

import (
	"context"

	onbus "agentchat/backend/notice"
)

// linuxNotices is the session bus's place for notifications.
type linuxNotices struct{ desk *onbus.Desk }

func newNoticeDesk(context.Context) noticeDesk { return &linuxNotices{} }

// Open implements noticeDesk. Whoever opens again has lost the desk before.
func (l *linuxNotices) Open(clicked, gone func()) (there bool) {
	if l.desk != nil {
		l.desk.Close()
	}
	desk, err := onbus.Open(clicked, gone)
	l.desk = desk
	return err == nil
}

// Show implements noticeDesk.
func (l *linuxNotices) Show(title, body, act string) error { return l.desk.Show(title, body, act) }

// Hide implements noticeDesk.
func (l *linuxNotices) Hide() { l.desk.Hide() }
