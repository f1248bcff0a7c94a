//go:build !linux

package main

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// noticeID is the one notification there is at a time.
const noticeID = "agentchat"

// systemNotices is the desktop's own place for notifications, by way of Wails.
type systemNotices struct{ ctx context.Context } //nolint:containedctx // Wails hands out one context for the life of the window

func newNotifier(ctx context.Context) notifier { return systemNotices{ctx} }

// Open implements notifier.
func (s systemNotices) Open(clicked, _ func()) bool {
	if runtime.InitializeNotifications(s.ctx) != nil || !runtime.IsNotificationAvailable(s.ctx) {
		return false
	}
	runtime.OnNotificationResponse(s.ctx, func(r runtime.NotificationResult) {
		if r.Error == nil && r.Response.ID == noticeID {
			clicked()
		}
	})
	return true
}

// Show implements notifier. The system says on its own what a click does.
func (s systemNotices) Show(title, body, _ string) error {
	return runtime.SendNotification(s.ctx, runtime.NotificationOptions{ID: noticeID, Title: title, Body: body})
}

// Hide implements notifier.
func (s systemNotices) Hide() { _ = runtime.RemoveDeliveredNotification(s.ctx, noticeID) }
