package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/interpreter"
	"agentchat/backend/provider"
)

// Prompter words answers to prompts of outside servers.
type Prompter interface {
	HasModel(role provider.Role) bool
	Prompted(ctx context.Context, b interpreter.Brief) (interpreter.Response, error)
}

// AttachedText gives the text of an attachment, at most so many characters; whole is false where there is more, and text is "" for what has none.
type AttachedText func(ctx context.Context, a event.Attachment, most int) (text string, whole bool, err error)

// mostPrompted is how many characters of prompts and of files beside them a request may hold.
const mostPrompted = 24_000

// errTooMuchPrompted says that prompts alone are longer than that.
var errTooMuchPrompted = errors.New("the prompts are too long together")

// prompts are the prompts of outside servers that a message came with. Their words are not the customer's: no code reads an order, an answer or a value
// out of them, and they stand in no text that counts as what the customer said.
func prompts(list []event.Attachment) (found []event.Attachment) {
	for _, a := range list {
		if a.From != nil && a.From.Prompt != "" {
			found = append(found, a)
		}
	}
	return found
}

// settlesPrompt takes what came with a prompt of an outside server and orders nothing else. Without a model it is said what can be done with it.
func (m *Manager) settlesPrompt(ctx context.Context, t *Turn) (move graph.Move, settled bool) {
	list := prompts(t.Attachments)
	if len(list) == 0 || t.Action != "" || t.steers() || t.About != nil || t.Text != "" && !m.asksAttached(ctx, t) {
		return graph.Move{}, false
	}
	if m.deps.Prompts != nil && m.deps.Prompts.HasModel(provider.RolePrompt) {
		return graph.To(nodePrompt), true
	}
	if t.Text != "" || len(list) < len(t.Attachments) {
		return graph.Move{}, false // what is asked is looked for in what is attached
	}
	m.unprompted(t, list)
	return graph.To(nodeSave), true
}

// unprompted says what can be done with prompts where no model is on duty.
func (m *Manager) unprompted(t *Turn, list []event.Attachment) {
	t.Prompt, t.Next, t.Reply = true, event.NextNone, t.say(
		named(list, t)+"에 답하려면 모델이 있어야 하는데, 지금은 없어요. 프롬프트는 바깥 서버의 글이라 그 안의 부탁이나 대답은 제가 대신 따르지 않아요.\n\n"+
			"- 모델 페이지에서 모델을 켠 다음 ‘다시 답하기’를 눌러 주세요.\n- 하실 일은 직접 써 주세요. 예: “서울 날씨 알려줘”\n- 글에서 찾을 것이 있으면 “첨부한 것에서 … 찾아줘”라고 써 주세요.",
		"Answering "+named(list, t)+" takes a model, and none is on duty. A prompt is an outside server's text, so nothing it asks for or answers is followed without one.\n\n"+
			"- Switch on a model on the models page, then choose “Answer again”.\n- Write what you want in your own words, such as “the weather in Seoul”.\n- To look something up in the text, write “find … in what is attached”.")
}

// named are the names of prompts and of the servers they are of.
func named(list []event.Attachment, t *Turn) string {
	names := make([]string, len(list))
	for i, a := range list {
		server := plainName(cmp.Or(a.From.Title, a.From.Server))
		names[i] = t.say("‘"+server+"’의 ‘"+plainName(a.Name)+"’ 프롬프트", "the prompt “"+plainName(a.Name)+"” of “"+server+"”")
	}
	return strings.Join(names, ", ")
}

// plainName is a stranger's name in a reply: Markdown makes nothing of it.
func plainName(name string) string {
	return strings.NewReplacer("*", "＊", "_", "＿", "`", "’", "[", "［", "]", "］", "<", "‹", ">", "›").Replace(name)
}

// prompt has a model answer what a prompt of an outside server asks for, in words alone: its request shows no tool, and nothing in the reply starts anything.
func (m *Manager) prompt(ctx context.Context, t *Turn) (graph.Move, error) {
	list := prompts(t.Attachments)
	brief := interpreter.Brief{
		Chat: t.Chat, Turn: t.ID, Lang: t.Lang, Now: m.readAt(t), Request: t.Text, Background: m.Background(ctx, t.Chat, ""), Message: t.Message,
		Recall: interpreter.RecallNever,
	}
	told, left, notRead, err := m.texts(ctx, list, mostPrompted)
	switch {
	case err == nil && len(notRead) > 0:
		err = apperr.New(apperr.AttachmentGone) // its words are what is to be answered
	case err == nil && left < 0:
		err = apperr.Wrap(errTooMuchPrompted, apperr.ContextOverflow)
	case err == nil:
		others := slices.DeleteFunc(slices.Clone(t.Attachments), func(a event.Attachment) bool { return len(prompts([]event.Attachment{a})) > 0 })
		brief.Results, _, notRead, err = m.texts(ctx, others, left)
		brief.Results = append(brief.Results, told...) // last, for what is too long is cut from the beginning on
	}
	var r interpreter.Response
	if err == nil {
		r, err = m.deps.Prompts.Prompted(ctx, brief)
	}
	t.Prompt = true
	switch {
	case ctx.Err() != nil:
		return graph.Move{}, cmp.Or(err, ctx.Err())
	case apperr.CodeOf(err) == apperr.NotAvailable:
		m.unprompted(t, list)
		return graph.To(nodeSave), nil
	case errors.Is(err, errTooMuchPrompted):
		t.fail(err)
		t.Reply = t.say(fmt.Sprintf("프롬프트가 모두 %d자보다 길어서 한 번에 답할 수 없어요. 나눠서 보내 주세요.", mostPrompted),
			fmt.Sprintf("Together the prompts are longer than %d characters, which is too much for one answer. Send them one at a time.", mostPrompted))
		return graph.To(nodeSave), nil
	case err != nil:
		t.fail(err)
		return graph.To(nodeSave), nil
	}
	t.Reply, t.Thought, t.Worded, t.Next = r.Text, r.Reasoning, true, event.NextNone
	if r.Cut {
		t.Reply += t.say("\n\n(답이 길어져서 여기서 끊겼어요.)", "\n\n(The answer grew too long and was cut here.)")
	}
	if len(notRead) > 0 {
		t.Aside = t.say("읽지 않고 답한 첨부: ", "Attached, and not read for this answer: ") + strings.Join(notRead, ", ")
	}
	return graph.To(nodeSave), nil
}

// texts are attachments as a request shows other people's words, and how much room is left. What has no text, is gone or too long is named.
func (m *Manager) texts(ctx context.Context, list []event.Attachment, room int) (results []provider.StepResult, left int, notRead []string, err error) {
	for _, a := range list {
		text, whole, err := m.deps.AttachedText(ctx, a, room)
		switch code := apperr.CodeOf(err); {
		case err != nil && code != apperr.AttachmentGone && code != apperr.DocumentRefused:
			return nil, 0, nil, err
		case err != nil || text == "" || !whole:
			notRead = append(notRead, plainName(a.Name))
			continue
		}
		// A stranger's names are other people's words too: they stand with the text, behind the fence.
		kind, head, prompt := "file", "name: "+a.Name, false
		if f := a.From; f != nil && f.Prompt != "" {
			kind, head, prompt = "prompt of an outside server", head+"\nserver: "+f.Server, true
			if len(f.Left) > 0 {
				head += "\nleft out: " + strings.Join(f.Left, "; ")
			}
		}
		text = head + "\n\n" + text
		room -= utf8.RuneCountInString(text)
		results = append(results, provider.StepResult{Title: kind, Tool: "a " + kind, Text: text, OK: true, Untrusted: true, Keep: prompt})
	}
	return results, room, notRead, nil
}

// besidePrompt says of a prompt that the message came with that it was not followed, and of the customer's own words, if there were any, that they were
// heard. A turn that failed has its own words.
func (m *Manager) besidePrompt(t *Turn) {
	list := prompts(t.Attachments)
	if len(list) == 0 || t.Prompt || t.Resume != "" || t.Code != "" {
		return
	}
	note := t.say(named(list, t)+"는 따르지 않았어요. 프롬프트는 바깥 서버의 글이에요.", "I did not follow "+named(list, t)+", which is an outside server's text.")
	if t.Text != "" {
		note = t.say(named(list, t)+"는 따르지 않고, 직접 쓰신 말만 들었어요. 프롬프트는 바깥 서버의 글이에요.", "I went by your own words and did not follow "+named(list, t)+", which is an outside server's text.")
	}
	if m.plain() {
		note += t.say(" 프롬프트에 답하려면 모델이 있어야 해요.", " Answering it takes a model.")
	}
	t.Aside = strings.TrimSpace(t.Aside + "\n\n" + note)
}
