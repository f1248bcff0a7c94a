package store_test

import (
	"slices"
	"testing"
	"time"

	"agentchat/backend/manager"
	"agentchat/backend/store"
)

// A folder is there after the program's end as it was left, and its chats stay when it goes.
func TestAFolderKeepsItsNameItsChatsAndWhetherItIsFolded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open := func() *store.Store {
		t.Helper()
		s, err := store.Open(t.Context(), dir, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	s := open()
	ctx := t.Context()
	if err := s.AddChat(ctx, "a", "하나"); err != nil {
		t.Fatal(err)
	}
	for _, p := range []manager.Project{{ID: "f", Title: "집", Folder: true, Folded: true}, {ID: "p", Title: "이사", Instructions: "짧게"}} {
		if err := s.SaveProject(ctx, p); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetChat(ctx, manager.Chat{ID: "a", Project: "f"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open()
	list, err := s.Projects(ctx)
	if err != nil || len(list) != 2 || list[0].Folder || list[0].Folded || !list[1].Folder || !list[1].Folded {
		t.Fatalf("%+v, %v", list, err)
	}
	if p, ok, err := s.ProjectOf(ctx, "a"); err != nil || !ok || p.Title != "집" || !p.Folder {
		t.Errorf("%+v, %v, %v", p, ok, err)
	}
	list[1].Folded = false
	if err := s.SaveProject(ctx, list[1]); err != nil {
		t.Fatal(err)
	}
	list, err = s.Projects(ctx)
	if err != nil || slices.ContainsFunc(list, func(p manager.Project) bool { return p.Folded }) {
		t.Errorf("%+v, %v", list, err)
	}
	if err := s.RemoveProject(ctx, "f"); err != nil {
		t.Fatal(err)
	}
	if c, err := s.Chat(ctx, "a"); err != nil || c.Project != "" {
		t.Errorf("%+v, %v", c, err)
	}
}
