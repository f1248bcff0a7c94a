package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/toolbox"
)

// A file is made where it was said, or where files may be made, under a name that nothing has; and what was shown is what is made.
func TestExporting(t *testing.T) {
	t.Parallel()
	d := open(t)
	if err := os.Mkdir(filepath.Join(d.docs, "보관"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args args
		path string
	}{
		{args{"format": "pdf"}, "여행 부산.pdf"},
		{args{"format": "pdf"}, "여행 부산 (2).pdf"},
		{args{}, "여행 부산.docx"},
		{args{"path": "보관"}, "보관/여행 부산.docx"},
		{args{"path": "문서/보관/이름.md", "what": "chat"}, "보관/이름.md"},
		{args{"path": "표.csv"}, "표.csv"},
		{args{"path": "표", "format": "xlsx", "number": 7}, "표.xlsx"},
	} {
		d.says("file_export", c.args, "문서/"+c.path)
		if info, err := os.Stat(filepath.Join(d.docs, c.path)); err != nil || info.Size() == 0 {
			t.Errorf("%v made no %s: %v", c.args, c.path, err)
		}
	}
	if raw, _ := os.ReadFile(filepath.Join(d.docs, "보관/이름.md")); !strings.Contains(string(raw), "0 true") {
		t.Errorf("it says %s", raw)
	}
	holds(t, filepath.Join(d.docs, "표.csv"), "\ufeffa,b\r\n'=1+1,2\r\n")

	d.fails("file_export", args{"path": "참고/x.pdf"}, apperr.FolderReadOnly)
	d.fails("file_export", args{"path": "../x.pdf"}, apperr.PathOutside)
	d.fails("file_export", args{"path": "문서/.x.pdf"}, apperr.FileRefused)

	// One that came between the yes and the file is not replaced.
	a := args{"path": "문서/나중.md"}
	shown := d.look("file_export", a)
	if !strings.Contains(shown.Text, "문서/나중.md") || !strings.Contains(shown.Diff, "=1+1") || shown.Base == "" {
		t.Errorf("it shows %+v", shown)
	}
	mine := d.put("나중.md", "mine")
	if _, err := d.tools["file_export"].Run(t.Context(), call(shown.Base, a)); apperr.CodeOf(err) != apperr.Changed {
		t.Errorf("what was shown no longer holds: %v", err)
	}
	holds(t, mine, "mine")
	if shown = d.look("file_export", a); !strings.Contains(shown.Text, "‘나중.md’ 파일은 이미 있어서 그대로 두고 ‘나중 (2).md’ 이름으로") {
		t.Errorf("it shows %q", shown.Text)
	}
	r, err := d.tools["file_export"].Run(t.Context(), call(shown.Base, a))
	if err != nil || r.Undo == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	if _, err := d.tools[r.Undo.Tool].Run(t.Context(), toolbox.Call{JobID: "u", TodoID: "u", Args: r.Undo.Args}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(d.docs, "나중 (2).md")); !os.IsNotExist(err) {
		t.Errorf("what was taken back: %v", err)
	}
	holds(t, mine, "mine")
}
