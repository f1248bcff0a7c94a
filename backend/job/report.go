package job

import (
	"strings"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/hangul"
	"agentchat/backend/provider"
)

// plainReport is the report without an interpreter: the results, a line each.
func plainReport(results []provider.StepResult) string {
	lines := make([]string, 0, len(results))
	for _, r := range results {
		if r.Text != "" {
			lines = append(lines, r.Text)
		}
	}
	return strings.Join(lines, "\n")
}

// canceledReport says what was stopped, and what had happened already.
func canceledReport(s *Run) string {
	j := s.Job
	text := bilingual.Say(j.Lang, hangul.With("‘"+j.Title+"’", "을", "를")+" 멈췄어요.", "Stopped “"+j.Title+"”.")
	done := []string{}
	for _, t := range j.Todos {
		if t.State == TodoDone && t.Text != "" {
			done = append(done, t.Text)
		}
	}
	if s.Loop != nil && s.hasTodo() && s.todo().State != TodoDone {
		if deeds := s.Loop.completedCalls(); deeds != "" {
			done = append(done, deeds)
		}
	}
	if len(done) > 0 {
		text += "\n" + bilingual.Say(j.Lang, "그 전에 끝난 일: ", "Already done before that: ") + strings.Join(done, " ")
	}
	return text
}
