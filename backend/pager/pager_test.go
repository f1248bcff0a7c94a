package pager_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/pager"
	"agentchat/backend/toolbox"
)

// place is a pager over a real store, with questions of the test's own.
type place struct {
	*pager.Pager
	t    *testing.T
	bus  *event.Bus
	base string
	dir  string

	phones int

	mu    sync.Mutex
	now   time.Time
	asks  []event.AskOpened
	given []ask.Reply
}

func openPlace(t *testing.T, asks ...event.AskOpened) *place {
	t.Helper()
	dir := t.TempDir()
	p := &place{t: t, dir: dir, bus: event.NewBus(0, nil), now: time.Now(), asks: asks}
	log := zerolog.Nop()
	n := 0
	p.Pager = pager.New(pager.Deps{
		Bus: p.bus, Lang: func() bilingual.Lang { return bilingual.EN }, Dir: dir, Log: &log,
		Now:   func() time.Time { p.mu.Lock(); defer p.mu.Unlock(); return p.now },
		NewID: func() string { n++; return fmt.Sprintf("phone-%d", n) },
		Waiting: func(context.Context) ([]event.AskOpened, error) {
			p.mu.Lock()
			defer p.mu.Unlock()
			return append([]event.AskOpened{}, p.asks...), nil
		},
		Running: func(context.Context) ([]job.View, error) {
			return []job.View{{Number: 7, Title: "Film", State: string(job.Running)}}, nil
		},
		Answer: func(_ context.Context, r ask.Reply) error {
			p.mu.Lock()
			defer p.mu.Unlock()
			for i, a := range p.asks {
				if a.ID == r.Ask {
					p.asks = append(p.asks[:i], p.asks[i+1:]...)
					p.given = append(p.given, r)
					return nil
				}
			}
			return apperr.New(apperr.StaleAnswer)
		},
		Tool: func(name string) toolbox.Spec {
			return toolbox.Spec{Counter: name == "transfer", Params: json.RawMessage(`{"properties":{"path":{"x-name":{"ko":"파일","en":"File"}}}}`)}
		},
	})
	if err := p.Open(0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	in, err := p.Invite()
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(in.Ways[0].Address, ":")
	p.base = "https://127.0.0.1:" + port
	return p
}

func (p *place) later(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = p.now.Add(d)
}

func (p *place) code() string {
	p.t.Helper()
	in, err := p.Invite()
	if err != nil {
		p.t.Fatal(err)
	}
	_, code, _ := strings.Cut(in.Ways[0].Link, "#")
	return code
}

// phone is a browser of its own, at an address of its own.
type phone struct {
	*http.Client
	t    *testing.T
	base string
}

func (p *place) phone() *phone {
	jar, _ := cookiejar.New(nil)
	p.phones++
	from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(1+p.phones))}}
	tr := &http.Transport{DialContext: from.DialContext, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	p.t.Cleanup(tr.CloseIdleConnections)
	return &phone{t: p.t, base: p.base, Client: &http.Client{Jar: jar, Transport: tr}}
}

func (p *place) paired() *phone {
	p.t.Helper()
	f := p.phone()
	if status, said := f.post("/pair", map[string]any{"code": p.code(), "name": "Mine"}); status != http.StatusNoContent {
		p.t.Fatal("pairing:", status, said)
	}
	return f
}

func (f *phone) do(method, path, body string, header map[string]string) (int, string) {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), method, f.base+path, strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	for k, v := range header {
		if r.Header.Set(k, v); k == "Host" {
			r.Host = v
		}
	}
	res, err := f.Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	said, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(said)
}

// page are the headers that a browser sends with what a page asks of its own origin.
func (f *phone) page() map[string]string {
	return map[string]string{"Content-Type": "application/json", "Origin": f.base, "Sec-Fetch-Site": "same-origin"}
}

func (f *phone) post(path string, body any) (int, string) {
	f.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		f.t.Fatal(err)
	}
	return f.do(http.MethodPost, path, string(text), f.page())
}

type shown struct {
	Asks []struct {
		ID, Text, Preview, Typed, Drawn string
		Notes                           []string
		Values                          []struct {
			Name, Is, From string
			Care           bool
		}
		Options []struct{ Label string }
	}
	Jobs []struct{ Title, Says string }
}

func (f *phone) now() (page shown) {
	f.t.Helper()
	status, text := f.do(http.MethodGet, "/now", "", nil)
	if status != http.StatusOK || json.Unmarshal([]byte(text), &page) != nil {
		f.t.Fatal("looking:", status, text)
	}
	return page
}

func (s shown) option(t *testing.T, ask int, label string) int {
	t.Helper()
	for i, o := range s.Asks[ask].Options {
		if o.Label == label {
			return i
		}
	}
	t.Fatalf("no option %q in %+v", label, s.Asks[ask])
	return 0
}

func approval(id string) event.AskOpened {
	return event.AskOpened{
		ID: id, Kind: string(ask.KindApproval), JobTitle: "Tidy", Question: "Write the file?", Choices: []string{ask.ChoiceApprove, ask.ChoiceEdit, ask.ChoiceReject},
		Tool: "file_write", Args: json.RawMessage(`{"path":"a` + "\u202e" + `txt.exe","text":"hello"}`), Digest: "sha256:" + id,
		Scopes: []event.AskScope{{Scope: "once", Words: "once", Default: true}, {Scope: "always", Words: "always"}},
	}
}

func TestWhatAPhoneShowsAndAnswers(t *testing.T) {
	p := openPlace(t, approval("a1"))
	f := p.paired()
	page := f.now()
	if len(page.Asks) != 1 || len(page.Jobs) != 1 || page.Jobs[0].Says != "Running" {
		t.Fatalf("shown: %+v", page)
	}
	q := page.Asks[0]
	if q.Values[0].Name != "File" || q.Values[0].Is != "a[U+202E]txt.exe" {
		t.Errorf("a name that reads backwards must be seen for what it is: %+v", q.Values)
	}
	if len(q.Options) != 2 {
		t.Errorf("no values are changed on a phone, and no approval reaches further than once: %+v", q.Options)
	}
	status, said := f.post("/answer", map[string]any{"ask": "a1", "drawn": q.Drawn, "option": page.option(t, 0, "Approve")})
	if status != http.StatusNoContent {
		t.Fatal(status, said)
	}
	want := ask.Reply{Ask: "a1", Choice: ask.ChoiceApprove, Digest: "sha256:a1", Scope: "once", Via: "Mine"}
	if len(p.given) != 1 || fmt.Sprint(p.given[0]) != fmt.Sprint(want) {
		t.Errorf("given %+v, want %+v", p.given, want)
	}
}

func TestAnAnswerIsBoundToWhatWasDrawn(t *testing.T) {
	lock := event.AskOpened{
		ID: "l1", Kind: string(ask.KindLock), Question: "The monitor is taken.", Choices: []string{ask.ChoiceWait, ask.ChoiceCancel, ask.ChoiceStopOther},
		Holders: []event.Holder{{JobID: "j1", Title: "Map"}},
	}
	p := openPlace(t, lock)
	f := p.paired()
	page := f.now()
	stop := page.option(t, 0, "Stop “Map” and take it")
	p.mu.Lock()
	p.asks[0].Holders = []event.Holder{{JobID: "j2", Title: "Film"}} // another has it now
	p.mu.Unlock()
	answer := map[string]any{"ask": "l1", "drawn": page.Asks[0].Drawn, "option": stop}
	if status, said := f.post("/answer", answer); status != http.StatusConflict || !strings.Contains(said, string(apperr.DigestMismatch)) {
		t.Error("an old drawing:", status, said)
	}
	page = f.now()
	answer["drawn"] = page.Asks[0].Drawn
	if status, said := f.post("/answer", answer); status != http.StatusNoContent {
		t.Error(status, said)
	}
	if status, said := f.post("/answer", answer); status != http.StatusConflict || !strings.Contains(said, string(apperr.StaleAnswer)) {
		t.Error("the same answer once more:", status, said)
	}
	if len(p.given) != 1 || p.given[0].Holder != "j2" {
		t.Errorf("given: %+v", p.given)
	}
}

func TestWhatCannotBeShownWholeIsNotApprovedOnAPhone(t *testing.T) {
	long, cut, plan, form := approval("long"), approval("cut"), approval("plan"), approval("form")
	again, money := approval("again"), approval("money")
	recovery := []string{ask.ChoiceRunAgain, ask.ChoiceHappened, ask.ChoiceStop}
	again.Kind, again.Choices, again.Args = string(ask.KindRecovery), recovery, json.RawMessage(`{"text":"`+strings.Repeat("x", 5000)+`"}`)
	money.Kind, money.Choices, money.Tool = string(ask.KindRecovery), recovery, "transfer"
	long.Args = json.RawMessage(`{"text":"` + strings.Repeat("x", 5000) + `"}`)
	cut.Preview = &event.AskPreview{Text: "so it changes", Cut: true}
	plan.Preview = &event.AskPreview{Text: "2,000 files", Plan: "p1", Lines: 2000}
	form.Kind, form.Choices, form.Form = string(ask.KindOutside), []string{ask.ChoiceValue, ask.ChoiceReject}, &event.AskForm{Server: "s"}
	p := openPlace(t, long, cut, plan, form, again, money)
	for _, q := range p.paired().now().Asks {
		if len(q.Options) != 1 || q.Options[0].Label != "Turn down" && q.Options[0].Label != "Stop" || q.Typed != "" || len(q.Notes) == 0 {
			t.Errorf("%s: %+v", q.ID, q)
		}
	}
}

func TestWhereEachPartOfAValueCameFrom(t *testing.T) {
	a := approval("a1")
	a.Args = json.RawMessage(`{"to":["a","b"],"toll":"free","note":null}`)
	a.Origins = []event.Origin{
		{Arg: "to[0]", Text: "you said it", Trusted: true},
		{Arg: "to[1]", Text: "from a web page"},
		{Arg: "to[2]", Text: "you said it", Trusted: true},
		{Arg: "toll", Text: "the manual", Trusted: true},
	}
	values := openPlace(t, a).paired().now().Asks[0].Values
	for _, v := range values {
		switch v.Name {
		case "to":
			if v.From != "from a web page · you said it" || !v.Care {
				t.Errorf("%+v", v)
			}
		case "toll":
			if v.From != "the manual" || v.Care {
				t.Errorf("%+v", v)
			}
		case "note":
			if v.Is != "null" {
				t.Errorf("%+v", v)
			}
		}
	}
	if len(values) != 3 {
		t.Error(values)
	}
}

func TestAnAnswerOnItsWayDecidesNothingOnceThePhoneIsUnpaired(t *testing.T) {
	p := openPlace(t, approval("a1"))
	f := p.paired()
	drawn := f.now().Asks[0].Drawn
	text, _ := json.Marshal(map[string]any{"ask": "a1", "drawn": drawn, "option": 0})
	half, rest := io.Pipe()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.base+"/answer", half)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range f.page() {
		r.Header.Set(k, v)
	}
	status := make(chan int, 1)
	go func() {
		res, err := f.Do(r)
		if err != nil {
			status <- 0
			return
		}
		_ = res.Body.Close()
		status <- res.StatusCode
	}()
	if _, err := rest.Write(text[:5]); err != nil { // it was let in, and reads
		t.Fatal(err)
	}
	if err := p.Remove("phone-1"); err != nil {
		t.Fatal(err)
	}
	_, _ = rest.Write(text[5:])
	_ = rest.Close()
	if got := <-status; got != http.StatusUnauthorized || len(p.given) != 0 {
		t.Errorf("answered with %d, given %+v", got, p.given)
	}
}

func TestWhoIsPairedOutlivesTheProgram(t *testing.T) {
	p := openPlace(t)
	f := p.paired()
	text, err := os.ReadFile(filepath.Join(p.dir, "pager.json"))
	if err != nil || !strings.Contains(string(text), "Mine") {
		t.Fatal(string(text), err)
	}
	for _, c := range f.Jar.Cookies(&url.URL{Scheme: "https", Host: strings.TrimPrefix(f.base, "https://")}) {
		if strings.Contains(string(text), c.Value) {
			t.Error("the key itself is kept")
		}
	}
	other := pager.New(pager.Deps{Bus: p.bus, Dir: p.dir, Now: time.Now})
	v, err := other.View()
	if err != nil || len(v.Phones) != 1 || v.Phones[0].Name != "Mine" {
		t.Error(v, err)
	}
}

func TestANeighbourTakesNotAllThePlaces(t *testing.T) {
	p := openPlace(t)
	var dialer net.Dialer
	greeted := make(chan bool)
	for range 12 {
		c, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(p.base, "https://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		go func() {
			greeted <- tls.Client(c, &tls.Config{InsecureSkipVerify: true}).HandshakeContext(t.Context()) == nil
		}()
	}
	refused := 0
	for range 12 {
		if !<-greeted {
			refused++
		}
	}
	if refused != 4 {
		t.Errorf("of 12 connections of one address %d were closed at once", refused)
	}
}

func TestPairing(t *testing.T) {
	p := openPlace(t)
	code := p.code()
	first := p.phone()
	if status, _ := first.post("/pair", map[string]any{"code": code, "name": "  a\u202eb\n"}); status != http.StatusNoContent {
		t.Fatal(status)
	}
	if status, _ := p.phone().post("/pair", map[string]any{"code": code, "name": "x"}); status != http.StatusForbidden {
		t.Error("a code holds once, but the second got", status)
	}
	p.later(time.Minute)
	code = p.code()
	p.later(5 * time.Minute)
	if status, _ := p.phone().post("/pair", map[string]any{"code": code, "name": "x"}); status != http.StatusForbidden {
		t.Error("a code that is too old got", status)
	}
	code = p.code()
	p.Uninvite()
	if status, _ := p.phone().post("/pair", map[string]any{"code": code, "name": "x"}); status != http.StatusForbidden {
		t.Error("a picture that was put away got", status)
	}
	code = p.code()
	for range 20 {
		if status, _ := p.phone().post("/pair", map[string]any{"code": "guess", "name": "x"}); status != http.StatusForbidden {
			t.Error("a guess got", status)
		}
	}
	if status, _ := p.phone().post("/pair", map[string]any{"code": code, "name": "x"}); status != http.StatusNoContent {
		t.Error("guesses of a neighbour keep the phone out:", status)
	}
	v, err := p.View()
	if err != nil || len(v.Phones) != 2 || v.Phones[0].Name != "a b" {
		t.Errorf("%+v %v", v.Phones, err)
	}
	for range pager.MostPhones - 2 {
		p.later(time.Minute)
		p.paired()
	}
	p.later(time.Minute)
	code = p.code()
	many := func() (int, string) { return p.phone().post("/pair", map[string]any{"code": code, "name": "x"}) }
	if status, said := many(); status != http.StatusConflict || !strings.Contains(said, "too_many_phones") {
		t.Error("one phone too many:", status, said)
	}
	if v, err = p.View(); err != nil || p.Remove(v.Phones[0].ID) != nil {
		t.Fatal(err)
	}
	if status, said := many(); status != http.StatusNoContent {
		t.Error("its picture was used up by the refusal:", status, said)
	}
}

func TestStrangersSeeNothing(t *testing.T) {
	p := openPlace(t, approval("a1"))
	f := p.paired()
	drawn := f.now().Asks[0].Drawn
	answer, _ := json.Marshal(map[string]any{"ask": "a1", "drawn": drawn, "option": 0})
	with := func(k, v string) map[string]string {
		h := f.page()
		h[k] = v
		return h
	}
	for name, try := range map[string]func() (int, string){
		"no cookie":          func() (int, string) { return p.phone().do(http.MethodGet, "/now", "", nil) },
		"no cookie, listens": func() (int, string) { return p.phone().do(http.MethodGet, "/news", "", nil) },
		"no cookie, answers": func() (int, string) { return p.phone().do(http.MethodPost, "/answer", string(answer), f.page()) },
		"another site": func() (int, string) {
			return f.do(http.MethodPost, "/answer", string(answer), with("Origin", "https://evil.example"))
		},
		"no origin":   func() (int, string) { return f.do(http.MethodPost, "/answer", string(answer), with("Origin", "")) },
		"null origin": func() (int, string) { return f.do(http.MethodPost, "/answer", string(answer), with("Origin", "null")) },
		"another port": func() (int, string) {
			return f.do(http.MethodPost, "/answer", string(answer), with("Origin", f.base+"1"))
		},
		"not encrypted": func() (int, string) {
			return f.do(http.MethodPost, "/answer", string(answer), with("Origin", strings.Replace(f.base, "https", "http", 1)))
		},
		"cross-site": func() (int, string) {
			return f.do(http.MethodPost, "/answer", string(answer), with("Sec-Fetch-Site", "cross-site"))
		},
		"looked at from afar": func() (int, string) {
			return f.do(http.MethodGet, "/now", "", map[string]string{"Sec-Fetch-Site": "cross-site"})
		},
		"a name that leads here": func() (int, string) {
			return f.do(http.MethodGet, "/now", "", map[string]string{"Host": "rebound.example" + strings.TrimPrefix(f.base, "https://127.0.0.1")})
		},
		"a form": func() (int, string) {
			return f.do(http.MethodPost, "/answer", string(answer), with("Content-Type", "text/plain"))
		},
		"too long": func() (int, string) {
			return f.do(http.MethodPost, "/answer", `{"text":"`+strings.Repeat("x", 20<<10)+`"}`, f.page())
		},
		"more than was asked": func() (int, string) {
			return f.do(http.MethodPost, "/answer", strings.Replace(string(answer), "{", `{"scope":"always",`, 1), f.page())
		},
	} {
		if status, said := try(); status < 400 || status >= 500 || strings.Contains(said, "Write the file") {
			t.Errorf("%s: %d %s", name, status, said)
		}
	}
	if len(p.given) != 0 {
		t.Fatalf("a stranger decided: %+v", p.given)
	}
	if status, _ := f.do(http.MethodPost, "/answer", string(answer), f.page()); status != http.StatusNoContent {
		t.Error("the person's own answer after all that:", status)
	}
}

func TestThePageIsGuarded(t *testing.T) {
	p := openPlace(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.base+"/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := p.phone().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	page, _ := io.ReadAll(res.Body)
	policy := res.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe") {
		t.Error(policy)
	}
	if bytes.Contains(page, []byte("style=")) || bytes.Contains(page, []byte("onclick=")) {
		t.Error("the policy forbids what stands in the page itself")
	}
	if res.TLS == nil || res.TLS.Version != tls.VersionTLS13 {
		t.Error("not the newest TLS")
	}
}

func TestCallersAreCounted(t *testing.T) {
	p := openPlace(t)
	f := p.phone()
	refused := 0
	for range 200 {
		if status, _ := f.do(http.MethodGet, "/words", "", nil); status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused < 100 {
		t.Errorf("of 200 calls at one moment %d were refused", refused)
	}
	p.later(10 * time.Second)
	if status, _ := f.do(http.MethodGet, "/words", "", nil); status != http.StatusOK {
		t.Error("ten seconds later:", status)
	}
}

func TestAPhoneIsToldAndUnpaired(t *testing.T) {
	p := openPlace(t)
	f := p.paired()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.base+"/news", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := f.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	lines := bufio.NewScanner(res.Body)
	told := func() bool {
		for lines.Scan() {
			if lines.Text() == "data: now" {
				return true
			}
		}
		return false
	}
	if !told() {
		t.Fatal("what happened before it listened was not told")
	}
	p.bus.Publish(event.Of("main", "", event.AskClosed{ID: "a1"}))
	if !told() {
		t.Fatal("a change was not told")
	}
	v, err := p.View()
	if err != nil || len(v.Phones) != 1 {
		t.Fatal(v, err)
	}
	if err := p.Remove(v.Phones[0].ID); err != nil {
		t.Fatal(err)
	}
	if told() {
		t.Error("an unpaired phone still listens")
	}
	if status, _ := f.do(http.MethodGet, "/now", "", nil); status != http.StatusUnauthorized {
		t.Error("an unpaired phone looks:", status)
	}
	if err := p.Remove(v.Phones[0].ID); apperr.CodeOf(err) != apperr.NotFound {
		t.Error(err)
	}
}

func TestTheKeyStays(t *testing.T) {
	p := openPlace(t)
	before, _ := p.View()
	p.Close()
	if _, err := p.Invite(); apperr.CodeOf(err) != apperr.PagerOff {
		t.Error("closed, but:", err)
	}
	if err := p.Open(0); err != nil {
		t.Fatal(err)
	}
	after, _ := p.View()
	if before.Fingerprint == "" || before.Fingerprint != after.Fingerprint {
		t.Errorf("%q became %q", before.Fingerprint, after.Fingerprint)
	}
}
