package store

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"agentchat/backend/brief"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// Requests share large parts. Each part is stored once under the hash of its content, and a request stores only the rest and the hashes, so
// it costs what is new in it.

// frozenPart is what all requests begin with, and by far the largest part of each.
type frozenPart struct {
	System   string                 `json:"system"`
	Tools    []provider.ToolCard    `json:"tools,omitempty"`
	Services []provider.ServiceCard `json:"services,omitempty"`
	Native   []provider.PromptTool  `json:"native,omitempty"`
}

// formPart is what the requests of one role have in common. Plain says that the prompt's format is the schema itself.
type formPart struct {
	Schema json.RawMessage `json:"schema,omitempty"`
	Format json.RawMessage `json:"format,omitempty"`
	Plain  bool            `json:"plain,omitempty"`
}

// chapterPart is what the requests of a chat have in common for a while: a part of the conversation only grows at its end.
// Opening is the message that summary and facts become.
type chapterPart struct {
	Instructions string          `json:"instructions,omitempty"`
	Summary      string          `json:"summary,omitempty"`
	Facts        []string        `json:"facts,omitempty"`
	Opening      string          `json:"opening,omitempty"`
	Lines        []provider.Turn `json:"lines,omitempty"`
}

// exchangeBody is the rest of an exchange: Rest has what its head lacks, and with Told only what neither the chapter nor the form
// has. Older programs wrote all of it, as Exchange, and the oldest left out nothing.
type exchangeBody struct {
	Exchange *interpreter.Exchange    `json:"exchange,omitempty"`
	Rest     *exchangeRest            `json:"rest,omitempty"`
	Messages []provider.PromptMessage `json:"messages"`
	Format   json.RawMessage          `json:"format,omitempty"`
	Told     *told                    `json:"told,omitempty"`
}

// exchangeHead is what a list shows of an exchange, besides what stands in columns. Older programs wrote all of the request.
type exchangeHead struct {
	Request  *provider.Request `json:"letter,omitempty"`
	Role     provider.Role     `json:"role"`
	Turn     string            `json:"turn,omitempty"`
	Lang     bilingual.Lang    `json:"lang"`
	Now      time.Time         `json:"now"`
	Message  string            `json:"request"`
	From     string            `json:"from,omitempty"`
	Provider string            `json:"provider"`
	Reply    provider.Reply    `json:"reply"`
	Error    string            `json:"error,omitempty"`
	Problem  string            `json:"problem,omitempty"`
	Attempt  int               `json:"attempt,omitempty"`
	ReplayOf string            `json:"replayOf,omitempty"`
	At       time.Time         `json:"at"`
}

// exchangeRest is what the head of an exchange leaves out, in the order of provider.Request and provider.Reply.
type exchangeRest struct {
	More         []string           `json:"more,omitempty"`
	Shown        []string           `json:"shown,omitempty"`
	Model        string             `json:"model,omitempty"`
	Most         int                `json:"most,omitempty"`
	Instructions string             `json:"instructions,omitempty"`
	Summary      string             `json:"summary,omitempty"`
	Facts        []string           `json:"facts,omitempty"`
	Transcript   []provider.Turn    `json:"transcript,omitempty"`
	State        provider.State     `json:"state,omitzero"`
	Message      string             `json:"request,omitempty"` // where the head has its beginning
	Schema       json.RawMessage    `json:"schema,omitempty"`
	Pictures     []provider.Picture `json:"pictures,omitempty"`
	Rounds       []provider.Round   `json:"rounds,omitempty"`
	Native       bool               `json:"native,omitempty"`
	Final        bool               `json:"final,omitempty"`
	Text         string             `json:"text,omitempty"`
	Thinking     string             `json:"thinking,omitempty"`
	Calls        []provider.RawCall `json:"calls,omitempty"`
}

// restOf gives what packHead leaves out, but for the cards of tools and services, which are in the frozen part.
func restOf(x interpreter.Exchange) *exchangeRest {
	req, reply := x.Request, x.Reply
	r := &exchangeRest{
		More: req.More, Shown: req.Shown, Model: req.Model, Most: req.Most, Instructions: req.Instructions, Summary: req.Summary, Facts: req.Facts, Transcript: req.Transcript, State: req.State, Schema: req.Schema,
		Pictures: req.Pictures, Rounds: req.Rounds, Native: req.Native, Final: req.Final, Text: reply.Text, Thinking: reply.Thinking, Calls: reply.Calls,
	}
	if brief.Cut(req.Message, headRequest) != req.Message {
		r.Message = req.Message
	}
	return r
}

// onto puts the rest back onto the head.
func (r *exchangeRest) onto(x *interpreter.Exchange) {
	req, reply := &x.Request, &x.Reply
	req.More, req.Shown, req.Summary, req.Facts, req.Transcript, req.State = r.More, r.Shown, r.Summary, r.Facts, r.Transcript, r.State
	req.Model, req.Most, req.Instructions = r.Model, r.Most, r.Instructions
	req.Schema, req.Pictures, req.Rounds, req.Native, req.Final = r.Schema, r.Pictures, r.Rounds, r.Native, r.Final
	reply.Text, reply.Thinking, reply.Calls = r.Text, r.Thinking, r.Calls
	if r.Message != "" {
		req.Message = r.Message
	}
}

// told is what was left out of a request's body.
type told struct {
	Lines   int  `json:"lines,omitempty"`   // so many of the chapter's lines begin the transcript
	Opening bool `json:"opening,omitempty"` // the first message is the chapter's opening
	Spoken  bool `json:"spoken,omitempty"`  // then every line of the transcript is a message
	Schema  int  `json:"schema,omitempty"`  // the schema stands in the next message, before this byte; 0: it does not
}

// packedExchange is an exchange as it is written.
type packedExchange struct {
	x                           interpreter.Exchange
	head, frozen, form, chapter string
	parts                       []packedPart
	body                        []byte
}

type packedPart struct {
	hash string
	body []byte
}

// Bounds of what a packer remembers, and of what a request says of its chapter's growth before another is begun.
const (
	knownFrozen   = 4
	knownChapters = 16
	smallChapter  = 1 << 10 // bytes
)

// exchangePacker packs requests. It remembers the last parts, so an unchanged part is not packed again. The zero value is ready; safe for
// concurrent use.
type exchangePacker struct {
	mu       sync.Mutex
	frozen   []*knownPart[frozenPart]
	chapters []*knownPart[chapterPart]
	press    press
}

// knownPart is a part that was made before, as it is written. Chapters are one chat's.
type knownPart[T any] struct {
	part T
	chat string
	packedPart
}

func (l *exchangePacker) pack(x interpreter.Exchange) (p packedExchange, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.x = x
	if err := l.packHead(&p); err != nil {
		return p, err
	}
	frozen, err := l.frozenOf(frozenPart{x.Prompt.System, x.Request.Tools, x.Request.Services, x.Prompt.Tools})
	if err != nil {
		return p, err
	}
	p.frozen, p.parts = frozen.hash, append(p.parts, frozen.packedPart)
	body := exchangeBody{Rest: restOf(x), Messages: x.Prompt.Messages, Told: &told{}}
	if err := l.leaveChapter(&p, &body); err != nil {
		return p, err
	}
	if err := l.leaveForm(&p, &body, x); err != nil {
		return p, err
	}
	text, err := json.Marshal(body)
	p.body = l.press.squeeze(text)
	return p, err
}

// packHead makes what a list shows.
func (l *exchangePacker) packHead(p *packedExchange) error {
	x, req := p.x, p.x.Request
	reply := x.Reply
	reply.Text, reply.Thinking, reply.Calls = "", "", nil
	text, err := json.Marshal(exchangeHead{
		Role: req.Role, Turn: req.Turn, Lang: req.Lang, Now: req.Now, Message: brief.Cut(req.Message, headRequest), From: req.From,
		Provider: x.Provider, Reply: reply, Error: x.Error, Problem: x.Problem, Attempt: x.Attempt, ReplayOf: x.ReplayOf, At: x.At,
	})
	p.head = string(text)
	return err
}

// unpackHead gives what a list shows of the request with these names.
func unpackHead(id, chat, job, text string) (interpreter.Exchange, error) {
	var h exchangeHead
	err := json.Unmarshal([]byte(text), &h)
	x := interpreter.Exchange{
		Request:  provider.Request{ID: id, Role: h.Role, Chat: chat, Job: job, Turn: h.Turn, Lang: h.Lang, Now: h.Now, Message: h.Message, From: h.From},
		Provider: h.Provider, Reply: h.Reply, Error: h.Error, Problem: h.Problem, Attempt: h.Attempt, ReplayOf: h.ReplayOf, At: h.At,
	}
	if h.Request != nil {
		x.Request = *h.Request
	}
	return x, err
}

// frozenOf gives the frozen part as it is written. The cards are compared by where they lie: they are made once for many requests.
func (l *exchangePacker) frozenOf(part frozenPart) (*knownPart[frozenPart], error) {
	for _, k := range l.frozen {
		if len(part.Native) == 0 && len(k.part.Native) == 0 && same(k.part.Tools, part.Tools) && same(k.part.Services, part.Services) && k.part.System == part.System {
			return k, nil
		}
	}
	packed, err := l.partOf(part)
	if err != nil {
		return nil, err
	}
	k := &knownPart[frozenPart]{part: part, packedPart: packed}
	l.frozen = append(l.frozen[max(len(l.frozen)-knownFrozen+1, 0):], k)
	return k, nil
}

// same tells whether two lists are one and the same.
func same[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func (l *exchangePacker) partOf(part any) (packedPart, error) {
	text, err := json.Marshal(part)
	if err != nil {
		return packedPart{}, err
	}
	sum := sha256.Sum256(text)
	return packedPart{base64.RawStdEncoding.EncodeToString(sum[:16]), l.press.squeeze(text)}, nil
}

// leaveChapter takes out of a body what the chapter of its chat says, and begins another chapter when that one says too little.
func (l *exchangePacker) leaveChapter(p *packedExchange, body *exchangeBody) error {
	rest, messages := body.Rest, body.Messages
	now := chapterPart{Instructions: rest.Instructions, Summary: rest.Summary, Facts: rest.Facts, Lines: rest.Transcript}
	if (now.Instructions != "" || now.Summary != "" || len(now.Facts) > 0) && len(messages) > 0 && messages[0].Role == "user" {
		now.Opening = messages[0].Text
	}
	k := l.chapterOf(p.x.Request.Chat, now)
	if k == nil {
		packed, err := l.partOf(now)
		if err != nil {
			return err
		}
		now.Facts, now.Lines = slices.Clone(now.Facts), slices.Clone(now.Lines)
		k = &knownPart[chapterPart]{part: now, chat: p.x.Request.Chat, packedPart: packed}
		l.chapters = append(l.chapters[max(len(l.chapters)-knownChapters+1, 0):], k)
	}
	p.chapter, p.parts = k.hash, append(p.parts, k.packedPart)
	t := body.Told
	if now.Opening != "" {
		t.Opening, messages = true, messages[1:]
	}
	if lines := spoken(rest.Transcript); len(messages) >= len(lines) && slices.EqualFunc(messages[:len(lines)], lines, equalMessages) {
		t.Spoken, messages = true, messages[len(lines):]
	}
	t.Lines = common(k.part.Lines, rest.Transcript)
	body.Messages, rest.Instructions, rest.Summary, rest.Facts, rest.Transcript = messages, "", "", nil, rest.Transcript[t.Lines:]
	return nil
}

// chapterOf gives the chapter of a chat that a request goes on with; nil when there is none, or when it says too little of it. It
// becomes the one used last.
func (l *exchangePacker) chapterOf(chat string, now chapterPart) *knownPart[chapterPart] {
	at := slices.IndexFunc(l.chapters, func(k *knownPart[chapterPart]) bool { return k.chat == chat })
	if at < 0 {
		return nil
	}
	k := l.chapters[at]
	l.chapters = slices.Delete(l.chapters, at, at+1)
	if k.part.Instructions != now.Instructions || k.part.Summary != now.Summary || k.part.Opening != now.Opening || !slices.Equal(k.part.Facts, now.Facts) {
		return nil
	}
	more := 0
	for _, line := range now.Lines[common(k.part.Lines, now.Lines):] {
		more += len(line.Text)
	}
	if more > max(smallChapter, len(k.body)/2) {
		return nil
	}
	l.chapters = append(l.chapters, k)
	return k
}

// common counts the lines that two transcripts begin with.
func common(a, b []provider.Turn) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// spoken are the messages that the lines of a transcript become.
func spoken(lines []provider.Turn) []provider.PromptMessage {
	list := make([]provider.PromptMessage, len(lines))
	for i, t := range lines {
		list[i] = provider.PromptMessage{Role: "user", Text: t.Text}
		if t.Speaker == "shop" {
			list[i].Role = "assistant"
		}
	}
	return list
}

func equalMessages(a, b provider.PromptMessage) bool {
	return a.Role == b.Role && a.Text == b.Text && a.CallID == b.CallID && a.Tool == b.Tool && len(a.Calls) == 0 && len(b.Calls) == 0
}

// leaveForm takes the schema out of a body, also where the request's last message repeats it.
func (l *exchangePacker) leaveForm(p *packedExchange, body *exchangeBody, x interpreter.Exchange) error {
	if len(x.Request.Schema) == 0 && len(x.Prompt.Format) == 0 {
		return nil
	}
	part := formPart{Schema: x.Request.Schema, Format: x.Prompt.Format}
	if part.Plain = bytes.Equal(part.Schema, part.Format); part.Plain {
		part.Format = nil
	}
	form, err := l.partOf(part)
	if err != nil {
		return err
	}
	p.form, p.parts = form.hash, append(p.parts, form)
	body.Rest.Schema = nil
	if schema := string(x.Request.Schema); schema != "" && len(body.Messages) > 0 {
		if before, after, ok := strings.Cut(body.Messages[0].Text, schema); ok && before != "" {
			body.Messages = slices.Clone(body.Messages)
			body.Messages[0].Text, body.Told.Schema = before+after, len(before)
		}
	}
	return nil
}

// unpackExchange puts an exchange together of its head and its parts.
func unpackExchange(x interpreter.Exchange, body, frozen, form, chapter []byte) (interpreter.Exchange, error) {
	var b exchangeBody
	var f frozenPart
	if err := unsqueeze(body, &b); err != nil {
		return x, err
	}
	if err := unsqueeze(frozen, &f); err != nil {
		return x, err
	}
	switch {
	case b.Rest != nil:
		b.Rest.onto(&x)
	case b.Exchange != nil:
		x = *b.Exchange
	}
	if b.Told != nil {
		if err := b.recall(&x.Request, form, chapter); err != nil {
			return x, err
		}
	}
	x.Request.Tools, x.Request.Services = f.Tools, f.Services
	x.Prompt = provider.Prompt{System: f.System, Messages: b.Messages, Format: b.Format, Tools: f.Native}
	return x, nil
}

// recall puts back what was left out.
func (b *exchangeBody) recall(req *provider.Request, form, chapter []byte) error {
	var f formPart
	var c chapterPart
	if len(form) > 0 {
		if err := unsqueeze(form, &f); err != nil {
			return err
		}
	}
	if err := unsqueeze(chapter, &c); err != nil {
		return err
	}
	req.Schema, b.Format = f.Schema, f.Format
	if f.Plain {
		b.Format = f.Schema
	}
	req.Instructions, req.Summary, req.Facts = c.Instructions, c.Summary, c.Facts
	if n := min(b.Told.Lines, len(c.Lines)); n > 0 {
		req.Transcript = append(c.Lines[:n:n], req.Transcript...)
	}
	if at := b.Told.Schema; at > 0 && len(b.Messages) > 0 && at <= len(b.Messages[0].Text) {
		text := &b.Messages[0].Text
		*text = (*text)[:at] + string(f.Schema) + (*text)[at:]
	}
	var first []provider.PromptMessage
	if b.Told.Opening {
		first = append(first, provider.PromptMessage{Role: "user", Text: c.Opening})
	}
	if b.Told.Spoken {
		first = append(first, spoken(req.Transcript)...)
	}
	b.Messages = append(first, b.Messages...)
	return nil
}

// smallText is what is not worth compressing.
const smallText = 1 << 9 // bytes

// press is a fast compressor. The zero value is ready; it is not safe for concurrent use.
type press struct{ w *flate.Writer }

// squeeze compresses JSON objects that are worth it. Compressed text never begins with a brace: its first bit says that more
// follows, as Close ends it with a block of its own.
func (p *press) squeeze(text []byte) []byte {
	if len(text) <= smallText {
		return text
	}
	var out bytes.Buffer
	if p.w == nil {
		w, err := flate.NewWriter(&out, flate.BestSpeed)
		if err != nil {
			return text
		}
		p.w = w
	}
	p.w.Reset(&out)
	if _, err := p.w.Write(text); err != nil {
		return text
	}
	if err := p.w.Close(); err != nil {
		return text
	}
	return out.Bytes()
}

func unsqueeze(data []byte, v any) error {
	if len(data) > 0 && data[0] == '{' {
		return json.Unmarshal(data, v)
	}
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}
