package interpreter

import (
	"context"
	"errors"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// A title is worth little: how many tokens a model may have to read for one, beyond what it has read already or, where it keeps
// nothing, in all.
const (
	titleFresh = 1024
	titleWhole = 8192
)

// titleMessage asks for a title.
var titleMessage = bilingual.Of(
	"이 대화를 제목 하나로 요약해 주세요: 무엇을 하거나 무엇에 대한 것인지 다섯 낱말 안으로, 제목만, 따옴표와 마침표 없이 써 주세요. 이야기가 바뀌었으면 요즘 이야기를 따르세요.",
	"Sum up this conversation in one title: what is done or what it is about, in at most six words. Write nothing but the title, without quotation marks or a full stop. If the talk has moved on, go by what it is about now.",
)

// Title has the model on duty name a chat, when nobody wants it: whoever comes interrupts it at once, and it is asked anew when the
// model is free again. "" when no model is on duty, or when it would have to read too much for it. Errors: ctx's, and those of the
// provider, of which nobody else is told.
func (i *Interpreter) Title(ctx context.Context, brief func() Brief) (string, error) {
	for ctx.Err() == nil {
		guest, leave, err := i.queue.unwanted(ctx)
		if err != nil {
			return "", err
		}
		b := brief()
		b.Request = titleMessage.In(b.Lang)
		title, err := i.title(guest, b)
		interrupted := err != nil && guest.Err() != nil
		leave()
		if !interrupted {
			return title, err
		}
	}
	return "", ctx.Err()
}

func (i *Interpreter) title(ctx context.Context, b Brief) (string, error) {
	req := i.request(b, provider.RoleSummarizer, nil)
	p := i.nearest(ctx, req)
	if _, byCode := p.(provider.Phrasebook); byCode {
		return "", nil
	}
	req = i.requestFor(p, b, provider.RoleSummarizer, nil)
	req.Services = i.services()
	w, key := i.window(p, req.Role, req.ModelOf(p.Name()))
	size := i.size(key, req).high
	if w.Tokens > 0 && size > i.room(w, req.Role) {
		return "", nil
	}
	if _, keeps := p.(provider.Reader); keeps {
		size, _ = i.toRead(p, req)
		if size > titleFresh {
			return "", nil
		}
	} else if size > titleWhole {
		return "", nil
	}
	x := Exchange{Request: req, Prompt: i.adapter.NormalizePrompt(req), Provider: p.Name(), Attempt: 1, At: time.Now()}
	title, err := "", error(nil)
	if x.Reply, err = i.call(ctx, p, req, nil); err == nil {
		title = i.adapter.NormalizeOutput(x.Reply.Text)
		err = i.sound(b, x, title)
	}
	x.Reply.Elapsed = time.Since(x.At)
	if err != nil && ctx.Err() != nil {
		return "", errors.Join(err, ctx.Err())
	}
	x.failed(err)
	i.keep(x)
	if apperr.CodeOf(err) == apperr.ModelBadOutput { // code's own will do
		return "", nil
	}
	return title, err
}
