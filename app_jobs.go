package main

import (
	"context"

	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/media"
	"agentchat/backend/shop"
)

// Answer answers an open question.
func (a *App) Answer(reply ask.Reply) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { _, err := s.Answer(ctx, reply); return err })
}

// CancelJob stops a job.
func (a *App) CancelJob(job string) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.CancelJob(job) })
}

// UndoJob takes a job back, by a job of its own, which the message that is given asks for.
func (a *App) UndoJob(job string) (event.ChatMessage, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.ChatMessage, error) { return s.UndoJob(ctx, job) })
}

// FilePlan gives the lines of a plan that a question shows.
func (a *App) FilePlan(plan string) ([]shop.PlanLine, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]shop.PlanLine, error) { return s.FilePlan(ctx, plan) })
}

// Job gives one job with its questions and log.
func (a *App) Job(id string) (shop.JobDetail, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.JobDetail, error) { return s.Job(ctx, id) })
}

// JobLogs gives the newest log lines of all jobs, oldest first.
func (a *App) JobLogs(limit int) ([]shop.LogEntry, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]shop.LogEntry, error) { return s.JobLogs(ctx, limit) })
}

// ClearEnded takes ended jobs off the board.
func (a *App) ClearEnded() error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.ClearEnded(ctx) })
}

// MediaReport tells where the real player of a device is, in seconds; ended is true when it reached the end.
func (a *App) MediaReport(r media.Report) error {
	return run(a, func(_ context.Context, s *shop.Shop) error {
		s.MediaReport(r)
		return nil
	})
}

// MediaControl does something with what plays, as the tool player_control does.
func (a *App) MediaControl(o media.Order) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { _, err := s.MediaControl(ctx, o); return err })
}
