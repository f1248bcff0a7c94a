package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/openai"
	"agentchat/backend/provider/providertest"
)

func TestPictures(t *testing.T) {
	server := fake(t)
	fresh := func(t *testing.T, model string) provider.Provider {
		return open(t, openai.Options{Base: fixed(server.Addr), Model: fixed(model)})
	}
	providertest.RunPictures(t, server, fresh, func(message json.RawMessage) (text string, pictures []string) {
		var m struct {
			Content json.RawMessage `json:"content"`
		}
		if err := json.Unmarshal(message, &m); err != nil {
			t.Fatal(err)
		}
		if json.Unmarshal(m.Content, &text) == nil {
			return text, nil
		}
		var parts []struct {
			Type  string `json:"type"`
			Text  string `json:"text"`
			Image struct {
				URL string `json:"url"`
			} `json:"image_url"`
		}
		if err := json.Unmarshal(m.Content, &parts); err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			switch p.Type {
			case "text":
				text += p.Text
			case "image_url":
				data, ok := strings.CutPrefix(p.Image.URL, "data:image/jpeg;base64,")
				if !ok {
					t.Errorf("a picture's address is %.40q", p.Image.URL)
				}
				pictures = append(pictures, data)
			}
		}
		return text, pictures
	})
}

// A service that does not list what its models take is shown a picture once, and not again once it has turned one down.
func TestAServiceThatTurnsPicturesDown(t *testing.T) {
	server := fake(t)
	p := open(t, openai.Options{Base: fixed(server.Addr), Model: fixed("blind")})
	if !p.Sees(t.Context()) {
		t.Fatal("nobody says that it is blind")
	}
	req := providertest.Request(provider.RoleResponder, bilingual.KO, "뭐가 보여?")
	req.Pictures = []provider.Picture{{ID: "a", Data: []byte{1}}}
	if reply, err := p.Chat(t.Context(), req, nil); apperr.CodeOf(err) != apperr.ProviderRefused {
		t.Errorf("%+v, %v", reply, err)
	}
	if p.Sees(t.Context()) {
		t.Error("it has turned a picture down")
	}
	if n := len(sent(t, server, "blind")); n != 1 {
		t.Errorf("%d calls: a picture is not left out in silence", n)
	}
}
