package models

import (
	_ "embed" // the list
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider/ollama"
)

// suggestion is a model of Ollama's library that is worth trying. Bytes is what the library lists, rounded as it does
// there; Token is how many bytes of memory a token of context takes (16-bit keys and values of the layers that see the
// whole context). Languages are those that it is good at, the best first.
type suggestion struct {
	Name      string         `json:"name"`
	Title     string         `json:"title"`
	Bytes     int64          `json:"bytes"`
	Token     int64          `json:"bytesPerToken"`
	Embedding bool           `json:"embedding"`
	Languages []string       `json:"languages"`
	Note      bilingual.Text `json:"note"`
}

const (
	mb = 1_000_000
	gb = 1_000_000_000
)

//go:embed recommended.json
var carried []byte

// ListFile is the name of the file that takes the place of the list that the program carries, in the data folder.
const ListFile = "recommended-models.json"

// List is the models worth trying: small ones, most of which read and write Korean, the smallest first, then those that make vectors. The program carries
// one; a newer one in the data folder takes its place, as models come and go more often than versions of the program.
type List struct {
	own  []suggestion
	path string

	mu      sync.Mutex
	read    []suggestion // of the file at path
	changed time.Time    // when that was written; zero: there is none
}

// NewList makes the list, with dir the data folder ("": the program's own alone).
func NewList(dir string) *List {
	own, err := parseList(carried)
	if err != nil {
		panic(err) // a test reads it
	}
	l := &List{own: own}
	if dir != "" {
		l.path = filepath.Join(dir, ListFile)
	}
	return l
}

// now is the list in force. A file that cannot be read, or makes no sense, changes nothing.
func (l *List) now() []suggestion {
	l.mu.Lock()
	defer l.mu.Unlock()
	info, err := os.Stat(l.path)
	if l.path == "" || err != nil || info.Size() > mb {
		return l.own
	}
	if !info.ModTime().Equal(l.changed) {
		l.changed, l.read = info.ModTime(), nil
		if data, err := os.ReadFile(l.path); err == nil {
			l.read, _ = parseList(data)
		}
	}
	if l.read == nil {
		return l.own
	}
	return l.read
}

func parseList(data []byte) (list []suggestion, err error) {
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	for _, s := range list {
		if !ollama.ValidName(s.Name) || s.Title == "" || s.Bytes <= 0 || s.Token < 0 || s.Note.KO == "" || s.Note.EN == "" || len(s.Languages) == 0 {
			return nil, fmt.Errorf("the entry %q is not whole", s.Name)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("the list is empty")
	}
	return list, nil
}

// working is the memory that a model's computations take besides its weights and its context.
const working = 400 * mb

// memory is about how many bytes a model takes once loaded for numCtx tokens.
func (s suggestion) memory(numCtx int) int64 { return s.Bytes + s.Token*int64(numCtx) + working }

// Recommend lists the models worth trying, for numCtx tokens on a computer with that memory; installed says which are
// there already.
func (l *List) Recommend(numCtx int, ram RAM, installed []string) []Recommended {
	suggestions := l.now()
	list := make([]Recommended, len(suggestions))
	for i, s := range suggestions {
		need := s.memory(numCtx)
		list[i] = Recommended{
			Name: s.Name, Title: s.Title, Bytes: s.Bytes, Memory: need, Fits: ram.Fits(need), Embedding: s.Embedding, Languages: s.Languages, Note: s.Note,
			Installed: slices.ContainsFunc(installed, func(name string) bool { return ollama.SameModel(name, s.Name) }),
		}
	}
	return list
}

// Needs is how many bytes a recommended model takes to download, 0 for any other.
func (l *List) Needs(model string) int64 {
	for _, s := range l.now() {
		if ollama.SameModel(s.Name, model) {
			return s.Bytes
		}
	}
	return 0
}

// Fits tells whether a model of that size can run beside the system and the programs a person has open, which need a
// quarter of the memory, or one and a half gigabytes where that is more. True when either is unknown.
func (r RAM) Fits(memory int64) bool {
	return r.Total == 0 || memory == 0 || memory <= r.Total-max(r.Total/4, 3*gb/2)
}
