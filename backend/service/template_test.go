package service_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/service"
)

// A copy of the template is a service at once.
func TestNewService(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	make := func(name string) ([]byte, error) {
		cmd := exec.Command(bash, "../../scripts/new-service.sh", name, dir)
		return cmd.CombinedOutput()
	}
	out, err := make("coffee")
	if err != nil || strings.TrimSpace(string(out)) != filepath.Join(dir, "coffee.yaml") {
		t.Fatalf("%s: %v", out, err)
	}
	if _, err := make("coffee"); err == nil {
		t.Error("made twice")
	}
	if _, err := make("../evil"); err == nil {
		t.Error("made with a bad name")
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%d files: %v", len(files), err)
	}
	b, err := service.NewBook(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := b.Meant("coffee 신청해줘", nil)
	if m == nil || m.ID != "coffee" {
		t.Fatalf("not found: %v", b.Problems())
	}
	s := service.Open("s1", m, bilingual.KO)
	const today = "2026-11-20"
	for _, c := range []struct {
		words string
		stage service.Stage
		says  string
	}{
		{"coffee 신청해줘", service.Filling, "몇 개가 필요하세요?"},
		{"200개", service.Filling, "수량은 1에서 100까지예요. 다시 말씀해 주세요."},
		{"3개", service.Ready, "coffee 3개 신청할까요?"},
	} {
		heard := m.Ground(s, m.Reads(s, c.words, noon), c.words, false, noon)
		var out service.Output
		if s, out, err = m.Apply(s, heard, today); err != nil || s.Stage != c.stage || out.Message != c.says {
			t.Fatalf("%q: %s %q %v", c.words, s.Stage, out.Message, err)
		}
	}
	s, done, err := m.Confirm(s, s.Token())
	if err != nil || done.Order == nil || string(done.Order.Args) != `{"service":"coffee","values":{"count":3}}` {
		t.Fatalf("%+v %v", done, err)
	}
	if s, done, err = m.Finish(s, service.Result{OK: true}, today); err != nil || done.Message != "신청이 완료됐어요." || s.Stage != service.Executed {
		t.Errorf("%+v %v", done, err)
	}
}
