// Package names says which names there are. A manual says of a parameter what it names (x-names in its schema: a place, a song),
// and the room that keeps things of that kind says whether there is one that is called so, and which come nearest.
package names

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/hangul"
)

// The kinds of names that the shop's own rooms keep.
const (
	Place = "place"
	Song  = "song"
	Movie = "movie"
	Note  = "note"
	Shelf = "shelf"
)

// Room keeps things of one kind. Both only read, return promptly and are safe for concurrent use.
type Room interface {
	// Knows tells whether something is called so.
	Knows(name string) bool
	// Near gives what there is that is called about so, the nearest first; few, and none that is far.
	Near(name string, lang bilingual.Lang) []string
}

// Rooms are the rooms by the kind they keep. Of a kind that no room keeps, every name counts as known.
type Rooms map[string]Room

// Knows tells whether something of a kind is called so.
func (r Rooms) Knows(kind, name string) bool {
	room, kept := r[kind]
	return !kept || room.Knows(name)
}

// Unknown is an argument that names nothing there is.
type Unknown struct {
	Param, Value string
	Called       bilingual.Text // what the manual calls the parameter
	Near         []string
}

// Unknown gives the first argument, by its key, that names nothing there is; ok is false when all do.
func (r Rooms) Unknown(schema, args json.RawMessage, lang bilingual.Lang) (u Unknown, ok bool) {
	var manual struct {
		Properties map[string]struct {
			Kind   string         `json:"x-names"`
			Called bilingual.Text `json:"x-name"`
		} `json:"properties"`
	}
	var values map[string]any
	if json.Unmarshal(schema, &manual) != nil || json.Unmarshal(args, &values) != nil {
		return u, false
	}
	for _, param := range slices.Sorted(maps.Keys(values)) {
		p := manual.Properties[param]
		if name, text := values[param].(string); text && name != "" && !r.Knows(p.Kind, name) {
			return Unknown{Param: param, Value: name, Called: p.Called, Near: r[p.Kind].Near(name, lang)}, true
		}
	}
	return u, false
}

// Question says which name nobody knows and which come nearest, and asks for another.
func (u Unknown) Question(lang bilingual.Lang) string {
	question := bilingual.Say(lang, "%[2]s 제가 아는 %[3]s 아니에요. 어느 %[1]s인가요?", "I know no %[1]s called “%[4]s”. Which one do you mean?",
		u.Called.In(lang), hangul.With("‘"+u.Value+"’", "은", "는"), hangul.With(u.Called.KO, "이", "가"), u.Value)
	if len(u.Near) > 0 {
		question += bilingual.Say(lang, " 비슷한 이름: %s", " Nearest: %s", strings.Join(u.Near, ", "))
	}
	return question
}
