package shop

import (
	"sync"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// catalogue turns the toolbox's manuals into the cards that letters carry. The cards are made once: the keys and schemas
// of tools do not change while the shop is open. Only the title differs by language, and no prompt shows it, so that a
// letter's first block stays the same byte for byte whichever language a chat is in.
type catalogue struct {
	box  *toolbox.Box
	once sync.Once
	all  map[apperr.Lang][]provider.ToolCard
}

func newCatalogue(box *toolbox.Box) *catalogue { return &catalogue{box: box} }

func (c *catalogue) cards(lang apperr.Lang) []provider.ToolCard {
	c.once.Do(func() {
		c.all = map[apperr.Lang][]provider.ToolCard{}
		for _, l := range []apperr.Lang{apperr.KO, apperr.EN} {
			for _, s := range c.box.Specs() {
				if !s.Counter {
					c.all[l] = append(c.all[l], cardOf(s, l))
				}
			}
		}
	})
	return c.all[lang]
}

func cardOf(s toolbox.Spec, lang apperr.Lang) provider.ToolCard {
	card := provider.ToolCard{
		Key: s.Key, Title: s.Title.In(lang), Description: s.Description.In(apperr.EN) + " / " + s.Description.In(apperr.KO),
		Params: s.Params, Long: s.Long,
	}
	for _, e := range s.Examples {
		card.Examples = append(card.Examples, provider.Example{Text: e.Text, Args: e.Args})
	}
	return card
}
