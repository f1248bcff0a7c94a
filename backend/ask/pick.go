package ask

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"agentchat/backend/folders"
	"agentchat/backend/toolbox"
)

// pick records which lines of a plan a person kept. The digest of the answer covers exactly these lines: it is made of the digest of
// everything that was shown (which includes the plan), the lines that were left out, and the names that were changed.
func (a Ask) pick(answer *Answer, said *toolbox.Pick) error {
	if said == nil || len(said.Leave)+len(said.Names) == 0 {
		return nil
	}
	lines := 0
	if a.Preview != nil && a.Preview.Plan != "" {
		lines = a.Preview.Lines
	}
	p := toolbox.Pick{Leave: slices.Clone(said.Leave), Names: slices.Clone(said.Names)}
	slices.Sort(p.Leave)
	p.Leave = slices.Compact(p.Leave)
	slices.SortFunc(p.Names, func(a, b toolbox.Rename) int { return cmp.Compare(a.Line, b.Line) })
	outside := func(n int) bool { return n < 0 || n >= lines }
	switch {
	case slices.ContainsFunc(p.Leave, outside):
		return invalid("pick", fmt.Sprintf("the plan has lines 0 to %d", lines-1))
	case len(p.Leave) == lines:
		return invalid("pick", "nothing of the plan is left; reject it instead")
	}
	for i, n := range p.Names {
		switch {
		case outside(n.Line) || i > 0 && p.Names[i-1].Line == n.Line:
			return invalid("pick", fmt.Sprintf("name each of the lines 0 to %d at most once", lines-1))
		case !folders.GoodName(n.Name):
			return invalid("pick", "no file may be called "+n.Name)
		}
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return err
	}
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "picked\x00%s\x00%s", a.Digest, raw)
	answer.Pick, answer.Digest = &p, hex.EncodeToString(sum.Sum(nil))
	return nil
}
