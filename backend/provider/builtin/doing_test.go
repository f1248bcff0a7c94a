package builtin

import (
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// What is handed out is acknowledged by the sentence of its manual where its name alone would be said, and by its name where the manual has none or more was understood.
func TestAnAcknowledgementIsTheManuals(t *testing.T) {
	t.Parallel()
	adds := &tool{card: provider.ToolCard{Key: "calculator", Title: "Calculator", Doing: "Let me work that out."}, answers: true}
	looks := &tool{card: provider.ToolCard{Key: "weather", Title: "Weather"}, answers: true}
	c := &catalog{byKey: map[string]*tool{"calculator": adds, "weather": looks}}
	s := speaker{lang: bilingual.EN}
	job := func(title string, tools ...string) provider.JobPlan {
		plan := provider.JobPlan{Title: title}
		for _, key := range tools {
			plan.Todos = append(plan.Todos, provider.TodoPlan{Tool: key, Title: key})
		}
		return plan
	}
	for _, want := range []struct {
		jobs []provider.JobPlan
		said string
	}{
		{[]provider.JobPlan{job("Calculator", "calculator")}, "Let me work that out."},
		{[]provider.JobPlan{job("Calculator: 12 * 3", "calculator")}, "Looking that up: Calculator: 12 * 3."}, // how it was understood
		{[]provider.JobPlan{job("Weather in Busan", "weather")}, "Looking that up: Weather in Busan."},
		{[]provider.JobPlan{job("Weather → Calculator", "weather", "calculator")}, "One after the other: Weather → Calculator."},
	} {
		if got := s.starting(want.jobs, c); got != want.said {
			t.Errorf("%q, want %q", got, want.said)
		}
	}
}
