package providertest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/testing/fakemodel"
)

// RunPictures checks how a provider sends pictures, against a fake model server. wire reads, out of the message of a body that has them, the
// pictures as they went over the wire.
func RunPictures(t *testing.T, server *fakemodel.Process, fresh func(t *testing.T, model string) provider.Provider, wire func(message json.RawMessage) (text string, pictures []string)) {
	seer := func(model string) provider.Seer {
		s, ok := fresh(t, model).(provider.Seer)
		if !ok {
			t.Fatal("not a Seer")
		}
		return s
	}
	if !seer("sees").Sees(t.Context()) {
		t.Error("a model of which the server says so does not see")
	}
	if seer("missing").Sees(t.Context()) && fresh(t, "missing").Name() == "ollama" {
		t.Error("a model that is not there sees")
	}
	model := "sees@" + t.Name()
	p := fresh(t, model)
	req := newRequest(provider.RoleResponder, bilingual.KO, "이 그림에 뭐가 있어?")
	req.State.Results = []provider.StepResult{{Title: "[1] attached", Text: "receipt.jpg", OK: true, Untrusted: true}}
	req.Pictures = []provider.Picture{{ID: "a", Data: []byte{0xFF, 0xD8, 1}}, {ID: "b", Data: []byte{0xFF, 0xD8, 2}}}
	reply, err := p.Chat(t.Context(), req, nil)
	if err != nil || !strings.Contains(reply.Text, "[1]") {
		t.Fatalf("%+v, %v", reply, err)
	}
	calls, err := server.Calls(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, c := range calls {
		if c.Model != model {
			continue
		}
		checkPictures(t, c.Body, req.Pictures, wire)
		seen++
	}
	if seen != 1 {
		t.Errorf("%d calls", seen)
	}
	if kept, err := json.Marshal(req); err != nil || bytes.Contains(kept, []byte(base64.StdEncoding.EncodeToString(req.Pictures[0].Data))) {
		t.Errorf("what is kept of a request holds its pictures: %s, %v", kept, err)
	}
}

// checkPictures checks that the last message of a request's body has the pictures, and no other.
func checkPictures(t *testing.T, sent json.RawMessage, want []provider.Picture, wire func(message json.RawMessage) (text string, pictures []string)) {
	t.Helper()
	var body struct {
		Messages []json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(sent, &body); err != nil || len(body.Messages) < 2 {
		t.Fatalf("%d messages, %v", len(body.Messages), err)
	}
	last := len(body.Messages) - 1
	for _, m := range body.Messages[:last] {
		if _, pictures := wire(m); len(pictures) > 0 {
			t.Errorf("a message before the last has pictures: %s", m)
		}
	}
	text, pictures := wire(body.Messages[last])
	if !strings.Contains(text, "이 그림에 뭐가 있어?") || len(pictures) != len(want) {
		t.Fatalf("%q, %d pictures", text, len(pictures))
	}
	for i, p := range pictures {
		data, err := base64.StdEncoding.DecodeString(p)
		if err != nil || !bytes.Equal(data, want[i].Data) {
			t.Errorf("picture %d is %q, %v", i, p, err)
		}
	}
}
