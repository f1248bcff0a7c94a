package filing

import (
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/toolbox"
)

// Plan is what a tool is about to do to files, line by line, as it is shown before anybody approves it.
type Plan struct {
	Lines  []Line `json:"lines"`
	Before []Step `json:"before,omitempty"` // folders that are made first, as far as a line leads into them
	After  []Step `json:"after,omitempty"`  // folders that go at the end, if they are empty then
}

// Line is one thing that would be done. From and To are paths as people say them, "" where nothing is before or afterwards.
type Line struct {
	From    string `json:"from,omitempty"`
	To      string `json:"to,omitempty"`
	Size    int64  `json:"size,omitempty"`
	Note    string `json:"note,omitempty"`
	Blocked bool   `json:"blocked,omitempty"` // it cannot be done; Note says why
	Step    Step   `json:"step"`
}

// Named tells whether a person may give what a line leads to another name.
func (l Line) Named() bool { return !l.Blocked && (l.Step.Op == Move || l.Step.Op == Copy) }

// Steps are the steps of what a person left of the plan; nil: all of it.
func (p Plan) Steps(pick *toolbox.Pick) []Step {
	left, names := map[int]bool{}, map[int]string{}
	if pick != nil {
		for _, n := range pick.Leave {
			left[n] = true
		}
		for _, n := range pick.Names {
			names[n.Line] = n.Name
		}
	}
	var lines []Step
	into := map[string]bool{}
	for n, l := range p.Lines {
		if l.Blocked || left[n] {
			continue
		}
		s := l.Step
		if name := strings.TrimSpace(names[n]); name != "" && l.Named() {
			s.To = filepath.Join(filepath.Dir(s.To), fileName(name))
		}
		lines = append(lines, s)
		for dir := filepath.Dir(s.End()); !into[dir]; dir = filepath.Dir(dir) {
			into[dir] = true
		}
	}
	var steps []Step
	for _, s := range p.Before {
		if into[s.Path] {
			steps = append(steps, s)
		}
	}
	return append(append(steps, lines...), p.After...)
}

// fileName is a name that a person wrote, as one that leads to no other folder.
func fileName(said string) string {
	return strings.NewReplacer("/", "_", `\`, "_", "\x00", "_").Replace(norm.NFC.String(said))
}
