package shop

import (
	"sync"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// catalogue turns the toolbox's manuals into the cards that letters carry. The cards are made once for each edition of the
// box: the key and schema of a tool do not change while it is there. Only the title differs by language, and no prompt
// shows it, so that a letter's first block stays the same byte for byte whichever language a chat is in.
type catalogue struct {
	box *toolbox.Box

	mu      sync.Mutex
	edition uint64
	all     map[apperr.Lang][]provider.ToolCard
}

func newCatalogue(box *toolbox.Box) *catalogue { return &catalogue{box: box} }

func (c *catalogue) cards(lang apperr.Lang) []provider.ToolCard {
	edition := c.box.Edition() // before the manuals: what comes meanwhile is seen next time
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all != nil && c.edition == edition {
		return c.all[lang]
	}
	c.edition, c.all = edition, map[apperr.Lang][]provider.ToolCard{}
	for _, s := range c.box.Specs() {
		if s.Counter || s.Library || s.Off {
			continue
		}
		for _, l := range []apperr.Lang{apperr.KO, apperr.EN} {
			c.all[l] = append(c.all[l], cardOf(s, l))
		}
	}
	return c.all[lang]
}

func cardOf(s toolbox.Spec, lang apperr.Lang) provider.ToolCard {
	card := provider.ToolCard{
		Key: s.Key, Title: s.Title.In(lang), Description: s.Description.In(apperr.EN) + " / " + s.Description.In(apperr.KO),
		Params: s.Params, Long: s.Long,
	}
	if s.Outside != "" { // whose own words are the same in both languages
		card.Description = s.Description.In(apperr.EN)
	}
	for _, e := range s.Examples {
		card.Examples = append(card.Examples, provider.Example{Text: e.Text, Args: e.Args})
	}
	return card
}
