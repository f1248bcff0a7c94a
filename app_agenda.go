package main

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/shop"
)

var calendarFiles = []runtime.FileFilter{{DisplayName: "iCalendar (.ics)", Pattern: "*.ics"}}

// ExportEvents writes what is on the to-do list into a calendar file. Without a path it shows the system's save dialog, with title above it. It
// gives how many entries were written, -1 when the person closed the dialog.
func (a *App) ExportEvents(path, title string) (int, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (int, error) {
		path, err := chosen(ctx, path, title, "agent-chat.ics", calendarFiles...)
		if err != nil || path == "" {
			return -1, err
		}
		return s.ExportEvents(ctx, path)
	})
}

// ImportEvents puts what a calendar file holds on the to-do list. Without a path it shows the system's dialog, with title above it; the result has
// no text when the person closed it.
func (a *App) ImportEvents(path, title string) (shop.EventsImported, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.EventsImported, error) {
		if path == "" {
			chosen, err := runtime.OpenFileDialog(ctx, runtime.OpenDialogOptions{Title: title, Filters: calendarFiles})
			if err != nil || chosen == "" {
				return shop.EventsImported{}, err
			}
			path = chosen
		}
		return s.ImportEvents(ctx, path)
	})
}
