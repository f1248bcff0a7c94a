package providertest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/testing/fakemodel"
)

// Deadlines are the three deadlines a provider under test is made with.
type Deadlines struct{ Connect, First, Gap time.Duration }

// Patient are deadlines that no healthy call misses, however busy the machine.
var Patient = Deadlines{30 * time.Second, 2 * time.Minute, 2 * time.Minute}

var planSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["route","reply"],"properties":{"route":{"enum":["answer"]},"reply":{"type":"string","maxLength":100}}}`)

// fault is a scenario of the fake server and how a request to it must end.
type fault struct {
	model     string
	json      bool        // the request asks for JSON
	want      apperr.Code // "": an answer
	text      string      // the answer, exactly
	thinking  string      // what must be set apart, if anything
	impatient Deadlines   // non-zero parts replace those of Patient
	calls     int         // how many calls the server saw; 0: one
}

const soon = 150 * time.Millisecond

var faults = []fault{
	{model: "silent", want: apperr.ModelTimeout, impatient: Deadlines{First: soon}},
	{model: "headers-only", want: apperr.ModelTimeout, impatient: Deadlines{First: soon}},
	{model: "drip", want: apperr.ModelTimeout, impatient: Deadlines{First: soon}},
	{model: "empty-pieces", want: apperr.ModelTimeout, impatient: Deadlines{First: soon}},
	{model: "stalls", want: apperr.ModelTimeout, text: "여기까지 쓰고", impatient: Deadlines{Gap: 20 * soon}}, // what it wrote may come in pieces

	{model: "eof", want: apperr.ModelBadOutput, text: "끝이 없는"},
	{model: "eof-at-once", want: apperr.ModelBadOutput},
	{model: "reset-midway", want: apperr.ProviderUnreachable, text: "여기서"},
	{model: "repeat-limit", want: apperr.ModelBadOutput, text: "아아아"},
	{model: "crash", want: apperr.ProviderRefused, text: "음"},
	{model: "after-done", text: "다 했어요."},
	{model: "garbage", want: apperr.ModelBadOutput},
	{model: "blank-lines", want: apperr.ModelBadOutput},
	{model: "huge-line", want: apperr.ModelBadOutput},

	{model: "empty", want: apperr.ModelBadOutput},
	{model: "think-only", want: apperr.ModelBadOutput, thinking: "손님은 인사를 했다. 그러면…"},
	{model: "think-linger", want: apperr.ModelBadOutput, thinking: "손님은 인사를 했다. 그러면…"}, // its end never comes
	{model: "whitespace", want: apperr.ModelBadOutput},
	{model: "whitespace", want: apperr.ModelBadOutput, json: true},

	{model: "think-tags", text: "안녕하세요.", thinking: "비밀 생각"},
	{model: "think-midway", text: "안녕하세요. 반가워요.", thinking: "비밀 생각"},
	{model: "think-closed", text: "안녕하세요.", thinking: "비밀 생각"},
	{model: "think-open", want: apperr.ModelBadOutput, thinking: "끝나지 않는 생각"},
	{model: "think-json", json: true, text: `{"reply":"안녕하세요.","route":"answer"}`, thinking: `{"route":"stop"}`},
	{model: "think-in-json", json: true, text: `{"reply":"\u003cthink\u003e는 태그예요.","route":"answer"}`},
	{model: "think-field", text: "안녕하세요.", thinking: "비밀 생각"},
	{model: "think-and-call", json: true, text: `{"reply":"안녕하세요.","route":"answer"}`, thinking: "비밀"},

	{model: "hangul-split", text: "안녕하세요"},
	{model: "invalid-utf8", text: "안녕\uFFFD\uFFFD(하세요\uFFFD"},

	{model: "length", json: true, want: apperr.ModelBadOutput, text: `{"route":"answer","reply":"끝나지 않`},
	{model: "length", text: `{"route":"answer","reply":"끝나지 않`},

	{model: "missing", want: apperr.ModelMissing, calls: -1},
	{model: "overflow", want: apperr.ContextOverflow},
	{model: "memory", want: apperr.ProviderRefused},
	{model: "unauthorized", want: apperr.ProviderRefused},
	{model: "status-500x2", text: "네, 그렇게 할게요.", calls: 3},
	{model: "status-502x1", text: "네, 그렇게 할게요.", calls: 2},
	{model: "status-503x1", text: "네, 그렇게 할게요.", calls: 2},
	{model: "status-429x1", text: "네, 그렇게 할게요.", calls: 2},
	{model: "status-503", want: apperr.ProviderRefused, calls: 4},
	{model: "status-418", want: apperr.ProviderRefused},
	{model: "resets-2", text: "네, 그렇게 할게요.", calls: 3},
}

// unfit are answers that arrive well and must not pass the Adapter.
var unfit = []string{"duplicate-keys", "deep-json", "two-objects", "not-json"}

// RunFaults plays everything that can go wrong with a model and its server. fresh makes a provider for the server's
// address, a model and deadlines; each is used for one request.
func RunFaults(t *testing.T, server *fakemodel.Process, fresh func(t *testing.T, model string, d Deadlines) provider.Provider) {
	for _, f := range faults {
		name := f.model
		if f.json {
			name += " json"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f.run(t, server, fresh)
		})
	}
	for _, model := range []string{"loop", "loop-long"} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			name := model + "@" + t.Name()
			reply, err := fresh(t, name, Patient).Chat(t.Context(), faultRequest(false), nil)
			if apperr.CodeOf(err) != apperr.ModelBadOutput || len(reply.Text) > 64<<10 {
				t.Errorf("%v after %d bytes", err, len(reply.Text))
			}
			await(t, server, name, "aborted")
		})
	}
	for _, model := range unfit {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			reply, err := fresh(t, model+"@"+t.Name(), Patient).Chat(t.Context(), faultRequest(true), nil)
			if err != nil && model == "deep-json" { // ten thousand brackets in a row are a loop already
				reply.Text, err = strings.Repeat(`{"a":`, 10000)+"1"+strings.Repeat("}", 10000), nil
			}
			if err != nil {
				t.Fatal(err)
			}
			if plan, err := (provider.Adapter{}).ParsePlan(reply.Text, func(string) bool { return true }); apperr.CodeOf(err) != apperr.ModelBadOutput {
				t.Errorf("%+v, %v", plan, err)
			}
		})
	}
	for _, model := range []string{"silent", "endless"} {
		t.Run("cancel while "+model, func(t *testing.T) { cancelReaches(t, server, model, fresh) })
	}
}

func (f fault) run(t *testing.T, server *fakemodel.Process, fresh func(*testing.T, string, Deadlines) provider.Provider) {
	limits := Patient
	if f.impatient.First > 0 {
		limits.First = f.impatient.First
	}
	if f.impatient.Gap > 0 {
		limits.Gap = f.impatient.Gap
	}
	model := f.model + "@" + t.Name()
	var seen strings.Builder
	reply, err := fresh(t, model, limits).Chat(t.Context(), faultRequest(f.json), func(d provider.Delta) { seen.WriteString(d.Text) })
	if got := apperr.CodeOf(err); got != f.want {
		t.Errorf("ended with %q (%v), want %q", got, err, f.want)
	}
	if f.text != reply.Text {
		t.Errorf("text %q, want %q", clip(reply.Text), f.text)
	}
	if reply.Thinking != f.thinking {
		t.Errorf("thinking %q, want %q", clip(reply.Thinking), f.thinking)
	}
	if !utf8.ValidString(reply.Text) || strings.Contains(reply.Text, "비밀") {
		t.Errorf("text %q", clip(reply.Text))
	}
	if strings.Contains(seen.String(), "비밀") && f.model != "think-closed" { // its opening tag was never there to be seen
		t.Errorf("reasoning leaked into the stream: %q", clip(seen.String()))
	}
	if f.want != "" {
		for _, lang := range []bilingual.Lang{bilingual.KO, bilingual.EN} {
			if text := apperr.From(err).Text(lang); strings.ContainsAny(text, "{}") {
				t.Errorf("a field is missing: %s", text)
			}
		}
	}
	if f.calls < 0 {
		return
	}
	// Whoever does not wait long may be gone before the server knows of the call, but does not call twice.
	n, want := calls(t, server, model), max(f.calls, 1)
	if n > want || n < want && f.impatient == (Deadlines{}) {
		t.Errorf("%d calls, want %d", n, want)
	}
}

// Request is a request as the suite writes them.
func Request(role provider.Role, lang bilingual.Lang, request string) provider.Request {
	return newRequest(role, lang, request)
}

func faultRequest(structured bool) provider.Request {
	l := newRequest(provider.RoleSolver, bilingual.KO, "안녕?")
	if structured {
		l = newRequest(provider.RolePlanner, bilingual.KO, "안녕?")
		l.Schema = planSchema
	}
	return l
}

func calls(t *testing.T, server *fakemodel.Process, model string) int {
	t.Helper()
	all, err := server.Calls(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range all {
		if c.Model == model {
			n++
		}
	}
	return n
}

func await(t *testing.T, server *fakemodel.Process, model, state string) fakemodel.Call {
	t.Helper()
	call, err := server.Await(t.Context(), model, state)
	if err != nil {
		t.Fatal(err)
	}
	return call
}

// cancelReaches checks that canceling a request ends the call and the server's work.
func cancelReaches(t *testing.T, server *fakemodel.Process, model string, fresh func(*testing.T, string, Deadlines) provider.Provider) {
	model += "@" + t.Name()
	p := fresh(t, model, Patient)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := p.Chat(ctx, faultRequest(false), nil)
		ended <- err
	}()
	await(t, server, model, "running")
	cancel()
	if err := <-ended; apperr.CodeOf(err) != apperr.Canceled {
		t.Errorf("ended with %v", err)
	}
	await(t, server, model, "aborted")
}
