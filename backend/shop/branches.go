package shop

import (
	"context"
	"os"
	"time"

	"agentchat/backend/about"
	"agentchat/backend/branch"
	"agentchat/backend/config"
	"agentchat/backend/guest"
)

// openBranches makes room for other shops that lend tools, or borrow them.
func (s *Shop) openBranches(pace branch.Pace) (err error) {
	log := s.Log.Component("branches")
	s.branches, err = branch.New(branch.Deps{
		Guests: s.guests, Box: s.box, Line: s.line, Bus: s.Bus, Now: func() time.Time { return s.now() }, NewID: newID, Dir: s.Config.Get().DataDir, Version: about.Version, Log: &log,
		Pace: pace,
		Wake: func(id string) { s.jobs.Wake(id) },
		Tools: func() {
			if err := s.applySettings(); err != nil { // a tool that came has to learn what the settings say of it
				log.Warn().Err(err).Msg("tool settings")
			}
		},
		Name: func() string { return branchName(s.Config.Get()) },
		Where: func() (string, int) {
			c := s.Config.Get()
			return c.BranchesAddress, c.BranchesPort
		},
	})
	return err
}

func branchName(c config.Settings) string {
	if c.BranchesName != "" {
		return c.BranchesName
	}
	if host, err := os.Hostname(); err == nil && host != "" {
		return host
	}
	return "Agent Chat"
}

// Branches shows the other shops that were paired.
func (s *Shop) Branches(ctx context.Context) (branch.View, error) { return s.branches.View(ctx) }

// InviteBranch makes what one other shop is paired with: it will use these tools, within these limits. Errors: those of branch.Book.Invite.
func (s *Shop) InviteBranch(g guest.Guest) (branch.Invitation, error) { return s.branches.Invite(g) }

// UninviteBranch voids the code that no shop has used.
func (s *Shop) UninviteBranch() { s.branches.Uninvite() }

// JoinBranch pairs with the shop at an address that gave the code. Errors: those of branch.Book.Join.
func (s *Shop) JoinBranch(ctx context.Context, address, code string) error {
	return s.branches.Join(ctx, address, code)
}

// MoveBranch has a shop that lends called at another address. Errors: those of branch.Book.Move.
func (s *Shop) MoveBranch(ctx context.Context, id, address string) error {
	return s.branches.Move(ctx, id, address)
}

// RemoveBranch unpairs another shop. Errors: not_found, storage errors.
func (s *Shop) RemoveBranch(ctx context.Context, id string) error { return s.branches.Remove(ctx, id) }
