package store

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/interpreter"
	"agentchat/backend/provider"
)

// Requests that are too large together go, the oldest first; the newest stays as long as it is not too large alone.
func TestLargeLettersGo(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	size := 0
	for i := range 10 {
		x := interpreter.Exchange{Request: provider.Request{ID: fmt.Sprint("l", i)}}
		packed, err := new(exchangePacker).pack(x)
		if err != nil {
			t.Fatal(err)
		}
		size = len(packed.body)
		if err := s.AddExchanges(t.Context(), []interpreter.Exchange{x}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ most, size, want int }{
		{1000, 1 << 20, 10}, {1000, 4*size + size/2, 4}, {3, 1 << 20, 3}, {1000, size, 1}, {1000, size - 1, 0},
	} {
		if err := s.tx(t.Context(), false, func(w *work) error { return w.trimExchanges(c.most, c.size) }); err != nil {
			t.Fatal(err)
		}
		heads, err := s.ExchangeHeads(t.Context(), "", "", 0)
		if err != nil || len(heads) != c.want || c.want > 0 && heads[0].Request.ID != "l9" {
			t.Errorf("%d letters in %d bytes at most: %d are left, %v", c.most, c.size, len(heads), err)
		}
	}
}

// A request of an older program, deflated whole, is read as it was.
func TestLettersOfOlderProgramsAreRead(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	req := provider.Request{
		ID: "old", Chat: "main", Summary: "s", Transcript: []provider.Turn{{Speaker: "customer", Text: strings.Repeat("안녕하세요. ", 300)}},
		Tools: []provider.ToolCard{{Key: "song", Description: "d", Params: json.RawMessage(`{}`)}}, Schema: json.RawMessage(`{"type":"object"}`), Message: "r",
	}
	want := interpreter.Exchange{Request: req, Prompt: provider.Adapter{}.NormalizePrompt(req), Provider: "ollama", Reply: provider.Reply{Text: "네"}}
	x := want
	x.Request.Tools = nil
	pressed := func(v any) []byte {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		w, err := flate.NewWriter(&out, flate.DefaultCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	err = s.tx(t.Context(), false, func(w *work) error {
		part := pressed(map[string]any{"system": want.Prompt.System, "tools": req.Tools})
		if _, err := w.exec(`INSERT INTO letter_parts (hash, body) VALUES ('h',?)`, part); err != nil {
			return err
		}
		body := pressed(map[string]any{"exchange": x, "messages": want.Prompt.Messages, "format": want.Prompt.Format})
		_, err := w.exec(`INSERT INTO letters (id, chat, job, size, at, head, frozen, body) VALUES ('old','main','',1,1,'{}','h',?)`, body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Exchange(t.Context(), "old"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%+v\n%+v", err, got, want)
	}
}

// Every field of a request and of its reply comes back, also those that are yet to be thought of: what is kept is the head and the rest.
func TestNothingOfARequestIsLost(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	var x interpreter.Exchange
	fill(reflect.ValueOf(&x).Elem(), 3)
	x.Request.Message = strings.Repeat("말", headRequest+1)
	x.Prompt.Messages = []provider.PromptMessage{{Role: "user", Text: x.Request.Message}}
	if err := s.AddExchanges(t.Context(), []interpreter.Exchange{x}); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Exchange(t.Context(), x.Request.ID); err != nil || !reflect.DeepEqual(got, x) {
		t.Errorf("%v\n%+v\n%+v", err, got, x)
	}
}

// fill puts something into every field that is written, at most so many structures deep.
func fill(v reflect.Value, deep int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("글")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(3)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		value := reflect.New(v.Type().Elem()).Elem()
		if value.Kind() == reflect.Interface {
			value.Set(reflect.ValueOf("값"))
		} else {
			fill(value, deep)
		}
		v.SetMapIndex(reflect.ValueOf("k").Convert(v.Type().Key()), value)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), deep)
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`{"a":1}`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), deep)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.UnixMicro(1).UTC()))
			return
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); deep > 0 && f.IsExported() && (f.Tag.Get("json") != "-" || f.Type == reflect.TypeFor[provider.Prompt]()) {
				fill(v.Field(i), deep-1)
			}
		}
	default:
		panic("a kind that no field has had so far: " + v.Kind().String())
	}
}

// Whatever a chat's requests begin with, and however that changes from one to the next, each comes back as it was sent; and the
// hundredth line of a conversation costs no more than the tenth.
func TestLettersOfAConversation(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	rnd := rand.New(rand.NewPCG(1, 2))
	tools := []provider.ToolCard{{Key: "song", Description: "d", Params: json.RawMessage(`{}`)}}
	schema := json.RawMessage(`{"type":"object","required":["` + strings.Repeat("route", 200) + `"]}`)
	var background provider.Request
	var sent []interpreter.Exchange
	at := func(n int) time.Time { return time.UnixMicro(int64(n)).UTC() }
	for n := range 300 {
		switch rnd.IntN(12) {
		case 0: // a cut
			background.Summary = fmt.Sprint("summary ", n)
			background.Transcript = slices.Clone(background.Transcript[len(background.Transcript)*3/4:])
		case 1:
			background.Facts = append(slices.Clone(background.Facts), fmt.Sprint("fact ", n))
		case 2: // a line is forgotten
			if k := len(background.Transcript); k > 0 {
				background.Transcript = slices.Delete(slices.Clone(background.Transcript), k/2, k/2+1)
			}
		default:
			background.Transcript = append(background.Transcript,
				provider.Turn{Speaker: "customer", Text: fmt.Sprint("request ", n)}, provider.Turn{Speaker: "shop", Text: fmt.Sprint("answer ", n)})
		}
		req := background
		req.ID, req.Role, req.Chat, req.Now = fmt.Sprint("l", n), provider.RolePlanner, []string{"main", "other"}[n%2], at(n)
		req.Tools, req.Message, req.Schema = tools, fmt.Sprint("what? ", n), schema
		if n%3 == 0 {
			req.Role, req.Schema, req.Message = provider.RoleReporter, nil, ""
		}
		req.Transcript = slices.Clone(background.Transcript)
		x := interpreter.Exchange{Request: req, Prompt: provider.Adapter{}.NormalizePrompt(req), Provider: "p", Attempt: 1, At: at(n)}
		if n%17 == 0 && len(x.Prompt.Messages) > 1 { // what was sent is not what the request says
			x.Prompt.Messages[1].Text += "…"
		}
		sent = append(sent, x)
		if err := s.AddExchanges(t.Context(), []interpreter.Exchange{x}); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range sent {
		got, err := s.Exchange(t.Context(), want.Request.ID)
		if err != nil {
			t.Fatal(err)
		}
		a, err1 := json.Marshal([]any{got, got.Prompt})
		b, err2 := json.Marshal([]any{want, want.Prompt})
		if err := errors.Join(err1, err2); err != nil || !bytes.Equal(a, b) {
			t.Fatalf("%v\n%s\n%s", err, a, b)
		}
	}

	long := provider.Request{Chat: "long", Tools: tools, Schema: schema}
	var packer exchangePacker
	weigh := func(turns int) (bytes int) {
		parts := map[string]bool{}
		for range turns {
			long.Transcript = append(long.Transcript, provider.Turn{Speaker: "customer", Text: strings.Repeat("말", 40)}, provider.Turn{Speaker: "shop", Text: strings.Repeat("답", 40)})
			p, err := packer.pack(interpreter.Exchange{Request: long, Prompt: provider.Adapter{}.NormalizePrompt(long)})
			if err != nil {
				t.Fatal(err)
			}
			bytes += len(p.body)
			for _, part := range p.parts {
				if !parts[part.hash] {
					parts[part.hash] = true
					bytes += len(part.body)
				}
			}
		}
		return bytes / turns
	}
	weigh(2)
	early, _, late := weigh(20), weigh(160), weigh(20)
	if late > early*3/2 || late > 4000 {
		t.Errorf("a letter takes %d bytes in the beginning and %d after 180 turns", early, late)
	}
}
