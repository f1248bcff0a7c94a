package extract

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"os"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/korean"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/structure"
)

// What a mail may be.
const (
	maxMailDepth = 12
	maxMailParts = 1000
)

// mailHeads are the lines of a mail's head that are read.
var mailHeads = []string{"From", "To", "Cc", "Date", "Subject"}

// readMail reads a mail (RFC 5322 and MIME): its head, its text, and what is attached to it by name. Of a text that comes both plain
// and as a page the plain one is read. Nothing it links to is fetched.
func (e *Extractor) readMail(ctx context.Context, file string) (Text, error) {
	f, err := os.Open(file)
	if err != nil {
		return Text{}, err
	}
	defer func() { _ = f.Close() }()
	m := mailReader{e: e, ctx: ctx, left: e.limits.TextBytes}
	err = m.message(io.LimitReader(f, e.limits.FileBytes), 0)
	if err == nil && len(m.files) > 0 {
		err = m.page("📎 "+strings.Join(m.files, ", "), strings.Join(m.files, "\n"))
	}
	return Text{Title: m.subject, Pages: m.pages, Marks: m.marks}, err
}

type mailReader struct {
	e       *Extractor
	ctx     context.Context //nolint:containedctx // of one reading
	left    int             // bytes of text
	parts   int
	subject string
	pages   []string
	marks   []structure.Mark
	files   []string
}

// page adds a part of the mail, under its name.
func (m *mailReader) page(name, text string) error {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if text == "" {
		return nil
	}
	if m.left -= len(text); m.left < 0 {
		return errText
	}
	m.marks = append(m.marks, structure.Mark{Page: len(m.pages), Title: short(name)})
	m.pages = append(m.pages, text)
	return nil
}

// message reads a mail, or one that lies in another.
func (m *mailReader) message(raw io.Reader, depth int) error {
	msg, err := mail.ReadMessage(raw)
	if err != nil {
		return err
	}
	head, known := "", 0
	for _, name := range mailHeads {
		if v := msg.Header.Get(name); v != "" {
			known++
			head += name + ": " + oneLine(headText(v)) + "\n"
		}
	}
	if known == 0 {
		return errors.New("it has no head")
	}
	subject := oneLine(headText(msg.Header.Get("Subject")))
	if depth == 0 {
		m.subject = subject
	}
	if err := m.page(cmp.Or(subject, "From: "+headText(msg.Header.Get("From"))), head); err != nil {
		return err
	}
	return m.part(textproto.MIMEHeader(msg.Header), msg.Body, depth)
}

// part reads one part of a mail: text, parts in it, a mail in it, or the name of what is attached.
func (m *mailReader) part(head textproto.MIMEHeader, body io.Reader, depth int) error {
	if m.parts++; m.parts > maxMailParts || depth > maxMailDepth {
		return errMailParts
	}
	if m.ctx.Err() != nil {
		return m.ctx.Err()
	}
	kind, params, err := mime.ParseMediaType(cmp.Or(head.Get("Content-Type"), "text/plain"))
	if kind == "" || err != nil && kind == "" {
		kind = "text/plain"
	}
	place, placed, _ := mime.ParseMediaType(head.Get("Content-Disposition"))
	name := cmp.Or(placed["filename"], params["name"])
	switch {
	case strings.HasPrefix(kind, "multipart/") && params["boundary"] != "":
		return m.several(kind, multipart.NewReader(unpacked(head, body), params["boundary"]), depth)
	case kind == "message/rfc822" && depth < maxMailDepth:
		return m.message(unpacked(head, body), depth+1)
	case place == "attachment" || name != "" || !strings.HasPrefix(kind, "text/"):
		size, err := io.Copy(io.Discard, unpacked(head, body))
		if err != nil {
			size = 0
		}
		m.files = append(m.files, oneLine(headText(cmp.Or(name, kind)))+" ("+kilobytes(size)+")")
		return nil
	}
	raw, err := io.ReadAll(io.LimitReader(unpacked(head, body), m.e.textBytes()+1))
	switch {
	case int64(len(raw)) > m.e.textBytes():
		return errText
	case err != nil && len(raw) == 0:
		return err
	}
	var text string
	if kind == "text/html" {
		text, err = m.words(raw, params["charset"])
	} else {
		text, err = mailText(raw, params["charset"])
	}
	if err != nil {
		return err
	}
	return m.page(cmp.Or(strings.TrimSpace(firstLine(text)), kind), text)
}

// words reads a text that is a page.
func (m *mailReader) words(raw []byte, label string) (string, error) {
	text, err := mailText(raw, label)
	if label == "" {
		text, err = markupText(raw)
	}
	if err != nil {
		return "", err
	}
	page, err := m.e.wordsOf(m.ctx, text)
	return squeeze(page.words.String()), err
}

var errMailParts = bilingual.WrongOf("메일의 부분이 너무 많거나 너무 깊이 들어 있어요", "the mail has too many parts, or parts too deep in each other")

// several reads the parts of a part. Of ways to say the same the first that says something is read, for the plainest comes first.
func (m *mailReader) several(kind string, parts *multipart.Reader, depth int) error {
	before := len(m.pages)
	for n := 0; ; n++ {
		p, err := parts.NextRawPart()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && n > 0:
			return nil //nolint:nilerr // the mail was cut off; what came before is there
		case err != nil:
			return err
		}
		if kind == "multipart/alternative" && len(m.pages) > before && strings.HasPrefix(strings.ToLower(p.Header.Get("Content-Type")), "text/") {
			if m.parts++; m.parts > maxMailParts {
				return errMailParts
			}
			continue
		}
		if err := m.part(p.Header, p, depth+1); err != nil {
			return err
		}
	}
}

// unpacked undoes how a part was packed for its way.
func unpacked(head textproto.MIMEHeader, body io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(head.Get("Content-Transfer-Encoding"))) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	}
	return body
}

var headWords = mime.WordDecoder{CharsetReader: func(label string, from io.Reader) (io.Reader, error) {
	raw, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	text, err := mailText(raw, label)
	return strings.NewReader(text), err
}}

// headText reads a line of the head: its encoded words, or the bytes that programs of old wrote.
func headText(v string) string {
	if text, err := headWords.DecodeHeader(v); err == nil {
		v = text
	}
	if text, err := decode([]byte(v), ""); err == nil {
		v = text
	}
	return v
}

// mailText decodes text by the label that came with it; what is none of that is read as files are.
func mailText(raw []byte, label string) (string, error) {
	switch label = strings.ToLower(label); label {
	case "iso-2022-kr":
		return shifted(raw)
	case "iso-2022-jp":
		if enc, _ := charset.Lookup(label); enc != nil {
			text, err := enc.NewDecoder().Bytes(raw)
			return string(text), err
		}
	case "ks_c_5601-1987", "ks_c_5601", "cp949", "ms949", "uhc":
		label = "euc-kr"
	}
	return decode(raw, label)
}

// shifted reads ISO-2022-KR (RFC 1557): between SO and SI two bytes are a letter, as in EUC-KR without the high bits.
func shifted(raw []byte) (string, error) {
	out := make([]byte, 0, len(raw))
	in := false
	raw = bytes.TrimPrefix(raw, []byte("\x1b$)C"))
	for _, c := range raw {
		switch {
		case c == 0x0E, c == 0x0F:
			in = c == 0x0E
			continue
		case c == '\n':
			in = false
		case in && c > ' ':
			c |= 0x80
		}
		out = append(out, c)
	}
	text, err := korean.EUCKR.NewDecoder().Bytes(out)
	return string(text), err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// kilobytes says how large something is.
func kilobytes(n int64) string {
	if n >= 1<<20 {
		return decimal(float64(n*10>>20)/10) + " MB"
	}
	return decimal(float64((n+1023)>>10)) + " KB"
}
