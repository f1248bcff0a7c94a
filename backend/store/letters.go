package store

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/interpreter"
	"agentchat/backend/provider"
)

// How many letters are kept: the newest, as long as they are not too large together.
const (
	LettersKept = 1000
	LetterBytes = 32 << 20
)

// headRequest is how many characters of a request a list shows.
const headRequest = 200

// letterPart is what letters have in common. It is most of a letter and kept once.
type letterPart struct {
	System   string                 `json:"system"`
	Tools    []provider.ToolCard    `json:"tools,omitempty"`
	Services []provider.ServiceCard `json:"services,omitempty"`
	Native   []provider.PromptTool  `json:"native,omitempty"`
}

// letterBody is the rest of an exchange.
type letterBody struct {
	Exchange interpreter.Exchange     `json:"exchange"`
	Messages []provider.PromptMessage `json:"messages"`
	Format   json.RawMessage          `json:"format,omitempty"`
}

// packedLetter is an exchange as it is written.
type packedLetter struct {
	x            interpreter.Exchange
	head, hash   string
	frozen, body []byte
}

// AddLetters keeps exchanges, oldest first, and lets go of the oldest beyond LettersKept and LetterBytes.
func (s *Store) AddLetters(ctx context.Context, list []interpreter.Exchange) error {
	packed := make([]packedLetter, len(list))
	for i, x := range list {
		var err error
		if packed[i], err = packLetter(x); err != nil {
			return apperr.Wrap(err, apperr.StorageFailed)
		}
	}
	return s.tx(ctx, false, func(w *work) error {
		for _, p := range packed {
			if _, err := w.exec(`INSERT INTO letter_parts (hash, body) VALUES (?,?) ON CONFLICT DO NOTHING`, p.hash, p.frozen); err != nil {
				return err
			}
			if _, err := w.exec(`INSERT INTO letters (id, chat, job, size, at, head, frozen, body) VALUES (?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
				p.x.Letter.ID, p.x.Letter.Chat, p.x.Letter.Job, len(p.body), micros(p.x.At), p.head, p.hash, p.body); err != nil {
				return err
			}
		}
		return w.trimLetters(LettersKept, LetterBytes)
	})
}

func (w *work) trimLetters(most, size int) error {
	old, err := w.exec(`DELETE FROM letters WHERE n < (SELECT n FROM letters ORDER BY n DESC LIMIT 1 OFFSET ?)`, most-1)
	if err != nil {
		return err
	}
	large, err := w.exec(`DELETE FROM letters WHERE n <= (SELECT n FROM
		(SELECT n, SUM(size) OVER (ORDER BY n DESC) AS total FROM letters) WHERE total > ? ORDER BY n DESC LIMIT 1)`, size)
	if err != nil {
		return err
	}
	if n, err := old.RowsAffected(); err == nil && n == 0 {
		if n, err = large.RowsAffected(); err == nil && n == 0 {
			return nil
		}
	}
	return w.dropParts()
}

func (w *work) dropParts() error {
	_, err := w.exec(`DELETE FROM letter_parts WHERE hash NOT IN (SELECT frozen FROM letters)`)
	return err
}

// forgetLetters lets go of the letters of a chat.
func (w *work) forgetLetters(chat string) error {
	if _, err := w.exec(`DELETE FROM letters WHERE chat=?`, chat); err != nil {
		return err
	}
	return w.dropParts()
}

const lettersOf = ` WHERE (?1='' OR chat=?1) AND (?2='' OR job=?2) ORDER BY n DESC LIMIT ?3`

// LetterHeads lists the newest exchanges of a chat and a job ("" for all), newest first: without what was sent and said,
// and with the beginning of the request.
func (s *Store) LetterHeads(ctx context.Context, chat, job string, limit int) ([]interpreter.Exchange, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT head FROM letters`+lettersOf, chat, job, lettersLimit(limit))
	if err != nil {
		return nil, storageError(err)
	}
	defer func() { _ = rows.Close() }()
	list := []interpreter.Exchange{}
	for rows.Next() {
		var head string
		var x interpreter.Exchange
		if err := rows.Scan(&head); err != nil {
			return nil, storageError(err)
		}
		if err := json.Unmarshal([]byte(head), &x); err != nil {
			return nil, storageError(err)
		}
		list = append(list, x)
	}
	return list, storageError(rows.Err())
}

// Letters gives the newest exchanges of a chat and a job ("" for all) whole, newest first.
func (s *Store) Letters(ctx context.Context, chat, job string, limit int) ([]interpreter.Exchange, error) {
	return s.letters(ctx, lettersOf, chat, job, lettersLimit(limit))
}

// Letter gives one exchange whole; not_found when there is none, or none any more.
func (s *Store) Letter(ctx context.Context, id string) (interpreter.Exchange, error) {
	list, err := s.letters(ctx, ` WHERE id=?`, id)
	if err != nil {
		return interpreter.Exchange{}, err
	}
	if len(list) == 0 {
		return interpreter.Exchange{}, notFound("letter", id)
	}
	return list[0], nil
}

func (s *Store) letters(ctx context.Context, where string, args ...any) ([]interpreter.Exchange, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT body, (SELECT body FROM letter_parts WHERE hash=frozen) FROM letters`+where, args...)
	if err != nil {
		return nil, storageError(err)
	}
	defer func() { _ = rows.Close() }()
	list := []interpreter.Exchange{}
	for rows.Next() {
		var body, frozen []byte
		if err := rows.Scan(&body, &frozen); err != nil {
			return nil, storageError(err)
		}
		x, err := unpackLetter(body, frozen)
		if err != nil {
			return nil, storageError(err)
		}
		list = append(list, x)
	}
	return list, storageError(rows.Err())
}

func lettersLimit(limit int) int {
	if limit <= 0 || limit > LettersKept {
		return 200
	}
	return limit
}

func packLetter(x interpreter.Exchange) (p packedLetter, err error) {
	p.x = x
	part := letterPart{x.Prompt.System, x.Letter.Tools, x.Letter.Services, x.Prompt.Tools}
	x.Letter.Tools, x.Letter.Services = nil, nil
	text, err := json.Marshal(part)
	if err != nil {
		return p, err
	}
	sum := sha256.Sum256(text)
	p.hash = hex.EncodeToString(sum[:])
	if p.frozen, err = deflate(text); err != nil {
		return p, err
	}
	if text, err = json.Marshal(letterBody{x, x.Prompt.Messages, x.Prompt.Format}); err != nil {
		return p, err
	}
	if p.body, err = deflate(text); err != nil {
		return p, err
	}
	l := x.Letter
	x.Letter = provider.Letter{ID: l.ID, Role: l.Role, Chat: l.Chat, Job: l.Job, Lang: l.Lang, Now: l.Now, Request: cut(l.Request, headRequest)}
	x.Reply.Text, x.Reply.Thinking, x.Reply.Calls = "", "", nil
	text, err = json.Marshal(x)
	p.head = string(text)
	return p, err
}

func unpackLetter(body, frozen []byte) (interpreter.Exchange, error) {
	var b letterBody
	var part letterPart
	if err := inflate(body, &b); err != nil {
		return b.Exchange, err
	}
	if err := inflate(frozen, &part); err != nil {
		return b.Exchange, err
	}
	x := b.Exchange
	x.Letter.Tools, x.Letter.Services = part.Tools, part.Services
	x.Prompt = provider.Prompt{System: part.System, Messages: b.Messages, Format: b.Format, Tools: part.Native}
	return x, nil
}

// cut gives the beginning of a text, in whole characters.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}

func deflate(text []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

func inflate(data []byte, v any) error {
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}
