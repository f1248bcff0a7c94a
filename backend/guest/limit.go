package guest

import (
	"slices"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// Limit is what a guest is limited in.
type Limit string

// The limits. All but LimitOpen are for a day and begin anew at midnight.
const (
	LimitOpen    Limit = "open"
	LimitCalls   Limit = "calls"
	LimitChanges Limit = "changes"
	LimitFiles   Limit = "files"
	LimitMoney   Limit = "money"
)

// Day is when the day of a moment began.
func Day(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
}

// lent tells whether a guest has a tool. One that moves money is lent with some money to move, and not before.
func (g Guest) lent(s toolbox.Spec) bool {
	return slices.Contains(g.Tools, s.Key) && (s.Money == "" || g.Money > 0)
}

// Over is guest_limit when a guest that has used this much may not spend so much more.
func (g Guest) Over(use Use, more job.Spend) error {
	switch {
	case more.Files > 0 && use.Files+more.Files > g.Files:
		return g.over(LimitFiles, bilingual.Textf("파일 하루 %d개, 자정까지", "%d files a day, until midnight", g.Files))
	case more.Money > 0 && more.Money > g.Money-use.Money:
		return g.over(LimitMoney, bilingual.Textf("돈 하루 %d원, 자정까지", "%d won a day, until midnight", g.Money))
	}
	return nil
}

func (g Guest) over(kind Limit, words bilingual.Text) error {
	return apperr.New(apperr.GuestLimit, "name", g.Name, "limit", words, "kind", string(kind))
}
