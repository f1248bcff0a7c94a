package interpreter

import (
	"cmp"
	"errors"
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

func TestWhatATextIsSentBackFor(t *testing.T) {
	ko := Brief{Lang: bilingual.KO, Request: "오늘 뭐 할까?"}
	en := Brief{Lang: bilingual.EN, Request: "What should I do today?"}
	asking := func(b Brief, request string) Brief { b.Request = request; return b }
	for _, c := range []struct {
		brief Brief
		text  string
		want  error
	}{
		// Korean, as people and models write it.
		{ko, "네!", nil},
		{ko, "안녕하세요. 무엇을 도와드릴까요?", nil},
		{ko, "지금 Bohemian Rhapsody와 Stairway to Heaven을 틀게요.", nil},
		{ko, "‘Hotel California’, “Let It Be”, 'Wish You Were Here' 세 곡을 추천해요.", nil},
		{ko, "추천 목록이에요:\n1. Bohemian Rhapsody - Queen\n2. Stairway to Heaven - Led Zeppelin\n3. The Dark Side of the Moon\n4. Hey Jude", nil},
		{ko, "BTS의 Dynamite를 틀어 드릴게요! 즐거운 시간 보내세요 😊", nil},
		{ko, "Python은 Guido van Rossum이 만들었어요.", nil},
		{ko, "GPU 사용량은 72%, VRAM 3.1 GB, Wi-Fi 6E (802.11ax)예요.", nil},
		{ko, "이렇게 실행하세요:\n```sh\ngit commit -m 'message' && git push origin main\n```", nil},
		{ko, "자세한 내용은 https://example.com/a/very/long/path/with/english/words 를 보세요.", nil},
		{ko, "대한민국(大韓民國)의 수도는 서울이에요.", nil},
		{ko, "尹 대통령이 美 방문을 마쳤어요.", nil},
		{ko, "‘千と千尋の神隠し’는 2001년 영화예요.", nil},
		{ko, "OK", nil},
		{ko, "35,000 ÷ 7 = 5,000", nil},
		{ko, "Queen", nil},
		{ko, "The Dark Side of the Moon을 틀게요.", nil},
		{ko, "Sure! 노래를 틀어 드릴게요.", nil},

		// The wrong language.
		{ko, "Sure, I will play the song for you right away.", errNotKO},
		{ko, "Hello! How can I help you today?", errNotKO},
		{ko, "The movie 기생충 is a great choice for tonight. You will love it.", errNotKO},
		{ko, "I recommend the movie 기생충.", errNotKO},
		{ko, "好的，我会帮您播放这首歌曲。", errNotKO},
		{ko, "かしこまりました。曲を再生します。", errNotKO},
		{ko, "Конечно, сейчас включу песню.", errNotKO},
		{ko, "네, 알겠습니다. 我会帮您播放这首歌曲，请稍等。", errNotKO},

		// Chinese that leaks into Korean, as Qwen does it.
		{ko, "오늘은 날씨가 非常好. 산책하기 좋은 天气예요.", errHanLeaks},
		{ko, "이 노래는 2010년에 发布되었고, 많은 사람들이 喜欢하는 곡이에요.", errHanLeaks},

		// What the customer or a tool said may be said again; who asks for another language gets it.
		{asking(ko, "千と千尋の神隠し 틀어줘"), "千と千尋の神隠し 틀게요.", nil},
		{asking(ko, "‘만나서 반가워요’를 영어로 번역해줘"), "Nice to meet you, it is a pleasure.", nil},
		{asking(ko, "好的 중국어로 뭐야"), "好的，谢谢您。", nil},
		{asking(ko, "播放音乐吧"), "好的，我会帮您播放。", nil},
		{Brief{Lang: bilingual.KO, Request: "뭐래?", Results: []provider.StepResult{{Text: "The quick brown fox jumps over the lazy dog"}}}, "The quick brown fox jumps over the lazy dog", nil},
		{Brief{Lang: bilingual.KO, Request: "다시", Background: Background{Transcript: []provider.Turn{{Speaker: "customer", Text: "영어로 말해줘"}}}}, "Nice to meet you, my good friend.", nil},
		{Brief{Lang: bilingual.KO, Todo: &provider.TodoCard{Request: "인사를 영어로"}}, "Nice to meet you, my good friend.", nil},

		// English.
		{en, "Sure, playing it now.", nil},
		{en, "The Korean word 안녕하세요 means hello.", nil},
		{en, "The movie 기생충 (Parasite) is a great choice.", nil},
		{en, "Some songs you may like:\n1. 봄날\n2. 밤편지\n3. 사랑했지만\n4. 가을 우체국 앞에서\n5. 서른 즈음에", nil},
		{en, "5,000", nil},
		{asking(en, "Play 아리랑 목동 please"), "아리랑 목동 is on.", nil},
		{asking(en, "How do you say hello in Korean?"), "안녕하세요라고 해요.", nil},
		{en, "네, 지금 노래를 틀어 드릴게요.", errNotEN},
		{en, "네, 틀게요.", errNotEN},
		{en, "好的，我会帮您播放这首歌曲。", errNotEN},
		{en, "Sure! 지금 바로 노래를 틀어 드릴게요. 즐겁게 들으세요.", errNotEN},

		// No text, and nothing but one text.
		{ko, " \n", errNoText},
		{ko, `{"route":"jobs","reply":"계산해 볼게요.","jobs":[{"title":"나누기","todos":[]}]}`, errForm},
		{ko, ` {"act":"answer","text":"5천이에요."}`, errForm},
		{ko, `{"tool":"song","args":{}}`, errForm},
		{ko, `{"이름":"우유","수량":2}`, nil},
		{ko, `{"route" 는 경로라는 뜻이에요.`, nil},
		{ko, strings.Repeat("네, 알겠습니다.\n", 20), errRepeats},
		{ko, strings.Repeat("다시 말씀해 주세요. ", 20), errRepeats},
		{ko, "시작할게요.\n" + strings.Repeat("- 같은 말\n", 12), errRepeats},
		{ko, strings.Repeat("하나.\n둘이에요.\n셋이랍니다.\n", 4), nil},
		{ko, "1. 달리기\n2. 산책\n3. 수영\n4. 책 읽기\n5. 요리\n6. 청소\n7. 낮잠\n8. 영화\n9. 등산\n10. 그림\n11. 게임", nil},
	} {
		if err := cmp.Or(wrongWords(c.text), wrongLanguage(c.brief, c.text)); !errors.Is(err, c.want) {
			t.Errorf("%s %q: %v, want %v", c.brief.Lang, c.text, err, c.want)
		}
	}
}
