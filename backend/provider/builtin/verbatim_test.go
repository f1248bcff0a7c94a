package builtin_test

import (
	"encoding/json"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
)

// Words that are to be taken as they are, in requests that are not among the manuals' examples: what they say starts nothing.
func TestVerbatim(t *testing.T) {
	p := builtin.New()
	for request, want := range map[string]string{
		"메모해줘: 회의.txt 지우기":                                    `note_add{"text":"회의.txt 지우기"}`,
		"회의.txt 확인하기 메모해줘":                                    `note_add{"text":"회의.txt 확인하기"}`,
		"메모해줘: 노래 틀어줘":                                        `note_add{"text":"노래 틀어줘"}`,
		"메모해 주세요: 3시 30분: 회의, 그리고 우유 사기":                      `note_add{"text":"3시 30분: 회의, 그리고 우유 사기"}`,
		"메모 하나 남겨줘: 영화 보기":                                    `note_add{"text":"영화 보기"}`,
		"메모해줘:\n- 우유\n- 계란":                                   `note_add{"text":"- 우유\n- 계란"}`,
		"우유 사기 메모해줘":                                          `note_add{"text":"우유 사기"}`,
		"우유 사기를 메모해 줘요":                                       `note_add{"text":"우유 사기"}`,
		"은행 가고 우유 사기 메모해줘":                                    `note_add{"text":"은행 가고 우유 사기"}`,
		"내일은 쉰다고 메모해 둬":                                       `note_add{"text":"내일은 쉰다"}`,
		"note: play a song":                                   `note_add{"text":"play a song"}`,
		"please take a note: It's 3:30":                       `note_add{"text":"It's 3:30"}`,
		"make a note that I owe Kim $5":                       `note_add{"text":"I owe Kim $5"}`,
		"메모 목록 좀 보여줄래?":                                       `note_list{}`,
		"저 메모들 보여주세요":                                         `note_list{}`,
		"show me my notes please":                             `note_list{}`,
		"내 메모에서 달걀 좀 찾아줘":                                     `note_search{"query":"달걀"}`,
		"메모에서 가을 여행을 찾아봐줘":                                    `note_search{"query":"가을 여행"}`,
		"can you find eggs in my notes?":                      `note_search{"query":"eggs"}`,
		"search the notes for 'blue car'":                     `note_search{"query":"blue car"}`,
		"달걀 메모 좀 지워줄래?":                                       `note_delete{"note":"달걀"}`,
		"please delete the egg note":                          `note_delete{"note":"egg"}`,
		"달걀 메모에 두부 추가해줘":                                      `note_edit{"mode":"append","note":"달걀","text":"두부"}`,
		"달걀 메모를 '노래 틀기'로 바꿔 주세요":                              `note_edit{"note":"달걀","text":"노래 틀기"}`,
		"add tofu to my egg note":                             `note_edit{"mode":"append","note":"egg","text":"tofu"}`,
		"change the egg note to buy tofu":                     `note_edit{"note":"egg","text":"buy tofu"}`,
		"서울 날씨 알려주고 우유 사기 메모해줘":                               `weather{"place":"서울"} note_add{"text":"우유 사기"}`,
		"우유 사기 메모하고 3분 타이머 맞춰줘":                               `note_add{"text":"우유 사기"} timer{"seconds":180}`,
		"메모해줘: 우유 사기. 그리고 3분 타이머 맞춰줘":                         `note_add{"text":"우유 사기"} timer{"seconds":180}`,
		"지금 몇 시야? 그리고 메모해줘: 우유, 계란":                           `clock{} note_add{"text":"우유, 계란"}`,
		"달걀 메모 지우고 메모 목록 보여줘":                                 `note_delete{"note":"달걀"} note_list{}`,
		"set a timer for 3 minutes and take a note: buy milk": `timer{"seconds":180} note_add{"text":"buy milk"}`,
		"메모하지 마":                                              ``,
		"메모했어":                                                ``,
		"메모리가 부족해":                                            ``,
		"나는 메모를 자주 해":                                         ``,
		"i took notes in class":                               ``,
		"the notes are on my desk":                            ``,
		"클립보드에 이거 복사해줘: 노래 틀어줘":                               `clipboard_write{"text":"노래 틀어줘"}`,
		"클립보드에 복사해 주세요: https://a.kr":                         `clipboard_write{"text":"https://a.kr"}`,
		"copy 'hi there' to my clipboard":                     `clipboard_write{"text":"hi there"}`,
		"클립보드에 뭐가 있어?":                                        `clipboard_read{}`,
		"https://Example.com/A?b=1 열어줘":                       `open_link{"address":"https://Example.com/A?b=1"}`,
		"please open https://example.com/x.":                  `open_link{"address":"https://example.com/x."}`,
		"창문 열어줘":                                              ``,
		"open the window":                                     ``,
		"계획서.pdf 기본 프로그램으로 열어줘":                               `open_file{"path":"계획서.pdf"}`,
		"우유 사기 메모하고 https://example.com 열어줘":                  `note_add{"text":"우유 사기"} open_link{"address":"https://example.com"}`,
	} {
		lang := bilingual.EN
		if phrase.Korean(request) {
			lang = bilingual.KO
		}
		reply, err := p.Chat(t.Context(), provider.Request{Role: provider.RolePlanner, Lang: lang, Tools: cards(t)(lang), Now: now, Message: request}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var plan provider.Plan
		if err := json.Unmarshal([]byte(reply.Text), &plan); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, j := range plan.Jobs {
			for _, todo := range j.Todos {
				if got != "" {
					got += " "
				}
				args := string(todo.Args)
				if args == "" {
					args = "{}"
				}
				got += todo.Tool + args
			}
		}
		if got != want {
			t.Errorf("%q:\n got %s\nwant %s", request, got, want)
		}
	}
}
