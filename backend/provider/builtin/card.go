package builtin

import (
	"crypto/sha256"
	"encoding/json"
	"sync"

	"agentchat/backend/language/act"
	"agentchat/backend/provider"
)

// cardRead is what a card says by itself, whatever other tools there are. It is only read.
type cardRead struct {
	tool    tool      // without what its catalogue gives it
	studied []float64 // how much each sense speaks in it
}

// readCards remembers what cards say, by their content: every catalogue that holds a card, and every shop of the process, asks for
// the same.
type readCards struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]*cardRead
}

// maxCards is more than a shop has in both languages, with what its settings change.
const maxCards = 512

var cardsRead readCards

// of reads a card or finds it read. Safe for concurrent use.
func (c *readCards) of(card provider.ToolCard) *cardRead {
	text, err := json.Marshal(card)
	if err != nil || card.Outside { // a schema that is no JSON; a stranger's tool, of which there may be any number
		return readCard(card)
	}
	key := sha256.Sum256(text)
	c.mu.Lock()
	read, ok := c.known[key]
	c.mu.Unlock()
	if ok {
		return read
	}
	read = readCard(card)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= maxCards {
		c.known = map[[sha256.Size]byte]*cardRead{}
	}
	c.known[key] = read
	return read
}

func readCard(card provider.ToolCard) *cardRead {
	r := &cardRead{tool: tool{card: card, carriers: map[string]bool{}}, studied: make([]float64, len(senses))}
	t := &r.tool
	for _, a := range card.Acts {
		t.acts = append(t.acts, act.Act(a))
	}
	t.props, t.required = properties(card.Params)
	if card.Outside { // a stranger's schema names nothing of the shop's
		for i := range t.props {
			t.props[i].Names, t.props[i].Seeks = "", ""
		}
	}
	t.doing = t.verbs()
	if !t.literal() {
		if studied := t.study(); len(t.doing) == 0 && t.choice() == nil {
			r.studied = studied
		}
	}
	if open := t.open(); len(open) > 0 || len(t.props) == 0 {
		t.outlines = outlines(t, open)
	}
	return r
}
