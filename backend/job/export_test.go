package job

import (
	"maps"
	"slices"
)

// States lists every state there is.
func States() []State { return slices.Collect(maps.Keys(next)) }
