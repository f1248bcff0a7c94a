package policy

import (
	"context"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// Permissions is what the permissions page shows: what was granted, the rules, and what was refused lately.
type Permissions struct {
	Grants []Permission `json:"grants"` // that hold, newest first
	Rules  []Rule       `json:"rules"`
	Mode   Mode         `json:"mode"`
	Denied []Entry      `json:"denied"` // calls that policy denied or a person rejected, newest first
}

// Permission is a grant as people read it. Times are RFC 3339 in UTC; Used is empty when it was never used.
type Permission struct {
	ID      string `json:"id"`
	Tool    string `json:"tool"`
	Title   string `json:"title"`
	Scope   string `json:"scope" ts_type:"toolbox.Scope"` // chat, always, order
	Chat    string `json:"chat,omitempty"`
	Words   string `json:"words"` // what it covers
	Created string `json:"created"`
	Used    string `json:"used,omitempty"`
	Uses    int    `json:"uses"`
}

// Store keeps grants and the audit log. Safe for concurrent use; errors are *apperr.Error. Grants are added with the answer
// that gives them, entries with the step they describe.
type Store interface {
	// Grants gives the grants that hold for a tool in a chat; with both empty, all that hold, newest first.
	Grants(ctx context.Context, chat, tool string) ([]Grant, error)
	// RevokeGrant ends a grant; from the moment it returns no intent is written on its strength. not_found when none holds.
	RevokeGrant(ctx context.Context, id string) error
	// Audit gives up to limit entries before an entry's number (0: the newest), newest first.
	Audit(ctx context.Context, f Filter, before int64, limit int) ([]Entry, error)
}

// View is a grant in words. The tool's manual names it and its values; of a tool that is gone (a Spec without a title) there
// are only keys.
func (g Grant) View(s toolbox.Spec, lang bilingual.Lang) Permission {
	title := s.Title.In(lang)
	if title == "" {
		title = g.Tool
	}
	words := Words(g.When, s.Names())
	return Permission{
		ID: g.ID, Tool: g.Tool, Title: title, Scope: string(g.Scope), Chat: g.Chat, Words: words.In(lang),
		Created: event.Stamp(g.Created), Used: event.Stamp(g.Used), Uses: g.Uses,
	}
}
