package about

import (
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
)

func TestTheCommit(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123"}
	for want, settings := range map[string][]debug.BuildSetting{
		"":              nil,
		"0123456789ab":  {revision, {Key: "vcs.modified", Value: "false"}},
		"0123456789ab+": {revision, {Key: "vcs.modified", Value: "true"}},
	} {
		if got := commitOf(settings); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// Everything that the fronts are linked of is listed with its version and a text; `make licences` lists it anew.
func TestTheLicencesAreThoseOfTheProgram(t *testing.T) {
	listed := map[string]bool{}
	for _, p := range Licences() {
		listed[p.Name+" "+p.Version] = true
		if p.Name == "" || p.Kind == "" || p.Licence == "" || len(p.Text) < 60 {
			t.Errorf("%s %s: %q, a text of %d", p.Kind, p.Name, p.Licence, len(p.Text))
		}
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags", "desktop,production,webkit2_41",
		"-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", "agentchat", "agentchat/cmd/headless")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for module := range strings.FieldsFuncSeq(string(out), func(r rune) bool { return r == '\n' }) {
		if !listed[module] {
			missing[module] = true
		}
	}
	if len(missing) > 0 {
		t.Errorf("run `make licences` and commit the result; not listed: %v", missing)
	}
	whole := Document()
	for _, part := range []string{"PDFium", "pretendard", "Natural Earth", "SIL OPEN FONT LICENSE", "Apache License"} {
		if !strings.Contains(whole, part) {
			t.Errorf("%q is missing", part)
		}
	}
}
