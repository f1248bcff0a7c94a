package main

import (
	"agentchat/backend/event"
	"agentchat/backend/toolbox"
)

// EventShapes holds one of each payload under its kind, so that the generated bindings carry their types.
type EventShapes struct {
	ChatCreated        event.ChatCreated        `json:"chat.created"`
	ChatDeleted        event.ChatDeleted        `json:"chat.deleted"`
	ChatRestored       event.ChatRestored       `json:"chat.restored"`
	ChatPinned         event.ChatPinned         `json:"chat.pinned"`
	ChatCut            event.ChatCut            `json:"chat.cut"`
	ChatVersion        event.ChatVersion        `json:"chat.version"`
	ChatChanged        event.ChatChanged        `json:"chat.changed"`
	ProjectsChanged    event.ProjectsChanged    `json:"projects.changed"`
	ChatMessage        event.ChatMessage        `json:"chat.message"`
	ChatToken          event.ChatToken          `json:"chat.token"`
	AgentStart         event.AgentStart         `json:"agent.start"`
	AgentQueued        event.AgentQueued        `json:"agent.queued"`
	AgentDone          event.AgentDone          `json:"agent.done"`
	TaskProgress       event.TaskProgress       `json:"task.progress"`
	TurnDone           event.TurnDone           `json:"turn.done"`
	JobCreated         event.JobCreated         `json:"job.created"`
	JobState           event.JobState           `json:"job.state"`
	TodoState          event.TodoState          `json:"todo.state"`
	JobLog             event.JobLog             `json:"job.log"`
	JobReport          event.JobReport          `json:"job.report"`
	WorkerState        event.WorkerState        `json:"worker.state"`
	ToolAcquired       event.ToolAcquired       `json:"tool.acquired"`
	ToolReleased       event.ToolReleased       `json:"tool.released"`
	ToolLocked         event.ToolLocked         `json:"tool.locked"`
	ToolQueued         event.ToolQueued         `json:"tool.queued"`
	Inventory          toolbox.Inventory        `json:"inventory.changed"`
	AskOpened          event.AskOpened          `json:"ask.opened"`
	AskClosed          event.AskClosed          `json:"ask.closed"`
	Thinking           event.Thinking           `json:"thinking"`
	Sources            event.Sources            `json:"sources"`
	Media              event.Media              `json:"media"`
	RequestMoved       event.RequestMoved       `json:"request.moved"`
	ProviderState      event.ProviderState      `json:"provider.state"`
	ConfigChanged      event.ConfigChanged      `json:"config.changed"`
	ModelPull          event.ModelPull          `json:"model.pull"`
	ModelsChanged      event.ModelsChanged      `json:"models.changed"`
	OutboundChanged    event.OutboundChanged    `json:"outbound.changed"`
	UpdateChanged      event.UpdateChanged      `json:"update.changed"`
	MemoryChanged      event.MemoryChanged      `json:"memory.changed"`
	BankChanged        event.BankChanged        `json:"bank.changed"`
	NotesChanged       event.NotesChanged       `json:"notes.changed"`
	ReminderDue        event.ReminderDue        `json:"reminder.due"`
	StandingChanged    event.StandingChanged    `json:"standing.changed"`
	FavouritesChanged  event.FavouritesChanged  `json:"favourites.changed"`
	GuestsChanged      event.GuestsChanged      `json:"guests.changed"`
	PagerChanged       event.PagerChanged       `json:"pager.changed"`
	BranchesChanged    event.BranchesChanged    `json:"branches.changed"`
	MCPChanged         event.MCPChanged         `json:"mcp.changed"`
	LibraryImport      event.LibraryImport      `json:"library.import"`
	Library            event.LibraryChanged     `json:"library.changed"`
	LibraryShelf       event.LibraryShelf       `json:"library.shelf"`
	ShopRecovered      event.ShopRecovered      `json:"shop.recovered"`
	LibraryVectors     event.LibraryVectors     `json:"library.vectors"`
	PermissionsChanged event.PermissionsChanged `json:"permissions.changed"`
	Error              event.Error              `json:"error"`
}

// Shapes describes the payloads of every event kind (all empty): documentation that the compiler keeps true.
func (a *App) Shapes() EventShapes { return EventShapes{} }
