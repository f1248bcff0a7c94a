package crash

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agentchat/backend/event"
	"agentchat/backend/toolbox"
)

// all checks that the jobs ended in these states, in the order of their tickets.
func all(want ...string) func(*process, snapshot) []string {
	return func(_ *process, end snapshot) []string {
		if got := end.states(); !slices.Equal(got, want) {
			return []string{fmt.Sprintf("lost: the jobs ended %v, not %v", got, want)}
		}
		return nil
	}
}

// among is all for jobs that may end in several ways: it depends on who was quicker when the program was killed.
func among(n int, states ...string) func(*process, snapshot) []string {
	return func(_ *process, end snapshot) (wrong []string) {
		if len(end.Jobs) != n {
			wrong = append(wrong, fmt.Sprintf("lost: %d jobs of %d", len(end.Jobs), n))
		}
		for _, s := range end.states() {
			if !slices.Contains(states, s) {
				wrong = append(wrong, "lost: a job ended "+s)
			}
		}
		return wrong
	}
}

// when answers every lock question the same way.
func when(choice string) func(event.AskOpened) string {
	return func(a event.AskOpened) string {
		if a.Kind == "lock" {
			return choice
		}
		return ""
	}
}

func now(texts ...string) (lines []line) {
	for _, t := range texts {
		lines = append(lines, line{text: t})
	}
	return lines
}

func calmly(texts ...string) (lines []line) {
	for _, t := range texts {
		lines = append(lines, line{text: t, rest: true})
	}
	return lines
}

// sent checks that both transfers were made once and that the counter says so.
func sent(p *process, end snapshot) []string {
	wrong := all("succeeded", "succeeded")(p, end)
	msgs, err := history(p)
	if err != nil {
		return append(wrong, "lost: "+err.Error())
	}
	answers := spoken(msgs, event.RoleShop)
	const want = "이번에 총 6만원을 보내셨어요. 엄마에게 1만원, 용걸이에게 5만원이었어요."
	if len(answers) == 0 || answers[len(answers)-1].Text != want {
		wrong = append(wrong, fmt.Sprintf("doubled: the books say %v", answers))
	}
	return wrong
}

// books is the part of the bank that matters here.
type books struct {
	Accounts []struct {
		Balance int64 `json:"balance"`
	} `json:"accounts"`
	Statement []struct {
		Target    string `json:"target"`
		Amount    int64  `json:"amount"`
		Direction string `json:"direction"`
	} `json:"statement"`
	Scheduled []struct {
		State string `json:"state"`
	} `json:"scheduled"`
}

// waiting counts the transfers whose day has not come.
func (b books) waiting() (n int) {
	for _, s := range b.Scheduled {
		if s.State == "scheduled" {
			n++
		}
	}
	return n
}

// booked checks what is in the account, how often money went out and how many transfers wait for their day.
func booked(balance int64, out, waiting int) func(*process, snapshot) []string {
	return func(p *process, _ snapshot) (wrong []string) {
		var b books
		if err := p.do("bank", nil, &b); err != nil {
			return []string{"lost: " + err.Error()}
		}
		went := 0
		for _, l := range b.Statement {
			if l.Direction == "out" {
				went++
			}
		}
		if len(b.Accounts) != 1 || b.Accounts[0].Balance != balance {
			wrong = append(wrong, fmt.Sprintf("doubled: the account holds %+v, not %d", b.Accounts, balance))
		}
		if went != out {
			wrong = append(wrong, fmt.Sprintf("doubled: money went out %d times, not %d", went, out))
		}
		if n := b.waiting(); n != waiting {
			wrong = append(wrong, fmt.Sprintf("lost: %d transfers wait for their day, not %d", n, waiting))
		}
		return wrong
	}
}

// due waits until no transfer waits for its day.
func due(p *process) error {
	for {
		p.mu.Lock()
		seen := len(p.events)
		p.mu.Unlock()
		var b books
		if err := p.do("bank", nil, &b); err != nil || b.waiting() == 0 {
			return err
		}
		err := p.until("the books to change", func() bool {
			return slices.ContainsFunc(p.events[seen:], func(e event.Envelope) bool { return e.Kind == event.KindBankChanged })
		})
		if err != nil {
			return err
		}
	}
}

// caughtUp waits until the moments of the standing order that passed were dealt with, in this run of the program or one before.
func caughtUp(p *process) error {
	for {
		p.mu.Lock()
		seen := len(p.events)
		p.mu.Unlock()
		var kept struct {
			Orders []struct {
				Runs []struct{} `json:"runs"`
			} `json:"orders"`
		}
		if err := p.do("standing", nil, &kept); err != nil || len(kept.Orders) == 1 && len(kept.Orders[0].Runs) > 0 {
			return err
		}
		err := p.until("the standing order to run", func() bool {
			return slices.ContainsFunc(p.events[seen:], func(e event.Envelope) bool { return e.Kind == event.KindStandingChanged })
		})
		if err != nil {
			return err
		}
	}
}

// onceMore has the standing order run a second time, once, and waits until that was taken up.
func onceMore(p *process) error {
	var kept struct {
		Orders []struct {
			ID   string     `json:"id"`
			Runs []struct{} `json:"runs"`
		} `json:"orders"`
	}
	if err := p.do("standing", nil, &kept); err != nil {
		return err
	}
	if len(kept.Orders) != 1 || len(kept.Orders[0].Runs) > 1 {
		return nil
	}
	return p.do("standing_now", map[string]any{"order": kept.Orders[0].ID}, nil)
}

// brings puts a file into the folder, once, and waits until it was dealt with.
func brings(p *process) error {
	path := filepath.Join(p.home, folderName, "새것.txt")
	if _, err := os.Stat(path); err != nil {
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			return err
		}
	}
	return caughtUp(p)
}

// shelves is the part of the library that matters here.
type shelves struct {
	Documents []struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		Kind  string `json:"kind"`
	} `json:"documents"`
	Imports []event.LibraryImport `json:"imports"`
}

// brought puts the folder testdata/library into the library, unless that is under way or done, and waits for its end.
func brought(p *process) error {
	folder, err := filepath.Abs(filepath.Join("testdata", "library"))
	if err != nil {
		return err
	}
	for {
		p.mu.Lock()
		seen := len(p.events)
		p.mu.Unlock()
		var s shelves
		if err := p.do("documents", nil, &s); err != nil {
			return err
		}
		switch {
		case len(s.Imports) == 0:
			if err := p.do("import", map[string]any{"path": folder}, nil); err != nil {
				return err
			}
			continue
		case !slices.ContainsFunc(s.Imports, func(i event.LibraryImport) bool { return i.State == "running" }):
			return nil
		}
		err := p.until("the import to move", func() bool {
			return slices.ContainsFunc(p.events[seen:], func(e event.Envelope) bool { return e.Kind == event.KindLibraryImport })
		})
		if err != nil {
			return err
		}
	}
}

// onTheShelf checks that every document is there once and whole.
func onTheShelf(p *process) (wrong []string) {
	var s shelves
	if err := p.do("documents", nil, &s); err != nil {
		return []string{"lost: " + err.Error()}
	}
	var mine []string
	for _, d := range s.Documents {
		if d.Kind != "mine" {
			continue
		}
		mine = append(mine, d.Title)
		var text struct {
			Passages []struct {
				Start int    `json:"start"`
				Text  string `json:"text"`
			} `json:"passages"`
		}
		if err := p.do("document", map[string]any{"document": d.ID}, &text); err != nil {
			return []string{"lost: " + err.Error()}
		}
		at := 0
		for _, x := range text.Passages {
			if x.Start != at {
				wrong = append(wrong, fmt.Sprintf("lost: %s has a gap at %d", d.Title, at))
			}
			at += len(x.Text)
		}
	}
	slices.Sort(mine)
	if want := []string{"규정", "근로계약", "비밀유지"}; !slices.Equal(mine, want) {
		wrong = append(wrong, fmt.Sprintf("doubled: the library holds %v, not %v", mine, want))
	}
	if len(s.Imports) != 1 || s.Imports[0].Added+s.Imports[0].Duplicates != 3 || len(s.Imports[0].Problems) > 0 {
		wrong = append(wrong, fmt.Sprintf("lost: the imports are %+v", s.Imports))
	}
	return wrong
}

// shelved checks that every document is there once and whole, and that the question was answered from one.
func shelved(p *process, _ snapshot) (wrong []string) {
	wrong = onTheShelf(p)
	msgs, err := history(p)
	if err != nil {
		return append(wrong, "lost: "+err.Error())
	}
	if answers := spoken(msgs, event.RoleShop); len(answers) == 0 || !strings.Contains(answers[0].Text, "월급은 300만원") || answers[0].Library == nil || len(answers[0].Library.Sources) != 1 {
		wrong = append(wrong, fmt.Sprintf("lost: the answers are %+v", answers))
	}
	return wrong
}

// scripts are the stories that are told while the program is killed.
var scripts = []script{
	{name: "A two at once", says: now("목적지 A로 네비 켜줘", "노래 불러줘"), check: all("succeeded", "succeeded")},
	{name: "B wait", says: now("목적지 A로 네비 켜줘", "영화도 틀어줘"), choose: when("wait"), check: all("succeeded", "succeeded")},
	{name: "B cancel", says: now("목적지 A로 네비 켜줘", "영화도 틀어줘"), choose: when("cancel"), check: among(2, "succeeded", "canceled")},
	{name: "B stop the other", says: now("목적지 A로 네비 켜줘", "영화도 틀어줘"), choose: when("stop_other"), check: among(2, "succeeded", "canceled")},
	{
		name: "C three songs", says: now("노래 불러줘", "노래 하나 더!", "노래 하나 더!"), choose: when("wait"),
		check: all("succeeded", "succeeded", "succeeded"),
	},
	{
		name: "a record that cannot be read", says: now("목적지 A로 네비 켜줘", "노래 불러줘"), between: tear, check: among(2, "succeeded", "failed"),
	},
	{
		name: "the disk is full for a while", between: makeRoom, check: asTold,
		says: []line{
			{text: "증인 도장 7번 찍어줘", full: said}, {text: "증인 도장 8번 찍어줘", rest: true, full: asked}, {text: "증인 도장 9번 찍어줘", rest: true},
		},
	},
	{
		name: "three moments of a standing order were slept over", before: calmly("매일 아침 8시에 증인 도장 7번 찍어줘", "응"), days: 3, first: caughtUp,
		says: calmly("안녕하세요"), stamps: []string{"7"}, check: all("succeeded"), more: 2, always: "store.AddRun",
	},
	{
		name: "the clock is set back over the moment of a standing order", before: calmly("매일 아침 8시에 증인 도장 7번 찍어줘", "응"), days: 3, back: 1, first: caughtUp,
		says: calmly("안녕하세요"), stamps: []string{"7"}, check: all("succeeded"), more: 2, always: "store.AddRun",
	},
	{
		name: "a file sets a standing order off", eve: opened, before: calmly("문서 폴더에 파일이 오면 증인 도장 7번 찍어줘", "응"), first: brings,
		says: calmly("안녕하세요"), stamps: []string{"7"}, check: all("succeeded"), more: 2, always: "store.NoteFiles",
	},
	{
		name: "the end of a ticket sets a standing order off", before: calmly("계산기가 끝나면 증인 도장 7번 찍어줘", "응"), last: caughtUp,
		says: calmly("12 곱하기 3은?"), stamps: []string{"7"}, check: all("succeeded", "succeeded"), more: 2, always: "store.AddRun",
	},
	{
		// The first run is agreed to for good, the customer's own wish of the same is not part of that, the second run is.
		name: "an agreement for a standing order", before: calmly("매일 아침 8시에 증인 도장 7번 찍어줘", "응"), days: 1, first: caughtUp, last: onceMore,
		says: calmly("증인 도장 7번 찍어줘"), scope: toolbox.ScopeOrder, asks: 2, stamps: []string{"7", "7", "7"},
		check: all("succeeded", "succeeded", "succeeded"), more: 3, always: "store.CloseAsk",
	},
	{name: "talk", says: calmly("안녕하세요", "고마워")},
	{
		name: "an approval", says: calmly("증인 도장 7번 찍어줘", "증인 도장 8번 찍어줘"), stamps: []string{"7", "8"},
		check: all("succeeded", "succeeded"),
	},
	{
		name: "two transfers at the counter", says: calmly("엄마한테 만원, 용걸이한테 5만원 보내줘", "확인", "확인", "총 얼마 보냈어?"), counter: true, check: sent,
	},
	{
		name: "a transfer of another day", says: calmly("내일 엄마한테 2만원 보내줘", "확인"), counter: true, check: booked(1_000_000, 0, 1),
	},
	{
		name: "the day has come", before: calmly("내일 엄마한테 2만원 보내줘", "확인"), days: 1, says: calmly("안녕하세요"), counter: true,
		more: 1, last: due, check: booked(980_000, 1, 0),
	},
	{
		name: "a repeatable step behind an approval", set: map[string]any{"tools.calculator.confirm": "always"},
		says: calmly("12 곱하기 3은?"), check: all("succeeded"),
	},
	{
		name: "the library is filled and asked", first: brought, says: calmly("제5조 내용이 뭐야?"), check: shelved,
	},
	{
		name: "a shelf follows its folder", first: followed, says: calmly("안녕하세요"), always: "store.SettleShelfFile", check: onFollowedShelf,
	},
	{
		name: "the library gets vectors, and others of another model", house: true, first: embedded, says: calmly("제5조 내용이 뭐야?"),
		always: "store.SaveVectors", check: meant,
	},
	{
		name: "files are written and thrown away", first: opened, says: calmly("회의.txt에 '한 줄' 추가해줘", "버릴것.txt 지워줘"),
		happened: looked, check: filed("succeeded"),
	},
	{
		name: "a folder is tidied and put back", first: strewn, says: calmly("문서 폴더를 종류별로 정리해줘", "방금 거 되돌려줘"),
		always: "filing.", check: asItWas,
	},
	{
		name: "what was written is written again, unseen", first: opened, says: calmly("회의.txt에 '한 줄' 추가해줘", "버릴것.txt 지워줘"),
		happened: func(string, event.AskOpened) bool { return false }, check: filed("succeeded", "failed"),
	},
	{
		name: "a file's place in line", set: map[string]any{"tools.file_write.capacity": 1}, first: opened, choose: when("wait"),
		says: now("회의.txt에 '한 줄' 추가해줘", "회의.txt에 '두 줄' 추가해줘"), happened: lined, always: "job.preview", check: inTurn,
	},
	{
		name: "a rule that came while it was closed", says: calmly("손님 명부 7번 올려줘"), book: []string{"7"},
		always: "tool.guest_book after", between: forbidden, check: among(1, "succeeded", "failed"),
	},
	{
		name: "a note is written and thrown away", says: calmly("메모해줘: 우유 사기", "우유 메모 지워줘"), check: noted,
	},
	{
		name: "a note is changed and taken back", says: calmly("메모해줘: 우유 사기", "우유 메모를 '두부 사기'로 바꿔줘", "방금 거 되돌려줘"),
		always: "store.TakeBack", check: takenBack,
	},
	{
		name: "a shell command", set: map[string]any{"tools.shell.enabled": true}, first: opened,
		says: calmly("셸에서 mkdir 상자 && sleep 0.2 && echo 한 줄 >> 회의.txt && rm 버릴것.txt 실행해줘"), happened: commanded, check: ordered,
	},
	{
		name: "a loop of tools", says: calmly("12만 5천의 8%를 계산해서 3으로 나눠줘"), check: all("succeeded"),
	},
	{
		name: "a loop behind approvals", set: map[string]any{"tools.calculator.confirm": "always"},
		says: calmly("증인 도장 7번 확인하고 그걸 2로 곱해줘"), stamps: []string{"7"}, check: all("succeeded"),
	},
	{
		name: "a loop that may do its step again", says: calmly("손님 명부 7번 확인하고 그걸 2로 곱해줘"), book: []string{"7"}, check: all("succeeded"),
	},
}
