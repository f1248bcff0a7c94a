package shop

import (
	"strings"
	"testing"

	"agentchat/backend/tools/mcp"
)

// Where nobody knows which of several calls a server asks for, the question says so.
func TestAQuestionSaysWhenItsCallIsNotKnown(t *testing.T) {
	one, several := asksOutside(mcp.Question{Server: "desk", Calls: 1}), asksOutside(mcp.Question{Server: "desk", Calls: 3})
	if one.EN != "The outside server “desk” asks: " || one.KO != "바깥 서버 ‘desk’의 물음: " {
		t.Errorf("%+v", one)
	}
	if !strings.Contains(several.EN, "which of its 3 calls") || !strings.Contains(several.KO, "일 3개 가운데 어느 것에") {
		t.Errorf("%+v", several)
	}
}
