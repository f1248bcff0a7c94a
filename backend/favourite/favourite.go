// Package favourite keeps favourite orders: words that a customer says again and again, under a name, with blanks. What is run is a
// message like any other that says those words with the blanks filled in, so a favourite grants nothing and has no way of its own past
// the rooms. A blank is an argument of the tool or the service that the words are for: it is asked for and read as that one is.
package favourite

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
)

// MaxName is how many characters the name of a favourite has at most, MaxList how many are kept at once.
const (
	MaxName = 40
	MaxList = 500
)

// TrashFor is how long a favourite that was deleted can be taken back.
const TrashFor = 30 * 24 * time.Hour

// Blank is one blank of a favourite. Room and Arg say whose argument it is; both are empty where nobody knows, and any words will do.
type Blank struct {
	Name string `json:"name"`
	Was  string `json:"was,omitempty"` // what stood there when it was kept: an example
	Room string `json:"room,omitempty"`
	Arg  string `json:"arg,omitempty"`
}

// Favourite is one favourite order.
type Favourite struct {
	ID      string
	Name    string
	Text    string // as Parse reads it
	Blanks  []Blank
	Created time.Time
	Deleted time.Time // zero: it is not in the trash
}

// Argument is an argument of what a text means. Where the words say it, it stands at Start to End, in bytes; End is 0 where they do not.
type Argument struct {
	Room, Arg  string
	Name       bilingual.Text
	Start, End int
}

// Rooms know what texts mean and what fits their arguments. They only read and are safe for concurrent use.
type Rooms interface {
	// Arguments are those of what a text means, said in it or not; none where nothing is read in it.
	Arguments(ctx context.Context, text string) []Argument
	// Take reads words as the value of a blank and gives those that say it; or the sentence that asks again.
	Take(ctx context.Context, b Blank, words string, lang bilingual.Lang) (value, again string)
	// Ask is the sentence that asks for a blank.
	Ask(b Blank, lang bilingual.Lang) string
}

// Store keeps favourites. Safe for concurrent use; errors are *apperr.Error, those of storage everywhere.
type Store interface {
	// Favourites gives those that are kept, the oldest first; or with trash those that were deleted, the last first.
	Favourites(ctx context.Context, trash bool) ([]Favourite, error)
	// Favourite gives one, also out of the trash. Error: not_found.
	Favourite(ctx context.Context, id string) (Favourite, error)
	// SaveFavourite writes one down, in the place of one with its id. taken is another's name that key, the folded name, is already; "": it is written.
	SaveFavourite(ctx context.Context, f Favourite, key string) (taken string, err error)
	// DeleteFavourite puts one into the trash; EmptyFavourites lets go of those deleted before a moment. Error: not_found.
	DeleteFavourite(ctx context.Context, id string, at time.Time) error
	EmptyFavourites(ctx context.Context, before time.Time) (gone int, err error)
}

// Deps are the parts a Book works with. All are required.
type Deps struct {
	Store     Store
	Rooms     Rooms
	Publisher event.Publisher
	Now       func() time.Time
	NewID     func() string
}

// Book keeps the favourites. Safe for concurrent use.
type Book struct{ deps Deps }

// New makes a book.
func New(deps Deps) *Book { return &Book{deps} }

// List gives all favourites, the oldest first; Trash those that were deleted, the last first.
func (b *Book) List(ctx context.Context) ([]Favourite, error) {
	return b.deps.Store.Favourites(ctx, false)
}

// Trash gives the favourites that can be taken back, the last deleted first.
func (b *Book) Trash(ctx context.Context) ([]Favourite, error) {
	return b.deps.Store.Favourites(ctx, true)
}

// Get gives one favourite. Errors: not_found, also for one in the trash; storage errors.
func (b *Book) Get(ctx context.Context, id string) (Favourite, error) {
	f, err := b.deps.Store.Favourite(ctx, id)
	if err == nil && !f.Deleted.IsZero() {
		err = apperr.New(apperr.NotFound, "what", "favourite", "id", id)
	}
	return f, err
}

// Draft is what a person writes of a favourite: a new one where ID is empty. Was says what stood in a blank before it was one.
type Draft struct {
	ID, Name, Text string
	Was            map[string]string
}

// Keep writes a favourite down, and finds out whose arguments its blanks are. Errors: invalid_args for a name or a text that is empty or
// too long, blank_unreadable, favourite_taken, favourites_full, not_found, storage errors.
func (b *Book) Keep(ctx context.Context, d Draft) (Favourite, error) {
	name, err := tidyName(d.Name)
	if err != nil {
		return Favourite{}, err
	}
	text := strings.TrimSpace(norm.NFC.String(strings.ToValidUTF8(strings.ReplaceAll(d.Text, "\x00", ""), "")))
	if text == "" || utf8.RuneCountInString(text) > MaxText {
		return Favourite{}, apperr.New(apperr.InvalidArgs, "detail", "text: 1…2000")
	}
	t, err := Parse(text)
	if err != nil {
		return Favourite{}, err
	}
	f := Favourite{ID: b.deps.NewID(), Created: b.deps.Now()}
	was := map[string]string{}
	if d.ID != "" {
		if f, err = b.Get(ctx, d.ID); err != nil {
			return f, err
		}
		for _, blank := range f.Blanks {
			was[blank.Name] = blank.Was
		}
	} else if list, err := b.List(ctx); err != nil || len(list) >= MaxList {
		if err == nil {
			err = apperr.New(apperr.FavouritesFull, "limit", MaxList)
		}
		return f, err
	}
	for blank, words := range d.Was {
		was[blank] = strings.TrimSpace(words)
	}
	f.Name, f.Text, f.Blanks = name, t.String(), b.origins(ctx, t, was)
	return f, b.save(ctx, f)
}

func (b *Book) save(ctx context.Context, f Favourite) error {
	taken, err := b.deps.Store.SaveFavourite(ctx, f, fold(f.Name))
	switch {
	case err != nil:
		return err
	case taken != "":
		return apperr.New(apperr.FavouriteTaken, "name", taken)
	}
	b.changed(f.ID)
	return nil
}

// Delete puts a favourite into the trash. Errors: not_found, storage errors.
func (b *Book) Delete(ctx context.Context, id string) error {
	err := b.deps.Store.DeleteFavourite(ctx, id, b.deps.Now())
	if err == nil {
		b.changed(id)
	}
	return err
}

// Restore takes a favourite out of the trash. Errors: favourite_taken when another is called so meanwhile, not_found, storage errors.
func (b *Book) Restore(ctx context.Context, id string) (Favourite, error) {
	f, err := b.deps.Store.Favourite(ctx, id)
	if err != nil || f.Deleted.IsZero() {
		return f, err
	}
	f.Deleted = time.Time{}
	return f, b.save(ctx, f)
}

// Sweep lets go for good of what has lain in the trash for TrashFor. Errors: storage errors.
func (b *Book) Sweep(ctx context.Context) error {
	gone, err := b.deps.Store.EmptyFavourites(ctx, b.deps.Now().Add(-TrashFor))
	if gone > 0 {
		b.changed("")
	}
	return err
}

func (b *Book) changed(id string) {
	b.deps.Publisher.Publish(event.Of("", "", event.FavouritesChanged{ID: id}))
}

// Arguments are what a text says that could be a blank, in their order.
func (b *Book) Arguments(ctx context.Context, text string) []Argument {
	list := slices.DeleteFunc(b.deps.Rooms.Arguments(ctx, text), func(a Argument) bool { return a.End == 0 })
	slices.SortStableFunc(list, func(x, y Argument) int { return x.Start - y.Start })
	return slices.CompactFunc(list, func(next, last Argument) bool { return next.Start < last.End })
}

// origins finds whose argument each blank is: the one that is read where the blank stands, in a sentence with what stood there before; or
// the one that is called as the blank is.
func (b *Book) origins(ctx context.Context, t Template, was map[string]string) []Blank {
	names := t.Blanks()
	if len(names) == 0 {
		return nil
	}
	sample := map[string]string{}
	for _, name := range names {
		if sample[name] = was[name]; was[name] == "" {
			sample[name] = name
		}
	}
	sentence, at := t.With(sample)
	args := b.deps.Rooms.Arguments(ctx, sentence)
	if len(args) == 0 { // a name in the place of a value may spoil the sentence
		for _, name := range names {
			if was[name] == "" {
				sample[name] = ""
			}
		}
		sentence, at = t.With(sample)
		args = b.deps.Rooms.Arguments(ctx, sentence)
	}
	list := make([]Blank, len(names))
	for i, name := range names {
		list[i] = Blank{Name: name, Was: was[name]}
		stands := at[name]
		k := slices.IndexFunc(args, func(a Argument) bool { return was[name] != "" && a.Start < stands[1] && stands[0] < a.End })
		if k < 0 {
			k = slices.IndexFunc(args, func(a Argument) bool {
				return slices.Contains([]string{fold(a.Arg), fold(a.Name.KO), fold(a.Name.EN)}, fold(name))
			})
		}
		if k < 0 {
			k = slices.IndexFunc(args, func(a Argument) bool { return a.Start < stands[1] && stands[0] < a.End })
		}
		if k >= 0 {
			list[i].Room, list[i].Arg = args[k].Room, args[k].Arg
		}
	}
	return list
}

// fold is a name as names are compared.
func fold(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(norm.NFC.String(name)), " "))
}

func tidyName(name string) (string, error) {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) {
			return -1 // it would turn around what stands beside it
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	name = strings.Join(strings.Fields(norm.NFC.String(name)), " ")
	name = strings.TrimLeft(name, "/ ")
	if n := utf8.RuneCountInString(name); n == 0 || n > MaxName || strings.ContainsFunc(name, unicode.IsControl) {
		return "", apperr.New(apperr.InvalidArgs, "detail", "name: 1…40")
	}
	return name, nil
}
