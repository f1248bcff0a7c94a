package tablequery

import (
	"math"
	"slices"

	"agentchat/backend/language/act"
)

// Hand says how near a table is to the words that may ask it.
type Hand string

// How a table is at hand, the nearest first.
const (
	HandNamed Hand = "named" // the words name its file
	HandWith  Hand = "with"  // it came with them, or they were put to it
	HandLast  Hand = "last"  // nothing was said since but its answer
	HandNear  Hand = "near"  // the talk was about it
	HandLying Hand = "lying" // it lies in an opened folder or in the library
)

// Witness is what is known of words and a table that they may ask.
type Witness struct {
	Hand  Hand
	Blind bool // nobody could look into the table
	Heard
	// Other is how probable it is, by all that the rooms of the shop say, that something else is wanted that one of them does.
	Other float64
}

// kin are the acts as which a question to a table may be read by who does not know of the table.
var kin = []act.Act{"file.show", act.DocumentAsk, "calc", "money.ask", "status"}

// Elsewhere is how probable it is, by a reading, that something is wanted that another room does.
func Elsewhere(g act.Guesses) (p float64) {
	for _, x := range g {
		if !x.Act.Idle() && !slices.Contains(kin, x.Act) {
			p += x.P
		}
	}
	return p
}

// The weights of what is known, in log odds; TestBid learns them (-fit) from testdata/asked.tsv and from what is said to the shop
// otherwise, and says how often they are right on what they were not learned from. That of a table into which nobody could look is set:
// it stands for half of what a column or a value would say.
var weights = map[string]float64{
	"bias": -3.48, "named": 4.57, "with": 3.28, "last": -3.09, "near": -3.82, "lying": -4.43,
	"computes": 2.11, "shapes": 3.55, "column": 2.67, "value": 3.43, "whole": 3.26, "whole at once": 2.44,
	"left": -1.60, "left much": -1.81, "other": -3.37, "surely other": -2.34, "blind": 1.20,
}

// parts is what is known, as numbers by the names of their weights.
func (w Witness) parts() map[string]float64 {
	return map[string]float64{
		"bias":          1,
		string(w.Hand):  1,
		"computes":      float64(truth(w.Computes)),
		"shapes":        float64(truth(w.Shapes)),
		"column":        float64(truth(w.Columns > 0)),
		"value":         float64(truth(w.Values > 0)),
		"whole":         float64(truth(w.Whole)),
		"whole at once": float64(truth(w.Whole && (w.Hand == HandLast || w.Hand == HandNamed || w.Hand == HandWith))),
		"left":          float64(truth(w.Left > 0 && !w.Blind)),
		"left much":     float64(truth(w.Left > 2 && !w.Blind)),
		"blind":         float64(truth(w.Blind)),
		"other":         w.Other,
		"surely other":  float64(truth(w.Other > 0.85)),
	}
}

// P is how probable it is that the words ask the table.
func (w Witness) P() float64 {
	if !w.Says() {
		return 0
	}
	sum := 0.0
	for name, x := range w.parts() {
		sum += weights[name] * x
	}
	return 1 / (1 + math.Exp(-sum))
}

// Tags are what is known, in short words.
func (w Witness) Tags() (list []string) {
	known := w.parts()
	for _, name := range []string{string(w.Hand), "computes", "shapes", "column", "value", "whole", "left", "blind"} {
		if known[name] > 0 {
			list = append(list, "table:"+name)
		}
	}
	return list
}
