package shop

import (
	"context"
	"strings"
	"time"
	"unicode/utf16"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/favourite"
	"agentchat/backend/frontdesk"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/store"
)

// FavouritesView is all favourites, the oldest first, and those that can be taken back, the last deleted first.
type FavouritesView struct {
	Favourites []FavouriteView `json:"favourites"`
	Trash      []FavouriteView `json:"trash"`
	TrashDays  int             `json:"trashDays"` // how long one can be taken back
}

// FavouriteView is a favourite as people read it. Plain is its text when it has no blanks: what is said when it is run.
type FavouriteView struct {
	ID      string           `json:"id"`
	Name    string           `json:"name"`
	Text    string           `json:"text"` // with its blanks in braces, and braces twice
	Plain   string           `json:"plain,omitempty"`
	Blanks  []FavouriteBlank `json:"blanks"`
	Deleted string           `json:"deleted,omitempty"` // RFC 3339 in UTC
}

// FavouriteBlank is a blank of a favourite. Asks is the question for it, Was what stood there when it was kept.
type FavouriteBlank struct {
	Name string `json:"name"`
	Asks string `json:"asks"`
	Was  string `json:"was,omitempty"`
}

// ArgumentView is a stretch of a text that can be a blank, in the units in which a browser counts, and what it is called.
type ArgumentView struct {
	Name  string `json:"name"`
	Text  string `json:"text"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// rooms say what texts mean, by the phrasebook and the counter: whose blank it is says its prefix.
type rooms struct {
	s     *Shop
	cards *catalogue
}

const (
	roomTool    = "tool:"
	roomService = "service:"
)

func (s *Shop) openFavourites(cards *catalogue) {
	s.favourites = favourite.New(favourite.Deps{
		Store: s.store, Rooms: rooms{s, cards}, Publisher: s.Bus, Now: time.Now, NewID: newID,
	})
}

// Arguments implements favourite.Rooms.
func (r rooms) Arguments(ctx context.Context, text string) (list []favourite.Argument) {
	now := r.s.now()
	read := r.s.front.Read(ctx, frontdesk.Message{Text: text, Now: now})
	m, fits := r.s.services.Meant(text, read.Wants)
	if !fits {
		for _, x := range r.s.phrasebook.Stretches(r.cards.cards(bilingual.KO), text, now) {
			list = append(list, favourite.Argument{Room: roomTool + x.Tool, Arg: x.Arg, Name: x.Called, Start: x.Start, End: x.End})
		}
	}
	if m != nil && len(list) == 0 {
		for _, x := range m.Spans(text, now) {
			list = append(list, favourite.Argument{Room: roomService + m.ID, Arg: x.Slot, Name: x.Title, Start: x.Start, End: x.End})
		}
	}
	return list
}

// Take implements favourite.Rooms.
func (r rooms) Take(_ context.Context, b favourite.Blank, words string, lang bilingual.Lang) (value, again string) {
	if m, ok := r.s.services.Get(strings.TrimPrefix(b.Room, roomService)); ok {
		return m.Take(b.Arg, words, r.s.now(), lang)
	}
	return r.s.phrasebook.Take(r.cards.cards(lang), strings.TrimPrefix(b.Room, roomTool), b.Arg, words, r.s.now(), lang)
}

// Ask implements favourite.Rooms.
func (r rooms) Ask(b favourite.Blank, lang bilingual.Lang) (question string) {
	if m, ok := r.s.services.Get(strings.TrimPrefix(b.Room, roomService)); ok {
		question = m.Ask(b.Arg, lang)
	} else {
		question = r.s.phrasebook.Ask(r.cards.cards(lang), strings.TrimPrefix(b.Room, roomTool), b.Arg, lang)
	}
	if question != "" {
		return question
	}
	return bilingual.Say(lang, "빈칸 ‘%s’에 무엇을 넣을까요?", "What goes into the blank “%s”?", b.Name)
}

// Favourites gives all favourites, and those that can be taken back.
func (s *Shop) Favourites(ctx context.Context) (FavouritesView, error) {
	v := FavouritesView{Favourites: []FavouriteView{}, Trash: []FavouriteView{}, TrashDays: int(favourite.TrashFor / (24 * time.Hour))}
	list, err := s.favourites.List(ctx)
	if err != nil {
		return v, err
	}
	gone, err := s.favourites.Trash(ctx)
	for _, f := range list {
		v.Favourites = append(v.Favourites, s.favouriteView(f))
	}
	for _, f := range gone {
		v.Trash = append(v.Trash, s.favouriteView(f))
	}
	return v, err
}

func (s *Shop) favouriteView(f favourite.Favourite) FavouriteView {
	v := FavouriteView{ID: f.ID, Name: f.Name, Text: f.Text, Blanks: []FavouriteBlank{}, Deleted: stampOf(f.Deleted)}
	for _, b := range f.Blanks {
		v.Blanks = append(v.Blanks, FavouriteBlank{Name: b.Name, Asks: s.favourites.Ask(b, s.lang()), Was: b.Was})
	}
	if len(f.Blanks) == 0 {
		v.Plain = favourite.Filling{Text: f.Text}.Words()
	}
	return v
}

// KeepFavourite keeps words under a name, or changes a favourite (id not empty). was says what stood in a blank before it was one. Errors: invalid_args,
// blank_unreadable, favourite_taken, favourites_full, not_found.
func (s *Shop) KeepFavourite(ctx context.Context, id, name, text string, was map[string]string) (FavouriteView, error) {
	f, err := s.favourites.Keep(ctx, favourite.Draft{ID: id, Name: name, Text: text, Was: was})
	if err != nil {
		return FavouriteView{}, err
	}
	return s.favouriteView(f), nil
}

// DeleteFavourite puts a favourite into the trash. Errors: not_found.
func (s *Shop) DeleteFavourite(ctx context.Context, id string) error {
	return s.favourites.Delete(ctx, id)
}

// RestoreFavourite takes a favourite out of the trash. Errors: not_found, favourite_taken.
func (s *Shop) RestoreFavourite(ctx context.Context, id string) error {
	_, err := s.favourites.Restore(ctx, id)
	return err
}

// RunFavourite says a favourite in a chat ("" for the main one), as the customer's own message; words are what they made of its text, with
// values in its blanks, "" for that text itself. What is left blank is asked. Errors: those of Say, not_found.
func (s *Shop) RunFavourite(ctx context.Context, chat, id, words string) (event.ChatMessage, error) {
	s.readIns.expect(chat)
	return s.manager.RunFavourite(ctx, chat, id, words)
}

// ScheduleFavourite says a favourite in a chat with when it shall be done again and again, which opens the card of a standing order. Errors: those of
// RunFavourite, invalid_args when the words do not say how often.
func (s *Shop) ScheduleFavourite(ctx context.Context, chat, id, when string) (event.ChatMessage, error) {
	said := s.standing.Read(when)
	if !said.Repeats() || said.Rest(when) != "" {
		return event.ChatMessage{}, apperr.New(apperr.InvalidArgs, "detail", when)
	}
	f, err := s.favourites.Get(ctx, id)
	if err != nil {
		return event.ChatMessage{}, err
	}
	return s.Say(ctx, chat, strings.TrimSpace(when)+" /"+f.Name, "", "")
}

// FavouriteArguments are the stretches of a text that can be blanks of a favourite.
func (s *Shop) FavouriteArguments(ctx context.Context, text string) []ArgumentView {
	list := []ArgumentView{}
	units := func(part string) int { return len(utf16.Encode([]rune(part))) }
	for _, a := range s.favourites.Arguments(ctx, text) {
		from := units(text[:a.Start])
		name := a.Name.In(s.lang())
		if name == "" {
			name = a.Arg
		}
		list = append(list, ArgumentView{Name: name, Text: text[a.Start:a.End], Start: from, End: from + units(text[a.Start:a.End])})
	}
	return list
}

// searchFavourites finds favourites by their names and their words.
func (s *Shop) searchFavourites(ctx context.Context, q store.Quest) (hits []SearchHit, err error) {
	list, err := s.favourites.List(ctx)
	for _, f := range list {
		if len(hits) < q.Limit && says("/"+f.Name+"\n"+f.Text, q.Text) {
			hits = append(hits, SearchHit{Kind: "favourite", ID: f.ID, Title: f.Name, Text: f.Text})
		}
	}
	return hits, err
}
