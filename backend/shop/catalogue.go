package shop

import (
	"sync"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// catalogue turns the toolbox's manuals into the cards that letters carry. The cards are made once: the keys and schemas
// of tools do not change while the shop is open, and a letter's first block must stay the same byte for byte.
type catalogue struct {
	box  *toolbox.Box
	once sync.Once
	all  []provider.ToolCard
}

func newCatalogue(box *toolbox.Box) *catalogue { return &catalogue{box: box} }

func (c *catalogue) cards() []provider.ToolCard {
	c.once.Do(func() {
		for _, s := range c.box.Specs() {
			card := provider.ToolCard{
				Key: s.Key, Title: s.Title.In(apperr.KO), Description: s.Description.In(apperr.EN) + " / " + s.Description.In(apperr.KO),
				Params: s.Params, Long: s.Long,
			}
			for _, e := range s.Examples {
				card.Examples = append(card.Examples, provider.Example{Text: e.Text, Args: e.Args})
			}
			c.all = append(c.all, card)
		}
	})
	return c.all
}
