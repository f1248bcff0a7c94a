package config

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider/servers"
)

// modelServers takes the list of model servers.
var modelServers = listOf(say("모델 서버의 JSON 목록이어야 해요", "it should be a JSON list of model servers"), func(text []byte) (string, error) {
	list, err := servers.Parse(text, serverAddress)
	return servers.Encode(list), err
})

// serverAddress is the address of a server as it is kept.
func serverAddress(kind servers.Kind, typed string) (string, error) {
	take := check(ollamaAddress)
	if kind == servers.KindOpenAI {
		take = address
		if typed = strings.TrimSpace(typed); typed == "" {
			return "", bilingual.WrongOf("서버가 있는 주소를 넣어 주세요", "it needs the address of the server")
		}
	}
	kept, wrong := take(typed)
	if wrong != nil {
		return "", bilingual.Wrong{Text: *wrong}
	}
	return kept.(string), nil //nolint:forcetypeassert // an address is text
}

// serverNames takes names with commas between them.
func serverNames(raw any) (any, problem) {
	text, ok := raw.(string)
	if !ok || utf8.RuneCountInString(text) > 2000 || strings.ContainsFunc(text, unicode.IsControl) {
		return nil, say("서버 이름을 쉼표로 이어 적어 주세요", "it should be names of servers with commas between them")
	}
	return strings.Join(servers.Named(text), ", "), nil
}
