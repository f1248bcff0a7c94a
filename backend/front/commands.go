package front

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/guest"
	"agentchat/backend/manager"
	"agentchat/backend/media"
	"agentchat/backend/provider/servers"
	"agentchat/backend/shop"
	"agentchat/backend/strictjson"
	"agentchat/backend/toolbox"
)

// command is one line of input. Which fields count depends on Cmd.
type command struct {
	ID        json.RawMessage `json:"id"`
	Cmd       string          `json:"cmd"`
	Text      string          `json:"text"`
	Chat      string          `json:"chat"`
	Action    string          `json:"action"`
	Seen      *string         `json:"seen"`
	Ask       string          `json:"ask"`
	Choice    string          `json:"choice"`
	Digest    string          `json:"digest"`
	Args      json.RawMessage `json:"args"`
	Holder    string          `json:"holder"`
	Scope     string          `json:"scope"`
	Job       string          `json:"job"`
	Before    string          `json:"before"`
	Instead   string          `json:"instead"`
	Key       string          `json:"key"`
	Names     []string        `json:"names"`
	With      servers.Server  `json:"with"`
	Limit     int             `json:"limit"`
	Path      string          `json:"path"`
	Document  *string         `json:"document"` // say tells none from ""
	Import    string          `json:"import"`
	Kind      string          `json:"kind"`
	Fact      string          `json:"fact"`
	Model     string          `json:"model"`
	Server    string          `json:"server"`
	Backup    string          `json:"backup"`
	Set       map[string]any  `json:"set"`
	Until     string          `json:"until"`
	TimeoutMS int64           `json:"timeout_ms"`

	Permission  string          `json:"permission"`
	Filter      json.RawMessage `json:"filter"` // as the command wants it, see filterOf
	BeforeEntry int64           `json:"before_entry"`
	Format      string          `json:"format"`
	Write       bool            `json:"write"`
	Pinned      bool            `json:"pinned"`
	Trashed     string          `json:"trashed"`
	Note        string          `json:"note"`
	Query       string          `json:"query"`
	Act         media.Act       `json:"act"`
	Level       *int            `json:"level"`
	Device      media.Device    `json:"device"`

	Message string `json:"message"` // of a chat

	Cursor int64 `json:"cursor"`
	Sure   bool  `json:"sure"`

	Order  string `json:"order"`
	When   string `json:"when"`
	Missed string `json:"missed"`

	Favourite string            `json:"favourite"`
	Name      string            `json:"name"`
	Was       map[string]string `json:"was"` // what stood in a blank, by the blank's name

	Attachments []string           `json:"attachments"` // paths
	Handed      []event.Attachment `json:"handed"`      // as the shop gave them: prompts
	Prompt      string             `json:"prompt"`      // of an outside server
	Field       string             `json:"field"`       // of a prompt

	Shelf     string `json:"shelf"`
	Attached  bool   `json:"attached"` // say asks what is attached in the chat
	Rule      string `json:"rule"`
	State     string `json:"state"`
	Mark      string `json:"mark"`
	File      string `json:"file"`
	After     string `json:"after"`
	Drop      bool   `json:"drop"`
	Documents bool   `json:"documents"`

	Here  bool        `json:"here"`
	Shown []ask.Reply `json:"shown"`

	Keep     []string         `json:"keep"` // of say instead: the jobs that go on
	Archived bool             `json:"archived"`
	Project  shop.ProjectView `json:"project"`

	Guest guest.Guest `json:"guest"`
	Phone string      `json:"phone"` // the id of a paired one

	Branch  string `json:"branch"`  // the id of another shop
	Address string `json:"address"` // where it is
	Code    string `json:"code"`    // that it gave

	Plan string        `json:"plan"`
	Pick *toolbox.Pick `json:"pick"` // of an answer: what is left of the plan, by the places of its lines
}

func (c command) document() string {
	if c.Document == nil {
		return ""
	}
	return *c.Document
}

// place is what a say asks: a document, a shelf, what is attached in the chat; nil: it does not say.
func (c command) place() *string {
	switch {
	case c.Shelf != "":
		return new(event.ShelfPlace(c.Shelf))
	case c.Attached:
		return new(event.AttachedPlace)
	}
	return c.Document
}

// filterOf reads what a command is narrowed to; without a filter it is everything.
func filterOf[T any](c command) (filter T, err error) {
	if len(c.Filter) == 0 {
		return filter, nil
	}
	whole := json.NewDecoder(bytes.NewReader(c.Filter))
	whole.DisallowUnknownFields() // what is misspelt must not find everything
	if err = whole.Decode(&filter); err != nil {
		err = apperr.Wrap(err, apperr.BadCommand, "detail", "filter: "+err.Error())
	}
	return filter, err
}

// waitForever bounds a wait that names no timeout.
const waitForever = 24 * time.Hour

// command does one line: those that wait as long as ctx holds, the others with kept.
func (f *front) command(ctx, kept context.Context, line []byte) {
	var c command
	if err := strictjson.Decode(line, &c, strictjson.Limits{Bytes: maxLine}); err != nil {
		f.reply(idOf(line), nil, apperr.Wrap(err, apperr.BadCommand, "detail", err.Error()))
		return
	}
	if c.Cmd == "wait" {
		f.wg.Go(func() {
			f.reply(c.ID, struct{}{}, f.wait(ctx, c))
		})
		return
	}
	if c.Cmd == "load_model" || c.Cmd == "mcp_sign_in" || c.Cmd == "mcp_prompts" || c.Cmd == "mcp_prompt" || c.Cmd == "mcp_complete" { // it takes its time; the next command does not wait for it
		f.wg.Go(func() {
			result, err := f.do(ctx, c)
			f.reply(c.ID, result, err)
		})
		return
	}
	result, err := f.do(kept, c)
	f.reply(c.ID, result, err)
	if c.Cmd == "quit" {
		f.once.Do(func() { close(f.quit) })
	}
}

// seen is the confirmation that whoever speaks had before them: the one they name, or the last that was printed.
func (f *front) seen(c command) string {
	if c.Seen != nil {
		return *c.Seen
	}
	f.telling.Lock() // what is just coming out may be what they answer
	defer f.telling.Unlock()
	return f.showing.Mark(chatOr(c.Chat))
}

// idOf finds the id of a line that is no command, so that its sender can still match the refusal.
func idOf(line []byte) json.RawMessage {
	var probe struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &probe) != nil {
		return nil
	}
	return probe.ID
}

// one is a result of one value.
func one(key string, value any) map[string]any { return map[string]any{key: value} }

func (f *front) do(ctx context.Context, c command) (any, error) {
	s := f.shop
	switch c.Cmd {
	case "say", "answer", "cancel", "undo", "plan", "stop_reply", "delete_chat", "restore_chat", "deleted_chats", "pin_chat", "export", "export_chat", "snapshot", "history":
		return f.chatCommand(ctx, c)
	case "versions", "show_version", "fork_chat", "drop_chat", "rename_chat", "archive_chat", "set_chat", "find_in_chat", "draft", "projects", "project_save", "project_remove", "project_fact":
		return historyCommand(ctx, s, c)
	case "job":
		return s.Job(ctx, c.Job)
	case "export_events":
		n, err := s.ExportEvents(ctx, c.Path)
		return one("events", n), err
	case "import_events":
		return s.ImportEvents(ctx, c.Path)
	case "look_at_chats":
		return s.LookAtChats(ctx, c.Path)
	case "import_chats":
		return s.ImportChats(ctx, c.Path)
	case "services":
		return one("services", s.Services()), nil
	case "readings":
		return s.Readings(ctx, c.Chat, c.Limit)
	case "letters":
		list, err := s.Letters(ctx, c.Chat, c.Job, c.Limit)
		return one("letters", list), err
	case "config":
		if len(c.Set) > 0 {
			view, err := s.SetSettings(c.Set)
			return view, err
		}
		return s.Settings(), nil
	case "memory":
		return s.Memory(ctx, chatOr(c.Chat))
	case "forget":
		return struct{}{}, f.forget(ctx, c)
	case "import", "cancel_import", "documents", "document", "remove_document", "mark_document", "resume_import":
		return libraryCommand(ctx, s, c)
	case "shelves", "shelf_add", "shelf_change", "shelf_remove", "shelf_rescan", "shelf_settle", "shelf_files", "shelf_reread":
		return shelfCommand(ctx, s, c)
	case "bank":
		return s.Bank(ctx)
	case "models":
		return s.Models(ctx)
	case "servers", "server_save", "server_remove", "server_order", "server_key", "server_use", "server_test":
		return serverCommand(ctx, s, c)
	case "import_model":
		return one("path", c.Path), modelCommand(ctx, s, c)
	case "pull", "pause_pull", "cancel_pull", "delete_model", "load_model", "unload_model":
		return one("model", c.Model), modelCommand(ctx, s, c)
	case "mcp", "mcp_consent", "mcp_sign_in", "mcp_sign_in_cancel", "mcp_sign_out", "mcp_reload", "mcp_prompts", "mcp_prompt", "mcp_complete":
		return outsideCommand(ctx, s, c)
	case "pager", "pager_pair", "pager_unpair":
		return pagerCommand(s, c)
	case "branches", "branch_invite", "branch_uninvite", "branch_join", "branch_move", "branch_remove":
		return branchCommand(ctx, s, c)
	case "guests", "guest_add", "guest_change", "guest_remove":
		return guestCommand(ctx, s, c)
	case "folders", "open_folder", "close_folder", "restore_trashed":
		return folderCommand(ctx, s, c)
	case "permissions", "revoke", "audit", "audit_export":
		return permissionCommand(ctx, s, c)
	case "outbound":
		return outboundCommand(ctx, s, c)
	case "tickets", "tickets_export", "again":
		return ticketCommand(ctx, s, c)
	case "notes", "note_add", "note_edit", "note_delete", "note_restore":
		return noteCommand(ctx, s, c)
	case "sheet", "sheet_looked", "present", "approve":
		return sheetCommand(ctx, s, c)
	case "standing", "standing_pause", "standing_resume", "standing_now", "standing_skip", "standing_delete", "standing_change":
		return standingCommand(ctx, s, c)
	case "favourites", "favourite_keep", "favourite_delete", "favourite_restore", "favourite_run", "favourite_schedule", "favourite_arguments":
		return favouriteCommand(ctx, s, c)
	case "backup", "backups", "backup_look", "restore", "restore_off":
		return backupCommand(ctx, s, c)
	case "media":
		return mediaCommand(ctx, s, c)
	case "about", "licences", "diagnosis", "crash_seen":
		return helpCommand(ctx, s, c)
	case "quit":
		return struct{}{}, nil
	}
	return nil, apperr.New(apperr.BadCommand, "detail", "unknown cmd "+quote(c.Cmd))
}

// chatCommand does what is said or decided in a chat, or done with one.
func (f *front) chatCommand(ctx context.Context, c command) (any, error) {
	s := f.shop
	switch c.Cmd {
	case "say":
		place := c.place()
		about := ""
		if place != nil {
			about = *place
		}
		say := func() (event.ChatMessage, error) { return s.Say(ctx, c.Chat, c.Text, c.Action, f.seen(c)) }
		attachments, err := attach(ctx, s, c.Attachments)
		attachments = append(attachments, c.Handed...)
		switch {
		case err != nil:
			return nil, err
		case c.Instead != "":
			say = func() (event.ChatMessage, error) {
				return s.SayInstead(ctx, c.Instead, manager.Instead{Text: c.Text, Document: place, Attachments: attachments, Keep: c.Keep, Model: c.Model})
			}
		case len(attachments) > 0:
			say = func() (event.ChatMessage, error) {
				return s.SayWith(ctx, shop.Words{Chat: c.Chat, Text: c.Text, Document: about, Seen: f.seen(c), Attachments: attachments})
			}
		case about != "":
			say = func() (event.ChatMessage, error) { return s.SayAbout(ctx, c.Chat, c.Text, about) }
		}
		msg, err := say()
		return one("message", msg), err
	case "answer":
		a, err := s.Answer(ctx, ask.Reply{
			Ask: c.Ask, Choice: c.Choice, Digest: c.Digest, Args: c.Args, Text: c.Text, Holder: c.Holder, Scope: c.Scope, Pick: c.Pick,
		})
		return struct {
			Ask    string `json:"ask"`
			Choice string `json:"choice"`
		}{a.ID, c.Choice}, err
	case "undo":
		return s.UndoJob(ctx, c.Job)
	case "plan":
		lines, err := s.FilePlan(ctx, c.Plan)
		return one("lines", lines), err
	case "cancel":
		return one("job", c.Job), s.CancelJob(c.Job)
	case "stop_reply":
		return struct{}{}, s.StopReply(chatOr(c.Chat))
	case "delete_chat":
		return struct{}{}, s.DeleteChat(ctx, chatOr(c.Chat))
	case "restore_chat":
		return struct{}{}, s.RestoreChat(ctx, chatOr(c.Chat))
	case "deleted_chats":
		list, err := s.DeletedChats(ctx)
		return one("chats", list), err
	case "pin_chat":
		return struct{}{}, s.PinChat(ctx, chatOr(c.Chat), c.Pinned)
	case "export", "export_chat":
		of := shop.Takeaway{Chat: c.Chat, Message: c.Message, Job: c.Job}
		if !shop.Zips(c.Path, c.Format) { // which without a chat holds all of them
			of.Chat = chatOr(c.Chat)
		}
		return one("path", c.Path), s.Export(ctx, of, c.Path, c.Format)
	case "snapshot":
		snap, err := s.Snapshot(ctx)
		if err == nil {
			f.showing.All(snap.Service, snap.Seq)
		}
		return snap, err
	default: // history
		list, err := s.History(ctx, chatOr(c.Chat), c.Before, c.Limit)
		return one("messages", list), err
	}
}

// attach takes files in that a message comes with, nil for none named. Nothing is said where one of them is refused.
func attach(ctx context.Context, s *shop.Shop, paths []string) (list []event.Attachment, err error) {
	for _, path := range paths {
		a, err := s.Attach(ctx, path)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	if paths != nil && list == nil {
		list = []event.Attachment{} // none, said anew
	}
	return list, nil
}

// backupCommand does what is done with copies of everything.
func backupCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	switch c.Cmd {
	case "backup":
		if c.Path != "" {
			return one("path", c.Path), s.ExportBackup(ctx, c.Path)
		}
		return s.BackupNow(ctx)
	case "backups":
		list, err := s.Backups(ctx)
		return map[string]any{"backups": list, "restoring": s.Restoring()}, err
	case "restore_off":
		return struct{}{}, s.CallOffRestore()
	case "backup_look":
		return s.LookAtBackup(ctx, c.Path)
	default: // restore
		if c.Path != "" {
			return one("restart", true), s.RestoreFile(ctx, c.Path)
		}
		return one("restart", true), s.RestoreBackup(ctx, c.Backup)
	}
}

// forget forgets one fact, or without one what is summed up of a chat.
func (f *front) forget(ctx context.Context, c command) error {
	if c.Fact == "" && c.Chat == "" {
		return apperr.New(apperr.BadCommand, "detail", "forget needs fact or chat")
	}
	if c.Fact == "" {
		return f.shop.ForgetChat(ctx, c.Chat)
	}
	return f.shop.ForgetFact(ctx, c.Fact)
}

// wait is over when nothing runs (idle), or when what had happened before it is printed (told).
func (f *front) wait(ctx context.Context, c command) error {
	switch c.Until {
	case "told":
		return f.printed.wait(ctx, f.shop.Bus.Seq())
	case "idle":
	default:
		return apperr.New(apperr.BadCommand, "detail", "until must be \"idle\" or \"told\"")
	}
	limit := waitForever
	if c.TimeoutMS > 0 {
		limit = time.Duration(c.TimeoutMS) * time.Millisecond
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := f.shop.WaitIdle(limited)
	if err == nil { // what led to the silence is heard before the word of it
		err = f.printed.wait(ctx, f.shop.Bus.Seq())
	}
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return apperr.New(apperr.Canceled)
	}
	return err
}

func chatOr(chat string) string {
	if chat == "" {
		return "main"
	}
	return chat
}

func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return "?"
	}
	return string(data)
}
