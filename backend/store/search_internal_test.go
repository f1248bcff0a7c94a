package store

import (
	"strings"
	"testing"
)

// What was said before there was an index is found after the upgrade, and what goes is not.
func TestAnOldLedgersMessagesAreFound(t *testing.T) {
	dir, list := t.TempDir(), known(t)
	old := openWith(t, dir, list[:43])
	for _, q := range []string{
		`INSERT INTO chats (id, title, created) VALUES ('main','이야기',1)`,
		`INSERT INTO messages (n, id, chat, role, text, created) VALUES (3,'a','main','customer','임대차 계약을 봐줘',1), (7,'b','main','shop','보증금 이야기예요',2)`,
	} {
		if _, err := old.conn.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	s := openWith(t, dir, list)
	defer func() { _ = s.Close() }()
	hits, err := s.Search(t.Context(), Quest{Text: "대차", Limit: 5})
	if err != nil || len(hits) != 1 || hits[0].ID != "a" {
		t.Errorf("%+v, %v", hits, err)
	}
	if _, err := s.DeleteChat(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	if err := s.DropChat(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := s.conn.QueryRowContext(t.Context(), `SELECT count(*) FROM messages_fts WHERE messages_fts MATCH '"임대"'`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d are left of what is gone: %v", left, err)
	}
}

// A search looks at the titles of tickets in the index of their list: their records are long, and there are many.
func TestTitlesAreSoughtInTheIndex(t *testing.T) {
	s := fresh(t)
	rows, err := s.conn.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+foundJobs, "word", 10, "", "", 0)
	if err := each(rows, err, func(r row) error {
		var id, parent, free int
		var step string
		err := r.Scan(&id, &parent, &free, &step)
		if strings.HasPrefix(step, "SCAN jobs") && !strings.HasSuffix(step, "USING COVERING INDEX jobs_list") {
			t.Error(step)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
