package front

import (
	"context"

	"agentchat/backend/models"
	"agentchat/backend/shop"
)

// serverCommand lists the model servers, or changes the list and gives it. server_test gives the server alone, with how it is and how fast.
func serverCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	var err error
	switch c.Cmd {
	case "server_save":
		err = s.SaveServer(ctx, c.With, c.Key)
	case "server_remove":
		err = s.RemoveServer(ctx, c.Server)
	case "server_order":
		err = s.OrderServers(c.Names)
	case "server_key":
		err = s.SetServerKey(ctx, c.Server, c.Key)
	case "server_use":
		err = s.UseModel(c.Server, c.Model)
	case "server_test":
		return s.TestServer(ctx, c.Server)
	}
	if err != nil {
		return nil, err
	}
	return struct {
		Servers []models.Listed `json:"servers"`
	}{s.Servers(ctx)}, nil
}
