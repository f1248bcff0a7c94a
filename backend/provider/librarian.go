package provider

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/backend/brief"
)

// LibraryTask is what one request to the librarian asks.
type LibraryTask string

// The librarian's tasks, in the order of an inquiry.
const (
	TaskScope    LibraryTask = "scope"    // is the request about the documents?
	TaskContext  LibraryTask = "context"  // does it lean on the last question and answer?
	TaskPlan     LibraryTask = "plan"     // which tools next?
	TaskEvaluate LibraryTask = "evaluate" // is what was found enough?
)

// asks says in a request what a task wants to know. It stands with the state and not in the frozen block: each request needs one.
var asks = map[LibraryTask]string{
	TaskScope:   `inScope: does the request ask what documents like the passages in results say? Small talk does not.`,
	TaskContext: `needPrevious: can the request only be understood together with the last question and answer?`,
	TaskPlan: `uses: which uses of the tools bring what is missing? At most four, none that depends on another, none that is in used. ` +
		`An empty list when nothing would help.`,
	TaskEvaluate: `sufficient: do the results answer the request? missing: what to look for next, a few words each, empty when they do. why: one short sentence.`,
}

// Bounds of what a librarian says, in characters. A reply beyond them is model_bad_output.
const (
	MaxLibraryUses = 4 // uses of tools in one plan
	maxMissing     = 5
	maxMissingText = 100
	maxWhy         = 200
)

// LibraryTool is one of the library's tools as the librarian may use it: one argument that says what is looked for, and,
// where it is Scoped, whose documents.
type LibraryTool struct {
	Key    string `json:"tool"`
	Arg    string `json:"arg"`
	Scoped bool   `json:"scope,omitempty"`
	Does   string `json:"does"`

	most int // characters of the argument
}

// LibraryScopes are whose documents are meant; left out, the customer's own.
var LibraryScopes = []string{"mine", "standard", "all"}

// libraryTools are all there are: no request can name another, and no reply.
var libraryTools = []LibraryTool{
	{Key: "hybrid_search", Arg: "query", Scoped: true, most: 200, Does: "finds passages by what they say"},
	{Key: "get_article_by_index", Arg: "number", Scoped: true, most: 20, Does: "shows the article with a number: 5, 3의2, 2.1"},
	{Key: "get_article_by_title", Arg: "title", Scoped: true, most: 100, Does: "shows the articles with a title"},
	{Key: "lookup_standard_contract", Arg: "clause", most: 200, Does: "compares a clause of the customer's, by number or title, with the standard contract"},
}

// LibraryTools lists the library's tools.
func LibraryTools() []LibraryTool { return slices.Clone(libraryTools) }

// LibraryState is what the librarian is told of an inquiry. What was found stands in the state's Results. Article names and
// what is missing go into a request as other people's words: they come out of documents.
type LibraryState struct {
	Task       LibraryTask   `json:"task"`
	Round      int           `json:"round"`                // how many rounds of tools are over
	Asks       string        `json:"asks,omitempty"`       // the task in words; written into the request
	Tools      []LibraryTool `json:"tools,omitempty"`      // plan
	Used       []LibraryUse  `json:"used,omitempty"`       // plan, evaluate: the uses so far
	Before     []string      `json:"before,omitempty"`     // context: the articles that the last answer rested on
	Explored   []string      `json:"explored,omitempty"`   // articles that were read
	Unexplored []string      `json:"unexplored,omitempty"` // articles that were not
	Missing    []string      `json:"missing,omitempty"`    // what the last evaluation found missing
}

// LibraryUse is one use of a tool that the librarian proposes.
type LibraryUse struct {
	Tool string            `json:"tool"`
	Args map[string]string `json:"args"`
}

// LibraryVerdict is the librarian's judgment of what was found.
type LibraryVerdict struct {
	Sufficient bool
	Missing    []string // what to look for next; not empty when it is not sufficient
	Why        string   // one sentence
}

// Check says in words a model can use why a use cannot be run: another tool, other arguments, or one beyond its bounds.
func (u LibraryUse) Check() error {
	i := slices.IndexFunc(libraryTools, func(t LibraryTool) bool { return t.Key == u.Tool })
	if i < 0 {
		return fmt.Errorf("there is no tool named %q", brief.Cut(u.Tool, maxQuestion))
	}
	tool := libraryTools[i]
	for name, value := range u.Args {
		n := utf8.RuneCountInString(value)
		switch {
		case name == tool.Arg && (strings.TrimSpace(value) == "" || n > tool.most || strings.ContainsAny(value, "\n\x00")):
			return fmt.Errorf("%s.%s must be one line of 1 to %d characters", tool.Key, name, tool.most)
		case name == tool.Arg && tool.Arg == "number" && !strings.ContainsAny(value, "0123456789"):
			return fmt.Errorf("%s.number must be the number of an article", tool.Key)
		case name == tool.Arg:
		case name == "scope" && tool.Scoped && slices.Contains(LibraryScopes, value):
		default:
			return fmt.Errorf("%s takes %s", tool.Key, tool.takes())
		}
	}
	if u.Args[tool.Arg] == "" {
		return fmt.Errorf("%s needs %s", tool.Key, tool.Arg)
	}
	return nil
}

func (t LibraryTool) takes() string {
	if t.Scoped {
		return t.Arg + " and maybe scope (" + strings.Join(LibraryScopes, ", ") + ")"
	}
	return t.Arg + " alone"
}

// LibrarySchema is the schema of a librarian's reply. Every string and list in it is bounded.
func LibrarySchema(task LibraryTask) json.RawMessage {
	text := func(most int) string { return fmt.Sprintf(`{"type":"string","minLength":1,"maxLength":%d}`, most) }
	open := func(required string) string {
		return `{"type":"object","additionalProperties":false,"required":[` + required + `],"properties":{`
	}
	switch task {
	case TaskScope:
		return json.RawMessage(open(`"inScope"`) + `"inScope":{"type":"boolean"}}}`)
	case TaskContext:
		return json.RawMessage(open(`"needPrevious"`) + `"needPrevious":{"type":"boolean"}}}`)
	case TaskPlan:
		keys, args := make([]string, len(libraryTools)), ""
		for i, t := range libraryTools {
			keys[i] = `"` + t.Key + `"`
			args += `"` + t.Arg + `":` + text(t.most) + `,`
		}
		return json.RawMessage(open(`"uses"`) + fmt.Sprintf(`"uses":{"type":"array","maxItems":%d,"items":`, MaxLibraryUses) + open(`"tool","args"`) +
			`"tool":{"enum":[` + strings.Join(keys, ",") + `]},"args":{"type":"object","additionalProperties":false,"properties":{` + args +
			`"scope":{"enum":["` + strings.Join(LibraryScopes, `","`) + `"]}}}}}}}}`)
	case TaskEvaluate:
	}
	return json.RawMessage(open(`"sufficient","missing","why"`) + `"sufficient":{"type":"boolean"},` +
		fmt.Sprintf(`"missing":{"type":"array","maxItems":%d,"items":%s},"why":{"type":"string","maxLength":%d}}}`, maxMissing, text(maxMissingText), maxWhy))
}

// ParseLibraryScope reads whether a request is about the documents.
func (Adapter) ParseLibraryScope(reply string) (inScope bool, err error) {
	type scope struct {
		InScope *bool `json:"inScope"`
	}
	_, err = readForm(reply, func(said *scope) error { inScope = *said.InScope; return nil })
	return inScope, err
}

// ParseLibraryContext reads whether a request leans on the last question and answer.
func (Adapter) ParseLibraryContext(reply string) (needPrevious bool, err error) {
	type context struct {
		NeedPrevious *bool `json:"needPrevious"`
	}
	_, err = readForm(reply, func(said *context) error { needPrevious = *said.NeedPrevious; return nil })
	return needPrevious, err
}

// ParseLibraryPlan reads which tools are to be used next; none is a plan too. Every use has passed Check.
func (Adapter) ParseLibraryPlan(reply string) ([]LibraryUse, error) {
	type uses struct {
		Uses *[]LibraryUse `json:"uses"`
	}
	said, err := readForm(reply, func(said *uses) error {
		if len(*said.Uses) > MaxLibraryUses {
			return bad("more than %d uses", MaxLibraryUses)
		}
		for i, u := range *said.Uses {
			for name, value := range u.Args {
				u.Args[name] = clean(value)
			}
			if err := u.Check(); err != nil {
				return bad("uses[%d]: %w", i, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return *said.Uses, nil
}

// ParseLibraryVerdict reads whether what was found is enough.
func (Adapter) ParseLibraryVerdict(reply string) (v LibraryVerdict, err error) {
	type verdict struct {
		Sufficient *bool     `json:"sufficient"`
		Missing    *[]string `json:"missing"`
		Why        *string   `json:"why"`
	}
	_, err = readForm(reply, func(said *verdict) error {
		why := oneLine(*said.Why)
		if utf8.RuneCountInString(why) > maxWhy {
			return bad("why is longer than %d characters", maxWhy)
		}
		if len(*said.Missing) > maxMissing {
			return bad("missing has more than %d items", maxMissing)
		}
		var missing []string
		for i, m := range *said.Missing {
			if m = oneLine(m); m == "" || utf8.RuneCountInString(m) > maxMissingText {
				return bad("missing[%d] must have 1 to %d characters", i, maxMissingText)
			}
			missing = append(missing, m)
		}
		if *said.Sufficient {
			missing = nil
		} else if len(missing) == 0 {
			return bad("when it is not sufficient, missing says what to look for")
		}
		v = LibraryVerdict{*said.Sufficient, missing, why}
		return nil
	})
	return v, err
}

// fencedLibrary is an inquiry as a request shows it: what comes out of documents stands between marks.
func fencedLibrary(s *LibraryState) *LibraryState {
	if s == nil {
		return nil
	}
	shown := *s
	shown.Asks = asks[s.Task]
	for _, list := range []*[]string{&shown.Before, &shown.Explored, &shown.Unexplored, &shown.Missing} {
		if len(*list) > 0 {
			*list = []string{Fence("documents", strings.Join(*list, "; "))}
		}
	}
	shown.Used = make([]LibraryUse, len(s.Used))
	for i, u := range s.Used { // a value may have been taken from a document
		shown.Used[i] = LibraryUse{Tool: u.Tool, Args: map[string]string{}}
		for name, value := range u.Args {
			shown.Used[i].Args[name] = harmless(value)
		}
	}
	return &shown
}
