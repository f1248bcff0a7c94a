package shop

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/export"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
)

// zipped is the format of a conversation with all that hangs on it: as Markdown for people, as JSON for programs, and the files that were attached.
const zipped = "zip"

// nameRunes is how much of a title stands in a file's name.
const nameRunes = 60

// chatsOf are the conversation that is named, or all of them. Errors: not_found, storage errors.
func (s *Shop) chatsOf(ctx context.Context, of Takeaway) ([]manager.Chat, error) {
	chats, err := s.store.Chats(ctx)
	if err != nil || of.Chat == "" {
		return chats, err
	}
	at := slices.IndexFunc(chats, func(c manager.Chat) bool { return c.ID == of.Chat })
	if at < 0 {
		return nil, apperr.New(apperr.NotFound, "what", "chat", "id", of.Chat)
	}
	return chats[at : at+1], nil
}

// exportZip writes a conversation, or all of them, into one zip, whole or not at all. Errors: not_found, nothing_to_export, storage errors.
func (s *Shop) exportZip(ctx context.Context, of Takeaway, to string) error {
	taken, err := s.chatsOf(ctx, of)
	if err != nil {
		return err
	}
	z := &zipping{Shop: s, ctx: ctx, attached: map[string]string{}}
	return writeWhole(to, func(file io.Writer) error {
		z.out = zip.NewWriter(file)
		for n, c := range taken {
			if err := z.chat(n, c); err != nil {
				return err
			}
		}
		if z.written == 0 {
			return nothingSaid()
		}
		return z.out.Close()
	})
}

func nothingSaid() error {
	return apperr.New(apperr.NothingToExport, "what", bilingual.Of("대화", "conversation"))
}

type zipping struct {
	*Shop
	ctx      context.Context //nolint:containedctx // it lives as long as one zip
	out      *zip.Writer
	attached map[string]string // by id, what a file is called in the zip
	written  int
}

// chat writes one conversation; an empty one is left out.
func (z *zipping) chat(n int, c manager.Chat) error {
	taken, err := z.takenChat(z.ctx, c)
	if err != nil {
		return err
	}
	if len(taken.Messages) == 0 {
		return nil
	}
	z.written++
	d, err := z.takeaway.Blind().Chat(z.ctx, c.ID, "")
	if err != nil {
		return err
	}
	as, err := export.FormatOf("md")
	if err != nil {
		return err
	}
	text, err := as.Bytes(d)
	if err != nil {
		return err
	}
	taken.Files = map[string]string{}
	for _, a := range taken.attached() {
		if err := z.attach(a); err != nil {
			return err
		}
		if at := z.attached[a.ID]; at != "" {
			taken.Files[a.ID] = at
		}
	}
	data, err := json.MarshalIndent(taken, "", "  ")
	if err != nil {
		return err
	}
	name := fmt.Sprintf("chats/%03d %s", n+1, inZip(d.Title))
	if err := z.put(name+".md", bytes.NewReader(text)); err != nil {
		return err
	}
	return z.put(name+".json", bytes.NewReader(data))
}

// attach writes a file once. One that is gone is left out: its name stands in the conversation.
func (z *zipping) attach(a event.Attachment) error {
	if z.attached[a.ID] != "" {
		return nil
	}
	in, err := z.attachments.Content(a.ID)
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	defer func() { _ = in.Close() }()
	z.attached[a.ID] = path.Join("attachments", a.ID[:min(8, len(a.ID))]+" "+inZip(a.Name))
	return z.put(z.attached[a.ID], in)
}

func (z *zipping) put(name string, from io.Reader) error {
	if err := z.ctx.Err(); err != nil {
		return err
	}
	out, err := z.out.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Now()})
	if err != nil {
		return err
	}
	_, err = io.Copy(out, from)
	return err
}

// inZip is a title as a part of a file's name on every system.
func inZip(title string) string {
	name := strings.Map(func(c rune) rune {
		if strings.ContainsRune(`<>:"/\|?*`, c) || unicode.IsControl(c) {
			return ' '
		}
		return c
	}, title)
	name = strings.Join(strings.Fields(name), " ")
	if letters := []rune(name); len(letters) > nameRunes {
		ending := path.Ext(name)
		name = string(letters[:nameRunes-min(len([]rune(ending)), 10)]) + ending
	}
	return strings.Trim(name, ". ")
}
