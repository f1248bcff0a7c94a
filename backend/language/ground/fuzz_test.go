package ground_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentchat/backend/language/ground"
	"agentchat/backend/language/slot"
)

// FuzzTasks holds what every reading must hold: findings stand in the words, tasks are made of findings that count, and
// what a task says passes the same check a model's proposal must pass.
func FuzzTasks(f *testing.F) {
	for _, s := range []string{
		"엄마한테 만원, 용걸이한테 5만원 보내줘", "엄마랑 아빠한테 만원씩", "만원은 엄마, 5만원은 용걸이한테", "메모 '점심값'으로 엄마한테 만원", "send mom 10,000 won and dad 50,000 won", "아니 아니 아니", "한테 한테 께", "\"한테", "메모메모는", "to to and and",
		"5만원에서 3만원으로 바꿔줘", "not not mom", "생일축하라고 적어서", "엄마 - 3만원\n아빠 - 5만원", "\xff한테 \xfe원", "가\u0301한테 ３만원", "그 이 저 김 씨한테", "총 6만원을 나눠", "1:2:3", "세 시 반",
	} {
		f.Add(s, "target")
	}
	f.Add("엄마", "target")
	f.Add("생일 축하해", "memo")
	f.Fuzz(func(t *testing.T, words, asked string) {
		r := say(words)
		r.Asked = asked
		for _, s := range transfer {
			for _, found := range transfer.Find(s.Name, r) {
				if found.Start < 0 || found.End <= found.Start || found.End > len(words) {
					t.Fatalf("%q: %+v", words, found)
				}
				if (found.Value == nil) != (found.Problem != "") {
					t.Errorf("%q: %+v", words, found)
				}
			}
			transfer.Only(s.Name, r)
		}
		for _, task := range transfer.Tasks(r) {
			for name, found := range task {
				if !found.Counts() {
					t.Errorf("%q: %+v counts in a task", words, found)
				}
				if v, ok := transfer.Check(name, r, found.Value); !ok || found.Kind != ground.Name && found.Kind != ground.Text && v != found.Value {
					t.Errorf("%q: %v of the task is not supported: %v %v", words, found.Value, v, ok)
				}
			}
		}
	})
}

// However a request is worded, each person gets the amount that was said for them, and a model that proposes any other
// pairing is caught.
func TestPairingHolds(t *testing.T) {
	people := []string{"엄마", "용걸이", "아빠", "김철수", "집주인", "영희"}
	wordings := []struct{ one, join string }{
		{"%[1]s한테 %[2]s", ", "},
		{"%[1]s에게 %[2]s", " "},
		{"%[1]s한테 %[2]s 보내고", " "},
		{"%[2]s은 %[1]s한테", ", "},
		{"%[1]s %[2]s", ", "},
		{"%[1]s한테는 %[2]s", " 그리고 "},
		{"%[1]s: %[2]s", "\n"},
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "people")
		who := rapid.Permutation(people).Draw(t, "who")[:n]
		how := rapid.SampledFrom(wordings).Draw(t, "how")
		amounts := rapid.SliceOfNDistinct(rapid.Int64Range(10, 9_999_999), n, n, rapid.ID).Draw(t, "amounts")
		var parts []string
		for i, name := range who {
			parts = append(parts, fmt.Sprintf(how.one, name, slot.Won(amounts[i])))
		}
		words := strings.Join(parts, how.join)
		for i, name := range who {
			for k, amount := range amounts {
				got := transfer.Paired(say(words), map[string]any{"target": name, "amount": amount})
				if got != (i == k) {
					t.Fatalf("%q: %s and %d: got %v", words, name, amount, got)
				}
			}
		}
		if got := len(transfer.Tasks(say(words))); got != n {
			t.Fatalf("%q: %d tasks", words, got)
		}
	})
}
