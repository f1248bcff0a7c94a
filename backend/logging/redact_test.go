package logging

import (
	"encoding/json"
	"strings"
	"testing"
)

// The secrets of these tests are made up, and put together here so that no scanner takes them for real ones.
var (
	skKey  = "sk-" + strings.Repeat("Ab3_", 8)
	ghKey  = "ghp_" + strings.Repeat("x9", 15)
	jwt    = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0" + ".c2lnbmF0dXJl"
	pemKey = "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEhunter2\n-----END RSA PRIVATE " + "KEY-----"
)

func TestRedactTakesSecretsOutOfTexts(t *testing.T) {
	for name, c := range map[string]struct{ text, secret, stays string }{
		"bearer":            {"sent Authorization: Bearer abc.def-123 to host", "abc.def-123", "sent Authorization: "},
		"bearer alone":      {"used bearer abcdef123456, then left", "abcdef123456", ", then left"},
		"basic header":      {"Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz", "Authorization: "},
		"cookie":            {"Cookie: session=abc; id=9f\nnext line", "session=abc; id=9f", "\nnext line"},
		"assignment":        {"password=hunter2 user=kim", "hunter2", " user=kim"},
		"environment":       {"OPENAI_API_KEY=verysecretvalue ./run", "verysecretvalue", " ./run"},
		"quoted":            {`db_password: "two words" ok`, "two words", " ok"},
		"json in text":      {`body {"api_key":"q w\"e","n":1}`, `q w\"e`, `"n":1}`},
		"escaped json":      {`body {\"token\":\"abc def\",\"n\":1}`, "abc def", `\"n\":1}`},
		"query":             {"GET http://h/v1?key=abc123&lang=ko", "abc123", "&lang=ko"},
		"query token":       {"GET http://h/media?access_token=abc123&lang=ko", "abc123", "&lang=ko"},
		"address":           {"dial https://kim:pa55@example.com/x failed", "pa55", "example.com/x failed"},
		"sk key":            {"the key " + skKey + " is bad", skKey, " is bad"},
		"github key":        {"push with " + ghKey, ghKey, "push with "},
		"jwt":               {"got " + jwt + "!", jwt, "got "},
		"pem":               {"read " + pemKey + " done", "MIIEhunter2", " done"},
		"korean":            {"비밀번호는 hunter2 이고", "hunter2", "이고"},
		"korean assignment": {"비밀번호: 가나다라 확인", "가나다라", " 확인"},
		"english sentence":  {"the password is hunter2 today", "hunter2", " today"},
		"flag":              {"run tool --api-key s3cr3t --out x", "s3cr3t", " --out x"},
		"quoted flag":       {`run tool --password "two words" -v`, "two words", " -v"},
		"short dash":        {"run tool -token s3cr3t now", "s3cr3t", " now"},
		"flag with =":       {"run tool --client-secret=s3cr3t now", "s3cr3t", " now"},
		"flags in a list":   {`args ["serve","--api-key","s3cr3t","-v"]`, "s3cr3t", `"-v"`},
		"yaml":              {"client-secret: s3cr3t\nname: kim", "s3cr3t", "\nname: kim"},
	} {
		t.Run(name, func(t *testing.T) {
			got := Redact(c.text)
			if strings.Contains(got, c.secret) || !strings.Contains(got, c.stays) || !strings.Contains(got, Redacted) {
				t.Errorf("Redact(%q) = %q", c.text, got)
			}
			if again := Redact(got); strings.Contains(again, c.secret) || !strings.Contains(again, c.stays) {
				t.Errorf("redacting twice gave %q", again)
			}
		})
	}
}

func TestRedactLeavesOrdinaryTextAlone(t *testing.T) {
	for _, text := range []string{
		"", "서울역까지 길 안내해줘", "3만5천 나누기 7은?", "tokensIn 512 tokensOut 90", "first token after 1.2s",
		"the tool key nav is held", "job 12 waits for MonitorBox", "http://127.0.0.1:11434/api/chat", "author: Kim", "passed: 12",
		"keyboard: ko", "tool --token-limit 5 --verbose", "tool --pass-through a", "a - token b", "tool --api-key --verbose", "the keynote=1", "C:\\music\\song.mp3",
	} {
		if got := Redact(text); got != text {
			t.Errorf("Redact(%q) = %q", text, got)
		}
	}
}

func TestRedactJSONHidesSecretFields(t *testing.T) {
	in := `{"level":"info","Authorization":"Bearer q","api_key":"k1","nested":{"password":12345,"list":[{"clientSecret":"k2"}]},` +
		`"headers":{"Set-Cookie":["k3","k4"]},"access_token":{"value":"k5"},"token":"","tokensIn":512,"firstToken":"1.2s","big":12345678901234567890,` +
		`"message":"try token=k6 <now>","비밀번호":"k7","ok":true,"none":null}`
	want := `{"level":"info","Authorization":"[redacted]","api_key":"[redacted]","nested":{"password":"[redacted]","list":[{"clientSecret":"[redacted]"}]},` +
		`"headers":{"Set-Cookie":["[redacted]","[redacted]"]},"access_token":{"value":"[redacted]"},"token":"","tokensIn":512,"firstToken":"1.2s","big":12345678901234567890,` +
		`"message":"try token=[redacted] <now>","비밀번호":"[redacted]","ok":true,"none":null}`
	if got := string(RedactJSON([]byte(in))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRedactJSONTreatsTheRestAsText(t *testing.T) {
	for _, in := range []string{`{"password":"hunter2"`, `{"a":1} password=hunter2`, "password=hunter2", `{"password":"hunter2"}}`} {
		if got := string(RedactJSON([]byte(in))); strings.Contains(got, "hunter2") {
			t.Errorf("RedactJSON(%q) = %q", in, got)
		}
	}
}

func FuzzRedactJSON(f *testing.F) {
	f.Add(`{"password":"x","n":[1,{"token":"y"}]}`, "hunter2")
	f.Add(`not json`, `a"b\c`)
	f.Fuzz(func(t *testing.T, value, secret string) {
		if json.Valid([]byte(value)) && !json.Valid(RedactJSON([]byte(value))) {
			t.Errorf("RedactJSON(%q) is no JSON any more", value)
		}
		if len(secret) < 4 || strings.Contains(`{"password":"`+Redacted+`"}`, secret) {
			return
		}
		text, err := json.Marshal(map[string]string{"password": secret})
		if err != nil {
			t.Fatal(err)
		}
		if got := RedactJSON(text); string(got) != `{"password":"`+Redacted+`"}` {
			t.Errorf("RedactJSON(%s) = %s", text, got)
		}
	})
}

func BenchmarkRedactPlainLine(b *testing.B) {
	line := []byte(`{"level":"info","component":"job","job":"0192f","todo":"3","message":"노래를 재생해요","time":"2026-01-02T03:04:05.678+09:00"}`)
	b.ReportAllocs()
	for b.Loop() {
		RedactJSON(line)
	}
}

func BenchmarkRedactSecretLine(b *testing.B) {
	line := []byte(`{"level":"info","component":"provider","api_key":"abcdef","message":"sent Authorization: Bearer abcdefgh","time":"2026-01-02T03:04:05.678+09:00"}`)
	b.ReportAllocs()
	for b.Loop() {
		RedactJSON(line)
	}
}

// The quick look must never hide a text from the rules.
func FuzzSuspicious(f *testing.F) {
	for _, text := range []string{"Bearer abcdefgh", "PWD=x", "?sig=abc", "a://b:c@d", skKey, ghKey, jwt, pemKey, "암호: 가", "ſecret=x", "toKen=x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if suspicious(text) != suspicious([]byte(text)) {
			t.Errorf("texts and bytes differ for %q", text)
		}
		if suspicious(text) {
			return
		}
		for _, r := range rules {
			if r.pattern.MatchString(text) {
				t.Errorf("%q is overlooked, but %s matches", text, r.pattern)
			}
		}
	})
}
