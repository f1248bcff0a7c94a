package shop

import (
	"context"

	"agentchat/backend/config"
	"agentchat/backend/secret"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/web"
)

// searchKey is the name of Brave Search's key.
const searchKey = "brave"

// openSearch makes the tool that searches the web, which says what is missing until it is switched on.
func (s *Shop) openSearch() toolbox.Tool {
	get := s.Config.Get
	return web.NewSearch(web.Search{
		Line: s.line, Service: func() web.Service { return web.Service(get().SearchService) }, Address: func() string { return get().SearchAddress },
		Key: s.searchKey,
	})
}

func (s *Shop) searchKey(ctx context.Context) string {
	key, err := s.models.keys.Get(ctx, searchKey)
	if err != nil && ctx.Err() == nil {
		log := s.Log.Component("search")
		log.Warn().Err(err).Msg("the key cannot be read")
	}
	return key
}

// WebSearchView is how searching the web is set up. The key itself is never shown.
type WebSearchView struct {
	Service  web.Service `json:"service"`
	Address  string      `json:"address"`
	KeySet   bool        `json:"keySet"`
	KeyPlace string      `json:"keyPlace"` // keyring, file, environment, or nowhere
}

// WebSearch tells how searching the web is set up.
func (s *Shop) WebSearch() WebSearchView {
	c := s.Config.Get()
	place := s.models.keys.Where(searchKey)
	return WebSearchView{Service: web.Service(c.SearchService), Address: c.SearchAddress, KeySet: place != secret.Nowhere, KeyPlace: string(place)}
}

// SetWebSearch sets it up. A key of nil stays as it is, "" is forgotten. All is checked first; errors: invalid_setting, invalid_args, storage errors.
func (s *Shop) SetWebSearch(ctx context.Context, service web.Service, address string, key *string) (WebSearchView, error) {
	if _, err := s.Config.Set(map[string]any{config.KeySearchService: string(service), config.KeySearchAddress: address}); err != nil {
		return s.WebSearch(), err
	}
	if key != nil {
		if err := s.models.keys.Set(ctx, searchKey, *key); err != nil {
			return s.WebSearch(), err
		}
	}
	return s.WebSearch(), nil
}
