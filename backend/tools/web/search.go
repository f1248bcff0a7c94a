package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/brief"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/outbound"
	"agentchat/backend/toolbox"
)

// Service is who searches the web.
type Service string

// The services.
const (
	ServiceOff     Service = "off"
	ServiceSearXNG Service = "searxng" // one's own, or one that somebody runs: by its address
	ServiceBrave   Service = "brave"   // by a key
)

// braveAt is where Brave's search service answers.
const braveAt = "https://api.search.brave.com/res/v1/web/search"

// Search says how the web is searched. It is asked at every call.
type Search struct {
	Line    *outbound.Line // the way out; nil leads to this computer alone
	Service func() Service
	Address func() string // of SearXNG
	Key     func(ctx context.Context) string
	BraveAt string // "": Brave's own address
}

// Bounds of a search.
const (
	searchIn    = 20 * time.Second
	mostResults = 8
	mostTitle   = 200 // characters
	mostSnippet = 400
	mostSearch  = 2 << 20 // bytes of an answer
)

// search is the tool web_search. What it brings are other people's words: a page that was found is read by web_fetch, under its guard.
type search struct {
	o      Search
	spec   toolbox.Spec
	client *http.Client
}

// NewSearch makes the tool.
func NewSearch(o Search) toolbox.Tool {
	if o.BraveAt == "" {
		o.BraveAt = braveAt
	}
	t := &search{o: o, spec: manual("web_search")}
	t.client = o.Line.Client(outbound.Way{Room: outbound.RoomSearch, Connect: connectIn, Proxy: true, Shape: func(tr *http.Transport) {
		tr.DisableKeepAlives, tr.TLSHandshakeTimeout, tr.MaxResponseHeaderBytes = true, connectIn, maxHeader
	}})
	t.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // the key and the words are for the address that was set
	return t
}

// Spec implements toolbox.Tool.
func (t *search) Spec() toolbox.Spec { return t.spec }

// found is one result.
type found struct {
	Title string `json:"title"`
	URL   string `json:"url"`
	Text  string `json:"text"`
}

// Preview implements toolbox.Previewer: it names who would learn the words.
func (t *search) Preview(_ context.Context, call toolbox.Call) (toolbox.Preview, error) {
	who, err := t.who()
	if err != nil {
		return toolbox.Preview{}, err
	}
	return toolbox.Preview{Text: bilingual.Text{
		KO: fmt.Sprintf("%s에 이 말을 보내 찾아요.", who), EN: fmt.Sprintf("Sends these words to %s to search for them.", who),
	}.In(call.Lang)}, nil
}

// who is the host that is asked. Error: search_off, which says what is missing.
func (t *search) who() (string, error) {
	switch t.o.Service() {
	case ServiceSearXNG:
		if at := t.o.Address(); at != "" {
			return outbound.Where(at), nil
		}
		return "", searchOff(bilingual.Of("SearXNG 주소를 적지 않았어요", "no SearXNG address is set"))
	case ServiceBrave:
		return outbound.Where(t.o.BraveAt), nil
	case ServiceOff:
	}
	return "", searchOff(bilingual.Of("무엇으로 찾을지 고르지 않았어요", "no search service is chosen"))
}

func searchOff(why bilingual.Text) error { return apperr.New(apperr.SearchOff, "why", why) }

// Run implements toolbox.Tool.
func (t *search) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		Query string `json:"query"`
	}
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	query := strings.TrimSpace(args.Query)
	who, err := t.who()
	if err != nil {
		return toolbox.Result{}, err
	}
	limited, cancel := context.WithTimeout(ctx, searchIn)
	defer cancel()
	items, err := t.ask(limited, query, call.Lang)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return toolbox.Result{}, ctx.Err()
	case limited.Err() != nil:
		return toolbox.Result{}, apperr.Wrap(err, apperr.Timeout)
	default:
		return toolbox.Result{}, explainSearch(who, err)
	}
	data, err := json.Marshal(struct {
		Query   string  `json:"query"`
		Service string  `json:"service"`
		Items   []found `json:"items"`
	}{query, who, items})
	if err != nil {
		return toolbox.Result{}, apperr.Wrap(err, apperr.Internal)
	}
	return toolbox.Result{Data: data, Text: sayFound(call.Lang, query, who, items)}, nil
}

// sayFound lists what was found as sources: each with its address.
func sayFound(lang bilingual.Lang, query, who string, items []found) string {
	if len(items) == 0 {
		return bilingual.Say(lang, "‘%s’에 대해 %s에서 찾은 것이 없어요.", "Nothing was found for “%s” by %s.", query, who)
	}
	var b strings.Builder
	b.WriteString(bilingual.Say(lang, "‘%s’에 대해 %s에서 찾았어요.", "For “%s”, %s found:", query, who))
	for i, f := range items {
		fmt.Fprintf(&b, "\n\n%d. %s\n%s", i+1, f.Title, f.URL)
		if f.Text != "" {
			b.WriteString("\n" + f.Text)
		}
	}
	return b.String()
}

// ask sends the words and reads what comes back. Errors: apperr's, or those of the connection.
func (t *search) ask(ctx context.Context, query string, lang bilingual.Lang) ([]found, error) {
	brave := t.o.Service() == ServiceBrave
	at, key := t.o.BraveAt, ""
	if brave {
		if key = t.o.Key(ctx); key == "" {
			return nil, searchOff(bilingual.Of("Brave 검색의 키를 넣지 않았어요", "no key for Brave Search is set"))
		}
	} else {
		at = strings.TrimRight(t.o.Address(), "/") + "/search"
	}
	u, err := url.Parse(at)
	if err != nil {
		return nil, searchOff(bilingual.Of("SearXNG 주소가 올바르지 않아요", "the SearXNG address is not a proper one"))
	}
	values := url.Values{"q": {query}}
	if brave {
		values.Set("count", fmt.Sprint(mostResults))
	} else {
		values.Set("format", "json")
		values.Set("language", string(lang))
	}
	u.RawQuery = values.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "AgentChat/1 (searches for a person)")
	if brave {
		request.Header.Set("X-Subscription-Token", key)
	}
	response, err := t.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if why := statusWords(response.StatusCode, brave); why.KO != "" {
		return nil, searchFailed(u.Host, why)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, mostSearch))
	if err != nil {
		return nil, err
	}
	items, err := readFound(body, brave)
	if err != nil {
		return nil, searchFailed(u.Host, bilingual.Of("답을 읽을 수 없어요", "its answer cannot be read"))
	}
	return items, nil
}

// statusWords says what a status that is no answer means; nothing for one that is.
func statusWords(status int, brave bool) bilingual.Text {
	switch {
	case status == http.StatusOK:
		return bilingual.Text{}
	case status == http.StatusUnauthorized, status == http.StatusForbidden && brave, status == http.StatusUnprocessableEntity && brave:
		return bilingual.Of("키를 받아 주지 않아요", "it does not take the key")
	case status == http.StatusForbidden: // SearXNG hands out JSON only where its settings say so
		return bilingual.Of("다른 프로그램에는 결과를 주지 않게 되어 있어요. 서버를 맡은 사람에게 켜 달라고 해 주세요", "it is not set up to give its results to other programs; ask whoever runs it to allow that")
	case status == http.StatusTooManyRequests:
		return bilingual.Of("너무 자주 물었어요", "it was asked too often")
	}
	return bilingual.Text{KO: fmt.Sprintf("%d로 답했어요", status), EN: fmt.Sprintf("it answered %d", status)}
}

// readFound reads the answer of either service: of what is in it only what a person could open.
func readFound(body []byte, brave bool) ([]found, error) {
	type result struct {
		Title       string `json:"title"`
		URL         string `json:"url"`
		Content     string `json:"content"`     // SearXNG's
		Description string `json:"description"` // Brave's
	}
	var answer struct {
		Results []result `json:"results"`
		Web     *struct {
			Results []result `json:"results"`
		} `json:"web"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, err
	}
	list := answer.Results
	if brave {
		list = nil
		if answer.Web != nil {
			list = answer.Web.Results
		}
	} else if list == nil {
		return nil, errors.New("no results in the answer")
	}
	items := []found{}
	for _, r := range list {
		u, err := Read(r.URL)
		if err != nil || len(items) == mostResults { // what leads inside, or nowhere, is no source
			continue
		}
		f := found{Title: oneLine(r.Title, mostTitle), URL: u.String(), Text: oneLine(r.Content+r.Description, mostSnippet)}
		if f.Title == "" {
			f.Title = u.Host
		}
		items = append(items, f)
	}
	return items, nil
}

// oneLine makes words of others short and plain: no markup, no line breaks, nothing that cannot be seen.
func oneLine(text string, most int) string {
	for _, tag := range []string{"<strong>", "</strong>", "<b>", "</b>", "<em>", "</em>"} {
		text = strings.ReplaceAll(text, tag, "")
	}
	text = html.UnescapeString(text)
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))), " ")
	return brief.Cut(text, most)
}

func searchFailed(who string, why bilingual.Text) error {
	return apperr.New(apperr.SearchFailed, "service", who, "why", why)
}

// explainSearch turns what a client says into a sentence for people.
func explainSearch(who string, err error) error {
	var known *apperr.Error
	var lookup *net.DNSError
	var dial *net.OpError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &lookup), errors.As(err, &dial) && dial.Op == "dial":
		return apperr.Wrap(err, apperr.SearchFailed, "service", who, "why", bilingual.Of("연결할 수 없어요", "it cannot be reached"))
	}
	return apperr.Wrap(err, apperr.SearchFailed, "service", who, "why", bilingual.Of("이야기하다가 끊겼어요", "the exchange broke off"))
}
