package front

import (
	"context"

	"agentchat/backend/about"
	"agentchat/backend/shop"
)

// helpCommand tells of the program itself. diagnosis with a path also writes what it answers there.
func helpCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	switch c.Cmd {
	case "about":
		return about.Of(), nil
	case "licences":
		return one("licences", about.Licences()), nil
	case "diagnosis":
		parts := s.Diagnosis(ctx)
		if c.Path != "" {
			if err := s.SaveDiagnosis(c.Path, parts); err != nil {
				return nil, err
			}
		}
		return one("parts", parts), nil
	default: // crash_seen
		return struct{}{}, s.CrashSeen()
	}
}
