package front

import "agentchat/backend/shop"

// pagerCommand does what concerns the phones that are paired.
func pagerCommand(s *shop.Shop, c command) (any, error) {
	switch c.Cmd {
	case "pager_pair":
		return s.InvitePhone()
	case "pager_unpair":
		return struct{}{}, s.RemovePhone(c.Phone)
	default: // pager
		return s.Pager()
	}
}
