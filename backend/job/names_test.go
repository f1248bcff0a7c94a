package job_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"agentchat/backend/ask"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/names"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// towns knows one place.
type towns struct{}

func (towns) Knows(name string) bool { return name == "Busan" }

func (towns) Near(string, bilingual.Lang) []string { return []string{"Busan"} }

// A call that names what there is not, whoever made it, asks before it has the tool, and offers what comes nearest.
func TestANameThatNobodyKnowsIsAskedAbout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drive := jobtest.Approved("drive", toolbox.ConfirmNever)
		drive.Manual.Params = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},"to":{"type":"string","x-names":"place","x-name":{"ko":"목적지","en":"destination"}}},"additionalProperties":false}`)
		f := jobtest.Open(t, drive)
		f.Names[names.Place] = towns{}
		f.Model.OnChoose = func(_ context.Context, b interpreter.Brief) (provider.ToolCall, error) {
			to, _ := json.Marshal(map[string]string{"to": b.Correction})
			return provider.ToolCall{Tool: "drive", Args: to}, nil
		}
		f.Start(1)
		id := f.Hand("main", provider.JobPlan{Title: "drive", Todos: []provider.TodoPlan{{Title: "drive", Tool: "drive", Args: json.RawMessage(`{"to":"Bosan"}`)}}})[0]
		synctest.Wait()
		for range 2 {
			a := f.Question(id)
			if a.Kind != ask.KindInput || !strings.Contains(a.Question, "destination") || !slices.Equal(a.Near, []string{"Busan"}) || len(drive.Runs()) > 0 {
				t.Fatalf("asked %+v after %d runs", a, len(drive.Runs()))
			}
			f.Answer(id, ask.Reply{Choice: ask.ChoiceValue, Text: "Bosun"})
		}
		f.Answer(id, ask.Reply{Choice: ask.ChoiceValue, Text: "Busan"})
		f.WantState(id, job.Succeeded)
		if have := args(drive); !slices.Equal(have, []string{`{"to":"Busan"}`}) {
			t.Errorf("ran with %v", have)
		}
	})
}
