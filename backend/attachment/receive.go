package attachment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/privatefile"
	"agentchat/backend/stream"
)

// received is a file that was copied in and has no name of its own yet.
type received struct {
	name  string // as people call it
	path  string // ends as the name does, for readers go by that
	hash  string
	bytes int64
}

// receive copies a content into the folder, to be looked at there: what it was copied from may change or vanish meanwhile.
func (r *Room) receive(name string, from io.Reader) (in received, err error) {
	if err := os.MkdirAll(r.deps.Dir, 0o700); err != nil {
		return in, apperr.Wrap(err, apperr.StorageFailed)
	}
	tmp, err := os.CreateTemp(r.deps.Dir, "in-*"+strings.ToLower(filepath.Ext(name))) // created 0600
	if err != nil {
		return in, apperr.Wrap(err, apperr.StorageFailed)
	}
	defer func() {
		if err != nil {
			_ = tmp.Close()
			_ = os.Remove(tmp.Name())
		}
	}()
	sum := sha256.New()
	reader := &stream.Source{From: io.LimitReader(from, MostBytes+1)}
	n, err := io.Copy(io.MultiWriter(tmp, sum), reader)
	switch {
	case reader.Err != nil:
		return in, unopened(name, reader.Err)
	case err != nil:
		return in, apperr.Wrap(err, apperr.StorageFailed)
	case n > MostBytes:
		return in, tooLarge(name)
	case n == 0:
		return in, refuse(name, nil, "빈 파일이에요. 내용이 있는 파일을 골라 주세요", "it is empty; choose one that holds something")
	}
	if err := errors.Join(tmp.Sync(), tmp.Close()); err != nil {
		return in, apperr.Wrap(err, apperr.StorageFailed)
	}
	return received{name, tmp.Name(), hex.EncodeToString(sum.Sum(nil)), n}, nil
}

// look finds out what was received: a picture by its content, a text by its name. A picture may hold text, too.
func (r *Room) look(ctx context.Context, in received) (a event.Attachment, err error) {
	a = event.Attachment{ID: in.hash, Kind: event.AttachmentText, Bytes: in.bytes}
	format, picture := pictureFormat(in.path)
	if picture {
		a.Kind, a.Format = event.AttachmentImage, format
		if a.Width, a.Height, err = r.view(in); err != nil {
			return a, err
		}
	}
	if !r.deps.Reads(in.path) {
		if picture {
			return a, nil
		}
		if kind := strings.TrimPrefix(filepath.Ext(in.path), "."); kind == "heic" || kind == "heif" || kind == "avif" {
			return a, refuse(in.name, nil, "이 그림 형식은 읽을 수 없어요. JPEG나 PNG로 저장한 다음 첨부해 주세요", "pictures of this format cannot be read; save it as JPEG or PNG and attach that")
		}
	}
	if !picture && slices.Contains(PictureEndings, filepath.Ext(in.path)) {
		return a, brokenPicture(in.name, nil)
	}
	d, err := r.deps.Shelf.Attach(ctx, in.path, in.name, in.hash, in.bytes)
	switch code := apperr.CodeOf(err); {
	case err == nil:
	case code == apperr.DocumentRefused && picture: // without text in it
		return a, nil
	case code == apperr.DocumentRefused:
		refusal := apperr.From(err)
		return a, apperr.Wrap(err, apperr.AttachmentRefused, "name", in.name, "detail", refusal.Fields["detail"])
	default:
		return a, err
	}
	if !picture {
		a.Format, a.Pages = d.Format, d.Pages
	}
	return a, nil
}

// settle gives a content its place. One that is there already has the same bytes.
func settle(from, to string) error {
	if info, err := os.Stat(to); err == nil && info.Mode().IsRegular() {
		return nil
	}
	return privatefile.Settle(from, to)
}

// longName is how many characters of a name are kept.
const longName = 120

// tidy is a name as it is shown and kept: no path, nothing that hides or turns what stands around it.
func tidy(name string) string {
	name = filepath.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			return -1
		}
		return r
	}, name)
	if name = strings.TrimSpace(name); name == "" || name == "." || name == "/" {
		name = "file"
	}
	if n := utf8.RuneCountInString(name); n > longName { // its ending says what it is
		runes, ending := []rune(name), []rune(filepath.Ext(name))
		if len(ending) > 12 {
			ending = nil
		}
		name = string(runes[:longName-1-len(ending)]) + "…" + string(ending)
	}
	return name
}

// refuse says why a file is not taken, and what to do.
func refuse(name string, cause error, ko, en string) error {
	return apperr.Wrap(cause, apperr.AttachmentRefused, "name", tidy(name), "detail", bilingual.Of(ko, en))
}

func tooLarge(name string) error {
	return refuse(name, nil, "100MB보다 커요. 나누어 첨부하거나 도서관에 넣어 주세요", "it is larger than 100 MB; attach it in parts, or put it into the library")
}

func unopened(name string, cause error) error {
	switch {
	case errors.Is(cause, fs.ErrPermission):
		return refuse(name, cause, "이 컴퓨터의 권한 때문에 열 수 없어요. 파일의 권한을 확인한 다음 다시 첨부해 주세요", "this computer does not let it be opened; check its permissions and attach it again")
	case errors.Is(cause, fs.ErrNotExist):
		return refuse(name, cause, "파일이 그 자리에 없어요. 옮겼거나 지웠다면 있는 곳에서 다시 골라 주세요", "it is not there; if it was moved, choose it where it is now")
	}
	return refuse(name, cause, "파일을 끝까지 읽지 못했어요. 파일이 있는 곳을 확인한 다음 다시 첨부해 주세요", "it could not be read to its end; check the place where it lies and attach it again")
}
