package standing

import (
	"context"
	"slices"
	"strings"
	"time"

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
	Name    string   `json:"name,omitempty"`   // and how people call it
	Endings []string `json:"endings,omitempty"`
	Arrives bool     `json:"arrives,omitempty"`
	Changes bool     `json:"changes,omitempty"`

	Tool   string         `json:"tool,omitempty"` // of tickets: whose
	Called bilingual.Text `json:"called,omitzero"`
	Ends   bilingual.Text `json:"ends,omitzero"` // and how people say that one has ended
}

// wants tells whether a file of this name is waited for.
func (t *Trigger) wants(path string) bool {
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
	if c.Condition, ok = slot.When(text); !ok || c.Folder != "" {
		return c, ok
	}
	c.Tool, c.Called, c.Ends, ok = b.deps.Ticket(c.Noun)
	return c, ok
}

// Trigger finds the folder of a condition. Errors: those of Folders.
func (b *Book) Trigger(ctx context.Context, c Condition) (*Trigger, error) {
	if c.Folder == "" {
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
	if len(t.Endings) > 0 {
		ending = t.Endings[0]
	}
	return t.Name + "/file" + ending
}
