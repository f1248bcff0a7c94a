package main

import (
	"context"
	"sync"

	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/shop"
	"agentchat/backend/toolbox"
)

// App is what the window may call: one method per thing a person can do. It owns the window and the shop behind it, and
// relays events. Errors reach the window as {code, message, fields}.
type App struct {
	mu   sync.Mutex
	ctx  context.Context //nolint:containedctx // Wails hands out one context for the life of the window
	shop *shop.Shop
}

// NewApp makes the app. It opens nothing: Wails also runs main to generate bindings.
func NewApp() *App { return &App{} }

func (a *App) startup(ctx context.Context)  { a.ctx = ctx }
func (a *App) domReady(ctx context.Context) {}
func (a *App) shutdown(ctx context.Context) {}

func formatError(err error) any { return err.Error() }

// Snapshot is the whole state of the shop.
func (a *App) Snapshot() (shop.Snapshot, error) { return shop.Snapshot{}, nil }

// Say takes one customer message, or the id of the button that was pressed, and returns at once.
func (a *App) Say(chat, text, action string) (event.ChatMessage, error) {
	return event.ChatMessage{}, nil
}

// Answer answers an open question.
func (a *App) Answer(reply ask.Reply) error { return nil }

// CancelJob stops a job.
func (a *App) CancelJob(job string) error { return nil }

// StopReply stops the reply being written in a chat.
func (a *App) StopReply(chat string) error { return nil }

// NewChat opens a conversation.
func (a *App) NewChat() (event.ChatCreated, error) { return event.ChatCreated{}, nil }

// RenameChat gives a conversation another title.
func (a *App) RenameChat(chat, title string) error { return nil }

// DeleteChat removes a conversation; its running jobs are stopped.
func (a *App) DeleteChat(chat string) error { return nil }

// DeleteMessage hides one message; RestoreMessage brings it back.
func (a *App) DeleteMessage(id string) error { return nil }

// RestoreMessage undoes DeleteMessage.
func (a *App) RestoreMessage(id string) error { return nil }

// History gives up to limit messages of a chat before a message id ("" for the newest), oldest first.
func (a *App) History(chat, before string, limit int) ([]event.ChatMessage, error) { return nil, nil }

// Job gives one job with its questions and log.
func (a *App) Job(id string) (shop.JobDetail, error) { return shop.JobDetail{}, nil }

// ClearEnded takes ended jobs off the board.
func (a *App) ClearEnded() error { return nil }

// Search looks through chats, messages, jobs and logs.
func (a *App) Search(query string) ([]shop.SearchHit, error) { return nil, nil }

// Tools lists the manuals of all tools.
func (a *App) Tools() ([]toolbox.Spec, error) { return nil, nil }

// JobGraph is the graph every job walks, as Mermaid text.
func (a *App) JobGraph() string { return "" }

// MediaReport tells where the real player of a device is, in seconds; ended is true when it reached the end.
func (a *App) MediaReport(device string, position, duration float64, ended bool) {}

// ChooseFolder shows the system's folder dialog and gives the chosen path, "" when the person closed it.
func (a *App) ChooseFolder(title string) (string, error) { return "", nil }

// OpenLink opens an http or https address in the system's browser.
func (a *App) OpenLink(address string) error { return nil }

// SetFocused tells whether the window has the person's attention; without it, questions raise system notifications.
func (a *App) SetFocused(focused bool) {}

// EventShapes holds one of each payload, so that the generated bindings carry their types.
type EventShapes struct {
	Envelope      event.Envelope      `json:"envelope"`
	ChatCreated   event.ChatCreated   `json:"chatCreated"`
	ChatMessage   event.ChatMessage   `json:"chatMessage"`
	ChatToken     event.ChatToken     `json:"chatToken"`
	AgentStart    event.AgentStart    `json:"agentStart"`
	AgentDone     event.AgentDone     `json:"agentDone"`
	TaskProgress  event.TaskProgress  `json:"taskProgress"`
	TurnDone      event.TurnDone      `json:"turnDone"`
	JobCreated    event.JobCreated    `json:"jobCreated"`
	JobState      event.JobState      `json:"jobState"`
	TodoState     event.TodoState     `json:"todoState"`
	JobLog        event.JobLog        `json:"jobLog"`
	JobReport     event.JobReport     `json:"jobReport"`
	WorkerState   event.WorkerState   `json:"workerState"`
	ToolAcquired  event.ToolAcquired  `json:"toolAcquired"`
	ToolReleased  event.ToolReleased  `json:"toolReleased"`
	ToolLocked    event.ToolLocked    `json:"toolLocked"`
	ToolQueued    event.ToolQueued    `json:"toolQueued"`
	AskOpened     event.AskOpened     `json:"askOpened"`
	AskClosed     event.AskClosed     `json:"askClosed"`
	Thinking      event.Thinking      `json:"thinking"`
	Sources       event.Sources       `json:"sources"`
	Media         event.Media         `json:"media"`
	ProviderState event.ProviderState `json:"providerState"`
	ConfigChanged event.ConfigChanged `json:"configChanged"`
	Error         event.Error         `json:"error"`
}

// Shapes describes the payloads of every event kind (all empty): documentation that the compiler keeps true.
func (a *App) Shapes() EventShapes { return EventShapes{} }
