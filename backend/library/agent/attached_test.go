package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/library/agent"
)

var receipt = event.Attachment{ID: "p", Name: "영수증.jpg", Kind: event.AttachmentImage, Format: "jpeg", Width: 800, Height: 600, Bytes: 40 << 10}

// handed asks with files: the contract, and pictures. whole are the documents that a request has room for.
func (s *shelf) handed(text string, sees bool, whole []string, documents []string, pictures ...event.Attachment) *agent.Inquiry {
	s.t.Helper()
	s.deps.Whole = func(_ context.Context, list []event.DocumentRef) (items []library.Item, err error) {
		for _, d := range list {
			if slices.Contains(whole, d.DocumentID) {
				items = append(items, library.Item{DocumentID: d.DocumentID, Title: d.Title, Kind: "attached", Quote: strings.Repeat("앞 ", 600) + "맨 끝", Whole: true})
			}
		}
		return items, nil
	}
	s.deps.Begins = func(_ context.Context, document string) ([]library.Item, error) {
		return []library.Item{{DocumentID: document, Title: "계약", Kind: "attached", Quote: "이 문서는 이렇게 시작한다."}}, nil
	}
	s.deps.Sees = func(context.Context) bool { return sees }
	s.again()
	q := &agent.Inquiry{Chat: "main", Message: "m", Lang: bilingual.KO, Text: text, Pictures: pictures}
	for _, d := range documents {
		q.Attached = append(q.Attached, event.DocumentRef{DocumentID: d, Title: d + ".md"})
	}
	if err := s.Answer(s.t.Context(), q, func(*agent.Inquiry) error { return nil }); err != nil {
		s.t.Fatal(err)
	}
	return q
}

// A question that came with files is about them, whatever it says: without a model it is answered by their passages, or else by how they begin.
func TestAQuestionAboutWhatIsAttached(t *testing.T) {
	s := open(t)
	q := s.handed("제5조 내용이 뭐야?", false, nil, []string{"d", "e"})
	if !strings.Contains(q.Answer, "300만원") || len(q.Sources) != 1 || q.Sources[0].DocumentID != "d" {
		t.Errorf("%q from %+v", q.Answer, q.Sources)
	}
	for _, used := range s.used {
		if !strings.Contains(used, `"document":"d"`) && !strings.Contains(used, `"document":"e"`) {
			t.Errorf("%s was used: it looks elsewhere", used)
		}
	}
	if !strings.Contains(q.Trail[0].Text, "‘d.md’, ‘e.md’") {
		t.Errorf("the trail begins with %q", q.Trail[0].Text)
	}
	q = open(t).handed("이거 간추려 줘", false, nil, []string{"d"})
	if !strings.Contains(q.Answer, "앞부분") || !strings.Contains(q.Answer, "이렇게 시작한다") || len(q.Sources) != 1 {
		t.Errorf("nothing fits: %q", q.Answer)
	}
}

// What a request has room for goes to the model whole, uncut, without a search; the rest by passages.
func TestShortFilesGoWhole(t *testing.T) {
	s := open(t)
	var given []library.Item
	s.room = 100000
	s.word = func(chosen []library.Item) (agent.Wording, error) {
		given = chosen
		return agent.Wording{Text: "끝은 “맨 끝” [1]."}, nil
	}
	q := s.handed("끝이 뭐야?", false, []string{"d"}, []string{"d"})
	if len(given) != 1 || !strings.HasSuffix(agent.Shown(given[0]), "맨 끝") || len(s.used) != 0 || len(q.Unverified) != 0 {
		t.Errorf("given %+v after %v, doubts %v", given, s.used, q.Unverified)
	}
	q = s.handed("제5조 내용이 뭐야?", false, []string{"e"}, []string{"d", "e"})
	if len(given) != 2 || given[0].DocumentID != "e" || given[1].Number != "5" || len(q.Sources) != 2 {
		t.Errorf("given %+v", given)
	}
	for _, used := range s.used {
		if strings.Contains(used, `"document":"e"`) {
			t.Errorf("%s: it goes whole", used)
		}
	}
}

// A picture goes to a model that sees. Without one, or when it fails, the answer says what is known of it and what to do, beside what else
// there is.
func TestPictures(t *testing.T) {
	s := open(t)
	var given []library.Item
	s.word = func(chosen []library.Item) (agent.Wording, error) {
		given = chosen
		return agent.Wording{Text: "영수증이에요 [1]."}, nil
	}
	q := s.handed("이게 뭐야? 얼마야?", true, nil, nil, receipt)
	if len(given) != 1 || given[0].Picture != "p" || q.Answer != "영수증이에요 [1]." || len(q.Sources) != 1 || q.Sources[0].Attachment != "p" || q.Sources[0].Title != "영수증.jpg" {
		t.Errorf("%q from %+v, given %+v", q.Answer, q.Sources, given)
	}
	told := func(q *agent.Inquiry, sources int, more string) {
		t.Helper()
		for _, part := range []string{"그림을 볼 수 있는 모델이 없어서", "영수증.jpg", "800×600, JPEG, 40 KB", "모델 페이지", more} {
			if !strings.Contains(q.Answer, part) {
				t.Errorf("%q does not say %q", q.Answer, part)
			}
		}
		if len(q.Sources) != sources {
			t.Errorf("sources %+v", q.Sources)
		}
	}
	told(s.handed("이게 뭐야?", false, nil, nil, receipt), 0, "")
	s.word = nil
	told(s.handed("제5조 내용이 뭐야?", false, nil, []string{"d"}, receipt), 1, "300만원")
	s.word = func([]library.Item) (agent.Wording, error) { return agent.Wording{}, errors.New("turned down") }
	told(s.handed("제5조 내용이 뭐야?", true, nil, []string{"d"}, receipt), 1, "300만원")
	told(s.handed("이게 뭐야?", true, nil, nil, receipt), 0, "")
}

// What only goes on about files is looked for in them first, and where they hold nothing of it in the library.
func TestAQuestionAfterFilesMayBeOneToTheLibrary(t *testing.T) {
	for document, source := range map[string]string{"d": "d", "e": "d"} {
		s := open(t)
		q := &agent.Inquiry{Chat: "main", Message: "m", Lang: bilingual.KO, Text: "제5조 내용이 뭐야?", Loose: true, Attached: []event.DocumentRef{{DocumentID: document, Title: "a.md"}}}
		if err := s.Answer(t.Context(), q, func(*agent.Inquiry) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if len(q.Sources) != 1 || q.Sources[0].DocumentID != source || !strings.Contains(s.used[0], `"document":"`+document+`"`) {
			t.Errorf("in %s: %+v after %v", document, q.Sources, s.used)
		}
		if wide := len(s.used) == 2 && !strings.Contains(s.used[len(s.used)-1], "document"); wide != (document == "e") {
			t.Errorf("in %s: %v", document, s.used)
		}
	}
}
