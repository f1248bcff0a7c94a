package config

import (
	"strings"
	"time"

	"github.com/knadh/koanf/v2"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider/servers"
)

// RoleOverride is what a person changed about one role of the interpreter. nil leaves the role's own value.
type RoleOverride struct {
	Model       *string        // "": the model that is set for all
	Temperature *float64       // 0: exact, 2: wild
	MaxTokens   *int           // the longest answer; 0: the service's limit
	Timeout     *time.Duration // for a whole answer; 0: none
	Servers     []string       // the servers that are asked first, in this order; none: in the order of all
	Retries     *int           // further tries of a call that failed at once
}

const roleFamily = "roles"

// roleNames are the roles of the interpreter, with their titles, in the order of a turn.
var roleNames = []struct {
	role  string
	title bilingual.Text
}{
	{"planner", bilingual.Of("계획", "Planner")},
	{"intent", bilingual.Of("의도 파악", "Intent")},
	{"slot", bilingual.Of("빈칸 채우기", "Slot filling")},
	{"tool_chooser", bilingual.Of("공구 고르기", "Tool chooser")},
	{"solver", bilingual.Of("풀이", "Solver")},
	{"librarian", bilingual.Of("사서", "Librarian")},
	{"summarizer", bilingual.Of("요약", "Summarizer")},
	{"reporter", bilingual.Of("보고", "Reporter")},
	{"responder", bilingual.Of("문서 답변", "Document answers")},
	{"prompt", bilingual.Of("프롬프트 답변", "Prompt answers")},
}

// RoleKey is the key of one property of a role: model, servers, temperature, max_tokens, timeout or retries.
func RoleKey(role, property string) string { return roleFamily + delim + role + delim + property }

// Roles lists the roles of the interpreter that have settings, in the order of a turn.
func Roles() []string {
	names := make([]string, len(roleNames))
	for i, r := range roleNames {
		names[i] = r.role
	}
	return names
}

// RoleTitle names a role for people; the role itself when it has no settings.
func RoleTitle(role string) bilingual.Text {
	for _, r := range roleNames {
		if r.role == role {
			return r.title
		}
	}
	return bilingual.Of(role, role)
}

// roleSetting is the row of one property of a role.
func roleSetting(key, role, property string) (setting, bool) {
	title := RoleTitle(role)
	if title == bilingual.Of(role, role) {
		return setting{}, false
	}
	var row setting
	switch property {
	case "model":
		row = setting{key: key, typ: TypeText, check: line(200)}.
			named(title.KO+" 모델", title.EN+": model").
			helped("이 역할을 맡는 모델이에요. 비우면 모두가 쓰는 모델이에요. 서버 이름을 앞에 붙이면(서버/모델) 그 서버에서만 써요.", "The model of this role. Empty: the one set for all. With a server before it (server/model) it is meant on that server alone.")
	case "servers":
		row = setting{key: key, typ: TypeText, check: serverNames}.
			named(title.KO+" 서버", title.EN+": servers").
			helped("이 역할의 편지를 먼저 받을 서버예요. 쉼표로 이어 차례대로 적어요. 비우면 서버 목록의 순서를 따라요.", "The servers that get this role's letters first, in order, with commas between them. Empty: the order of the list of servers.")
	case "temperature":
		row = setting{key: key, typ: TypeNumber, check: number(0, 2), minimum: 0, maximum: 2}.
			named(title.KO+" 온도", title.EN+": temperature").
			helped("낮으면 또박또박, 높으면 자유롭게 답해요.", "Low answers exactly, high answers freely.")
	case "max_tokens":
		row = integer(key, 0, 0, 1<<17).
			named(title.KO+" 답 길이", title.EN+": longest answer").
			helped("답 하나의 최대 토큰 수예요. 0이면 서버가 정해요.", "The most tokens of one answer; 0: as the server decides.")
	case "timeout":
		row = integer(key, 0, 0, 24*60*60).
			named(title.KO+" 제한 시간", title.EN+": time limit").
			helped("답 하나를 기다리는 시간(초)이에요. 0이면 제한이 없어요.", "How long one whole answer may take, in seconds; 0: no limit.")
	case "retries":
		row = integer(key, 0, 0, 10).
			named(title.KO+" 재시도", title.EN+": retries").
			helped("답이 오기 전에 실패하면 다시 보내는 횟수예요.", "How often a letter that failed at once is sent again.")
	default:
		return setting{}, false
	}
	row.initial = nil // the role's own value, which only the provider knows
	row.env = []string{envName(key)}
	return row, true
}

func roleOverride(k *koanf.Koanf, role string) RoleOverride {
	return RoleOverride{
		Model:       given(k, RoleKey(role, "model"), func(key string) string { return strings.TrimSpace(k.String(key)) }),
		Servers:     servers.Named(k.String(RoleKey(role, "servers"))),
		Temperature: given(k, RoleKey(role, "temperature"), k.Float64),
		MaxTokens:   given(k, RoleKey(role, "max_tokens"), k.Int),
		Timeout:     given(k, RoleKey(role, "timeout"), func(key string) time.Duration { return time.Duration(k.Int(key)) * time.Second }),
		Retries:     given(k, RoleKey(role, "retries"), k.Int),
	}
}
