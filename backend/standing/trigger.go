package standing

import (
	"context"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
)

const (
	// mostDepth is how many orders may set each other off, one after the other.
	mostDepth = 3
	// mostSetOff is how often an order may be set off within setOffWithin.
	mostSetOff   = 10
	setOffWithin = 10 * time.Minute
	// mostNamed is how many names a sentence has.
	mostNamed = 5
)

// Cause is the kind of thing that sets an order off.
type Cause string

// An order is set off by files of a folder, or by the end of tickets.
const (
	OnFile   Cause = "file"
	OnTicket Cause = "ticket"
)

// Trigger is what an order waits for instead of moments.
type Trigger struct {
	On Cause `json:"on"`

	Folder  string   `json:"folder,omitempty"` // of files: where, on the disk
	File    string   `json:"file,omitempty"`   // the one that is waited for, on the disk; "": any
	Name    string   `json:"name,omitempty"`   // and how people call the folder or the file
	Endings []string `json:"endings,omitempty"`
	Arrives bool     `json:"arrives,omitempty"`
	Changes bool     `json:"changes,omitempty"`

	Tool   string         `json:"tool,omitempty"` // of tickets: whose
	Called bilingual.Text `json:"called,omitzero"`
	Ends   bilingual.Text `json:"ends,omitzero"` // and how people say that one has ended
}

// wants tells whether a file of this name is waited for.
func (t *Trigger) wants(path string) bool {
	if t.File != "" {
		return path == t.File
	}
	return len(t.Endings) == 0 || slices.ContainsFunc(t.Endings, func(e string) bool { return strings.HasSuffix(strings.ToLower(path), e) })
}

// File is one file of a folder.
type File struct {
	Path string // on the disk
	Name string // as people say it, the folder's name first
	Size int64
	Mod  time.Time
	Gone bool // it is not there any more
}

// same tells whether it is the same file with the same contents, as far as its directory tells.
func (f File) same(as File) bool { return f.Size == as.Size && f.Mod.Equal(as.Mod) }

// Event is something that happened for which an order waits.
type Event struct {
	N     int64
	Order string
	Key   string // the ticket, or the file with its size and time
	Name  string // what people call it: other people's words
	At    time.Time
	Late  bool     // it happened while nobody was there
	Chain []string // the orders whose runs led to it, the first of them first
}

// Folders are the folders that a person opened.
type Folders interface {
	// Find finds a folder by what people call it, or by its place on the disk. Errors: those of package folders.
	Find(ctx context.Context, said string) (path, name string, err error)
	// FindFile finds one file, also one that is not there yet in a folder that is named, and the folder it is in. Errors: those of package folders.
	FindFile(ctx context.Context, folder, file string) (path, in, name string, err error)
	// List gives all files below a folder, and the folders they are in, itself first. Errors: those of package folders, and
	// folder_refused when there is more than can be kept in view.
	List(ctx context.Context, path string) (files []File, dirs []string, err error)
	// Whole tells whether nobody is writing a file any more.
	Whole(ctx context.Context, path string) bool
}

// Condition is what words say of when an order shall run other than at moments. Tool is nil when none was named.
type Condition struct {
	slot.Condition

	Tool   string
	Called bilingual.Text
	Ends   bilingual.Text
}

// When reads what a text says of something that sets an order off; ok is false when it says nothing of it, or names what no tool does.
func (b *Book) When(text string) (c Condition, ok bool) {
	if c.Condition, ok = slot.When(text); !ok || c.OfFiles() {
		return c, ok
	}
	c.Tool, c.Called, c.Ends, ok = b.deps.Ticket(c.Noun)
	return c, ok
}

// Move has an order wait in another folder from now on; what is there already is left alone. One that is only proposed stays as it was
// shown: another is proposed in its place, as anewID. Errors: not_found, those of Folders, invalid_args when it waits for no folder.
func (b *Book) Move(ctx context.Context, id, anewID, said string) (Order, error) {
	o, err := b.deps.Store.StandingOrder(ctx, id)
	if apperr.CodeOf(err) == apperr.NotFound {
		return b.deps.Store.StandingOrder(ctx, anewID) // it was proposed before the program ended
	}
	if err != nil {
		return o, err
	}
	if o.Trigger == nil || o.Trigger.On != OnFile || o.Trigger.File != "" {
		return o, apperr.New(apperr.InvalidArgs, "detail", bilingual.Say(o.Lang, "이 주문은 폴더를 지켜보지 않아요", "this order does not watch a folder"))
	}
	path, name, err := b.deps.Folders.Find(ctx, said)
	if err != nil {
		return o, err
	}
	b.looking.Lock() // nobody compares what is known of one folder with the other
	defer b.looking.Unlock()
	files, _, err := b.deps.Folders.List(ctx, path)
	if err != nil {
		return o, err
	}
	moved := *o.Trigger
	moved.Folder, moved.Name = path, name
	if o.State == Proposed {
		o.ID, o.Trigger = anewID, &moved
		return o, b.deps.Store.ProposeStanding(ctx, o)
	}
	return b.change(ctx, id, func(o *Order) error {
		if o.Trigger.Folder != path {
			o.Trigger, o.Known = &moved, append([]File{}, files...)
		}
		return nil
	})
}

// Trigger finds the folder of a condition. Errors: those of Folders.
func (b *Book) Trigger(ctx context.Context, c Condition) (*Trigger, error) {
	switch {
	case c.File != "":
		path, in, name, err := b.deps.Folders.FindFile(ctx, c.Folder, c.File)
		if err != nil {
			return nil, err
		}
		return &Trigger{On: OnFile, Folder: in, File: path, Name: name, Arrives: c.Arrives, Changes: c.Changes}, nil
	case c.Folder == "":
		return &Trigger{On: OnTicket, Tool: c.Tool, Called: c.Called, Ends: c.Ends}, nil
	}
	path, name, err := b.deps.Folders.Find(ctx, c.Folder)
	if err != nil {
		return nil, err
	}
	return &Trigger{On: OnFile, Folder: path, Name: name, Endings: c.Endings, Arrives: c.Arrives, Changes: c.Changes}, nil
}

// itself are the words of an order for the file that set it off.
var itself = lazyregexp.New(`(?i)(?:그|이|새로\s?온|새로\s?생긴|방금\s?온|온|바뀐)\s?(?:파일|문서|사진|그림|이미지|영상|것|거)|그걸|그게|\b(?:the|that|this)\s(?:new\s|changed\s)?(?:file|document|picture|photo|image|video|pdf)\b|\bit\b`)

// inQuotes are words that say nothing of what is meant: they are to be written somewhere.
var inQuotes = lazyregexp.New(`'[^']*'|"[^"]*"`)

// pointsAt is where the words stand that speak of the file; nil without any.
func (o Order) pointsAt() []int {
	if o.Trigger == nil || o.Trigger.On != OnFile {
		return nil
	}
	return itself.FindStringIndex(inQuotes.ReplaceAllStringFunc(o.What, func(q string) string { return strings.Repeat("\x00", len(q)) }))
}

// Points tells whether what is to be done speaks of the file that set it off.
func (o Order) Points() bool {
	return o.pointsAt() != nil
}

// With is what is to be done, with the file's name in the place of the words for it. The name is nobody's order: it stands in quotation marks.
func (o Order) With(name string) string {
	at := o.pointsAt()
	if at == nil {
		return o.What
	}
	mark := "'"
	if strings.Contains(name, mark) {
		mark = `"`
	}
	name = strings.ReplaceAll(name, mark, " ")
	said, after := o.What[at[0]:at[1]], o.What[at[1]:]
	if said == "그걸" || said == "그게" {
		after = " " + strings.TrimSpace(after)
	}
	return o.What[:at[0]] + mark + name + mark + after
}

// Sample is a name that stands for those that will come, to see what becomes of the order.
func (t *Trigger) Sample() string {
	ending := ".txt"
	switch {
	case t.File != "":
		return t.Name
	case len(t.Endings) > 0:
		ending = t.Endings[0]
	}
	return t.Name + "/file" + ending
}
