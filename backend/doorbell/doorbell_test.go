package doorbell_test

import (
	"bytes"
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"agentchat/backend/doorbell"
)

// hang opens a door in a folder that lies deeper than a socket's name may be long.
func hang(t *testing.T) (dir string, calls chan doorbell.Call) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), strings.Repeat("깊은 곳/", 12))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, doorbell.FileName), []byte("left over"), 0o600); err != nil {
		t.Fatal(err)
	}
	calls = make(chan doorbell.Call, 8)
	bell, err := doorbell.Hang(dir, func(c doorbell.Call) { calls <- c })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := bell.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(filepath.Join(dir, doorbell.FileName)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the socket stays: %v", err)
		}
		if err := doorbell.Ring(dir, doorbell.Call{}); !errors.Is(err, doorbell.ErrNobody) {
			t.Errorf("a closed door: %v", err)
		}
	})
	return dir, calls
}

func TestASecondStartIsHeard(t *testing.T) {
	dir, calls := hang(t)
	if info, err := os.Lstat(filepath.Join(dir, doorbell.FileName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	want := doorbell.Call{Raise: true, Files: []string{"/tmp/우리 계약.pdf"}, Text: "안녕"}
	if err := doorbell.Ring(dir, want); err != nil {
		t.Fatal(err)
	}
	if got := <-calls; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// Whoever sends it, a call is bounded by who takes it.
func TestWhatACallMayBe(t *testing.T) {
	dir, calls := hang(t)
	conn, err := net.Dial("unix", short(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte(`{"raise":true,"files":["relative","/a\u0000b","/ok"],"text":"a\u001b[31mb\nc"}`)); err != nil {
		t.Fatal(err)
	}
	if got, want := <-calls, (doorbell.Call{Raise: true, Files: []string{"/ok"}, Text: "a[31mb\nc"}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	for name, said := range map[string][]byte{
		"no JSON": []byte("GET / HTTP/1.1\r\n\r\n"), "another shape": []byte(`{"files":"/etc"}`),
		"too long": append([]byte(`{"text":"`), bytes.Repeat([]byte("x"), 2<<20)...),
	} {
		conn, err := net.Dial("unix", short(t, dir))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Write(said)
		if n, err := conn.Read(make([]byte, 1)); n > 0 || err == nil {
			t.Errorf("%s was taken", name)
		}
		_ = conn.Close()
	}
	select {
	case c := <-calls:
		t.Errorf("taken: %+v", c)
	default:
	}
	if err := doorbell.Ring(dir, doorbell.Call{Text: strings.Repeat("가", doorbell.MaxText)}); err != nil {
		t.Fatal(err)
	}
	if got := <-calls; len(got.Text) > doorbell.MaxText || !strings.HasSuffix(got.Text, "가") {
		t.Errorf("%d bytes", len(got.Text))
	}
}

// short is a name of the socket that Dial takes.
func short(t *testing.T, dir string) string {
	t.Helper()
	link := filepath.Join(t.TempDir(), "s")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(link, doorbell.FileName)
}

func TestWordsOfACommandLine(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "계약.pdf")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	odd, percent, korean := filepath.Join(dir, "100% ‘회의’ #1?.txt"), filepath.Join(dir, "a%20b.txt"), filepath.Join(dir, "\xb0\xa1.txt")
	for _, path := range []string{odd, percent, korean} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Skip(err) // not every disk takes such names
		}
	}
	for _, c := range []struct {
		words  []string
		hidden bool
		want   doorbell.Call
	}{
		{nil, false, doorbell.Call{Raise: true}},
		{nil, true, doorbell.Call{}},
		{[]string{"계약.pdf"}, false, doorbell.Call{Raise: true, Files: []string{file}}},
		{[]string{"file://" + file, "이거", "뭐야?"}, false, doorbell.Call{Raise: true, Files: []string{file}, Text: "이거 뭐야?"}},
		{[]string{"file://" + (&url.URL{Path: odd}).EscapedPath()}, false, doorbell.Call{Raise: true, Files: []string{odd}}},
		{[]string{"file://localhost" + (&url.URL{Path: file}).EscapedPath()}, true, doorbell.Call{Files: []string{file}}},
		{[]string{percent, "file://" + percent}, true, doorbell.Call{Files: []string{percent, percent}}},
		{[]string{korean}, false, doorbell.Call{Raise: true, Files: []string{filepath.Join(dir, "\uFFFD.txt")}}},
		{[]string{"no/such.pdf"}, false, doorbell.Call{Raise: true, Text: "no/such.pdf"}},
	} {
		if got := doorbell.Of(c.words, dir, c.hidden); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %+v", c.words, got)
		}
	}
}
