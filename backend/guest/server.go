package guest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// mostLetter is how long one letter of a guest may be, in bytes.
const mostLetter = 1 << 20

// visit is one session of a guest.
type visit struct{ end func() }

// visitors are the sessions that are open.
type visitors struct {
	mu   sync.Mutex
	open map[*visit]string // of which guest
}

func (v *visitors) enter(guest string, end func()) (leave func()) {
	one := &visit{end}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.open[one] = guest
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		delete(v.open, one)
	}
}

// end ends the sessions of some guests.
func (v *visitors) end(of func(guest string) bool) {
	v.mu.Lock()
	var ends []func()
	for one, g := range v.open {
		if of(g) {
			ends = append(ends, one.end)
		}
	}
	v.mu.Unlock()
	for _, end := range ends {
		end()
	}
}

// Leave ends all sessions.
func (b *Book) Leave() { b.here.end(func(string) bool { return true }) }

// Paired is the door for shops that were paired; of tells by a request which one it is, and answers guest_unknown when it is none any more. Its
// sessions end with over.
func (b *Book) Paired(over context.Context, of func(*http.Request) (Guest, error)) http.Handler {
	stream := sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		g, err := of(r)
		if err != nil {
			return nil
		}
		return b.server(over, g, true)
	}, &sdk.StreamableHTTPOptions{SessionTimeout: idle, MaxRequestBodyBytes: mostLetter})
	// A session belongs to the shop that began it: the library sees to that by whom a token is of.
	own := auth.RequireBearerToken(func(_ context.Context, id string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: id}, nil
	}, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(seated(stream))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g, err := of(r)
		switch {
		case apperr.CodeOf(err) == apperr.GuestUnknown: // for good: what it waits for is given up then
			http.Error(w, "forbidden", http.StatusForbidden)
			return
		case err != nil:
			http.Error(w, "not now", http.StatusServiceUnavailable)
			return
		}
		r.Header.Set("Authorization", "Bearer "+g.ID)
		own.ServeHTTP(w, r)
	})
}

// Called gives a guest by its id. Errors: guest_unknown, storage errors.
func (b *Book) Called(ctx context.Context, id string) (Guest, error) {
	list, err := b.deps.Store.Guests(ctx)
	if err != nil {
		return Guest{}, err
	}
	if i := slices.IndexFunc(list, func(g Guest) bool { return g.ID == id }); i >= 0 {
		return list[i], nil
	}
	return Guest{}, apperr.New(apperr.GuestUnknown)
}

// Serve is one session of a guest over a connection, until it or ctx ends.
func (b *Book) Serve(ctx context.Context, g Guest, conn io.ReadWriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer b.here.enter(g.ID, cancel)()
	session, err := b.server(ctx, g, false).Connect(ctx, &sdk.IOTransport{Reader: conn, Writer: conn, MaxLineLength: mostLetter}, nil)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = session.Close(); _ = conn.Close() })
	defer stop()
	return session.Wait()
}

// server offers a guest its tools, and a way to ask after a ticket. With over, whoever waits for a ticket goes, and then its sessions end: they wait for
// what they answer, and the library tells nobody that they end.
func (b *Book) server(over context.Context, g Guest, paired bool) *sdk.Server {
	capabilities := &sdk.ServerCapabilities{}
	if paired {
		capabilities.Experimental = map[string]any{Protocol: map[string]any{"version": 1, "edition": b.edition(g)}} // before its tools are looked at
	}
	s := sdk.NewServer(&sdk.Implementation{Name: "agentchat", Title: "Agent Chat", Version: b.deps.Version}, &sdk.ServerOptions{
		Capabilities: capabilities,
		Instructions: bilingual.Say(b.deps.Lang(),
			"공구를 쓰는 일은 가게의 표가 돼요. 사람의 허락이 필요하거나 공구가 나가 있으면 기다려요. status가 waiting_for_person이나 running이면 ticket 값으로 wait_for_ticket을 부르세요.",
			"Every call becomes a ticket of the shop. It waits where a person must allow it, or while a tool is taken. When status is waiting_for_person or running, call wait_for_ticket with the value of ticket."),
	})
	s.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			if session, ok := r.GetSession().(*sdk.ServerSession); ok && method == "initialize" { // who goes now does not say that it heard so
				stop := context.AfterFunc(over, func() { _ = session.Close() })
				go func() { _ = session.Wait(); stop() }()
			}
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(over, cancel)()
			return next(ctx, method, r)
		}
	})
	if paired {
		b.lend(s, g)
		return s
	}
	lang := b.deps.Lang()
	for _, spec := range b.deps.Tools() {
		if g.lent(spec) && !spec.Off {
			s.AddTool(described(spec, lang), b.handler(g, spec))
		}
	}
	s.AddTool(&sdk.Tool{
		Name: resumeTool, Title: bilingual.Say(lang, "표 기다리기", "Wait for a ticket"),
		Description: bilingual.Say(lang, "앞서 부른 일의 결과를 기다려요. 같은 일을 다시 시키지 않아요.", "Waits for the result of an earlier call. It does not do anything again."),
		InputSchema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["ticket"],"properties":{"ticket":{"type":"string","maxLength":64}}}`),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)},
	}, b.resume(g))
	return s
}

// resumeTool asks after a ticket.
const resumeTool = "wait_for_ticket"

// described is a tool as guests see it.
func described(spec toolbox.Spec, lang bilingual.Lang) *sdk.Tool {
	reads := spec.Effect == toolbox.EffectRead
	return &sdk.Tool{
		Name: spec.Key, Title: spec.Title.In(lang), Description: spec.Description.In(lang), InputSchema: schema(spec.Params),
		Annotations: &sdk.ToolAnnotations{
			Title: spec.Title.In(lang), ReadOnlyHint: reads, IdempotentHint: spec.Effect != toolbox.EffectOnce,
			DestructiveHint: new(!reads && !spec.Undo), OpenWorldHint: new(spec.Outside != "" || spec.Untrusted),
		},
	}
}

// schema is what a tool takes, without what only the shop reads of it.
func schema(params json.RawMessage) json.RawMessage {
	var value any
	if len(params) == 0 || json.Unmarshal(params, &value) != nil {
		return json.RawMessage(`{"type":"object"}`)
	}
	var strip func(any)
	strip = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				strip(e)
			}
		case map[string]any:
			for key, e := range v {
				if len(key) > 2 && key[:2] == "x-" {
					delete(v, key)
					continue
				}
				strip(e)
			}
		}
	}
	strip(value)
	if object, ok := value.(map[string]any); ok && object["type"] == nil {
		object["type"] = "object"
	}
	out, err := json.Marshal(value)
	if err != nil {
		return json.RawMessage(`{"type":"object"}`)
	}
	return out
}

// refused is an error as a guest reads it.
func (b *Book) refused(err error) *sdk.CallToolResult {
	e := apperr.From(err)
	text := e.Text(b.deps.Lang())
	structured := map[string]any{"status": "refused", "code": e.Code, "message": text}
	if kind, ok := e.Fields["kind"].(string); ok && e.Code == apperr.GuestLimit {
		structured["limit"] = b.told(Limit(kind))
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}, StructuredContent: structured}
}

// told is a limit as a guest reads it: which one, and when it ends.
func (b *Book) told(kind Limit) map[string]any {
	limit := map[string]any{"kind": kind}
	if kind != LimitOpen {
		limit["until"] = b.today().AddDate(0, 0, 1).Format(time.RFC3339)
	}
	return limit
}
