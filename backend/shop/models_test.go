package shop_test

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/models"
	"agentchat/backend/provider"
	"agentchat/backend/shop"
	"agentchat/backend/testing/fakemodel"
)

// serve starts the fake model server as a process of its own, which the test may stop.
func serve(t *testing.T, args ...string) *fakemodel.Process {
	t.Helper()
	server, err := fakemodel.Start(args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	return server
}

// nobody is an address where nothing listens.
func nobody(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// deaf is an address that takes connections and never says a word.
func deaf(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String()
}

// enterAs opens a shop with settings, as a person would have them in the environment.
func enterAs(t testing.TB, dir string, change func(*shop.Options), environ ...string) *customer {
	t.Helper()
	o := options(dir)
	o.Config.Env = environ
	o.Ring = noRing{}
	if change != nil {
		change(&o)
	}
	s, err := shop.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	c := &customer{Shop: s, t: t, reader: s.Bus.SubscribeFrom(1)}
	t.Cleanup(c.leave)
	return c
}

// noRing is a computer without a keyring.
type noRing struct{}

func (noRing) Get(string) (string, error) { return "", exec.ErrNotFound }
func (noRing) Set(string, string) error   { return exec.ErrNotFound }
func (noRing) Delete(string) error        { return exec.ErrNotFound }

func installed(string) (string, error)    { return "/usr/bin/ollama", nil }
func notInstalled(string) (string, error) { return "", exec.ErrNotFound }

func (c *customer) models() models.View {
	c.t.Helper()
	v, err := c.Models(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	return v
}

// heard looks at servers until the one that is meant has said how it is: a look waits only so long for one, which a busy computer may not keep to.
func heard[V any](look func() V, reason func(V) string) V {
	for end := time.Now().Add(patience); ; {
		if v := look(); reason(v) != string(provider.ReasonNotAnswering) || time.Now().After(end) {
			return v
		}
	}
}

func TestEveryTroubleHasItsOneAction(t *testing.T) {
	server, plain, empty := serve(t), serve(t, "-plain"), serve(t, "-no-model")
	for _, c := range []struct {
		name, host   string
		look         func(string) (string, error)
		model        string
		health       provider.Health
		reason       provider.Reason
		action       models.Action
		korean       string
		notLocal     bool
		shortPatient bool
		chosen       bool // it is not where Ollama usually is
	}{
		{name: "fine", host: server.Addr, model: "shop", health: provider.HealthOK, action: models.ActionNone},
		{name: "not installed", host: nobody(t), look: notInstalled, health: provider.HealthUnreachable, reason: provider.ReasonNotInstalled, action: models.ActionInstall, korean: "설치되어 있지 않아요"},
		{name: "not running", host: nobody(t), look: installed, health: provider.HealthUnreachable, reason: provider.ReasonNotRunning, action: models.ActionStart, korean: "꺼져 있어요"},
		{name: "nothing there", host: nobody(t), look: notInstalled, chosen: true, health: provider.HealthUnreachable, reason: provider.ReasonNothingThere, action: models.ActionAddress, korean: "아무것도 대답하지 않아요"},
		{name: "something else there", host: plain.Addr, health: provider.HealthUnreachable, reason: provider.ReasonWrongAddress, action: models.ActionAddress, korean: "주소를 확인"},
		{name: "no such host", host: "nobody.invalid:11434", health: provider.HealthUnreachable, reason: provider.ReasonWrongAddress, action: models.ActionAddress, korean: "주소를 확인", notLocal: true},
		{name: "no model at all", host: empty.Addr, health: provider.HealthNoModel, reason: provider.ReasonNoModel, action: models.ActionPull, korean: "내려받거나"},
		{name: "not that model", host: server.Addr, model: "missing", health: provider.HealthNoModel, reason: provider.ReasonNoModel, action: models.ActionPull, korean: "내려받거나"},
		{name: "not answering", host: deaf(t), health: provider.HealthUnreachable, reason: provider.ReasonNotAnswering, action: models.ActionNone, korean: "대답이 없어요", shortPatient: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			environ := []string{"AGENTCHAT_OLLAMA_HOST=" + c.host, "AGENTCHAT_MODEL=" + c.model, "AGENTCHAT_LANG=ko"}
			if !c.chosen {
				environ = append(environ, "OLLAMA_HOST="+c.host)
			}
			if c.shortPatient {
				environ = append(environ, "AGENTCHAT_MODEL_TIMEOUTS=first=200ms,gap=200ms")
			}
			shop := enterAs(t, t.TempDir(), func(o *shop.Options) { o.LookPath = c.look }, environ...)
			check := func() models.Trouble {
				got, err := shop.CheckProvider(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				return got
			}
			got, v := check(), shop.models()
			if c.reason != provider.ReasonNotAnswering {
				got = heard(check, func(got models.Trouble) string { return got.Reason })
				v = heard(shop.models, func(v models.View) string { return v.Trouble.Reason })
			}
			if got.Provider != "ollama" || got.Health != string(c.health) || got.Reason != string(c.reason) || got.Action != c.action {
				t.Errorf("%+v", got)
			}
			if !strings.Contains(got.Detail, c.korean) || got.Host != "http://"+c.host || got.Local == c.notLocal {
				t.Errorf("%+v", got)
			}
			if v.Trouble != got || v.OpenAI.Health != models.HealthOff || v.OpenAI.Action != models.ActionNone || len(v.Recommended) < 5 || len(v.Roles) != len(config.Roles()) {
				t.Errorf("%+v", v)
			}
		})
	}
}

func TestAWrongKeyIsToldAndMended(t *testing.T) {
	const right, wrong = "sk-right-key-of-the-shop-42", "sk-wrong-key-of-the-shop-13"
	server := serve(t, "-key", right)
	dir := t.TempDir()
	c := enterAs(t, dir, nil, "AGENTCHAT_OPENAI_BASE=http://"+server.Addr+"/v1", "AGENTCHAT_MODEL=shop", "AGENTCHAT_PROVIDER=openai", "AGENTCHAT_OLLAMA_HOST="+nobody(t), "AGENTCHAT_LOG_LEVEL=trace")
	trouble := func(reason provider.Reason, action models.Action, set bool, place string) {
		t.Helper()
		v := heard(c.models, func(v models.View) string { return v.OpenAI.Reason })
		if v.OpenAI.Reason != string(reason) || v.OpenAI.Action != action || v.KeySet != set || v.KeyPlace != place {
			t.Errorf("%+v, key %v at %q", v.OpenAI, v.KeySet, v.KeyPlace)
		}
	}
	trouble(provider.ReasonRefused, models.ActionKey, false, "")
	if err := c.SetOpenAIKey(t.Context(), wrong); err != nil {
		t.Fatal(err)
	}
	trouble(provider.ReasonRefused, models.ActionKey, true, "file")
	if err := c.SetOpenAIKey(t.Context(), right); err != nil {
		t.Fatal(err)
	}
	trouble("", models.ActionNone, true, "file")
	until(c, "the service is on duty", func(_ event.Envelope, p event.ProviderState) bool { return p.Provider == "openai" && p.Health == "ok" })
	if jobs := c.say("노래 틀어줘"); len(jobs) != 1 {
		t.Errorf("%d jobs", len(jobs))
	}
	if err := c.SetOpenAIKey(t.Context(), "two words"); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Error(err)
	}
	snapshot, err := c.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	shown, err := json.Marshal([]any{snapshot, c.Settings(), c.models(), c.seen})
	if err != nil {
		t.Fatal(err)
	}
	c.leave()
	texts := map[string]string{"what is shown": string(shown)}
	err = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "keys.json" {
			return err
		}
		text, err := os.ReadFile(path)
		texts[path] = string(text)
		return err
	})
	if err != nil || len(texts) < 3 {
		t.Fatalf("%d texts, %v", len(texts), err)
	}
	for where, text := range texts {
		if strings.Contains(text, right) || strings.Contains(text, wrong) {
			t.Errorf("a key stands in %s", where)
		}
	}
	next := enterAs(t, dir, nil, "AGENTCHAT_OPENAI_KEY=sk-from-the-environment")
	if v := next.models(); !v.KeySet || v.KeyPlace != "env" {
		t.Errorf("key %v at %q", v.KeySet, v.KeyPlace)
	}
	if err := next.SetOpenAIKey(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "keys.json")); !os.IsNotExist(err) {
		t.Errorf("the key is still kept: %v", err)
	}
}

func TestTheInterpreterGoesAndComesBack(t *testing.T) {
	server := serve(t)
	c := enterAs(t, t.TempDir(), func(o *shop.Options) { o.LookPath = installed },
		"AGENTCHAT_OLLAMA_HOST="+server.Addr, "AGENTCHAT_PROVIDER=ollama", "AGENTCHAT_MODEL=shop", "AGENTCHAT_LANG=ko")
	look := func() {
		t.Helper()
		if _, err := c.CheckProvider(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	look()
	until(c, "Ollama is on duty", func(_ event.Envelope, p event.ProviderState) bool { return p.Provider == "ollama" && p.Health == "ok" })
	if jobs := c.say("노래 틀어줘"); len(jobs) != 1 {
		t.Errorf("%d jobs", len(jobs))
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	look()
	gone := until(c, "Ollama is gone", func(_ event.Envelope, p event.ProviderState) bool { return p.Health == "unreachable" })
	if gone.Provider != "ollama" || gone.Reason != string(provider.ReasonNothingThere) {
		t.Errorf("%+v", gone)
	}
	notice := until(c, "a notice", func(_ event.Envelope, e event.Error) bool { return e.Code == "provider_unreachable" })
	if !strings.Contains(notice.Message, "내장 통역가") {
		t.Errorf("%+v", notice)
	}
	if jobs := c.say("노래 틀어줘"); len(jobs) != 1 { // the built-in one understands it
		t.Errorf("%d jobs while Ollama is gone", len(jobs))
	}
	serve(t, "-addr", server.Addr)
	look()
	c.again()
	var healths []string
	until(c, "Ollama is back", func(_ event.Envelope, p event.ProviderState) bool {
		if p.Health != "starting" { // its first request waits for the model
			healths = append(healths, p.Health)
		}
		return p.Health == "ok" && slices.Contains(healths, "unreachable")
	})
	if got := strings.Join(slices.Compact(healths), " "); got != "ok unreachable ok" {
		t.Errorf("told %s", got)
	}
	if p := c.Provider(); p.Provider != "ollama" || p.Health != "ok" {
		t.Errorf("%+v", p)
	}
}

// The notice says what is wrong, not only that something is.
func TestTheNoticeSaysWhatIsWrong(t *testing.T) {
	empty, locked := serve(t, "-no-model"), serve(t, "-key", "sk-nobody-has-this-key")
	for want, environ := range map[string][]string{
		"model_missing":        {"AGENTCHAT_PROVIDER=ollama", "AGENTCHAT_OLLAMA_HOST=" + empty.Addr},
		"provider_refused":     {"AGENTCHAT_PROVIDER=openai", "AGENTCHAT_OPENAI_BASE=http://" + locked.Addr + "/v1"},
		"provider_unreachable": {"AGENTCHAT_PROVIDER=ollama", "AGENTCHAT_OLLAMA_HOST=" + nobody(t)},
	} {
		c := enterAs(t, t.TempDir(), nil, append(environ, "AGENTCHAT_LANG=ko")...)
		notice := until(c, "a notice", func(event.Envelope, event.Error) bool { return true })
		if notice.Code != want || strings.Contains(notice.Message, "..") || strings.Contains(notice.Message, "{") {
			t.Errorf("%s: %+v", want, notice)
		}
	}
}

// Nobody chose Ollama, but it was there: whoever talks with it is told that it is gone.
func TestAnInterpreterThatWasOnlyWelcomeGoesToo(t *testing.T) {
	server := serve(t)
	c := enterAs(t, t.TempDir(), nil, "AGENTCHAT_OLLAMA_HOST="+server.Addr, "AGENTCHAT_MODEL=shop", "AGENTCHAT_LANG=ko")
	on := func(name string) {
		t.Helper()
		if _, err := c.CheckProvider(t.Context()); err != nil {
			t.Fatal(err)
		}
		until(c, name+" is on duty", func(_ event.Envelope, p event.ProviderState) bool { return p.Provider == name && p.Health == "ok" })
	}
	on("ollama")
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	on("builtin")
	notice := until(c, "a notice", func(_ event.Envelope, e event.Error) bool { return e.Code == "provider_unreachable" })
	if notice.Fields["provider"] != "ollama" {
		t.Errorf("%+v", notice)
	}
	serve(t, "-addr", server.Addr)
	on("ollama")
	notices := 0
	for _, e := range c.seen {
		if e.Kind == event.KindError {
			notices++
		}
	}
	if notices != 1 {
		t.Errorf("%d notices", notices)
	}
}

func TestADownloadGoesOnWithTheNextShop(t *testing.T) {
	server := serve(t, "-no-model")
	dir := t.TempDir()
	environ := []string{"AGENTCHAT_OLLAMA_HOST=" + server.Addr, "AGENTCHAT_PROVIDER=ollama"}
	state := func(c *customer, model, state string) event.ModelPull {
		t.Helper()
		return until(c, model+" is "+state, func(_ event.Envelope, p event.ModelPull) bool { return p.Model == model && p.State == state })
	}
	first := enterAs(t, dir, nil, environ...)
	for _, model := range []string{"waits:one", "stuck:two"} {
		if err := first.PullModel(t.Context(), model); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.PausePull(t.Context(), "stuck:two"); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Await(t.Context(), "waits:one", "running"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "모델", "http://elsewhere/x"} {
		if err := first.PullModel(t.Context(), name); apperr.CodeOf(err) != apperr.InvalidArgs {
			t.Errorf("%q: %v", name, err)
		}
	}
	first.leave()

	second := enterAs(t, dir, nil, environ...)
	state(second, "waits:one", "pulling")
	if err := server.Release(t.Context(), "waits:one"); err != nil {
		t.Fatal(err)
	}
	done := state(second, "waits:one", "done")
	if done.Percent != 100 || done.Done != done.Total || done.Total == 0 {
		t.Errorf("%+v", done)
	}
	second.again() // somebody may have looked before it was told
	until(second, "there is a model", func(_ event.Envelope, p event.ProviderState) bool { return p.Health == "ok" })
	v := second.models()
	if len(v.Installed) != 1 || v.Installed[0].Name != "waits:one" || len(v.Installed[0].Roles) != len(config.Roles()) || v.Trouble.Action != models.ActionNone {
		t.Errorf("%+v", v.Installed)
	}
	if len(v.Pulls) != 2 || v.Pulls[1].State != "paused" {
		t.Errorf("%+v", v.Pulls)
	}
	if err := second.CancelPull(t.Context(), "stuck:two"); err != nil {
		t.Fatal(err)
	}
	until(second, "it is off the list", func(_ event.Envelope, p event.ModelPull) bool { return p.Canceled && p.Model == "stuck:two" })

	for model, code := range map[string]string{"offline": "offline", "nothing": "model_missing", "full": "storage_full", "spoiled": "provider_refused"} {
		if err := second.PullModel(t.Context(), model); err != nil {
			t.Fatal(err)
		}
		failed := state(second, model, "failed")
		if failed.Error == nil || failed.Error.Code != code || failed.Error.Message == "" {
			t.Errorf("%s: %+v", model, failed.Error)
		}
		second.again()
	}
	if err := second.PullModel(t.Context(), "cut"); err != nil {
		t.Fatal(err)
	}
	state(second, "cut", "done") // it went on by itself
	if err := second.DeleteModel(t.Context(), "cut"); err != nil {
		t.Fatal(err)
	}
	second.again()
	until(second, "the list has changed", func(_ event.Envelope, m event.ModelsChanged) bool { return m.Model == "cut" })
	if v := second.models(); len(v.Installed) != 1 {
		t.Errorf("%+v", v.Installed)
	}
}

func TestModelSettingsHoldAtOnce(t *testing.T) {
	server := serve(t)
	c := enterAs(t, t.TempDir(), nil, "AGENTCHAT_OLLAMA_HOST="+server.Addr, "AGENTCHAT_PROVIDER=ollama", "AGENTCHAT_MODEL=shop")
	if _, err := c.CheckProvider(t.Context()); err != nil {
		t.Fatal(err)
	}
	type sent struct {
		Options struct {
			NumCtx      int     `json:"num_ctx"`
			NumPredict  int     `json:"num_predict"`
			Temperature float64 `json:"temperature"`
		} `json:"options"`
		KeepAlive string `json:"keep_alive"`
	}
	read := func(model string) (s sent) {
		t.Helper()
		ctx, stop := context.WithTimeout(t.Context(), patience)
		defer stop()
		call, err := server.Await(ctx, model, "done")
		if err != nil || json.Unmarshal(call.Body, &s) != nil {
			t.Fatalf("%s, %v", call.Body, err)
		}
		return s
	}
	c.say("안녕?")
	if s := read("shop"); s.Options.NumCtx != 8192 || s.KeepAlive != "30m0s" {
		t.Errorf("%+v", s)
	}
	if _, err := c.SetSettings(map[string]any{
		"num_ctx": 16384, "keep_alive": "1h", "parallel": 3,
		"roles.planner.model": "shop@planner", "roles.planner.temperature": 0.25, "roles.planner.max_tokens": 333,
	}); err != nil {
		t.Fatal(err)
	}
	c.say("안녕?")
	if s := read("shop@planner"); s.Options.NumCtx != 16384 || s.KeepAlive != "1h0m0s" || s.Options.NumPredict != 333 || s.Options.Temperature != 0.25 {
		t.Errorf("%+v", s)
	}
	v := c.models()
	if p := v.Roles[0]; p.Role != "planner" || p.Model != "shop@planner" || p.MaxTokens != 333 || p.Defaults.MaxTokens == 333 || p.Defaults.Model != "" {
		t.Errorf("%+v", p)
	}
	i := slices.IndexFunc(v.Installed, func(m models.Installed) bool { return m.Name == "shop:latest" })
	if i < 0 || slices.Contains(v.Installed[i].Roles, "planner") || !slices.Contains(v.Installed[i].Roles, "solver") || v.Installed[i].Memory < 2<<30 {
		t.Errorf("%+v", v.Installed)
	}
}

func TestModelsAreLoadedAndUnloaded(t *testing.T) {
	server := serve(t)
	c := enterAs(t, t.TempDir(), nil, "AGENTCHAT_OLLAMA_HOST="+server.Addr, "AGENTCHAT_MODEL=shop")
	shopModel := func() models.Installed {
		t.Helper()
		list := c.models().Installed
		i := slices.IndexFunc(list, func(m models.Installed) bool { return m.Name == "shop:latest" })
		if i < 0 {
			t.Fatalf("%+v", list)
		}
		return list[i]
	}
	if m := shopModel(); m.Loaded || m.LoadedBytes != 0 || m.Parameters != "" && m.Parameters != "4.0B" {
		t.Errorf("%+v", m)
	}
	if err := c.LoadModel(t.Context(), "shop"); err != nil {
		t.Fatal(err)
	}
	until(c, "it is loaded", func(_ event.Envelope, m event.ModelsChanged) bool { return m.Model == "shop" })
	if m := shopModel(); !m.Loaded || m.LoadedBytes != 3<<30 || m.Context != 8192 {
		t.Errorf("%+v", m)
	}
	if err := c.UnloadModel(t.Context(), "shop"); err != nil {
		t.Fatal(err)
	}
	if m := shopModel(); m.Loaded {
		t.Errorf("%+v", m)
	}
	for name, want := range map[string]apperr.Code{"": apperr.InvalidArgs, "missing": apperr.ModelMissing} {
		if err := c.DeleteModel(t.Context(), name); apperr.CodeOf(err) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestAKeyringThatHangsDoesNotKeepTheShopShut(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "keys.json"), []byte(`{"openai":{"account":"openai-1"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	ring := hanging{make(chan struct{})}
	t.Cleanup(func() { close(ring.gate) })
	c := enterAs(t, dir, func(o *shop.Options) { o.Ring = ring },
		"AGENTCHAT_OPENAI_BASE=http://"+nobody(t)+"/v1", "AGENTCHAT_PROVIDER=openai", "AGENTCHAT_OLLAMA_HOST="+nobody(t))
	if jobs := c.say("노래 틀어줘"); len(jobs) != 1 {
		t.Errorf("%d jobs", len(jobs))
	}
}

// hanging is a keyring that never answers before the test is over.
type hanging struct{ gate chan struct{} }

func (h hanging) Get(string) (string, error) { <-h.gate; return "", exec.ErrNotFound }
func (h hanging) Set(string, string) error   { <-h.gate; return exec.ErrNotFound }
func (h hanging) Delete(string) error        { <-h.gate; return exec.ErrNotFound }
