package shop

// Shop is the composition root.
type Shop struct{}
