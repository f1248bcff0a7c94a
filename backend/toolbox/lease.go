package toolbox

import (
	"time"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
)

// Lease is the right to use one tool until it is released (seed: ToolHandle).
type Lease struct {
	ID    string    `json:"leaseId"`
	Tool  string    `json:"toolKey"`
	Group string    `json:"groupKey,omitempty"`
	JobID string    `json:"jobId"`
	Since time.Time `json:"since"`
}

// Reason says why a tool is locked.
type Reason string

// The reasons for a lock.
const (
	ReasonCapacity Reason = "capacity" // every unit of the tool is in use
	ReasonGroup    Reason = "group"    // another tool of its group is in use
)

// Locked tells why a lease could not be given: which holders block it, and which place in the queue the job would have (from 1).
type Locked struct {
	Tool    string         `json:"tool"`
	Group   string         `json:"group,omitempty"`
	Reason  Reason         `json:"reason"`
	Holders []event.Holder `json:"holders"`
	Place   int            `json:"place"`
}

// Waiting is a job in line for a tool; Place counts from 1.
type Waiting struct {
	JobID string `json:"jobId"`
	Place int    `json:"place"`
}

// Rack is one tool as the inventory shows it. BlockedBy are holders of other tools of its group that keep it locked.
type Rack struct {
	Tool     string         `json:"tool"`
	Title    bilingual.Text `json:"title"`
	Group    string         `json:"group,omitempty"`
	Capacity int            `json:"capacity"`
	Confirm  Confirm        `json:"confirm"`
	Effect   Effect         `json:"effect"`
	Long     bool           `json:"long,omitempty"`
	Off      bool           `json:"off,omitempty"`
	// Params is what people read instead of the keys of its parameters; an outside tool has none.
	Params    map[string]ParamName `json:"params,omitempty"`
	Holders   []event.Holder       `json:"holders"`
	BlockedBy []event.Holder       `json:"blockedBy,omitempty"`
	Waiting   []Waiting            `json:"waiting"`
}

// GroupRack is one group as the inventory shows it (seed: ToolGroup).
type GroupRack struct {
	Group    string         `json:"group"`
	Capacity int            `json:"capacity"`
	Tools    []string       `json:"tools"`
	Holders  []event.Holder `json:"holders"`
}

// Inventory is the whole box at one moment. Tools are sorted by key. It is published, whole, when tools come or go, or
// what holds for a tool or a group changes: what is out and who waits is told by events of their own.
type Inventory struct {
	Tools  []Rack      `json:"tools"`
	Groups []GroupRack `json:"groups"`
}

// EventKind implements event.Payload.
func (Inventory) EventKind() event.Kind { return event.KindInventory }
