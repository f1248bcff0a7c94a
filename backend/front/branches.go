package front

import (
	"context"

	"agentchat/backend/shop"
)

// branchCommand does what concerns other shops.
func branchCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	var err error
	switch c.Cmd {
	case "branch_invite":
		return s.InviteBranch(c.Guest)
	case "branch_uninvite":
		s.UninviteBranch()
	case "branch_join":
		err = s.JoinBranch(ctx, c.Address, c.Code)
	case "branch_move":
		err = s.MoveBranch(ctx, c.Branch, c.Address)
	case "branch_remove":
		err = s.RemoveBranch(ctx, c.Branch)
	}
	if err != nil {
		return struct{}{}, err
	}
	return s.Branches(ctx)
}
