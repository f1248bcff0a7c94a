package main

import (
	"context"
	"fmt"
	"net/url"
	"runtime/debug"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/logging"
	"agentchat/backend/media"
	"agentchat/backend/models"
	"agentchat/backend/shop"
	"agentchat/backend/toolbox"
)

// App is what the window may call: one method per thing a person can do. It owns the window and the shop behind it, and
// relays events. Errors reach the window as {code, message, fields}.
type App struct {
	window *window
}

// NewApp makes the app. It opens nothing: Wails also runs main to generate bindings.
func NewApp() *App { return &App{window: newWindow()} }

// call runs one bound method. It waits until the shop is open, and a panic becomes an error: otherwise the window's
// promise would never settle.
func call[T any](a *App, do func(ctx context.Context, s *shop.Shop) (T, error)) (out T, err error) {
	s, err := a.window.shop()
	if err != nil {
		return out, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = apperr.Wrap(fmt.Errorf("panic: %v\n%s", p, debug.Stack()), apperr.Internal)
			log := s.Log.Component("app")
			log.Error().Err(err).Msg("a bound method panicked")
		}
	}()
	return do(a.window.ctx, s)
}

// run is call for methods that give nothing back.
func run(a *App, do func(ctx context.Context, s *shop.Shop) error) error {
	_, err := call(a, func(ctx context.Context, s *shop.Shop) (struct{}, error) { return struct{}{}, do(ctx, s) })
	return err
}

// Snapshot is the whole state of the shop.
func (a *App) Snapshot() (shop.Snapshot, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.Snapshot, error) { return s.Snapshot(ctx) })
}

// Say takes one customer message, or the id of the button that was pressed, and returns at once.
func (a *App) Say(chat, text, action string) (event.ChatMessage, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.ChatMessage, error) {
		return s.Say(ctx, chat, text, action)
	})
}

// Answer answers an open question.
func (a *App) Answer(reply ask.Reply) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { _, err := s.Answer(ctx, reply); return err })
}

// CancelJob stops a job.
func (a *App) CancelJob(job string) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.CancelJob(job) })
}

// StopReply stops the reply being written in a chat.
func (a *App) StopReply(chat string) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.StopReply(chat) })
}

// NewChat opens a conversation.
func (a *App) NewChat() (event.ChatCreated, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.ChatCreated, error) { return s.NewChat(ctx) })
}

// RenameChat gives a conversation another title.
func (a *App) RenameChat(chat, title string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RenameChat(ctx, chat, title) })
}

// DeleteChat removes a conversation; its running jobs are stopped.
func (a *App) DeleteChat(chat string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.DeleteChat(ctx, chat) })
}

// DeleteMessage hides one message; RestoreMessage brings it back.
func (a *App) DeleteMessage(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.HideMessage(ctx, id, true) })
}

// RestoreMessage undoes DeleteMessage.
func (a *App) RestoreMessage(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.HideMessage(ctx, id, false) })
}

// History gives up to limit messages of a chat before a message id ("" for the newest), oldest first.
func (a *App) History(chat, before string, limit int) ([]event.ChatMessage, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]event.ChatMessage, error) {
		return s.History(ctx, chat, before, limit)
	})
}

// Job gives one job with its questions and log.
func (a *App) Job(id string) (shop.JobDetail, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.JobDetail, error) { return s.Job(ctx, id) })
}

// JobLogs gives the newest log lines of all jobs, oldest first.
func (a *App) JobLogs(limit int) ([]shop.LogEntry, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]shop.LogEntry, error) { return s.JobLogs(ctx, limit) })
}

// Logs gives the newest lines of the app's own log, oldest first.
func (a *App) Logs() ([]logging.Line, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]logging.Line, error) { return s.Logs.Subscribe().Next(ctx) })
}

// ClearEnded takes ended jobs off the board.
func (a *App) ClearEnded() error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.ClearEnded(ctx) })
}

// Search looks through chats, messages, jobs and logs.
func (a *App) Search(query string) ([]shop.SearchHit, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]shop.SearchHit, error) { return s.Search(ctx, query) })
}

// Tools lists the manuals of all tools.
func (a *App) Tools() ([]toolbox.Spec, error) {
	return call(a, func(_ context.Context, s *shop.Shop) ([]toolbox.Spec, error) { return s.Tools(), nil })
}

// Settings lists every setting.
func (a *App) Settings() ([]config.Item, error) {
	return call(a, func(_ context.Context, s *shop.Shop) ([]config.Item, error) { return s.Settings().Settings, nil })
}

// SetSettings changes settings at once and keeps them; null brings back the default. All are changed or none.
func (a *App) SetSettings(values map[string]any) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { _, err := s.SetSettings(values); return err })
}

// Models is everything the models page shows.
func (a *App) Models() (models.View, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (models.View, error) { return s.Models(ctx) })
}

// PullModel downloads a model; its progress travels as model.pull events. A download that failed begins again.
func (a *App) PullModel(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.PullModel(ctx, name) })
}

// PausePull stops a download and keeps what has arrived.
func (a *App) PausePull(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.PausePull(ctx, name) })
}

// ResumePull goes on with a paused or failed download.
func (a *App) ResumePull(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.ResumePull(ctx, name) })
}

// CancelPull takes a download off the list.
func (a *App) CancelPull(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.CancelPull(ctx, name) })
}

// DeleteModel removes a model from the disk.
func (a *App) DeleteModel(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.DeleteModel(ctx, name) })
}

// LoadModel reads a model into memory; it returns when the model is there.
func (a *App) LoadModel(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.LoadModel(ctx, name) })
}

// UnloadModel frees the memory of a model.
func (a *App) UnloadModel(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.UnloadModel(ctx, name) })
}

// CheckProvider looks right now how Ollama is.
func (a *App) CheckProvider() (models.Trouble, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (models.Trouble, error) { return s.CheckProvider(ctx) })
}

// StartOllama starts the Ollama that is installed on this computer and waits until it answers.
func (a *App) StartOllama() error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.StartOllama(ctx) })
}

// SetOpenAIKey keeps the key of the OpenAI-compatible service in the system's keyring; "" forgets it.
func (a *App) SetOpenAIKey(key string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.SetOpenAIKey(ctx, key) })
}

// JobGraph is the graph every job walks, as Mermaid text.
func (a *App) JobGraph() (string, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (string, error) { return s.JobGraph(), nil })
}

// MediaReport tells where the real player of a device is, in seconds; ended is true when it reached the end.
func (a *App) MediaReport(device string, position, duration float64, ended bool) error {
	return run(a, func(_ context.Context, s *shop.Shop) error {
		s.MediaReport(media.Report{Device: media.Device(device), Position: position, Seconds: duration, Ended: ended})
		return nil
	})
}

// ChooseFolder shows the system's folder dialog and gives the chosen path, "" when the person closed it.
func (a *App) ChooseFolder(title string) (string, error) {
	return call(a, func(ctx context.Context, _ *shop.Shop) (string, error) {
		return runtime.OpenDirectoryDialog(ctx, runtime.OpenDialogOptions{Title: title, CanCreateDirectories: true})
	})
}

// OpenLink opens an http or https address in the system's browser, and nothing else.
func (a *App) OpenLink(address string) error {
	return run(a, func(ctx context.Context, _ *shop.Shop) error {
		link, err := webAddress(address)
		if err == nil {
			runtime.BrowserOpenURL(ctx, link)
		}
		return err
	})
}

// webAddress is an address as a browser may get it: http or https, a host, and no name before an @ that could be taken for
// the host.
func webAddress(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return "", apperr.Wrap(err, apperr.InvalidArgs, "detail", "http(s)://…")
	}
	return u.String(), nil
}

// SetFocused tells whether the window has the person's attention; without it, questions raise system notifications.
func (a *App) SetFocused(focused bool) { a.window.focused.Store(focused) }

// EventShapes holds one of each payload, so that the generated bindings carry their types.
type EventShapes struct {
	Envelope      event.Envelope       `json:"envelope"`
	ChatCreated   event.ChatCreated    `json:"chatCreated"`
	ChatMessage   event.ChatMessage    `json:"chatMessage"`
	ChatToken     event.ChatToken      `json:"chatToken"`
	AgentStart    event.AgentStart     `json:"agentStart"`
	AgentQueued   event.AgentQueued    `json:"agentQueued"`
	AgentDone     event.AgentDone      `json:"agentDone"`
	TaskProgress  event.TaskProgress   `json:"taskProgress"`
	TurnDone      event.TurnDone       `json:"turnDone"`
	JobCreated    event.JobCreated     `json:"jobCreated"`
	JobState      event.JobState       `json:"jobState"`
	TodoState     event.TodoState      `json:"todoState"`
	JobLog        event.JobLog         `json:"jobLog"`
	JobReport     event.JobReport      `json:"jobReport"`
	WorkerState   event.WorkerState    `json:"workerState"`
	ToolAcquired  event.ToolAcquired   `json:"toolAcquired"`
	ToolReleased  event.ToolReleased   `json:"toolReleased"`
	ToolLocked    event.ToolLocked     `json:"toolLocked"`
	ToolQueued    event.ToolQueued     `json:"toolQueued"`
	AskOpened     event.AskOpened      `json:"askOpened"`
	AskClosed     event.AskClosed      `json:"askClosed"`
	Thinking      event.Thinking       `json:"thinking"`
	Sources       event.Sources        `json:"sources"`
	Media         event.Media          `json:"media"`
	ProviderState event.ProviderState  `json:"providerState"`
	ConfigChanged event.ConfigChanged  `json:"configChanged"`
	ModelPull     event.ModelPull      `json:"modelPull"`
	ModelsChanged event.ModelsChanged  `json:"modelsChanged"`
	MemoryChanged event.MemoryChanged  `json:"memoryChanged"`
	BankChanged   event.BankChanged    `json:"bankChanged"`
	NotesChanged  event.NotesChanged   `json:"notesChanged"`
	ReminderDue   event.ReminderDue    `json:"reminderDue"`
	MCPChanged    event.MCPChanged     `json:"mcpChanged"`
	LibraryImport event.LibraryImport  `json:"libraryImport"`
	Library       event.LibraryChanged `json:"library"`
	ShopRecovered event.ShopRecovered  `json:"shopRecovered"`

	LibraryVectors event.LibraryVectors `json:"libraryVectors"`

	PermissionsChanged event.PermissionsChanged `json:"permissionsChanged"`

	Error event.Error `json:"error"`
}

// Shapes describes the payloads of every event kind (all empty): documentation that the compiler keeps true.
func (a *App) Shapes() EventShapes { return EventShapes{} }
