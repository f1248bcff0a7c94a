package folders_test

import (
	"testing"

	"agentchat/backend/folders"
)

// What is still on its way, or was put aside by an editor, is known by its name.
func TestHalf(t *testing.T) {
	for name, want := range map[string]bool{
		"영화.mp4.crdownload": true, "a.PART": true, "회의.txt~": true, "회의.txt": false, "~회의.txt": false, "part": false,
	} {
		if got := folders.Half(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}
