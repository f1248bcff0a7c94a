package event

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
