package attachment_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/attachment"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/library/extract"
	"agentchat/backend/manager"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
)

// desk is a room of attachments over a real ledger, whose clock the test moves.
type desk struct {
	*attachment.Room
	t       *testing.T
	dir     string // of the contents
	store   *store.Store
	library *library.Library
	reads   atomic.Int64 // files whose text was read
	ids     atomic.Int64
	oldest  time.Time // of the backups

	mu  sync.Mutex
	now time.Time
}

func open(t *testing.T) *desk {
	t.Helper()
	data := t.TempDir()
	d := &desk{t: t, dir: filepath.Join(data, attachment.Folder), now: time.Now()}
	var err error
	if d.store, err = store.Open(t.Context(), ledgertest.In(data), d.clock); err != nil {
		t.Fatal(err)
	}
	bus := event.NewBus(0, time.Now)
	x := extract.New(extract.Limits{}, "")
	d.library = library.New(library.Deps{
		Store: d.store, Publisher: bus, Lang: func() bilingual.Lang { return bilingual.KO }, Now: d.clock, Log: zerolog.Nop(),
		NewID:   func() string { return fmt.Sprintf("d%d", d.ids.Add(1)) },
		Extract: x.ReadSoon,
		Recognise: func(ctx context.Context, path string) (extract.Text, error) {
			d.reads.Add(1)
			return x.Read(ctx, path)
		},
	})
	d.Room = attachment.New(attachment.Deps{
		Dir: d.dir, Store: d.store, Shelf: d.library, Reads: extract.Known, Now: d.clock, Log: zerolog.Nop(),
		Backups: func(context.Context) (time.Time, error) { return d.oldest, nil },
	})
	t.Cleanup(func() {
		d.library.Stop()
		bus.Close()
		if err := d.store.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func (d *desk) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *desk) pass(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(by)
}

func (d *desk) file(name string, data []byte) string {
	d.t.Helper()
	path := filepath.Join(d.t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		d.t.Fatal(err)
	}
	return path
}

func (d *desk) attach(path string) event.Attachment {
	d.t.Helper()
	a, err := d.Attach(d.t.Context(), path)
	if err != nil {
		d.t.Fatal(err)
	}
	return a
}

// say keeps a message that comes with attachments.
func (d *desk) say(chat, id string, list ...event.Attachment) {
	d.t.Helper()
	msg := event.ChatMessage{ID: id, Role: event.RoleCustomer, Text: "보세요", Attachments: list}
	if _, err := d.store.AddTurn(d.t.Context(), manager.Turn{ID: id, Chat: chat, Attachments: list}, msg, "보세요"); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) sweep() {
	d.t.Helper()
	if err := d.Sweep(d.t.Context(), d.clock().Add(-manager.ChatTrashFor)); err != nil {
		d.t.Fatal(err)
	}
}

// files are the names in the folder of contents.
func (d *desk) files() (names []string) {
	d.t.Helper()
	entries, err := os.ReadDir(d.dir)
	if err != nil && !os.IsNotExist(err) {
		d.t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func (d *desk) documents(list ...event.Attachment) int {
	d.t.Helper()
	documents, err := d.Documents(d.t.Context(), list)
	if err != nil {
		d.t.Fatal(err)
	}
	return len(documents)
}

// The same content lies once, under its hash, for its owner alone, by whatever names and however many hand it in at once; its text is in
// no list and found by those alone who name it.
func TestAContentLiesOnce(t *testing.T) {
	d := open(t)
	paths := []string{d.file("정산.md", []byte("# 정산\n\n숙박비는 8만원이다.\n")), d.file("copy.md", []byte("# 정산\n\n숙박비는 8만원이다.\n")), d.file("other.txt", []byte("마감은 3월이다."))}
	var all sync.WaitGroup
	got := make([]event.Attachment, 12)
	for i := range got {
		all.Go(func() {
			a, err := d.Attach(t.Context(), paths[i%3])
			if err != nil {
				t.Error(err)
			}
			got[i] = a
		})
	}
	all.Wait()
	if got[0].ID != got[1].ID || got[0].Name != "정산.md" || got[1].Name != "copy.md" || got[0].ID == got[2].ID || got[0].Kind != event.AttachmentText || got[0].Format != "md" {
		t.Errorf("%+v", got[:3])
	}
	names := d.files()
	want := []string{got[0].ID, got[2].ID}
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("the folder holds %v", names)
	}
	if n := d.reads.Load(); n != 2 {
		t.Errorf("%d files were read", n)
	}
	if count, size, err := d.Use(t.Context()); err != nil || count != 2 || size != got[0].Bytes+got[2].Bytes {
		t.Errorf("%d contents, %d bytes, %v", count, size, err)
	}
	if runtime.GOOS != "windows" {
		for path, mode := range map[string]fs.FileMode{d.dir: 0o700, filepath.Join(d.dir, names[0]): 0o600} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
	}
	if list, err := d.library.Documents(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("the library lists %+v, %v", list, err)
	}
	for document, found := range map[string]int{"": 0, "named": 1} {
		if document != "" {
			held, ok, err := d.library.Attached(t.Context(), got[0].ID)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			document = held.ID
		}
		r, err := d.library.Search(t.Context(), library.Query{Text: "숙박비", Document: document})
		if err != nil || len(r.Hits) != found {
			t.Errorf("in %q: %d hits, %v", document, len(r.Hits), err)
		}
	}
}

// What cannot be taken is refused with a sentence in both languages that says what to do, and leaves nothing.
func TestRefusals(t *testing.T) {
	d := open(t)
	huge := d.file("huge.txt", []byte("x"))
	if err := os.Truncate(huge, attachment.MostBytes+1); err != nil {
		t.Fatal(err)
	}
	wide := new(bytes.Buffer)
	if err := png.Encode(wide, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	binary.BigEndian.PutUint32(wide.Bytes()[16:], 60000) // its header says so; nobody may believe it and take the room
	binary.BigEndian.PutUint32(wide.Bytes()[20:], 60000)
	binary.BigEndian.PutUint32(wide.Bytes()[29:], crc32.ChecksumIEEE(wide.Bytes()[12:29]))
	half := picture(t, 200, 200)
	cases := map[string]string{ // by path: what the English sentence says
		filepath.Join(t.TempDir(), "gone.txt"):   "choose it where it is now",
		t.TempDir():                              "the library page",
		huge:                                     "larger than 100 MB",
		d.file("empty.txt", nil):                 "empty",
		d.file("tool.bin", []byte{1, 2, 3}):      "cannot be read",
		d.file("photo.heic", []byte("ftypheic")): "JPEG or PNG",
		d.file("cut.jpg", half[:len(half)/2]):    "broken or not whole",
		d.file("no.png", []byte("no picture")):   "broken or not whole",
		d.file("wide.png", wide.Bytes()):         "megapixels",
		d.file("locked.docx", []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1locked")): "password",
	}
	if os.Geteuid() != 0 && runtime.GOOS != "windows" {
		shut := d.file("shut.txt", []byte("x"))
		if err := os.Chmod(shut, 0); err != nil {
			t.Fatal(err)
		}
		cases[shut] = "permissions"
	}
	for path, says := range cases {
		a, err := d.Attach(t.Context(), path)
		e := apperr.From(err)
		if err == nil || e.Code != apperr.AttachmentRefused || !strings.Contains(e.Text(bilingual.EN), says) || !strings.Contains(e.Text(bilingual.KO), filepath.Base(path)) {
			t.Errorf("%s: %+v, %v", filepath.Base(path), a, err)
		}
	}
	if names := d.files(); len(names) != 0 {
		t.Errorf("left: %v", names)
	}
	if count, _, err := d.Use(t.Context()); err != nil || count != 0 {
		t.Errorf("%d contents, %v", count, err)
	}
	many := make([]event.Attachment, attachment.MostFiles+1)
	if _, err := d.Take(t.Context(), many); apperr.CodeOf(err) != apperr.TooManyAttachments {
		t.Errorf("too many: %v", err)
	}
	for _, id := range []string{"", strings.Repeat("a", 64), "../agentchat.db"} {
		if _, err := d.Take(t.Context(), []event.Attachment{{ID: id, Name: "x"}}); apperr.CodeOf(err) != apperr.AttachmentGone {
			t.Errorf("%q is taken: %v", id, err)
		}
		if _, err := d.Picture(t.Context(), id); apperr.CodeOf(err) != apperr.AttachmentGone {
			t.Errorf("%q is shown: %v", id, err)
		}
	}
}

// A name is shown and kept as a name: without a path, and without what hides or turns the words around it.
func TestNames(t *testing.T) {
	d := open(t)
	for name, want := range map[string]string{
		"/etc/../정산.md": "정산.md", `C:\Users\me\a.txt`: "a.txt", "a\u202Etxt.exe.md": "atxt.exe.md", "line\nbreak\x00.md": "linebreak.md",
		strings.Repeat("가", 300) + ".txt": strings.Repeat("가", 115) + "….txt",
	} {
		a, err := d.AttachFrom(t.Context(), name, strings.NewReader("글 "+name))
		if err != nil || a.Name != want {
			t.Errorf("%q is %q, %v", name, a.Name, err)
		}
	}
}

// picture is a JPEG whose left half is red and whose right half is blue.
func picture(t *testing.T, width, height int) []byte {
	t.Helper()
	p := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(p, p.Rect, image.NewUniform(color.RGBA{200, 20, 20, 255}), image.Point{}, draw.Src)
	draw.Draw(p, image.Rect(width/2, 0, width, height), image.NewUniform(color.RGBA{20, 20, 200, 255}), image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, p, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// withEXIF says of a JPEG how it was held and where it was taken.
func withEXIF(data []byte, orientation uint16) []byte {
	tiff := []byte("II*\x00\x08\x00\x00\x00\x01\x00")
	tiff = binary.LittleEndian.AppendUint16(tiff, 0x0112)
	tiff = binary.LittleEndian.AppendUint16(tiff, 3)
	tiff = binary.LittleEndian.AppendUint32(tiff, 1)
	tiff = binary.LittleEndian.AppendUint32(tiff, uint32(orientation))
	block := append([]byte("Exif\x00\x00"), tiff...)
	block = append(block, "GPS 37.5665N 126.9780E"...)
	head := []byte{0xFF, 0xD8, 0xFF, 0xE1}
	head = binary.BigEndian.AppendUint16(head, uint16(len(block)+2))
	return slices.Concat(head, block, data[2:])
}

// A picture is shown and sent upright, small, and without what its file tells of the place and the camera; its own bytes stay as they are.
func TestPictures(t *testing.T) {
	d := open(t)
	raw := withEXIF(picture(t, 3200, 1600), 6) // held sideways: its left is on top
	path := d.file("receipt.JPG", raw)
	a := d.attach(path)
	if a.Kind != event.AttachmentImage || a.Format != "jpeg" || a.Width != 1600 || a.Height != 3200 {
		t.Errorf("%+v", a)
	}
	kept, err := os.ReadFile(filepath.Join(d.dir, a.ID))
	if err != nil || !bytes.Equal(kept, raw) {
		t.Errorf("its own bytes changed: %v", err)
	}
	check := func(data []byte, err error, most int) {
		t.Helper()
		if err != nil || bytes.Contains(data, []byte("Exif")) || bytes.Contains(data, []byte("GPS")) {
			t.Fatalf("%v, or it tells where it was taken", err)
		}
		p, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil || p.Bounds().Dx() != most/2 || p.Bounds().Dy() != most {
			t.Fatalf("%v, %v", p.Bounds(), err)
		}
		top, _, _, _ := p.At(most/4, most/8).RGBA()
		bottom, _, _, _ := p.At(most/4, most*7/8).RGBA()
		if top < 0x8000 || bottom > 0x8000 {
			t.Errorf("it is not upright: %x over %x", top, bottom)
		}
	}
	data, err := d.Picture(t.Context(), a.ID)
	check(data, err, 1568)
	data, err = d.Thumbnail(t.Context(), a.ID, 320)
	check(data, err, 320)
	if err := os.Remove(filepath.Join(d.dir, a.ID+".view")); err != nil {
		t.Fatal(err)
	}
	data, err = d.Picture(t.Context(), a.ID)
	check(data, err, 1568)
	if d.documents(a) != 0 {
		t.Error("a picture without text has a document")
	}
	if _, err := d.Keep(t.Context(), a.ID, a.Name); apperr.CodeOf(err) != apperr.AttachmentRefused {
		t.Errorf("the library keeps a picture: %v", err)
	}
	for orientation := uint16(0); orientation < 10; orientation++ {
		a := d.attach(d.file("p.jpg", withEXIF(picture(t, 40, 20), orientation)))
		if turned := orientation >= 5 && orientation <= 8; turned != (a.Width == 20) {
			t.Errorf("orientation %d: %d×%d", orientation, a.Width, a.Height)
		}
	}
}

// An attachment is there as long as its message could be seen again, and goes with its chat; what no message came with goes in time, and a
// file not before the last backup that names it. What is kept in the library stays there.
func TestAttachmentsGoWithTheirChat(t *testing.T) {
	d := open(t)
	shared, own := d.attach(d.file("shared.md", []byte("# 함께\n\n둘이 쓰는 글"))), d.attach(d.file("own.md", []byte("# 혼자\n\n하나만 쓰는 글")))
	photo, kept := d.attach(d.file("p.jpg", picture(t, 40, 20))), d.attach(d.file("kept.md", []byte("# 남김\n\n도서관에 두는 글")))
	unsent := d.attach(d.file("unsent.md", []byte("보내지 않은 글")))
	d.say("main", "m1", shared)
	d.say("trip", "m2", shared, own, photo, kept)
	if _, err := d.Keep(t.Context(), kept.ID, kept.Name); err != nil {
		t.Fatal(err)
	}
	there := func(when string, want map[string]event.Attachment, gone ...event.Attachment) {
		t.Helper()
		for name, a := range want {
			if _, err := d.Take(t.Context(), []event.Attachment{{ID: a.ID, Name: name}}); err != nil {
				t.Errorf("%s: %s is gone: %v", when, name, err)
			}
		}
		for _, a := range gone {
			if _, err := d.store.Attachment(t.Context(), a.ID); apperr.CodeOf(err) != apperr.AttachmentGone {
				t.Errorf("%s: %s is there: %v", when, a.Name, err)
			}
		}
	}
	d.sweep()
	if n := len(d.files()); n != 6 {
		t.Errorf("at once: %v", d.files())
	}
	d.pass(8 * 24 * time.Hour)
	d.sweep()
	if _, err := d.store.Attachment(t.Context(), unsent.ID); apperr.CodeOf(err) != apperr.AttachmentGone {
		t.Errorf("what was never sent: %v", err)
	}
	if _, err := d.store.DeleteChat(t.Context(), "trip"); err != nil {
		t.Fatal(err)
	}
	d.pass(29 * 24 * time.Hour)
	d.sweep()
	if d.documents(shared, own, kept) != 3 {
		t.Error("the chat could still come back")
	}
	if _, err := d.store.RestoreChat(t.Context(), "trip", d.clock().Add(-manager.ChatTrashFor)); err != nil {
		t.Fatal(err)
	}
	d.pass(40 * 24 * time.Hour)
	d.sweep()
	there("after it came back", map[string]event.Attachment{"shared": shared, "own": own, "photo": photo, "kept": kept}, unsent)
	if _, err := d.store.DeleteChat(t.Context(), "trip"); err != nil {
		t.Fatal(err)
	}
	d.oldest = d.clock() // a backup that still names them
	d.pass(31 * 24 * time.Hour)
	d.sweep()
	there("after it went for good", map[string]event.Attachment{"shared": shared}, own, photo, kept)
	if !slices.Contains(d.files(), own.ID) {
		t.Error("a backup names a file that is gone")
	}
	if list, err := d.library.Documents(t.Context()); err != nil || len(list) != 1 || list[0].Title != "kept.md" {
		t.Errorf("the library has %+v, %v", list, err)
	}
	if _, ok, err := d.library.Attached(t.Context(), own.ID); ok || err != nil {
		t.Errorf("what was read of it is there: %v, %v", ok, err)
	}
	stray := filepath.Join(d.dir, "in-1.txt")
	if err := os.WriteFile(stray, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.pass(48 * time.Hour)
	d.oldest = d.clock()
	d.sweep()
	if names := d.files(); !slices.Equal(names, []string{shared.ID}) {
		t.Errorf("left: %v", names)
	}
}

// What stands in a box and was not sent is held for as long as it stands there, whatever else was kept of what is typed.
func TestADraftKeepsItsFiles(t *testing.T) {
	d := open(t)
	words, photo := d.attach(d.file("words.md", []byte("# 초안\n\n아직 보내지 않은 글"))), d.attach(d.file("p.jpg", picture(t, 40, 20)))
	aside := d.attach(d.file("aside.md", []byte("고치기 전의 글")))
	draft := func(chat, data string) {
		t.Helper()
		if err := d.store.SaveDraft(t.Context(), chat, data); err != nil {
			t.Fatal(err)
		}
	}
	left := func(when string, want ...event.Attachment) {
		t.Helper()
		d.pass(attachment.HeldFor + 48*time.Hour)
		d.sweep()
		for _, a := range []event.Attachment{words, photo, aside} {
			_, err := d.store.Attachment(t.Context(), a.ID)
			if there := err == nil; there != slices.ContainsFunc(want, func(w event.Attachment) bool { return w.ID == a.ID }) {
				t.Errorf("%s: %s: %v", when, a.Name, err)
			}
		}
	}
	draft("main", fmt.Sprintf(`{"text": "", "files": [{"id": %q}, {"id": %q}], "aside": [{"id": %q}]}`, words.ID, photo.ID, aside.ID))
	draft("torn", `{"te`)
	draft("odd", `{"text": "x", "files": "none", "aside": [7, null]}`)
	left("typed", words, photo, aside)
	if n := d.documents(words); n != 1 {
		t.Errorf("%d texts are left of what stands in the box", n)
	}
	draft("main", fmt.Sprintf(`{"text": "", "files": [{"id": %q}]}`, photo.ID))
	left("the first was taken away", photo)
	d.say("main", "m1", photo)
	draft("main", "")
	left("sent", photo)
}

// What was taken out of the library meanwhile is read again, and what is gone is left out.
func TestDocumentsOfAttachments(t *testing.T) {
	d := open(t)
	a := d.attach(d.file("a.md", []byte("# 하나\n\n글")))
	before, err := d.Documents(t.Context(), []event.Attachment{a})
	if err != nil || len(before) != 1 {
		t.Fatal(before, err)
	}
	if _, err := d.Keep(t.Context(), a.ID, a.Name); err != nil {
		t.Fatal(err)
	}
	if err := d.library.Remove(t.Context(), before[0].DocumentID); err != nil {
		t.Fatal(err)
	}
	after, err := d.Documents(t.Context(), []event.Attachment{a})
	if err != nil || len(after) != 1 || after[0].DocumentID == before[0].DocumentID || after[0].Title != "a.md" {
		t.Errorf("%+v, %v", after, err)
	}
	if err := d.library.Remove(t.Context(), after[0].DocumentID); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(d.dir, a.ID)); err != nil {
		t.Fatal(err)
	}
	if d.documents(a) != 0 {
		t.Error("a file that is gone has a document")
	}
}
