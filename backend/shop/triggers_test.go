package shop_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentchat/backend/event"
)

// arrives puts a file into a folder as a program that brings it does.
func arrives(t testing.TB, folder, name, text string) {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path+".part", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".part", path); err != nil {
		t.Fatal(err)
	}
}

// opened opens a folder of this name, with a file in it.
func (o *orderer) opened(name string) string {
	o.t.Helper()
	folder := filepath.Join(o.t.TempDir(), name)
	if err := os.Mkdir(folder, 0o755); err != nil {
		o.t.Fatal(err)
	}
	arrives(o.t, folder, "old.txt", "old")
	if _, err := o.OpenFolder(folder, true); err != nil {
		o.t.Fatal(err)
	}
	return folder
}

// setOff waits until an order is set off, and until everything that came of it has ended or waits. It gives the answer.
func (o *orderer) setOff() event.ChatMessage {
	o.t.Helper()
	m := until(o.customer, "the order is set off", func(_ event.Envelope, m event.ChatMessage) bool {
		return m.Role == event.RoleShop && m.Standing != nil
	})
	if err := o.WaitIdle(context.Background()); err != nil {
		o.t.Fatal(err)
	}
	return m
}

// On a real disk: what arrives sets the order off once, with its name; what was there, and what is being written, does not.
func TestAFileSetsAnOrderOff(t *testing.T) {
	for lang, c := range map[string][]string{
		"ko": {"다운로드 폴더에 파일이 오면 그 파일 읽어줘", "‘다운로드’ 폴더에 파일이 올 때마다", "이제부터의 것만", "응", "정기 주문으로 두었어요", "다운로드"},
		"en": {"when a file arrives in Downloads, read that file", "whenever a file arrives in “Downloads”", "from now on", "yes", "standing order now", "Downloads"},
	} {
		t.Run(lang, func(t *testing.T) {
			o := order(t, lang)
			folder := o.opened(c[5])
			d := o.says(c[0], c[1], c[2])
			if d.NextAction != event.NextConfirm || len(o.orders()) != 0 {
				t.Fatalf("it is not asked about: %+v", d)
			}
			o.says(c[3], c[4])
			if v := o.orders(); len(v) != 1 || v[0].On != "file" || v[0].Problem != "" {
				t.Fatalf("kept as %+v", v)
			}
			arrives(t, folder, "new.txt", "hello from the file")
			m := o.setOff()
			if !strings.Contains(m.Text, "`"+c[5]+"/new.txt`") {
				t.Errorf("it says %q", m.Text)
			}
			runs := o.orders()[0].Runs
			if len(runs) != 1 || runs[0].State != "done" || runs[0].Because != c[5]+"/new.txt" || !strings.Contains(runs[0].Text, "hello from the file") {
				t.Fatalf("the run is %+v", runs)
			}
			// What came while the program was ended is found at the next start: the last of it, once.
			o.leave()
			for _, name := range []string{"a.txt", "b.txt"} {
				arrives(t, folder, name, name)
				before := time.Now().Add(-time.Hour)
				if err := os.Chtimes(filepath.Join(folder, name), before, before); err != nil {
					t.Fatal(err)
				}
			}
			o.open(t)
			o.setOff()
			if runs := o.orders()[0].Runs; len(runs) != 2 || runs[0].Missed != 1 {
				t.Errorf("after the start: %+v", runs)
			}
		})
	}
}

// The end of a ticket sets an order off; one that its own run brought to an end does not.
func TestATicketSetsAnOrderOff(t *testing.T) {
	o := order(t, "ko")
	o.says("계산이 끝나면 1 더하기 1 계산해줘")
	if len(o.orders()) != 0 {
		t.Fatal("what nobody calls so is waited for")
	}
	o.says("계산기가 끝나면 2 더하기 3 계산해줘", "계산기가 끝날 때마다", "스스로 한 일")
	o.says("응", "두었어요")
	o.job("7 곱하기 8 계산해줘")
	o.setOff()
	if runs := o.orders()[0].Runs; len(runs) != 1 || runs[0].State != "done" || runs[0].Because == "" {
		t.Fatalf("the run is %+v", runs)
	}
	o.says("정기 주문 보여줘", "계산기가 끝날 때마다")
	if runs := o.orders()[0].Runs; len(runs) != 1 {
		t.Errorf("it set itself off: %+v", runs)
	}
}

// A typed yes is to the card that was on show, and to nothing else.
func TestATypedYesIsToWhatWasShown(t *testing.T) {
	o := order(t, "ko")
	o.says("매일 아침 8시에 서울 날씨 알려줘")
	if _, err := o.Say(context.Background(), "main", "응", "", "standing:keep:another"); err != nil {
		t.Fatal(err)
	}
	until(o.customer, "it is shown again", func(_ event.Envelope, d event.TurnDone) bool {
		return strings.Contains(d.Message, "이렇게 정기 주문으로 둘까요?") && len(o.orders()) == 0 && d.NextAction == event.NextConfirm
	})
	o.says("응", "두었어요")
}

// What an order's own run writes into its folder does not set it off again, and a name that came with a file is asked about as such.
func TestAnOrderDoesNotSetItselfOff(t *testing.T) {
	o := order(t, "ko")
	folder := o.opened("다운로드")
	o.says("다운로드 폴더에 파일이 오면 다운로드/목록.txt에 '새 파일' 추가해줘", "여쭤봐요")
	o.says("응", "두었어요")
	arrives(t, folder, "new.txt", "x")
	o.setOff()
	asks := o.snapshot().Asks
	if len(asks) != 1 {
		t.Fatalf("%d questions stand open, want one", len(asks))
	}
	if err := o.approve(asks[0], "order"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "목록.txt")); err != nil {
		t.Fatal(err)
	}
	arrives(t, folder, "next.txt", "x") // whoever hears of this has heard of the list
	o.setOff()
	if runs := o.orders()[0].Runs; len(runs) != 2 || runs[0].Because != "다운로드/next.txt" {
		t.Errorf("the runs are %+v", runs)
	}
	raw, err := os.ReadFile(filepath.Join(folder, "목록.txt"))
	if err != nil || strings.Count(string(raw), "새 파일") != 2 {
		t.Errorf("the list holds %q, %v", raw, err)
	}
	o.says("다운로드 폴더에 파일이 오면 그 파일 지워줘", "여쭤봐요")
	o.says("응", "두었어요")
	arrives(t, folder, "evil.txt", "x")
	until(o.customer, "it is asked", func(_ event.Envelope, a event.AskOpened) bool {
		if a.Tool != "file_trash" {
			return false
		}
		for _, origin := range a.Origins {
			if origin.From == "trigger" && !origin.Trusted {
				return true
			}
		}
		t.Errorf("the origins are %+v", a.Origins)
		return true
	})
}

// What sets an order off is another folder, is paused and goes by words.
func TestATriggerIsChangedByWords(t *testing.T) {
	for lang, c := range map[string]struct{ from, to, said, yes, moves, moved, pause, remove string }{
		"ko": {"다운로드", "사진", "다운로드 폴더에 파일이 오면 그 파일 읽어줘", "응", "다운로드 정기 주문을 사진 폴더로 바꿔줘", "‘사진’ 폴더에 파일이 올 때마다", "파일이 오면 하는 정기 주문 멈춰줘", "사진 정기 주문 지워줘"},
		"en": {"Downloads", "Photos", "when a file arrives in Downloads, read that file", "yes", "change the Downloads order to the Photos folder", "whenever a file arrives in “Photos”", "pause the order when a file arrives", "delete the Photos standing order"},
	} {
		t.Run(lang, func(t *testing.T) {
			o := order(t, lang)
			from, to := o.opened(c.from), o.opened(c.to)
			o.says(c.said)
			o.says(c.yes)
			o.says(c.moves, c.moved)
			if v := o.orders(); len(v) != 1 || !strings.Contains(v[0].When, c.moved) || v[0].Problem != "" {
				t.Fatalf("moved to %+v", v)
			}
			arrives(t, from, "left.txt", "nobody waits for this")
			arrives(t, to, "new.txt", "hello from the file")
			o.setOff()
			if runs := o.orders()[0].Runs; len(runs) != 1 || runs[0].Because != c.to+"/new.txt" {
				t.Errorf("set off by %+v", runs)
			}
			o.says(c.pause)
			if v := o.orders(); len(v) != 1 || v[0].State != "paused" {
				t.Fatalf("not paused: %+v", v)
			}
			o.says(c.remove)
			o.says(c.yes)
			if v := o.orders(); len(v) != 0 {
				t.Errorf("not gone: %+v", v)
			}
		})
	}
}

// One file is named: it sets the order off when it changes, however it is written, and its neighbours do not.
func TestOneFileSetsAnOrderOff(t *testing.T) {
	for lang, c := range map[string][]string{
		"ko": {"회의.txt가 바뀌면 그 파일 읽어줘", "‘일/회의.txt’ 파일이 바뀔 때마다", "응", "일", "회의.txt"},
		"en": {"when notes.txt changes, read that file", "whenever “work/notes.txt” changes", "yes", "work", "notes.txt"},
	} {
		t.Run(lang, func(t *testing.T) {
			o := order(t, lang)
			folder := o.opened(c[3])
			arrives(t, folder, c[4], "as it was")
			o.says(c[0], c[1])
			o.says(c[2])
			arrives(t, folder, "other.txt", "nobody waits for this")
			for i, text := range []string{"first", "and the second time"} {
				arrives(t, folder, c[4], text) // put in the place of the old one
				o.again()
				until(o.customer, "it was read", func(_ event.Envelope, m event.ChatMessage) bool {
					return m.Role == event.RoleJob && strings.Contains(m.Text, text)
				})
				if err := o.WaitIdle(context.Background()); err != nil {
					t.Fatal(err)
				}
				if runs := o.orders()[0].Runs; len(runs) != i+1 || runs[0].Because != c[3]+"/"+c[4] {
					t.Errorf("set off by %+v", runs)
				}
			}
		})
	}
	o := order(t, "ko")
	o.opened("일")
	o.says("없는것.txt가 바뀌면 그 파일 읽어줘", "없는것.txt")
	if v := o.orders(); len(v) != 0 {
		t.Errorf("a file that is not there: %+v", v)
	}
}
