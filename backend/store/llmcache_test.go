package store_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/library/agent"
	"agentchat/backend/provider"
	"agentchat/backend/store"
)

// Answers are found again, also after a restart, and those unused for longest go first.
func TestKeptAnswersAreBounded(t *testing.T) {
	dir, clock := t.TempDir(), time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	now := func() time.Time { clock = clock.Add(time.Second); return clock }
	s, err := store.Open(t.Context(), dir, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	has := func(key string) bool {
		t.Helper()
		r, ok, err := s.CachedAnswer(t.Context(), key)
		if err != nil || ok && r.Text == "" {
			t.Fatalf("%+v, %v", r, err)
		}
		return ok
	}
	keep := func(key, text string) {
		t.Helper()
		if err := s.CacheAnswer(t.Context(), key, provider.Reply{Model: "m", Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range store.AnswersKept {
		keep(fmt.Sprint("k", i), "답")
	}
	if !has("k0") { // and now it is the one used last
		t.Fatal("the first is not there")
	}
	keep("more", "답")
	if !has("k0") || has("k1") || !has("k2") || !has("more") {
		t.Error("not the one unused for longest went")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = store.Open(t.Context(), dir, now); err != nil {
		t.Fatal(err)
	}
	if !has("more") {
		t.Error("gone with the program")
	}
	keep("large", strings.Repeat("x", store.AnswerBytes/2))
	keep("larger", strings.Repeat("x", store.AnswerBytes/2))
	if has("large") || !has("larger") {
		t.Error("too much is kept")
	}
	keep("other", "답")
	if err := s.ForgetAnswers(t.Context(), "n"); err != nil || !has("other") {
		t.Errorf("another model's answer went, %v", err)
	}
	if err := s.ForgetAnswers(t.Context(), ""); err != nil || has("other") {
		t.Errorf("an answer stays, %v", err)
	}
}

// Questions are kept in a file of their own, and no other file is touched.
func TestCheckpointsInAFileOfTheirOwn(t *testing.T) {
	ctx, now := context.Background(), time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "folder", "checkpoints.db")
	c, err := store.OpenCheckpoints(ctx, path, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, turn := range []string{"a", "b"} {
		q := &agent.Inquiry{Text: "제5조 알려줘", Iteration: 1, Next: "evaluator"}
		if err := c.SaveCheckpoint(ctx, turn, q, now); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.DropCheckpoint(ctx, "b"); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if c, err = store.OpenCheckpoints(ctx, path, now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if q, begun, err := c.Checkpoint(ctx, "a"); err != nil || !begun || q.Text != "제5조 알려줘" || q.Iteration != 1 || q.Next != "evaluator" {
		t.Errorf("%+v, %t, %v", q, begun, err)
	}
	if q, begun, err := c.Checkpoint(ctx, "b"); err != nil || begun {
		t.Errorf("what was dropped: %+v, %v", q, err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if c, err = store.OpenCheckpoints(ctx, path, now.Add(30*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, begun, err := c.Checkpoint(ctx, "a"); err != nil || begun {
		t.Errorf("a month later it is still there, %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	ledger := t.TempDir()
	s, err := store.Open(ctx, ledger, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	req := filepath.Join(t.TempDir(), "letter.txt")
	write(t, req, []byte(strings.Repeat("사랑하는 어머니께. ", 20)))
	for _, other := range []string{req, filepath.Join(ledger, store.FileName)} {
		before, err := os.ReadFile(other)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.OpenCheckpoints(ctx, other, now); apperr.CodeOf(err) != apperr.StorageCorrupt {
			t.Errorf("%s: %v", other, err)
		}
		if after, err := os.ReadFile(other); err != nil || !bytes.Equal(after, before) {
			t.Errorf("%s was changed", other)
		}
	}
}
