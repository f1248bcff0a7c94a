package front

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/job"
	"agentchat/backend/shop"
)

// ticketCommand does what concerns all jobs, whenever they were.
func ticketCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	if c.Cmd == "again" {
		if c.Job == "" {
			return nil, apperr.New(apperr.BadCommand, "detail", "again needs job")
		}
		return s.SayAgain(ctx, c.Job, c.Sure)
	}
	filter, err := filterOf[job.TicketFilter](c)
	if err != nil {
		return nil, err
	}
	if c.Cmd == "tickets" {
		return s.Tickets(ctx, filter, c.Cursor, c.Limit)
	}
	rows, err := s.ExportTickets(ctx, c.Path, c.Format, filter)
	return struct {
		Path string `json:"path"`
		Rows int    `json:"rows"`
	}{c.Path, rows}, err
}
