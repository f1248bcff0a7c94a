package banking_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/bank"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/banking"
)

// noon is a Wednesday in Seoul.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.FixedZone("Asia/Seoul", 9*3600))

// desk is a toolbox with the bank's tools over a real ledger.
type desk struct {
	t    *testing.T
	box  *toolbox.Box
	lang bilingual.Lang
}

func open(t *testing.T, lang bilingual.Lang) *desk {
	t.Helper()
	s, err := store.Open(t.Context(), ledgertest.In(t.TempDir()), func() time.Time { return noon })
	if err != nil {
		t.Fatal(err)
	}
	bus := event.NewBus(0, time.Now)
	var mu sync.Mutex
	ids := 0
	b := bank.New(bank.Deps{
		Store: s, Publisher: bus, Log: zerolog.Nop(), Now: func() time.Time { return noon }, Lang: func() bilingual.Lang { return lang },
		Limits: func() bank.Limits { return bank.Limits{PerTransfer: 1_000_000, PerDay: 2_000_000} },
		NewID: func() string {
			mu.Lock()
			defer mu.Unlock()
			ids++
			return fmt.Sprint("id-", ids)
		},
	})
	if err := b.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.Stop()
		bus.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	box, err := toolbox.New(bus, toolbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := box.Register(banking.Tools(b)...); err != nil {
		t.Fatal(err)
	}
	return &desk{t: t, box: box, lang: lang}
}

// run runs a tool as a worker does: arguments and result go through the schemas.
func (d *desk) run(tool, todo, args string) (text string, data map[string]any, err error) {
	d.t.Helper()
	canonical, err := d.box.ValidateArgs(tool, json.RawMessage(args))
	if err != nil {
		return "", nil, err
	}
	tl, err := d.box.Tool(tool)
	if err != nil {
		d.t.Fatal(err)
	}
	r, err := tl.Run(d.t.Context(), toolbox.Call{JobID: "job", TodoID: todo, Chat: "main", Lang: d.lang, Args: canonical})
	if err != nil {
		return "", nil, err
	}
	raw, err := d.box.ValidateResult(tool, r.Data)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &data); err != nil {
		d.t.Fatal(err)
	}
	return r.Text, data, nil
}

// want runs a tool that must say a sentence.
func (d *desk) want(tool, todo, args, text string) map[string]any {
	d.t.Helper()
	got, data, err := d.run(tool, todo, args)
	if err != nil || got != text {
		d.t.Errorf("%s %s\n got %q, %v\nwant %q", tool, args, got, err, text)
	}
	return data
}

func TestTransferAndStatement(t *testing.T) {
	d := open(t, bilingual.KO)
	d.want("statement", "", `{}`, "지금까지 보낸 돈이 없어요.")
	d.want("statement", "", `{"payee":"용걸","period":"month"}`, "이번 달에 용걸이에게 보낸 돈이 없어요.")
	data := d.want("transfer", "1", `{"target":"엄마","amount":10000}`, "엄마에게 1만원을 보냈어요. 남은 돈은 99만원이에요.")
	if data["transferId"] == "" || data["target"] != "엄마" || data["amount"] != 10000.0 || data["balance"] != 990000.0 || data["scheduled"] != nil {
		t.Errorf("%v", data)
	}
	d.want("statement", "", `{}`, "이번에 총 1만원을 보내셨어요. 엄마에게 1만원이었어요.")
	d.want("transfer", "2", `{"target":"용걸","amount":50000,"memo":"밥"}`, "용걸이에게 5만원을 보냈어요. 남은 돈은 94만원이에요.")
	again := d.want("transfer", "1", `{"target":"엄마","amount":10000}`, "엄마에게 1만원을 보냈어요. 남은 돈은 99만원이에요.")
	if again["transferId"] != data["transferId"] {
		t.Errorf("%v, first %v", again, data)
	}
	data = d.want("transfer", "3", `{"target":"집주인","amount":400000,"date":"2026-04-01"}`, "4월 1일에 집주인에게 40만원을 보내도록 예약했어요.")
	if data["scheduled"] != true || data["date"] != "2026-04-01" || data["balance"] != 940000.0 {
		t.Errorf("%v", data)
	}

	// Seed 002, section 6.
	d.want("statement", "", `{"about":"last"}`, "마지막으로 보낸 돈은 3월 4일 용걸이에게 5만원이에요.")
	data = d.want("statement", "", `{}`, "이번에 총 6만원을 보내셨어요. 엄마에게 1만원, 용걸이에게 5만원이었어요.")
	if data["total"] != 60000.0 || data["count"] != 2.0 || data["period"] != "chat-session" || data["balance"] != 940000.0 ||
		len(data["payees"].([]any)) != 2 || len(data["scheduled"].([]any)) != 1 || data["text"] == "" {
		t.Errorf("%v", data)
	}
	d.want("statement", "", `{"period":"today"}`, "오늘 총 6만원을 보내셨어요. 엄마에게 1만원, 용걸이에게 5만원이었어요.")
	d.want("statement", "", `{"period":"week","payee":"용걸이"}`, "이번 주에 용걸이에게 총 5만원을 보내셨어요.")
	d.want("statement", "", `{"about":"balance"}`, "연습 계좌 잔액은 94만원이에요.")
	d.want("statement", "", `{"about":"scheduled"}`, "예약된 이체는 1건이에요. 4월 1일 집주인에게 40만원이에요.")
}

func TestInEnglish(t *testing.T) {
	d := open(t, bilingual.EN)
	d.want("statement", "", `{"about":"scheduled"}`, "No transfer is scheduled.")
	d.want("statement", "", `{"period":"today"}`, "Today you have sent no money.")
	d.want("transfer", "1", `{"target":"mom","amount":10000}`, "10,000 won was sent to Mom. 990,000 won is left.")
	d.want("transfer", "2", `{"target":"엄마","amount":1500}`, "1,500 won was sent to Mom. 988,500 won is left.")
	d.want("transfer", "3", `{"target":"YONGGEOL","amount":50000}`, "50,000 won was sent to Yonggeol. 938,500 won is left.")
	d.want("transfer", "4", `{"target":"landlord","amount":1000,"date":"2026-03-05"}`, "1,000 won will be sent to Landlord on March 5.")
	d.want("statement", "", `{}`, "This time you have sent 61,500 won in all: 11,500 won to Mom, 50,000 won to Yonggeol.")
	d.want("statement", "", `{"payee":"dad"}`, "So far you have sent nothing to Dad.")
	d.want("statement", "", `{"period":"last-month","payee":"dad"}`, "Last month you sent nothing to Dad.")
	d.want("statement", "", `{"period":"all","payee":"mum"}`, "So far you have sent 11,500 won to Mom.")
	d.want("statement", "", `{"about":"balance"}`, "The balance of your account (Practice account) is 938,500 won.")
	d.want("statement", "", `{"about":"scheduled"}`, "Scheduled (1): 1,000 won to Landlord on March 5.")
}

func TestRefusals(t *testing.T) {
	d := open(t, bilingual.KO)
	for args, want := range map[string]apperr.Code{
		`{"target":"철수","amount":1}`:                                 apperr.UnknownPayee,
		`{"target":"엄마","amount":1000001}`:                           apperr.LimitExceeded,
		`{"target":"엄마","amount":1,"date":"2026-03-03"}`:             apperr.PastDate,
		`{"target":"엄마","amount":1,"date":"2026-02-30"}`:             apperr.InvalidArgs,
		`{"target":"엄마","amount":0}`:                                 apperr.InvalidArgs,
		`{"target":"엄마","amount":1.5}`:                               apperr.InvalidArgs,
		`{"target":"엄마","amount":"1000"}`:                            apperr.InvalidArgs,
		`{"target":"엄마"}`:                                            apperr.InvalidArgs,
		`{"target":"엄마","amount":1,"to":"외부"}`:                       apperr.InvalidArgs,
		`{"target":"엄마","amount":` + fmt.Sprint(math.MaxInt64) + `}`: apperr.LimitExceeded,
	} {
		if _, _, err := d.run("transfer", "todo", args); apperr.CodeOf(err) != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
	for args, want := range map[string]apperr.Code{
		`{"period":"year"}`: apperr.InvalidArgs, `{"payee":"철수"}`: apperr.UnknownPayee, `{"about":"secrets"}`: apperr.InvalidArgs,
	} {
		if _, _, err := d.run("statement", "", args); apperr.CodeOf(err) != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
	d.want("statement", "", `{"about":"balance"}`, "연습 계좌 잔액은 100만원이에요.")
}

// Long lists are cut short, and say so.
func TestManyPayees(t *testing.T) {
	d := open(t, bilingual.KO)
	for i, target := range []string{"엄마", "용걸이", "아빠", "집주인", "민수"} {
		for j := range 2 {
			if _, _, err := d.run("transfer", fmt.Sprint(i, j), fmt.Sprintf(`{"target":%q,"amount":1000,"date":"2026-03-%02d"}`, target, 5+2*i+j)); err != nil {
				t.Fatal(err)
			}
		}
	}
	text, data, err := d.run("statement", "", `{"about":"scheduled"}`)
	if err != nil || !strings.HasPrefix(text, "예약된 이체는 10건이에요. 3월 5일 엄마에게 1,000원, 3월 6일 엄마에게") ||
		!strings.HasSuffix(text, ", 그 밖에 2건이에요.") || len(data["scheduled"].([]any)) != 10 {
		t.Errorf("%q, %v", text, err)
	}
}

func TestManuals(t *testing.T) {
	d := open(t, bilingual.KO)
	transfer, err := d.box.Spec("transfer")
	if err != nil || transfer.Confirm != toolbox.ConfirmAlways || transfer.Effect != toolbox.EffectIdempotent || !transfer.Counter ||
		transfer.Capacity != toolbox.Infinite || transfer.Group != "" {
		t.Errorf("%+v, %v", transfer, err)
	}
	statement, err := d.box.Spec("statement")
	if err != nil || statement.Confirm != toolbox.ConfirmNever || statement.Effect != toolbox.EffectRead || statement.Counter {
		t.Errorf("%+v, %v", statement, err)
	}
	for _, spec := range d.box.Specs() {
		korean, english := 0, 0
		seen := map[string]bool{}
		for _, e := range spec.Examples {
			if strings.ContainsFunc(e.Text, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) {
				korean++
			} else {
				english++
			}
			raw, err := json.Marshal(e.Args)
			if err != nil {
				t.Fatal(err)
			}
			if e.Args == nil {
				raw = nil
			}
			if _, err := d.box.ValidateArgs(spec.Key, raw); err != nil || seen[e.Text] {
				t.Errorf("%s: %q: %v", spec.Key, e.Text, err)
			}
			seen[e.Text] = true
		}
		if korean < 8 || english < 8 || spec.Title.KO == "" || spec.Title.EN == "" || spec.Description.KO == "" || spec.Description.EN == "" {
			t.Errorf("%s: %d Korean and %d English examples", spec.Key, korean, english)
		}
	}
}

// A scheduled transfer is called off by what the customer says of it, and only when that can mean but one.
func TestUnschedule(t *testing.T) {
	d := open(t, bilingual.KO)
	for i, args := range []string{
		`{"target":"엄마","amount":10000,"date":"2026-04-01"}`, `{"target":"엄마","amount":20000,"date":"2026-04-02"}`,
		`{"target":"집주인","amount":400000,"date":"2026-04-01"}`,
	} {
		if _, _, err := d.run("transfer", fmt.Sprint(i), args); err != nil {
			t.Fatal(err)
		}
	}
	for args, code := range map[string]apperr.Code{
		`{"target":"엄마"}`:                        apperr.ScheduleUnclear,
		`{"target":"엄마","amount":30000}`:         apperr.ScheduleMissing,
		`{"target":"엄마","date":"2026-04-03"}`:    apperr.ScheduleMissing,
		`{"target":"용걸이"}`:                       apperr.ScheduleMissing,
		`{"target":"낯선 사람"}`:                     apperr.UnknownPayee,
		`{"amount":10000}`:                       apperr.InvalidArgs,
		`{"target":"엄마","date":"2026-04-01x"}`:   apperr.InvalidArgs,
		`{"target":"엄마","amount":0}`:             apperr.InvalidArgs,
		`{"target":"집주인","amount":400000,"x":1}`: apperr.InvalidArgs,
	} {
		if _, _, err := d.run("unschedule", "x", args); apperr.CodeOf(err) != code {
			t.Errorf("%s: %v, want %s", args, err, code)
		}
	}
	d.want("unschedule", "a", `{"target":"엄마","amount":20000}`, "4월 2일에 엄마에게 2만원을 보내기로 한 예약을 취소했어요.")
	d.want("unschedule", "b", `{"target":"집주인","date":"2026-04-01"}`, "4월 1일에 집주인에게 40만원을 보내기로 한 예약을 취소했어요.")
	d.want("statement", "", `{"about":"scheduled"}`, "예약된 이체는 1건이에요. 4월 1일 엄마에게 1만원이에요.")
	d.want("statement", "", `{"about":"last"}`, "아직 보낸 돈이 없어요.")
}
