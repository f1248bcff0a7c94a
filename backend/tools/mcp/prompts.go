package mcp

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/outbound"
)

// What a prompt of a server may have, and what may be told it. A person reads all of it before it is said.
const (
	maxPrompted  = 16_000 // characters of a prompt as it is said
	maxArgument  = 4_000  // characters of what is filled in
	maxKey       = 200    // characters of a name, of a prompt's or of what it asks for
	maxCompleted = 20     // values that are offered for an argument
	maxLeft      = 20     // things that are named as left out
)

// Prompt is a text that a server has ready to be said, once it was told what it asks for. Its words are a stranger's.
type Prompt struct {
	Server    string        `json:"server"`
	Title     string        `json:"title,omitempty"` // what people see the server called; "": its name
	Prompt    string        `json:"prompt"`          // as the server knows it
	Name      string        `json:"name"`            // as people see it
	About     string        `json:"about,omitempty"`
	Fields    []PromptField `json:"fields,omitempty"`    // what may be filled in
	Completes bool          `json:"completes,omitempty"` // the server offers values for them
}

// PromptField is something that a prompt may be told.
type PromptField struct {
	Key      string `json:"key"`  // as the server knows it
	Name     string `json:"name"` // as people see it
	About    string `json:"about,omitempty"`
	Required bool   `json:"required,omitempty"`
}

// Prompted is what a prompt says: the server's words, and never a person's.
type Prompted struct {
	Title string   // what people see the server called; "": its name
	Name  string   // of the prompt, as people see it
	Text  string   // without what is invisible, and without the server's own keys
	Left  []string // what it had besides text, which was left out
}

// Prompts lists what can be said of the servers that are up and wait for no consent, by server and as each lists it. One that is slow or fails is
// left out.
func (m *Mounts) Prompts(ctx context.Context) []Prompt {
	return gather(ctx, m, (*server).prompts)
}

// prompts are those of a server whose names, and those of all they ask for, can be shown as they are: of another nobody could know what they choose.
func (v *server) prompts(ctx context.Context, x *session) (list []Prompt, err error) {
	has := x.conn.InitializeResult().Capabilities
	if has == nil || has.Prompts == nil {
		return nil, nil
	}
	edition := x.edition()
	defer func() {
		if err == nil {
			x.keepListed(edition, list)
		}
	}()
	all, err := pages(func(cursor string) ([]*sdk.Prompt, string, error) {
		r, err := x.conn.ListPrompts(ctx, &sdk.ListPromptsParams{Cursor: cursor})
		if err != nil {
			return nil, "", err
		}
		return r.Prompts, r.NextCursor, nil
	})
	if err != nil {
		return nil, unsupported(err)
	}
	hide, seen := v.cover(), map[string]bool{}
	shown := func(name string) bool { return name != "" && plain(name, maxKey) == name && hide.known(name) == name }
	for _, p := range all {
		if p == nil || seen[p.Name] || !shown(p.Name) || len(p.Arguments) > maxFields {
			continue
		}
		one := Prompt{
			Server: v.Name, Title: v.Title, Prompt: p.Name, Name: cmp.Or(plain(hide.known(p.Title), 200), p.Name), About: plain(hide.known(p.Description), maxLine),
			Completes: has.Completions != nil && len(p.Arguments) > 0,
		}
		fits := true
		for _, a := range p.Arguments {
			fits = fits && a != nil && shown(a.Name) && !slices.ContainsFunc(one.Fields, func(f PromptField) bool { return f.Key == a.Name })
			if !fits {
				break
			}
			one.Fields = append(one.Fields, PromptField{
				Key: a.Name, Name: cmp.Or(plain(hide.known(a.Title), 200), a.Name), About: plain(hide.known(a.Description), maxLine), Required: a.Required,
			})
		}
		if fits {
			seen[p.Name] = true
			list = append(list, one)
		}
	}
	return list, nil
}

// Prompt asks a server for what one of its prompts says, with what it was told. Errors: prompt_refused, which says why; canceled.
func (m *Mounts) Prompt(ctx context.Context, server, prompt string, values map[string]string) (Prompted, error) {
	refuse := func(err error, why bilingual.Text) (Prompted, error) {
		if ctx.Err() != nil {
			return Prompted{}, apperr.From(ctx.Err())
		}
		return Prompted{}, apperr.Wrap(err, apperr.PromptRefused, "name", plain(prompt, 200), "detail", why)
	}
	v, x, why := m.reach(server)
	if x == nil {
		return refuse(nil, why)
	}
	bounded, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	list, err := asked(bounded, x, func(ctx context.Context) ([]Prompt, error) { return v.prompts(ctx, x) })
	if err != nil {
		return refuse(err, v.why(bounded, err))
	}
	at := slices.IndexFunc(list, func(p Prompt) bool { return p.Prompt == prompt })
	if at < 0 {
		return refuse(nil, bilingual.Text{KO: "서버에 그런 프롬프트가 이제 없어요. ‘/’를 쳐서 다시 골라 주세요", EN: "the server does not have it any more; type “/” and choose again"})
	}
	args, wrong := list[at].told(values)
	if wrong != nil {
		return refuse(nil, *wrong)
	}
	words := make([]string, 0, len(args))
	for _, f := range list[at].Fields {
		words = append(words, args[f.Key])
	}
	result, err := asked(outbound.Saying(bounded, words...), x, func(ctx context.Context) (*sdk.GetPromptResult, error) {
		return x.conn.GetPrompt(ctx, &sdk.GetPromptParams{Name: prompt, Arguments: args})
	})
	if err != nil {
		return refuse(err, v.why(bounded, err))
	}
	said, wrong := v.prompted(result)
	if wrong != nil {
		return refuse(nil, *wrong)
	}
	said.Name = list[at].Name
	return said, nil
}

// reach gives a server that is up, and its session; why says what is amiss where there is none.
func (m *Mounts) reach(name string) (v *server, x *session, why bilingual.Text) {
	v, err := m.find(name)
	if err == nil {
		x = v.up()
	}
	return v, x, bilingual.Text{
		KO: "바깥 서버 ‘" + plain(name, 100) + "’가 지금 켜져 있지 않아요. ‘바깥 공구’에서 켠 다음 다시 골라 주세요",
		EN: "the outside server “" + plain(name, 100) + "” is not running; switch it on under “Outside tools” and choose it again",
	}
}

// told is what a prompt is told of what was filled in: nothing empty, and nothing that it does not ask for.
func (p Prompt) told(values map[string]string) (args map[string]string, wrong *bilingual.Text) {
	args = map[string]string{}
	for _, f := range p.Fields {
		value := strings.TrimSpace(values[f.Key])
		switch {
		case value == "" && f.Required:
			return nil, &bilingual.Text{KO: "‘" + f.Name + "’ 칸을 채워야 해요", EN: "“" + f.Name + "” has to be filled in"}
		case utf8.RuneCountInString(value) > maxArgument:
			return nil, &bilingual.Text{
				KO: fmt.Sprintf("‘%s’ 칸에는 %d자까지 쓸 수 있어요", f.Name, maxArgument), EN: fmt.Sprintf("“%s” takes %d characters at most", f.Name, maxArgument),
			}
		case value != "":
			args[f.Key] = value
		}
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if !slices.ContainsFunc(p.Fields, func(f PromptField) bool { return f.Key == key }) {
			return nil, &bilingual.Text{KO: "‘" + plain(key, 100) + "’ 칸은 이 프롬프트에 없어요", EN: "it does not ask for “" + plain(key, 100) + "”"}
		}
	}
	return args, nil
}

// Roles of a prompt's messages, above each where there are several.
var promptRoles = map[sdk.Role]string{"user": "[user]", "assistant": "[assistant]"}

// prompted makes one text of a prompt's messages: what is text, and text that lies in it. Everything else is named as left out.
func (v *server) prompted(r *sdk.GetPromptResult) (out Prompted, wrong *bilingual.Text) {
	hide := v.cover()
	out = Prompted{Title: v.Title, Left: []string{}}
	clean := func(text string) string { return strings.TrimSpace(hide.known(visible(text))) }
	leave := func(parts ...string) {
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		if len(out.Left) < maxLeft {
			out.Left = append(out.Left, plain(hide.known(strings.Join(parts, ", ")), 300))
		}
	}
	var blocks, roles []string
	for _, m := range r.Messages {
		if m == nil {
			continue
		}
		text := ""
		switch c := m.Content.(type) {
		case *sdk.TextContent:
			text = clean(c.Text)
		case *sdk.EmbeddedResource:
			switch {
			case c.Resource == nil:
			case c.Resource.Text != "":
				text = strings.TrimSpace(plain(hide.known(c.Resource.URI), maxAddress) + "\n\n" + clean(c.Resource.Text))
			default:
				leave(c.Resource.URI, c.Resource.MIMEType)
			}
		case *sdk.ImageContent:
			leave("image", c.MIMEType)
		case *sdk.AudioContent:
			leave("audio", c.MIMEType)
		case *sdk.ResourceLink:
			leave("link", c.Name, c.URI, c.MIMEType)
		default:
			leave("unknown")
		}
		if text == "" {
			continue
		}
		blocks, roles = append(blocks, text), append(roles, cmp.Or(promptRoles[m.Role], "[?]"))
	}
	if len(blocks) > 1 || len(blocks) == 1 && roles[0] != promptRoles["user"] {
		for i := range blocks {
			blocks[i] = roles[i] + "\n" + blocks[i]
		}
	}
	out.Text = strings.Join(blocks, "\n\n")
	switch {
	case r.NeedsInput():
		return out, &bilingual.Text{KO: "서버가 더 물어보는 프롬프트라 쓸 수 없어요", EN: "the server asks for more before it says it, which cannot be done here"}
	case out.Text == "" && len(out.Left) > 0:
		left := strings.Join(out.Left, "; ")
		return out, &bilingual.Text{KO: "글이 없고 쓸 수 없는 것만 있어요 (" + left + ")", EN: "it has no text, only what cannot be used here (" + left + ")"}
	case out.Text == "":
		return out, &bilingual.Text{KO: "비어 있어요", EN: "it is empty"}
	case utf8.RuneCountInString(out.Text) > maxPrompted:
		return out, &bilingual.Text{KO: fmt.Sprintf("%d자보다 길어요", maxPrompted), EN: fmt.Sprintf("it is longer than %d characters", maxPrompted)}
	}
	return out, nil
}

// before is what a server is told of what was filled in before the value of an argument: nothing empty, and nothing that the prompt does not ask for.
// fits is false where it is more than a prompt may be told, or where the prompt does not ask for the argument either.
func (p Prompt) before(argument string, values map[string]string) (before map[string]string, words []string, fits bool) {
	before = map[string]string{}
	for _, f := range p.Fields {
		value := strings.TrimSpace(values[f.Key])
		switch {
		case f.Key == argument:
			fits = true
		case utf8.RuneCountInString(value) > maxArgument:
			return nil, nil, false
		case value != "":
			before[f.Key], words = value, append(words, value)
		}
	}
	return before, words, fits
}

// listedPrompt is a prompt as the server last listed it, which is what a person was shown. It is asked anew where it said since that they changed.
func (v *server) listedPrompt(ctx context.Context, x *session, name string) (Prompt, error) {
	list, known := x.listed()
	if !known {
		var err error
		if list, err = asked(ctx, x, func(ctx context.Context) ([]Prompt, error) { return v.prompts(ctx, x) }); err != nil {
			return Prompt{}, err
		}
	}
	at := slices.IndexFunc(list, func(p Prompt) bool { return p.Prompt == name })
	if at < 0 {
		return Prompt{}, nil
	}
	return list[at], nil
}

// Completions are the values that a server offers for an argument of a prompt, given what is typed of it and what was filled in before. None where it
// offers none, is slow or fails: it is only a help.
func (m *Mounts) Completions(ctx context.Context, server, prompt, argument, typed string, values map[string]string) []string {
	v, x, _ := m.reach(server)
	if x == nil || utf8.RuneCountInString(typed) > maxArgument {
		return []string{}
	}
	ctx, cancel := context.WithTimeout(ctx, listWithin)
	defer cancel()
	offered, err := v.listedPrompt(ctx, x, prompt)
	var result *sdk.CompleteResult
	if before, words, fits := offered.before(argument, values); err == nil && fits && offered.Completes {
		result, err = asked(outbound.Saying(ctx, append(words, typed)...), x, func(ctx context.Context) (*sdk.CompleteResult, error) {
			p := &sdk.CompleteParams{Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: prompt}, Argument: sdk.CompleteParamsArgument{Name: argument, Value: typed}}
			if len(before) > 0 {
				p.Context = &sdk.CompleteContext{Arguments: before}
			}
			return x.conn.Complete(ctx, p)
		})
	}
	if err != nil && ctx.Err() == nil {
		v.log.Info().Str("error", v.cover().all(err.Error())).Msg("an outside server offered no values for a prompt")
	}
	list := []string{}
	if err != nil || result == nil {
		return list
	}
	hide := v.cover()
	for _, value := range result.Completion.Values {
		// What cannot be seen as it is cannot be chosen.
		if value != "" && plain(value, 200) == value && hide.known(value) == value && !slices.Contains(list, value) && len(list) < maxCompleted {
			list = append(list, value)
		}
	}
	return list
}
