package interpreter

import (
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// Alarm says that a server read fewer tokens of a request than it was sent. Sent is an estimate, Read the server's figure.
// Time is RFC 3339 in UTC.
type Alarm struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Sent     int    `json:"sent"`
	Read     int    `json:"read"`
	Time     string `json:"time"`
	Message  string `json:"message"`
}

// Gauge is how full a chat's requests are, in tokens. NumCtx is how much the model reads at once, 0 for no limit; Room is
// what is left of it beside Estimated and the Reserve for the answer. All but Server are estimates, rough ones until
// Calibrated. Server is what the server counted for the chat's last request, and ServerEstimated what was estimated for it.
type Gauge struct {
	NumCtx          int    `json:"numCtx"`
	Reserve         int    `json:"reserve"`
	Estimated       int    `json:"estimated"`
	System          int    `json:"system"`
	Memory          int    `json:"memory"`
	Transcript      int    `json:"transcript"`
	Room            int    `json:"room"`
	Calibrated      bool   `json:"calibrated"`
	Server          int    `json:"server,omitempty"`
	ServerEstimated int    `json:"serverEstimated,omitempty"`
	Alarm           *Alarm `json:"alarm,omitempty"`
}

// Gauge measures the requests of a chat with that background, as its next planner request would be before the request.
func (i *Interpreter) Gauge(chat string, lang bilingual.Lang, b Background) Gauge {
	p := i.deps.Provider()
	w, key := i.window(p, provider.RolePlanner, "")
	if key == "" {
		key = p.Name()
	}
	with := func(b Background) int {
		brief := Brief{Chat: chat, Lang: lang, Now: time.Now(), Background: b}
		return i.size(key, i.request(brief, provider.RolePlanner, provider.PlanSchema)).likely
	}
	system, remembered, all := with(Background{}), with(Background{Summary: b.Summary, Facts: b.Facts, Fresh: b.Fresh}), with(b)
	g := Gauge{
		NumCtx: w.Tokens, Estimated: all, System: system, Memory: remembered - system, Transcript: all - remembered,
		Calibrated: i.ledger.meter.known(key),
	}
	if w.Tokens > 0 {
		g.Reserve = w.Tokens - i.room(w, provider.RolePlanner)
		g.Room = max(w.Tokens-g.Reserve-all, 0)
	}
	i.ledger.mu.Lock()
	defer i.ledger.mu.Unlock()
	if c, ok := i.ledger.counts[chat]; ok {
		g.Server, g.ServerEstimated = c.server, c.estimated
	}
	if a := i.ledger.alarms[key]; a != nil {
		shown := *a
		shown.Message = apperr.New(apperr.ContextTruncated, "sent", a.Sent, "read", a.Read).Text(lang)
		g.Alarm = &shown
	}
	return g
}
