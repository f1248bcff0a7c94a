// Package event is the shop's one ordered stream of what happens: the envelope, the kinds, their payloads and the bus
// that carries them. PROTOCOL: every front (window, headless, tests) reads the same envelopes.
//
// It imports the standard library only, and every other package may import it.
package event

// Kind names what an envelope is about. Each kind has one payload type, listed beside it in payload.go and library.go; that of the inventory is
// toolbox.Inventory.
type Kind string

// The kinds of the protocol. A reader ignores kinds it does not know.
const (
	KindReady             Kind = "ready"
	KindReply             Kind = "reply"
	KindChatCreated       Kind = "chat.created"
	KindChatDeleted       Kind = "chat.deleted"
	KindChatRestored      Kind = "chat.restored"
	KindChatPinned        Kind = "chat.pinned"
	KindChatCut           Kind = "chat.cut"
	KindChatVersion       Kind = "chat.version"
	KindChatChanged       Kind = "chat.changed"
	KindProjects          Kind = "projects.changed"
	KindChatMessage       Kind = "chat.message"
	KindChatToken         Kind = "chat.token"
	KindAgentStart        Kind = "agent.start"
	KindAgentQueued       Kind = "agent.queued"
	KindAgentDone         Kind = "agent.done"
	KindRequestMoved      Kind = "request.moved"
	KindTaskProgress      Kind = "task.progress"
	KindTurnDone          Kind = "turn.done"
	KindJobCreated        Kind = "job.created"
	KindJobState          Kind = "job.state"
	KindTodoState         Kind = "todo.state"
	KindJobLog            Kind = "job.log"
	KindJobReport         Kind = "job.report"
	KindWorkerState       Kind = "worker.state"
	KindToolAcquired      Kind = "tool.acquired"
	KindToolReleased      Kind = "tool.released"
	KindToolLocked        Kind = "tool.locked"
	KindToolQueued        Kind = "tool.queued"
	KindInventory         Kind = "inventory.changed"
	KindAskOpened         Kind = "ask.opened"
	KindAskClosed         Kind = "ask.closed"
	KindThinking          Kind = "thinking"
	KindSources           Kind = "sources"
	KindMedia             Kind = "media"
	KindProviderState     Kind = "provider.state"
	KindConfig            Kind = "config.changed"
	KindModelPull         Kind = "model.pull"
	KindModelsChanged     Kind = "models.changed"
	KindOutboundChanged   Kind = "outbound.changed"
	KindUpdateChanged     Kind = "update.changed"
	KindMemoryChanged     Kind = "memory.changed"
	KindBankChanged       Kind = "bank.changed"
	KindNotesChanged      Kind = "notes.changed"
	KindReminderDue       Kind = "reminder.due"
	KindStandingChanged   Kind = "standing.changed"
	KindFavouritesChanged Kind = "favourites.changed"
	KindGuests            Kind = "guests.changed"
	KindPager             Kind = "pager.changed"
	KindMCPChanged        Kind = "mcp.changed"
	KindPermissions       Kind = "permissions.changed"
	KindLibraryImport     Kind = "library.import"
	KindLibraryVectors    Kind = "library.vectors"
	KindLibrary           Kind = "library.changed"
	KindLibraryShelf      Kind = "library.shelf"
	KindShopRecovered     Kind = "shop.recovered"
	KindError             Kind = "error"
)
