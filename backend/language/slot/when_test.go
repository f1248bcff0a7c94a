package slot_test

import (
	"slices"
	"strings"
	"testing"

	"agentchat/backend/language/slot"
)

func TestConditions(t *testing.T) {
	for text, want := range map[string]struct {
		folder, file, noun, rest string
		comes, changes           bool
		endings                  []string
	}{
		"다운로드 폴더에 파일이 오면 목록 보여줘":                                            {folder: "다운로드", rest: "목록 보여줘", comes: true},
		"다운로드 폴더에 새 파일이 생길 때마다 그 파일 읽어줘":                                    {folder: "다운로드", rest: "그 파일 읽어줘", comes: true},
		"다운로드에 txt 파일이 오면 그 파일 읽어줘":                                         {folder: "다운로드", rest: "그 파일 읽어줘", comes: true, endings: []string{".txt"}},
		"whenever a pdf file arrives in Downloads read that file":           {folder: "Downloads", rest: "read that file", comes: true, endings: []string{".pdf"}},
		"when a file comes in my 문서 folder, list my notes":                  {folder: "문서", rest: "list my notes", comes: true},
		"다운로드에 pdf가 들어오면 그 파일 읽어줘":                                          {folder: "다운로드", rest: "그 파일 읽어줘", comes: true, endings: []string{".pdf"}},
		"문서 폴더의 파일이 바뀌면 알려줘":                                                {folder: "문서", rest: "알려줘", changes: true},
		"문서/영수증 폴더에 파일이 오거나 바뀌면 메모해줘: 확인":                                   {folder: "문서/영수증", rest: "메모해줘: 확인", comes: true, changes: true},
		"Documents 폴더에 파일이 도착하면, 서울 날씨 알려줘":                                 {folder: "Documents", rest: "서울 날씨 알려줘", comes: true},
		"회의.txt가 바뀌면 서울 날씨 알려줘":                                             {file: "회의.txt", rest: "서울 날씨 알려줘", changes: true},
		"회의.txt 파일이 바뀔 때마다 그 파일 읽어줘":                                        {file: "회의.txt", rest: "그 파일 읽어줘", changes: true},
		"문서 폴더의 회의록.md가 수정되면 그 파일 읽어줘":                                      {folder: "문서", file: "회의록.md", rest: "그 파일 읽어줘", changes: true},
		"다운로드 폴더에 보고서.pdf가 오면 그 파일 읽어줘":                                     {folder: "다운로드", file: "보고서.pdf", rest: "그 파일 읽어줘", comes: true},
		"when notes.txt changes tell me the weather in Seoul":               {file: "notes.txt", rest: "tell me the weather in Seoul", changes: true},
		"whenever Report.pdf in Downloads is updated, read that file":       {folder: "Downloads", file: "Report.pdf", rest: "read that file", changes: true},
		"read it when notes.txt is changed":                                 {file: "notes.txt", rest: "read it", changes: true},
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
		if c.Folder != want.folder || c.File != want.file || c.Noun != want.noun || c.Arrives != want.comes || c.Changes != want.changes || !slices.Equal(c.Endings, want.endings) {
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

func TestToFolder(t *testing.T) {
	for text, want := range map[string][2]string{
		"다운로드 주문을 사진 폴더로 바꿔줘":                             {"사진", "다운로드 주문을 바꿔줘"},
		"change the Downloads order to the Photos folder": {"Photos", "change the Downloads order"},
		"7시로 바꿔줘": {}, "move it to Friday": {},
	} {
		folder, rest, ok := slot.ToFolder(text)
		if ok != (want[0] != "") || folder != want[0] || ok && strings.Join(strings.Fields(rest), " ") != want[1] {
			t.Errorf("%q goes to %q and leaves %q", text, folder, rest)
		}
	}
}
