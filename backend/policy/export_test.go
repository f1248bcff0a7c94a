package policy

// The bounds of rules.
const (
	MaxRules      = maxRules
	MaxConditions = maxConditions
	MaxText       = maxText
)
