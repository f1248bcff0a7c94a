package shop

import (
	"sync"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// catalogue turns the toolbox's manuals into the cards that requests carry. The cards are made once for each edition of the
// box: the key and schema of a tool do not change while it is there. Only the title differs by language, and no prompt
// shows it, so that a request's first block stays the same byte for byte whichever language a chat is in.
type catalogue struct {
	box *toolbox.Box

	mu      sync.Mutex
	edition uint64
	all     map[bilingual.Lang][]provider.ToolCard
}

func newCatalogue(box *toolbox.Box) *catalogue { return &catalogue{box: box} }

func (c *catalogue) cards(lang bilingual.Lang) []provider.ToolCard {
	edition := c.box.Edition() // before the manuals: what comes meanwhile is seen next time
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all != nil && c.edition == edition {
		return c.all[lang]
	}
	c.edition, c.all = edition, map[bilingual.Lang][]provider.ToolCard{}
	for _, s := range c.box.Specs() {
		if s.Counter || s.Library || s.House || s.Off {
			continue
		}
		for _, l := range []bilingual.Lang{bilingual.KO, bilingual.EN} {
			c.all[l] = append(c.all[l], cardOf(s, l))
		}
	}
	return c.all[lang]
}

func cardOf(s toolbox.Spec, lang bilingual.Lang) provider.ToolCard {
	card := provider.ToolCard{
		Key: s.Key, Title: s.Title.In(lang), Doing: s.Doing.In(lang), Description: s.Description.In(bilingual.EN) + " / " + s.Description.In(bilingual.KO),
		Acts: s.Acts, Params: s.Params, Long: s.Long, Outside: s.Outside != "",
	}
	if s.Outside != "" { // whose own words are the same in both languages
		card.Description = s.Description.In(bilingual.EN)
	}
	for _, e := range s.Examples {
		card.Examples = append(card.Examples, provider.Example{Text: e.Text, Args: e.Args})
	}
	return card
}
