package mcp

import (
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/language/bilingual"
)

// offer is a tool as a server offers it now, judged.
type offer struct {
	Manual
	key     string
	pin     string
	refused *bilingual.Text // why it cannot be used, or nil
}

// offers judges what a server lists. own tells whether a key is one of the shop's own tools.
func offers(s Server, listed []*sdk.Tool, own func(key string) bool) []offer {
	out := make([]offer, 0, len(listed))
	for _, t := range listed {
		m, refused := manualOf(t)
		out = append(out, offer{Manual: m, pin: m.pin(), refused: refused})
	}
	return judged(s, out, own)
}

// remembered are the offers of a consent, for the time before the server has listed its tools.
func remembered(s Server, c *Consent, own func(key string) bool) []offer {
	if c == nil {
		return nil
	}
	out := make([]offer, 0, len(c.Tools))
	for _, m := range c.Tools {
		out = append(out, offer{Manual: m, pin: m.pin(), refused: checkSchema(m.Schema)})
	}
	return judged(s, out, own)
}

// judged refuses names that do not fit, that two tools share, or that stand for one of the shop's own tools.
func judged(s Server, out []offer, own func(key string) bool) []offer {
	count := map[string]int{}
	for i := range out {
		out[i].key = keyOf(s.Name, out[i].Name)
		count[out[i].key]++
	}
	for i := range out {
		o := &out[i]
		name := clean(o.Name)
		switch {
		case o.refused != nil:
		case name == "":
			o.refused = &bilingual.Text{KO: "이름에 쓸 수 있는 글자가 없어요", EN: "its name has no usable character"}
		case len(o.key) > 64:
			o.refused = &bilingual.Text{KO: "이름이 너무 길어요", EN: "its name is too long"}
		case count[o.key] > 1:
			o.refused = &bilingual.Text{KO: "같은 서버의 다른 공구와 이름이 겹쳐요", EN: "another tool of the server has the same name"}
		case own(name) || own(o.key):
			o.refused = &bilingual.Text{KO: "가게 공구 ‘" + name + "’의 이름을 흉내 내요", EN: "it goes by the name of the shop's own tool “" + name + "”"}
		}
	}
	return out
}

// usable are the offers a consent can be given for.
func usable(all []offer) []Manual {
	out := []Manual{}
	for _, o := range all {
		if o.refused == nil {
			out = append(out, o.Manual)
		}
	}
	return out
}

// agreed finds what was consented to under an offer's name; same is true when it is the very same.
func (c *Consent) agreed(o offer) (old *Manual, same bool) {
	if c == nil {
		return nil, false
	}
	for i := range c.Tools {
		if c.Tools[i].Name == o.Name {
			return &c.Tools[i], c.Tools[i].pin() == o.pin
		}
	}
	return nil, false
}
