package config

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ToolOverride is what a person changed about one tool. nil leaves the tool's own value.
type ToolOverride struct {
	Capacity *int    `json:"capacity,omitempty"` // 0: infinite
	Group    *string `json:"group,omitempty"`    // "": no group
	Confirm  *string `json:"confirm,omitempty"`  // never, first or always
	Enabled  *bool   `json:"enabled,omitempty"`  // nobody uses a tool that is off
}

const (
	toolFamily  = "tools"
	groupFamily = "groups"
)

// ToolKey is the key of one property of a tool: capacity, group, confirm or enabled.
func ToolKey(tool, property string) string { return toolFamily + "." + tool + "." + property }

// GroupKey is the key of a group's capacity.
func GroupKey(group string) string { return groupFamily + "." + group + ".capacity" }

// isName keeps dots out of names, so that a key splits in one way only.
func isName(name string) bool {
	for i, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && (i == 0 || !strings.ContainsRune("_:/ -", r)) {
			return false
		}
	}
	return name != "" && utf8.RuneCountInString(name) <= 128
}

// splitKey takes "tools.nav.capacity" apart. ok is false for keys outside the three families.
func splitKey(key string) (family, name, property string, ok bool) {
	family, rest, _ := strings.Cut(key, ".")
	name, property, _ = strings.Cut(rest, ".")
	ok = (family == toolFamily || family == groupFamily || family == roleFamily) && isName(name) && property != ""
	return family, name, property, ok
}

// ToolOf names the tool that a key belongs to.
func ToolOf(key string) (string, bool) {
	family, name, _, ok := splitKey(key)
	return name, ok && family == toolFamily
}

// override is the row of a key that belongs to one tool, group or role, made when it is asked for.
func override(key string) (setting, bool) {
	family, name, property, ok := splitKey(key)
	if !ok {
		return setting{}, false
	}
	if family == roleFamily {
		return roleSetting(key, name, property)
	}
	var row setting
	switch family + "." + property {
	case "tools.capacity":
		row = integer(key, 0, 0, 1000).
			named(name+" 개수", name+": how many").
			helped("동시에 쓸 수 있는 개수예요. 0이면 제한이 없어요.", "How many can be in use at once; 0 means no limit.")
	case "tools.group":
		row = setting{key: key, typ: TypeText, check: groupName}.
			named(name+" 그룹", name+": group").
			helped("같은 그룹의 공구는 함께 잠겨요. 비우면 그룹이 없어요.", "Tools of one group lock together. Empty: no group.")
	case "tools.confirm":
		row = choice(key, "", "never", "first", "always").
			named(name+" 승인", name+": approval").
			helped("쓰기 전에 물어볼지 정해요: 묻지 않기, 대화마다 처음 한 번, 매번.", "Whether to ask before use: never, first time in a chat, always.")
	case "tools.enabled":
		row = setting{key: key, typ: TypeBool, check: yesNo}.
			named(name+" 켜기", name+": on").
			helped("끄면 통역가가 이 공구를 고를 수 없고, 하려던 일은 알리고 그만둬요.", "While it is off, the interpreter cannot choose it, and a step that was to use it ends and says so.")
	case "groups.capacity":
		row = integer(key, 0, 1, 1000).
			named(name+" 그룹 개수", name+": group size").
			helped("이 그룹에서 동시에 쓸 수 있는 공구의 수예요.", "How many tools of this group can be in use at once.")
	default:
		return setting{}, false
	}
	row.initial = nil // the tool's own value, which only the toolbox knows
	row.env = []string{envName(key)}
	return row, true
}

func groupName(raw any) (any, problem) {
	s, ok := raw.(string)
	s = strings.TrimSpace(s)
	if !ok || (s != "" && !isName(s)) {
		return nil, say("점(.)이 없는 짧은 이름을 넣어 주세요", "it should be a short name without dots")
	}
	return s, nil
}
