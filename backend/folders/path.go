package folders

import (
	"context"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// What a path may be made of.
const (
	maxSteps = 32
	maxStep  = 255 // bytes
)

// spot is a place and the steps from it to what was said.
type spot struct {
	place Place
	steps []string
}

// display is the path as people say it: the folder's name first.
func (s spot) display() string { return strings.Join(append([]string{s.place.Name}, s.steps...), "/") }

// spots reads a path as people write it: a folder's name and what is in it (문서/메모.txt), a full path, or only what is in
// some opened folder (메모.txt). named tells whether the folder was named; otherwise the path may be in any of the places.
// Errors: no_folder, path_outside, file_refused, folder_refused.
func (b *Book) spots(ctx context.Context, path string) (list []spot, named bool, err error) {
	places, err := b.usable(ctx)
	if err != nil {
		return nil, false, err
	}
	path = strings.TrimSpace(path)
	if strings.ContainsFunc(path, unicode.IsControl) || !utf8.ValidString(path) {
		return nil, false, unreadable(path, "경로에 쓸 수 없는 글자가 있어요", "the path has characters that no path has")
	}
	full := expand(path, b.deps.Home)
	if filepath.IsAbs(full) && !climbs(path) {
		full = norm.NFC.String(filepath.Clean(full))
		for _, p := range places {
			if in := norm.NFC.String(p.Path); Within(in, full) {
				rel, _ := filepath.Rel(in, full)
				steps, err := steps(path, filepath.ToSlash(rel))
				return []spot{{p, steps}}, true, err
			}
		}
	}
	rel := strings.TrimLeft(strings.ReplaceAll(path, `\`, "/"), "/")
	all, err := steps(path, rel)
	if err != nil {
		return nil, false, err
	}
	if p, ok := first(places, all); ok {
		return []spot{{p, all[1:]}}, true, nil
	}
	switch {
	case rel != path && filepath.IsAbs(expand(path, b.deps.Home)) || strings.HasPrefix(path, "~"):
		return nil, false, outside(path, places)
	case len(all) > 0 && b.closed(ctx, all[0]):
		return nil, false, outside(path, places)
	}
	for _, p := range places {
		list = append(list, spot{p, all})
	}
	return list, false, nil
}

// first is the place that the first step of a path names: by its own name, or else by what every home calls such a folder.
func first(places []Place, steps []string) (Place, bool) {
	if len(steps) == 0 {
		return Place{}, false
	}
	name := steps[0]
	for _, p := range places {
		if sameName(p.Name, name) || sameName(p.Name, bare(name)) {
			return p, true
		}
	}
	for _, p := range places {
		if kind := familiar(p.Name); kind != "" && kind == familiar(bare(name)) {
			return p, true
		}
	}
	return Place{}, false
}

// closed tells whether a name is that of an opened folder that cannot be used right now.
func (b *Book) closed(ctx context.Context, name string) bool {
	for _, p := range b.Places(ctx) {
		if p.Problem != nil && sameName(p.Name, name) {
			return true
		}
	}
	return false
}

// familiar is what the folders are that every home has, by what people call them in their language or the system in its own; "": it is
// none of them.
func familiar(name string) string {
	switch strings.ToLower(strings.ReplaceAll(norm.NFC.String(name), " ", "")) {
	case "다운로드", "내려받기", "받은파일", "downloads", "download":
		return "downloads"
	case "문서", "내문서", "documents", "mydocuments":
		return "documents"
	case "사진", "그림", "pictures", "photos":
		return "pictures"
	case "바탕화면", "데스크톱", "desktop":
		return "desktop"
	case "음악", "music":
		return "music"
	case "동영상", "비디오", "videos", "movies":
		return "videos"
	}
	return ""
}

// Unopened tells whether a name is that of a folder that every home has, and that nobody opened. The error says where it is opened.
func (b *Book) Unopened(ctx context.Context, name string) error {
	places, err := b.usable(ctx)
	if err != nil {
		return err
	}
	if familiar(bare(name)) == "" {
		return nil
	}
	return outside(name, places)
}

// bare is a folder's name without the word for it: 문서 폴더, documents folder.
func bare(name string) string {
	for _, word := range []string{" 폴더", "폴더", " folder", " 디렉토리", " directory"} {
		if cut, ok := strings.CutSuffix(name, word); ok && cut != "" {
			return strings.TrimSpace(cut)
		}
	}
	return name
}

// steps cuts a relative path into its steps, and refuses those that no opened folder has.
func steps(said, rel string) ([]string, error) {
	var list []string
	for step := range strings.SplitSeq(rel, "/") {
		switch step = strings.TrimSpace(step); {
		case step == "" || step == ".":
			continue
		case step == "..":
			return nil, apperr.New(apperr.PathOutside, "path", said, "folders", bilingual.WrongOf("위로 올라가는 경로(..)는 쓰지 않아요", "a path may not climb (..)"))
		case len(step) > maxStep || len(list) == maxSteps:
			return nil, unreadable(said, "경로가 너무 길어요", "the path is too long")
		case !filepath.IsLocal(step) || strings.ContainsAny(step, `/\`):
			return nil, unreadable(said, "경로에 쓸 수 없는 이름이에요", "that is no name of a file")
		case Hidden(step):
			return nil, unreadable(said, "숨은 파일이나 열쇠·비밀번호 파일은 다루지 않아요", "hidden files, keys and passwords are out of reach")
		}
		list = append(list, step)
	}
	return list, nil
}

func climbs(path string) bool {
	for step := range strings.SplitSeq(strings.ReplaceAll(path, `\`, "/"), "/") {
		if strings.TrimSpace(step) == ".." {
			return true
		}
	}
	return false
}

// sameName compares names as people do: one form of every letter, without case.
func sameName(a, b string) bool { return strings.EqualFold(norm.NFC.String(a), norm.NFC.String(b)) }

func outside(path string, places []Place) error {
	names := make([]string, len(places))
	for i, p := range places {
		names[i] = p.Name
	}
	list := strings.Join(names, ", ")
	return apperr.New(apperr.PathOutside, "path", path, "folders", bilingual.WrongOf("열린 폴더: "+list, "open: "+list))
}

func unreadable(path, ko, en string) *apperr.Error {
	return apperr.New(apperr.FileRefused, "path", path, "detail", bilingual.WrongOf(ko, en))
}
