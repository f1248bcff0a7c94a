package tablequery

// Parts are what is known, as numbers by the names of their weights.
func (w Witness) Parts() map[string]float64 { return w.parts() }

// Weights are those that a bid is made with.
var Weights = &weights
