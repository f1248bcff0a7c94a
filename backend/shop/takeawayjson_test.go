package shop_test

import (
	"archive/zip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/manager"
	"agentchat/backend/shop"
)

// takenJSON are the keys of a conversation as JSON that programs may rely on, written out here so that a change of them is noticed.
type takenJSON struct {
	Format, ID, Title, Updated, Instructions, Model string
	Version                                         int
	Pinned, Archived                                bool
	Project                                         *struct {
		ID, Title, Instructions, Model string
		Folders, Shelves, Facts        []string
	}
	Messages []event.ChatMessage
	Versions []struct {
		Request  string
		Messages []event.ChatMessage
	}
	Jobs []struct {
		ID, Turn, Title, State, Request, Report string
		Number                                  int
		Messages                                []event.ChatMessage
	}
	Files map[string]string
}

func texts(list []event.ChatMessage) (said []string) {
	for _, m := range list {
		if m.Role == event.RoleCustomer {
			said = append(said, m.Text)
		}
	}
	return said
}

// A conversation as JSON loses nothing that a person made: what was said before it was said anew, with its attachments, what was said to a job, how the chat
// is kept, and its project. What they took away stays behind.
func TestNothingOfAChatIsLostInItsJSON(t *testing.T) {
	t.Parallel()
	c := enter(t, t.TempDir())
	ctx := t.Context()
	work := c.job("12 곱하기 34는?")
	c.state(work, "succeeded")
	if _, err := c.Say(ctx, manager.JobChat+work, "고마워 일", "", ""); err != nil {
		t.Fatal(err)
	}
	a, err := c.AttachFrom(ctx, "표.txt", strings.NewReader("첫 판의 첨부"))
	if err != nil {
		t.Fatal(err)
	}
	first, err := c.SayWith(ctx, shop.Words{Chat: "main", Text: "고마워 하나", Attachments: []event.Attachment{a}})
	if err != nil {
		t.Fatal(err)
	}
	c.again()
	until(c, "the turn is done", func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == first.ID })
	second, err := c.SayInstead(ctx, first.ID, manager.Instead{Text: "고마워 둘"})
	if err != nil {
		t.Fatal(err)
	}
	c.again()
	until(c, "the turn is done", func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == second.ID })
	third, err := c.speak("고마워 셋", "")
	if err != nil {
		t.Fatal(err)
	}
	c.again()
	until(c, "the turn is done", func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == third.ID })
	if err := c.HideMessage(ctx, third.ID, true); err != nil {
		t.Fatal(err)
	}
	p := c.into(shop.ProjectView{Title: "이사", Instructions: "반말로 답해", Model: "ollama/a", Folders: []string{"/집"}, Shelves: []string{"gone"}})
	if _, err := c.AddProjectFact(ctx, p.ID, "새 집은 5층이에요"); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		c.SetChat(ctx, "main", shop.ChatSettings{Project: p.ID, Instructions: "짧게 답해", Model: "ollama/b"}),
		c.RenameChat(ctx, "main", "이삿날"), c.PinChat(ctx, "main", true), c.ArchiveChat(ctx, "main", true),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}

	dir := t.TempDir()
	one, all := filepath.Join(dir, "one.json"), filepath.Join(dir, "all.zip")
	if err := c.Export(ctx, shop.Takeaway{Chat: "main"}, one, ""); err != nil {
		t.Fatal(err)
	}
	if err := c.Export(ctx, shop.Takeaway{}, all, ""); err != nil {
		t.Fatal(err)
	}
	alone, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	zipped, names := jsonIn(t, all)
	for where, raw := range map[string][]byte{"json": alone, "zip": zipped} {
		var v takenJSON
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		if v.Format != "agentchat-chat" || v.Version != 1 || v.ID != "main" || v.Title != "이삿날" || v.Updated == "" || !v.Pinned || !v.Archived || v.Instructions != "짧게 답해" || v.Model != "ollama/b" {
			t.Errorf("%s: %+v", where, v)
		}
		if v.Project == nil || v.Project.ID != p.ID || v.Project.Title != "이사" || v.Project.Instructions != "반말로 답해" || v.Project.Model != "ollama/a" ||
			!slices.Equal(v.Project.Folders, []string{"/집"}) || !slices.Equal(v.Project.Shelves, []string{"gone"}) || !slices.Equal(v.Project.Facts, []string{"새 집은 5층이에요"}) {
			t.Errorf("%s: its project is %+v", where, v.Project)
		}
		if said := texts(v.Messages); !slices.Equal(said, []string{"12 곱하기 34는?", "고마워 둘"}) {
			t.Errorf("%s: %q is shown", where, said)
		}
		if len(v.Versions) != 1 || v.Versions[0].Request != first.ID || len(v.Versions[0].Messages) < 2 || v.Versions[0].Messages[0].ID != first.ID ||
			!slices.Equal(texts(v.Versions[0].Messages), []string{"고마워 하나"}) || !slices.Equal(v.Versions[0].Messages[0].Versions, []string{first.ID, second.ID}) {
			t.Errorf("%s: the versions are %+v", where, v.Versions)
		}
		if len(v.Jobs) != 1 || v.Jobs[0].ID != work || v.Jobs[0].State != "succeeded" || !strings.Contains(v.Jobs[0].Report, "408") || !slices.Equal(texts(v.Jobs[0].Messages), []string{"고마워 일"}) {
			t.Errorf("%s: the jobs are %+v", where, v.Jobs)
		}
		if strings.Contains(string(raw), "고마워 셋") {
			t.Errorf("%s: what was taken away is in it", where)
		}
		if at := v.Files[a.ID]; where == "zip" && (at == "" || !slices.Contains(names, at)) {
			t.Errorf("the attachment lies in %q of %q", at, names)
		}
	}
	if formats, err := c.ExportFormats(ctx, shop.Takeaway{Chat: "main"}); err != nil || !slices.Contains(formats, "json") {
		t.Errorf("%v, %v", formats, err)
	}
	if err := c.Export(ctx, shop.Takeaway{Chat: "nobody's"}, one, "json"); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("what is not there: %v", err)
	}
	empty, err := c.NewChat(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Export(ctx, shop.Takeaway{Chat: empty.ID}, one, "json"); apperr.CodeOf(err) != apperr.NothingToExport {
		t.Errorf("where nothing was said: %v", err)
	}
}

// takenMain is the conversation as JSON.
func (c *customer) takenMain() (v takenJSON) {
	c.t.Helper()
	to := filepath.Join(c.t.TempDir(), "main.json")
	if err := c.Export(c.t.Context(), shop.Takeaway{Chat: "main"}, to, ""); err != nil {
		c.t.Fatal(err)
	}
	raw, err := os.ReadFile(to)
	if err == nil {
		err = json.Unmarshal(raw, &v)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return v
}

// Of a job goes along what the messages that go along say: neither a request nor a report that a person took away, nor a job that none of them names.
func TestAJobIsTakenAsItsMessagesAre(t *testing.T) {
	t.Parallel()
	c := enter(t, t.TempDir())
	work := c.job("12 곱하기 34는?")
	c.state(work, "succeeded")
	c.say("고마워")
	list, err := c.History(t.Context(), "main", "", 50)
	if err != nil {
		t.Fatal(err)
	}
	hide := func(which func(m event.ChatMessage) bool, hidden bool) {
		t.Helper()
		for _, m := range list {
			if which(m) {
				if err := c.HideMessage(t.Context(), m.ID, hidden); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	asks := func(m event.ChatMessage) bool {
		return strings.Contains(m.Text, "곱하기 34는?") && m.Role == event.RoleCustomer
	}
	tells := func(m event.ChatMessage) bool { return m.Role == event.RoleJob }
	names := func(m event.ChatMessage) bool { return m.JobID == work }
	if v := c.takenMain(); len(v.Jobs) != 1 || v.Jobs[0].Request == "" || !strings.Contains(v.Jobs[0].Report, "408") {
		t.Errorf("all of it: %+v", v.Jobs)
	}
	hide(asks, true)
	if v := c.takenMain(); len(v.Jobs) != 1 || v.Jobs[0].Request != "" || !strings.Contains(v.Jobs[0].Report, "408") {
		t.Errorf("without the request: %+v", v.Jobs)
	}
	hide(asks, false)
	hide(tells, true)
	if v := c.takenMain(); len(v.Jobs) != 1 || v.Jobs[0].Request == "" || v.Jobs[0].Report != "" {
		t.Errorf("without the report: %+v", v.Jobs)
	}
	hide(asks, true)
	hide(names, true)
	if v := c.takenMain(); len(v.Jobs) != 0 {
		t.Errorf("without any of its messages: %+v", v.Jobs)
	}
}

// A chat that was deleted and opened again leaves without the jobs of before, until it is put back.
func TestTheJobsOfADeletedChatStayBehind(t *testing.T) {
	t.Parallel()
	c := enter(t, t.TempDir())
	work := c.job("12 곱하기 34는?")
	c.state(work, "succeeded")
	if err := c.DeleteChat(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	c.say("고마워")
	if v := c.takenMain(); len(v.Jobs) != 0 || !slices.Equal(texts(v.Messages), []string{"고마워"}) {
		t.Errorf("opened again: %+v, %+v", v.Messages, v.Jobs)
	}
	if err := c.RestoreChat(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	if v := c.takenMain(); len(v.Jobs) != 1 || v.Jobs[0].ID != work || v.Jobs[0].Request == "" || v.Jobs[0].Report == "" {
		t.Errorf("put back: %+v", v.Jobs)
	}
}

// jsonIn gives the one conversation of a zip, and what all its files are called.
func jsonIn(t *testing.T, path string) (text []byte, names []string) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	for _, f := range z.File {
		names = append(names, f.Name)
		if filepath.Ext(f.Name) == ".json" {
			in, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if text, err = io.ReadAll(in); err != nil {
				t.Fatal(err)
			}
			_ = in.Close()
		}
	}
	return text, names
}
