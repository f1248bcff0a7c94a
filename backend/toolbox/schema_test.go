package toolbox_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/toolbox"
)

// drill is a tool with a schema of everything that is common in manuals.
func drill() gadget {
	g := plain("drill", "", 1)
	g.Params = json.RawMessage(`{
		"type": "object",
		"additionalProperties": false,
		"required": ["place"],
		"properties": {
			"place":   {"type": "string", "minLength": 1, "maxLength": 40},
			"seconds": {"type": "integer", "minimum": 1, "maximum": 86400},
			"mode":    {"enum": ["fast", "slow"]},
			"stops":   {"type": "array", "items": {"$ref": "#/$defs/stop"}},
			"speed":   {"type": "number", "exclusiveMinimum": 0}
		},
		"$defs": {"stop": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}}
	}`)
	g.Result = json.RawMessage(`{"type":"object","required":["depth"],"properties":{"depth":{"type":"number"}}}`)
	return g
}

func TestValidateArgsGivesTheCanonicalForm(t *testing.T) {
	s := openShop(t, drill())
	for args, want := range map[string]string{
		` { "seconds" : 60 , "place" : "서울\u0041<b>" } `:            `{"place":"서울A<b>","seconds":60}`,
		`{"place":"x","speed":0.10}`:                                `{"place":"x","speed":0.10}`,
		`{"stops":[{"name":"b"},{"name":"a"}],"place":"\u003cx\n"}`: `{"place":"<x\n","stops":[{"name":"b"},{"name":"a"}]}`,
	} {
		have, err := s.ValidateArgs("drill", json.RawMessage(args))
		if err != nil || string(have) != want {
			t.Errorf("%s: have %s, error %v; want %s", args, have, err, want)
		}
	}
}

func TestValidateArgsSaysWhatIsWrong(t *testing.T) {
	s := openShop(t, drill())
	for args, want := range map[string]string{
		``:                            "place is missing (a text from 1 to 40 characters)",
		`{}`:                          "place is missing (a text from 1 to 40 characters)",
		`[1]`:                         "the arguments must be one JSON object, not [1]",
		`null`:                        "the arguments must be one JSON object, not null",
		`{"place":"x","Seconds":1}`:   `"Seconds" must be written "seconds"`,
		`{"place":"x","ſeconds":1}`:   `"ſeconds" must be written "seconds"`,
		`{"place":"x","where":1}`:     `"where" is not known here (known: mode, place, seconds, speed, stops)`,
		`{"place":"x","mode":"<a>"}`:  `mode: want one of "fast", "slow", have "<a>"`,
		`{"place":"x","seconds":0}`:   "seconds: want a whole number from 1 to 86400, have 0",
		`{"place":"x","seconds":1.5}`: "seconds: want a whole number from 1 to 86400, have 1.5",
		`{"place":"x","speed":0}`:     "speed: want a number above 0, have 0",
		`{"place":"x","speed":1e999}`: "the number 1e999 is too large",
		`{"place":"x","stops":[{}]}`:  `stops[]: required: missing properties: ["name"]`,
		`{"seconds":"5","mode":1}`: "place is missing (a text from 1 to 40 characters); " +
			`mode: want one of "fast", "slow", have 1; seconds: want a whole number from 1 to 86400, have "5"`,
		`{"place":"x","place":"y"}`: `a key comes twice in one JSON object: "place"`,
		`{"place":"x"} {}`:          "there is something after the JSON value, at byte 13",
	} {
		have, err := s.ValidateArgs("drill", json.RawMessage(args))
		var wrong *apperr.Error
		if !errors.As(err, &wrong) || wrong.Code != apperr.InvalidArgs || have != nil {
			t.Errorf("%s: have %s, error %v", args, have, err)
			continue
		}
		if wrong.Fields["detail"] != want {
			t.Errorf("%s:\nhave %v\nwant %s", args, wrong.Fields["detail"], want)
		}
	}
	_, err := s.ValidateArgs("hammer", nil)
	wantCode(t, err, apperr.UnknownTool)
}

func TestALongComplaintIsCut(t *testing.T) {
	s := openShop(t, drill())
	_, err := s.ValidateArgs("drill", json.RawMessage(`{"mode":"`+strings.Repeat("가", 9000)+`"}`))
	var wrong *apperr.Error
	if !errors.As(err, &wrong) || len([]rune(wrong.Fields["detail"].(string))) > 600 {
		t.Errorf("error %v", err)
	}
	_, err = s.ValidateArgs("drill", json.RawMessage(`{"place":"`+strings.Repeat("x", 70<<10)+`"}`))
	wantCode(t, err, apperr.InvalidArgs)
}

func TestAToolWithoutParamsTakesNone(t *testing.T) {
	g := plain("bell", "", 1)
	g.Params = nil
	s := openShop(t, g)
	if have, err := s.ValidateArgs("bell", nil); err != nil || string(have) != `{}` {
		t.Errorf("have %s, error %v", have, err)
	}
	_, err := s.ValidateArgs("bell", json.RawMessage(`{"loud":true}`))
	wantCode(t, err, apperr.InvalidArgs)
}

func TestValidateResult(t *testing.T) {
	s := openShop(t, drill(), plain("bell", "", 1))
	if have, err := s.ValidateResult("drill", json.RawMessage(`{"depth": 3.50}`)); err != nil || string(have) != `{"depth":3.50}` {
		t.Errorf("have %s, error %v", have, err)
	}
	for _, bad := range []string{``, `{}`, `{"depth":"deep"}`, `{"Depth":1,"depth":1}`, `[]`} {
		_, err := s.ValidateResult("drill", json.RawMessage(bad))
		wantCode(t, err, apperr.ToolFailed)
	}
	if have, err := s.ValidateResult("bell", nil); err != nil || have != nil {
		t.Errorf("have %s, error %v", have, err)
	}
	_, err := s.ValidateResult("hammer", nil)
	wantCode(t, err, apperr.UnknownTool)
}

func TestDigestBindsToolAndArguments(t *testing.T) {
	one := toolbox.Digest("nav", json.RawMessage(`{"to":"A"}`))
	if len(one) != 64 || one != toolbox.Digest("nav", json.RawMessage(`{"to":"A"}`)) {
		t.Errorf("digest %q", one)
	}
	if one == toolbox.Digest("nav", json.RawMessage(`{"to":"B"}`)) || one == toolbox.Digest("movie", json.RawMessage(`{"to":"A"}`)) {
		t.Error("two calls have one digest")
	}
}

// FuzzValidateArgs: whatever comes in, what comes out is canonical, passes again unchanged, and means the same to the
// standard library, which is what tools decode with.
func FuzzValidateArgs(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `{"place":"x"}`, `{"place":"x","seconds":60,"mode":"fast"}`, `{"place":"x","place":"y"}`, `{"Place":"x"}`,
		`{"place":"\ud83d\ude00","stops":[{"name":"a"}],"speed":1e3}`, `[[[[`, `{"place":"x"}{}`, "{\"place\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	s := openShop(f, drill())
	f.Fuzz(func(t *testing.T, args []byte) {
		canonical, err := s.ValidateArgs("drill", args)
		if err != nil {
			wantCode(t, err, apperr.InvalidArgs)
			return
		}
		again, err := s.ValidateArgs("drill", canonical)
		if err != nil || string(again) != string(canonical) {
			t.Fatalf("%s became %s, then %s (%v)", args, canonical, again, err)
		}
		var call struct {
			Place   string
			Seconds json.Number
		}
		if err := json.Unmarshal(canonical, &call); err != nil || call.Place == "" || len([]rune(call.Place)) > 40 {
			t.Fatalf("%s decodes to %+v (%v)", canonical, call, err)
		}
	})
}
