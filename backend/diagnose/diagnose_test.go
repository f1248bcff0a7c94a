package diagnose_test

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentchat/backend/config"
	"agentchat/backend/diagnose"
)

const secret = "가나다라마secret"

func TestLogLinesKeepNoWords(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "logs"), 0o700); err != nil {
		t.Fatal(err)
	}
	log := strings.Join([]string{
		`{"level":"warn","component":"job","job":"` + secret + `","todo":3,"error":"storage_failed: It could not be saved: open /home/kim/` + secret + `: no space left on device","time":"2026-01-02T03:04:05.678Z","message":"a commit failed"}`,
		`{"level":"info","component":"shop","version":"0.1.0","time":"2026-01-02T03:04:06.000Z","message":"the shop is open"}`,
		`{"level":"info","component":"` + secret + `","time":"2026-01-02T03:04:06.000Z","message":"` + secret + `","` + secret + `":1,"code":"` + secret + `"}`,
		secret,
		`{"level":"info","time":"` + secret + `","message":"a"}`,
	}, "\n")
	if err := os.WriteFile(filepath.Join(dir, "logs", "agentchat.log"), []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	parts := diagnose.Parts(diagnose.Sources{
		DataDir: dir, Now: time.Now(), Counts: map[string]int64{"jobs": 7},
		Settings: []config.Item{
			{Key: "workers", Type: config.TypeInt, Value: 4, Source: config.SourceDefault},
			{Key: "model", Type: config.TypeText, Value: secret, Source: config.SourceFile},
			{Key: "home_place", Type: config.TypeText, Value: "", Source: config.SourceDefault},
			{Key: "tools." + secret + ".capacity", Type: config.TypeInt, Value: 2, Source: config.SourceFile},
		},
	})
	var whole strings.Builder
	if err := diagnose.Print(&whole, parts); err != nil {
		t.Fatal(err)
	}
	text := whole.String()
	if strings.Contains(text, "가나다라마") || strings.Contains(text, "kim") {
		t.Errorf("%s", text)
	}
	for _, part := range []string{"job: a commit failed error=storage_failed, no space left todo=3", "shop: the shop is open version=0.1.0", "jobs                         7", "workers                      default    4", "(set)", "(none)", "(another)"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
	path := filepath.Join(t.TempDir(), "report.zip")
	if err := diagnose.Save(path, parts, time.Now()); err != nil {
		t.Fatal(err)
	}
	packed, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = packed.Close() }()
	if len(packed.File) != len(parts) {
		t.Fatalf("%d files of %d parts", len(packed.File), len(parts))
	}
	for i, f := range packed.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || f.Name != parts[i].Name || string(got) != parts[i].Text {
			t.Errorf("%s is not what was shown: %v", f.Name, err)
		}
	}
}

func TestABrokenShopHasAReport(t *testing.T) {
	parts := diagnose.Parts(diagnose.Sources{DataDir: t.TempDir(), Now: time.Now(), Wrong: errors.New("storage_corrupt: " + secret + ": database disk image is malformed")})
	if len(parts) != 4 || parts[2].Text != "(could not be read: storage_corrupt, malformed)\n" || parts[3].Text != "(there is none)\n" {
		t.Errorf("%+v", parts)
	}
}

func FuzzNoWords(f *testing.F) {
	f.Add(`"message":"x"`)
	f.Fuzz(func(t *testing.T, more string) {
		const word = "가나다라마"
		dir := t.TempDir()
		_ = os.Mkdir(filepath.Join(dir, "logs"), 0o700)
		line := `{"time":"2026-01-02T03:04:05.678Z","message":"` + word + `","error":"` + word + `","` + word + `":"` + word + `",` + more + `}`
		if err := os.WriteFile(filepath.Join(dir, "logs", "agentchat.log"), []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, p := range diagnose.Parts(diagnose.Sources{DataDir: dir, Now: time.Now()}) {
			if strings.Contains(p.Text, word) {
				t.Errorf("%s: %s", p.Name, p.Text)
			}
		}
	})
}
