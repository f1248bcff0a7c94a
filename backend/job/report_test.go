package job_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
)

// The message that reports has the id under which the report streams, and what was thought before it.
func TestTheReportIsTheMessageItStreamsInto(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.NewTool("count")).Start(1)
		streams := ""
		f.Model.OnReport = func(_ context.Context, b interpreter.Brief) (string, error) {
			streams = b.Message
			return "done", nil
		}
		id := f.Hand("main", jobtest.Plan("", "count"))[0]
		f.Settle()
		var m event.ChatMessage
		for _, e := range f.Envelopes() {
			if e.Kind == event.KindChatMessage && e.Job == id {
				if err := json.Unmarshal(e.Data, &m); err != nil {
					t.Fatal(err)
				}
			}
		}
		if streams == "" || m.ID != streams || m.Text != "done" || m.Reasoning != "thought about "+streams {
			t.Errorf("%+v streamed into %q", m, streams)
		}
		if b := f.Model.Briefs(); b[0].Message != f.Job(id).Todos[0].ID {
			t.Errorf("the solver's words stream into %q", b[0].Message)
		}
	})
}

// Whoever shows where a todo stands has every node to find a word for, and no other.
func TestEveryNodeIsNamedForTheFronts(t *testing.T) {
	named := map[string]bool{}
	for _, n := range job.NodeNames {
		named[string(n)] = true
	}
	synctest.Test(t, func(t *testing.T) {
		drawn := jobtest.Open(t, jobtest.NewTool("count")).Start(1).Jobs.Mermaid()
		for name := range named {
			if !strings.Contains(drawn, "    "+name+" : ") {
				t.Errorf("the graph has no node %s", name)
			}
		}
		if nodes := strings.Count(drawn, " : "); nodes != len(named) {
			t.Errorf("the graph has %d nodes, %d are named", nodes, len(named))
		}
	})
}
