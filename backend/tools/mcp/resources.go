package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// What the resources and prompts of a server may weigh, and how long it may take over them. A person waits meanwhile.
const (
	maxResources = 500     // of a server
	maxAddress   = 2000    // characters
	maxParts     = 50      // of one resource
	maxRead      = 5 << 20 // bytes of a resource
	listWithin   = 5 * time.Second
	readWithin   = 30 * time.Second
)

// Resource is something that a server has to be read, or with Fields a form of the addresses of such. Its words are a stranger's.
type Resource struct {
	Server  string   `json:"server"`
	Title   string   `json:"title,omitempty"` // what people see the server called; "": its name
	Address string   `json:"address"`         // with Fields: a URI template (RFC 6570)
	Name    string   `json:"name"`
	About   string   `json:"about,omitempty"`
	Type    string   `json:"type,omitempty"`   // as the server says
	Bytes   int64    `json:"bytes,omitempty"`  // as the server says; 0: it does not
	Fields  []string `json:"fields,omitempty"` // what has to be filled in
}

// Content is what was read of a resource.
type Content struct {
	Address string // where it really came from
	Title   string // what people see the server called; "": its name
	Name    string // as the server calls it
	Type    string // as the server says
	Words   bool   // it is text; without what is invisible, and without the server's own keys
	Data    []byte
}

// Resources lists what can be read of the servers that are up and wait for no consent, by server and as each lists it. One that is slow or fails is
// left out.
func (m *Mounts) Resources(ctx context.Context) []Resource {
	return gather(ctx, m, (*server).resources)
}

// gather asks all servers that are up for something at the same time.
func gather[T any](ctx context.Context, m *Mounts, of func(*server, context.Context, *session) ([]T, error)) []T {
	ctx, cancel := context.WithTimeout(ctx, listWithin)
	defer cancel()
	m.mu.Lock()
	servers := m.servers
	m.mu.Unlock()
	found := make([][]T, len(servers))
	var wg sync.WaitGroup
	for i, v := range servers {
		if x := v.up(); x != nil {
			wg.Go(func() {
				list, err := asked(ctx, x, func(ctx context.Context) ([]T, error) { return of(v, ctx, x) })
				if err != nil {
					v.log.Info().Str("error", v.cover().all(err.Error())).Msg("an outside server did not list what it has")
				}
				found[i] = list
			})
		}
	}
	wg.Wait()
	return append([]T{}, slices.Concat(found...)...)
}

// up gives the session of a server that runs and whose tools, as they are now, a person agreed to: of another nothing is shown in a chat.
func (v *server) up() *session {
	if v.view(bilingual.EN).State != StateReady {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.live == nil || v.live.over() {
		return nil
	}
	return v.live
}

// asked asks a server for something that is no call of a tool.
func asked[T any](ctx context.Context, x *session, do func(context.Context) (T, error)) (T, error) {
	x.calls.Add(1)
	defer x.calls.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	gone := make(chan struct{})
	defer close(gone)
	go func() {
		select {
		case <-x.dead:
			cancel()
		case <-gone:
		}
	}()
	out, err := do(ctx)
	if errors.Is(err, errSignIn) && !errors.Is(err, errWider) {
		x.abandon(errSignIn)
	}
	return out, err
}

// pages reads a list that comes in pages, as far as there is room for it.
func pages[T any](page func(cursor string) (list []T, next string, err error)) (all []T, err error) {
	cursor := ""
	for range maxPages {
		list, next, err := page(cursor)
		if err != nil {
			return all, err
		}
		if all = append(all, list...); next == "" || len(all) >= maxResources {
			break
		}
		cursor = next
	}
	return all[:min(len(all), maxResources)], nil
}

func (v *server) resources(ctx context.Context, x *session) (list []Resource, err error) {
	// Some list a thing twice, as on two pages; an address is one thing to choose.
	defer func() {
		seen := map[string]bool{}
		list = slices.DeleteFunc(list, func(r Resource) bool {
			twice := seen[r.Address]
			seen[r.Address] = true
			return twice
		})
	}()
	if has := x.conn.InitializeResult().Capabilities; has == nil || has.Resources == nil {
		return nil, nil
	}
	single, err := pages(func(cursor string) ([]*sdk.Resource, string, error) {
		r, err := x.conn.ListResources(ctx, &sdk.ListResourcesParams{Cursor: cursor})
		if err != nil {
			return nil, "", err
		}
		return r.Resources, r.NextCursor, nil
	})
	if err != nil {
		return nil, err
	}
	hide := v.cover()
	for _, r := range single {
		if one := (Resource{Address: r.URI, Name: cmp.Or(r.Title, r.Name), About: r.Description, Type: r.MIMEType, Bytes: r.Size}); v.tidy(&one, hide) {
			list = append(list, one)
		}
	}
	forms, err := pages(func(cursor string) ([]*sdk.ResourceTemplate, string, error) {
		r, err := x.conn.ListResourceTemplates(ctx, &sdk.ListResourceTemplatesParams{Cursor: cursor})
		if err != nil {
			return nil, "", err
		}
		return r.ResourceTemplates, r.NextCursor, nil
	})
	if err != nil {
		return list, unsupported(err) // many a server has none, and says so in its own way
	}
	for _, r := range forms {
		fields, ok := variables(r.URITemplate)
		one := Resource{Address: r.URITemplate, Name: cmp.Or(r.Title, r.Name), About: r.Description, Type: r.MIMEType, Fields: fields}
		if ok && len(fields) > 0 && len(fields) <= maxFields && v.tidy(&one, hide) {
			list = append(list, one)
		}
	}
	return list, nil
}

// unsupported lets it pass that a server does not know what it was asked for.
func unsupported(err error) error {
	var wire *jsonrpc.Error
	if errors.As(err, &wire) && wire.Code == jsonrpc.CodeMethodNotFound {
		return nil
	}
	return err
}

// tidy makes a stranger's words fit to be shown. False: the address cannot be shown as it is, so nobody could know what they choose.
func (v *server) tidy(r *Resource, hide redactor) bool {
	r.Server, r.Title = v.Name, v.Title
	r.Name = cmp.Or(plain(hide.known(r.Name), 200), r.Address)
	r.About, r.Type = plain(hide.known(r.About), maxLine), plain(r.Type, 100)
	return r.Address != "" && plain(r.Address, maxAddress) == r.Address && hide.known(r.Address) == r.Address
}

// Read reads a resource of a server: an address, or with values a template filled in. Errors: attachment_refused, which says why; canceled.
func (m *Mounts) Read(ctx context.Context, server, address string, values map[string]string) (Content, error) {
	refuse := func(err error, ko, en string) error {
		return apperr.Wrap(err, apperr.AttachmentRefused, "name", plain(address, 200), "detail", bilingual.Text{KO: ko, EN: en})
	}
	v, x, down := m.reach(server)
	if x == nil {
		return Content{}, refuse(nil, down.KO, down.EN)
	}
	if len(values) > 0 {
		address = filled(address, values)
	}
	if len(address) > 4*maxAddress {
		return Content{}, refuse(nil, "주소가 너무 길어요", "its address is too long")
	}
	bounded, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	result, err := asked(bounded, x, func(ctx context.Context) (*sdk.ReadResourceResult, error) {
		return x.conn.ReadResource(ctx, &sdk.ReadResourceParams{URI: address})
	})
	if err != nil {
		if ctx.Err() != nil {
			return Content{}, apperr.From(ctx.Err())
		}
		why := v.why(bounded, err)
		return Content{}, refuse(err, why.KO, why.EN)
	}
	c, why := v.content(result, address)
	if why != nil {
		return Content{}, refuse(nil, why.KO, why.EN)
	}
	return c, nil
}

// why says to a person why a server did not give what it was asked for.
func (v *server) why(ctx context.Context, err error) bilingual.Text {
	var wire *jsonrpc.Error
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return bilingual.Textf("서버가 %[1]d초 안에 답하지 않았어요", "the server did not answer within %[1]d seconds", int(readWithin.Seconds()))
	case errors.Is(err, errSignIn):
		return bilingual.Text{KO: "서버에 로그인해야 해요. ‘바깥 공구’에서 로그인해 주세요", EN: "the server wants you to sign in; do so under “Outside tools”"}
	case errors.As(err, &wire) && (wire.Code == jsonrpc.CodeInvalidParams || wire.Code == resourceNotFound):
		said := plain(v.cover().all(wire.Message), maxLine)
		return bilingual.Text{KO: "서버가 그런 것이 없다고 해요 (" + said + "). 다른 것을 골라 주세요", EN: "the server says that it has no such thing (" + said + "); choose another"}
	case errors.As(err, &wire):
		said := plain(v.cover().all(wire.Message), maxLine)
		return bilingual.Text{KO: "서버가 거절했어요 (" + said + ")", EN: "the server refused (" + said + ")"}
	}
	return bilingual.Text{KO: "서버와 연결이 끊겼어요. 잠시 뒤에 다시 골라 주세요", EN: "the connection to the server was lost; choose it again in a while"}
}

// resourceNotFound is what the protocol said until 2026; since then it is invalid params.
const resourceNotFound = -32002

// content makes one of the parts of a resource: several texts are put together, with the address of each above it.
func (v *server) content(r *sdk.ReadResourceResult, address string) (c Content, why *bilingual.Text) {
	parts := slices.DeleteFunc(slices.Clone(r.Contents), func(p *sdk.ResourceContents) bool { return p == nil || p.Text == "" && len(p.Blob) == 0 })
	switch {
	case len(parts) == 0:
		return c, &bilingual.Text{KO: "비어 있어요", EN: "it is empty"}
	case len(parts) > maxParts, len(parts) > 1 && slices.ContainsFunc(parts, func(p *sdk.ResourceContents) bool { return len(p.Blob) > 0 }):
		return c, &bilingual.Text{KO: "여러 파일이 한꺼번에 들어 있어요. 하나를 가리키는 것을 골라 주세요", EN: "it holds several files at once; choose one that stands for a single file"}
	}
	size := 0
	for _, p := range parts {
		size += len(p.Text) + len(p.Blob)
	}
	if size > maxRead {
		return c, &bilingual.Text{KO: fmt.Sprintf("%dMB보다 커요", maxRead>>20), EN: fmt.Sprintf("it is larger than %d MB", maxRead>>20)}
	}
	first, hide := parts[0], v.cover()
	where := plain(hide.known(cmp.Or(first.URI, address)), maxAddress)
	c = Content{Title: v.Title, Address: plain(hide.known(address), maxAddress), Name: where, Type: plain(first.MIMEType, 100), Words: len(first.Blob) == 0, Data: first.Blob}
	if !c.Words {
		return c, nil
	}
	var text strings.Builder
	for _, p := range parts {
		if len(parts) > 1 {
			fmt.Fprintf(&text, "%s\n\n", plain(hide.known(p.URI), maxAddress))
		}
		text.WriteString(hide.known(visible(p.Text)) + "\n")
	}
	if c.Data = []byte(text.String()); strings.TrimSpace(text.String()) == "" {
		return c, &bilingual.Text{KO: "비어 있어요", EN: "it is empty"}
	}
	return c, nil
}
