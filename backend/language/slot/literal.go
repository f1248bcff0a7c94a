package slot

import (
	"strings"
	"unicode/utf8"

	"agentchat/backend/language/phrase"
	"agentchat/backend/lazyregexp"
)

// Address and Command read what is meant to the letter, from the words as they were typed: nothing is normalised.

var (
	addressed = lazyregexp.New(`(?i)(?:https?://[^\s"'<>“”‘’「」\x60]+|www\.[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:/[^\s"'<>“”‘’「」\x60]*)?)`)
	clinging  = []string{"에서", "으로", "에는", "로", "을", "를", "은", "는", "의", "에", "이", "가", "랑", "과", "와", "도"}
)

// Address finds the one web address in a text, and the text without it. Where there are two, none is meant.
func Address(text string) (address, rest string, ok bool) {
	found := addressed.FindAllStringIndex(text, 2)
	if len(found) != 1 {
		return "", "", false
	}
	from, to := found[0][0], found[0][1]
	address = strings.TrimRight(text[from:to], ".,;:!?…")
	for strings.HasSuffix(address, ")") && strings.Count(address, ")") > strings.Count(address, "(") {
		address = strings.TrimSuffix(address, ")")
	}
	for _, p := range clinging { // a particle of a Korean sentence, not of an address in Korean
		if bare, cut := strings.CutSuffix(address, p); cut && bare != "" {
			if last, _ := utf8.DecodeLastRuneInString(bare); last < utf8.RuneSelf {
				address = bare
				break
			}
		}
	}
	return address, text[:from] + " □ " + text[from+len(address):], true
}

var commands = []*lazyregexp.Regexp{
	lazyregexp.New(`(?is)^\s*(?:지금\s+|좀\s+)?(?:리눅스\s+)?(?:셸|쉘|터미널|콘솔|명령\s?창|shell|terminal|bash)(?:\s?창)?(?:에서|에다가|에다|에|로|으로)\s+(.+?)(?:\s*(?:명령어?)?\s*(?:을|를|이라고|라고)?\s*)(?:한번\s+|좀\s+)?(?:실행|돌려|쳐|입력해)\s?(?:해|해줘|해\s?주세요|해\s?줄래|해봐|시켜줘|시켜|줘|주세요|봐|부탁해|부탁해요)?[\s.!?~]*$`),
	lazyregexp.New(`(?is)^\s*(?:셸|쉘|터미널|shell)\s*(?:명령어?|커맨드)\s*[:：]?\s+(.+?)\s*(?:을|를)?\s*(?:실행|돌려)\s?(?:해|해줘|해\s?주세요|해봐|줘|주세요|봐)?[\s.!?~]*$`),
	lazyregexp.New(`(?is)^\s*[\x60"'](.+)[\x60"']\s*(?:이라는|라는)?\s*(?:셸|쉘|터미널)?\s*(?:명령어?|커맨드)(?:을|를)?\s*(?:좀\s+)?(?:실행|돌려)\s?(?:해|해줘|해\s?주세요|해봐|줘|주세요|봐)?[\s.!?~]*$`),
	lazyregexp.New(`(?is)^\s*(?:please\s+|can you\s+|could you\s+)?(?:run|execute)\s+(.+?)\s+(?:in|on|from)\s+(?:the |a |my )?(?:shell|terminal|command line|console|bash)(?:\s+please|\s+for me)?[\s.!?]*$`),
	lazyregexp.New(`(?is)^\s*(?:please\s+|can you\s+|could you\s+)?(?:in|on) (?:the |a |my )?(?:shell|terminal|command line|console),?\s+(?:please\s+)?(?:run|execute)\s+(.+?)\s*$`),
	lazyregexp.New(`(?is)^\s*(?:please\s+|can you\s+|could you\s+)?(?:run|execute) (?:the |this )?(?:shell|terminal) command:?\s+(.+?)\s*$`),
}

// Command finds the shell command that a text asks to run: 셸에서 ls -l 실행해줘 is "ls -l". The text must say that a shell is meant.
func Command(text string) (string, bool) {
	if utf8.RuneCountInString(text) > phrase.MaxRunes || strings.ContainsRune(text, 0) {
		return "", false
	}
	for _, pattern := range commands {
		m := pattern.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		command := strings.TrimSpace(m[1])
		for _, q := range []string{"`", `"`, "'"} {
			if len(command) > 2 && strings.HasPrefix(command, q) && strings.HasSuffix(command, q) && strings.Count(command, q) == 2 {
				command = strings.TrimSpace(command[1 : len(command)-1])
			}
		}
		return command, command != ""
	}
	return "", false
}
