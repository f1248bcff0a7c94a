package standing

import (
	"context"
	"time"
)

// RunDue deals with what is due now, and gives the next moment.
func (b *Book) RunDue(ctx context.Context) time.Time { return b.runDue(ctx) }
