package memory

import (
	"context"
	"time"
)

// Record is what is kept of one chat: what its requests begin with, and the lines that stand raw behind it.
type Record struct {
	Chat        string
	Summary     string
	Turns       int      // how many turns the summary stands for
	CompactedTo int64    // the last line the summary stands for
	Facts       []string // ids of the facts that requests carry since the last compaction, in their order
	Version     int64
	Updated     time.Time // when the summary last changed; zero: never
	Project     string    // the project of the chat, whose facts it is told; "": none
	// Instructions are the person's own, of the project and of the chat; Model is the one that they want to answer, as provider/model.
	Instructions, Model string

	Lines []Line // every line after the compacted ones, oldest first
}

// Line is one message in the transcript. N is its place, which never changes. Speaker is "customer" or "shop".
type Line struct {
	N       int64
	Message string
	Speaker string
	Text    string
}

// Compaction moves the lines up to To into the summary. It counts only while the record still has Version.
type Compaction struct {
	Chat    string
	Version int64
	Summary string
	Turns   int
	To      int64
	Facts   []string
}

// Store keeps memory. Every method is safe for concurrent use; errors are *apperr.Error.
type Store interface {
	// Recall gives the record of a chat. Messages that no request has carried yet, of turns that are over, get their place
	// at the end of the transcript first; a chat without a record gets one that carries the facts that its project may be told.
	Recall(ctx context.Context, chat string, facts func(project string) []string) (Record, error)
	// Compact replaces older lines by a summary, or tells that the record has changed since.
	Compact(ctx context.Context, c Compaction) (made bool, err error)
	// SetSummary replaces the summary of a chat; which lines are compacted stays as it is.
	SetSummary(ctx context.Context, chat, summary string) error
	// ForgetChat drops the summary of a chat and cuts after its last message, leaving nothing behind.
	ForgetChat(ctx context.Context, chat string, facts []string) error
	// Mute keeps lines out of requests from now on, by the ids of their messages.
	Mute(ctx context.Context, messages []string) error

	// Facts gives everything remembered, in the order it was learned.
	Facts(ctx context.Context) ([]Fact, error)
	// AddFact remembers a fact and forgets others of its topic. One whose id was there before, even if it was forgotten,
	// is not added. Of what the shop noted by itself the newest keep stay.
	AddFact(ctx context.Context, f Fact, keep int) (added bool, err error)
	// EditFact gives a fact other words, from now on a person's; not_found when there is none.
	EditFact(ctx context.Context, id, text string) error
	// DropFact forgets a fact for good; not_found when there is none.
	DropFact(ctx context.Context, id string) error
}
