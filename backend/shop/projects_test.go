package shop_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/shop"
)

// into makes a project and puts the first chat into it.
func (c *customer) into(p shop.ProjectView) shop.ProjectView {
	c.t.Helper()
	p, err := c.SaveProject(c.t.Context(), p)
	if err == nil {
		err = c.SetChat(c.t.Context(), "main", shop.ChatSettings{Project: p.ID})
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return p
}

// What a project carries reaches the requests of its chats, and of no others: its instructions, its facts, its model.
func TestAProjectReachesTheRequestsOfItsChats(t *testing.T) {
	t.Parallel()
	c := foreign(t, serve(t), t.TempDir(), "shop")
	p := c.into(shop.ProjectView{Title: "이사", Instructions: "언제나 반말로 답해", Model: "ollama/think-and-call"})
	if _, err := c.AddProjectFact(t.Context(), p.ID, "새 집은 5층이에요"); err != nil {
		t.Fatal(err)
	}
	sent := func() (model, text string) {
		t.Helper()
		c.answered("안녕?")
		all := c.requests("main")
		if len(all) == 0 {
			t.Fatal("nothing went to a model")
		}
		x := all[len(all)-1]
		raw, err := json.Marshal(x.Request)
		if err != nil {
			t.Fatal(err)
		}
		return x.Reply.Model, string(raw)
	}
	if model, text := sent(); model != "think-and-call" || !strings.Contains(text, "언제나 반말로 답해") || !strings.Contains(text, "새 집은 5층이에요") {
		t.Errorf("to %s: %s", model, text)
	}
	// A chat's own come before the project's, and out of the project nothing of it is told.
	if err := c.SetChat(t.Context(), "main", shop.ChatSettings{Instructions: "짧게 답해"}); err != nil {
		t.Fatal(err)
	}
	if model, text := sent(); model != "shop" || !strings.Contains(text, "짧게 답해") || strings.Contains(text, "반말") || strings.Contains(text, "5층") {
		t.Errorf("to %s: %s", model, text)
	}
}

// The file tools of a project's chats see the opened folders that it names, and no others.
func TestAProjectBoundsTheFolders(t *testing.T) {
	c, docs := withFolder(t, false)
	kept(t, filepath.Join(docs, "회의.txt"), "안건 하나\n")
	other := filepath.Join(filepath.Dir(docs), "다른것")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := c.OpenFolder(other, false); err != nil {
		t.Fatal(err)
	}
	c.into(shop.ProjectView{Title: "이사", Folders: []string{other}})
	id := c.job("회의.txt 읽어줘")
	c.state(id, "failed")
	if err := c.SetChat(t.Context(), "main", shop.ChatSettings{}); err != nil {
		t.Fatal(err)
	}
	id = c.job("회의.txt 읽어줘")
	c.state(id, "succeeded")
	if text := c.outcome(id); !strings.Contains(text, "안건 하나") {
		t.Errorf("it read %q", text)
	}
}

// Questions in a project's chats are answered from the shelves that it names, and from nothing else.
func TestAProjectBoundsTheLibrary(t *testing.T) {
	c := enter(t, t.TempDir())
	c.bring("근로계약서.txt", agreement)
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	shelf, err := c.AddShelf(t.Context(), folder, "빈 책장", "")
	if err != nil {
		t.Fatal(err)
	}
	const question = "제5조 내용이 뭐야?"
	if m := c.asked(question); m.Library == nil || !strings.Contains(m.Text, "300만원") {
		t.Fatalf("before: %+v", m)
	}
	c.into(shop.ProjectView{Title: "이사", Shelves: []string{shelf.ID}})
	if m := c.asked(question); strings.Contains(m.Text, "300만원") {
		t.Errorf("from beyond its shelves: %s", m.Text)
	}
}

// A folder is a name and nothing more, whoever makes it.
func TestAFolderCarriesNothing(t *testing.T) {
	t.Parallel()
	c := foreign(t, serve(t), t.TempDir(), "shop")
	f := c.into(shop.ProjectView{Title: " 집 ", Folder: true})
	if f.Title != "집" || !f.Folder || f.Folded {
		t.Fatalf("%+v", f)
	}
	f.Folded = true
	if _, err := c.SaveProject(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	snap, err := c.Snapshot(t.Context())
	if err != nil || len(snap.Projects) != 1 || !snap.Projects[0].Folder || !snap.Projects[0].Folded || snap.Chats[0].Project != f.ID {
		t.Errorf("%+v, %v", snap.Projects, err)
	}
	for _, carries := range []shop.ProjectView{{Instructions: "짧게"}, {Model: "ollama/shop"}, {Folders: []string{"/집"}}, {Shelves: []string{"s"}}} {
		carries.Title, carries.Folder = "집", true
		if _, err := c.SaveProject(t.Context(), carries); apperr.CodeOf(err) != apperr.InvalidArgs {
			t.Errorf("%+v: %v", carries, err)
		}
	}
}
