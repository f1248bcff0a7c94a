package main

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/policy"
	"agentchat/backend/shop"
	"agentchat/backend/strictjson"
)

// command is one line of input. Which fields count depends on Cmd.
type command struct {
	ID        json.RawMessage `json:"id"`
	Cmd       string          `json:"cmd"`
	Text      string          `json:"text"`
	Chat      string          `json:"chat"`
	Action    string          `json:"action"`
	Ask       string          `json:"ask"`
	Choice    string          `json:"choice"`
	Digest    string          `json:"digest"`
	Args      json.RawMessage `json:"args"`
	Holder    string          `json:"holder"`
	Scope     string          `json:"scope"`
	Job       string          `json:"job"`
	Before    string          `json:"before"`
	Limit     int             `json:"limit"`
	Path      string          `json:"path"`
	Document  string          `json:"document"`
	Import    string          `json:"import"`
	Kind      string          `json:"kind"`
	Fact      string          `json:"fact"`
	Model     string          `json:"model"`
	Server    string          `json:"server"`
	Backup    string          `json:"backup"`
	Set       map[string]any  `json:"set"`
	Until     string          `json:"until"`
	TimeoutMS int64           `json:"timeout_ms"`

	Permission  string        `json:"permission"`
	Filter      policy.Filter `json:"filter"`
	BeforeEntry int64         `json:"before_entry"`
	Format      string        `json:"format"`
	Write       bool          `json:"write"`
	Trashed     string        `json:"trashed"`
	Note        string        `json:"note"`
	Query       string        `json:"query"`
}

// waitForever bounds a wait that names no timeout.
const waitForever = 24 * time.Hour

func (f *front) command(ctx context.Context, line []byte) {
	var c command
	if err := strictjson.Decode(line, &c, strictjson.Limits{Bytes: maxLine}); err != nil {
		f.reply(idOf(line), nil, apperr.Wrap(err, apperr.BadCommand, "detail", err.Error()))
		return
	}
	if c.Cmd == "wait" {
		f.wg.Add(1)
		go func() {
			defer f.wg.Done()
			f.reply(c.ID, struct{}{}, f.wait(ctx, c))
		}()
		return
	}
	if c.Cmd == "load_model" { // it takes its time; the next command does not wait for it
		f.wg.Add(1)
		go func() {
			defer f.wg.Done()
			result, err := f.do(ctx, c)
			f.reply(c.ID, result, err)
		}()
		return
	}
	result, err := f.do(ctx, c)
	f.reply(c.ID, result, err)
	if c.Cmd == "quit" {
		f.once.Do(func() { close(f.quit) })
	}
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

func (f *front) do(ctx context.Context, c command) (any, error) {
	s := f.shop
	switch c.Cmd {
	case "say":
		msg, err := s.Say(ctx, c.Chat, c.Text, c.Action)
		return struct {
			Message event.ChatMessage `json:"message"`
		}{msg}, err
	case "answer":
		a, err := s.Answer(ctx, ask.Reply{
			Ask: c.Ask, Choice: c.Choice, Digest: c.Digest, Args: c.Args, Text: c.Text, Holder: c.Holder, Scope: c.Scope,
		})
		return struct {
			Ask    string `json:"ask"`
			Choice string `json:"choice"`
		}{a.ID, c.Choice}, err
	case "cancel":
		return struct {
			Job string `json:"job"`
		}{c.Job}, s.CancelJob(c.Job)
	case "stop_reply":
		return struct{}{}, s.StopReply(chatOr(c.Chat))
	case "snapshot":
		return s.Snapshot(ctx)
	case "history":
		list, err := s.History(ctx, chatOr(c.Chat), c.Before, c.Limit)
		return struct {
			Messages []event.ChatMessage `json:"messages"`
		}{list}, err
	case "job":
		return s.Job(ctx, c.Job)
	case "services":
		return struct {
			Services any `json:"services"`
		}{s.Services()}, nil
	case "letters":
		list, err := s.Letters(ctx, c.Chat, c.Job, c.Limit)
		return struct {
			Letters []interpreter.Exchange `json:"letters"`
		}{list}, err
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
	case "bank":
		return s.Bank(ctx)
	case "models":
		return s.Models(ctx)
	case "pull", "pause_pull", "cancel_pull", "delete_model", "load_model", "unload_model":
		return struct {
			Model string `json:"model"`
		}{c.Model}, modelCommand(ctx, s, c)
	case "mcp":
		return s.MCP(), nil
	case "mcp_consent":
		err := s.ConsentMCP(ctx, c.Server, c.Digest)
		return s.MCP(), err
	case "mcp_reload":
		s.ReloadMCP()
		return s.MCP(), nil
	case "folders", "open_folder", "close_folder", "restore_trashed":
		return folderCommand(ctx, s, c)
	case "permissions", "revoke", "audit", "audit_export":
		return permissionCommand(ctx, s, c)
	case "notes", "note_add", "note_edit", "note_delete", "note_restore":
		return noteCommand(ctx, s, c)
	case "backup":
		if c.Path != "" {
			return struct {
				Path string `json:"path"`
			}{c.Path}, s.ExportBackup(ctx, c.Path)
		}
		return s.BackupNow(ctx)
	case "backups":
		list, err := s.Backups(ctx)
		return struct {
			Backups []shop.Backup `json:"backups"`
		}{list}, err
	case "restore":
		return struct {
			Restart bool `json:"restart"`
		}{true}, s.RestoreBackup(ctx, c.Backup)
	case "quit":
		return struct{}{}, nil
	}
	return nil, apperr.New(apperr.BadCommand, "detail", "unknown cmd "+quote(c.Cmd))
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

func (f *front) wait(ctx context.Context, c command) error {
	if c.Until != "idle" {
		return apperr.New(apperr.BadCommand, "detail", "until must be \"idle\"")
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
