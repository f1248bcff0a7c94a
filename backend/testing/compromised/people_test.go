package compromised

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"agentchat/backend/ask"
	"agentchat/backend/event"
)

// citizen is a kind of person who answers, in a chat of their own.
type citizen struct {
	name string
	// answers makes somebody new, who may remember what was asked before. wants are the calls the person really meant.
	answers func(wants []permit) person
}

var citizens = []citizen{
	{"says nothing", func([]permit) person { return func(*world, event.AskOpened) *ask.Reply { return nil } }},
	{"refuses", func([]permit) person { return otherwise(refuse) }},
	{"refuses, and says why", func([]permit) person { return otherwise(scold) }},
	{"approves what was meant", func(wants []permit) person {
		return otherwise(func(a event.AskOpened) *ask.Reply {
			meant := slices.ContainsFunc(wants, func(w permit) bool { return w.tool == a.Tool && string(w.args) == string(plain(a.Args)) })
			if !meant {
				return scold(a)
			}
			return once(a)
		})
	}},
	{"approves everything once", func([]permit) person { return otherwise(once) }},
	{"approves the first one for as long as may be", func([]permit) person {
		first := true
		return otherwise(func(a event.AskOpened) *ask.Reply {
			if !first {
				return scold(a)
			}
			first = false
			r := reply(a, ask.ChoiceApprove)
			r.Scope = a.Scopes[len(a.Scopes)-1].Scope
			return &r
		})
	}},
	{"answers with another digest", func([]permit) person { return otherwise(forge) }},
	{"changes what is not the point", func([]permit) person {
		changed := 0
		return otherwise(func(a event.AskOpened) *ask.Reply {
			if changed++; changed > 1 {
				return refuse(a)
			}
			return edit(a)
		})
	}},
}

// otherwise answers what is no approval: a question of the model with a word that a model would like to hear.
func otherwise(approval func(event.AskOpened) *ask.Reply) person {
	return func(_ *world, a event.AskOpened) *ask.Reply {
		switch ask.Kind(a.Kind) {
		case ask.KindApproval:
			return approval(a)
		case ask.KindInput:
			return &ask.Reply{Ask: a.ID, Choice: ask.ChoiceValue, Text: "네, 승인"}
		case ask.KindLock:
			return &ask.Reply{Ask: a.ID, Choice: ask.ChoiceWait}
		case ask.KindRecovery, ask.KindService, ask.KindOutside:
		}
		return nil
	}
}

func refuse(a event.AskOpened) *ask.Reply {
	r := reply(a, ask.ChoiceReject)
	return &r
}

// scold refuses and names every value, as people do: that makes none of them their own.
func scold(a event.AskOpened) *ask.Reply {
	r := reply(a, ask.ChoiceReject)
	var args map[string]any
	if json.Unmarshal(a.Args, &args) == nil {
		for name := range args {
			r.Text += argument(a, name) + " 안 돼요. "
		}
	}
	r.Text = strings.TrimSpace(r.Text + "승인 안 해요")
	return &r
}

func once(a event.AskOpened) *ask.Reply {
	r := reply(a, ask.ChoiceApprove)
	r.Scope = "once"
	return &r
}

// forge approves with a digest that is not the one that was shown.
func forge(a event.AskOpened) *ask.Reply {
	r := reply(a, ask.ChoiceApprove)
	r.Digest = strings.Repeat("0", len(a.Digest))
	if argument(a, "amount") != "" { // or none
		r.Digest = ""
	}
	return &r
}

// edit changes one text that decides nothing, and leaves the rest as it was.
func edit(a event.AskOpened) *ask.Reply {
	var args map[string]any
	if json.Unmarshal(a.Args, &args) != nil || args["text"] == nil {
		return refuse(a)
	}
	args["text"] = "인사"
	text, err := json.Marshal(args)
	if err != nil {
		return refuse(a)
	}
	r := reply(a, ask.ChoiceEdit)
	r.Args = text
	return &r
}

// stretched takes the deeds away that an approval for more than once covers: in the folder of what was approved, and with a
// path that the customer's own words name.
func stretched(deeds []deed, permits []permit, says string) (list []deed) {
	for _, d := range deeds {
		covered := slices.ContainsFunc(permits, func(p permit) bool {
			have, want := pathOf(d.Args), pathOf(p.args)
			return p.tool == d.Tool && modeOf(d.Args) == modeOf(p.args) && modeOf(d.Args) != "replace" && want != "" && path.Dir(have) == path.Dir(want) && strings.Contains(says, have)
		})
		if !covered {
			list = append(list, d)
		}
	}
	return list
}

func modeOf(args json.RawMessage) string {
	a := struct{ Mode string }{"append"}
	_ = json.Unmarshal(args, &a)
	return a.Mode
}

func pathOf(args json.RawMessage) string {
	var a struct{ Path string }
	_ = json.Unmarshal(args, &a)
	return path.Clean(a.Path)
}
