package interpreter

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"agentchat/backend/provider"
	"agentchat/backend/strictjson"
)

// observe gives the text to the reader in pieces of the given sizes, over and over.
func hear(text string, sizes ...int) string {
	var r replyReader
	var out strings.Builder
	for i := 0; text != ""; i++ {
		n := min(len(text), max(sizes[i%len(sizes)], 1))
		out.WriteString(r.add(text[:n]))
		text = text[n:]
	}
	return out.String()
}

func TestTheReplyIsHeardWhileItArrives(t *testing.T) {
	for text, want := range map[string]string{
		`{"route":"answer","reply":"안녕하세요."}`:                                                     "안녕하세요.",
		`{"reply":"먼저 말하고","route":"answer"}`:                                                     "먼저 말하고",
		"\n {\t\"route\" : \"jobs\" , \"reply\" : \"네\" , \"jobs\":[{\"reply\":\"x\"}]}":          "네",
		`{"jobs":[{"reply":"]}","a":["{"]}],"stop":null,"n":-1.5e3,"route":"answer","reply":"끝"}`: "끝",
		`{"route":"answer","reply":"\"\\\/\b\f\n\r\t\u00e9\uD55C\uae00 \ud83d\ude00"}`:            "\"\\/\b\f\n\r\té한글 😀",
		`{"route":"stop","reply":"멈출게요","stop":{"all":true}}`:                                     "",
		`{"reply":"몰래","route":"service"}`:                                                        "",
		`{"reply":"길이 없는"}`:                                                                       "",
		`{"route":"answer","reply":"하나","reply":"둘"}`:                                             "하나",
		`{"route":"answer","reply":"하나"}{"route":"answer","reply":"둘"}`:                           "하나",
		`{"route":"answer","route":"jobs","reply":"둘"}`:                                           "",
		`네, {"route":"answer","reply":"말"}`:                                                       "",
		`{"route":"answer","reply":"반쪽 \ud83d"}`:                                                  "반쪽 ",
		`{"route":"answer","reply":"반쪽 \ude00 뒤"}`:                                                "반쪽 ",
		`{"route":"answer","reply":"반쪽 \ud83d뒤"}`:                                                 "반쪽 ",
		`{"route":"answer","reply":"틀린 \x 뒤"}`:                                                    "틀린 ",
		`{"route":"answer","reply":"틀린 \u12g4"}`:                                                  "틀린 ",
		"{\"route\":\"answer\",\"reply\":\"줄\nb\"}":                                               "줄",
		`{"route":"answer","reply":"아직 안 끝`:                                                       "아직 안 끝",
		`{"route":"answer" "reply":"쉼표 없이"}`:                                                      "",
		`{"route":"answer",,"reply":"쉼표 둘"}`:                                                      "",
		`{"route":"answer","reply":`:                                                              "",
		`{"route":{"route":"answer"},"reply":"속임"}`:                                               "",
		`["route","answer"]`:                                                                      "",
		`{"route":"answerx","reply":"모르는 길"}`:                                                     "",
		strings.Repeat(`{"a":`, 10000) + `"route":"answer","reply":"깊은 곳"`:                        "",
		strings.Repeat(" ", 1<<20) + `{"route":"answer","reply":"멀리"}`:                            "멀리",
	} {
		for _, sizes := range [][]int{{1}, {2}, {3, 1, 7}, {1 << 22}} {
			if got := hear(text, sizes...); got != want {
				t.Errorf("%.80s in pieces of %v: %q, want %q", text, sizes, got, want)
			}
		}
	}
}

// FuzzReply holds the reader against the strict reading of the whole: when that one finds a plan with a spoken route, both
// find the same reply, wherever the text is cut; and what is given is never anything but the reply.
func FuzzReply(f *testing.F) {
	f.Add(`{"route":"answer","reply":"\ud83d\ude00 네"}`, uint64(1))
	f.Add(`{"reply":"a\\\"b","jobs":[[{}]],"route":"jobs"}`, uint64(2))
	f.Add(`{"route":"stop","reply":"x"}`, uint64(3))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		dice := rand.New(rand.NewPCG(seed, 0))
		heard := hear(text, dice.IntN(4), dice.IntN(4), dice.IntN(9))
		var plan struct {
			Route provider.Route  `json:"route"`
			Reply *string         `json:"reply"`
			Rest  json.RawMessage `json:"rest"`
		}
		if err := strictjson.Decode([]byte(text), &plan, strictjson.Limits{}); err != nil || plan.Reply == nil {
			return
		}
		keys := map[string]json.RawMessage{} // encoding/json takes keys that differ in case for the same
		if json.Unmarshal([]byte(text), &keys) != nil || keys["route"] == nil || keys["reply"] == nil {
			return
		}
		want := *plan.Reply
		if !spoken(plan.Route) {
			want = ""
		}
		if heard != want || !utf8.ValidString(heard) {
			t.Fatalf("heard %q, want %q", heard, want)
		}
	})
}
