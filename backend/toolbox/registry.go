package toolbox

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"agentchat/backend/apperr"
)

// Override is what a person set for a tool instead of what its Spec says. A nil field leaves the Spec's value.
type Override struct {
	Capacity *int     `json:"capacity,omitempty"`
	Group    *string  `json:"group,omitempty"` // "": no group
	Confirm  *Confirm `json:"confirm,omitempty"`
	Enabled  *bool    `json:"enabled,omitempty"` // false: off
}

// name is what a tool or a group may be called: it is used in setting keys, events and requests to models.
var name = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)

// Register puts tools into the box, all of them or, with an error, none. It refuses a key that is taken or malformed, an
// unknown confirm policy or effect class, a negative capacity and a schema that does not compile. No Params means that
// the tool takes no arguments; no Result means that anything fits. A group named for the first time holds one at once.
func (b *Box) Register(tools ...Tool) error {
	fresh := make([]*entry, 0, len(tools))
	for _, t := range tools {
		s, err := newEntry(t)
		if err != nil {
			return fmt.Errorf("toolbox: tool %q: %w", s.base.Key, err)
		}
		fresh = append(fresh, s)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	seen := map[string]bool{}
	for _, s := range fresh {
		if b.tools[s.base.Key] != nil || seen[s.base.Key] {
			return fmt.Errorf("toolbox: tool %q: registered twice", s.base.Key)
		}
		seen[s.base.Key] = true
	}
	for _, s := range fresh {
		b.tools[s.base.Key] = s
		s.join(b.group(s.base.Group))
	}
	b.edition++
	b.changed()
	return nil
}

// Unregister removes tools; unknown keys are ignored. Their leases are released (tool.released), jobs that wait for them leave the queue,
// and OnReady is called for all these jobs: at their next step they get unknown_tool. A running call is not ended; the tool itself must do
// that. Afterwards the queue is served, because a group may have room now.
func (b *Box) Unregister(keys ...string) {
	b.change(func() (ready []string) {
		edition := b.edition
		var heirs []*ticket
		for _, key := range keys {
			s := b.tools[key]
			if s == nil {
				continue
			}
			delete(b.tools, key)
			b.edition++
			ready = append(ready, b.drain(s)...)
			for _, h := range slices.Clone(s.holds) {
				heirs = append(heirs, b.free(h)...)
				ready = append(ready, h.JobID)
			}
			s.join(nil)
		}
		heirs = slices.DeleteFunc(heirs, func(t *ticket) bool { return b.tools[t.entry.base.Key] != t.entry })
		ready = append(ready, b.serve(heirs)...)
		if b.edition != edition {
			b.changed()
		}
		return ready
	})
}

// Check says whether a tool with this manual could be registered, as far as that lies in the manual.
func (s Spec) Check() error {
	_, err := newEntry(manualOnly{spec: s})
	return err
}

// manualOnly is a tool that is never run.
type manualOnly struct {
	Tool
	spec Spec
}

// Spec implements Tool.
func (m manualOnly) Spec() Spec { return m.spec }

// newEntry checks a tool's Spec. The entry has its base even with an error, so that the error can name the tool.
func newEntry(t Tool) (*entry, error) {
	spec := copySpec(t.Spec())
	s := &entry{tool: t, base: spec, spec: spec, names: spec.Names()}
	switch {
	case !name.MatchString(spec.Key):
		return s, errors.New("a key is a letter and at most 63 letters, digits, _ or -")
	case spec.Group != "" && !name.MatchString(spec.Group):
		return s, fmt.Errorf("malformed group %q", spec.Group)
	case spec.Capacity < 0:
		return s, fmt.Errorf("negative capacity %d", spec.Capacity)
	case !spec.Confirm.known():
		return s, fmt.Errorf("unknown confirm policy %q", spec.Confirm)
	case !spec.Effect.known():
		return s, fmt.Errorf("unknown effect class %q", spec.Effect)
	case !spec.Widest.known():
		return s, fmt.Errorf("unknown widest scope %q", spec.Widest)
	}
	var err error
	if s.params, err = compile(spec.Params, noArguments); err != nil {
		return s, fmt.Errorf("params: %w", err)
	}
	if s.result, err = compile(spec.Result, anything); err != nil {
		return s, fmt.Errorf("result: %w", err)
	}
	for i, name := range spec.Consequential {
		switch {
		case s.params.root.Properties[name] == nil:
			return s, fmt.Errorf("consequential: there is no parameter %q", name)
		case slices.Contains(spec.Consequential[:i], name):
			return s, fmt.Errorf("consequential: %q is named twice", name)
		}
	}
	for _, name := range slices.Concat(spec.Content, slices.Sorted(maps.Keys(spec.Strict))) {
		if s.params.root.Properties[name] == nil {
			return s, fmt.Errorf("content, strict: there is no parameter %q", name)
		}
	}
	return s, nil
}

// known also takes the empty scope, which leaves it to the confirm policy.
func (s Scope) known() bool { return s == "" || s == ScopeOnce || s == ScopeChat || s == ScopeAlways }

func (c Confirm) known() bool { return c == ConfirmNever || c == ConfirmFirst || c == ConfirmAlways }

// rank orders policies by how often they ask.
func (c Confirm) rank() int {
	return slices.Index([]Confirm{ConfirmNever, ConfirmFirst, ConfirmAlways}, c)
}

func (e Effect) known() bool { return e == EffectRead || e == EffectIdempotent || e == EffectOnce }

// SetGroup says how many tools of a group may be out at once; Infinite (or less): any number. It serves the line, for
// the group may have room now.
func (b *Box) SetGroup(key string, capacity int) {
	b.change(func() []string {
		return b.resize(b.group(key), func(g *group) { g.base = max(capacity, Infinite) })
	})
}

// resize changes a group's capacity and serves the line. A group that no tool hangs in is not shown.
func (b *Box) resize(g *group, set func(*group)) (ready []string) {
	if g == nil {
		return nil
	}
	was := g.capacity()
	set(g)
	ready = b.serve(nil)
	if g.capacity() != was && len(g.members) > 0 {
		b.changed()
	}
	return ready
}

// group finds or founds a group; nil for "".
func (b *Box) group(key string) *group {
	if key == "" {
		return nil
	}
	g := b.groups[key]
	if g == nil {
		g = &group{key: key, base: 1}
		b.groups[key] = g
	}
	return g
}

// Override sets all of a tool's overrides at once, live. Nothing that is out is taken away: with less capacity there are
// simply no new leases until it fits; a tool that changes its group takes its holders along; a tool from outside never
// asks less often than its manual says; whoever waits for a tool that is switched off leaves the line and OnReady hears of it,
// and what is out of it stays out until it comes back. Afterwards the line is served. Errors: unknown_tool, invalid_setting.
func (b *Box) Override(tool string, o Override) (err error) {
	b.change(func() (ready []string) {
		s, ok := b.tools[tool]
		if !ok {
			err = unknown(tool)
			return nil
		}
		if err = o.check(tool); err != nil {
			return nil
		}
		was := s.spec
		b.apply(s, o)
		if s.spec.Off {
			ready = b.drain(s)
		}
		ready = append(ready, b.serve(nil)...)
		if now := s.spec; now.Capacity != was.Capacity || now.Confirm != was.Confirm || now.Group != was.Group || now.Off != was.Off {
			b.changed()
		}
		return ready
	})
	return err
}

func (b *Box) apply(s *entry, o Override) {
	s.override = o
	s.spec.Capacity = valueOr(o.Capacity, s.base.Capacity)
	s.spec.Confirm = valueOr(o.Confirm, s.base.Confirm)
	if off := !valueOr(o.Enabled, !s.base.Off); off != s.spec.Off {
		s.spec.Off = off
		b.edition++
	}
	if s.base.Outside != "" && s.spec.Confirm.rank() < s.base.Confirm.rank() {
		s.spec.Confirm = s.base.Confirm
	}
	s.spec.Widest = s.base.Widest
	if o.Confirm != nil && *o.Confirm == ConfirmAlways {
		s.spec.Widest = ScopeOnce // who wants to be asked always is asked always
	}
	s.join(b.group(valueOr(o.Group, s.base.Group)))
}

func (o Override) check(tool string) error {
	switch {
	case o.Capacity != nil && *o.Capacity < 0:
		return badSetting("tools."+tool+".capacity", fmt.Sprintf("%d < 0", *o.Capacity))
	case o.Group != nil && *o.Group != "" && !name.MatchString(*o.Group):
		return badSetting("tools."+tool+".group", fmt.Sprintf("%q ≠ [A-Za-z][A-Za-z0-9_-]*", *o.Group))
	case o.Confirm != nil && !o.Confirm.known():
		return badSetting("tools."+tool+".confirm", fmt.Sprintf("%q ≠ never | first | always", *o.Confirm))
	}
	return nil
}

// OverrideGroup sets a group's capacity instead of the one SetGroup gave, live, as Override does for a tool; nil goes
// back to it. A group that no tool has named yet is founded. Error: invalid_setting.
func (b *Box) OverrideGroup(key string, capacity *int) (err error) {
	switch {
	case !name.MatchString(key):
		return badSetting("groups."+key+".capacity", fmt.Sprintf("%q ≠ [A-Za-z][A-Za-z0-9_-]*", key))
	case capacity != nil && *capacity < 0:
		return badSetting("groups."+key+".capacity", fmt.Sprintf("%d < 0", *capacity))
	}
	b.change(func() []string {
		return b.resize(b.group(key), func(g *group) {
			g.override = nil
			if capacity != nil {
				c := *capacity
				g.override = &c
			}
		})
	})
	return nil
}

func badSetting(key, detail string) error {
	return apperr.New(apperr.InvalidSetting, "key", key, "detail", detail)
}

// Edition tells whether tools have come, gone or been switched on or off: it is another number then. Other overrides do not count.
func (b *Box) Edition() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.edition
}

// Spec is a tool's manual with overrides applied. Error: unknown_tool.
func (b *Box) Spec(tool string) (Spec, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, ok := b.tools[tool]
	if !ok {
		return Spec{}, unknown(tool)
	}
	return copySpec(s.spec), nil
}

// Specs are all manuals with overrides applied, sorted by key.
func (b *Box) Specs() []Spec {
	b.mu.Lock()
	defer b.mu.Unlock()
	specs := make([]Spec, 0, len(b.tools))
	for _, key := range slices.Sorted(maps.Keys(b.tools)) {
		specs = append(specs, copySpec(b.tools[key].spec))
	}
	return specs
}

// Tool is the tool itself, to run it. Error: unknown_tool.
func (b *Box) Tool(tool string) (Tool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, ok := b.tools[tool]
	if !ok {
		return nil, unknown(tool)
	}
	return s.tool, nil
}

// copySpec keeps the box's manuals out of other hands. Example arguments stay shared: nobody writes to them.
func copySpec(s Spec) Spec {
	s.Params, s.Result, s.Examples = slices.Clone(s.Params), slices.Clone(s.Result), slices.Clone(s.Examples)
	s.Consequential, s.Content = slices.Clone(s.Consequential), slices.Clone(s.Content)
	s.Strict = maps.Clone(s.Strict)
	return s
}

func valueOr[T any](v *T, fallback T) T {
	if v == nil {
		return fallback
	}
	return *v
}
