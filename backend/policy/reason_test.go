package policy_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

func tools() []toolbox.Spec {
	tool := func(key, ko, en, params string) toolbox.Spec {
		return toolbox.Spec{Key: key, Title: bilingual.Of(ko, en), Params: json.RawMessage(params)}
	}
	return []toolbox.Spec{
		tool("calculator", "계산기", "Calculator", `{"properties":{"expression":{"x-name":{"ko":"계산식","en":"expression"}}}}`),
		tool("file_write", "파일 쓰기", "Write a file", `{"properties":{"mode":{"x-name":{"ko":"방법","en":"how"},"x-values":{"new":{"ko":"새로","en":"new"}}}}}`),
		tool("file_read", "파일 읽기", "Read a file", `{}`), tool("file_find", "파일 찾기", "Find files", `{}`), tool("file_move", "파일 옮기기", "Move a file", `{}`),
	}
}

// A rule is kept as it was written, and said in words: every comparison, with values that look like the rule's own words.
func TestARuleInWords(t *testing.T) {
	when := func(arg string, op policy.Op, value string) policy.Condition {
		return policy.Condition{Arg: arg, Op: op, Value: json.RawMessage(value)}
	}
	for _, c := range []struct {
		rule   policy.Rule
		ko, en string
	}{
		{policy.Rule{Tool: "calculator", Decision: policy.Deny}, "막는 규칙: 계산기", "a rule that denies Calculator"},
		{policy.Rule{Tool: "*", Decision: policy.Ask}, "묻는 규칙: 모든 공구", "a rule that asks about every tool"},
		{policy.Rule{Tool: "file_*", Decision: policy.Allow}, "허락하는 규칙: 파일 쓰기, 파일 읽기, 파일 찾기 외 1개", "a rule that allows Write a file, Read a file, Find files and 1 more"},
		{policy.Rule{Tool: "gone_*", Decision: policy.Deny}, "막는 규칙: gone_*", "a rule that denies gone_*"},
		{
			policy.Rule{Tool: "calculator", Decision: policy.Deny, When: []policy.Condition{when("expression", policy.OpLike, `"1 and 2 when \"*\""`), when("n", policy.OpMore, `3`), when("n", policy.OpLess, `9`)}},
			"막는 규칙: 계산기, 계산식: ‘1 and 2 when \"*\"’ 꼴 그리고 n: 3보다 큼 그리고 n: 9보다 작음",
			"a rule that denies Calculator when expression looks like “1 and 2 when \"*\"” and n is over 3 and n is under 9",
		},
		{
			policy.Rule{Tool: "file_write", Decision: policy.Ask, When: []policy.Condition{when("mode", policy.OpIs, `"new"`), when("n", policy.OpLeast, `1`), when("n", policy.OpMost, `2`)}},
			"묻는 규칙: 파일 쓰기, 방법: ‘새로’ 그리고 n: 1 이상 그리고 n: 2 이하", "a rule that asks about Write a file when how is “new” and n is 1 or more and n is 2 or less",
		},
		{
			policy.Rule{Tool: "file_read", Decision: policy.Ask, When: []policy.Condition{when("path", policy.OpWithin, `"/home/me"`), when("at", policy.OpHost, `"example.org"`)}},
			"묻는 규칙: 파일 읽기, path: ‘/home/me’ 폴더 안 그리고 at: ‘example.org’ 주소", "a rule that asks about Read a file when path is in the folder “/home/me” and at is at the address “example.org”",
		},
	} {
		if words := policy.RuleWords(c.rule.String(), tools()); words.KO != c.ko || words.EN != c.en {
			t.Errorf("%s:\n%s\n%s", c.rule, words.KO, words.EN)
		}
	}
	if words := policy.RuleWords("a line of long ago", tools()); words.EN != "a line of long ago" {
		t.Errorf("%+v", words)
	}
}

// Whatever a decision rests on is said in words, in both languages, and never as it is kept.
func TestReasonsInWords(t *testing.T) {
	grants := []policy.Grant{{ID: "g-1", Tool: "file_write", When: []policy.Condition{{Arg: "mode", Op: policy.OpIs, Value: json.RawMessage(`"new"`)}}}}
	for by, basis := range map[policy.Decider]string{
		policy.DecidedByRule: `deny calculator when expression like "*"`, policy.DecidedByGrant: "g-1", policy.DecidedByPerson: "q-17",
		policy.DecidedByCounter: "", policy.DecidedByManual: "", policy.DecidedByMode: "",
	} {
		words := policy.Entry{By: by, Basis: basis}.Reason(tools(), grants)
		if !strings.ContainsFunc(words.KO, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) || words.EN == "" || words.EN == words.KO {
			t.Errorf("%s: %+v", by, words)
		}
		if basis != "" && strings.Contains(words.KO+words.EN, basis) {
			t.Errorf("%s says what is kept: %+v", by, words)
		}
	}
	gone := policy.Entry{By: policy.DecidedByGrant, Basis: "g-2"}.Reason(tools(), grants)
	if gone.EN != "a permission that was revoked since" {
		t.Errorf("%+v", gone)
	}
}
