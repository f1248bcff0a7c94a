package shop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/service"
	"agentchat/backend/shop"
	"agentchat/backend/toolbox"
)

// till is a transfer tool that notes what it was told to move.
type till struct {
	mu     sync.Mutex
	moved  []string
	seen   map[string]bool
	refuse map[string]error
	hold   chan struct{} // when set, a transfer waits for it
}

func (*till) Spec() toolbox.Spec {
	return toolbox.Spec{
		Key: "transfer", Title: bilingual.Text{KO: "이체", EN: "Transfer"}, Confirm: toolbox.ConfirmNever, Effect: toolbox.EffectIdempotent, Counter: true,
		Params: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["target","amount"],"properties":{
			"target":{"type":"string"},"amount":{"type":"integer","minimum":1},"memo":{"type":"string"},"date":{"type":"string"}}}`),
	}
}

func (b *till) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		Target string
		Amount int64
		Memo   string
		Date   string
	}
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return toolbox.Result{}, err
	}
	b.mu.Lock()
	hold := b.hold
	b.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
			return toolbox.Result{}, ctx.Err()
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.refuse[args.Target]; err != nil {
		return toolbox.Result{}, err
	}
	if b.seen == nil {
		b.seen = map[string]bool{}
	}
	if !b.seen[call.TodoID] {
		b.seen[call.TodoID] = true
		b.moved = append(b.moved, strings.TrimRight(fmt.Sprintf("%s %d %s %s", args.Target, args.Amount, args.Memo, args.Date), " "))
	}
	return toolbox.Result{Data: json.RawMessage(`{"ok":true}`), Text: "moved"}, nil
}

func (b *till) list() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.moved)
}

// guest is a customer at the counter.
type guest struct {
	*customer
	till *till
	from int // where the last turn began
}

func visit(t *testing.T, p provider.Provider) *guest {
	t.Helper()
	return visitIn(t, t.TempDir(), &till{}, p)
}

func visitIn(t *testing.T, dir string, b *till, p provider.Provider) *guest {
	t.Helper()
	o := options(dir)
	o.Tools, o.Provider = []toolbox.Tool{b}, p
	s, err := shop.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	c := &customer{Shop: s, t: t, reader: s.Bus.SubscribeFrom(1)}
	t.Cleanup(c.leave)
	return &guest{customer: c, till: b}
}

// tell says something and gives how the turn ended.
func (g *guest) tell(text string) event.TurnDone { return g.turn(text, "") }

func (g *guest) press(action string) event.TurnDone { return g.turn("", action) }

func (g *guest) turn(text, action string) event.TurnDone {
	g.t.Helper()
	g.from = len(g.seen)
	msg, err := g.speak(text, action)
	if err != nil {
		g.t.Fatal(err)
	}
	return until(g.customer, "the turn is done: "+text+action, func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == msg.ID })
}

// want checks a turn's message, next action and stage.
func (g *guest) want(d event.TurnDone, message string, next event.NextAction, stage service.Stage) {
	g.t.Helper()
	if d.Message != message {
		g.t.Errorf("message\n got %q\nwant %q", d.Message, message)
	}
	if d.NextAction != next || d.State.Stage != string(stage) {
		g.t.Errorf("after %q: %s %s, want %s %s", d.Message, d.NextAction, d.State.Stage, next, stage)
	}
}

func (g *guest) moved(want ...string) {
	g.t.Helper()
	if got := g.till.list(); !slices.Equal(got, want) {
		g.t.Errorf("moved %q, want %q", got, want)
	}
}

// steps are the last turn's events of seed 002, section 9, a line each.
func (g *guest) steps() []string {
	g.t.Helper()
	var lines []string
	for _, e := range g.seen[g.from:] {
		var data map[string]any
		if err := json.Unmarshal(e.Data, &data); err != nil {
			g.t.Fatal(err)
		}
		line := ""
		switch e.Kind {
		case event.KindAgentStart:
			line = fmt.Sprintf("start %v %v", data["agent"], data["label"])
		case event.KindAgentDone:
			line = fmt.Sprintf("done %v %v", data["agent"], data["success"])
			for _, k := range []string{"result", "stage"} {
				if v, ok := data[k]; ok {
					line += fmt.Sprintf(" %v", v)
				}
			}
		case event.KindTaskProgress:
			slots, err := json.Marshal(data["slots"])
			if err != nil {
				g.t.Fatal(err)
			}
			line = fmt.Sprintf("progress %v/%v %s", data["index"], data["total"], slots)
		case event.KindChatMessage:
			if data["role"] != "shop" {
				continue
			}
			line = "message"
		case event.KindTurnDone:
			line = "turn.done"
		default:
			continue
		}
		lines = append(lines, line)
	}
	return lines
}

func (g *guest) wantSteps(want ...string) {
	g.t.Helper()
	if got := g.steps(); !slices.Equal(got, want) {
		g.t.Errorf("events\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

func button(t *testing.T, d event.TurnDone, label string) string {
	t.Helper()
	for _, b := range d.UIHint.Buttons {
		if b.Label == label {
			return b.ID
		}
	}
	t.Fatalf("no button %q in %+v", label, d.UIHint.Buttons)
	return ""
}

// Seed 002, section 2.
func TestSingleTransfer(t *testing.T) {
	g := visit(t, nil)
	d := g.tell("엄마한테 1만원 보내줘")
	g.want(d, "엄마에게 1만원을 이체할까요? 메모나 이체 날짜를 추가하시겠어요?", event.NextConfirm, service.Ready)
	if d.State.Slots["target"] != "엄마" || d.State.Slots["amount"] != float64(10000) {
		t.Errorf("slots: %v", d.State.Slots)
	}
	g.wantSteps("start intent 의도 파악 중", "done intent true TRANSFER", "start slot 정보 추출 중", "done slot true READY", "message", "turn.done")
	g.moved()
	d = g.press(button(t, d, "확인"))
	g.want(d, "이체가 완료됐어요.", event.NextDone, service.Executed)
	g.wantSteps("start intent 의도 파악 중", "done intent true TRANSFER", "start slot 정보 추출 중", "done slot true CONFIRMED",
		"start execute 이체 실행 중", "done execute true EXECUTED", "message", "turn.done")
	g.moved("엄마 10000")
	if snap := g.snapshot(); len(snap.Service) != 0 {
		t.Errorf("a session is left: %+v", snap.Service)
	}
}

func TestSingleTransferCanceled(t *testing.T) {
	g := visit(t, nil)
	d := g.tell("엄마한테 1만원 보내줘")
	d = g.press(button(t, d, "취소"))
	g.want(d, "이체가 취소됐어요.", event.NextDone, service.Cancelled)
	g.moved()
}

// Seed 002, section 3.
func TestFilling(t *testing.T) {
	g := visit(t, nil)
	g.want(g.tell("엄마한테 보내줘"), "엄마에게 얼마를 보내드릴까요?", event.NextInput, service.Filling)
	d := g.tell("마이너스 천원")
	g.want(d, "이체 금액은 1원 이상이어야 해요. 다시 말씀해 주세요.", event.NextInput, service.Filling)
	if d.State.Slots["amount"] != nil || !strings.HasPrefix(fmt.Sprint(d.State.Meta["slot_errors"]), "map[amount:이체 금액은 1원 이상") {
		t.Errorf("state: %+v", d.State)
	}
	g.want(g.tell("3만원"), "엄마에게 3만원을 이체할까요? 메모나 이체 날짜를 추가하시겠어요?", event.NextConfirm, service.Ready)
	g.want(g.tell("확인"), "이체가 완료됐어요.", event.NextDone, service.Executed)
	g.moved("엄마 30000")
}

// Seed 002, sections 4 and 9.
func TestBatch(t *testing.T) {
	g := visit(t, nil)
	d := g.tell("엄마한테 만원, 용걸이한테 5만원 보내줘")
	g.want(d, "총 2건이 요청됐어요. 먼저 엄마에게 1만원 보낼까요? (1/2)", event.NextConfirm, service.Ready)
	if d.State.Meta["batch_total"] != float64(2) || d.State.Meta["batch_progress"] != float64(0) {
		t.Errorf("meta: %v", d.State.Meta)
	}
	g.wantSteps("start intent 의도 파악 중", "done intent true TRANSFER", "start slot 정보 추출 중", "done slot true READY", "message", "turn.done")
	d = g.tell("확인")
	g.want(d, "완료! 다음으로 용걸이에게 5만원 보낼까요? (2/2)", event.NextConfirm, service.Ready)
	if d.State.Meta["batch_progress"] != float64(1) || d.State.Meta["batch_executed"] != float64(1) {
		t.Errorf("meta: %v", d.State.Meta)
	}
	g.wantSteps("start intent 의도 파악 중", "done intent true TRANSFER", "start slot 정보 추출 중", "done slot true CONFIRMED",
		`progress 1/2 {"amount":10000,"target":"엄마"}`, "start execute 이체 실행 중", "done execute true EXECUTED", "message", "turn.done")
	d = g.tell("확인")
	g.want(d, "2건 이체가 모두 완료됐어요.", event.NextDone, service.Executed)
	g.wantSteps("start intent 의도 파악 중", "done intent true TRANSFER", "start slot 정보 추출 중", "done slot true CONFIRMED",
		`progress 2/2 {"amount":50000,"target":"용걸이"}`, "start execute 이체 실행 중", "done execute true EXECUTED", "message", "turn.done")
	g.moved("엄마 10000", "용걸이 50000")
}

func TestBatchSkips(t *testing.T) {
	g := visit(t, nil)
	g.tell("엄마한테 만원 용걸이한테 5만원")
	d := g.tell("취소")
	g.want(d, "취소됐어요. 용걸이에게 5만원 보낼까요? (2/2)", event.NextConfirm, service.Ready)
	if d.State.Meta["last_cancelled"] != true {
		t.Errorf("meta: %v", d.State.Meta)
	}
	g.want(g.tell("네"), "2건 중 1건 이체가 완료됐어요. 1건은 취소됐어요.", event.NextDone, service.Executed)
	g.moved("용걸이 50000")
	g.tell("엄마한테 만원 용걸이한테 5만원 보내줘")
	g.want(g.tell("모두 취소"), "이체가 모두 취소됐어요.", event.NextDone, service.Cancelled)
	g.moved("용걸이 50000")
}

// Seed 002, section 5.
func TestBatchWithAnIncompleteTask(t *testing.T) {
	g := visit(t, nil)
	g.want(g.tell("엄마한테 만원, 용걸이한테 보내줘"), "총 2건이 요청됐어요. 먼저 엄마에게 1만원 보낼까요? (1/2)", event.NextConfirm, service.Ready)
	g.want(g.tell("확인"), "완료! 용걸이에게 얼마를 보내드릴까요? (2/2)", event.NextInput, service.Filling)
	g.want(g.tell("3만원"), "용걸이에게 3만원 보낼까요? (2/2)", event.NextConfirm, service.Ready)
	g.want(g.tell("좋아"), "2건 이체가 모두 완료됐어요.", event.NextDone, service.Executed)
	g.moved("엄마 10000", "용걸이 30000")
}

// One failing does not lose the rest.
func TestBatchGoesOnAfterAFailure(t *testing.T) {
	g := visit(t, nil)
	g.till.refuse = map[string]error{"엄마": apperr.New(apperr.AlreadyTaken)}
	g.tell("엄마한테 만원 용걸이한테 5만원")
	d := g.tell("확인")
	if want := "엄마에게 1만원을 이체하지 못했어요. "; !strings.HasPrefix(d.Message, want) || !strings.HasSuffix(d.Message, "\n용걸이에게 5만원 보낼까요? (2/2)") {
		t.Errorf("message %q", d.Message)
	}
	g.tell("확인")
	g.moved("용걸이 50000")
}

func TestEnglish(t *testing.T) {
	g := visit(t, nil)
	d := g.tell("send 10,000 won to mom")
	g.want(d, "Shall I transfer 10,000 won to mom? Would you like to add a memo or a date?", event.NextConfirm, service.Ready)
	g.want(g.tell("yes"), "The transfer is done.", event.NextDone, service.Executed)
	g.want(g.tell("send money to mom"), "How much should I send to mom?", event.NextInput, service.Filling)
	g.want(g.tell("minus 1000 won"), "The amount must be at least 1 won. Please say it again.", event.NextInput, service.Filling)
	g.want(g.tell("30,000 won"), "Shall I transfer 30,000 won to mom? Would you like to add a memo or a date?", event.NextConfirm, service.Ready)
	g.want(g.tell("cancel"), "The transfer was canceled.", event.NextDone, service.Cancelled)
	g.want(g.tell("send 10,000 won to mom and 50,000 won to Yonggeol"), "That is 2 in all. First: Shall I send 10,000 won to mom? (1/2)", event.NextConfirm, service.Ready)
	g.want(g.tell("ok"), "Done! Next: Shall I send 50,000 won to Yonggeol? (2/2)", event.NextConfirm, service.Ready)
	g.want(g.tell("confirm"), "All 2 transfers are done.", event.NextDone, service.Executed)
	g.moved("mom 10000", "mom 10000", "Yonggeol 50000")
}

func TestCorrectionAndDigression(t *testing.T) {
	g := visit(t, nil)
	g.tell("엄마한테 1만원 보내줘")
	g.want(g.tell("아니 5만원으로"), "엄마에게 5만원을 이체할까요? 메모나 이체 날짜를 추가하시겠어요?", event.NextConfirm, service.Ready)
	d := g.tell("안녕하세요")
	if !strings.HasSuffix(d.Message, "\n\n엄마에게 5만원을 이체할까요? 메모나 이체 날짜를 추가하시겠어요?") || d.State.Stage != "READY" || d.NextAction != event.NextConfirm {
		t.Errorf("after a digression: %+v", d)
	}
	g.want(g.tell("ㅇㅇ"), "이체가 완료됐어요.", event.NextDone, service.Executed)
	g.moved("엄마 50000")
}

// What was not on show when it was confirmed is not confirmed.
func TestAStaleConfirmationMovesNothing(t *testing.T) {
	g := visit(t, nil)
	first := button(t, g.tell("엄마한테 만원 용걸이한테 5만원"), "확인")
	g.press(first)
	g.want(g.press(first), "용걸이에게 5만원 보낼까요? (2/2)", event.NextConfirm, service.Ready)
	g.moved("엄마 10000")
	g.tell("7만원으로 바꿔줘")
	d := g.tell("확인")
	g.want(d, "2건 이체가 모두 완료됐어요.", event.NextDone, service.Executed)
	g.moved("엄마 10000", "용걸이 70000")
	g.press(first)
	g.moved("엄마 10000", "용걸이 70000")
}

func (g *guest) snapshot() shop.Snapshot {
	g.t.Helper()
	snap, err := g.Snapshot(context.Background())
	if err != nil {
		g.t.Fatal(err)
	}
	return snap
}

func TestBatchInEnglish(t *testing.T) {
	g := visit(t, nil)
	g.want(g.tell("send 10,000 won to mom and 50,000 won to Yonggeol"), "That is 2 in all. First: Shall I send 10,000 won to mom? (1/2)", event.NextConfirm, service.Ready)
	g.want(g.tell("cancel"), "Canceled. Shall I send 50,000 won to Yonggeol? (2/2)", event.NextConfirm, service.Ready)
	g.want(g.tell("yes"), "1 of 2 transfers are done. 1 canceled.", event.NextDone, service.Executed)
	g.want(g.tell("send 10,000 won to mom, and send money to Yonggeol"), "That is 2 in all. First: Shall I send 10,000 won to mom? (1/2)", event.NextConfirm, service.Ready)
	g.want(g.tell("confirm"), "Done! How much should I send to Yonggeol? (2/2)", event.NextInput, service.Filling)
	g.want(g.tell("30,000 won"), "Shall I send 30,000 won to Yonggeol? (2/2)", event.NextConfirm, service.Ready)
	g.want(g.tell("actually 20,000 won"), "Shall I send 20,000 won to Yonggeol? (2/2)", event.NextConfirm, service.Ready)
	g.want(g.tell("ok"), "All 2 transfers are done.", event.NextDone, service.Executed)
	g.moved("Yonggeol 50000", "mom 10000", "Yonggeol 20000")
}
