package titles

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/event"
)

func asked(known int64, texts ...string) []Request {
	var list []Request
	for i, text := range texts {
		list = append(list, Request{N: known + int64(i) + 1, Text: text})
	}
	return list
}

// Code's own title is the act and its object, a greeting is none, and a talk has moved on when its last requests are of one new thing.
func TestOwn(t *testing.T) {
	moving := Talk{Title: "서울 날씨", Times: 1, Known: 2, Requests: slices.Concat(
		asked(0, "서울 날씨 알려줘", "내일 서울 날씨는?"),
		asked(2, "고마워", "임대차 계약서 보증금은 얼마야", "임대차 계약 기간은", "보증금 돌려받는 날짜", "임대차 특약 조항"))}
	staying := Talk{Title: "서울 날씨", Times: 1, Known: 1, Requests: asked(0, "서울 날씨 알려줘", "부산 날씨", "우산 챙길까 서울", "날씨 어때 내일", "주말 날씨 부산", "서울 기온")}
	scattered := Talk{Title: "서울 날씨", Times: 1, Known: 1, Requests: asked(0, "서울 날씨 알려줘", "노래 틀어줘", "우유 메모", "타이머 설정", "계산기 열기", "번역 부탁")}
	for name, c := range map[string]struct {
		talk Talk
		want string
	}{
		"a ticket":    {Talk{Requests: []Request{{N: 1, Text: "목적지 A로 네비 켜줘", Ticket: "길 안내: 목적지 A"}}}, "길 안내: 목적지 A"},
		"a question":  {Talk{Requests: asked(0, "임대차 계약서에서 보증금이 얼마야?")}, "임대차 계약서 보증금"},
		"a greeting":  {Talk{Requests: asked(0, "안녕")}, ""},
		"then a wish": {Talk{Requests: asked(0, "안녕", "Find the lease agreement from March")}, "Find the lease agreement from March"},
		"small words": {Talk{Requests: asked(0, "every morning at 8 add 3 and 4")}, "every morning at 8 add 3 and 4"},
		"a sum":       {Talk{Requests: asked(0, "동생에게 5만원 송금해줘")}, "동생 5만원 송금해줘"},
		"moved on":    {moving, "임대차 계약서 보증금"},
		"stayed":      {staying, ""},
		"scattered":   {scattered, ""},
		"bent":        {Talk{Times: 1, Known: 1, Title: "old", Requests: asked(4, "서울 날씨 알려줘")}, "서울 날씨"},
	} {
		if got := c.talk.Own(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestCleanMakesOneShortLine(t *testing.T) {
	for text, want := range map[string]string{
		"\n  **“서울 날씨”**.\n설명": "서울 날씨", "a\u202eb\x07c": "abc", "!!! 12": "", "": "",
		"A rather long title that a model wrote although it was told not to": "A rather long title that a model wrote…",
	} {
		if got := Clean(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

type shelf struct {
	talks []Talk
	names []Name
}

func (s *shelf) Untitled(context.Context, int, int) ([]Talk, error) { return s.talks, nil }

func (s *shelf) SetTitle(_ context.Context, n Name) (bool, error) {
	s.names = append(s.names, n)
	if n.Final {
		s.talks = nil
	}
	return true, nil
}

type nobody struct{}

func (nobody) Publish(...event.Event) {}

func alone(do func() error) error { return do() }

// A chat has code's title at once and the model's when that comes; where the model fails code's stays, and nothing is asked twice.
func TestTheModelsTitleTakesThePlaceOfCodes(t *testing.T) {
	for name, c := range map[string]struct {
		model string
		err   error
		want  []Name
	}{
		"a model":  {"“Weather in Seoul.”", nil, []Name{{Chat: "c", Title: "서울 날씨"}, {Chat: "c", Title: "Weather in Seoul", ByModel: true, Final: true, At: 1}}},
		"no model": {"", nil, []Name{{Chat: "c", Title: "서울 날씨"}, {Chat: "c", Title: "서울 날씨", Final: true, At: 1}}},
		"a broken": {"", errors.New("broken"), []Name{{Chat: "c", Title: "서울 날씨"}, {Chat: "c", Title: "서울 날씨", Final: true, At: 1}}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &shelf{talks: []Talk{{Chat: "c", Requests: asked(0, "서울 날씨 알려줘")}}}
			l := New(Deps{Store: s, Publisher: nobody{}, Telling: alone, Now: time.Now, Model: func(context.Context, string, string) (string, error) { return c.model, c.err }})
			l.Start(t.Context())
			synctest.Wait()
			l.Wake()
			synctest.Wait()
			l.Stop()
			if !slices.Equal(s.names, c.want) {
				t.Errorf("%s: %+v, want %+v", name, s.names, c.want)
			}
		})
	}
}

// What was asked may be taken back between the look for chats and the look at what was said in them.
func TestAChatWithoutRequestsIsLeftAlone(t *testing.T) {
	titles := New(Deps{Now: time.Now, Model: func(context.Context, string, string) (string, error) {
		t.Error("the model was asked")
		return "", nil
	}})
	if err := titles.name(t.Context(), Talk{Chat: "main"}); err != nil {
		t.Error(err)
	}
}
