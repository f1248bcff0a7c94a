package interpreter

import (
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
)

func TestClaimsAboutMoney(t *testing.T) {
	ko := func(request string) Brief { return Brief{Lang: apperr.KO, Request: request} }
	en := func(request string) Brief { return Brief{Lang: apperr.EN, Request: request} }
	knows := func(b Brief, fact string) Brief { b.Background.Facts = []string{fact}; return b }
	found := func(b Brief, text string) Brief { b.Results = []provider.StepResult{{Text: text}}; return b }
	deed := "2026-11-20 엄마에게 1만원을 보냄"
	for _, c := range []struct {
		brief Brief
		text  string
		want  bool
	}{
		{ko("엄마한테 만원 보내줘"), "보냈어요.", true},
		{ko("엄마한테 만원 보내줘"), "네, 엄마에게 1만원을 보내드렸어요!", true},
		{ko("엄마 용돈 좀 챙겨줘"), "송금했습니다.", true},
		{ko("엄마 용돈 좀 챙겨줘"), "이체를 완료했습니다.", true},
		{ko("엄마 용돈 좀 챙겨줘"), "이체가 정상적으로 완료되었습니다", true},
		{ko("엄마 용돈 좀 챙겨줘"), "알겠습니다.\n이체 완료!", true},
		{ko("안녕"), "안녕하세요! 엄마께 50만원을 보냈습니다.", true},
		{ko("엄마 생신이야"), "축하드려요! 제가 5만원을 보내드릴게요.", true},
		{ko("엄마 생신이야"), "바로 송금하겠습니다.", true},
		{ko("엄마 생신이야"), "지금 이체를 진행하고 있어요.", true},
		{ko("어제 얼마 나갔지"), "어제 총 30만원을 보내셨어요.", true},
		{knows(ko("어제 돈 얼마 나갔지"), deed), "어제 엄마에게 1만원을 보내셨어요.", false},
		{knows(ko("어제 돈 얼마 나갔지"), deed), "어제 엄마에게 2만원을 보내셨어요.", true},
		{knows(ko("엄마한테 만원 더 보내줘"), deed), "엄마에게 1만원을 보냈어요.", true},
		{found(ko("이번 달에 쓴 돈 정리해봐"), "이번 달에 총 6만원을 보내셨어요."), "이번 달에 6만원을 보내셨어요.", false},

		{ko("엄마한테 만원 보내줘"), "엄마에게 1만원을 보낼까요?", false},
		{ko("엄마한테 만원 보냈어?"), "아직 보낸 돈은 없어요.", false},
		{ko("엄마한테 만원 보냈어?"), "아니요, 보내지 않았어요.", false},
		{ko("송금이 뭐야?"), "송금은 다른 사람의 계좌로 돈을 보내는 일이에요.", false},
		{ko("이체하려면?"), "받는 분과 금액을 말씀해 주시면 이체해 드릴게요.", false},
		{ko("이체하려면?"), "확인을 누르신 뒤에 돈을 보내드려요.", false},
		{ko("엄마가 만원 보냈대"), "엄마가 만원을 보내셨군요! 좋으시겠어요.", false},
		{ko("친구가 편지를 보냈어"), "편지를 받으셨다니 좋네요. 친구가 마음을 담아 보냈어요.", false},
		{ko("돈을 보냈다를 영어로"), "I sent the money.", false},
		{ko("돈 빌린 친구 이야기 써줘"), "그는 결국 10만원을 송금했습니다.", false},
		{ko("뉴스 알려줘"), "‘10만원을 송금했습니다’라는 문구에 속지 마세요.", false},
		{ko("알람 맞춰줘"), "5분 뒤에 알려 드릴게요.", false},

		{ko("돈이 있나"), "지금 잔액은 300,000원이에요.", true},
		{found(ko("잔액 정리해봐"), "잔액은 94만원이에요."), "잔액은 94만원이에요.", false},
		{ko("돈이 있나"), "잔액은 제가 알 수 없어요.", false},
		{en("am I rich"), "The balance of your account is 5,000,000 won.", true},

		{en("my mom needs 10,000 won"), "Sent!", true},
		{en("my mom needs 10,000 won"), "I have sent 10,000 won to your mom.", true},
		{en("my mom needs money"), "I'll transfer it right away.", true},
		{en("my mom needs money"), "Done, the money has been transferred.", true},
		{en("hello"), "Hello! The transfer was completed.", true},
		{en("how much left my pocket?"), "You have sent 300,000 won so far.", true},
		{knows(en("how much money went out?"), "2026-11-20 sent 10,000 won to Mom"), "You sent 10,000 won to Mom.", false},
		{en("my mom needs money"), "Shall I send 10,000 won?", false},
		{en("my mom needs money"), "I can't send money without your confirmation.", false},
		{en("my mom needs money"), "Once you confirm, I'll send it.", false},
		{en("did the money go?"), "No money was sent.", false},
		{en("what is a transfer?"), "A transfer moves money from one account to another.", false},
		{en("my friend wrote"), "That is nice. Your friend sent a letter.", false},
		{en("write a story about money"), "I sent him 100 won, she said.", false},
	} {
		if got := claims(c.brief, c.text); (got != nil) != c.want {
			t.Errorf("%q → %q: %v", c.brief.Request, c.text, got)
		}
	}
}

// What streams shows a claim at no time, and the sentences before it as they come.
func TestTheGateKeepsClaimsBack(t *testing.T) {
	ko := Brief{Lang: apperr.KO, Request: "엄마 용돈 좀 챙겨줘"}
	for _, c := range []struct {
		pieces []string
		want   string
	}{
		{[]string{"안녕하", "세요. 무엇을 ", "도와드릴까요"}, "안녕하세요. 무엇을 도와드릴까요"},
		{[]string{"알겠습니다. 엄마에게 ", "1만원을 ", "보", "냈어", "요. 또 ", "필요한 것이 있나요?"}, "알겠습니다. 엄마에게 1만원을 보"},
		{[]string{"송금", "했습니다!"}, ""},
		{[]string{"얼마를 보", "낼까", "요? 말씀해 ", "주세요."}, "얼마를 보낼까요? 말씀해 주세요."},
		{[]string{"1.", "5만원을 보내", "시려면 말씀해 주세요.\n"}, "1.5만원을 보내시려면 말씀해 주세요.\n"},
	} {
		g, got := gate{brief: ko}, ""
		for _, p := range c.pieces {
			got += g.add(p)
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.pieces, got, c.want)
		}
	}
}
