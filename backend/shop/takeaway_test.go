package shop_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/shop"
)

func TestAChatIsPinnedAndWrittenToAFile(t *testing.T) {
	t.Parallel()
	c := enter(t, t.TempDir())
	if _, err := c.NewChat(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.say("asdfasdf")
	if err := c.RenameChat(t.Context(), "main", "여행"); err != nil {
		t.Fatal(err)
	}
	if err := c.PinChat(t.Context(), "main", true); err != nil {
		t.Fatal(err)
	}
	snap, err := c.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, view := range snap.Chats {
		if view.Pinned != (view.ID == "main") {
			t.Errorf("chat %q: pinned is %v", view.ID, view.Pinned)
		}
	}
	if err := c.PinChat(t.Context(), "nobody's", true); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("pinning what is not there: %v", err)
	}

	path := filepath.Join(t.TempDir(), "여행.md")
	if err := c.Export(t.Context(), shop.Takeaway{Chat: "main"}, path, ""); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# 여행\n", "**나**", "asdfasdf", "**가게**"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the file lacks %q:\n%s", want, text)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info.Mode(), err)
	}
	if err := c.Export(t.Context(), shop.Takeaway{Chat: "nobody's"}, path, ""); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("writing what is not there: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".agentchat-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
