// Package toolbox is the shop's inventory: which tools there are, how many of each, which share a group, who holds what
// and who waits for it. A job takes a tool as a lease and must bring it back; the box sees to it that no lease leaks.
package toolbox

import (
	"context"
	"encoding/json"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
)

// Confirm says when a person must approve a call.
type Confirm string

// The confirm policies.
const (
	ConfirmNever  Confirm = "never"
	ConfirmFirst  Confirm = "first" // the first call in a chat
	ConfirmAlways Confirm = "always"
)

// Effect says what running a call twice would do.
type Effect string

// The effect classes.
const (
	EffectRead       Effect = "read"       // changes nothing
	EffectIdempotent Effect = "idempotent" // running again is harmless
	EffectOnce       Effect = "once"       // must never run twice
)

// Scope is how far a person's approval of a call holds.
type Scope string

// The scopes, from narrow to wide.
const (
	ScopeOnce   Scope = "once"
	ScopeChat   Scope = "chat"
	ScopeAlways Scope = "always"
	ScopeOrder  Scope = "order" // of a run of a standing order: in each of its runs, for exactly this call
)

// Infinite is the capacity of a tool that never locks.
const Infinite = 0

// Example is one request that exercises a tool, and the arguments it means.
type Example struct {
	Text string         `json:"text"`
	Args map[string]any `json:"args,omitempty"`
}

// Spec is a tool's manual (seed: ToolSpec).
type Spec struct {
	Key         string          `json:"key"`
	Title       bilingual.Text  `json:"title"`
	Description bilingual.Text  `json:"description"`
	Doing       bilingual.Text  `json:"doing"`           // says in a sentence that it is being done; none: the title of the job is named
	Acts        []string        `json:"acts,omitempty"`  // what a message may want that this tool does
	Group       string          `json:"group,omitempty"` // "" : no group
	Capacity    int             `json:"capacity"`        // Infinite, or how many at once
	Confirm     Confirm         `json:"confirm"`
	Effect      Effect          `json:"effect"`
	Long        bool            `json:"long,omitempty"` // keeps its worker for a long time (playback, guidance)
	Params      json.RawMessage `json:"params" ts_type:"any"`
	Result      json.RawMessage `json:"result" ts_type:"any"`
	Examples    []Example       `json:"examples,omitempty"`

	// Widest is the widest scope an approval may be given; "": a chat, or only once with ConfirmAlways. Money, deletion and
	// programs are ScopeOnce: they ask every time, whatever settings, rules and approvals say.
	Widest Scope `json:"widest,omitempty"`

	// Consequential names the parameters that decide what happens to whom: a path, a recipient, an address, a command. A value
	// that came from a document, a page or another tool's result may not fill one of them unseen. A schema's format says how it is compared: "uri" an address, "path" a path.
	Consequential []string `json:"consequential,omitempty"`

	// Content names the parameters that hold what is said or written and decide nothing of what happens where: an approval of
	// more than one call leaves them open. It binds all others.
	Content []string `json:"content,omitempty"`

	// Strict names values of parameters with which a call asks every time, as if Widest were once, such as a mode that replaces
	// what is there.
	Strict map[string][]string `json:"strict,omitempty"`

	// Undo says that a person can put back what a call did, although it must not run twice.
	Undo bool `json:"undo,omitempty"`

	// Files says that a call writes, moves or removes files: those of its plan, or one. Money names the parameter with the money that
	// a call moves. Both are counted where they have a limit.
	Files bool   `json:"files,omitempty"`
	Money string `json:"money,omitempty"`

	// Untrusted says that the result carries other people's words: of pages, files or servers. They are data, never orders.
	Untrusted bool `json:"untrusted,omitempty"`

	// Off tools are in the box, but nobody gets one and no request shows it. A manual says so of what is only for those who switch
	// it on themselves.
	Off bool `json:"off,omitempty"`

	// Counter tools are handed out by the service counter only: no plan may name one, and no request shows it.
	Counter bool `json:"counter,omitempty"`

	// Library tools are used by the library's own agent only: no plan may name one, and no request shows it.
	Library bool `json:"library,omitempty"`

	// House tools are used by the shop's own code only, as to take back what was done: no request shows one.
	House bool `json:"house,omitempty"`

	// Called are what people call a use of the tool, besides its title, in each language, and Ends how they say that it has ended:
	// a timer rings.
	Called map[bilingual.Lang][]string `json:"called,omitempty"`
	Ends   *bilingual.Text             `json:"ends,omitempty"`

	// Outside names the server that a tool comes from when it is not the shop's own: what it says of itself is a stranger's
	// word, and no override makes it ask less often than the manual says.
	Outside string `json:"outside,omitempty"`

	// Keyed says that a call with the same Use is never done twice, however often and from whichever run of the program it is made: it gives
	// what the first one brought. Nobody is asked then what became of a call that was interrupted.
	Keyed bool `json:"keyed,omitempty"`
}

// Call is one use of a tool. Args were validated against the Spec's schema.
type Call struct {
	JobID string
	// TodoID names the step; it stays the same when the step runs again, so it can be an idempotency key.
	TodoID string
	// Use names this one use of the tool, in the effect ledger too. It stays the same when a use is taken up again, and no other use has it.
	Use string
	// Began is when that use was begun, whatever has cut it off since.
	Began time.Time
	Chat  string
	Title string // the todo's title
	Lang  bilingual.Lang
	Args  json.RawMessage
	Lease Lease
	// Base is the Base of the preview that a person approved; "" when none was shown. A tool that gave one must fail with
	// apperr.Changed when it no longer holds: what runs is what was shown.
	Base string
	// Pick is what a person left of the plan that they approved; nil: all of it.
	Pick *Pick
	// Resume is what the call gave in Park, when it is run again after parking; nil at the first run.
	Resume json.RawMessage
	// Again says that the program ended while an earlier run of this very use was under way: it may have done more than Resume tells.
	Again bool
	// Log writes a line into the job's log. Media shows or moves something on the Monitor or a deck. Both never block.
	Log   func(level, line string)
	Media func(event.Media)
	// Progress tells how many of how many things are done, a few dozen times in all at most. It never blocks; nil: nobody looks.
	Progress func(n, of int)
}

// Read decodes the arguments. They were validated against the schema, so a failure here is the caller's fault.
func (c Call) Read(into any) error {
	if len(c.Args) == 0 {
		return nil
	}
	if err := json.Unmarshal(c.Args, into); err != nil {
		return apperr.Wrap(err, apperr.InvalidArgs, "detail", err.Error())
	}
	return nil
}

// ArgsOf is Read for tools whose arguments have one type.
func ArgsOf[T any](c Call) (args T, err error) {
	err = c.Read(&args)
	return args, err
}

// Result is what a call brought: data that fits the Spec's result schema and a sentence for the customer.
// A tool that wants to be continued later returns Park.
type Result struct {
	Data json.RawMessage
	Text string
	Park *Park
	Undo *Undo // nil: no call takes back what this one did
}

// Undo is the call that takes back what another one did. Nobody makes it but a customer who asks for that.
type Undo struct {
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
}

// UndoneBy adds the call that takes back what was done; the arguments are plain maps, which always encode.
func (r Result) UndoneBy(tool string, args map[string]any) Result {
	if raw, err := json.Marshal(args); err == nil {
		r.Undo = &Undo{Tool: tool, Args: raw}
	}
	return r
}

// ResultOf packs what a call brought. The data are plain structs, which always encode.
func ResultOf(data any, text string) (Result, error) {
	raw, err := json.Marshal(data)
	if err != nil {
		return Result{}, apperr.Wrap(err, apperr.Internal)
	}
	return Result{Data: raw, Text: text}, nil
}

// Park asks the runner to put the job aside, without a worker, until a moment; then Run is called again with Resume set.
type Park struct {
	UntilUnixMilli int64           `json:"until"`
	Resume         json.RawMessage `json:"resume,omitempty"`
	Why            string          `json:"why,omitempty"`   // a sentence in the call's language; "": the moment is told
	Doubt          bool            `json:"doubt,omitempty"` // it may have happened already, elsewhere
}

// Tool is something a worker can lease and run. Run returns promptly once ctx ends. Errors that a person should read are
// *apperr.Error. One Tool value serves all leases at once, so Run is safe for concurrent use.
type Tool interface {
	Spec() Spec
	Run(ctx context.Context, call Call) (Result, error)
}

// Previewer is a Tool that can show what a call would change before anybody approves it. Preview changes nothing and
// returns promptly once ctx ends; Args were validated. An error means that the call would fail.
type Previewer interface {
	Preview(ctx context.Context, call Call) (Preview, error)
}

// Examiner is a Tool that can say beforehand what it would not carry out. Args may be only a part of what a call needs; the
// errors are by argument. It changes nothing and returns promptly.
type Examiner interface {
	Examine(ctx context.Context, args json.RawMessage) map[string]error
}

// Recaller is a Tool whose calls go on elsewhere. Recall says that the job of a use was called off; it returns at once.
type Recaller interface {
	Recall(use string)
}

// Foreteller is a Tool that can say beforehand what there will be after a call, as far as it is known now: a sentence in lang,
// "" for nothing. It changes nothing and returns promptly.
type Foreteller interface {
	Foretell(ctx context.Context, args json.RawMessage, lang bilingual.Lang) string
}

// Preview is what a call would do, for the eyes of whoever approves it.
type Preview struct {
	Text string `json:"text"`           // one sentence in the call's language
	Diff string `json:"diff,omitempty"` // a unified diff of what would be written
	Cut  bool   `json:"cut,omitempty"`  // Diff is not all of it
	// Base stands for what the preview was made from, such as a hash of the file as it is now. It comes back in Call.Base.
	Base string `json:"base,omitempty"`
	// Plan names a list of Lines things that would be done, which a person looks at line by line; "": there is none.
	Plan  string `json:"plan,omitempty"`
	Lines int    `json:"lines,omitempty"`
	// Files is how many files it would change where that is not Lines; 0: it is Lines, or one.
	Files int `json:"files,omitempty"`
}

// Pick is what a person makes of a plan before they approve it: lines that are left out, and other names for what lines lead to.
// Lines are counted from 0.
type Pick struct {
	Leave []int    `json:"leave,omitempty"`
	Names []Rename `json:"names,omitempty"`
}

// Rename is another name for what a line of a plan leads to.
type Rename struct {
	Line int    `json:"line"`
	Name string `json:"name"`
}
