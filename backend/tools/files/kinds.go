package files

import (
	"path"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/wordlist"
)

// kindDir is what a kind of files is called, as a folder.
type kindDir struct {
	kind string
	dir  bilingual.Text
	ends wordlist.Set
}

// kinds of files, by the endings of their names.
var kinds = []kindDir{
	{"documents", bilingual.Text{KO: "문서", EN: "Documents"}, wordlist.Of(`pdf doc docx hwp hwpx odt rtf txt text md markdown tex ppt pptx odp key pages epub mobi xps djvu eml ics vcf srt log html htm`)},
	{"tables", bilingual.Text{KO: "표", EN: "Spreadsheets"}, wordlist.Of(`xls xlsx xlsm ods csv tsv numbers`)},
	{"pictures", bilingual.Text{KO: "사진", EN: "Pictures"}, wordlist.Of(`png jpg jpeg gif webp bmp svg heic heif tif tiff avif ico raw cr2 nef arw dng psd xcf ai`)},
	{"music", bilingual.Text{KO: "음악", EN: "Music"}, wordlist.Of(`mp3 wav flac m4a aac ogg opus wma aiff mid midi`)},
	{"video", bilingual.Text{KO: "동영상", EN: "Videos"}, wordlist.Of(`mp4 mkv mov avi webm wmv flv m4v mpg mpeg 3gp ts`)},
	{"archives", bilingual.Text{KO: "압축 파일", EN: "Archives"}, wordlist.Of(`zip 7z rar tar gz tgz bz2 xz zst alz egg lzh iso img dmg`)},
	{"programs", bilingual.Text{KO: "프로그램", EN: "Programs"}, wordlist.Of(`exe msi msix apk deb rpm appimage pkg run bat cmd jar flatpak snap ipa`)},
	{"code", bilingual.Text{KO: "코드", EN: "Code"}, wordlist.Of(`py js go java c cpp h rs sh sql json yaml yml xml toml css ipynb`)},
}

// otherFiles are those of no kind.
var otherFiles = kindDir{"other", bilingual.Text{KO: "기타", EN: "Other"}, nil}

// screenshots are pictures by what programs call them.
var screenshots = []string{"screenshot*", "screen shot*", "screen_shot*", "screen-shot*", "scrnshot*", "스크린샷*", "화면 캡처*", "화면캡처*", "캡처*", "capture*"}

// kindOf is the kind of a file, by its name.
func kindOf(name string) kindDir {
	end := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	for _, k := range kinds {
		if k.ends[end] {
			return k
		}
	}
	return otherFiles
}

// tells whether a file is what is spoken of.
func (f tidyArgs) takes(name string, size int64, mod, now time.Time) bool {
	name = norm.NFC.String(name)
	switch {
	case f.Kind == "screenshots" && !likeAny(name, screenshots):
		return false
	case f.Kind != "" && f.Kind != "screenshots" && kindOf(name).kind != f.Kind:
		return false
	case f.Name != "" && !like(name, f.Name):
		return false
	case f.Days > 0 && mod.After(now.AddDate(0, 0, -f.Days)):
		return false
	case f.MB > 0 && size < int64(f.MB)*1000*1000:
		return false
	}
	return true
}

// into is the folder that a file goes into, below where all of them go; "": directly there.
func (f tidyArgs) into(name string, mod time.Time, lang bilingual.Lang) string {
	switch f.By {
	case "month":
		return mod.Format("2006-01")
	case "year":
		return mod.Format("2006")
	case "kind":
		return kindOf(name).dir.In(lang)
	}
	return ""
}

func likeAny(name string, patterns []string) bool {
	for _, p := range patterns {
		if like(name, p) {
			return true
		}
	}
	return false
}

// like tells whether a name has the form of a pattern, in which * stands for any letters and ? for one. A pattern without either is a
// part of the name.
func like(name, pattern string) bool {
	pattern, name = strings.ToLower(norm.NFC.String(pattern)), strings.ToLower(name)
	if !strings.ContainsAny(pattern, "*?") {
		return strings.Contains(name, pattern)
	}
	return matches([]rune(name), []rune(pattern))
}

// matches compares from the left; at a * it tries again one letter further on.
func matches(name, pattern []rune) bool {
	star, from, n, p := -1, 0, 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			n++
			p++
		case star >= 0:
			from++
			n, p = from, star+1
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
