package strictjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"agentchat/backend/strictjson"
)

func TestDecode(t *testing.T) {
	var v struct {
		Amount json.Number
		Rest   any
	}
	text := ` {"amount": 0.10, "rest": [12345678901234567890, "\ud83d\ude00", {"a": null}]} `
	if err := strictjson.Decode([]byte(text), &v, strictjson.Limits{}); err != nil {
		t.Fatal(err)
	}
	want := []any{json.Number("12345678901234567890"), "😀", map[string]any{"a": nil}}
	if v.Amount != "0.10" || !reflect.DeepEqual(v.Rest, want) {
		t.Errorf("have %+v", v)
	}
}

func TestDecodeRefuses(t *testing.T) {
	small := strictjson.Limits{Bytes: 64, Depth: 3}
	for text, want := range map[string]error{
		``:                          strictjson.ErrSyntax,
		`  `:                        strictjson.ErrSyntax,
		`{`:                         strictjson.ErrSyntax,
		`{'a':1}`:                   strictjson.ErrSyntax,
		`{"a":1,}`:                  strictjson.ErrSyntax,
		`[01]`:                      strictjson.ErrSyntax,
		`NaN`:                       strictjson.ErrSyntax,
		"\ufeff{}":                  strictjson.ErrSyntax,
		`{} {}`:                     strictjson.ErrTrailing,
		`1 x`:                       strictjson.ErrTrailing,
		`{"a":1,"a":1}`:             strictjson.ErrDuplicateKey,
		`{"a":1,"\u0061":2}`:        strictjson.ErrDuplicateKey,
		`{"amount":1,"Amount":2}`:   strictjson.ErrDuplicateKey,
		`{"seconds":1,"ſeconds":2}`: strictjson.ErrDuplicateKey, // ſ and s are one letter to encoding/json
		`[{"b":{"a":1,"a":1}}]`:     strictjson.ErrDuplicateKey,
		`[[[[]]]]`:                  strictjson.ErrTooDeep,
		`{"a":{"a":[{}]}}`:          strictjson.ErrTooDeep,
		strings.Repeat(" ", 65):     strictjson.ErrTooLarge,
		"\"\xff\"":                  strictjson.ErrEncoding,
		`"\ud800"`:                  strictjson.ErrEncoding,
		`"\udc00\ud800"`:            strictjson.ErrEncoding,
		`"\ud800\u0041"`:            strictjson.ErrEncoding,
		`{"\ud800":1}`:              strictjson.ErrEncoding,
		`"text"`:                    strictjson.ErrMismatch,
	} {
		v := map[string]any{"old": true}
		err := strictjson.Decode([]byte(text), &v, small)
		if !errors.Is(err, want) {
			t.Errorf("%q: error %v, want %v", text, err, want)
		}
		if !reflect.DeepEqual(v, map[string]any{"old": true}) {
			t.Errorf("%q: left %v behind", text, v)
		}
	}
}

func TestLimitsAreExact(t *testing.T) {
	limits := strictjson.Limits{Bytes: 6, Depth: 3}
	if err := limits.Check([]byte(`[[[]]]`)); err != nil {
		t.Error(err)
	}
	if err := (strictjson.Limits{}).Check([]byte(strings.Repeat("[", 64) + strings.Repeat("]", 64))); err != nil {
		t.Error(err)
	}
	if err := (strictjson.Limits{}).Check(bytes.Repeat([]byte("["), 1<<20)); !errors.Is(err, strictjson.ErrSyntax) {
		t.Error(err)
	}
}

func TestCanonical(t *testing.T) {
	for text, want := range map[string]string{
		` { "b" : 1.50 , "a" : [ ] , "c":{ } } `: `{"a":[],"b":1.50,"c":{}}`,
		`{"나":[1e400,-0],"가":[true,null]}`:       `{"가":[true,null],"나":[1e400,-0]}`,
		`"\u003cb\u003e & \/ \u2028"`:            "\"<b> & / \u2028\"",
		`"\"\\\b\f\n\r\t\u0001\u001f"`:           `"\"\\\b\f\n\r\t\u0001\u001f"`,
		`"\uD83D\uDE00"`:                         `"😀"`,
		`[[1,[2]],{"z":{"b":0,"a":0}}]`:          `[[1,[2]],{"z":{"a":0,"b":0}}]`,
	} {
		have, err := strictjson.Canonical([]byte(text))
		if err != nil || string(have) != want {
			t.Errorf("%s: have %s, error %v; want %s", text, have, err, want)
		}
	}
	if _, err := strictjson.Canonical([]byte(`{"a":1,"a":1}`)); !errors.Is(err, strictjson.ErrDuplicateKey) {
		t.Errorf("error %v", err)
	}
}

func seeds(f *testing.F) {
	for _, text := range []string{
		`{}`, `[]`, `null`, `-1.5e+3`, `"a\u00e9\ud83d\ude00"`, `{"a":{"b":[1,2,{"c":""}]},"d":"\\\""}`, `{"a":1,"A":1}`,
		`[[[[[[]]]]]]`, ` [ 1 , { } , [ ] ] `, `{"":0}`, `"\ud800"`, "{\"\xff\":0}", `1 2`, `{"k":"K","K":0}`,
	} {
		f.Add([]byte(text))
	}
}

// FuzzDecode: what is accepted means exactly what the standard library reads, whichever way it is read.
func FuzzDecode(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		var strict, lenient any
		if err := strictjson.Decode(text, &strict, strictjson.Limits{}); err != nil {
			return
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		if err := dec.Decode(&lenient); err != nil || !reflect.DeepEqual(strict, lenient) {
			t.Fatalf("%q: %#v or %#v (%v)", text, strict, lenient, err)
		}
	})
}

// FuzzCanonical: the canonical form means the same as the text, and is its own canonical form.
func FuzzCanonical(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		canonical, err := strictjson.Canonical(text)
		if err != nil {
			return
		}
		again, err := strictjson.Canonical(canonical)
		if err != nil || !bytes.Equal(again, canonical) {
			t.Fatalf("%q became %q, then %q (%v)", text, canonical, again, err)
		}
		var before, after any
		if err := strictjson.Decode(text, &before, strictjson.Limits{}); err != nil {
			t.Fatal(err)
		}
		if err := strictjson.Decode(canonical, &after, strictjson.Limits{}); err != nil || !reflect.DeepEqual(before, after) {
			t.Fatalf("%q: %#v became %#v (%v)", text, before, after, err)
		}
	})
}

func BenchmarkCanonical(b *testing.B) {
	text := []byte(`{"place": "서울역", "seconds": 300, "stops": [{"name": "a"}, {"name": "b"}], "note": "line\nbreak"}`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := strictjson.Canonical(text); err != nil {
			b.Fatal(err)
		}
	}
}
