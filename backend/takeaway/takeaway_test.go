package takeaway_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/export"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/takeaway"
)

// ledger is one chat and its jobs.
type ledger struct {
	messages []event.ChatMessage
	jobs     map[string]job.Job
}

func (l ledger) Chats(context.Context) ([]manager.Chat, error) {
	return []manager.Chat{{ID: "main", Title: "장부"}}, nil
}

func (l ledger) History(_ context.Context, _, before string, limit int) ([]event.ChatMessage, error) {
	end := len(l.messages)
	for i, m := range l.messages {
		if m.ID == before {
			end = i
		}
	}
	return l.messages[max(0, end-limit):end], nil
}

func (l ledger) LoadRun(_ context.Context, id string) (job.Record, error) {
	j, has := l.jobs[id]
	if !has {
		return job.Record{}, apperr.New(apperr.NotFound, "what", "job", "id", id)
	}
	return job.Record{Run: job.Run{Job: j}}, nil
}

func (l ledger) Tickets(_ context.Context, _ job.TicketFilter, before int64, _ int) (list []job.Ticket, err error) {
	for id, j := range l.jobs {
		if j.Number == before-1 {
			list = append(list, job.Ticket{ID: id, Number: j.Number})
		}
	}
	return list, nil
}

const at = "2026-01-31T00:00:00Z"

// books is a chat with an answer that has sources, a job whose tool gave a table, and a file that was made of it.
var books = ledger{
	messages: []event.ChatMessage{
		{ID: "q1", Role: event.RoleCustomer, Text: "임대차 기간은?", Time: at},
		{ID: "a1", Role: event.RoleShop, Turn: "q1", Text: "2년이에요 [1].", Time: at, Library: &event.LibraryNote{Sources: []event.Source{{Title: "주택임대차보호법", Article: "제4조", Page: 3, Quote: "그 기간을 2년으로 본다."}}, Unverified: []string{"제99조"}}},
		{ID: "q2", Role: event.RoleCustomer, Text: "매출.xlsx에서 지점별 합계", Time: at},
		{ID: "a2", Role: event.RoleShop, Turn: "q2", Text: "합계를 낼게요.", Time: at},
		{ID: "r2", Role: event.RoleJob, Turn: "q2", JobID: "j2", Text: "지점이 두 곳이에요.", Time: at},
		{ID: "q3", Role: event.RoleCustomer, Text: "엑셀로 저장해줘", Time: at},
		{ID: "a3", Role: event.RoleShop, Turn: "q3", Text: "저장할게요.", Time: at},
		{ID: "r3", Role: event.RoleJob, Turn: "q3", JobID: "j3", Text: "만들었어요.", Time: at},
		{ID: "q4", Role: event.RoleCustomer, Text: "문서로도 만들어줘", Time: at},
	},
	jobs: map[string]job.Job{
		"j2": {ID: "j2", Number: 2, Title: "지점별 합계", State: job.Succeeded, Request: "매출.xlsx에서 지점별 합계", Turn: "q2", Report: "지점이 두 곳이에요.", Todos: []job.Todo{{
			ID: "t", Title: "합계", Tool: "table_query", State: job.TodoDone, Text: "지점이 두 곳이에요.",
			Data: json.RawMessage(`{"columns":[{"name":"지점","kind":"text"},{"name":"합계","kind":"number","unit":"원"}],"rows":[["서울","1200"],["부산","900"]]}`),
		}}},
		"j3": {ID: "j3", Number: 3, Todos: []job.Todo{{Tool: "file_export", State: job.TodoDone, Text: "만들었어요."}}},
		"j4": {ID: "j4", Number: 4, Turn: "q4", Todos: []job.Todo{{ID: "x", Tool: "file_export", State: job.TodoRunning}}},
		"j5": {ID: "j5", Number: 5, Turn: "q4", Title: "두 단계", Todos: []job.Todo{{ID: "w", Title: "날씨", Tool: "weather", State: job.TodoDone, Text: "맑아요."}, {ID: "x", Tool: "file_export", State: job.TodoRunning}}},
	},
}

func maker() *takeaway.Maker {
	return takeaway.New(takeaway.Deps{Store: books, Lang: func() bilingual.Lang { return bilingual.KO }, Zone: func() *time.Location { return time.FixedZone("", 9*3600) }})
}

func text(t *testing.T, d *export.Document, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	md, err := export.FormatOf("md")
	if err != nil {
		t.Fatal(err)
	}
	data, err := md.Bytes(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestWhatIsTakenAway(t *testing.T) {
	t.Parallel()
	m := maker()
	has := func(d *export.Document, err error) func(wants ...string) {
		said := text(t, d, err)
		return func(wants ...string) {
			t.Helper()
			for _, want := range wants {
				if not, ok := strings.CutPrefix(want, "!"); ok == strings.Contains(said, strings.TrimPrefix(want, "!")) {
					t.Errorf("%q (%s) in\n%s", want, not, said)
				}
			}
		}
	}
	has(m.Chat(t.Context(), "main", ""))("# 장부\n", "메시지 9개 · 2026-01-31 09:00", "**나** · 2026-01-31 09:00", "| 일 2번 | 지점별 합계 | 끝 |", "> [1] 주택임대차보호법 제4조 3쪽\n>\n> 그 기간을 2년으로 본다.", "- 근거에서 찾지 못한 것: 제99조")
	has(m.Message(t.Context(), "main", "a1"))("# 임대차 기간은?\n", "2년이에요", "# 출처", "제4조 3쪽", "!매출")
	// What a step is to make a file of: the last answer, not the file that was made before it, with the table that the tool gave.
	has(m.For(t.Context(), "j4", "x", "main", false))("# 매출.xlsx에서 지점별 합계\n", "지점이 두 곳이에요", "| 서울 | 1200원 |", "!만들었어요")
	has(m.For(t.Context(), "j4", "x", "main", true))("| 부산 | 900원 |")
	has(m.For(t.Context(), "j5", "x", "main", false))("# 두 단계\n", "맑아요", "!서울")
	has(m.For(t.Context(), "j5", "x", "main", true))("| 서울 | 1200원 |")
	has(m.Before(t.Context(), "j4", "main"))("만들었어요", "!문서로도")
	has(m.Numbered(t.Context(), 2))("# 지점별 합계\n", "일 2번", "> 매출.xlsx에서", "| 서울 | 1200원 |")
	if d, err := m.Ticket(t.Context(), "j2"); err != nil || len(d.Tables()) != 1 || d.Tables()[0].Columns[1].Unit != "원" || d.Tables()[0].Rows[0][1] != "1200" {
		t.Errorf("its table is %+v, %v", d.Tables(), err)
	}
	if d, err := m.Chat(t.Context(), "main", ""); err != nil || len(d.Tables()) != 0 {
		t.Errorf("a ticket's slip is a table to calculate with: %+v, %v", d.Tables(), err)
	}
	if _, err := m.Numbered(t.Context(), 7); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("a job that is not there: %v", err)
	}
	if _, err := m.Answer(t.Context(), "main", "q1", false); apperr.CodeOf(err) != apperr.NothingToExport {
		t.Errorf("before anything was said: %v", err)
	}
	if _, err := m.Answer(t.Context(), "main", "q2", true); apperr.CodeOf(err) != apperr.NothingToExport {
		t.Errorf("a table where there is none: %v", err)
	}
}
