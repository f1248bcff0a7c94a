package shop

import (
	"context"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/words"
	"agentchat/backend/library"
	"agentchat/backend/store"
)

// hitsOfAKind is how many finds of each kind the search box shows.
const hitsOfAKind = 8

// hitsOfOneKind is how many there are when only some kinds are looked for.
const hitsOfOneKind = 50

// SearchQuery is what is looked for: each word of a text, in things of some kinds (none: all), of one chat or one project ("": all), not older
// than a moment (RFC 3339; "": whenever). What belongs to no chat is not in one, and what has no date is not of a time.
type SearchQuery struct {
	Text    string   `json:"text"`
	Kinds   []string `json:"kinds"`
	Chat    string   `json:"chat"`
	Project string   `json:"project"`
	Since   string   `json:"since"`
}

// Search looks for text in conversations, tickets, logs, notes, documents, what is remembered, payees, favourites and services, by the index
// that each of them has. Errors: invalid_args, storage errors.
func (s *Shop) Search(ctx context.Context, q SearchQuery) ([]SearchHit, error) {
	text := strings.TrimSpace(q.Text)
	if text == "" {
		return []SearchHit{}, nil
	}
	quest := store.Quest{Text: text, Kinds: q.Kinds, Chat: q.Chat, Project: q.Project, Limit: hitsOfAKind}
	if q.Since != "" {
		var err error
		if quest.Since, err = time.Parse(time.RFC3339, q.Since); err != nil {
			return nil, apperr.Wrap(err, apperr.InvalidArgs, "detail", "since: RFC 3339")
		}
	}
	if len(q.Kinds) > 0 {
		quest.Limit = hitsOfOneKind
	}
	s.recorder.Flush()
	found, err := s.store.Search(ctx, quest)
	if err != nil {
		return nil, err
	}
	hits := make([]SearchHit, 0, len(found))
	for _, h := range found {
		hits = append(hits, SearchHit{Kind: h.Kind, Chat: h.Chat, JobID: h.Job, ID: h.ID, Title: h.Title, Text: h.Text, Time: event.Stamp(h.At)})
	}
	for _, room := range []struct {
		kinds []string
		find  func(context.Context, store.Quest) ([]SearchHit, error)
	}{
		{[]string{"note"}, s.searchNotes},
		{[]string{"fact"}, s.searchFacts},
		{[]string{"document", "passage"}, s.searchLibrary},
		{[]string{"payee"}, s.searchBank},
		{[]string{"favourite"}, s.searchFavourites},
		{[]string{"service"}, s.searchServices},
	} {
		if len(q.Kinds) > 0 && !slices.ContainsFunc(room.kinds, func(k string) bool { return slices.Contains(q.Kinds, k) }) {
			continue
		}
		more, err := room.find(ctx, quest)
		if err != nil {
			return nil, err
		}
		for _, h := range more {
			if (q.Chat+q.Project == "" || h.Kind == "fact") && (quest.Since.IsZero() || h.dated(quest.Since)) {
				hits = append(hits, h)
			}
		}
	}
	return hits, nil
}

// dated tells whether a find is not older than a moment.
func (h SearchHit) dated(since time.Time) bool {
	at, err := time.Parse(time.RFC3339Nano, h.Time)
	return err == nil && !at.Before(since)
}

func (s *Shop) searchNotes(ctx context.Context, q store.Quest) (hits []SearchHit, err error) {
	list, err := s.notes.Find(ctx, q.Text, q.Limit)
	for _, n := range list {
		hits = append(hits, SearchHit{Kind: "note", ID: n.ID, Title: n.Text, Time: event.Stamp(n.Updated)})
	}
	return hits, err
}

// searchLibrary finds documents by their titles and passages by their words: nobody waits for a model while typing.
func (s *Shop) searchLibrary(ctx context.Context, q store.Quest) (hits []SearchHit, err error) {
	list, err := s.library.Documents(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range list {
		if len(hits) < q.Limit && says(d.Title, q.Text) {
			hits = append(hits, SearchHit{Kind: "document", ID: d.ID, Title: d.Title, Time: event.Stamp(d.Added)})
		}
	}
	passages, err := s.library.Glance(ctx, q.Text, q.Limit)
	for _, h := range passages {
		if h.Strength < library.LeastStrength {
			continue
		}
		title := h.Document.Title
		if h.Article != nil && h.Article.Title != "" {
			title += " · " + h.Article.Title
		}
		p := h.Passage
		hits = append(hits, SearchHit{Kind: "passage", ID: p.Document, Title: title, Text: p.Text, Start: p.Start, End: p.Start + len(p.Text)})
	}
	return hits, err
}

func (s *Shop) searchBank(ctx context.Context, q store.Quest) (hits []SearchHit, err error) {
	view, err := s.bank.View(ctx)
	for _, p := range view.Payees {
		if len(hits) < q.Limit && says(p.Name+"\n"+strings.Join(p.Aliases, "\n"), q.Text) {
			hits = append(hits, SearchHit{Kind: "payee", ID: p.ID, Title: p.Name, Text: strings.TrimSpace(p.Bank + " " + p.Number)})
		}
	}
	return hits, err
}

func (s *Shop) searchServices(_ context.Context, q store.Quest) (hits []SearchHit, err error) {
	for _, info := range s.Services() {
		if len(hits) < q.Limit && info.Error == "" && says(info.Title+"\n"+strings.Join(info.Examples, "\n"), q.Text) {
			hits = append(hits, SearchHit{Kind: "service", ID: info.ID, Title: info.Title, Text: info.Intent})
		}
	}
	return hits, nil
}

// searchFacts finds what is remembered; of one chat or one project that is what was said there.
func (s *Shop) searchFacts(ctx context.Context, q store.Quest) (hits []SearchHit, err error) {
	list, err := s.store.Facts(ctx)
	for _, f := range slices.Backward(list) {
		if len(hits) < q.Limit && (q.Chat == "" || f.Chat == q.Chat) && (q.Project == "" || f.Project == q.Project) && says(f.Text, q.Text) {
			hits = append(hits, SearchHit{Kind: "fact", ID: f.ID, Chat: f.Chat, Title: f.Text, Time: event.Stamp(f.Learned)})
		}
	}
	return hits, err
}

// says tells whether a text holds each word of what is looked for.
func says(text, sought string) bool { return words.Holds(text, words.Sought(sought)) }
