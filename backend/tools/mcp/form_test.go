package mcp_test

import (
	"encoding/base64"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/tools/mcp"
)

// formOf is the form of a server, which holds none of its keys.
func (h *house) formOf(name string, keys ...string) mcp.Form {
	h.t.Helper()
	f, err := h.FormOf(name)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, text := range []string{f.Line, f.URL} {
		for _, key := range keys {
			if strings.Contains(text, key) {
				h.t.Errorf("%q is in the form", key)
			}
		}
	}
	for _, field := range slices.Concat(f.Args, f.Values) {
		for _, key := range keys {
			if strings.Contains(field.Before+field.Value, key) {
				h.t.Errorf("%q is in the form: %+v", key, field)
			}
		}
	}
	return f
}

// changeTo changes a server as its form is filled in.
func (h *house) changeTo(f mcp.Form) error {
	h.t.Helper()
	line, err := h.LineOfForm(f)
	if err != nil {
		return err
	}
	f.Line = line
	return h.Change(h.t.Context(), f)
}

func (h *house) file() string {
	h.t.Helper()
	text, err := os.ReadFile(filepath.Join(h.dir, mcp.FileName))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(text)
}

// field finds a field of a form, an argument by its place.
func field(t *testing.T, list []mcp.Field, was string) *mcp.Field {
	t.Helper()
	i := slices.IndexFunc(list, func(f mcp.Field) bool { return f.Was == was })
	if i < 0 {
		t.Fatalf("there is no %q: %+v", was, list)
	}
	return &list[i]
}

// A server that is set up is changed in a form. Keys are neither shown nor lost, and what the form does not show stays.
func TestChangingAServer(t *testing.T) {
	h := newHouse(t, quick)
	h.ring.keys = map[string]string{"mcp/desk/DESK_KEY": "sk-kept-in-ring", "mcp/desk/args/door": "sk-door-in-ring"}
	h.mount(map[string]entry{"desk": {
		"command": "no-such-program-here", "args": []string{"--dir", "/home/a", "--token=sk-in-the-file", "--door=${keyring:door}"},
		"env": map[string]any{"DESK_KEY": "keyring:", "MODE": "fast", "PLAIN_TOKEN": "sk-plain-in-file"}, "confirm": "always", "tools": map[string]any{"a": map[string]any{"disabled": true}},
	}})
	secrets := []string{"sk-kept-in-ring", "sk-door-in-ring", "sk-in-the-file", "sk-plain-in-file", "keyring"}

	// Saved as it is shown, it stays what it is.
	before := h.file()
	if err := h.changeTo(h.formOf("desk", secrets...)); err != nil {
		t.Fatal(err)
	}
	v := h.server("desk")
	mustHold(t, h.file(), `"--token=sk-in-the-file"`, `"--door=${keyring:door}"`, `"DESK_KEY": "keyring:"`, `"MODE": "fast"`, `"PLAIN_TOKEN": "sk-plain-in-file"`, `"confirm": "always"`, `"disabled": true`)
	if len(before) == 0 || len(h.ring.keys) != 2 || v.Server != "desk" {
		t.Errorf("%v, %+v", h.ring.keys, v)
	}

	f := h.formOf("desk", secrets...)
	field(t, f.Args, "2").Value = "/home/b c"
	field(t, f.Args, "3").Value = "sk-typed-token"
	field(t, f.Args, "4").Value = "sk-typed-door"
	f.Args = append(f.Args, mcp.Field{Value: "--api-key"}, mcp.Field{Value: "sk-fresh"}, mcp.Field{})
	field(t, f.Values, "DESK_KEY").Value = "sk-typed-desk"
	field(t, f.Values, "MODE").Value = "slow"
	f.Values = append(f.Values, mcp.Field{Name: "OTHER_KEY", Value: "sk-other"}, mcp.Field{})
	if f.Line = ""; apperr.CodeOf(h.Change(t.Context(), f)) != apperr.DigestMismatch {
		t.Error("changed without having been seen")
	}
	if err := h.changeTo(f); err != nil {
		t.Fatal(err)
	}
	text := h.file()
	mustHold(t, text, `"/home/b c"`, `"--door=${keyring:door}"`, `"MODE": "slow"`, `"OTHER_KEY": "keyring:"`, `"confirm": "always"`, `"disabled": true`)
	if strings.Contains(text, "typed") || strings.Contains(text, "sk-fresh") || strings.Contains(text, "sk-other") {
		t.Errorf("a key is in the file: %s", text)
	}
	for _, key := range []string{"sk-typed-token", "sk-typed-door", "sk-fresh", "sk-typed-desk", "sk-other"} {
		if !slices.Contains(h.Secrets(), key) {
			t.Errorf("%s went nowhere: %v", key, h.ring.keys)
		}
	}
	line := h.formOf("desk", "sk-").Line
	mustHold(t, line, "--dir '/home/b c'")

	// Taken away, a variable takes its key along; another name takes all keys along.
	f = h.formOf("desk", "sk-")
	f.Values = slices.DeleteFunc(f.Values, func(v mcp.Field) bool { return v.Was == "OTHER_KEY" })
	f.Name = "table"
	if err := h.changeTo(f); err != nil {
		t.Fatal(err)
	}
	if h.ring.get("mcp/table/DESK_KEY") != "sk-typed-desk" || h.ring.get("mcp/table/args/door") != "sk-typed-door" || h.server("desk").Server != "" || h.server("table").Server == "" {
		t.Errorf("%v, %+v", h.ring.keys, h.View("en"))
	}
	for name := range h.ring.keys {
		if strings.HasPrefix(name, "mcp/desk/") || strings.HasSuffix(name, "OTHER_KEY") {
			t.Errorf("%s stayed behind", name)
		}
	}
}

// An address keeps what it carries, and a header its key, until they are typed anew; what does not fit changes nothing.
func TestChangingAnAddress(t *testing.T) {
	h := newHouse(t, quick)
	h.ring.keys = map[string]string{"mcp/far/Authorization": "sk-of-the-door"}
	h.mount(map[string]entry{
		"far":  {"url": "http://127.0.0.1:9/mcp?door=sk-in-the-address", "headers": map[string]any{"Authorization": "Bearer keyring:"}, "disabled": true},
		"near": {"command": "no-such-program-here"},
	})
	f := h.formOf("far", "sk-", "keyring")
	if at := field(t, f.Values, "Authorization"); at.Before != "Bearer " || !at.Key {
		t.Errorf("%+v", at)
	}
	f.Values = append(f.Values, mcp.Field{Name: "X-More", Value: "sk-of-more"})
	field(t, f.Values, "Authorization").Value = "Bearer sk-typed-anew"
	if err := h.changeTo(f); err != nil {
		t.Fatal(err)
	}
	mustHold(t, h.file(), "sk-in-the-address", `"Bearer keyring:"`, `"X-More": "keyring:"`, `"disabled": true`)
	if h.ring.get("mcp/far/Authorization") != "sk-typed-anew" || h.ring.get("mcp/far/X-More") != "sk-of-more" {
		t.Error(h.ring.keys)
	}
	before := h.file()
	for what, spoil := range map[string]func(f *mcp.Form){
		"no address":      func(f *mcp.Form) { f.URL = "far away" },
		"a taken name":    func(f *mcp.Form) { f.Name = "near" },
		"half an address": func(f *mcp.Form) { f.URL = strings.Replace(f.URL, "/mcp", "/other", 1) },
		"no name":         func(f *mcp.Form) { f.Name = "9" },
		"one name twice":  func(f *mcp.Form) { f.Values = append(f.Values, mcp.Field{Name: "X-More", Value: "x"}) },
		"a nameless one":  func(f *mcp.Form) { f.Values = append(f.Values, mcp.Field{Value: "x"}) },
		"an empty header": func(f *mcp.Form) { f.Values = append(f.Values, mcp.Field{Name: "X-Empty"}) },
	} {
		f := h.formOf("far", "sk-")
		spoil(&f)
		err := h.changeTo(f)
		if apperr.CodeOf(err) != apperr.InvalidArgs || strings.Contains(apperr.From(err).Text("en"), mcp.FileName) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if h.file() != before {
		t.Errorf("what does not fit was written: %s", h.file())
	}
	if _, err := h.FormOf("nobody"); apperr.CodeOf(err) != apperr.NotFound {
		t.Error(err)
	}
}

// Switched off, a server rests with everything that is known of it; switched on, it works again and nobody is asked anew. Another command is another server.
func TestSwitchingAServer(t *testing.T) {
	h := newHouse(t, quick)
	h.consented("good", h.stdio("good", nil))
	had := h.keys()
	if err := h.Switch("good", false); err != nil {
		t.Fatal(err)
	}
	if v := h.server("good"); v.State != mcp.StateDisabled || len(h.keys()) != 0 || len(h.Children()) != 0 || len(v.Tools) == 0 {
		t.Errorf("%+v, %v", v, h.keys())
	}
	if err := h.Switch("good", true); err != nil {
		t.Fatal(err)
	}
	h.until("good", "it is ready again", is(mcp.StateReady))
	if !slices.Equal(had, h.keys()) {
		t.Errorf("%v, had %v", h.keys(), had)
	}
	f := h.formOf("good", token)
	if err := h.changeTo(f); err != nil {
		t.Fatal(err)
	}
	h.until("good", "it stays agreed to", is(mcp.StateReady))
	f.Args = append(f.Args, mcp.Field{Value: "more"})
	if err := h.changeTo(f); err != nil {
		t.Fatal(err)
	}
	h.until("good", "what is started has changed, so a person is asked", is(mcp.StateNeedsConsent))
	wantCode(t, h.Switch("nobody", true), apperr.NotFound)
}

// A server whose key is not in the keyring any more is there to be mended, in its form.
func TestAKeyThatIsGoneIsTypedAgain(t *testing.T) {
	h := newHouse(t, quick)
	e := h.stdio("good", nil)
	e["env"].(map[string]any)["MORE"] = "keyring:"
	h.mount(map[string]entry{"good": e})
	if v := h.server("good"); v.State != mcp.StateFailed || !strings.Contains(v.Error, "MORE") {
		t.Fatalf("%+v", h.View("en"))
	}
	f := h.formOf("good", token)
	field(t, f.Values, "MORE").Value = "sk-found-again"
	if err := h.changeTo(f); err != nil {
		t.Fatal(err)
	}
	h.until("good", "it has its key", is(mcp.StateNeedsConsent))
}

// A change that fails on its way leaves file, keys and consent as they were.
func TestAChangeThatFailsChangesNothing(t *testing.T) {
	h := newHouse(t, quick)
	h.ring.keys = map[string]string{"mcp/good/MORE": "sk-very-secret"}
	h.consented("good", h.ringed(nil))
	before, keys := h.file(), maps.Clone(h.ring.keys)
	path := filepath.Join(h.dir, mcp.FileName)
	spoil := func(f *mcp.Form) {
		f.Name = "other"
		field(t, f.Values, "MORE").Value = "sk-typed-anew"
		f.Args = append(f.Args, mcp.Field{Value: "--key=sk-fresh"})
	}
	stayed := func() {
		t.Helper()
		if h.file() != before || !maps.Equal(h.ring.keys, keys) || len(h.store.held) != 1 || h.server("good").State != mcp.StateReady {
			t.Errorf("%s, %v, %v, %+v", h.file(), h.ring.keys, h.store.held, h.View("en"))
		}
	}
	for _, renamed := range []bool{true, false} {
		f := h.formOf("good", token)
		if spoil(&f); !renamed {
			f.Name = "good"
		}
		h.ring.taken = sync.OnceFunc(func() { // once a key is taken, the file can be written no more
			if err := errors.Join(os.Rename(path, path+".old"), os.MkdirAll(filepath.Join(path, "full"), 0o700)); err != nil {
				t.Error(err)
			}
		})
		wantCode(t, h.changeTo(f), apperr.StorageFailed)
		if err := errors.Join(os.RemoveAll(path), os.Rename(path+".old", path)); err != nil {
			t.Fatal(err)
		}
		stayed()
	}
	h.ring.taken = nil
	f := h.formOf("good", token)
	spoil(&f)
	h.store.broken = apperr.New(apperr.StorageFailed)
	wantCode(t, h.changeTo(f), apperr.StorageFailed)
	stayed()
}

// A sign-in goes along to another name of the same address, and to no other address.
func TestASignInGoesAlongToAnotherName(t *testing.T) {
	for address, along := range map[string]bool{"http://127.0.0.1:9/mcp": true, "http://127.0.0.1:9/other": false} {
		h := newHouse(t, quick)
		pass := base64.RawStdEncoding.EncodeToString([]byte(`{"u":"http://127.0.0.1:9/mcp","at":"here","t":"there","a":"access-of-a-person"}`))
		h.ring.keys = map[string]string{"mcp/far/sign-in": pass}
		h.mount(map[string]entry{"far": {"url": "http://127.0.0.1:9/mcp", "disabled": true}})
		f := h.formOf("far")
		f.Name, f.URL = "near", address
		if err := h.changeTo(f); err != nil {
			t.Fatal(err)
		}
		if h.ring.get("mcp/far/sign-in") != "" || (h.ring.get("mcp/near/sign-in") == pass) != along {
			t.Errorf("%s: %v", address, h.ring.keys)
		}
	}
}

// A value that is a key by its looks goes into the keyring at once, whatever it is called; what is none is shown.
func TestAValueThatLooksLikeAKeyIsKept(t *testing.T) {
	h := newHouse(t, quick)
	h.mount(map[string]entry{"desk": {
		"command": "no-such-program-here",
		"env":     map[string]any{"NODE_ENV": "production", "PLACE": "https://desk.example/v1", "MODE": "fast", "OLD_DSN": "postgres://kim:s3cr3t@db/desk"},
	}})
	f := h.formOf("desk", "s3cr3t")
	for name, value := range map[string]string{"NODE_ENV": "production", "PLACE": "https://desk.example/v1", "MODE": "fast"} {
		if v := field(t, f.Values, name); v.Key || v.Value != value {
			t.Errorf("%+v", v)
		}
	}
	keys := map[string]string{
		"DSN": "postgres://kim:pw@db/desk", "DRIVER": "kim:pw@tcp(db)/desk", "WORD": "0123456789abcdef0123", "DB_PWD": "hunter2", "LINE": "host=db password=pw", "MODE": "postgres://kim:other@db/desk",
	}
	for name, value := range keys {
		if name == "MODE" {
			field(t, f.Values, name).Value = value
			continue
		}
		f.Values = append(f.Values, mcp.Field{Name: name, Value: value})
	}
	f.Values = append(f.Values, mcp.Field{Name: "STAGE", Value: "development"})
	if err := h.changeTo(f); err != nil {
		t.Fatal(err)
	}
	mustHold(t, h.file(), `"NODE_ENV": "production"`, `"STAGE": "development"`, `"OLD_DSN": "postgres://kim:s3cr3t@db/desk"`)
	for name, value := range keys {
		mustHold(t, h.file(), `"`+name+`": "keyring:"`)
		if got := h.ring.get("mcp/desk/" + name); got != value {
			t.Errorf("%s: %q", name, got)
		}
	}
	f = h.formOf("desk", "s3cr3t")
	for _, v := range f.Values {
		if _, kept := keys[v.Name]; v.Key != (kept || v.Name == "OLD_DSN") {
			t.Errorf("%+v", v)
		}
	}
}

// A key is for the place it was given to: another place gets it when it is typed again, or not at all.
func TestAnotherAddressWantsItsKeysAgain(t *testing.T) {
	h := newHouse(t, quick)
	h.ring.keys = map[string]string{"mcp/far/Authorization": "sk-of-the-door"}
	h.mount(map[string]entry{"far": {
		"url": "https://far.example/mcp", "headers": map[string]any{"Authorization": "Bearer keyring:", "X-Api-Key": "sk-in-the-file"}, "disabled": true,
	}})
	before := h.file()
	for _, address := range []string{"http://far.example/mcp", "https://evil.example/mcp", "https://far.example:444/mcp"} {
		for _, typed := range []string{"", "Authorization", "X-Api-Key"} {
			f := h.formOf("far", "sk-")
			if f.URL = address; typed != "" {
				field(t, f.Values, typed).Value = "sk-typed-anew"
			}
			err := h.changeTo(f)
			if apperr.CodeOf(err) != apperr.InvalidArgs || !strings.Contains(apperr.From(err).Text("en"), "again") {
				t.Errorf("%s: %v", address, err)
			}
		}
	}
	if h.file() != before || h.ring.get("mcp/far/Authorization") != "sk-of-the-door" {
		t.Errorf("%s, %v", h.file(), h.ring.keys)
	}
	f := h.formOf("far", "sk-")
	f.URL = "https://FAR.example/other"
	if err := h.changeTo(f); err != nil {
		t.Error("another step at the same place:", err)
	}
	f = h.formOf("far", "sk-")
	f.URL = "https://near.example/mcp"
	field(t, f.Values, "Authorization").Value = "sk-of-near"
	f.Values = slices.DeleteFunc(f.Values, func(v mcp.Field) bool { return v.Was == "X-Api-Key" })
	if err := h.changeTo(f); err != nil || h.ring.get("mcp/far/Authorization") != "sk-of-near" || strings.Contains(h.file(), "sk-") {
		t.Errorf("%v, %v, %s", err, h.ring.keys, h.file())
	}
}

// What nobody touched stays to the letter, and a key typed with what stands before it is not doubled.
func TestWhatIsTypedIsTakenAsItIsMeant(t *testing.T) {
	h := newHouse(t, quick)
	h.ring.keys = map[string]string{"mcp/desk/args/door": "sk-door-in-ring"}
	h.mount(map[string]entry{"desk": {
		"command": "no-such-program-here", "args": []string{"--token=sk-in-the-file", "--door=${keyring:door}"}, "env": map[string]any{"SEP": " | ", "GAP": " ", "END": "x "},
	}})
	f := h.formOf("desk", "sk-")
	field(t, f.Args, "1").Value, field(t, f.Args, "2").Value = "--token=sk-typed-token", " --door=sk-typed-door"
	field(t, f.Values, "SEP").Value = "|" // as a page may give it back
	field(t, f.Values, "END").Value = " y "
	if err := h.changeTo(f); err != nil {
		t.Fatal(err)
	}
	mustHold(t, h.file(), `"SEP": " | "`, `"GAP": " "`, `"END": "y"`, `"--token=${keyring:token}"`, `"--door=${keyring:door}"`)
	if h.ring.get("mcp/desk/args/token") != "sk-typed-token" || h.ring.get("mcp/desk/args/door") != "sk-typed-door" {
		t.Error(h.ring.keys)
	}
}

// A server that is called otherwise is the same server: its tools, what was agreed to, its keys and its settings stay; only what people see is another name.
func TestAServerIsCalledOtherwise(t *testing.T) {
	h := newHouse(t, quick)
	h.ring.keys = map[string]string{"mcp/good/MORE": "sk-very-secret"}
	h.consented("good", h.ringed(nil))
	before, keys, held := h.server("good"), maps.Clone(h.ring.keys), maps.Clone(h.store.held)
	key := before.Tools[0].Key
	f := h.formOf("good", token)
	if f.Title != "" {
		t.Errorf("%+v", f)
	}
	f.Title = " 우리 회사 "
	if err := h.changeTo(f); err != nil {
		t.Fatal(err)
	}
	h.until("good", "it stays agreed to", is(mcp.StateReady))
	after := h.server("good")
	if after.Title != "우리 회사" || len(after.Tools) != len(before.Tools) || after.Tools[0].Key != key || after.Tools[0].State != mcp.ToolOK {
		t.Errorf("%+v", after)
	}
	if !maps.Equal(h.ring.keys, keys) || len(h.store.held) != len(held) {
		t.Errorf("%v, %v", h.ring.keys, h.store.held)
	}
	spec, err := h.box.Spec(key)
	if err != nil || !strings.HasPrefix(spec.Title.KO, "우리 회사: ") || !strings.Contains(spec.Description.EN, "우리 회사") || spec.Outside != "good" {
		t.Errorf("%+v, %v", spec, err)
	}
	if f = h.formOf("good", token); f.Title != "우리 회사" || f.Name != "good" {
		t.Errorf("%+v", f)
	}
	for _, title := range []string{"보낸\u202e사람", "두\n줄", strings.Repeat("가", 41)} {
		f.Title = title
		wantCode(t, h.changeTo(f), apperr.InvalidArgs)
	}
	f.Title = "good" // what it is called anyway
	if err := h.changeTo(f); err != nil || strings.Contains(h.file(), `"title"`) {
		t.Errorf("%s, %v", h.file(), err)
	}
}

// No two servers are shown by one name: what one may do would be read as the other's.
func TestNoTwoServersAreCalledAlike(t *testing.T) {
	h := newHouse(t, quick)
	h.mount(map[string]entry{"a": {"url": "http://127.0.0.1:9/a", "disabled": true}, "b": {"url": "http://127.0.0.1:9/b", "disabled": true}})
	f := h.formOf("a")
	f.Title = "B"
	wantCode(t, h.changeTo(f), apperr.InvalidArgs)
	f.Title = "Work"
	if err := h.changeTo(f); err != nil {
		t.Fatal(err)
	}
	f = h.formOf("b")
	f.Title = "work"
	wantCode(t, h.changeTo(f), apperr.InvalidArgs)
}
