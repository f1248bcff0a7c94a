package manager

import (
	"context"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/favourite"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/verdict"
)

// favouriteDrop is the button that gives up a favourite whose blanks are being asked for.
const favouriteDrop = "favourite:drop"

// Favourites is what the manager needs of the favourite orders.
type Favourites interface {
	// Spelled puts the words of favourites in the place of their names in a message (/name); ok is false where none stands.
	Spelled(ctx context.Context, text string) (f favourite.Filling, ok bool, err error)
	// Open makes a favourite ready to be said, in the words that the customer made of it.
	Open(ctx context.Context, id, words string) (favourite.Filling, error)
	// Check looks at the values that were given; ask is the question for what is missing, or does not fit.
	Check(ctx context.Context, f favourite.Filling, lang bilingual.Lang) (next favourite.Filling, ask string)
	// Answer takes words as the value that was asked for.
	Answer(ctx context.Context, f favourite.Filling, words string, lang bilingual.Lang) (next favourite.Filling, value, ask string)
}

// RunFavourite sends a favourite as a message of the customer. words is its text as the customer changed it; "" for the text as it is.
// Errors: not_found, invalid_args, message_too_long, storage errors.
func (m *Manager) RunFavourite(ctx context.Context, chat, id, words string) (event.ChatMessage, error) {
	if chat == "" {
		chat = "main"
	}
	if len(chat) > 128 || strings.HasPrefix(chat, JobChat) {
		return event.ChatMessage{}, apperr.New(apperr.InvalidArgs, "detail", "chat")
	}
	f, err := m.deps.Favourites.Open(ctx, id, words)
	if err != nil {
		return event.ChatMessage{}, err
	}
	t := Turn{Chat: chat}
	t.begin(f)
	if t.Text, err = said(t.Text); err != nil {
		return event.ChatMessage{}, err
	}
	t.Lang = m.tongue(chat, t.Text)
	return m.take(ctx, t)
}

// spell puts the words of favourites in the place of their names in a message.
func (m *Manager) spell(ctx context.Context, t *Turn) error {
	if m.deps.Favourites == nil || t.Action != "" || t.steers() {
		return nil
	}
	f, ok, err := m.deps.Favourites.Spelled(ctx, t.Text)
	if !ok || err != nil {
		return err
	}
	t.begin(f)
	t.Text, err = said(t.Text)
	return err
}

// begin makes the text of a favourite the text of the turn. Its blanks are filled when the turn runs.
func (t *Turn) begin(f favourite.Filling) {
	t.Text = f.Words()
	if len(f.Blanks) > 0 {
		t.Filling = &f
	}
}

// fills asks for what the favourite that the message says leaves blank, or takes the message as what was asked for. It tells whether that is
// all there is to do; the words that are whole are a message of their own, read as any other.
func (m *Manager) fills(ctx context.Context, t *Turn) (taken bool, err error) {
	if m.deps.Favourites == nil || t.Standing != nil || t.steers() || t.Resume != "" {
		return false, nil
	}
	if t.Filling != nil {
		f, ask := m.deps.Favourites.Check(ctx, *t.Filling, t.Lang)
		if t.Filling = nil; ask == "" {
			return false, nil // it says everything
		}
		m.askBlank(t, f, ask)
		return true, nil
	}
	f, open, err := m.deps.Store.Filling(ctx, t.Chat)
	if !open || err != nil {
		return false, err
	}
	if open, err = m.lastAsked(ctx, t, f.Message); err != nil {
		return false, err
	}
	t.out.Filling = &favourite.Filling{}
	switch {
	case t.Action == favouriteDrop || open && t.Action == "" && verdict.Of(t.Text, verdict.Own{}, nil) == verdict.Cancel:
		t.Reply, t.Next = t.say("단골 ‘"+f.Name+"’ 주문을 그만둘게요.", "I leave the favourite “"+f.Name+"”."), event.NextNone
		return true, nil
	case !open || t.Action != "":
		return false, nil // something else was talked about since
	}
	next, value, ask := m.deps.Favourites.Answer(ctx, f, t.Text, t.Lang)
	if 2*len(value) < len(t.Text) && m.ordersElse(ctx, t) {
		t.Aside = t.say("단골 ‘"+f.Name+"’ 주문은 그만둘게요. 다시 하려면 /"+f.Name, "I leave the favourite “"+f.Name+"”; for it say /"+f.Name)
		return false, nil
	}
	if ask != "" {
		m.askBlank(t, next, ask)
		return true, nil
	}
	whole := Turn{ID: m.deps.NewID(), Chat: t.Chat, Text: next.Words(), Message: m.deps.NewID()}
	whole.Lang = m.tongue(t.Chat, whole.Text)
	t.out.Say, t.out.Said, t.Quiet = &whole, m.message(whole), true
	return true, nil
}

// askBlank makes the question for a blank the turn's reply.
func (m *Manager) askBlank(t *Turn, f favourite.Filling, ask string) {
	f.Message = t.Message
	t.Filling, t.out.Filling = nil, &f
	t.Reply, t.Next = ask, event.NextInput
	t.Buttons = []event.Button{{ID: favouriteDrop, Label: t.say("취소", "Cancel")}}
}

// lastAsked tells whether a message is the last that the shop said in the chat before the turn.
func (m *Manager) lastAsked(ctx context.Context, t *Turn, message string) (bool, error) {
	msgs, err := m.deps.Store.History(ctx, t.Chat, t.ID, 8)
	for i := len(msgs) - 1; i >= 0 && err == nil; i-- {
		if msgs[i].Role != event.RoleCustomer && msgs[i].Turn != "" {
			return msgs[i].ID == message, nil
		}
	}
	return false, err
}

// ordersElse tells whether a message is by itself a wish that a room can do.
func (m *Manager) ordersElse(ctx context.Context, t *Turn) bool {
	m.read(ctx, t)
	if t.reading == nil || m.deps.Standing == nil {
		return false
	}
	_, _, ok := m.wish(ctx, t, t.Text, false)
	return ok
}

// sayWhole tells of the message that a filled favourite became, once it is in the ledger, and puts it in line.
func (m *Manager) sayWhole(t Turn, msg event.ChatMessage) {
	m.deps.Publisher.Publish(event.Of(t.Chat, "", msg))
	m.enqueue(Pending{Turn: t})
}
