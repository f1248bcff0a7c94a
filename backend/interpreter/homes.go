package interpreter

import (
	"slices"

	"agentchat/backend/provider"
)

// mostHomes is how many chats a model is taken to keep at most, until its server tells otherwise.
const mostHomes = 32

// homes are the chats that a model has read last, the newest first: what of a chat's next request it need not read again. A server that says
// that it had forgotten one is taken to keep no more than those it has read since. The zero value knows of none.
type homes struct {
	list  []home
	holds int  // how many the server keeps; 0: nobody knows, mostHomes
	tells bool // the server says what it had kept
}

type home struct {
	chat   string
	prompt provider.Prompt
}

func (h *homes) at(chat string) int {
	return slices.IndexFunc(h.list, func(o home) bool { return o.chat == chat })
}

// read notes that the model has read a chat's request of so many tokens, of which its server had kept some.
func (h *homes) read(chat string, prompt provider.Prompt, tokens, cached int) {
	i := h.at(chat)
	h.tells = h.tells || cached > 0
	if i >= 0 && h.tells && tokens > 0 {
		whole := dot(extentOf(prompt), believed)
		kept := whole - dot(extentOf(behind(prompt, h.list[i].prompt)), believed)
		switch {
		case float64(cached)/float64(tokens) < kept/whole/2:
			h.holds = max(i, 1)
		case h.holds > 0 && i == h.holds-1:
			h.holds = min(h.holds+1, mostHomes)
		}
	}
	if i >= 0 {
		h.list = slices.Delete(h.list, i, i+1)
	}
	h.list = slices.Insert(h.list, 0, home{chat, prompt})
	most := mostHomes
	if h.holds > 0 {
		most = h.holds
	}
	h.list = h.list[:min(len(h.list), most)]
}

// mostLast bounds how many chats it is known of who answered there last.
const mostLast = 4096

// answered notes that a server answered in a chat.
func (p *paces) answered(chat, server string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last == nil || len(p.last) >= mostLast {
		p.last = map[string]string{}
	}
	p.last[chat] = server
}

// lastIn is the server that answered in a chat last; "" when nobody knows.
func (p *paces) lastIn(chat string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last[chat]
}

// settle notes in which chat a model has read a prompt of so many tokens, of which its server had kept some.
func (p *paces) settle(model, chat string, prompt provider.Prompt, tokens, cached int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(model).homes.read(chat, prompt, tokens, cached)
}

// unread is what a model has to read of a chat's prompt, if what is known of what it keeps is true.
func (p *paces) unread(model, chat string, prompt provider.Prompt) extent {
	rest, _ := p.fresh(model, prompt)
	p.mu.Lock()
	defer p.mu.Unlock()
	h := &p.of(model).homes
	if i := h.at(chat); i >= 0 {
		if x := extentOf(behind(prompt, h.list[i].prompt)); dot(x, believed) < dot(rest, believed) {
			rest = x
		}
	}
	return rest
}
