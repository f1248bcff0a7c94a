package builtin

import (
	"encoding/json"
	"testing"

	"agentchat/backend/provider"
)

// A card is read once in a process. What its catalogue makes of it beside other tools, and whose names there are, stays with the
// catalogue.
func TestCataloguesShareOnlyWhatACardSays(t *testing.T) {
	card := provider.ToolCard{
		Key: "kite", Title: "Fly a kite", Description: "Flies a kite.",
		Params:   json.RawMessage(`{"type":"object","properties":{}}`),
		Examples: []provider.Example{{Text: "fly the purple kite"}, {Text: "보라색 연을 날려줘"}},
	}
	alone := compile([]provider.ToolCard{card}, nil).byKey["kite"]
	like := card
	like.Key = "dragon"
	beside := compile([]provider.ToolCard{card, like}, nil).byKey["kite"]
	if alone == beside {
		t.Fatal("two catalogues have one tool")
	}
	if !alone.marks["purple"] || beside.marks["purple"] {
		t.Errorf("marks: alone %v, beside its like %v", alone.marks, beside.marks)
	}
	before := len(beside.carriers)
	alone.carriers["mine"], alone.affinity[0] = true, 7
	again := compile([]provider.ToolCard{card}, nil).byKey["kite"]
	if len(beside.carriers) != before || again.carriers["mine"] || again.affinity[0] == 7 {
		t.Error("what one catalogue adds is in another")
	}
	if &alone.examples[0] != &again.examples[0] {
		t.Error("the card was read anew")
	}
	changed := card
	changed.Examples = card.Examples[:1]
	if got := compile([]provider.ToolCard{changed}, nil).byKey["kite"]; len(got.examples) != 1 {
		t.Errorf("a card with other examples has %d", len(got.examples))
	}
	strange := card
	strange.Outside = true
	if a, b := cardsRead.of(strange), cardsRead.of(strange); a == b {
		t.Error("a stranger's card is kept")
	}
}
