package guest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/strictjson"
	"agentchat/backend/toolbox"
)

// What a paired shop and this one say to each other beside the protocol's own words (ADR 14). Only a shop that came in by its pinned key is
// offered any of it.
const (
	Protocol    = "agentchat/branch" // among the experimental capabilities
	MetaManual  = "agentchat/manual" // of a listed tool: its whole manual
	MetaUse     = "agentchat/use"    // of a call: its idempotency key, the name of the use in the caller's own effect ledger
	MetaFence   = "agentchat/fence"  // of a call: the fencing token of its lease
	LeaseTool   = "branch_lease"
	BeatTool    = "branch_beat"
	ReleaseTool = "branch_release"

	mostLent = 64 // tickets of one paired shop that have not ended, and leases
	mostUse  = 64 // letters of a use's name
	// MostBeaten is how many uses one beat may keep; more are told in several.
	MostBeaten = 64
)

// How a lease stands, as LeaseTool answers.
const (
	Leased    = "leased"     // the tool is held for the use
	Locked    = "locked"     // it is not free; the use stands in line as long as it beats
	Known     = "known"      // the use has its ticket already: call again for what became of it
	TakenBack = "taken_back" // the use was called off before it had one
	LeaseLost = "lease_lost" // of a call: the lease is over or another has followed it
)

// Manual is what a paired shop is told of a tool, so that it can stand on its board as it stands on this one.
type Manual struct {
	toolbox.Spec

	Units int `json:"units,omitempty"` // of its group, at once; 0: any number
}

// Wanted is what LeaseTool is told: which use of which tool, and when it was begun at the caller's, in Unix milliseconds.
type Wanted struct {
	Use   string `json:"use"`
	Tool  string `json:"tool"`
	Began int64  `json:"began"`
}

// LeaseAnswer is what LeaseTool answers. Place counts from 1.
type LeaseAnswer struct {
	Status string `json:"status"`
	Fence  int64  `json:"fence,omitempty"`
	Place  int    `json:"place,omitempty"`
}

// Beat is what BeatTool is told: the uses that are waited for still.
type Beat struct {
	Uses []string `json:"uses"`
}

// BeatAnswer is what BeatTool answers. A caller that knows another edition lists the tools anew.
type BeatAnswer struct {
	Edition string         `json:"edition"`
	Lost    []string       `json:"lost"` // uses whose lease is over
	Out     map[string]int `json:"out"`  // by tool: how many of it are in use here by others than the caller
}

// NamedUse is what the ledger knows of a use that a paired shop named.
type NamedUse struct {
	Job, Tool string
	Fence     int64
	State     UseState
	Digest    []byte
}

// UseState is how far a named use is.
type UseState int

// The states of a named use; 0: it is new.
const (
	UsePromised UseState = iota + 1
	UseAdmitted
	UseTakenBack
)

// Claim is what a call of a paired shop shows: which use it is, and the fence of its lease.
type Claim struct {
	Use    string
	Fence  int64
	Digest []byte

	job string
}

// lend offers a paired shop its tools, and what it needs to hold them over a connection that may be cut.
func (b *Book) lend(s *sdk.Server, g Guest) {
	lang := b.deps.Lang()
	units := map[string]int{}
	for _, group := range b.deps.Box.Inventory().Groups {
		units[group.Group] = group.Capacity
	}
	for _, spec := range b.deps.Tools() {
		if !slices.Contains(g.Tools, spec.Key) || spec.Off || spec.Outside != "" { // what was lent to this shop is not lent on
			continue
		}
		tool := described(spec, lang)
		tool.Meta = sdk.Meta{MetaManual: Manual{Units: units[spec.Group], Spec: toolbox.Spec{
			Key: spec.Key, Title: spec.Title, Description: spec.Description, Group: spec.Group, Capacity: spec.Capacity, Confirm: spec.Confirm, Effect: spec.Effect,
			Long: spec.Long, Params: json.RawMessage(schema(spec.Params)), Result: spec.Result,
		}}}
		s.AddTool(tool, b.claimed(g, spec))
	}
	object := func(properties string) json.RawMessage {
		return json.RawMessage(`{"type":"object","additionalProperties":false,` + properties + `}`)
	}
	name := `{"type":"string","minLength":1,"maxLength":` + strconv.Itoa(mostUse) + `}`
	s.AddTool(&sdk.Tool{
		Name: LeaseTool, Description: "Holds a tool for a use, or a place in its line.",
		InputSchema: object(`"required":["use","tool","began"],"properties":{"use":` + name + `,"tool":` + name + `,"began":{"type":"integer"}}`),
	}, answering(b, func(ctx context.Context, in Wanted) (any, error) {
		now, err := b.Called(ctx, g.ID) // it may have been given other tools since it came in
		if err != nil {
			return nil, err
		}
		return b.lease(ctx, now, in)
	}))
	s.AddTool(&sdk.Tool{
		Name: BeatTool, Description: "Keeps leases and places in line, and tells what is out.",
		InputSchema: object(`"properties":{"uses":{"type":["array","null"],"maxItems":` + strconv.Itoa(MostBeaten) + `,"items":` + name + `}}`),
	}, answering(b, func(ctx context.Context, in Beat) (any, error) {
		now, err := b.Called(ctx, g.ID)
		if err != nil {
			return nil, err
		}
		return b.beat(now, in.Uses), nil
	}))
	s.AddTool(&sdk.Tool{
		Name: ReleaseTool, Description: "Calls a use off: it gets no ticket any more, and the one it has is stopped.",
		InputSchema: object(`"required":["use"],"properties":{"use":` + name + `}`),
	}, answering(b, func(ctx context.Context, in struct{ Use string }) (any, error) { return b.takeBack(ctx, g, in.Use) }))
}

// answering answers a call in the structured way.
func answering[T any](b *Book, do func(context.Context, T) (any, error)) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var in T
		if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
			return b.refused(apperr.Wrap(err, apperr.InvalidArgs, "detail", err.Error())), nil
		}
		out, err := do(ctx, in)
		if err != nil {
			return b.refused(err), nil
		}
		return &sdk.CallToolResult{Content: []sdk.Content{}, StructuredContent: out}, nil
	}
}

// claimOf reads what a call shows of its use and its lease.
func claimOf(meta sdk.Meta, args json.RawMessage) (*Claim, error) {
	use, _ := meta[MetaUse].(string)
	fence, _ := meta[MetaFence].(float64)
	if use == "" || len(use) > mostUse {
		return nil, apperr.New(apperr.InvalidArgs, "field", MetaUse, "detail", "1…"+strconv.Itoa(mostUse))
	}
	canonical, err := strictjson.Limits{Bytes: mostLetter, Depth: 64}.Canonical(args)
	if err != nil {
		return nil, apperr.Wrap(err, apperr.InvalidArgs, "detail", err.Error())
	}
	sum := sha256.Sum256(canonical)
	return &Claim{Use: use, Fence: int64(fence), Digest: sum[:]}, nil
}

// claimed is a call of a paired shop. The first one under a use's name makes its ticket, if its lease holds; every other waits for that.
func (b *Book) claimed(g Guest, spec toolbox.Spec) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		args := req.Params.Arguments
		if len(args) == 0 {
			args = json.RawMessage(`{}`)
		}
		reader := b.deps.Bus.Subscribe()
		claim, err := claimOf(req.Params.Meta, args)
		if err != nil {
			return b.refused(err), nil
		}
		state, err := b.admitted(ctx, g, spec, args, claim)
		switch {
		case err != nil:
			return b.refused(err), nil
		case state != "":
			return &sdk.CallToolResult{Content: []sdk.Content{}, StructuredContent: LeaseAnswer{Status: state}}, nil
		}
		return b.await(ctx, req, g, claim.job, reader, true)
	}
}

// admitted sees to it that the use of a claim has its ticket, and gives "", or why it gets none: TakenBack, LeaseLost. Errors: digest_mismatch for
// a name that was used for something else, those of call.
func (b *Book) admitted(ctx context.Context, g Guest, spec toolbox.Spec, args json.RawMessage, claim *Claim) (string, error) {
	b.lent.mu.Lock() // calls and leases of one use come one after the other, whichever way they took
	defer b.lent.mu.Unlock()
	known, err := b.deps.Store.NamedUse(ctx, g.ID, claim.Use)
	switch {
	case err != nil:
		return "", err
	case known.State == UseTakenBack:
		return TakenBack, nil
	case known.State == UseAdmitted && (known.Tool != spec.Key || !bytes.Equal(known.Digest, claim.Digest)):
		return "", apperr.New(apperr.DigestMismatch)
	case known.State == UseAdmitted:
		claim.job = known.Job
		return "", nil
	}
	l := b.lent.leases[known.Job]
	if l == nil || !l.held || l.tool != spec.Key || known.Fence != claim.Fence {
		return LeaseLost, nil
	}
	claim.job = known.Job
	_, err = b.call(ctx, g, spec, args, claim)
	if apperr.CodeOf(err) == apperr.Changed {
		return LeaseLost, nil
	}
	if apperr.CodeOf(err) == apperr.GuestLimit { // that may last for hours: others have the tool meanwhile, and it asks for its lease anew
		b.release(known.Job)
	}
	if err == nil {
		delete(b.lent.leases, known.Job) // what it held is the ticket's
		b.lent.names.Delete(known.Job)
		b.lent.tickets[known.Job] = g.ID
	}
	return "", err
}

// takeBack calls a use off. Errors: storage errors.
func (b *Book) takeBack(ctx context.Context, g Guest, use string) (LeaseAnswer, error) {
	b.lent.mu.Lock()
	known, err := b.deps.Store.TakeBackUse(ctx, g.ID, use)
	if err == nil && known.State == UseTakenBack {
		id, _ := b.leaseOf(g.ID, use) // one that stands in line was promised nothing yet
		b.release(id)
	}
	b.lent.mu.Unlock()
	switch {
	case err != nil:
		return LeaseAnswer{}, err
	case known.State == UseAdmitted:
		_ = b.deps.Jobs().CancelJob(known.Job) // one that has ended is what it is
		return LeaseAnswer{Status: Known}, nil
	}
	return LeaseAnswer{Status: TakenBack}, nil
}

// leaseLife is how long a lease lives without a beat.
const leaseLife = 30 * time.Second

// UseLife is how old a use may be and still be asked for under a name that is not known: names are kept for longer, so one that is not was never heard
// of. What is older may have been done and forgotten, and is never done.
const UseLife = 90 * 24 * time.Hour
