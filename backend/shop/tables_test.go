package shop_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/shop"
)

const ledgerCSV = "날짜,지점,품목,금액\n2026-01-05,서울,사과,\"12,000\"\n2026-01-17,부산,배,\"9,800\"\n2026-02-03,서울,배,\"17,150\"\n2026-03-02,서울,귤,미정\n합계,,,\"38,950\"\n"

const ordersCSV = "Order date,Region,Product,Amount\n2025-12-24,South,Chair,120.10\n2026-01-10,North,Chair,240.20\n2026-01-21,East,Desk lamp,99.50\n"

// A table in an opened folder is asked in words, and asked on without being named.
func TestATableIsAsked(t *testing.T) {
	c, docs := withFolder(t, false)
	kept(t, filepath.Join(docs, "매출.csv"), ledgerCSV)
	kept(t, filepath.Join(docs, "orders.csv"), ordersCSV)
	for _, step := range []struct {
		text string
		want []string
	}{
		{"매출.csv에서 지점별 금액 합계", []string{"| 서울 | 29,150 |", "| 부산 | 9,800 |", "4줄을 썼어요 (A2:D5)", "합계 줄 1개 (6행)", "숫자가 아닌 칸 1개 (D5 ‘미정’)"}},
		{"상위 1개", []string{"| 서울 | 29,150 |"}},
		{"월별로는?", []string{"월별 금액 합계", "| 2026-01 | 21,800 |", "| 2026-02 | 17,150 |"}},
		{"지점별 금액 합계와 건수, 평균", []string{"지점별 금액 합계, 개수, 금액 평균", "| 서울 | 29,150 | 3 | 14,575 |"}},
		{"금액 합계와 최댓값", []string{"금액 합계: **38,950**", "금액 최댓값: **17,150**"}},
		{"월별로는?", []string{"| 2026-01 | 21,800 | 12,000 |"}},
		{"부산은?", []string{"지점 = 부산", "| 2026-01 | 9,800 | 9,800 |"}},
		{"total amount by region in orders.csv", []string{"| North | 240.2 |", "| South | 120.1 |", "| East | 99.5 |"}},
		{"average of column D where C is Chair in orders.csv", []string{"**180.15**"}},
		{"only North", []string{"**240.2**", "Region = North"}},
	} {
		id := c.job(step.text)
		c.state(id, "succeeded")
		text := c.outcome(id)
		for _, want := range step.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", step.text, want, text)
			}
		}
		answers, err := c.TableAnswers(t.Context(), id)
		if err != nil || len(answers) != 1 || len(answers[0].Rows) == 0 {
			t.Errorf("%s: %+v %v", step.text, answers, err)
		}
	}
	id := c.job("매출.csv에서 이익 합계")
	c.state(id, "failed")
	if text := c.outcome(id); !strings.Contains(text, "‘이익’이 무엇인지 모르겠어요") || !strings.Contains(text, "금액") {
		t.Errorf("it said %q", text)
	}
}

// A question about an attached table is computed, and so is the next one; one about the file as a whole is still the library's.
func TestAnAttachedTableIsAsked(t *testing.T) {
	c := enter(t, t.TempDir())
	path := filepath.Join(t.TempDir(), "orders.csv")
	kept(t, path, ordersCSV)
	a, err := c.Attach(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	say := func(text string) []string {
		t.Helper()
		msg, err := c.SayWith(t.Context(), shop.Words{Chat: "main", Text: text, Attachments: []event.Attachment{a}})
		if err != nil {
			t.Fatal(err)
		}
		d := until(c, "the turn is done: "+text, func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == msg.ID })
		c.again()
		return d.Jobs
	}
	if jobs := say("What is in this file?"); len(jobs) > 0 {
		t.Errorf("it became the jobs %v", jobs)
	}
	for _, step := range []struct {
		jobs []string
		want string
	}{
		{say("average amount by product"), "| Chair | 180.15 |"},
		{c.say("top 1"), "| Chair | 180.15 |"},
		{c.say("how many rows where region is east?"), "**1**"},
	} {
		if len(step.jobs) != 1 {
			t.Fatalf("%s: %d jobs", step.want, len(step.jobs))
		}
		c.state(step.jobs[0], "succeeded")
		if text := c.outcome(step.jobs[0]); !strings.Contains(text, step.want) || !strings.Contains(text, "orders.csv") {
			t.Errorf("no %q in\n%s", step.want, text)
		}
	}
}

// What a message asks is compared with every table that is at hand: a word of computing alone asks none, and one that only lies there is
// asked by who names what stands in it.
func TestATableThatLiesThereIsAsked(t *testing.T) {
	c, docs := withFolder(t, false)
	kept(t, filepath.Join(docs, "매출.csv"), ledgerCSV)
	kept(t, filepath.Join(docs, "orders.csv"), ordersCSV)
	for _, text := range []string{"합계", "부산은?", "서울 날씨 평균", "how many files are there?", "고마워", "매출.csv 지워줘"} {
		if keys := c.toolsOf(c.say(text)); slices.Contains(keys, "table_query") {
			t.Errorf("%s: asked a table", text)
		}
	}
	for _, step := range []struct{ text, want string }{
		{"지점별 금액 합계", "| 서울 | 29,150 |"},
		{"total amount by region", "| North | 240.2 |"},
	} {
		id := c.job(step.text)
		c.state(id, "succeeded")
		if text := c.outcome(id); !strings.Contains(text, step.want) {
			t.Errorf("%s: no %q in\n%s", step.text, step.want, text)
		}
	}
	kinds := map[string]bool{}
	for _, r := range c.Reading(t.Context(), "지점별 금액 합계").Evidence {
		for _, tag := range r {
			kinds[tag] = true
		}
	}
	for _, tag := range []string{"table:lying", "table:computes", "table:column", "table:whole"} {
		if !kinds[tag] {
			t.Errorf("no %s among %v", tag, kinds)
		}
	}
}
