package event

import "strings"

// Source is one passage an answer rests on. Kind is mine or standard; Page counts from 1, in units (page, sheet, slide, …); Start and End are bytes in the
// document's text; Score is higher when nearer. Of a picture, which has no text, Attachment names the content and DocumentID nothing.
type Source struct {
	DocumentID string  `json:"documentId"`
	Title      string  `json:"title"`
	Kind       string  `json:"kind,omitempty" ts_type:"library.Kind"`
	Article    string  `json:"article,omitempty"`
	Page       int     `json:"page,omitempty"`
	Unit       string  `json:"unit,omitempty" ts_type:"extract.Unit"` // what Page counts; pages where it is not said
	Start      int     `json:"start"`
	End        int     `json:"end"`
	Quote      string  `json:"quote"`
	Score      float64 `json:"score"`
	Attachment string  `json:"attachment,omitempty"`
}

// LibraryNote comes with an answer from the library: the passages it rests on, how they were found, and what it states that no passage
// contains.
type LibraryNote struct {
	Sources    []Source   `json:"sources"`
	Trail      []Thinking `json:"trail"`
	Unverified []string   `json:"unverified,omitempty"`
}

// Sources names the passages behind a message.
type Sources struct {
	MessageID string   `json:"messageId"`
	Items     []Source `json:"items"`
}

// LibraryImport tells how far an import into the library is. State is running, done or canceled; Done counts files that are
// over, Added those of them that are in the library now; File is the one at hand.
type LibraryImport struct {
	ID         string          `json:"id"`
	Path       string          `json:"path"`
	State      string          `json:"state" ts_type:"library.ImportState"`
	Done       int             `json:"done"`
	Total      int             `json:"total"`
	Added      int             `json:"added"`
	Duplicates int             `json:"duplicates"`
	File       string          `json:"file,omitempty"`
	Problems   []ImportProblem `json:"problems"` // the first hundred
	Notes      []ImportProblem `json:"notes"`    // the first hundred files that were taken but not read completely
}

// ImportProblem is a file that was not taken, or not read whole, and why, in the shop's language.
type ImportProblem struct {
	File    string `json:"file"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// LibraryChanged says that a document came into the library or left it.
type LibraryChanged struct{}

// LibraryVectors tells how far the vectors of the library are. State is off (searched by words alone: Problem says why),
// embedding, ready, or waiting (Problem says for what; what is there is used). Refused counts passages whose vectors could
// not be used. Problem is a sentence in the shop's language.
type LibraryVectors struct {
	State   string `json:"state" ts_type:"library.VectorState"`
	Model   string `json:"model,omitempty"`
	Done    int    `json:"done"`
	Total   int    `json:"total"`
	Refused int    `json:"refused,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// LibraryShelf is a shelf that follows a folder, as it is now. State is following, stopped, or while it is taken away dropping (its documents
// go with it) or leaving (they stay). Files counts those that are known of: Read, Waiting to be read, Refused, Gone from the folder and
// asked about, Kept although they are gone, LeftOut by the person; Other are files of formats that are not read. Removed: it is no more.
type LibraryShelf struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Path    string `json:"path"`
	Rule    string `json:"rule" ts_type:"shelf.Rule"` // what becomes of what is gone: ask, drop, keep
	State   string `json:"state" ts_type:"shelf.State"`
	Removed bool   `json:"removed,omitempty"`

	Files   int `json:"files"`
	Read    int `json:"read"`
	Waiting int `json:"waiting"`
	Refused int `json:"refused"`
	Gone    int `json:"gone"`
	Kept    int `json:"kept"`
	LeftOut int `json:"leftOut"`
	Other   int `json:"other"`

	// Mark names those that are gone now: an answer with it means these and no others. Emptied says that nothing is left in the folder,
	// as when a disk is away.
	Mark    string `json:"mark,omitempty"`
	Emptied bool   `json:"emptied,omitempty"`

	Looking bool   `json:"looking,omitempty"` // the folder is gone through
	Reading string `json:"reading,omitempty"` // the file at hand
	Problem string `json:"problem,omitempty"` // why the folder cannot be followed now, a sentence in the shop's language
	Looked  string `json:"looked,omitempty"`  // when the folder was gone through last, RFC 3339 in UTC
	Found   int    `json:"found"`             // how many new or changed files that found
	Hashed  int64  `json:"hashed"`            // how many bytes were read for it
}

// shelfPlace begins what stands for a shelf where a document is named: a question may be put to either.
const shelfPlace = "shelf:"

// AttachedPlace stands for everything that is attached in a chat, where a document is named.
const AttachedPlace = "attached"

// ShelfPlace is what stands for a shelf, or for several, where a document is named.
func ShelfPlace(shelves ...string) string { return shelfPlace + strings.Join(shelves, ",") }

// ShelfAt gives the shelf that stands where a document is named; ok is false of a document.
func ShelfAt(place string) (shelf string, ok bool) { return strings.CutPrefix(place, shelfPlace) }
