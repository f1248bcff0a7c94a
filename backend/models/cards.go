package models

import (
	"time"

	"agentchat/backend/config"
	"agentchat/backend/provider"
	"agentchat/backend/provider/wire"
)

// Override applies what a person set for a role to its card.
func Override(settings map[string]config.RoleOverride, role provider.Role, card wire.Card) wire.Card {
	o := settings[string(role)]
	if o.Model != nil {
		card.Model = *o.Model
	}
	if o.Temperature != nil {
		card.Temperature = *o.Temperature
	}
	if o.MaxTokens != nil {
		card.MaxTokens = *o.MaxTokens
	}
	if o.Timeout != nil {
		card.Timeout = *o.Timeout
	}
	if o.Retries != nil {
		card.Retries = *o.Retries
	}
	return card
}

// Roles lists the cards in force, in the order of a turn.
func Roles(settings map[string]config.RoleOverride) []Role {
	names := config.Roles()
	list := make([]Role, len(names))
	for i, name := range names {
		own := wire.DefaultCard(provider.Role(name))
		title := config.RoleTitle(name)
		list[i] = Role{
			Role: name, Title: title, Defaults: cardOf(own),
			Card: cardOf(Override(settings, provider.Role(name), own)),
		}
		list[i].Servers = append([]string{}, settings[name].Servers...)
	}
	return list
}

func cardOf(c wire.Card) Card {
	return Card{
		Model: c.Model, Temperature: c.Temperature, MaxTokens: c.MaxTokens, TimeoutSeconds: int(c.Timeout / time.Second), Retries: c.Retries,
	}
}
