package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/event"
)

// shelved waits until a shelf has read so many files and rests.
func (s *session) shelved(from, files int) (v event.LibraryShelf) {
	s.t.Helper()
	s.awaitFrom(from, "the shelf to be read", func(l line) bool {
		v = event.LibraryShelf{}
		return l.Kind == event.KindLibraryShelf && json.Unmarshal(l.Data, &v) == nil && v.Read == files && v.Waiting == 0 && !v.Looking
	})
	return v
}

// A question is put to a shelf by its id and by its name, to what is attached in the chat by its name, and to no shelf that is not there.
func TestAskingOneShelf(t *testing.T) {
	s := start(t, t.TempDir())
	s.reads("회사.txt", leaseOfWork)
	folder := filepath.Join(t.TempDir(), "임대차")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"집.txt":  "임대차계약서\n제1조(목적) 이 계약은 집을 빌리는 데 쓴다.\n제5조(차임) 차임은 매월 70만원으로 한다.\n",
		"가게.txt": "점포 임대차계약서\n제1조(목적) 이 계약은 가게를 빌리는 데 쓴다.\n제8조(위약금) 위약금은 200만원으로 한다.\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	from := s.mark()
	s.must("shelf_add", map[string]any{"path": folder, "name": "임대 계약"}, nil)
	shelf := s.shelved(from, 2)
	var snap struct{ Shelves []event.LibraryShelf }
	if s.must("snapshot", nil, &snap); len(snap.Shelves) != 1 || snap.Shelves[0].Title != "임대 계약" {
		t.Errorf("%+v", snap)
	}
	const wage = "월급은 얼마야?"
	for _, c := range []struct {
		say  map[string]any
		want string
	}{
		{map[string]any{"text": wage}, "300만원"},
		{map[string]any{"text": wage, "shelf": shelf.ID}, "‘임대 계약’ 서가에는 없어요."},
		{map[string]any{"text": "위약금은 얼마야?", "shelf": shelf.ID}, "200만원"},
		{map[string]any{"text": "임대 계약 서가에서 차임은 얼마야?"}, "70만원"},
		{map[string]any{"text": "임대 계약 서가에서 " + wage}, "‘임대 계약’ 서가에는 없어요."},
		{map[string]any{"text": "영수증 서가에서 합계는 얼마야?"}, "‘영수증’이라는 서가는 없어요. 있는 서가: 임대 계약"},
		{map[string]any{"text": "위약금은 얼마야?", "shelf": shelf.ID, "attachments": []string{filepath.Join(folder, "집.txt")}}, "위약금은 200만원"},
		{map[string]any{"text": "차임은 얼마야?", "attached": true}, "매월 70만원"},
		{map[string]any{"text": "첨부한 파일들에서 위약금은 얼마야?"}, "첨부한 것의 앞부분"}, // it holds none
	} {
		if m := s.answers(c.say); !strings.Contains(m.Text, c.want) {
			t.Errorf("%v: %q, want %q", c.say, m.Text, c.want)
		}
	}
	for code, say := range map[string]map[string]any{
		"shelf_gone": {"text": wage, "shelf": "none"}, "attachment_gone": {"text": wage, "chat": "new", "attached": true},
	} {
		if a := s.do("say", say); a.OK || string(a.Error.Code) != code {
			t.Errorf("%v: %+v, want %q", say, a, code)
		}
	}
	s.must("shelf_remove", map[string]any{"shelf": shelf.ID, "documents": true}, nil)
}
