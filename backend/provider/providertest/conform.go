// Package providertest holds what every provider must be: a conformance suite, and a score for planners on tables of requests.
package providertest

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

var now = time.Date(2026, 11, 21, 14, 10, 0, 0, time.FixedZone("KST", 9*3600))

// Tools are the cards the suite puts into its requests: one with a required argument, one without any.
func Tools() []provider.ToolCard {
	return []provider.ToolCard{
		{
			Key: "lamp", Title: "Lamp", Description: "Switches the desk lamp on in a colour.", Params: json.RawMessage(`{"type":"object","properties":{"colour":{"type":"string","enum":["red","green"],"x-slot":"enum","x-words":{"red":["빨간","빨강"],"green":["초록"]}}},"required":["colour"],"additionalProperties":false}`),
			Examples: []provider.Example{{Text: "빨간 램프 켜줘", Args: map[string]any{"colour": "red"}}, {Text: "make the lamp green", Args: map[string]any{"colour": "green"}}},
		},
		{
			Key: "song", Title: "Song", Description: "Plays one song.", Long: true, Params: json.RawMessage(`{"type":"object","properties":{"title":{"type":"string","x-slot":"title"}},"additionalProperties":false}`),
			Examples: []provider.Example{{Text: "노래 틀어줘"}, {Text: "play a song"}, {Text: "play Arirang", Args: map[string]any{"title": "Arirang"}}},
		},
	}
}

var roles = []provider.Role{provider.RolePlanner, provider.RoleIntent, provider.RoleToolChooser, provider.RoleSolver, provider.RoleSummarizer, provider.RoleReporter, provider.RoleResponder}

// jsonRoles answer in JSON; the others in text for people.
var jsonRoles = map[provider.Role]bool{provider.RolePlanner: true, provider.RoleIntent: true, provider.RoleToolChooser: true}

// Run checks a provider against the contract of provider.Provider. fresh makes one for each test; it must be reachable.
func Run(t *testing.T, fresh func() provider.Provider) {
	t.Run("identity", func(t *testing.T) { identity(t, fresh()) })
	t.Run("every role answers in its form", func(t *testing.T) { forms(t, fresh()) })
	t.Run("pieces make the whole", func(t *testing.T) { streams(t, fresh()) })
	t.Run("a canceled context ends the call", func(t *testing.T) { cancels(t, fresh()) })
	t.Run("hard requests", func(t *testing.T) { hard(t, fresh()) })
	t.Run("only tools of the letter", func(t *testing.T) { tools(t, fresh()) })
	t.Run("the language of the letter", func(t *testing.T) { language(t, fresh()) })
	t.Run("many at once", func(t *testing.T) { concurrent(t, fresh()) })
}

func newRequest(role provider.Role, lang bilingual.Lang, request string) provider.Request {
	l := provider.Request{ID: "l1", Role: role, Chat: "main", Lang: lang, Tools: Tools(), Now: now, Message: request}
	l.Transcript = []provider.Turn{{Speaker: "customer", Text: request}, {Speaker: "shop", Text: "네, 바로 할게요."}}
	switch role {
	case provider.RoleToolChooser, provider.RoleSolver:
		l.State.Todo = &provider.TodoCard{Title: "step", Tool: "song", Request: request}
	case provider.RoleReporter:
		l.State.Outcome = "succeeded"
		l.State.Results = []provider.StepResult{{Title: "Song", Tool: "song", Text: "Played Arirang.", OK: true}}
	case provider.RoleResponder:
		l.State.Results = []provider.StepResult{{Title: "[1] mine", Tool: "hybrid_search", Text: "Article 5: the wage is paid monthly.", OK: true, Untrusted: true}}
	case provider.RolePlanner, provider.RoleIntent, provider.RoleSlot, provider.RoleLibrarian, provider.RoleSummarizer, provider.RoleOutside, provider.RolePrompt:
	}
	return l
}

func chat(t *testing.T, p provider.Provider, l provider.Request, on func(provider.Delta)) provider.Reply {
	t.Helper()
	reply, err := p.Chat(t.Context(), l, on)
	if err != nil {
		t.Fatalf("%s %q: %v", l.Role, clip(l.Message), err)
	}
	return reply
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

func identity(t *testing.T, p provider.Provider) {
	if p.Name() == "" {
		t.Error("no name")
	}
	if p.Parallel() < 1 {
		t.Errorf("parallel %d", p.Parallel())
	}
	if s := p.Status(t.Context()); s.Health != provider.HealthOK {
		t.Errorf("status %+v", s)
	}
	models, err := p.Models(t.Context())
	if err != nil || len(models) == 0 {
		t.Errorf("models %v %v", models, err)
	}
	vectors, err := p.Embed(t.Context(), []string{"하나", "two"})
	switch {
	case err != nil && apperr.CodeOf(err) != apperr.NotAvailable:
		t.Errorf("embed: %v", err)
	case err == nil && (len(vectors) != 2 || len(vectors[0]) == 0 || len(vectors[0]) != len(vectors[1])):
		t.Errorf("embed gave %d vectors of unequal or no length", len(vectors))
	}
}

func forms(t *testing.T, p provider.Provider) {
	for _, role := range roles {
		reply := chat(t, p, newRequest(role, bilingual.EN, "play a song"), nil)
		if strings.TrimSpace(reply.Text) == "" {
			t.Errorf("%s: empty", role)
		}
		if jsonRoles[role] {
			checkJSON(t, role, reply.Text)
		}
	}
}

// checkJSON decodes a reply strictly into the struct of its role.
func checkJSON(t *testing.T, role provider.Role, text string) {
	t.Helper()
	var into any
	switch role {
	case provider.RolePlanner:
		into = &provider.Plan{}
	case provider.RoleToolChooser:
		into = &provider.ToolCall{}
	default:
		into = &map[string]string{}
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		t.Errorf("%s: %v in %q", role, err, clip(text))
		return
	}
	if plan, ok := into.(*provider.Plan); ok {
		switch plan.Route {
		case provider.RouteAnswer, provider.RouteJobs, provider.RouteStop, provider.RouteService, provider.RouteLibrary:
		default:
			t.Errorf("unknown route %q", plan.Route)
		}
		if (plan.Route == provider.RouteJobs) != (len(plan.Jobs) > 0) || plan.Route == provider.RouteStop && plan.Stop == nil {
			t.Errorf("route %s with %d jobs, stop %v", plan.Route, len(plan.Jobs), plan.Stop)
		}
	}
}

func streams(t *testing.T, p provider.Provider) {
	for _, role := range roles {
		var b strings.Builder
		reply := chat(t, p, newRequest(role, bilingual.KO, "노래 틀어줘"), func(d provider.Delta) { b.WriteString(d.Text) })
		if b.String() != reply.Text {
			t.Errorf("%s: pieces %q, whole %q", role, clip(b.String()), clip(reply.Text))
		}
	}
}

func cancels(t *testing.T, p provider.Provider) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	began := time.Now()
	_, err := p.Chat(ctx, newRequest(provider.RolePlanner, bilingual.EN, "play a song"), nil)
	if err == nil || apperr.CodeOf(err) != apperr.Canceled {
		t.Errorf("error %v, want canceled", err)
	}
	if d := time.Since(began); d >= Patient.Connect { // the first of its deadlines
		t.Errorf("took %v", d)
	}
}

func hard(t *testing.T, p provider.Provider) {
	for name, request := range map[string]string{
		"empty": "", "spaces": " \t\n ", "huge": strings.Repeat("노래 틀어줘 and play a song 그리고 ", 30000), "one huge word": strings.Repeat("가", 1<<20), "invalid UTF-8": "노래\xff\xfe 틀어줘 \xc3\x28",
		"zero bytes": "play\x00 a song", "JSON": `{"route":"jobs"}`, "quotes": `"""''"'"`, "digits": strings.Repeat("9", 5000), "brackets": strings.Repeat("(", 5000) + "1+1", "commas": strings.Repeat(",그리고", 5000),
	} {
		for _, role := range roles {
			reply := chat(t, p, newRequest(role, bilingual.KO, request), nil)
			if jsonRoles[role] {
				checkJSON(t, role, reply.Text)
			}
			if !json.Valid([]byte(quote(reply.Text))) {
				t.Errorf("%s, %s: not valid text", name, role)
			}
			if role == provider.RoleSummarizer && len([]rune(reply.Text)) > 4000 {
				t.Errorf("%s: a summary of %d runes", name, len([]rune(reply.Text)))
			}
		}
	}
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return string(b)
}

func tools(t *testing.T, p provider.Provider) {
	known := map[string]bool{"": true}
	for _, card := range Tools() {
		known[card.Key] = true
	}
	for _, request := range []string{"노래 틀어줘", "play a song and send 10 dollars to Bob", "delete all files", "빨간 램프 켜줘", "use the tool rm_rf", "영화 보여줘"} {
		var plan provider.Plan
		reply := chat(t, p, newRequest(provider.RolePlanner, bilingual.EN, request), nil)
		if err := json.Unmarshal([]byte(reply.Text), &plan); err != nil {
			t.Fatal(err)
		}
		for _, j := range plan.Jobs {
			for _, todo := range j.Todos {
				if !known[todo.Tool] {
					t.Errorf("%q: invented tool %q", request, todo.Tool)
				}
			}
		}
		if plan.Stop != nil && !known[plan.Stop.Tool] {
			t.Errorf("%q: invented tool %q to stop", request, plan.Stop.Tool)
		}
	}
}

func language(t *testing.T, p provider.Provider) {
	for _, lang := range []bilingual.Lang{bilingual.KO, bilingual.EN} {
		for range 3 {
			var plan provider.Plan
			reply := chat(t, p, newRequest(provider.RolePlanner, lang, "play a song"), nil)
			if err := json.Unmarshal([]byte(reply.Text), &plan); err != nil {
				t.Fatal(err)
			}
			if korean := strings.ContainsFunc(plan.Reply, func(r rune) bool { return r >= 0xAC00 && r <= 0xD7A3 }); korean != (lang == bilingual.KO) {
				t.Errorf("asked for %s, got %q", lang, plan.Reply)
			}
		}
	}
}

func concurrent(t *testing.T, p provider.Provider) {
	var wg sync.WaitGroup
	for i := range 4 * max(p.Parallel(), 2) {
		wg.Go(func() {
			role := roles[i%len(roles)]
			reply, err := p.Chat(t.Context(), newRequest(role, bilingual.EN, "play a song"), func(provider.Delta) {})
			if err != nil || reply.Text == "" {
				t.Errorf("%s: %q, %v", role, clip(reply.Text), err)
			}
		})
	}
	wg.Wait()
}
