package slot

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

// extensions end the names that people give to files. Without a list, every sentence about example.org would name one.
var extensions = wordlist.Of(`txt text md markdown csv tsv json yaml yml xml html htm log ini conf cfg toml rtf tex srt doc docx hwp hwpx odt pdf ppt pptx xls xlsx ods
	png jpg jpeg gif webp bmp svg heic mp3 mp4 wav flac mov avi mkv zip 7z tar gz py js ts go java cpp rs sh sql pages numbers`)

var (
	fileLike = lazyregexp.New(`[^\s"'<>|?*,;()]*[\p{L}\p{N}_)\]-]\.([A-Za-z0-9]{1,8})`)
	inQuotes = lazyregexp.New(`"([^"]+)"|(?:^|[\s(])'([^']+)'`)
	folderKO = lazyregexp.New(`(?:"([^"]{1,80})"|(?:^|\s)'([^']{1,80})'|([^\s"',]{1,60}))\s?(?:폴더|디렉토리|디렉터리)`)
	folderEN = lazyregexp.New(`(?i)(?:"([^"]{1,80})"|(?:^|\s)'([^']{1,80})'|\b([\p{L}\p{N}_./-]{1,60}))\s(?:folder|directory)\b`)
	namedEN  = lazyregexp.New(`(?i)\b(?:folder|directory)\s(?:named\s|called\s)?(?:"([^"]{1,80})"|'([^']{1,80})'|([\p{L}\p{N}_./-]{1,60}))`)
)

// noFolder are words before "folder" that name none.
var noFolder = wordlist.Of(`열린 연 열어둔 내 우리 이 그 저 모든 전체 어떤 무슨 어느 새 같은 다른 해당 현재 있는 the my open opened our this that a an any which what all every same other new in of is are and or with for from named called to`)

// Paths are the files and folders that a text names, in order; a folder stands before a file that has no folder of its own.
type Paths struct {
	File   string // 문서/메모.txt
	Folder string // 문서
	Plain  string // the text without them and without what stands in quotes
	Quote  string // the first thing in quotes that is neither
}

// ReadPaths finds the file, the folder and the quote in a request.
func ReadPaths(text string) (p Paths) {
	text = phrase.Normalize(text)
	plain := []byte(text)
	hide := func(from, to int) { blank(plain, from, to) }
	for _, m := range inQuotes.FindAllStringSubmatchIndex(text, 20) {
		q := strings.TrimSpace(group(text, m))
		switch {
		case p.File == "" && wholeFile(q):
			p.File = q
		case folderAfter(text[m[1]:]):
			p.Folder = q
		case p.Quote == "":
			p.Quote = q
		}
		hide(m[0], m[1])
	}
	for _, m := range fileLike.FindAllStringSubmatchIndex(string(plain), 20) {
		if name := string(plain[m[0]:m[1]]); isFile(string(plain), m) {
			if p.File == "" {
				p.File = name
			}
			hide(m[0], m[1])
		}
	}
	for _, re := range []*lazyregexp.Regexp{folderKO, namedEN, folderEN} {
		for _, m := range re.FindAllStringSubmatchIndex(string(plain), 5) {
			name := strings.Trim(group(string(plain), m), ` /`)
			if p.Folder == "" && name != "" && !noFolder[strings.ToLower(name)] {
				p.Folder = name
				hide(m[2*lastGroup(m)], m[2*lastGroup(m)+1])
			}
		}
	}
	p.Plain = strings.Join(strings.Fields(string(plain)), " ")
	if p.Folder != "" && p.File != "" && !strings.Contains(p.File, "/") {
		p.File = p.Folder + "/" + p.File
	}
	return p
}

func lastGroup(m []int) int {
	for g := len(m)/2 - 1; g > 0; g-- {
		if m[2*g] >= 0 {
			return g
		}
	}
	return 0
}

func group(text string, m []int) string {
	g := lastGroup(m)
	return text[m[2*g]:m[2*g+1]]
}

func folderAfter(rest string) bool {
	rest = strings.ToLower(strings.TrimSpace(rest))
	return strings.HasPrefix(rest, "폴더") || strings.HasPrefix(rest, "디렉") || strings.HasPrefix(rest, "folder") || strings.HasPrefix(rest, "directory")
}

// wholeFile tells whether a quoted text is nothing but a file's name.
func wholeFile(s string) bool {
	at := strings.LastIndexByte(s, '.')
	return at > 0 && extensions[strings.ToLower(s[at+1:])] && utf8.RuneCountInString(s) <= 120
}

func isFile(text string, m []int) bool {
	next, _ := utf8.DecodeRuneInString(text[m[1]:])
	if unicode.Is(unicode.Latin, next) || unicode.IsDigit(next) || next == '/' || strings.Contains(text[m[0]:m[1]], "://") {
		return false
	}
	return extensions[strings.ToLower(text[m[2]:m[3]])]
}

var (
	saidIntoKO = lazyregexp.New(`에(?:다가?|는)?\s+(.+?)\s*(?:이라고|라고|이라는 말|라는 말|을|를)?\s*(?:좀\s*)?(?:추가|적어|적고|써|쓰고|넣어|저장|기록|더해|덧붙|작성)`)
	saidAsKO   = lazyregexp.New(`(?:내용을|내용은|글을)\s+(.+?)(?:으로|로|이라고|라고)\s*(?:바꿔|고쳐|덮어|저장|해)`)
	saidIntoEN = lazyregexp.New(`(?i)\b(?:add|append|write|put|save|insert)\s+(.+?)\s+(?:to|into|in|onto|at the end of)(?:\s|$)`)
	saidAsEN   = lazyregexp.New(`(?i)\b(?:saying|that says|with the text|containing|with)\s+(.+)$`)
)

// Said is the text that shall be written: what stands in quotes, or between the file and the word for writing. An answer
// that names no file is that text itself.
func Said(text string) (string, bool) {
	p := ReadPaths(text)
	if p.Quote != "" {
		return p.Quote, true
	}
	for _, re := range []*lazyregexp.Regexp{saidIntoKO, saidAsKO, saidIntoEN, saidAsEN} {
		if m := re.FindStringSubmatch(strings.ReplaceAll(p.Plain, "파일에 ", "에 ")); m != nil && strings.TrimSpace(m[1]) != "" {
			return strings.TrimSpace(m[1]), true
		}
	}
	if p.File == "" && p.Folder == "" && p.Plain != "" {
		return p.Plain, true
	}
	return "", false
}

var (
	queryKO = lazyregexp.New(`(\S.*?)\s*(?:이라는|라는|이란|란|에 대한|에 관한|관련된?|이 들어간|가 들어간|들어간|들어 있는|이 적힌|가 적힌|적힌|적은|적어 둔|이 나오는|나오는|이 있는)?\s*(?:파일|자료|문서|거|것|내용)?(?:들)?(?:을|를|이|가|은|는|도)?\s*(?:좀\s*)?(?:어디|있는지|있나|찾|검색)`)
	leadKO  = lazyregexp.New(`^(?:.*?(?:폴더|메모|노트|파일|컴퓨터)(?:들)?(?:안)?\s?(?:안|속)?(?:에서|에)\s+)`)
	queryEN = lazyregexp.New(`(?i)\b(?:named|called|about|containing|contains?|mentioning|mentions?|with|for)\s+(?:the\s+)?(.+?)(?:\s+in\s+.*)?$`)
	findEN  = lazyregexp.New(`(?i)\b(?:find|where is|look up)\s+(?:the\s+|my\s+)?(.+?)(?:\s+files?)?(?:\s+in\s+.*)?$`)
)

// Query is what somebody looks for in files: in quotes, or before the word for a file.
func Query(text string) (string, bool) {
	p := ReadPaths(text)
	plain := strings.TrimRight(p.Plain, " .?!")
	switch {
	case p.Quote != "":
		return p.Quote, true
	case p.File != "":
		return p.File[strings.LastIndexByte(p.File, '/')+1:], true
	case !phrase.Korean(plain):
		for _, re := range []*lazyregexp.Regexp{queryEN, findEN} {
			if m := re.FindStringSubmatch(plain); m != nil && !noQuery(m[1]) {
				return strings.TrimSpace(m[1]), true
			}
		}
	default:
		if m := queryKO.FindStringSubmatch(leadKO.ReplaceAllString(plain, "")); m != nil && !noQuery(m[1]) {
			return strings.TrimSpace(m[1]), true
		}
	}
	if words := strings.Fields(plain); len(words) > 0 && len(words) <= 3 && !strings.ContainsAny(plain, "?") && !asksToLook.MatchString(plain) && !noQuery(plain) {
		return plain, true // an answer
	}
	return "", false
}

var asksToLook = lazyregexp.New(`(?i)찾|검색|파일|폴더|메모|\b(?:find|search|look|files?|folders?)\b`)

// noQuery tells words that look for nothing by themselves.
func noQuery(s string) bool {
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(s)), func(w string) bool {
		stem, _ := phrase.Stem(w)
		return !functionWords[w] && !functionWords[stem] && !noFolder[w] && stem != "파일" && stem != "폴더" && w != "file" && w != "files"
	})
}
