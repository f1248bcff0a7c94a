package slot_test

import (
	"slices"
	"testing"

	"agentchat/backend/language/slot"
)

func TestConditions(t *testing.T) {
	for text, want := range map[string]struct {
		folder, noun, rest string
		comes, changes     bool
		endings            []string
	}{
		"다운로드 폴더에 파일이 오면 목록 보여줘":                                            {folder: "다운로드", rest: "목록 보여줘", comes: true},
		"다운로드 폴더에 새 파일이 생길 때마다 그 파일 읽어줘":                                    {folder: "다운로드", rest: "그 파일 읽어줘", comes: true},
		"다운로드에 pdf가 들어오면 그 파일 읽어줘":                                          {folder: "다운로드", rest: "그 파일 읽어줘", comes: true, endings: []string{".pdf"}},
		"문서 폴더의 파일이 바뀌면 알려줘":                                                {folder: "문서", rest: "알려줘", changes: true},
		"문서/영수증 폴더에 파일이 오거나 바뀌면 메모해줘: 확인":                                   {folder: "문서/영수증", rest: "메모해줘: 확인", comes: true, changes: true},
		"Documents 폴더에 파일이 도착하면, 서울 날씨 알려줘":                                 {folder: "Documents", rest: "서울 날씨 알려줘", comes: true},
		"노래가 끝나면 서울 날씨 알려줘":                                                 {noun: "노래", rest: "서울 날씨 알려줘"},
		"타이머가 울리면 노래 틀어줘":                                                   {noun: "타이머", rest: "노래 틀어줘"},
		"타이머가 울릴 때마다 물 마시라고 메모해줘":                                           {noun: "타이머", rest: "물 마시라고 메모해줘"},
		"when a file arrives in Downloads, read it":                         {folder: "Downloads", rest: "read it", comes: true},
		"When a new PDF comes into my Downloads folder, show the file list": {folder: "Downloads", rest: "show the file list", comes: true, endings: []string{".pdf"}},
		"whenever a file in Documents changes tell me the weather in Seoul": {folder: "Documents", rest: "tell me the weather in Seoul", changes: true},
		"tell me the weather in Seoul whenever a timer rings":               {noun: "timer", rest: "tell me the weather in Seoul"},
		"when the song ends, tell me the weather in Seoul":                  {noun: "song", rest: "tell me the weather in Seoul"},
		"whenever a timer goes off play a song":                             {noun: "timer", rest: "play a song"},
		"read it when a file is saved to Documents":                         {folder: "Documents", rest: "read it", comes: true},
	} {
		c, ok := slot.When(text)
		if !ok {
			t.Errorf("%q says nothing", text)
			continue
		}
		if c.Folder != want.folder || c.Noun != want.noun || c.Arrives != want.comes || c.Changes != want.changes || !slices.Equal(c.Endings, want.endings) {
			t.Errorf("%q is %+v", text, c)
		}
		if got := c.Rest(text); got != want.rest {
			t.Errorf("%q leaves %q", text, got)
		}
	}
	for _, text := range []string{"다운로드 폴더에 뭐가 있어?", "파일 보여줘", "노래 틀어줘", "타이머 맞춰줘", "'노래가 끝나면' 메모해줘", "when is my meeting?", "play a song when you can"} {
		if c, ok := slot.When(text); ok {
			t.Errorf("%q says %+v", text, c)
		}
	}
}
