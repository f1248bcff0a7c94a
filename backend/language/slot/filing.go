package slot

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

// The grammars of requests that say where files go. Each reads the whole request, for a word means one thing or another by what stands
// beside it: one file to a place or a name (KindMoved, KindCopied, KindGoal), many of a folder by what they are (KindTidy…), a folder that is
// made (KindNewFolder).
const (
	KindMoved     = "moved_path"
	KindCopied    = "copied_path"
	KindGoal      = "moved_to"
	KindNewFolder = "new_folder"

	KindTidyFolder = "tidy_folder"
	KindTidyTo     = "tidy_to"
	KindTidyBy     = "tidy_by"
	KindTidyKind   = "tidy_kind"
	KindTidyName   = "tidy_name"
	KindTidyDays   = "tidy_days"
	KindTidySize   = "tidy_size"
)

// filingKinds tell for each of these grammars whether a request has what it reads at all.
var filingKinds = map[string]func(text string) bool{
	KindMoved:  func(s string) bool { m, ok := ReadTransfer(s); return ok && !m.Copy },
	KindCopied: func(s string) bool { m, ok := ReadTransfer(s); return ok && m.Copy },
	KindNewFolder: func(s string) bool {
		_, ok := NewFolder(s)
		return ok
	},
	KindTidyFolder: func(s string) bool { _, ok := ReadTidy(s); return ok },
}

// Filing tells whether a request says where files go, in the way that a grammar reads; known is false for grammars of other things.
func Filing(kind, text string) (says, known bool) {
	reads := filingKinds[kind]
	return reads != nil && reads(text), reads != nil
}

func init() {
	tidy := func(of func(Tidy) string) func(Property, Input) (any, bool) {
		return func(_ Property, in Input) (any, bool) {
			t, _ := ReadTidy(in.Text)
			s := of(t)
			return s, s != ""
		}
	}
	for _, kind := range []string{KindMoved, KindCopied} {
		readers[kind] = func(_ Property, in Input) (any, bool) { m, ok := ReadTransfer(in.Text); return m.Path, ok }
	}
	readers[KindGoal] = func(_ Property, in Input) (any, bool) {
		if m, ok := ReadTransfer(in.Text); ok {
			return m.To, m.To != ""
		}
		return found(answeredPlace(in.Text))
	}
	readers[KindNewFolder] = text(NewFolder)
	readers[KindTidyFolder] = tidy(func(t Tidy) string { return t.Folder })
	readers[KindTidyTo] = tidy(func(t Tidy) string { return t.To })
	readers[KindTidyBy] = tidy(func(t Tidy) string { return t.By })
	readers[KindTidyKind] = tidy(func(t Tidy) string { return t.Kind })
	readers[KindTidyName] = tidy(func(t Tidy) string { return t.Name })
	readers[KindTidyDays] = func(_ Property, in Input) (any, bool) { t, _ := ReadTidy(in.Text); return int64(t.Days), t.Days > 0 }
	readers[KindTidySize] = func(_ Property, in Input) (any, bool) { t, _ := ReadTidy(in.Text); return int64(t.MB), t.MB > 0 }
}

// answeredPlace is an answer that is nothing but a place.
func answeredPlace(text string) (string, bool) {
	p := ReadPaths(text)
	for _, s := range []string{p.File, p.Folder, p.Quote} {
		if s != "" {
			return s, true
		}
	}
	s := strings.TrimSpace(strings.TrimRight(phrase.Normalize(text), " .!"))
	stem := goalTail.ReplaceAllString(s, "")
	return stem, stem != "" && len(strings.Fields(stem)) <= 3 && !strings.Contains(s, "?")
}

var goalTail = lazyregexp.New(`(?:으로|로|에)(?:요)?$`)

// Transfer is one file or folder that goes somewhere.
type Transfer struct {
	Path, To string
	Copy     bool
}

const (
	nameKO = `(?:"([^"]{1,80})"|'([^']{1,80})'|([^\s"',]{1,60}))`
	nameEN = `(?:"([^"]{1,80})"|'([^']{1,80})'|([\p{L}\p{N}_./()-]{1,60}))`
)

var (
	movesKO    = lazyregexp.New(`옮겨|옮기|이동|넣어|넣자|보내|복사|복제`)
	renameKO   = lazyregexp.New(`^\s*(?:파일|폴더)?(?:의|을|를)?\s*이름(?:을|은)?\s+` + nameKO + `(?:으로|로|라고)\s*(?:바꿔|바꾸|변경|고쳐|고치|해)`)
	asKO       = lazyregexp.New(`^\s*(?:파일|폴더)?(?:을|를)?\s*` + nameKO + `(?:으로|로)\s*이름(?:을)?\s*(?:바꿔|바꾸|변경|고쳐)`)
	goalKO     = lazyregexp.New(`^\s*(?:파일|폴더)?(?:을|를|은|는)?\s*` + nameKO + `(?:\s?(?:폴더|디렉터리|디렉토리))?(?:\s?안)?(?:으로|로|에다가|에다|에)\s*(?:좀\s*)?(?:옮겨|옮기|이동|넣어|보내|복사|복제)`)
	insideKO   = lazyregexp.New(nameKO + `\s?(?:폴더|디렉터리|디렉토리)(?:에서|에\s?있는|의|\s안의|\s속의)\s*$`)
	transferEN = lazyregexp.New(`(?i)\b(move|rename|copy|duplicate|put)\b`)
	goalEN     = lazyregexp.New(`(?i)^\s*(?:file\s|folder\s)?(?:in|from)?\s*(?:to|into|as|in)\s+(?:the\s|my\s)?(?:folder\s|directory\s)?` + nameEN + `(?:\s(?:folder|directory))?\s*(?:please|for me)?\s*$`)
	fromEN     = lazyregexp.New(`(?i)^\s*(?:in|from)\s+(?:the\s|my\s)?` + nameEN + `(?:\s(?:folder|directory))?\s+(?:to|into)\s`)
	bins       = wordlist.Of(`휴지통 쓰레기통 trash bin recycle garbage`)
	sortTail   = lazyregexp.New(`(?:종류|유형|형식|확장자|달|월|날짜|연도|년도|해|크기|이름|순서)(?:별|대)?$`)
)

// ReadTransfer reads a request to move, rename or copy one file or folder.
func ReadTransfer(said string) (m Transfer, ok bool) {
	plain := strings.TrimRight(phrase.Normalize(said), " .!?")
	from, to, path := firstFile(plain)
	if path == "" {
		return m, false
	}
	before, after := plain[:from], plain[to:]
	if strings.Contains(after, "휴지통") {
		return m, false
	}
	m.Path = path
	if in := insideKO.FindStringSubmatch(before); in != nil && !strings.Contains(path, "/") && !noFolder[strings.ToLower(one(in))] {
		m.Path = one(in) + "/" + path
	}
	if phrase.Korean(plain) {
		return m, m.readKO(after)
	}
	verb := transferEN.FindStringSubmatch(before)
	return m, verb != nil && m.readEN(verb[1], path, after)
}

// readKO reads what stands behind the file's name: how it shall be called, or where it shall go.
func (m *Transfer) readKO(after string) (ok bool) {
	for _, re := range []*lazyregexp.Regexp{renameKO, asKO} {
		if f := re.FindStringSubmatch(after); f != nil {
			m.To = one(f)
			return true
		}
	}
	if !movesKO.MatchString(after) {
		return false
	}
	m.Copy = strings.Contains(after, "복사") || strings.Contains(after, "복제")
	if f := goalKO.FindStringSubmatch(after); f != nil && !bins[one(f)] && !sortTail.MatchString(one(f)) {
		m.To = asFolder(one(f))
		return true
	}
	return barely.MatchString(after)
}

// readEN is readKO for English, where the verb stands before the name.
func (m *Transfer) readEN(verb, path, after string) (ok bool) {
	m.Copy = strings.EqualFold(verb, "copy") || strings.EqualFold(verb, "duplicate")
	if in := fromEN.FindStringSubmatchIndex(after); in != nil && !strings.Contains(path, "/") {
		m.Path = group(after, in) + "/" + path
		after = " to " + after[in[1]:]
	}
	if f := goalEN.FindStringSubmatch(after); f != nil && !bins[strings.ToLower(one(f))] {
		if m.To = one(f); !strings.EqualFold(verb, "rename") {
			m.To = asFolder(m.To)
		}
		return true
	}
	return strings.TrimSpace(after) == "" && !strings.EqualFold(verb, "put")
}

// asFolder is a place that something is moved or copied to: without an ending it is a folder, which a slash at its end says.
func asFolder(name string) string {
	if at := strings.LastIndexByte(name, '.'); at > 0 && extensions[strings.ToLower(name[at+1:])] || strings.HasSuffix(name, "/") {
		return name
	}
	return name + "/"
}

// barely matches a deed with nothing else said: 보고서.pdf 옮겨줘.
var barely = lazyregexp.New(`^\s*(?:파일|폴더)?(?:을|를)?\s*(?:좀\s*)?(?:옮겨|이동|복사|복제)\S*(?:\s(?:줘|줄래|주세요))?$`)

// firstFile is the first file that a request names, and where its name stands.
func firstFile(text string) (from, to int, path string) {
	from = -1
	for _, m := range inQuotes.FindAllStringSubmatchIndex(text, 20) {
		if q := strings.TrimSpace(group(text, m)); wholeFile(q) {
			from, to, path = m[0], m[1], q
			break
		}
	}
	for _, m := range fileLike.FindAllStringSubmatchIndex(text, 20) {
		if isFile(text, m) && (from < 0 || m[0] < from) {
			return m[0], m[1], text[m[0]:m[1]]
		}
	}
	return from, to, path
}

// one is the group that matched.
func one(groups []string) string {
	for _, g := range slices.Backward(groups[1:]) {
		if g != "" {
			return strings.TrimSpace(g)
		}
	}
	return ""
}

var (
	newKO   = lazyregexp.New(nameKO + `(?:이라는|라는)?\s?(?:새\s)?(?:폴더|디렉터리|디렉토리)(?:를|을)?\s*(?:하나\s|새로\s|좀\s)*(?:만들|생성)`)
	newInKO = lazyregexp.New(nameKO + `(?:\s?폴더)?(?:\s?안)?에(?:다가?)?\s+(?:새\s)?$`)
	newEN   = lazyregexp.New(`(?i)\b(?:make|create|add)\s+(?:a\s|an\s|the\s)?(?:new\s)?(?:folder|directory)\s+(?:named\s|called\s)?` + nameEN)
	newEN2  = lazyregexp.New(`(?i)\b(?:make|create|add)\s+(?:a\s|an\s)?(?:new\s)?` + nameEN + `\s(?:folder|directory)`)
	newInEN = lazyregexp.New(`(?i)\b(?:in|inside|under)\s+(?:the\s|my\s)?` + nameEN + `(?:\s(?:folder|directory))?\s*(?:please)?$`)
)

// NewFolder is the folder that a request wants made.
func NewFolder(said string) (string, bool) {
	plain := strings.TrimRight(phrase.Normalize(said), " .!?")
	name, up := "", ""
	if at := newKO.FindStringSubmatchIndex(plain); at != nil {
		name = group(plain, at)
		if in := newInKO.FindStringSubmatch(plain[:at[0]]); in != nil {
			up = one(in)
		}
	} else {
		for _, re := range []*lazyregexp.Regexp{newEN, newEN2} {
			if f := re.FindStringSubmatch(plain); f != nil && name == "" && !noFolder[strings.ToLower(one(f))] {
				name = one(f)
			}
		}
		if in := newInEN.FindStringSubmatch(plain); in != nil && one(in) != name {
			up = one(in)
		}
	}
	switch {
	case name == "" || noFolder[strings.ToLower(name)]:
		return "", false
	case up != "" && !noFolder[strings.ToLower(up)]:
		return up + "/" + name, true
	}
	return name, true
}

// Tidy is what a request says of many files of a folder: which of them go where.
type Tidy struct {
	Folder, To string
	By         string // kind, month or year
	Kind       string // of file_tidy
	Name       string // a pattern of names
	Days       int    // at least so old
	MB         int    // at least so large
}

var (
	tidyKO   = lazyregexp.New(`정리|분류|나눠|나누어`)
	gatherKO = lazyregexp.New(`옮겨|옮기|이동|모아|넣어|보내|치워`)
	tidyEN   = lazyregexp.New(`(?i)\b(?:sort|organi[sz]e|tidy|declutter|clean up|group)\b`)
	gatherEN = lazyregexp.New(`(?i)\b(?:move|put|gather|collect|send)\b`)

	folderSaidKO = lazyregexp.New(nameKO + `\s?(?:폴더|디렉터리|디렉토리)(에서|에\s?있는|의|를|을|\s?안의|\s?속의|은|는|으로|로|에다가?|에)?`)
	homeKO       = lazyregexp.New(`(다운로드|내려받기|바탕\s?화면)(에서|에\s?있는|의|를|을|은|는|으로|로|에)?(?:\s|$)`)
	goalOnlyKO   = lazyregexp.New(`(?:"([^"]{1,80})"|'([^']{1,80})'|([^\s"',]{1,40}?))(?:으로|로|에다가?|에)\s+(?:모두\s|전부\s|다\s|싹\s|좀\s)*(?:옮겨|옮기|이동|모아|넣어|보내)`)
	goalTidyEN   = lazyregexp.New(`(?i)\b(?:to|into)\s+(?:the\s|my\s|a\s)?(?:folder\s(?:called\s|named\s)?)?` + nameEN + `(?:\s(?:folder|directory))?(?:\s+by\s.*|\s+please)?$`)
	sourceEN     = lazyregexp.New(`(?i)\b(?:in|from|inside)\s+(?:the\s|my\s)?` + nameEN)
	objectEN     = lazyregexp.New(`(?i)\b(?:sort|organi[sz]e|tidy(?: up)?|declutter|clean up|group)\s+(?:up\s)?(?:the\s|my\s)?(?:files\s(?:in|of)\s(?:the\s|my\s)?)?` + nameEN)

	byKind  = lazyregexp.New(`(?i)(?:종류|유형|형식|확장자|타입)\s?(?:별|대로|에\s?따라)|\bby (?:file )?(?:type|kind|extension|category|format)s?\b`)
	byMonth = lazyregexp.New(`(?i)(?:월|달|날짜)\s?별|\bby (?:month|date)s?\b`)
	byYear  = lazyregexp.New(`(?i)(?:연도|년도|해|년)\s?별|\bby years?\b`)

	ageSaid  = lazyregexp.New(`(?i)(\d+|한|두|세|석|네|넉|다섯|여섯|일|이|삼|육|반|a|an|one|two|three|six)\s?(년|해|개월|달|주일|주|일|years?|months?|weeks?|days?)\s?(?:이\s|도\s)?(?:넘|지난|지나|이상|된|보다|전|old|or older|ago)`)
	olderEN  = lazyregexp.New(`(?i)\bolder than (\d+|a|an|one|two|three|six) (years?|months?|weeks?|days?)\b`)
	sizeSaid = lazyregexp.New(`(?i)(\d+)\s?(mb|gb|메가바이트|메가|기가바이트|기가|megabytes?|gigabytes?)\s?(?:가\s|를\s)?(?:넘|이상|보다\s?큰|or (?:more|larger|bigger))|\b(?:larger|bigger|over|more) than (\d+)\s?(mb|gb)\b|\bover (\d+)\s?(mb|gb)\b`)
	globSaid = lazyregexp.New(`[\p{L}\p{N}_.*?-]*[*][\p{L}\p{N}_.*?-]*`)
	startKO  = lazyregexp.New(`(?:"([^"]{1,60})"|'([^']{1,60})'|([^\s"',]{1,40}?))(?:으로|로)\s시작하`)
	startEN  = lazyregexp.New(`(?i)\b(?:starting|beginning|that (?:start|begin)) with ` + nameEN)
	holdsKO  = lazyregexp.New(`이름에\s(?:"([^"]{1,60})"|'([^']{1,60})'|([^\s"',]{1,40}?))(?:이|가)?\s(?:들어|있|포함)`)
	endSaid  = lazyregexp.New(`(?i)(?:^|[^\p{L}\p{N}_.])(pdf|hwp|hwpx|docx?|xlsx?|pptx?|csv|txt|zip|jpe?g|png|gif|heic|mp3|mp4|mov|exe|apk|iso)(?:s|들)?(?:$|[^A-Za-z0-9_.])`)

	kindWords = []struct {
		kind string
		said *lazyregexp.Regexp
	}{
		{"screenshots", lazyregexp.New(`(?i)스크린\s?샷|화면\s?캡[처쳐]|캡[처쳐]|\bscreen\s?shots?\b|\bscreen captures?\b`)},
		{"tables", lazyregexp.New(`(?i)엑셀|스프레드시트|\bspreadsheets?\b|\bexcel\b`)},
		{"pictures", lazyregexp.New(`(?i)사진|이미지|그림|\bphotos?\b|\bpictures?\b|\bimages?\b`)},
		{"video", lazyregexp.New(`(?i)동영상|영상|비디오|\bvideos?\b|\bmovies\b`)},
		{"music", lazyregexp.New(`(?i)음악|노래|오디오|\bmusic\b|\bsongs\b|\baudio\b`)},
		{"archives", lazyregexp.New(`(?i)압축|\barchives?\b|\bzips\b`)},
		{"programs", lazyregexp.New(`(?i)설치\s?(?:파일|프로그램)|프로그램|\binstallers?\b|\bprograms?\b`)},
		{"documents", lazyregexp.New(`(?i)문서|\bdocuments?\b|\bdocs\b`)},
	}
	filesSaid = lazyregexp.New(`(?i)파일|\bfiles?\b|\beverything\b|전부|모두|다\s`)
)

// ReadTidy reads a request about many files: which folder, which of its files, and where they go.
func ReadTidy(said string) (t Tidy, ok bool) {
	plain := strings.TrimRight(phrase.Normalize(said), " .!?")
	if _, _, file := firstFile(globSaid.ReplaceAllString(plain, " ")); file != "" || len(plain) > 400 {
		return t, false
	}
	read := t.foldersEN
	if phrase.Korean(plain) {
		read = t.foldersKO
	}
	rest := read(plain)
	if bins[strings.ToLower(t.To)] || strings.Contains(plain, "휴지통") {
		return t, false
	}
	t.which(rest)
	t.By = sortedBy(plain)
	return t, t.whole(plain, rest)
}

// sortedBy is what files shall be sorted by; "" when it is not said.
func sortedBy(plain string) string {
	switch {
	case byYear.MatchString(plain):
		return "year"
	case byMonth.MatchString(plain):
		return "month"
	case byKind.MatchString(plain):
		return "kind"
	}
	return ""
}

// whole tells whether enough is said: which files are meant, and what they are sorted by or where they go.
func (t *Tidy) whole(plain, rest string) bool {
	sorts := tidyKO.MatchString(plain) || tidyEN.MatchString(plain)
	gathers := gatherKO.MatchString(plain) || gatherEN.MatchString(plain)
	which := t.Kind != "" || t.Name != "" || t.Days > 0 || t.MB > 0
	switch {
	case sorts && t.Folder != "" && t.Folder != t.To, sorts && t.By != "" && (which || filesSaid.MatchString(rest)):
		return true
	}
	return gathers && (t.To != "" || t.By != "") && (which || t.Folder != "" && filesSaid.MatchString(rest))
}

// foldersKO finds the folders, and gives the other words.
func (t *Tidy) foldersKO(plain string) string {
	rest := []byte(plain)
	take := func(name, how string) {
		how = strings.ReplaceAll(how, " ", "")
		goal := slices.Contains([]string{"로", "으로", "에다", "에다가"}, how)
		switch {
		case name == "" || noFolder[name]:
		case goal && t.To == "":
			t.To = name
		case how == "에" && t.Folder != "" && t.To == "":
			t.To = name
		case !goal && t.Folder == "":
			t.Folder = name
		}
	}
	for _, m := range folderSaidKO.FindAllStringSubmatchIndex(plain, 5) {
		take(strings.TrimSpace(group(plain, m[:8])), spanned(plain, m)[4])
		blank(rest, m[0], m[1])
	}
	for _, m := range homeKO.FindAllStringSubmatchIndex(string(rest), 3) {
		said := spanned(string(rest), m)
		take(strings.ReplaceAll(said[1], " ", ""), said[2])
		blank(rest, m[0], m[1])
	}
	if m := goalOnlyKO.FindStringSubmatchIndex(string(rest)); m != nil && t.To == "" {
		if name := strings.TrimSpace(group(string(rest), m)); !sortTail.MatchString(name) && !strings.HasSuffix(name, "별") && !noFolder[name] && name != "따" {
			t.To = name
			g := lastGroup(m)
			blank(rest, m[2*g], m[2*g+1])
		}
	}
	return string(rest)
}

// foldersEN finds the folders, and gives the other words.
func (t *Tidy) foldersEN(plain string) string {
	rest := []byte(plain)
	if m := goalTidyEN.FindStringSubmatchIndex(plain); m != nil {
		t.To = strings.TrimSpace(group(plain, m))
		blank(rest, m[0], m[1])
	}
	for _, re := range []*lazyregexp.Regexp{sourceEN, objectEN} {
		if m := re.FindStringSubmatchIndex(string(rest)); m != nil && t.Folder == "" {
			name := strings.TrimSpace(group(string(rest), m))
			low := strings.ToLower(name)
			plainly := re == sourceEN || homesEN[low] || strings.Contains(name, "/") || folderWord.MatchString(plain)
			saidSo := folderNext.MatchString(string(rest[m[1]:]))
			if (plainly || saidSo) && !noFolder[low] && (saidSo || !notFolders[low]) && !endSaid.MatchString(name) {
				t.Folder = name
				g := lastGroup(m)
				blank(rest, m[2*g], m[2*g+1])
			}
		}
	}
	return string(rest)
}

// homesEN are folders that every home has, and that nobody needs to call a folder.
var (
	homesEN    = wordlist.Of(`downloads download documents desktop pictures photos videos movies music`)
	folderNext = lazyregexp.New(`(?i)^\s?(?:folder|directory)\b`)
	folderWord = lazyregexp.New(`(?i)\b(?:folder|directory|files)\b`)
)

// notFolders are words behind sort or in that name no folder.
var notFolders = wordlist.Of(`files file everything pictures photos images screenshots videos music songs documents docs archives programs installers spreadsheets it them these those things by list lists total todo todos notes note mail emails
	bulk order groups alphabetical to-do out up`)

func blank(b []byte, from, to int) {
	for i := from; i < to; i++ {
		b[i] = ' '
	}
}

// which finds what is said of the files.
func (t *Tidy) which(rest string) {
	t.Name = namePattern(rest)
	for _, k := range kindWords {
		if t.Kind == "" && t.Name == "" && k.said.MatchString(rest) {
			t.Kind = k.kind
		}
	}
	for _, re := range []*lazyregexp.Regexp{ageSaid, olderEN} {
		if m := re.FindStringSubmatch(rest); m != nil && t.Days == 0 {
			t.Days = days(m[1], m[2])
		}
	}
	if m := sizeSaid.FindStringSubmatch(rest); m != nil {
		n, unit := "", ""
		for i := 1; i < len(m); i += 2 {
			if m[i] != "" {
				n, unit = m[i], strings.ToLower(m[i+1])
			}
		}
		t.MB, _ = strconv.Atoi(n)
		if strings.HasPrefix(unit, "g") || strings.HasPrefix(unit, "기가") {
			t.MB *= 1000
		}
	}
}

// namePattern is how the files' names look: how they begin, what they hold, a pattern as it was said, or how they end.
func namePattern(rest string) string {
	for _, re := range []*lazyregexp.Regexp{startKO, startEN} {
		if m := re.FindStringSubmatch(rest); m != nil {
			return one(m) + "*"
		}
	}
	if m := holdsKO.FindStringSubmatch(rest); m != nil {
		return "*" + one(m) + "*"
	}
	if g := globSaid.FindString(rest); g != "" {
		return g
	}
	if m := endSaid.FindStringSubmatch(rest); m != nil {
		return "*." + strings.ToLower(m[1])
	}
	return ""
}

// days are a span of time in days, as a calendar has them on average.
func days(n, unit string) int {
	count := cmp.Or(koreanCount(n), englishCount(strings.ToLower(n)))
	switch unit = strings.ToLower(unit); {
	case unit == "년" || unit == "해" || strings.HasPrefix(unit, "year"):
		return count * 365
	case unit == "달" || unit == "개월" || strings.HasPrefix(unit, "month"):
		return count * 30
	case unit == "주" || unit == "주일" || strings.HasPrefix(unit, "week"):
		return count * 7
	}
	return min(count, 36500)
}
