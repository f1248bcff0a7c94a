package about

import (
	"os/exec"
	"strings"
	"testing"
)

func TestTheLine(t *testing.T) {
	if got := Line(); !strings.HasPrefix(got, "dev go1.") || strings.Count(got, " ") != 2 {
		t.Errorf("%q", got)
	}
	Version, Commit = "1.2.3", "0123456789ab+"
	defer func() { Version, Commit = "dev", "" }()
	if got := Line(); !strings.HasPrefix(got, "1.2.3 (0123456789ab+) go1.") {
		t.Errorf("%q", got)
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
		"-f", "{{with .Module}}{{if not (or .Main (and .Replace (not .Replace.Version)))}}{{.Path}} {{.Version}}{{end}}{{end}}", "agentchat", "agentchat/cmd/headless")
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
