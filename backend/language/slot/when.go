package slot

import (
	"strings"

	"agentchat/backend/lazyregexp"
)

// Condition is what a text says of what must happen for something to be done: a file arrives or changes in a folder, one file does, or
// something that is called Noun ends. The folder is as the text has it.
type Condition struct {
	Folder           string
	File             string   // the one file that is meant, by its name; its folder may be unsaid
	Endings          []string // of the files' names; none: any file
	Arrives, Changes bool

	Noun string

	span [2]int
}

// OfFiles tells whether it speaks of files.
func (c Condition) OfFiles() bool { return c.Folder != "" || c.File != "" }

// Rest is the text without the condition: what is to be done.
func (c Condition) Rest(text string) string {
	return Recurrence{spans: [][2]int{c.span}}.Rest(text)
}

// Said is the condition as the text has it.
func (c Condition) Said(text string) string { return text[c.span[0]:c.span[1]] }

// endings are what files of a kind are named.
var endings = []struct {
	word    *lazyregexp.Regexp
	endings []string
}{
	{lazyregexp.New(`pdf`), []string{".pdf"}},
	{lazyregexp.New(`사진|그림|이미지|photo|picture|image`), []string{".jpg", ".jpeg", ".png", ".gif", ".webp", ".heic"}},
	{lazyregexp.New(`영상|동영상|비디오|video`), []string{".mp4", ".mov", ".mkv", ".webm", ".avi"}},
	{lazyregexp.New(`엑셀|excel|spreadsheet`), []string{".xlsx", ".xls", ".csv"}},
	{lazyregexp.New(`워드|word`), []string{".docx", ".doc"}},
	{lazyregexp.New(`한글|hwp`), []string{".hwp", ".hwpx"}},
	{lazyregexp.New(`txt`), []string{".txt"}},
	{lazyregexp.New(`텍스트|text`), []string{".txt", ".md"}},
	{lazyregexp.New(`csv`), []string{".csv"}},
	{lazyregexp.New(`압축|zip`), []string{".zip"}},
}

const (
	koKinds  = `(?:(pdf|사진|그림|이미지|동영상|영상|비디오|엑셀|워드|한글|hwp|텍스트|txt|csv|압축|zip)\s?)?`
	koFile   = `(?:(?:새|새로운|어떤|다른)\s?)?` + koKinds + `(?:파일|문서|자료|것|게|거)?(?:이|가)?\s*(?:하나\s*|새로\s*|또\s*)?`
	koComes  = `(?:들어\s?오|올라\s?오|내려\s?오|도착하|생기|추가되|저장되|다운로드되|나타나|오)`
	koAlters = `(?:바뀌|변경되|수정되|고쳐지|업데이트되|달라지)`
	koIf     = `(?:면|거든|는\s?대로|자마자|을\s?때마다|를\s?때마다|ㄹ\s?때마다)`
	koEnds   = `(?:끝나|울리|완료되|마치|다\s?되)`

	// What a verb becomes before 때마다: 오다 is 올 때마다.
	koComesEach  = `(?:들어올|올라올|내려올|도착할|생길|추가될|저장될|다운로드될|나타날|올)\s?때(?:마다|면)?`
	koAltersEach = `(?:바뀔|변경될|수정될|고쳐질|업데이트될|달라질)\s?때(?:마다|면)?`
	koEndsEach   = `(?:끝날|울릴|완료될|마칠|다\s?될)\s?때(?:마다|면)?`

	// A name with an ending, as nothing else is written.
	aFile = `([^\s,'"]*[^\s,'".]\.[a-z][a-z0-9]{0,7})`

	enWhen   = `(?:when|whenever|every time|each time|any time|as soon as|if|once)\s+`
	enKinds  = `(?:(pdf|photo|picture|image|video|excel|spreadsheet|word|hwp|text|txt|csv|zip)s?\s?)?`
	enFile   = `(?:(?:a|an|any|the|some|another|new)\s+)*` + enKinds + `(?:files?|documents?|something(?:\s+new)?|downloads?)?\s*`
	enComes  = `(?:arrives?|comes?(?:\s+in)?|appears?|lands?|shows?\s+up|(?:is|are|gets?)\s+(?:added|saved|downloaded|created|put))`
	enAlters = `(?:changes?|(?:is|are|gets?)\s+(?:changed|modified|updated|edited))`
	enIn     = `(?:in|into|to|inside|within)\s+`
	enEnds   = `(?:ends?|finish(?:es)?|rings?|goes\s+off|is\s+(?:over|done|up|finished)|stops\s+playing|completes?)`
)

// The groups: 1 the span, 2 the folder, 3 the kind of file, 4 arrives, 5 changes; the noun is a group of its own.
var (
	koFiles = lazyregexp.New(`(?:^|[\s,.!?])((\S+?(?:/\S+?)*(?:\s\S+?)?)\s?(?:폴더|디렉토리|디렉터리)?\s?(?:안)?(?:에서|에|의|으로|로)\s+` + koFile +
		`(?:(` + koComes + `(?:거나\s?` + koAlters + `)?` + koIf + `|` + koComesEach + `)|(` + koAlters + koIf + `|` + koAltersEach + `)))(?:$|[\s,.!?])`)
	koNamed = lazyregexp.New(`(?:^|[\s,.!?])((?:(\S+)\s?(?:폴더|디렉토리|디렉터리)\s?(?:안)?(?:에서|에\s?있는|에|의)\s+)?` + aFile + `(?:\s?파일)?(?:이|가)?\s*(?:새로\s*|또\s*)?` +
		`(?:(` + koComes + `(?:거나\s?` + koAlters + `)?` + koIf + `|` + koComesEach + `)|(` + koAlters + koIf + `|` + koAltersEach + `)))(?:$|[\s,.!?])`)
	koEnded = lazyregexp.New(`(?:^|[\s,.!?])((\S+(?:\s\S+)?)(?:이|가)?\s+(?:다\s?)?(?:` + koEnds + koIf + `|` + koEndsEach + `))(?:$|[\s,.!?])`)

	enFiles = lazyregexp.New(`(?:^|[\s,.!?])(` + enWhen + enFile + `(?:(` + enComes + `(?:\s+or\s+` + enAlters + `)?)|(` + enAlters + `))\s+` + enIn +
		`(?:(?:my|the|our)\s+)?([^,]+?)(?:\s+(?:folder|directory))?)(?:$|,|\s+(?:folder|directory)\s*,?\s)`)
	// Without a comma behind it the folder is one word.
	enFilesBare = lazyregexp.New(`(?:^|[\s,.!?])(` + enWhen + enFile + `(?:(` + enComes + `(?:\s+or\s+` + enAlters + `)?)|(` + enAlters + `))\s+` + enIn +
		`(?:(?:my|the|our)\s+)?([^\s,]+)(?:\s+(?:folder|directory))?)\s`)
	enFilesIn = lazyregexp.New(`(?:^|[\s,.!?])(` + enWhen + enFile + enIn + `(?:(?:my|the|our)\s+)?(\S+)(?:\s+(?:folder|directory))?\s+(?:(` + enComes + `)|(` + enAlters + `)))(?:$|[\s,.!?])`)
	enNamed   = lazyregexp.New(`(?:^|[\s,.!?])(` + enWhen + `(?:the\s+|my\s+)?(?:file\s+)?` + aFile + `(?:\s+file)?(?:\s+` + enIn + `(?:(?:my|the|our)\s+)?(\S+)(?:\s+(?:folder|directory))?)?\s+` +
		`(?:(` + enComes + `(?:\s+or\s+` + enAlters + `)?)|(` + enAlters + `)))(?:$|[\s,.!?])`)
	enEnded = lazyregexp.New(`(?:^|[\s,.!?])(` + enWhen + `(?:(?:a|an|the|my|any|some)\s+)*([a-z]+(?:\s[a-z]+)?)\s+` + enEnds + `)(?:$|[\s,.!?])`)
)

// When reads what a text says of what must happen for something to be done, again and again; ok is false when it says nothing of it. What
// stands in quotation marks is not read.
func When(text string) (c Condition, ok bool) {
	read := Read(text)
	s := withoutQuotes(read.Text)
	for _, way := range []struct {
		re                           *lazyregexp.Regexp
		folder, kind, comes, changes int
		noun, file                   int
	}{
		{koNamed, 2, 0, 4, 5, 0, 3},
		{enNamed, 3, 0, 4, 5, 0, 2},
		{koFiles, 2, 3, 4, 5, 0, 0},
		{enFiles, 5, 2, 3, 4, 0, 0},
		{enFilesBare, 5, 2, 3, 4, 0, 0},
		{enFilesIn, 3, 2, 4, 5, 0, 0},
		{koEnded, 0, 0, 0, 0, 2, 0},
		{enEnded, 0, 0, 0, 0, 2, 0},
	} {
		m := way.re.FindStringSubmatchIndex(s)
		if m == nil || strings.Contains(s[m[2]:m[3]], "\x00") {
			continue
		}
		if way.re == enFiles && strings.TrimSpace(s[:m[2]]+s[m[3]:]) == "" {
			continue // all of it would be the folder's name
		}
		group := spanned(s, m)
		group[0] = "" // what a way has no group for
		c.span[0], c.span[1] = read.Span(m[2], m[3])
		if way.noun > 0 {
			c.Noun = afterNoun.ReplaceAllString(group[way.noun], "")
			return c, true
		}
		said := func(n int) string {
			if group[n] == "" {
				return ""
			}
			from, to := read.Span(m[2*n], m[2*n+1])
			return text[from:to]
		}
		c.Folder, c.File = afterFolder.ReplaceAllString(said(way.folder), ""), said(way.file)
		comes, changes := group[way.comes], group[way.changes]
		c.Arrives, c.Changes = comes != "", changes != "" || alters.MatchString(comes)
		for _, e := range endings {
			if kind := group[way.kind]; kind != "" && e.word.MatchString(kind) {
				c.Endings = e.endings
				break
			}
		}
		return c, true
	}
	return c, false
}

var (
	alters      = lazyregexp.New(koAlters + `|` + enAlters)
	afterNoun   = lazyregexp.New(`(?:이|가)$|\s+$`)
	afterFolder = lazyregexp.New(`(?i)\s*(?:폴더|디렉토리|디렉터리|\sfolder|\sdirectory)?\s*$`)
)

// The folder that something is to be from now on.
var (
	koToFolder = lazyregexp.New(`(?:^|\s)(\S+)\s?(?:폴더|디렉토리|디렉터리)로(?:$|[\s,.!?])`)
	enToFolder = lazyregexp.New(`(?:^|\s)(?:to|into)\s+(?:(?:my|the|our)\s+)?(\S+)\s+(?:folder|directory)(?:$|[\s,.!?])`)
)

// ToFolder reads which folder a text says something is to be from now on, and gives the rest of the text; ok is false when it says none.
func ToFolder(text string) (folder, rest string, ok bool) {
	read := Read(text)
	for _, re := range []*lazyregexp.Regexp{koToFolder, enToFolder} {
		if m := re.FindStringSubmatchIndex(read.Text); m != nil {
			from, to := read.Span(m[2], m[3])
			_, end := read.Span(m[0], m[1])
			begin, _ := read.Span(m[0], m[1])
			return text[from:to], text[:begin] + " " + text[end:], true
		}
	}
	return "", text, false
}
