package job

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/policy"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// DefaultAsksPerJob is how often one job may ask in a row without any approval.
const DefaultAsksPerJob = 8

// What a preview may cost.
const (
	previewWithin = time.Minute // a busy computer is slow to set a page
	previewText   = 1000        // characters
	previewDiff   = 16 << 10    // bytes
)

// authorizer checks every tool call against the rules a person has set, no matter who asked for the call.
type authorizer struct {
	rules func() []policy.Rule
	mode  func() policy.Mode
	asks  func() int
	reads func(context.Context, interpreter.Brief) (provider.Plan, bool)
}

// judge asks policy about the current call. It caches nothing, so a grant or rule that changed since the last question takes effect.
func (r *Runner) judge(ctx context.Context, s *Run, spec toolbox.Spec) (policy.Verdict, []event.Origin, error) {
	request := policy.Request{Chat: s.Job.Chat, Order: s.Job.standing(), Spec: spec, Args: s.Call.Args, Rules: r.authorizer.rules(), Mode: r.authorizer.mode()}
	if s.Job.Counter {
		return policy.Decide(request), nil, nil
	}
	var err error
	if request.Grants, err = r.store.Grants(ctx, s.Job.Chat, spec.Key); err != nil {
		return policy.Verdict{}, nil, err
	}
	if s.Job.Guest != nil {
		request = guestRequest(request)
	} else if spec.Effect != toolbox.EffectRead || len(request.Grants) > 0 {
		request.Wanted, request.Spoken = r.wanted(ctx, s, spec)
	}
	from := spec
	from.Counter = spec.Counter && s.Job.Guest == nil // no counter took the values of a guest's call from the customer's words
	if policy.Judged(from, s.Call.Args) {
		ground, err := r.ground(ctx, s, spec)
		if err != nil {
			return policy.Verdict{}, nil, err
		}
		request.Origins = policy.Trace(from, s.Call.Args, ground, s.Job.Lang)
	}
	return policy.Decide(request), request.Origins, nil
}

// ground collects every text that a value of the call may have been taken from.
func (r *Runner) ground(ctx context.Context, s *Run, spec toolbox.Spec) (policy.Ground, error) {
	if s.Job.Guest != nil {
		return policy.Ground{Edited: s.Edited, Proposed: s.Proposed, Seen: []policy.Seen{{From: policy.FromGuest, Text: texts(s.todo().Args)}}}, nil
	}
	said, refusals, err := r.store.Said(ctx, s.Job.Chat, s.Job.ID)
	if err != nil {
		return policy.Ground{}, err
	}
	g := policy.Ground{Said: append(said, s.Job.Request), Edited: s.Edited, Proposed: s.Proposed}
	b := r.background(ctx, s.Job.Chat, s.Job.ID)
	g.Seen = append(g.Seen, policy.Seen{From: policy.FromMemory, Text: b.Summary})
	for _, fact := range slices.Concat(b.Facts, b.Fresh) {
		g.Seen = append(g.Seen, policy.Seen{From: policy.FromMemory, Text: fact})
	}
	for _, t := range b.Transcript {
		g.Seen = append(g.Seen, policy.Seen{From: policy.FromChat, Text: t.Text})
	}
	if t, ok := r.reads(ctx, s, spec); ok {
		g.Read = t.Args
	}
	for i, t := range s.Job.Todos {
		if t.Text != "" || len(t.Data) > 0 {
			g.Seen = append(g.Seen, seen(t.Tool, i+1, t.Args, t.Text, t.Data))
		}
	}
	if s.Loop != nil {
		for _, q := range s.Loop.Requests[:s.Loop.At] {
			g.Seen = append(g.Seen, seen(q.Tool, s.Cur+1, q.Args, q.Text, nil))
		}
	}
	if s.Job.Standing != nil && s.Job.Standing.About != "" {
		g.Seen = append(g.Seen, policy.Seen{From: policy.FromTrigger, Text: s.Job.Standing.About})
	}
	for _, text := range refusals { // last, for results repeat them
		g.Seen = append(g.Seen, policy.Seen{From: policy.FromRefusal, Text: text})
	}
	return g, nil
}

// wanted tells whether the customer's request asks for the tool, and whether it holds a value of the call.
func (r *Runner) wanted(ctx context.Context, s *Run, spec toolbox.Spec) (wanted, spoken bool) {
	for _, text := range r.requests(ctx, s) {
		spoken = spoken || policy.Spoken(spec, s.Call.Args, text)
	}
	_, wanted = r.reads(ctx, s, spec)
	return wanted, spoken
}

// requests are the customer's words that the job stands on: its request, and what was said to the job since.
func (r *Runner) requests(ctx context.Context, s *Run) []string {
	return append([]string{s.Job.Request}, r.background(ctx, s.Job.Chat, s.Job.ID).Notes...)
}

// reads finds the step that code alone reads out of the customer's request for a tool. What it read when the job was planned stands,
// for then it saw what else was under way.
func (r *Runner) reads(ctx context.Context, s *Run, spec toolbox.Spec) (t provider.TodoPlan, ok bool) {
	if r.authorizer.reads == nil {
		return provider.TodoPlan{Args: s.Call.Args}, true
	}
	if t := s.todo(); t.ByCode && t.Tool == spec.Key && toolbox.Digest(t.Tool, t.Args) == toolbox.Digest(spec.Key, s.Call.Args) {
		return provider.TodoPlan{Title: t.Title, Tool: t.Tool, Request: t.Request, Args: t.Args}, true
	}
	b := interpreter.Brief{Chat: s.Job.Chat, Lang: s.Job.Lang, Now: s.Job.Created, Background: r.background(ctx, s.Job.Chat, s.Job.ID)}
	for _, b.Request = range r.requests(ctx, s) {
		plan, read := r.authorizer.reads(ctx, b)
		for _, j := range plan.Jobs {
			for _, step := range j.Todos {
				switch {
				case !read || step.Tool != spec.Key:
				case toolbox.Digest(step.Tool, step.Args) == toolbox.Digest(spec.Key, s.Call.Args):
					return step, true
				case !ok:
					t, ok = step, true
				}
			}
		}
	}
	return t, ok
}

// seen is a result, named by the first text among the arguments that brought it, such as a file's name.
func seen(tool string, step int, args json.RawMessage, text string, data json.RawMessage) policy.Seen {
	name, values := "", map[string]any{}
	if json.Unmarshal(args, &values) == nil {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if value, ok := values[key].(string); ok && name == "" {
				name = value
			}
		}
	}
	return policy.Seen{From: policy.FromTool, Tool: tool, Name: name, Step: step, Text: text + "\n" + texts(data)}
}

// texts are the texts inside a result's data, as they read and not as JSON writes them.
func texts(data json.RawMessage) string {
	var value any
	if len(data) == 0 || json.Unmarshal(data, &value) != nil {
		return ""
	}
	var b strings.Builder
	var walk func(any)
	walk = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(v[key])
			}
		case nil:
		default:
			_, _ = fmt.Fprintln(&b, v)
		}
	}
	walk(value)
	return b.String()
}

// denied ends the use of a tool that policy forbids.
func (r *Runner) denied(s *Run, spec toolbox.Spec, v policy.Verdict) graph.Move {
	rule := policy.RuleWords(v.Rule, r.box.Specs())
	err := apperr.New(apperr.Denied, "tool", spec.Title.In(s.Job.Lang), "rule", rule)
	return r.stopped(s, err, rule.In(s.Job.Lang), policy.DecidedByRule, v.Rule)
}

// stopped ends the use of a tool before it ran, and logs who decided so.
func (r *Runner) stopped(s *Run, err error, why string, by policy.Decider, basis string) graph.Move {
	e := r.entry(s, r.newID())
	e.By, e.Basis, e.Outcome, e.Code, e.Result = by, basis, policy.AuditDenied, string(apperr.CodeOf(err)), apperr.From(err).Text(s.Job.Lang)
	s.out.Audit = append(s.out.Audit, e)
	move := s.fail(err).Durable()
	s.Outcome.Why = why
	return move
}

// begun tells whether the step at hand may have done something before, though its tool did not say what became of that.
func (r *Runner) begun(s *Run) bool {
	switch {
	case s.Outcome != nil && s.Outcome.Ran: // its own word, if it is about the same
		return s.Begun != "" && s.Begun != toolbox.Digest(s.Call.Tool, s.Call.Args)
	case s.Begun != "":
		return true
	case s.Exec == nil || !s.Exec.Left && !s.Exec.Again:
		return false
	}
	spec, err := r.box.Spec(s.Call.Tool)
	if err != nil { // what only reads, and nobody had to allow, stands in neither
		return s.Exec.Intent || s.Exec.Audited
	}
	return spec.Effect != toolbox.EffectRead
}

// doubt makes the outcome of a step that did not succeed one that is in doubt, if it may have happened. Every such end passes here.
func (r *Runner) doubt(s *Run) {
	if s.Outcome.OK || s.Outcome.Code == apperr.InDoubt || !r.begun(s) {
		return
	}
	why := s.Outcome.Why
	if why == "" {
		why = s.Outcome.Text
	}
	s.Outcome.Code, s.Outcome.Text = apperr.InDoubt, begunReport(s.Job.Lang, s.todo().Title, why)
}

// preview shows what the call would change, before anybody is asked about it. A call that would fail fails now.
func (r *Runner) preview(ctx context.Context, s *Run) (graph.Move, error) {
	spec, err := r.box.Spec(s.Call.Tool)
	if err != nil {
		return s.fail(err), nil
	}
	tool, err := r.box.Tool(s.Call.Tool)
	if err != nil {
		return s.fail(err), nil
	}
	s.Call.Preview, s.Call.Base, s.Call.Pick, s.Call.Files = nil, "", nil, 0
	if p, ok := tool.(toolbox.Previewer); ok {
		shown, err := r.look(ctx, p, toolbox.Call{
			JobID: s.Job.ID, TodoID: s.callID(), Chat: s.Job.Chat, Title: s.todo().Title, Lang: s.Job.Lang, Args: s.Call.Args,
			Log: func(string, string) {}, Media: func(event.Media) {},
		})
		switch {
		case ctx.Err() != nil:
			return graph.Move{}, ctx.Err()
		case err != nil:
			return s.fail(toolError(spec.Key, err)), nil
		}
		s.Call.Base, s.Call.Files = shown.Base, shown.Files
		s.Call.Preview = &event.AskPreview{Text: policy.Visible(shown.Text, previewText), Diff: shown.Diff, Cut: shown.Cut, Plan: shown.Plan, Lines: shown.Lines}
		if len(shown.Diff) > previewDiff {
			s.Call.Preview.Diff, s.Call.Preview.Cut = strings.ToValidUTF8(shown.Diff[:previewDiff], ""), true
		}
	}
	s.mark(TodoWaiting, nodeAskApproval)
	return graph.To(nodeAskApproval), nil
}

// look runs a tool's Preview in a goroutine of its own with a time limit; a panic becomes an error.
func (r *Runner) look(ctx context.Context, p toolbox.Previewer, call toolbox.Call) (toolbox.Preview, error) {
	limited, cancel := context.WithTimeout(ctx, previewWithin)
	defer cancel()
	done := aside(call.Title, func() (shown toolbox.Preview, err error) {
		scoped, err := r.scoped(limited, call.Chat)
		if err == nil {
			shown, err = p.Preview(scoped, call)
		}
		return shown, err
	})
	select {
	case o := <-done:
		return o.of, o.err
	case <-limited.Done():
		return toolbox.Preview{}, apperr.Wrap(limited.Err(), apperr.Timeout)
	}
}

// bind extends the digest of the call to everything that is shown with it: the preview, the state the preview was made from, and the
// origins of the values if one of them is not trusted. An approval of that digest then covers exactly what the person saw. A call that
// shows nothing more keeps the digest of its tool and arguments.
func (c *Call) bind(origins []event.Origin) error {
	c.Digest = toolbox.Digest(c.Tool, c.Args)
	if !policy.Tainted(origins) {
		origins = nil
	}
	if c.Preview == nil && c.Base == "" && len(origins) == 0 {
		return nil
	}
	shown, err := json.Marshal(struct {
		Preview *event.AskPreview
		Base    string
		Origins []event.Origin
	}{c.Preview, c.Base, origins})
	if err != nil {
		return err
	}
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "shown\x00%s\x00%s", c.Digest, shown)
	c.Digest = hex.EncodeToString(sum.Sum(nil))
	return nil
}

func (r *Runner) askApproval(ctx context.Context, s *Run) (graph.Move, error) {
	spec, err := r.box.Spec(s.Call.Tool)
	if err != nil {
		return graph.Move{}, err
	}
	v, origins, err := r.judge(ctx, s, spec)
	switch {
	case err != nil:
		return graph.Move{}, err
	case v.Decision == policy.Deny: // a rule that came meanwhile, or arguments that a person changed
		return r.denied(s, spec, v), nil
	case s.Asked >= r.authorizer.asks():
		return r.tooManyAsks(s), nil
	case len(v.Scopes) == 0: // changed arguments that would be allowed are shown all the same
		v.Scopes = []toolbox.Scope{toolbox.ScopeOnce}
	}
	if err := s.Call.bind(origins); err != nil {
		return graph.Move{}, err
	}
	s.Asked++
	if s.Asks == nil {
		s.Asks = map[string]int{}
	}
	s.Asks[spec.Key]++
	in := func(t bilingual.Text) string { return t.In(s.Job.Lang) }
	offers := policy.Offers(spec, v, s.Call.Args, in)
	if s.Job.Guest != nil {
		offers = guestScopes(offers, s.Job.Lang, s.Job.Guest.Name)
	}
	return r.open(s, ask.Ask{
		Kind: ask.KindApproval, Order: s.Job.standing(), Question: approvalQuestion(s.Job.Lang, spec, s.Call.Preview != nil && s.Call.Preview.Plan != ""), Tool: spec.Key,
		Args: s.Call.Args, Digest: s.Call.Digest, Effect: effectSentence(s.Job.Lang, spec),
		Choices: approvalChoices(spec),
		Preview: s.Call.Preview, Scopes: offers, Origins: origins, Why: whySentence(s.Job.Lang, v, r.box.Specs()),
		Group: s.Job.ID + ":" + spec.Key, Like: s.Asks[spec.Key], Pattern: policy.Pattern(spec, s.Call.Args),
	}, nodeAskApproval, nodeReadApproval)
}

// approvalChoices are how a person may answer. What the shop's own code asks for has no values that mean anything to them.
func approvalChoices(spec toolbox.Spec) []string {
	if spec.House {
		return []string{ask.ChoiceApprove, ask.ChoiceReject}
	}
	return []string{ask.ChoiceApprove, ask.ChoiceEdit, ask.ChoiceReject}
}

// tooManyAsks ends a job that has asked too often in a row without any approval.
func (r *Runner) tooManyAsks(s *Run) graph.Move {
	err := apperr.New(apperr.TooManyAsks, "limit", r.authorizer.asks())
	if s.inLoop() {
		s.Loop.Problem = s.problem(err)
	}
	return s.fail(err)
}

func whySentence(lang bilingual.Lang, v policy.Verdict, specs []toolbox.Spec) string {
	switch v.By {
	case policy.ByRule:
		return bilingual.Say(lang, "정해 둔 규칙 때문에 물어봐요: %s", "You are asked because of %s.", policy.RuleWords(v.Rule, specs).In(lang))
	case policy.ByWords:
		return bilingual.Say(lang, "부탁하신 말씀에서 찾지 못한 일이라 물어봐요.", "Your words do not plainly ask for this.")
	case policy.ByOrigin:
		return bilingual.Say(lang, "손님이 직접 말하지 않은 값이 있어 물어봐요.", "A value here is not one you gave yourself.")
	case policy.ByMode:
		return bilingual.Say(lang, "모두 묻기로 해 두셔서 물어봐요.", "You chose to be asked about everything.")
	case policy.ByGrant, policy.ByManual:
	}
	return ""
}
