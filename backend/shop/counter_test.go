package shop_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/provider"
	"agentchat/backend/service"
)

// Services made of a manifest alone: a meeting room and a to-do list.
func TestRoomAndToDo(t *testing.T) {
	g := visit(t, nil)
	g.want(g.tell("회의실 예약하고 싶어"), "대회의실과 소회의실 중 어디를 예약할까요?", event.NextInput, service.Filling)
	g.want(g.tell("대회의실"), "언제로 예약할까요?", event.NextInput, service.Filling)
	g.want(g.tell("2099년 12월 1일"), "몇 시부터 쓰실 건가요?", event.NextInput, service.Filling)
	g.want(g.tell("오후 3시"), "12월 1일 오후 3시에 대회의실을 예약할까요?", event.NextConfirm, service.Ready)
	g.want(g.tell("네"), "회의실을 예약했어요.", event.NextDone, service.Executed)
	d := g.tell("2099-12-01 오후 3시에 대회의실 예약해줘")
	g.want(d, "12월 1일 오후 3시에 대회의실을 예약할까요?", event.NextConfirm, service.Ready)
	d = g.tell("확인")
	g.want(d, "회의실을 예약하지 못했어요. 이미 예약된 자리예요. 다른 때나 다른 것을 골라 주세요.", event.NextDone, service.Failed)
	if d := g.tell("회의실 예약 목록 보여줘"); d.Message != "예약된 회의실이에요. - 12월 1일 오후 3시 대회의실" && !strings.Contains(d.Message, "12월 1일 오후 3시 대회의실") {
		t.Errorf("list: %q", d.Message)
	}

	g.want(g.tell("할 일에 우유 사기 추가해줘"), "할 일에 ‘우유 사기’ 적어 둘까요?", event.NextConfirm, service.Ready)
	g.want(g.tell("확인"), "할 일에 적어 뒀어요.", event.NextDone, service.Executed)
	if d := g.tell("할 일 뭐 있어?"); !strings.Contains(d.Message, "- 우유 사기") {
		t.Errorf("list: %q", d.Message)
	}
	g.want(g.tell("할 일에서 우유 사기 지워줘"), "할 일에서 ‘우유 사기’ 지울까요?", event.NextConfirm, service.Ready)
	g.want(g.tell("ㅇㅇ"), "할 일에서 지웠어요: 우유 사기", event.NextDone, service.Executed)
	if d := g.tell("할 일 뭐 있어?"); d.Message != "적어 둔 할 일이 없어요." {
		t.Errorf("list: %q", d.Message)
	}
}

func TestRoomAndToDoInEnglish(t *testing.T) {
	g := visit(t, nil)
	g.want(g.tell("book a meeting room"), "Which room shall I reserve, the large or the small one?", event.NextInput, service.Filling)
	g.want(g.tell("the small one"), "For which day?", event.NextInput, service.Filling)
	g.want(g.tell("2099-12-01"), "From what time?", event.NextInput, service.Filling)
	g.want(g.tell("3 pm"), "Shall I reserve the small room for December 1 at 3:00 PM?", event.NextConfirm, service.Ready)
	g.want(g.tell("yes please"), "The room is reserved.", event.NextDone, service.Executed)
	g.want(g.tell("add buy milk to my to-do list"), "Shall I put “buy milk” on the list?", event.NextConfirm, service.Ready)
	g.want(g.tell("no"), "I will not write it down.", event.NextDone, service.Cancelled)
}

// One service asked for in the middle of another: the first goes on when the second is over.
func TestOneServiceWithinAnother(t *testing.T) {
	g := visit(t, nil)
	g.tell("엄마한테 보내줘")
	g.want(g.tell("할 일에 우유 사기 추가해줘"), "할 일에 ‘우유 사기’ 적어 둘까요?", event.NextConfirm, service.Ready)
	if n := len(g.snapshot().Service); n != 2 {
		t.Errorf("%d sessions open, want 2", n)
	}
	g.want(g.tell("확인"), "할 일에 적어 뒀어요.\n\n엄마에게 얼마를 보내드릴까요?", event.NextInput, service.Filling)
	g.want(g.tell("3만원"), "엄마에게 3만원을 이체할까요? 메모나 이체 날짜를 추가하시겠어요?", event.NextConfirm, service.Ready)
	g.tell("확인")
	g.moved("엄마 30000")
}

// The planner may find a service that code did not; the counter takes over, and no other request follows.
func TestThePlannerSendsToTheCounter(t *testing.T) {
	voice := liar(`{"intent":"GENERAL"}`, `{"operations":[]}`)
	say := voice.Say
	voice.Say = func(ctx context.Context, l provider.Request, on func(provider.Delta)) (string, error) {
		if l.Role == provider.RolePlanner {
			return jobtest.PlanJSON(provider.Plan{Route: provider.RouteService, Service: "transfer"}), nil
		}
		return say(ctx, l, on)
	}
	g := visit(t, voice)
	g.want(g.tell("용돈을 드릴 때가 됐네"), "누구에게 보내드릴까요?", event.NextInput, service.Filling)
	reqs := map[provider.Role]int{}
	for _, l := range customers(voice.Requests()) {
		reqs[l.Role]++
	}
	if reqs[provider.RolePlanner] != 1 || reqs[provider.RoleSlot] != 1 || len(reqs) != 2 {
		t.Errorf("letters: %v", reqs)
	}
}

// customers are the requests that somebody waits for: a chat's title is asked for when nobody wants the model.
func customers(all []provider.Request) (list []provider.Request) {
	for _, l := range all {
		if l.Role != provider.RoleSummarizer {
			list = append(list, l)
		}
	}
	return list
}

// Where code leaves no doubt, no letter is sent; a service turn costs at most one for the intent and one for the values.
func TestWhatATurnCosts(t *testing.T) {
	voice := liar(transferIntent, `{"operations":[{"op":"set","slot":"target","value":"엄마"}]}`)
	g := visit(t, voice)
	count := func(words string) int {
		before := len(customers(voice.Requests()))
		g.tell(words)
		return len(customers(voice.Requests())) - before
	}
	for _, c := range []struct {
		words string
		most  int
	}{{"엄마한테 보내줘", 1}, {"3만원", 0}, {"확인", 0}, {"엄마한테 보내줘", 1}, {"글쎄 얼마가 좋을까", 2}, {"취소", 0}} {
		if n := count(c.words); n > c.most {
			t.Errorf("%q cost %d letters, at most %d", c.words, n, c.most)
		}
	}
}

// Too many turns without the values end the session.
func TestUnsupported(t *testing.T) {
	voice := liar(transferIntent, `{"operations":[]}`)
	g := visit(t, voice)
	g.tell("돈 보내줘")
	var d event.TurnDone
	for range service.DefaultFillTurns {
		d = g.tell("음 글쎄요 그게 말이죠")
	}
	g.want(d, "이체에 필요한 내용을 알 수 없어 여기서 마칠게요. 처음부터 다시 말씀해 주세요.", event.NextDone, service.Unsupported)
	if len(g.snapshot().Service) != 0 {
		t.Error("a session is left")
	}
}

// A person's own service lies in the data folder; a bad one is listed and the shop opens.
func TestAPersonsOwnServices(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "services")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	template, err := os.ReadFile("../service/template/minimal.yaml")
	if err != nil {
		t.Fatal(err)
	}
	own := strings.NewReplacer("__name__", "coffee", "__INTENT__", "COFFEE").Replace(string(template))
	for name, text := range map[string]string{"coffee.yaml": own, "bad.yaml": "id: x\nintent: y\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g := visitIn(t, dir, &till{}, nil)
	g.want(g.tell("coffee 신청해줘"), "몇 개가 필요하세요?", event.NextInput, service.Filling)
	g.want(g.tell("3개"), "coffee 3개 신청할까요?", event.NextConfirm, service.Ready)
	g.want(g.tell("네"), "신청이 완료됐어요.", event.NextDone, service.Executed)
	bad := 0
	for _, info := range g.Services() {
		if info.Error != "" && info.File == "bad.yaml" && info.Line > 0 {
			bad++
		}
	}
	if bad != 1 {
		t.Errorf("services: %+v", g.Services())
	}
}

// What people say in the middle of a transfer.
func TestTalkingAtTheCounter(t *testing.T) {
	const more = " 메모나 이체 날짜를 추가하시겠어요?"
	for _, dialogue := range [][][2]string{
		{{"돈 보내줘", "누구에게 보내드릴까요?"}, {"용걸이", "용걸이에게 얼마를 보내드릴까요?"}, {"2만원", "용걸이에게 2만원을 이체할까요?" + more}, {"취소", "이체가 취소됐어요."}},
		{{"엄마한테 1만원 보내줘", "엄마에게 1만원을 이체할까요?" + more}, {"메모는 생일 축하", "엄마에게 1만원을 이체할까요? 메모: 생일 축하"}, {"메모 빼줘", "엄마에게 1만원을 이체할까요?" + more}, {"아니 아빠한테", "아빠에게 1만원을 이체할까요?" + more}, {"아니", "이체가 취소됐어요."}},
		{{"엄마한테 1만원 보내줘", "엄마에게 1만원을 이체할까요?" + more}, {"2099-12-01에 보내줘", "12월 1일에 엄마에게 1만원을 이체할까요?"}, {"어제 보내줘", "이체 날짜는 오늘이거나 그 뒤여야 해요.\n12월 1일에 엄마에게 1만원을 이체할까요?"}, {"no", "이체가 취소됐어요."}},
		{{"엄마한테 1만원 보내줘", "엄마에게 1만원을 이체할까요?" + more}, {"아빠한테 2만원 보내줘", "총 2건이 요청됐어요. 먼저 엄마에게 1만원 보낼까요? (1/2)"}, {"건너뛰기", "취소됐어요. 아빠에게 2만원 보낼까요? (2/2)"}, {"취소", "이체가 모두 취소됐어요."}},
		{{"엄마한테 보내줘", "엄마에게 얼마를 보내드릴까요?"}, {"안녕", "안녕하세요! *\n\n엄마에게 얼마를 보내드릴까요?"}, {"3만원요", "엄마에게 3만원을 이체할까요?" + more}, {"3만5천 나누기 7은 얼마야?", "*\n\n엄마에게 3만원을 이체할까요?" + more}, {"취소할게요", "이체가 취소됐어요."}},
	} {
		g := visit(t, nil)
		for _, c := range dialogue {
			d := g.tell(c[0])
			head, tail, open := strings.Cut(c[1], "*")
			if !open && d.Message != c[1] || open && (!strings.HasPrefix(d.Message, head) || !strings.HasSuffix(d.Message, tail)) {
				t.Errorf("%q\n got %q\nwant %q", c[0], d.Message, c[1])
				break
			}
		}
		g.moved()
	}
}
