package job

import (
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// effectText bounds what a line about a use of a tool says, in characters.
const effectText = 200

// effect is one use of a tool as code tells it: the manual's title, and the tool's own words unless they rest on other people's.
func (r *Runner) effect(s *Run, key string, o Outcome, foreign bool) event.Effect {
	d := event.Effect{Outcome: event.EffectDone, Text: key}
	spec, err := r.box.Spec(key)
	if err == nil {
		d.Text = spec.Title.In(s.Job.Lang)
	}
	switch {
	case o.Code == apperr.InDoubt:
		d.Outcome = event.EffectUnknown
	case !o.OK:
		d.Outcome = event.EffectFailed
	case err == nil && spec.Effect == toolbox.EffectRead:
		d.Outcome = event.EffectRead
		return d
	}
	if text := strings.TrimSpace(o.Text); text != "" && err == nil && !foreign && !untrusted(spec) {
		d.Text += ": " + policy.Visible(text, effectText)
	}
	return d
}

// did records what the current request of a loop really did.
func (r *Runner) did(s *Run, foreign bool) {
	if t := s.todo(); s.Outcome.Ran {
		t.Did = append(t.Did, r.effect(s, s.Call.Tool, *s.Outcome, foreign))
	}
}

// effects lists what the job's tools really did. It goes with every message that a model worded and is made by code alone, so a reader
// can tell what happened from what a model only claims. It is never empty.
func (r *Runner) effects(s *Run, to State) []event.Effect {
	var acted []event.Effect
	var read []string
	add := func(d event.Effect) {
		switch {
		case d.Outcome != event.EffectRead:
			acted = append(acted, d)
		case !slices.Contains(read, d.Text):
			read = append(read, d.Text)
		}
	}
	for _, t := range s.Job.Todos {
		for _, d := range t.Did {
			add(d)
		}
		if t.Ran && len(t.Used) == 0 {
			o := Outcome{OK: t.State == TodoDone, Text: t.Text}
			if !o.OK {
				o.Code = s.Job.Code
			}
			add(r.effect(s, t.Tool, o, t.Untrusted))
		}
	}
	if to == Failed && !slices.ContainsFunc(acted, func(d event.Effect) bool { return d.Outcome != event.EffectDone }) {
		why, _, _ := strings.Cut(s.Job.Reason, "\n")
		acted = append(acted, event.Effect{Outcome: event.EffectFailed, Text: policy.Visible(why, effectText)})
	}
	if len(acted) > 0 {
		return acted
	}
	text := bilingual.Say(s.Job.Lang, "시작하거나 바꾼 것은 없어요.", "Nothing was started or changed.")
	if len(read) > 0 {
		text += bilingual.Say(s.Job.Lang, " 확인한 것: ", " Looked at: ") + strings.Join(read, ", ")
	}
	return []event.Effect{{Outcome: event.EffectNone, Text: text}}
}
