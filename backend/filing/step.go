// Package filing moves, copies, makes, throws away and takes back things in opened folders, one journaled step after the other. What
// a use of a tool is about to do is written down before the first step, and what became of each step after it: so a use that was
// broken off goes on where it stood, and every step that was done can be taken back by its inverse.
package filing

import (
	"context"
	"io/fs"

	"agentchat/backend/trash"
)

// Op is what a step does.
type Op string

// The ops.
const (
	Move    Op = "move"    // Path goes to To
	Copy    Op = "copy"    // To becomes what Path is
	Make    Op = "make"    // a folder is made at Path
	Unmake  Op = "unmake"  // the folder at Path goes, if it is empty
	Trash   Op = "trash"   // Path goes into the trash
	Restore Op = "restore" // Item comes out of the trash, to Path
	Write   Op = "write"   // the content of the file at Path is replaced
)

// Step is one thing that is done to a file or a folder. Paths are full.
type Step struct {
	Op   Op     `json:"op"`
	Path string `json:"path"`
	To   string `json:"to,omitempty"`

	Was *Mark `json:"was,omitempty"` // what stands at Path before; nil: nothing
	Is  *Mark `json:"is,omitempty"`  // what stands at its end afterwards, once it is done; nil: nothing

	// Loose says that what stands at Path may have been changed since, as long as it is the same thing.
	Loose bool `json:"loose,omitempty"`
	// Begun says that the journal knows that it is under way: a folder that is there was made by it, what is in the trash was put there by
	// it, and a file that goes to another disk, where it is copied, compared and then taken away, stands there because of it.
	Begun bool `json:"begun,omitempty"`

	Item *trash.Item `json:"item,omitempty"` // where it lies in the trash

	// Content is the hash of what a write puts in place, with the mode and the time of Like; Old that of what it replaced.
	Content string `json:"content,omitempty"`
	Old     string `json:"old,omitempty"`
	Like    *Mark  `json:"like,omitempty"`
}

// MaxKept is how large a content may be that is kept so that it can be put back.
const MaxKept = 1 << 20

// Back is the step that takes s, which was done, back; ok is false when nothing does.
func (s Step) Back() (b Step, ok bool) {
	switch s.Op {
	case Move:
		return Step{Op: Move, Path: s.To, To: s.Path, Was: s.Is, Loose: true}, true
	case Copy:
		return Step{Op: Trash, Path: s.To, Was: s.Is}, true
	case Make:
		return Step{Op: Unmake, Path: s.Path, Was: s.Is}, true
	case Unmake:
		return Step{Op: Make, Path: s.Path, Like: s.Was}, true
	case Trash:
		return Step{Op: Restore, Path: s.Path, Item: s.Item, Like: s.Was}, s.Item != nil
	case Restore:
		return Step{Op: Trash, Path: s.Path, Was: s.Is}, true
	case Write:
		if s.Was == nil {
			return Step{Op: Trash, Path: s.Path, Was: s.Is}, true
		}
		return Step{Op: Write, Path: s.Path, Was: s.Is, Content: s.Old, Like: s.Was}, s.Old != ""
	}
	return b, false
}

// End is where what a step is about stands afterwards.
func (s Step) End() string {
	if s.To != "" {
		return s.To
	}
	return s.Path
}

// Mark tells a file or a folder from another, and from what it was before it was changed.
type Mark struct {
	Size int64       `json:"size,omitempty"`
	Mod  int64       `json:"mod,omitempty"` // nanoseconds
	Dev  uint64      `json:"dev,omitempty"` // 0: this system does not tell
	Ino  uint64      `json:"ino,omitempty"`
	Mode fs.FileMode `json:"mode,omitempty"`
}

// MarkOf is the mark of what stands somewhere.
func MarkOf(info fs.FileInfo) *Mark {
	m := &Mark{Size: info.Size(), Mod: info.ModTime().UnixNano(), Mode: info.Mode()}
	m.Dev, m.Ino = identity(info)
	if info.IsDir() {
		m.Size, m.Mod = 0, 0 // what is in it may change
	}
	return m
}

// Same tells whether both are the same thing, unchanged.
func (m *Mark) Same(n *Mark) bool { return m.itself(n) && m.alike(n) }

// itself tells whether both are the same thing; where a system does not tell, those that are alike are.
func (m *Mark) itself(n *Mark) bool {
	if m == nil || n == nil {
		return m == n
	}
	if m.Ino == 0 || n.Ino == 0 {
		return m.alike(n)
	}
	return m.Dev == n.Dev && m.Ino == n.Ino && m.Mode.Type() == n.Mode.Type()
}

// alike tells whether one could be a copy of the other.
func (m *Mark) alike(n *Mark) bool {
	return m.Size == n.Size && m.Mod == n.Mod && m.Mode.Type() == n.Mode.Type()
}

// Reason says why a step was left undone; "": it was not.
type Reason string

// The reasons.
const (
	Gone     Reason = "gone"     // it is not there any more
	Changed  Reason = "changed"  // it is not what it was when it was shown
	Taken    Reason = "taken"    // something stands where it should go
	Closed   Reason = "closed"   // its folder is not open, or not for writing
	NotEmpty Reason = "notEmpty" // the folder has something in it
	NotKept  Reason = "notKept"  // what it was is not kept any more
	Misnamed Reason = "misnamed" // nothing may be called that
	TooFar   Reason = "tooFar"   // a folder does not go to another disk
	Refused  Reason = "refused"  // this computer does not permit it
)

// State is what became of a step.
type State int

// The states.
const (
	Intended State = iota
	Done
	Left
)

// Row is a step in the journal.
type Row struct {
	N     int
	Step  Step
	State State
	Why   Reason
}

// Journal keeps steps, plans that were shown, and contents that were replaced. Safe for concurrent use.
type Journal interface {
	// Begin writes down what a use is about to do, and the content that its first step replaces, if that is known. A use that has
	// begun stays as it is. It gives how many steps the use has.
	Begin(ctx context.Context, use string, steps []Step, replaced []byte) (of int, err error)
	// Steps gives the steps of a use in their order, and Intended the first of those that are only intended.
	Steps(ctx context.Context, use string) ([]Row, error)
	Intended(ctx context.Context, use string, limit int) ([]Row, error)
	// Update writes down more of a step that is intended, together with a content that it is about to replace.
	Update(ctx context.Context, use string, row Row, replaced []byte) error
	// Settle writes down what became of a step.
	Settle(ctx context.Context, use string, row Row) error
	// Content gives a content that was replaced; not_found when it is not kept any more.
	Content(ctx context.Context, hash string) ([]byte, error)
	// KeepPlan keeps what was shown, by its hash, and Plan gives it; not_found when it is not kept any more.
	KeepPlan(ctx context.Context, hash string, plan []byte) error
	Plan(ctx context.Context, hash string) ([]byte, error)
}
