package main

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"aead.dev/minisign"

	"agentchat/backend/about"
	"agentchat/backend/update"
)

// What package.sh makes is found by a program of each kind, and is what the makers signed.
func TestVersionsAreListedAndSigned(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1767323045")
	t.Setenv("AGENTCHAT_UPDATE_PASSWORD", "a password")
	about.Version = "1.2.3"
	defer func() { about.Version = "dev" }()
	folder, aside := t.TempDir(), t.TempDir()
	write := func(path, text string) string {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, name := range []string{
		"agentchat_1.2.3_amd64.deb", "agentchat-1.2.3-1.x86_64.rpm", "agentchat-1.2.3-linux-amd64.tar.gz", "agentchat-1.2.3-windows-amd64-setup.exe",
		"agentchat-1.2.3-windows-amd64.zip", "agentchat-1.2.3-macos-parts.tar.gz", "agentchat-engine_1.2.3_amd64.deb", "agentchat-1.2.3.cdx.json", "SHA256SUMS",
	} {
		write(filepath.Join(folder, name), "of "+name)
	}
	public, secret, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := minisign.EncryptKey("a password", secret)
	if err != nil {
		t.Fatal(err)
	}
	key := write(filepath.Join(aside, "secret.key"), string(sealed))
	changes := write(filepath.Join(aside, "changes.json"), `{"1.2.3": [{"ko": "빨라졌어요", "en": "It is quicker"}], "1.2.2": []}`)
	if err := versions(folder, changes, key); err != nil {
		t.Fatal(err)
	}
	text, signature := read(t, filepath.Join(folder, update.ListName)), read(t, filepath.Join(folder, update.SignatureName))
	m, err := update.Read(public, []byte(text), []byte(signature))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Packages) != 5 || len(m.Changes) != 1 || m.Changes[0].EN != "It is quicker" || m.Version != "1.2.3" {
		t.Errorf("%+v", m)
	}
	for kind, want := range map[update.Kind][2]string{
		update.KindDeb: {"linux", "agentchat_1.2.3_amd64.deb"}, update.KindRPM: {"linux", "agentchat-1.2.3-1.x86_64.rpm"}, update.KindSetup: {"windows", "agentchat-1.2.3-windows-amd64-setup.exe"},
		update.KindArchive: {"windows", "agentchat-1.2.3-windows-amd64.zip"},
	} {
		if p, ok := m.For(kind, want[0], "amd64"); !ok || p.URL != want[1] || p.Bytes != int64(len("of "+want[1])) {
			t.Errorf("%s: %+v", kind, p)
		}
	}
	about.Version = "1.2.2" // nobody wrote down what it brings
	if err := versions(folder, changes, key); err == nil {
		t.Error("a version is published that says nothing of what is new")
	}
}

// What the newest version brings is written down in both languages before it is packed.
func TestWhatIsNewIsWrittenDown(t *testing.T) {
	list, err := changesOf(root+"/build/changes.json", readVersion(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if c.KO == "" || c.EN == "" {
			t.Errorf("%+v", c)
		}
	}
}

var versionLine = regexp.MustCompile(`"productVersion": "(\d+\.\d+\.\d+)"`)

func readVersion(t *testing.T) string {
	t.Helper()
	m := versionLine.FindStringSubmatch(read(t, root+"/wails.json"))
	if m == nil {
		t.Fatal("wails.json names no version")
	}
	return m[1]
}
