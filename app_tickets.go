package main

import (
	"context"

	"agentchat/backend/job"
	"agentchat/backend/shop"
)

// Tickets gives up to limit of all jobs that a filter wants, behind a cursor (0: from the newest on), the newest first.
func (a *App) Tickets(filter job.TicketFilter, cursor int64, limit int) (shop.TicketPage, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.TicketPage, error) {
		return s.Tickets(ctx, filter, cursor, limit)
	})
}

// SayAgain says the customer's message that a job came of once more. Where the job did something outside of the shop it tells that
// instead, unless they are sure.
func (a *App) SayAgain(job string, sure bool) (shop.Again, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.Again, error) { return s.SayAgain(ctx, job, sure) })
}

// ExportTickets writes the jobs that a filter wants as csv or json. Without a path it shows the system's save dialog, with title above
// it. It gives the path, "" when the person closed the dialog.
func (a *App) ExportTickets(filter job.TicketFilter, path, format, title string) (string, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (string, error) {
		path, err := chosen(ctx, path, title, "agentchat-jobs."+format)
		if err != nil || path == "" {
			return "", err
		}
		_, err = s.ExportTickets(ctx, path, format, filter)
		return path, err
	})
}
