package mcp

import (
	"strings"
	"testing"
)

// A secret among a server's arguments is covered, stays where it was when the rest is edited, and is known wherever it comes back.
func TestASecretArgumentIsCovered(t *testing.T) {
	const text = `{"mcpServers":{"box":{"command":"box","args":["serve","--api-key","s3cr3t-one","--token=s3cr3t-two","--out","place"]}}}`
	shown := hide([]byte(text))
	if strings.Contains(shown, "s3cr3t") || !strings.Contains(shown, `"--token=[redacted]"`) || !strings.Contains(shown, "place") {
		t.Errorf("shown as %s", shown)
	}
	back, err := reveal([]byte(strings.Replace(shown, "place", "elsewhere", 1)), []byte(text))
	if err != nil || !strings.Contains(string(back), `"s3cr3t-one"`) || !strings.Contains(string(back), `"--token=s3cr3t-two"`) || !strings.Contains(string(back), "elsewhere") {
		t.Errorf("kept as %s, %v", back, err)
	}
	own := newRedactor(Server{Args: []string{"serve", "--api-key", "s3cr3t-one", "--token=s3cr3t-two", "--out", "place"}}.secrets())
	if got := own.known("s3cr3t-one, s3cr3t-two, place"); got != "[redacted], [redacted], place" {
		t.Errorf("a result reads %q", got)
	}
}
