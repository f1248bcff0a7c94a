package builtin

import (
	"regexp"
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/provider"
	"agentchat/backend/service/reading"
)

// general is the intent of whatever no service is for.
const general = "GENERAL"

// alikeEnough is how near a message must come to an example of a service to be taken for it.
const alikeEnough = 0.62

// service answers the intent role where there is a service counter: the service whose patterns or examples the message
// fits; the one under way, when the message could go on with it; otherwise GENERAL.
func (p *Provider) service(c *catalog, req provider.Request) provider.Intent {
	v := newView(phrase.Respace(phrase.Normalize(req.Message)))
	for _, s := range req.Services {
		if p.fits(s.Match, req.Message) && !reading.Tells(req.Message) {
			return provider.Intent{Intent: s.Intent}
		}
	}
	if s, ok := current(req); ok && p.goesOn(c, s, v, req) {
		return provider.Intent{Intent: s.Intent}
	}
	if a := v.act(); a == actQuestion || a == actTalk || a == actNegative {
		return provider.Intent{Intent: general}
	}
	if len(c.read(req.Message, req.Now).wishes) > 0 {
		return provider.Intent{Intent: general}
	}
	best, top := general, alikeEnough
	grams := phrase.Grams(phrase.Normalize(req.Message))
	for _, s := range req.Services {
		for _, e := range s.Examples {
			if l := phrase.Alike(grams, phrase.Grams(phrase.Normalize(e))); l >= top {
				best, top = s.Intent, l
			}
		}
	}
	return provider.Intent{Intent: best}
}

// current is the service under way.
func current(req provider.Request) (provider.ServiceCard, bool) {
	if st := req.State.Counter; st != nil {
		for _, s := range req.Services {
			if s.Intent == st.Service {
				return s, true
			}
		}
	}
	return provider.ServiceCard{}, false
}

// goesOn tells whether a message could go on with the service under way: it holds a value the service can take and asks
// for nothing else, or it is a short answer to a question for a name or free words.
func (p *Provider) goesOn(c *catalog, s provider.ServiceCard, v *view, req provider.Request) bool {
	own := reading.Of(s, "", req.Message, req.Now)
	holds := !own.Empty()
	for _, w := range c.read(req.Message, req.Now).wishes {
		// 메모에 용돈이라고 써줘 is about the memo of what is under way, not a note.
		if !holds || len(w.tool.open()) == 0 || reading.Tells(req.Message) {
			return false
		}
	}
	act := v.act()
	asked := req.State.Counter.Asked
	waits := asked == "" && len(req.State.Counter.Missing) == 0 // for nothing but a confirmation
	if holds && waits && !own.Amends() {
		return false
	}
	if holds {
		return !v.question || act != actQuestion && act != actTalk
	}
	if act == actQuestion || v.question {
		return false
	}
	for _, slot := range s.Slots {
		if slot.Name == asked {
			_, ok := reading.Of(s, asked, req.Message, req.Now).Only(asked)
			return ok && (act == actFragment || len(v.words) <= 2 || slot.Type == "text")
		}
	}
	return false
}

// slots answers the slot role by grammar.
func slots(req provider.Request) provider.SlotReply {
	s, ok := current(req)
	if !ok {
		return provider.SlotReply{}
	}
	return reading.Of(s, req.State.Counter.Asked, req.Message, req.Now).Reply()
}

// fits tells whether the message fits one of the patterns. Each pattern is compiled once.
func (p *Provider) fits(patterns []string, text string) bool {
	for _, pattern := range patterns {
		known, ok := p.patterns.Load(pattern)
		if !ok {
			re, err := regexp.Compile("(?i)" + pattern)
			if err != nil {
				continue // the counter refuses such a manifest
			}
			known, _ = p.patterns.LoadOrStore(pattern, re)
		}
		if re, ok := known.(*regexp.Regexp); ok && re.MatchString(strings.TrimSpace(text)) {
			return true
		}
	}
	return false
}
