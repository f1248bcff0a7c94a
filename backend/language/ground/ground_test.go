package ground_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"agentchat/backend/language/ground"
)

// now is a Saturday afternoon.
var now = time.Date(2026, 11, 21, 14, 10, 0, 0, time.FixedZone("KST", 9*3600))

// transfer are the slots of a transfer.
var transfer = ground.Slots{
	{Name: "target", Kind: ground.Name},
	{Name: "amount", Kind: ground.Money},
	{Name: "memo", Kind: ground.Text, Cues: []string{"메모", "적요", "memo", "note"}},
	{Name: "date", Kind: ground.Date},
}

func say(words string) ground.Request { return ground.Request{Words: words, Now: now} }

// show writes tasks in one line: 엄마 10000 | 용걸이 50000 “생일” 2026-11-22. What is missing is a dash.
func show(slots ground.Slots, tasks []ground.Task) string {
	lines := make([]string, 0, len(tasks))
	for _, t := range tasks {
		var parts []string
		for _, s := range slots {
			f, ok := t[s.Name]
			switch {
			case ok && s.Kind == ground.Text:
				parts = append(parts, fmt.Sprintf("“%v”", f.Value))
			case ok:
				parts = append(parts, fmt.Sprint(f.Value))
			case s.Name == "target" || s.Name == "amount":
				parts = append(parts, "-")
			}
		}
		lines = append(lines, strings.Join(parts, " "))
	}
	return strings.Join(lines, " | ")
}

// The dialogues of the design.
func TestTasksOfTheDesign(t *testing.T) {
	tasks(t, [][2]string{
		{"엄마한테 1만원 보내줘", "엄마 10000"},
		{"엄마한테 보내줘", "엄마 -"},
		{"3만원", "- 30000"},
		{"마이너스 천원", "- -1000"},
		{"엄마한테 만원, 용걸이한테 5만원 보내줘", "엄마 10000 | 용걸이 50000"},
		{"엄마한테 만원, 용걸이한테 보내줘", "엄마 10000 | 용걸이 -"},
		{"엄마한테 만원 용걸이한테 5만원", "엄마 10000 | 용걸이 50000"},
		{"확인", ""},
		{"취소", ""},
		{"총 얼마 보냈어?", ""},
		{"안녕", ""},
	})
}

func TestTasks(t *testing.T) {
	tasks(t, [][2]string{
		// pairing
		{"엄마랑 용걸이한테 만원씩", "엄마 10000 | 용걸이 10000"},
		{"엄마 만원 아빠 2만원", "엄마 10000 | 아빠 20000"},
		{"만원은 엄마, 5만원은 용걸이한테", "엄마 10000 | 용걸이 50000"},
		{"엄마 아빠한테 3만원씩 보내줘", "엄마 30000 | 아빠 30000"},
		{"엄마, 아빠한테 만원씩 보내줘", "엄마 10000 | 아빠 10000"},
		{"엄마하고 아빠한테 각각 5만원 이체해줘", "엄마 50000 | 아빠 50000"},
		{"엄마랑 아빠한테 3만원 보내줘", "엄마 - | 아빠 -"},
		{"엄마랑 아빠한테 총 6만원 보내줘", "엄마 - | 아빠 -"},
		{"엄마한테 총 6만원 보내줘", "엄마 60000"},
		{"아니 15분으로", ""},
		{"엄마한테 3만원 보내고 아빠한테 5만원 보내줘", "엄마 30000 | 아빠 50000"},
		{"엄마한테 3만원 보내주고 아빠한테는 5만원", "엄마 30000 | 아빠 50000"},
		{"엄마한테 3만원 그리고 아빠한테 5만원", "엄마 30000 | 아빠 50000"},
		{"5만원 엄마한테 보내줘", "엄마 50000"},
		{"5만원을 엄마에게 송금해 주세요", "엄마 50000"},
		{"엄마: 3만원, 아빠: 5만원", "엄마 30000 | 아빠 50000"},
		{"엄마 - 3만원\n아빠 - 5만원", "엄마 30000 | 아빠 50000"},
		{"엄마는 3만원 아빠는 5만원 보내줘", "엄마 30000 | 아빠 50000"},
		{"엄마5만원 아빠3만원", "엄마 50000 | 아빠 30000"},
		{"엄마한테만원보내줘", "엄마 10000"},
		{"엄마한테보내줘 3만원", "엄마 30000"},
		{"엄마한테 3만원에서 5만원 사이로 보내줘", "엄마 -"},
		{"엄마한테 3만원 5만원 보내줘", "엄마 -"},
		{"엄마 만원 2만원 아빠", "엄마 -"},
		{"엄마한테 만원, 아빠한테 2만원, 누나한테 3만원", "엄마 10000 | 아빠 20000 | 누나 30000"},
		{"엄마한테 만원 보내줘. 아빠한테는 2만원 보내줘", "엄마 10000 | 아빠 20000"},
		{"엄마한테, 만원 보내줘", "엄마 10000"},
		{"만원, 엄마한테", "엄마 10000"},
		{"민수랑 영희랑 철수한테 2만원씩 부쳐줘", "민수 20000 | 영희 20000 | 철수 20000"},
		{"민수와 영희에게 2만원씩 부쳐줘", "민수 20000 | 영희 20000"},
		{"엄마한테 만원, 엄마한테 2만원", "엄마 10000 | 엄마 20000"},

		// names
		{"엄마한태 만원", "엄마 10000"},
		{"친구가 엄마한테 만원 보내래", "엄마 10000"},
		{"민수가 엄마한테 만원 보내래", "엄마 10000"},
		{"동생이 엄마한테 만원 보내래", "엄마 10000"},
		{"용걸이 엄마한테 만원", "용걸이 엄마 10000"},
		{"저기 죄송한데요, 어머니 말고 아빠한테 만원", "아빠 10000"},
		{"메모 용돈 말고 생활비로 바꿔줘", "- - “생활비”"},
		{"메모를 생활비로 변경해줘", "- - “생활비”"},
		{"엄마한테 만원 보내줘 메모는 아빠한테 50만원 보내줘", "엄마 10000 “아빠한테 50만원”"},
		{"엄마에게 3만원", "엄마 30000"},
		{"엄마께 3만원 보내드려", "엄마 30000"},
		{"어머니께 30만원 송금", "어머니 300000"},
		{"용걸에게 5만원", "용걸 50000"},
		{"김철수님께 3만원", "김철수님 30000"},
		{"김 부장님한테 십만원 이체해줘", "김 부장님 100000"},
		{"이 과장님한테 오만원", "이 과장님 50000"},
		{"박 민수한테 오만원", "박 민수 50000"},
		{"우리 집주인한테 월세 50만원 송금해줘", "집주인 500000"},
		{"우리 엄마한테 용돈 10만원 보내줘", "엄마 100000"},
		{"내 동생한테 2만원", "동생 20000"},
		{"친구 민수한테 3만원 보내줘", "친구 민수 30000"},
		{"철수 엄마한테 3만원", "철수 엄마 30000"},
		{"철수 씨한테 3만원", "철수 씨 30000"},
		{"옆집 아저씨한테 2만원 보내줘", "옆집 아저씨 20000"},
		{"부동산 사장님께 계약금 백만원 보내줘", "부동산 사장님 1000000"},
		{"John Smith한테 3만원 보내줘", "John Smith 30000"},
		{"엄마 계좌로 3만원 보내줘", "엄마 30000"},
		{"엄마 앞으로 3만원 보내줘", "엄마 30000"},
		{"엄마 한테 3만원", "엄마 30000"},
		{"나한테 3만원 보내줘", "- 30000"},
		{"나한테 보내줘", ""},
		{"걔한테 3만원 보내줘", "- 30000"},
		{"그 사람한테 3만원 보내줘", "- 30000"},
		{"누구한테 보낼까?", ""},
		{"함께 3만원 보내자", "- 30000"},
		{"엄마한테서 3만원 받았어", "- 30000"},
		{"급하게 엄마한테 3만원만 보내줘", "엄마 30000"},
		{"돈 좀 엄마한테 보내줘", "엄마 -"},
		{"용돈 3만원 보내줘", "- 30000"},
		{"받는 사람은 아빠야", "아빠 -"},
		{"받는 사람을 아빠로 바꿔줘", "아빠 -"},
		{"원희한테 3만원 보내줘", "원희 30000"},
		{"오만석한테 3만원", "오만석 30000"},
		{"이만수에게 만원", "이만수 10000"},
		{"천천히 엄마한테 만원 보내줘", "엄마 10000"},
		{"이천만 씨한테 만원", "이천만 씨 10000"},

		// amounts
		{"엄마한테 만 오천원", "엄마 15000"},
		{"엄마한테 3만5천원 보내줘", "엄마 35000"},
		{"엄마한테 이십만 원 보내", "엄마 200000"},
		{"엄마한테 1.5만 보내줘", "엄마 15000"},
		{"엄마한테 ３만원", "엄마 30000"},
		{"엄마한테 30000 보내줘", "엄마 30000"},
		{"엄마한테 3만원 보내줘 비밀번호는 1234", "엄마 30000"},
		{"엄마한테 3만원 보내줘. 1234", "엄마 30000"},
		{"엄마한테 만원만 보내줘", "엄마 10000"},
		{"엄마한테만 보내줘", "엄마 -"},
		{"엄마한테 5달러 보내줘", "엄마 -"},
		{"엄마한테 $5 보내줘", "엄마 -"},
		{"엄마한테 몇 만원 보내줘", "엄마 -"},
		{"엄마한테 3~5만원 보내줘", "엄마 -"},
		{"엄마한테 3만원의 절반만 보내줘", "엄마 -"},
		{"엄마한테 0원 보내줘", "엄마 0"},
		{"엄마한테 -1000원 보내줘", "엄마 -1000"},
		{"엄마 영원히 사랑해 만나자", ""},
		{"천만에요", ""},
		{"만원 버스 탔어", ""},

		// corrections
		{"아니 5만원으로", "- 50000"},
		{"3만원, 아니 5만원", "- 50000"},
		{"5만원 말고 3만원", "- 30000"},
		{"5만원이 아니라 3만원이야", "- 30000"},
		{"5만원 대신 3만원으로 해줘", "- 30000"},
		{"5만원에서 3만원으로 바꿔줘", "- 30000"},
		{"3만원 아니면 5만원", ""},
		{"엄마 말고 아빠한테", "아빠 -"},
		{"엄마 말고 아빠", "아빠 -"},
		{"엄마가 아니라 아빠한테 보내줘", "아빠 -"},
		{"아니 아빠한테", "아빠 -"},
		{"아니 아빠로 해줘", "아빠 -"},
		{"엄마한테 3만원 아니 5만원 보내줘", "엄마 50000"},
		{"엄마한테 3만원 보내줘 아 아니다 5만원", "엄마 50000"},
		{"엄마한테 만원, 용걸이한테 5만원, 아니 3만원", "엄마 10000 | 용걸이 30000"},
		{"엄마한테 만원, 용걸이한테 5만원, 아니 엄마한테 2만원", "용걸이 50000 | 엄마 20000"},
		{"엄마한테 만원 보내줘 아니 아빠한테", "아빠 10000"},
		{"엄마한테는 보내지 말고 아빠한테 3만원 보내줘", "아빠 30000"},
		{"내일 말고 모레 엄마한테 3만원", "엄마 30000 2026-11-23"},

		{"엄마가 아니라 아빠야", "아빠 -"},
		{"아 잠깐 5만원", "- 50000"},
		{"아니 그게 아니라 5만원", "- 50000"},
		{"아니야 3만원이 맞아", "- 30000"},
		{"만원 말고 이만원", "- 20000"},
		{"엄마한테 말고 아빠한테", "아빠 -"},
		{"금액을 5만원으로 바꿔줘", "- 50000"},
		{"받는 사람 아빠로 변경", "아빠 -"},

		// as people write
		{"엄마한테 3만원 좀 보내줄래?", "엄마 30000"},
		{"저기 엄마한테 오늘 중으로 5만원 이체 부탁드려요", "엄마 50000 2026-11-21"},
		{"용걸이한테 돈 빌린 거 5만원 갚아줘", "용걸이 50000"},
		{"민수한테 점심값 만이천원 송금해줘", "민수 12000"},
		{"할머니께 용돈 20만원 보내드리고 싶어", "할머니 200000"},
		{"월세 55만원 집주인한테 보내줘", "집주인 550000"},
		{"엄마한테 돈 보내줘 10만원", "엄마 100000"},
		{"10만원만 엄마한테", "엄마 100000"},
		{"엄마에게는 3만원, 아빠에게는 5만원, 할머니께는 10만원", "엄마 30000 | 아빠 50000 | 할머니 100000"},
		{"용걸이한텐 5만원", "용걸이 50000"},
		{"회사 김대리한테 3만원", "회사 김대리 30000"},
		{"최 사장님께 이백만원", "최 사장님 2000000"},
		{"엄마한테 3만원하고 아빠한테 2만원 보내줘", "엄마 30000 | 아빠 20000"},
		{"엄마한테 3만원이랑 아빠한테 2만원 보내줘", "엄마 30000 | 아빠 20000"},
		{"엄마한테 3만원 아빠도 3만원", "엄마 30000 | 아빠 30000"},
		{"엄마한테 3만원 보내고 아빠한테도 3만원", "엄마 30000 | 아빠 30000"},
		{"엄마, 아빠, 동생한테 각각 만원씩 보내줘", "엄마 10000 | 아빠 10000 | 동생 10000"},
		{"엄마 아빠 동생한테 만원씩", "엄마 10000 | 아빠 10000 | 동생 10000"},
		{"엄마와 아빠에게 각 5만원", "엄마 50000 | 아빠 50000"},
		{"둘 다 만원씩 보내줘", "- 10000"},
		{"모두에게 만원씩", "- 10000"},
		{"금액은 3만원이야", "- 30000"},
		{"취소하고 엄마한테 3만원 보내줘", "엄마 30000"},
		{"지난번처럼 엄마한테 보내줘", "엄마 -"},
		{"엄마한테 보낸 만큼 아빠한테도 보내줘", "엄마 - | 아빠 -"},
		{"엄마한테 얼마 보냈지?", "엄마 -"},
		{"철수야 3만원 보내줘", "- 30000"},
		{"국민은행 123456-78-901234 김철수 3만원", "김철수 30000"},
		{"카카오뱅크로 엄마한테 3만원", "엄마 30000"},
		{"어머니한테 삼십만원, 아버지한테 이십만원", "어머니 300000 | 아버지 200000"},
		{"이체해줘", ""},
		{"송금", ""},
		{"돈 보내고 싶어", ""},

		// memo and day
		{"메모에 회비 적어줘", "- - “회비”"},
		{"메모 추가할래", ""},
		{"메모 빼줘", ""},
		{"메모는 12월 회비로 해줘", "- - “12월 회비”"},
		{"회비라고 써서 총무님한테 3만원", "총무님 30000 “회비”"},
		{"엄마한테 3만원 보내는데 메모는 \"고마워요\"", "엄마 30000 “고마워요”"},
		{"날짜는 내일로 해줘", "- - 2026-11-22"},
		{"3일 뒤에 민수한테 2만원 보내줘", "민수 20000 2026-11-24"},
		{"내일 모레 아빠한테 3만원", "아빠 30000 2026-11-23"},
		{"2026년 12월 25일에 엄마한테 10만원", "엄마 100000 2026-12-25"},
		{"오늘 엄마한테 3만원 보내고 내일 아빠한테 5만원 보내줘", "엄마 30000 2026-11-21 | 아빠 50000 2026-11-22"},
		{"엄마한테 내일 3만원 보내줘 메모는 생일", "엄마 30000 “생일” 2026-11-22"},
		{"엄마한테 3만원 보내줘 메모는 생일축하", "엄마 30000 “생일축하”"},
		{"메모 '점심값'으로 엄마한테 만원", "엄마 10000 “점심값”"},
		{"메모 점심값으로 엄마한테 만원 보내줘", "엄마 10000 “점심값”"},
		{"생일축하라고 적어서 엄마한테 3만원 보내줘", "엄마 30000 “생일축하”"},
		{"엄마한테 3만원 생일축하라고 적어서 보내줘", "엄마 30000 “생일축하”"},
		{"엄마한테 3만원 보내줘. 메모에 '엄마 사랑해'라고 적어줘", "엄마 30000 “엄마 사랑해”"},
		{"엄마한테 3만원 보내줘. 메모는 '아빠한테 5만원'", "엄마 30000 “아빠한테 5만원”"},
		{"메모는 생일 선물이라고 해줘", "- - “생일 선물”"},
		{"메모: 회비", "- - “회비”"},
		{"메모는 없이 엄마한테 만원", "엄마 10000"},
		{"내일 엄마한테 만원, 아빠한테 2만원 보내줘", "엄마 10000 2026-11-22 | 아빠 20000 2026-11-22"},
		{"엄마한테 내일 만원, 아빠한테 모레 2만원 보내줘", "엄마 10000 2026-11-22 | 아빠 20000 2026-11-23"},
		{"다음 주 금요일에 엄마한테 10만원 보내줘", "엄마 100000 2026-11-27"},
		{"엄마한테 2월 30일에 3만원", "엄마 30000"},
		{"12월 1일에 월세 50만원 집주인한테", "집주인 500000 2026-12-01"},
		{"이번 달 말일에 집주인에게 50만원 이체", "집주인 500000 2026-11-30"},

		// English
		{"send mom 10,000 won and dad 50,000 won", "mom 10000 | dad 50000"},
		{"send 10,000 won to my mom", "mom 10000"},
		{"send 10,000 won to mom and 50,000 won to Yonggeol", "mom 10000 | Yonggeol 50000"},
		{"Send 10,000 won to mom, 50,000 won to Yonggeol", "mom 10000 | Yonggeol 50000"},
		{"send 10,000 won each to mom and dad", "mom 10000 | dad 10000"},
		{"send mom and dad 10,000 won each", "mom 10000 | dad 10000"},
		{"send 10,000 won to mom and dad", "mom - | dad -"},
		{"send 10,000 won to mom and send to dad", "mom 10000 | dad -"},
		{"transfer 30000 to Minsu tomorrow", "Minsu 30000 2026-11-22"},
		{"send money to mom", "mom -"},
		{"send 10k won to John Smith please", "John Smith 10000"},
		{"pay my landlord thirty thousand won", "landlord 30000"},
		{"wire fifty thousand won to Kim Cheolsu on Dec 1", "Kim Cheolsu 50000 2026-12-01"},
		{"send $5 to mom", "mom -"},
		{"send it to me", ""},
		{"not 50,000 won but 30,000 won", "- 30000"},
		{"no wait, 50,000 won", "- 50000"},
		{"send mom 30,000 won, actually 50,000 won", "mom 50000"},
		{"50,000 won instead of 30,000 won", "- 50000"},
		{"send 30,000 won to dad, not mom", "dad 30000"},
		{"send 20,000 won to mom memo happy birthday", "mom 20000 “happy birthday”"},
		{`send 20,000 won to mom with the memo "lunch, thanks"`, "mom 20000 “lunch, thanks”"},
		{"send minus 1000 won to mom", "mom -1000"},
		{"can you send my mom 30,000 won?", "mom 30000"},
		{"please transfer 50,000 won to Minsu next Friday", "Minsu 50000 2026-11-27"},
		{"i'd like to send 100,000 won to Kim Cheolsu", "Kim Cheolsu 100000"},
		{"send dad fifty thousand", "dad 50000"},
		{"pay Minsu back 12,000 won", "Minsu 12000"},
		{"make it 50,000 won", "- 50000"},
		{"actually send it to dad", "dad -"},
		{"change the amount to 50,000 won", "- 50000"},
		{"change the recipient to dad", "dad -"},
		{"mom 10000, dad 20000", "mom 10000 | dad 20000"},
		{"send 10,000 to mom then 5,000 to dad", "mom 10000 | dad 5000"},
		{"send 20000 won to mom with memo lunch", "mom 20000 “lunch”"},
		{"from my account send 30,000 won to dad", "dad 30000"},
	})
}

func tasks(t *testing.T, cases [][2]string) {
	t.Helper()
	for _, c := range cases {
		if got := show(transfer, transfer.Tasks(say(c[0]))); got != c[1] {
			t.Errorf("%q: got %q, want %q", c[0], got, c[1])
		}
	}
}

// A bare answer counts for the slot that was asked for, and for no other.
func TestAnswers(t *testing.T) {
	for _, c := range []struct{ asked, words, want string }{
		{"target", "엄마", "엄마"},
		{"target", "엄마요", "엄마"},
		{"target", "용걸이", "용걸이"},
		{"target", "용걸이요", "용걸"},
		{"target", "김 부장님이요", "김 부장님"},
		{"target", "음 엄마한테", "엄마"},
		{"target", "mom", "mom"},
		{"target", "to my mom", "mom"},
		{"target", "John Smith", "John Smith"},
		{"target", "얼마야?", "<nil>"},
		{"target", "취소할래", "<nil>"},
		{"target", "나", "<nil>"},
		{"amount", "3만원", "30000"},
		{"amount", "3만원이요", "30000"},
		{"amount", "30000", "30000"},
		{"amount", "5만", "50000"},
		{"amount", "thirty thousand won", "30000"},
		{"amount", "엄마", "<nil>"},
		{"amount", "3만원 아니면 5만원", "<nil>"},
		{"amount", "엄마한테 3만원", "<nil>"},
		{"memo", "생일 축하해", "생일 축하해"},
		{"memo", "점심값으로", "점심값"},
		{"memo", "메모는 점심값", "점심값"},
		{"date", "다음 달 5일", "2026-12-05"},
		{"date", "내일이요", "2026-11-22"},
		{"date", "2월 30일", "<nil>"},
	} {
		r := say(c.words)
		r.Asked = c.asked
		got, _ := transfer.Only(c.asked, r)
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s? %q: got %v, want %v", c.asked, c.words, got, c.want)
		}
	}
	if got := transfer.Find("target", say("용걸이")); len(got) != 0 {
		t.Errorf("nobody was asked for: %v", got)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		slot, words string
		value, want any
	}{
		{"amount", "엄마한테 만원 보내줘", int64(10000), int64(10000)},
		{"amount", "엄마한테 만원 보내줘", json.Number("10000"), int64(10000)},
		{"amount", "엄마한테 만원 보내줘", 10000.0, int64(10000)},
		{"amount", "엄마한테 만원 보내줘", "10,000", int64(10000)},
		{"amount", "엄마한테 만원 보내줘", int64(100000), nil},
		{"amount", "엄마한테 만원 보내줘", 10000.5, nil},
		{"amount", "엄마한테 만원 보내줘", true, nil},
		{"amount", "엄마한테 마이너스 천원", int64(1000), nil},
		{"amount", "엄마한테 마이너스 천원", int64(-1000), int64(-1000)},
		{"amount", "5만원 말고 3만원", int64(50000), nil},
		{"amount", "5만원 말고 3만원", int64(30000), int64(30000)},
		{"amount", "$5 보내줘", int64(5), nil},
		{"amount", "메모는 만원 갚기", int64(10000), nil},
		{"target", "용걸이한테 보내줘", "용걸이", "용걸이"},
		{"target", "용걸이한테 보내줘", "용걸", nil},
		{"target", "Mom한테 보내줘", "mom", "Mom"},
		{"target", "엄마한테 보내줘", "아빠", nil},
		{"target", "엄마 말고 아빠한테", "엄마", nil},
		{"target", "엄마한테 '아빠한테'라고 적어서 보내줘", "아빠", nil},
		{"date", "내일 보내줘", "2026-11-22", "2026-11-22"},
		{"date", "내일 보내줘", "2026-11-23", nil},
		{"date", "2월 30일에", "2027-03-02", nil},
		{"memo", "메모는 생일 축하", "생일  축하", "생일 축하"},
		{"memo", "메모는 생일 축하", "축하", nil},
		{"unknown", "엄마한테", "엄마", nil},
	} {
		got, ok := transfer.Check(c.slot, say(c.words), c.value)
		if got != c.want || ok != (c.want != nil) {
			t.Errorf("%s %v in %q: got %v %v, want %v", c.slot, c.value, c.words, got, ok, c.want)
		}
	}
}

// A hostile model swaps what belongs to different people.
func TestPaired(t *testing.T) {
	const words = "엄마한테 만원, 용걸이한테 5만원 보내줘"
	for _, c := range []struct {
		target string
		amount any
		want   bool
	}{{"엄마", 10000, true}, {"용걸이", 50000, true}, {"엄마", 50000, false}, {"용걸이", 10000, false}, {"아빠", 10000, false}, {"엄마", 60000, false}} {
		if got := transfer.Paired(say(words), map[string]any{"target": c.target, "amount": c.amount}); got != c.want {
			t.Errorf("%s %v: got %v", c.target, c.amount, got)
		}
	}
}

func TestFindingsStandInTheWords(t *testing.T) {
	const words = "“용걸이”한테 ３만원, 아니 5만원을 2월 30일에 $5랑"
	for _, c := range []struct {
		slot string
		want string
	}{
		{"amount", "“３만원” 30000 negated; “5만원” 50000; “$5” <nil> foreign"},
		{"date", "“2월 30일” <nil> impossible"},
		{"target", "“용걸이” 용걸이"},
	} {
		var list []string
		for _, f := range transfer.Find(c.slot, say(words)) {
			line := fmt.Sprintf("“%s” %v", words[f.Start:f.End], f.Value)
			if f.Negated {
				line += " negated"
			}
			if f.Problem != "" {
				line += " " + string(f.Problem)
			}
			list = append(list, line)
		}
		if got := strings.Join(list, "; "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.slot, got, c.want)
		}
	}
}

// Other services: a value that comes again begins the next task, a day said first is meant for all.
func TestOtherServices(t *testing.T) {
	room := ground.Slots{
		{Name: "room", Kind: ground.Enum, Values: map[string][]string{"large": {"대회의실", "큰 회의실", "large room"}, "small": {"소회의실", "작은 방", "small room"}}},
		{Name: "date", Kind: ground.Date},
		{Name: "time", Kind: ground.Time},
	}
	todo := ground.Slots{{Name: "what", Kind: ground.Text, Cues: []string{"할 일에", "할 일 목록에", "add", "put"}}, {Name: "date", Kind: ground.Date}}
	for _, c := range []struct {
		slots       ground.Slots
		words, want string
	}{
		{room, "내일 오후 3시에 대회의실 예약해줘", "large 2026-11-22 15:00"},
		{room, "내일 3시에 대회의실, 4시에 소회의실 예약해줘", "large 2026-11-22 15:00 | small 2026-11-22 16:00"},
		{room, "대회의실 말고 소회의실로", "small"},
		{room, "book the large room tomorrow at 3:30 pm", "large 2026-11-22 15:30"},
		{room, "세 시간 동안", ""},
		{room, "오전 열한 시 반", "11:30"},
		{room, "15:00", "15:00"},
		{room, "noon", "12:00"},
		{todo, "할 일에 우유 사기 추가해줘", "“우유 사기”"},
		{todo, "할 일 목록에 보고서 쓰기 적어줘", "“보고서 쓰기”"},
		{todo, "add buy milk to my to-do list", "“buy milk”"},
		{todo, `put "write the report" on my list`, "“write the report”"},
	} {
		if got := show(c.slots, c.slots.Tasks(say(c.words))); got != c.want {
			t.Errorf("%q: got %q, want %q", c.words, got, c.want)
		}
	}
}

// A day is no obstacle to an enumeration of days in a service without dates.
func TestDaysAsWordsOfAnEnumeration(t *testing.T) {
	slots := ground.Slots{
		{Name: "payee", Kind: ground.Name},
		{Name: "period", Kind: ground.Enum, Values: map[string][]string{"today": {"오늘", "today"}, "week": {"이번 주"}}},
	}
	for words, want := range map[string]string{"오늘 얼마 썼어?": "today", "오늘 엄마한테 얼마 보냈어?": "today", "이번 주에 얼마 썼어?": "week", "어제 얼마 썼어?": ""} {
		got := ""
		for _, task := range slots.Tasks(say(words)) {
			if f, ok := task["period"]; ok {
				got, _ = f.Value.(string)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}

func TestKey(t *testing.T) {
	for _, same := range [][]string{
		{"용걸이", "용걸", "용걸 "},
		{"김철수님", "김 철수", "김철수", "김철수 씨"},
		{"My Mom", "mom", "MOM"},
		{"우리 엄마", "엄마"},
		{"John Smith", "johnsmith"},
	} {
		for _, name := range same[1:] {
			if ground.Key(name) != ground.Key(same[0]) {
				t.Errorf("%q is %q, %q is %q", name, ground.Key(name), same[0], ground.Key(same[0]))
			}
		}
	}
	for _, pair := range [][2]string{{"엄마", "아빠"}, {"순이", "순"}, {"민수", "민서"}, {"선생님", "생선님"}} {
		if ground.Key(pair[0]) == ground.Key(pair[1]) {
			t.Errorf("%q and %q are two", pair[0], pair[1])
		}
	}
}
