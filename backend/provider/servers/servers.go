// Package servers is the list of model servers that a person wrote down: which there are, in which order they are asked, and which of
// them only stand in.
package servers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/strictjson"
)

// Most is how many servers the list may have.
const Most = 32

// mostName is how long a name may be, in characters; mostModel how long a model's name may be.
const (
	mostName  = 40
	mostModel = 200
)

// listText bounds the JSON text of the list.
var listText = strictjson.Limits{Bytes: 64 << 10, Depth: 4}

// Kind is the API that a server speaks.
type Kind string

// The kinds of servers.
const (
	KindOllama Kind = "ollama"
	KindOpenAI Kind = "openai"
)

// Server is one model server. Those called "ollama" and "openai" are the ones whose address and model are settings of their own: in the
// list they have only their place, and whether they are off or spare.
type Server struct {
	Name     string `json:"name"`
	Kind     Kind   `json:"kind,omitempty"`
	Address  string `json:"address,omitempty"`
	Model    string `json:"model,omitempty"`    // "": the server's own choice
	Parallel int    `json:"parallel,omitempty"` // requests at once; 0: as is usual for its kind
	Spare    bool   `json:"spare,omitempty"`    // it is asked only while none of the others is well
	Off      bool   `json:"off,omitempty"`
}

// Settled tells whether a server's address and model are settings of their own.
func (s Server) Settled() bool { return Settled(s.Name) }

// Settled tells whether the server of a name has settings of its own for its address and model.
func Settled(name string) bool { return name == string(KindOllama) || name == string(KindOpenAI) }

// Parse reads the list, by code and strictly. address checks the address of a server of a kind, and gives it as it is kept.
func Parse(text []byte, address func(Kind, string) (string, error)) ([]Server, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	var list []Server
	err := strictjson.DecodeKnown(text, &list, listText)
	switch {
	case err != nil:
		return nil, bilingual.WrongOf(fmt.Sprintf("모델 서버의 JSON 목록이어야 해요 (%v)", err), fmt.Sprintf("it should be a JSON list of model servers (%v)", err))
	case len(list) > Most:
		return nil, bilingual.WrongOf(fmt.Sprintf("모델 서버는 %d대까지예요", Most), fmt.Sprintf("at most %d model servers", Most))
	}
	for i := range list {
		s := &list[i]
		s.Name, s.Model = strings.TrimSpace(s.Name), strings.TrimSpace(s.Model)
		if err := CheckName(s.Name); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list[:i], func(o Server) bool { return strings.EqualFold(o.Name, s.Name) }) {
			return nil, bilingual.WrongOf("이름이 같은 서버가 있어요: "+s.Name, "two servers have the same name: "+s.Name)
		}
		switch {
		case s.Settled():
			s.Kind, s.Address, s.Model, s.Parallel = "", "", "", 0
			continue
		case s.Kind != KindOllama && s.Kind != KindOpenAI:
			return nil, bilingual.WrongOf("종류는 ollama나 openai예요: "+s.Name, "a server's kind is ollama or openai: "+s.Name)
		case utf8.RuneCountInString(s.Model) > mostModel || strings.ContainsFunc(s.Model, unicode.IsControl):
			return nil, bilingual.WrongOf("모델 이름이 너무 길어요: "+s.Name, "the model's name is too long: "+s.Name)
		case s.Parallel < 0 || s.Parallel > 64:
			return nil, bilingual.WrongOf("한 번에 보내는 편지는 64통까지예요: "+s.Name, "at most 64 letters at once: "+s.Name)
		}
		if s.Address, err = address(s.Kind, s.Address); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// CheckName says what is wrong with the name of a server; nil: nothing is. Models are named server/model, and roles list servers with commas.
func CheckName(name string) error {
	switch {
	case name == "":
		return bilingual.WrongOf("서버에 이름을 붙여 주세요", "give the server a name")
	case utf8.RuneCountInString(name) > mostName:
		return bilingual.WrongOf(fmt.Sprintf("이름은 %d자까지예요", mostName), fmt.Sprintf("a name has at most %d characters", mostName))
	case name == "auto" || name == "builtin":
		return bilingual.WrongOf("그 이름은 이미 쓰고 있어요: "+name, "that name is taken: "+name)
	case strings.ContainsAny(name, "/,") || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return bilingual.WrongOf("이름에는 빗금과 쉼표를 쓸 수 없어요: "+name, "a name has no slash and no comma: "+name)
	}
	return nil
}

// Encode writes the list.
func Encode(list []Server) string {
	if len(list) == 0 {
		return "[]"
	}
	text, err := json.Marshal(list)
	if err != nil { // texts, numbers and bools always encode
		return "[]"
	}
	return string(text)
}

// Named are the names of a list that is written with commas.
func Named(text string) (names []string) {
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// All is the list as it is used: the servers that have settings of their own stand in it, too, where it does not name them. What is set as the
// provider ("ollama", "openai") stands first and is on. The OpenAI-compatible one is off unless it was chosen or listed: it may cost money.
func All(list []Server, chosen string) []Server {
	all := slices.Clone(list)
	named := func(name string) int {
		return slices.IndexFunc(all, func(s Server) bool { return s.Name == name })
	}
	if named(string(KindOllama)) < 0 {
		all = slices.Insert(all, 0, Server{Name: string(KindOllama)})
	}
	if named(string(KindOpenAI)) < 0 {
		all = append(all, Server{Name: string(KindOpenAI), Off: true})
	}
	if i := named(chosen); i >= 0 {
		first := all[i]
		first.Off, first.Spare = false, false
		all = slices.Insert(slices.Delete(all, i, i+1), 0, first)
	}
	for i := range all {
		if all[i].Settled() {
			all[i].Kind = Kind(all[i].Name)
		}
	}
	return all
}
