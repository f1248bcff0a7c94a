// Package folders keeps the folders that a person opened to the shop, and is the only way into them. Whatever is read,
// written or thrown away goes through an os.Root, one directory at a time: no link is followed, nothing above or beside an
// opened folder can be named, and hidden files and keys stay hidden.
package folders

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/strictjson"
)

// MaxFolders is how many folders may be open at once.
const MaxFolders = 32

// Folder is one opened folder. Path is absolute and clean; without Write its files are only read.
type Folder struct {
	Path  string `json:"path"`
	Write bool   `json:"write,omitempty"`
}

var listText = strictjson.Limits{Bytes: 256 << 10, Depth: 4}

// Parse reads the setting: a JSON list of folders, strictly. Home is what ~ stands for. Whether a folder is there, and may
// be opened, is looked at when it is used. An error is a bilingual.Wrong.
func Parse(text []byte, home string) ([]Folder, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	var list []Folder
	err := strictjson.DecodeKnown(text, &list, listText)
	switch {
	case err != nil:
		return nil, bilingual.WrongOf(fmt.Sprintf("{\"path\", \"write\"}의 JSON 목록이어야 해요 (%v)", err), fmt.Sprintf("it should be a JSON list of {\"path\", \"write\"} (%v)", err))
	case len(list) > MaxFolders:
		return nil, bilingual.WrongOf(fmt.Sprintf("폴더는 %d개까지 열 수 있어요", MaxFolders), fmt.Sprintf("at most %d folders may be open", MaxFolders))
	}
	for i := range list {
		p := expand(list[i].Path, home)
		if !filepath.IsAbs(p) || strings.ContainsRune(p, 0) || !utf8.ValidString(p) {
			return nil, bilingual.WrongOf("/나 ~로 시작하는 전체 경로를 적어 주세요: "+list[i].Path, "a folder is a full path: "+list[i].Path)
		}
		list[i].Path = filepath.Clean(p)
		if slices.ContainsFunc(list[:i], func(f Folder) bool { return f.Path == list[i].Path }) {
			return nil, bilingual.WrongOf("두 번 적은 폴더예요: "+list[i].Path, "this folder is listed twice: "+list[i].Path)
		}
	}
	return list, nil
}

// Encode writes the setting.
func Encode(list []Folder) string {
	if len(list) == 0 {
		return "[]"
	}
	text, err := json.Marshal(list)
	if err != nil { // texts and bools always encode
		return "[]"
	}
	return string(text)
}

func expand(path, home string) string {
	if path == "~" {
		return home
	}
	for _, lead := range []string{"~/", `~\`} {
		if rest, ok := strings.CutPrefix(path, lead); ok && home != "" {
			return filepath.Join(home, rest)
		}
	}
	return path
}

// Deps are what a Book needs. List gives the folders in force at the moment; Own are the shop's own files and folders, which
// nothing may open; Home is the person's.
type Deps struct {
	List func() []Folder
	Own  []string
	Home string
}

// Book knows the opened folders. Safe for concurrent use: it remembers nothing, so that a folder that is closed is closed at
// once.
type Book struct{ deps Deps }

// NewBook makes a book.
func NewBook(d Deps) *Book { return &Book{d} }

// Place is an opened folder under the name people call it by.
type Place struct {
	Folder
	Name string
	// Problem says why nothing can be done in it right now; nil: it can be used.
	Problem *apperr.Error
}

type onlyKey struct{}

// Only has whoever works under a context see of the opened folders these alone, by their paths; none: all of them.
func Only(ctx context.Context, paths []string) context.Context {
	if len(paths) == 0 {
		return ctx
	}
	return context.WithValue(ctx, onlyKey{}, paths)
}

// Places are the opened folders in the order they were opened, also those that cannot be used right now.
func (b *Book) Places(ctx context.Context) []Place {
	places := b.places()
	if only, ok := ctx.Value(onlyKey{}).([]string); ok {
		places = slices.DeleteFunc(places, func(p Place) bool { return !slices.Contains(only, p.Path) })
	}
	return places
}

func (b *Book) places() []Place {
	list := b.deps.List()
	places := make([]Place, len(list))
	for i, f := range list {
		places[i] = Place{Folder: f, Name: b.name(list, i)}
		real, err := b.real(f.Path)
		switch {
		case err != nil:
			places[i].Problem = err
		case real != f.Path: // a link came in its way: it leads elsewhere than when it was opened
			places[i].Problem = refused(f.Path, "이제 다른 곳을 가리켜요. 닫고 다시 열어 주세요", "it leads elsewhere now; close it and open it again")
		}
	}
	return places
}

// usable are the places that can be used, or the reason that there is none.
func (b *Book) usable(ctx context.Context) ([]Place, error) {
	all := b.Places(ctx)
	places := slices.DeleteFunc(slices.Clone(all), func(p Place) bool { return p.Problem != nil })
	switch {
	case len(all) == 0:
		return nil, apperr.New(apperr.NoFolder)
	case len(places) == 0:
		return nil, all[0].Problem
	}
	return places, nil
}

// name is what a folder is called: its own name, and with its parent's where two have the same.
func (b *Book) name(list []Folder, i int) string {
	own := norm.NFC.String(filepath.Base(list[i].Path))
	for j, f := range list {
		if j != i && sameName(norm.NFC.String(filepath.Base(f.Path)), own) {
			return own + " (" + norm.NFC.String(filepath.Base(filepath.Dir(list[i].Path))) + ")"
		}
	}
	return own
}

// Check says whether a folder may be opened and gives its real path, without links. Errors: folder_refused.
func (b *Book) Check(path string) (string, error) {
	if path = expand(strings.TrimSpace(path), b.deps.Home); !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return "", refused(path, "전체 경로를 적어 주세요", "a full path is needed")
	}
	real, err := b.real(path)
	if err != nil {
		return "", err
	}
	for _, f := range b.deps.List() {
		if f.Path != real && (Within(f.Path, real) || Within(real, f.Path)) {
			return "", refused(real, "이미 연 폴더("+f.Path+")와 겹쳐요. 그 폴더를 먼저 닫아 주세요", "it overlaps with "+f.Path+", which is open; close that first")
		}
	}
	return real, nil
}

// real is the folder behind a path, if it is one that may be opened.
func (b *Book) real(path string) (string, *apperr.Error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", apperr.Wrap(err, apperr.FolderRefused, "path", path, "detail", bilingual.WrongOf("그런 폴더가 없어요", "there is no such folder"))
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return "", apperr.Wrap(err, apperr.FolderRefused, "path", path, "detail", bilingual.WrongOf("읽을 수 없어요", "it cannot be read"))
	case !info.IsDir():
		return "", refused(real, "폴더가 아니에요", "it is not a folder")
	}
	if why := b.forbidden(real); why != nil {
		return "", apperr.New(apperr.FolderRefused, "path", real, "detail", *why)
	}
	return real, nil
}

func refused(path, ko, en string) *apperr.Error {
	return apperr.New(apperr.FolderRefused, "path", path, "detail", bilingual.WrongOf(ko, en))
}
