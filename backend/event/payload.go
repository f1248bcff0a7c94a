package event

// Payload is what an envelope carries in data. A payload is a value: it is encoded once when it is published and never
// read again, so a publisher may reuse what it points at.
type Payload interface{ EventKind() Kind }

// TodoBrief is a todo as a new job lists it.
type TodoBrief struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Tool  string `json:"tool,omitempty"`
}

// JobCreated puts a job on the board. Number is the ticket number people read; Place is its place in line (0: no line). Turn
// is the customer's message that asked for it, Reply the shop's message that hands it out (none when the counter did).
type JobCreated struct {
	ID     string `json:"id"`
	JobID  string `json:"jobId"`
	Number int64  `json:"number"`
	Title  string `json:"title"`
	Chat   string `json:"chat"`
	Turn   string `json:"turn,omitempty"`
	Reply  string `json:"reply,omitempty"`
	// Standing is the standing order whose run handed it out.
	Standing string `json:"standing,omitempty"`
	// Guest is the name of the program that asked for it.
	Guest string `json:"guest,omitempty"`

	Todos []TodoBrief `json:"todos"`
	Place int         `json:"place,omitempty"`
}

// JobState is one move of a job through its state table.
type JobState struct {
	ID     string `json:"id"`
	JobID  string `json:"jobId"`
	From   string `json:"from" ts_type:"job.State"`
	To     string `json:"to" ts_type:"job.State"`
	Reason string `json:"reason,omitempty"`
}

// TodoState is one move of a todo; Node is where the job graph stands. Index counts from 0.
type TodoState struct {
	JobID  string `json:"jobId"`
	TodoID string `json:"todoId"`
	Index  int    `json:"index"`
	State  string `json:"state" ts_type:"job.TodoState"`
	Node   string `json:"node"`
	Title  string `json:"title,omitempty"`
	Tool   string `json:"tool,omitempty"`
}

// JobLog is one line of a job's log. Level is debug, info, warn or error.
type JobLog struct {
	JobID  string `json:"jobId"`
	Level  string `json:"level" ts_type:"Exclude<logging.Line['level'], ''>"`
	Line   string `json:"line"`
	TodoID string `json:"todoId,omitempty"`
}

// JobReport is the result a finished job gives its customer.
type JobReport struct {
	JobID     string   `json:"jobId"`
	Text      string   `json:"text"`
	Did       []Effect `json:"did,omitempty"`      // as of a ChatMessage
	Undoable  bool     `json:"undoable,omitempty"` // something of what it did can be taken back
	ToolsUsed []string `json:"toolsUsed"`
	Seconds   float64  `json:"seconds"`
}

// WorkerState is what one worker's tile on the dashboard shows.
type WorkerState struct {
	Worker int    `json:"worker"`
	State  string `json:"state" ts_type:"'idle' | Exclude<job.State, 'queued'>"`
	JobID  string `json:"jobId,omitempty"`
	Blink  Blink  `json:"blink"`
}

// Blink is how a worker's light shows what became of its job.
type Blink string

// Yellow wants a person; green and red say how the job ended.
const (
	BlinkNone   Blink = "none"
	BlinkYellow Blink = "yellow"
	BlinkGreen  Blink = "green"
	BlinkRed    Blink = "red"
)

// Holder is a job that holds a tool. Since is RFC 3339 in UTC. Reserved is true while the lease waits to be taken up.
type Holder struct {
	JobID    string `json:"jobId"`
	Title    string `json:"title,omitempty"`
	Tool     string `json:"tool"`
	LeaseID  string `json:"leaseId,omitempty"`
	Since    string `json:"since"`
	Reserved bool   `json:"reserved,omitempty"`
}

// ToolAcquired says a job took a tool.
type ToolAcquired struct {
	Tool    string `json:"tool"`
	Group   string `json:"group,omitempty"`
	LeaseID string `json:"leaseId"`
	JobID   string `json:"jobId"`
}

// ToolReleased says a tool came back.
type ToolReleased struct {
	Tool    string `json:"tool"`
	Group   string `json:"group,omitempty"`
	LeaseID string `json:"leaseId"`
	JobID   string `json:"jobId"`
}

// ToolLocked says a job could not take a tool. Reason is capacity or group.
type ToolLocked struct {
	Tool    string   `json:"tool"`
	Group   string   `json:"group,omitempty"`
	JobID   string   `json:"jobId"`
	Reason  string   `json:"reason"`
	Holders []Holder `json:"holders"`
	Place   int      `json:"place"`
}

// ToolQueued says a job stands in line for a tool. Place counts from 1.
type ToolQueued struct {
	Tool   string `json:"tool"`
	Group  string `json:"group,omitempty"`
	JobID  string `json:"jobId"`
	Reason string `json:"reason,omitempty"`
	Place  int    `json:"place"`
}

// PermissionsChanged says that the permissions changed; a front that shows them loads them again.
type PermissionsChanged struct{}

// RequestMoved says that a model server could not answer a request to its end, and which one goes on with it. What streamed of the answer is
// void. Code says why, Text says it all to people. Agent is the role.
type RequestMoved struct {
	Agent string `json:"agent"`
	From  string `json:"from"`
	To    string `json:"to"`
	Code  string `json:"code"`
	Text  string `json:"text"`
}

// Thinking is one step of a reasoning trail (seed 004). In step generating, Text is the next piece of what a model thinks
// before it answers, and Data says whose it is ({"id": the message or todo}). With Work, Text says how far a slow model is.
type Thinking struct {
	Step string     `json:"step"`
	Text string     `json:"text"`
	Data any        `json:"data,omitempty"`
	Work *ModelWork `json:"work,omitempty"`
}

// Progress is what Data says while a tool is at one of many things: so many of them are done.
type Progress struct {
	Done int `json:"done"`
	Of   int `json:"of"`
}

// ModelWork is the progress of an answer before any of it can be shown. Read is the estimated number of tokens that the model must read
// first, and Seconds how long that takes in all, from how fast it read before (0: unknown). Once it writes, Wrote is the number of tokens
// written.
type ModelWork struct {
	Read    int `json:"read,omitempty"`
	Seconds int `json:"seconds,omitempty"`
	Wrote   int `json:"wrote,omitempty"`
}

// Media drives the Monitor and the two decks. Seconds is the whole length, Position how far it is, both in seconds of
// the piece itself. Map is set for navigation only.
type Media struct {
	Action   string  `json:"action"`
	Device   string  `json:"device"`
	Kind     string  `json:"kind"`
	JobID    string  `json:"jobId,omitempty"`
	Title    string  `json:"title"`
	URL      string  `json:"url,omitempty"`
	Seconds  float64 `json:"seconds,omitempty"`
	Position float64 `json:"position,omitempty"`
	// Rate is how many seconds of the piece pass in one real second (the pace setting).
	Rate float64 `json:"rate,omitempty"`
	Map  *NavMap `json:"map,omitempty"`
	// Play is how a song or a film is played; nil for a journey.
	Play *Playback `json:"play,omitempty"`
}

// Playback is how a device plays its piece. Take counts the jumps of its clock (another piece, again from the beginning):
// what a window's player reports of an earlier take is old.
type Playback struct {
	Paused bool `json:"paused"`
	Repeat bool `json:"repeat"`
	Volume int  `json:"volume"` // 0…100
	Muted  bool `json:"muted"`
	Take   int  `json:"take"`
}

// Place is a named point on the earth, in degrees (WGS 84).
type Place struct {
	Name string  `json:"name"`
	Lat  float64 `json:"lat"`
	Lon  float64 `json:"lon"`
}

// NavMap is what the Monitor draws for navigation: a great circle from From to To. Distances are in kilometres,
// Bearing in degrees clockwise from north at Here. Note says in the customer's language what the guidance is not.
type NavMap struct {
	From      Place   `json:"from"`
	To        Place   `json:"to"`
	Here      Place   `json:"here"`
	TotalKm   float64 `json:"totalKm"`
	LeftKm    float64 `json:"leftKm"`
	Bearing   float64 `json:"bearing"`
	Progress  float64 `json:"progress"`
	Direction string  `json:"direction"`
	Note      string  `json:"note"`
}

// ProviderState says which interpreter is chosen and how healthy it is. While its health is not ok, the built-in one answers. Health is ok,
// starting, unreachable, no_model or error. Reason is one word for the cause, Detail a sentence with what to do.
type ProviderState struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Health   string `json:"health" ts_type:"provider.Health"`
	Reason   string `json:"reason,omitempty" ts_type:"provider.Reason"`
	Detail   string `json:"detail,omitempty"`
}

// ConfigChanged tells which settings have new values.
type ConfigChanged struct {
	Changed map[string]any `json:"changed"`
}

// MemoryChanged says that what is remembered of a chat changed; without a chat, what is remembered of all.
type MemoryChanged struct {
	Chat string `json:"chat"`
}

// BankChanged says that money moved, or that the schedule or the address book changed; a front that shows them loads them again.
type BankChanged struct{}

// NotesChanged says that a note was written, edited, thrown away or taken out of the trash; without one, several were.
type NotesChanged struct {
	Note string `json:"note,omitempty"`
}

// StandingChanged says that a standing order was kept, changed or deleted, or that one of its moments came; a front that shows them loads
// them again.
type StandingChanged struct {
	ID string `json:"id"`
}

// FavouritesChanged says that a favourite was kept, changed, deleted or taken back; without one, several were.
type FavouritesChanged struct {
	ID string `json:"id,omitempty"`
}

// ReminderDue says that the moment of something the person wanted to be reminded of has come, after the chat's message
// that tells it is stored. Due is RFC 3339 in UTC. Late is true when the program was not running then.
type ReminderDue struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Due  string `json:"due"`
	Late bool   `json:"late,omitempty"`
}

// ShopRecovered says, once after the start, what was unfinished when the program ended and has been taken up again. Jobs
// are all that had not ended: Running ones were interrupted and run again, Waiting ones are parked again, the others stand
// in line. InDoubt of them ask a person what happened. Transfers are scheduled ones whose day has come. Unreadable records are
// put aside and are not among the others; those of jobs are looked for once the shop is open, and where there are some, all is said again.
type ShopRecovered struct {
	Jobs      int `json:"jobs"`
	Running   int `json:"running"`
	Waiting   int `json:"waiting"`
	Questions int `json:"questions"`
	InDoubt   int `json:"inDoubt"`
	Turns     int `json:"turns"`
	Transfers int `json:"transfers"`

	Unreadable int `json:"unreadable,omitempty"`
}

// OutboundChanged says that something left this computer or was kept from it, or that the switch was thrown.
type OutboundChanged struct{}

// MCPChanged says that an outside server, its tools or what was consented to changed; without a server, all of them may have.
type MCPChanged struct {
	Server string `json:"server,omitempty"`
}

// GuestsChanged says that a program that may call the shop came, went, was given something else, or called.
type GuestsChanged struct{}

// BranchesChanged says that another shop was paired or unpaired, or came or went.
type BranchesChanged struct{}

// PagerChanged says that a phone was paired or unpaired.
type PagerChanged struct{}

// Error is a failure a person should read. Message is a sentence with what to do next, in the shop's language.
type Error struct {
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Fields  map[string]any `json:"fields,omitempty"`
}

// Ready is the first line of the headless front. Seq is where the stream stood when a front came in later; its events follow that.
type Ready struct {
	Version  string `json:"version"`
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Workers  int    `json:"workers"`
	DataDir  string `json:"data_dir"`
	Seq      uint64 `json:"seq,omitempty"`
}

// EventKind names the kind each payload travels as.
func (ChatCreated) EventKind() Kind       { return KindChatCreated }
func (ChatDeleted) EventKind() Kind       { return KindChatDeleted }
func (ChatRestored) EventKind() Kind      { return KindChatRestored }
func (ChatPinned) EventKind() Kind        { return KindChatPinned }
func (ChatCut) EventKind() Kind           { return KindChatCut }
func (ChatVersion) EventKind() Kind       { return KindChatVersion }
func (ChatChanged) EventKind() Kind       { return KindChatChanged }
func (ProjectsChanged) EventKind() Kind   { return KindProjects }
func (ChatMessage) EventKind() Kind       { return KindChatMessage }
func (ChatToken) EventKind() Kind         { return KindChatToken }
func (AgentStart) EventKind() Kind        { return KindAgentStart }
func (AgentQueued) EventKind() Kind       { return KindAgentQueued }
func (AgentDone) EventKind() Kind         { return KindAgentDone }
func (RequestMoved) EventKind() Kind      { return KindRequestMoved }
func (TaskProgress) EventKind() Kind      { return KindTaskProgress }
func (TurnDone) EventKind() Kind          { return KindTurnDone }
func (JobCreated) EventKind() Kind        { return KindJobCreated }
func (JobState) EventKind() Kind          { return KindJobState }
func (TodoState) EventKind() Kind         { return KindTodoState }
func (JobLog) EventKind() Kind            { return KindJobLog }
func (JobReport) EventKind() Kind         { return KindJobReport }
func (WorkerState) EventKind() Kind       { return KindWorkerState }
func (ToolAcquired) EventKind() Kind      { return KindToolAcquired }
func (ToolReleased) EventKind() Kind      { return KindToolReleased }
func (ToolLocked) EventKind() Kind        { return KindToolLocked }
func (ToolQueued) EventKind() Kind        { return KindToolQueued }
func (AskOpened) EventKind() Kind         { return KindAskOpened }
func (AskClosed) EventKind() Kind         { return KindAskClosed }
func (Thinking) EventKind() Kind          { return KindThinking }
func (Sources) EventKind() Kind           { return KindSources }
func (Media) EventKind() Kind             { return KindMedia }
func (ProviderState) EventKind() Kind     { return KindProviderState }
func (ConfigChanged) EventKind() Kind     { return KindConfig }
func (ModelPull) EventKind() Kind         { return KindModelPull }
func (ModelsChanged) EventKind() Kind     { return KindModelsChanged }
func (UpdateChanged) EventKind() Kind     { return KindUpdateChanged }
func (MemoryChanged) EventKind() Kind     { return KindMemoryChanged }
func (BankChanged) EventKind() Kind       { return KindBankChanged }
func (NotesChanged) EventKind() Kind      { return KindNotesChanged }
func (ReminderDue) EventKind() Kind       { return KindReminderDue }
func (StandingChanged) EventKind() Kind   { return KindStandingChanged }
func (FavouritesChanged) EventKind() Kind { return KindFavouritesChanged }
func (LibraryImport) EventKind() Kind     { return KindLibraryImport }
func (LibraryChanged) EventKind() Kind    { return KindLibrary }
func (LibraryVectors) EventKind() Kind    { return KindLibraryVectors }
func (LibraryShelf) EventKind() Kind      { return KindLibraryShelf }
func (GuestsChanged) EventKind() Kind     { return KindGuests }

// EventKind names the event.
func (BranchesChanged) EventKind() Kind { return KindBranches }

// EventKind names the event.
func (PagerChanged) EventKind() Kind    { return KindPager }
func (MCPChanged) EventKind() Kind      { return KindMCPChanged }
func (OutboundChanged) EventKind() Kind { return KindOutboundChanged }

func (PermissionsChanged) EventKind() Kind { return KindPermissions }

func (ShopRecovered) EventKind() Kind { return KindShopRecovered }
func (Error) EventKind() Kind         { return KindError }
func (Ready) EventKind() Kind         { return KindReady }
