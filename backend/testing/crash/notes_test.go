package crash

import "fmt"

// noted checks that the note was written once, and that one note, the whole of it, is in the trash.
func noted(p *process, end snapshot) []string {
	wrong := all("succeeded", "succeeded")(p, end)
	var view struct {
		Notes, Trash []struct {
			Text string `json:"text"`
		}
	}
	if err := p.do("notes", nil, &view); err != nil {
		return append(wrong, "lost: "+err.Error())
	}
	switch n := len(view.Notes) + len(view.Trash); {
	case n == 0:
		wrong = append(wrong, "lost: there is no note")
	case n > 1:
		wrong = append(wrong, fmt.Sprintf("doubled: there are %+v", view))
	case len(view.Trash) != 1 || view.Trash[0].Text != "우유 사기":
		wrong = append(wrong, fmt.Sprintf("lost: there are %+v", view))
	}
	return wrong
}

// takenBack: the note says again what it said before it was changed, and there is no other.
func takenBack(p *process, end snapshot) []string {
	wrong := all("succeeded", "succeeded", "succeeded")(p, end)
	var view struct {
		Notes, Trash []struct {
			Text string `json:"text"`
		}
	}
	if err := p.do("notes", nil, &view); err != nil {
		return append(wrong, "lost: "+err.Error())
	}
	if len(view.Notes) != 1 || len(view.Trash) != 0 || view.Notes[0].Text != "우유 사기" {
		wrong = append(wrong, fmt.Sprintf("lost: there are %+v", view))
	}
	return wrong
}
