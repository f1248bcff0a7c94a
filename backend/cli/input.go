package cli

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/attachment"
	"agentchat/backend/front"
	"agentchat/backend/language/bilingual"
)

// headMost is how much of an input is looked at to see what it is.
const headMost = 4 << 10

// keepInput leaves what is piped in where the shop takes it from. path is "" when nothing came.
func (r *run) keepInput(dataDir string, from io.Reader) (path string, done func(), err error) {
	head := make([]byte, headMost)
	n, err := io.ReadFull(from, head)
	head = head[:n]
	switch {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return "", nil, apperr.Wrap(err, apperr.ToolFailed, "tool", "stdin", "detail", err.Error())
	case n == 0:
		return "", func() {}, nil
	}
	name := r.say("입력", "input") + kindOf(head)
	whole := &bounded{from: io.MultiReader(bytes.NewReader(head), from), left: attachment.MostBytes}
	path, done, err = front.Input(dataDir, name, whole)
	if errors.Is(err, errTooMuch) {
		return "", nil, apperr.New(apperr.AttachmentRefused, "name", name,
			"detail", bilingual.Textf("%dMB보다 커요. 나누어 보내 주세요", "it is larger than %d MB; send it in parts", attachment.MostBytes>>20))
	}
	return path, done, err
}

// kindOf is how a file of such content is called.
func kindOf(head []byte) string {
	for _, k := range []struct{ begins, ends string }{
		{"%PDF-", ".pdf"}, {"\x89PNG\r\n", ".png"}, {"\xff\xd8\xff", ".jpg"}, {"{\\rtf", ".rtf"}, {"II*\x00", ".tiff"}, {"MM\x00*", ".tiff"}, {"BM", ".bmp"},
	} {
		if bytes.HasPrefix(head, []byte(k.begins)) {
			return k.ends
		}
	}
	switch {
	case bytes.HasPrefix(head, []byte("RIFF")) && len(head) > 12 && string(head[8:12]) == "WEBP":
		return ".webp"
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")):
		return ".hwp"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		for _, k := range []struct{ holds, ends string }{
			{"application/hwp+zip", ".hwpx"},
			{"opendocument.text", ".odt"},
			{"opendocument.spreadsheet", ".ods"},
			{"opendocument.presentation", ".odp"},
			{"application/epub+zip", ".epub"},
			{"word/", ".docx"},
			{"xl/", ".xlsx"},
			{"ppt/", ".pptx"},
		} {
			if bytes.Contains(head, []byte(k.holds)) {
				return k.ends
			}
		}
	case looksHTML(head):
		return ".html"
	case !utf8.Valid(trimmed(head)) && bytes.IndexByte(head, 0) >= 0:
		return ""
	}
	return ".txt"
}

func looksHTML(head []byte) bool {
	start := bytes.ToLower(bytes.TrimSpace(head))
	return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html"))
}

// trimmed is a beginning without a letter that was cut at its end.
func trimmed(head []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(head); i++ {
		if utf8.RuneStart(head[len(head)-i]) && !utf8.FullRune(head[len(head)-i:]) {
			return head[:len(head)-i]
		}
	}
	return head
}

var errTooMuch = errors.New("cli: the input is too long")

// bounded reads so much and no more.
type bounded struct {
	from io.Reader
	left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooMuch
	}
	return n, err
}
