package shop

import (
	"context"
	"strings"
	"time"

	"agentchat/backend/library"
)

// hitsOfAKind is how many finds of each kind the search box shows.
const hitsOfAKind = 8

// Search looks for text in conversations, jobs, logs, notes, documents, payees, favourites and services, by the index each of them has.
func (s *Shop) Search(ctx context.Context, text string) ([]SearchHit, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return []SearchHit{}, nil
	}
	s.recorder.Flush()
	found, err := s.store.Search(ctx, text, hitsOfAKind)
	if err != nil {
		return nil, err
	}
	hits := make([]SearchHit, 0, len(found))
	for _, h := range found {
		hits = append(hits, SearchHit{Kind: h.Kind, Chat: h.Chat, JobID: h.Job, ID: h.ID, Title: h.Title, Text: h.Text, Time: stamp(h.At)})
	}
	for _, room := range []func(context.Context, string) ([]SearchHit, error){s.searchNotes, s.searchLibrary, s.searchBank, s.searchFavourites} {
		more, err := room(ctx, text)
		if err != nil {
			return nil, err
		}
		hits = append(hits, more...)
	}
	return append(hits, s.searchServices(text)...), nil
}

func stamp(t time.Time) string { return t.Format(time.RFC3339Nano) }

func (s *Shop) searchNotes(ctx context.Context, text string) (hits []SearchHit, err error) {
	list, err := s.notes.Find(ctx, text, hitsOfAKind)
	for _, n := range list {
		hits = append(hits, SearchHit{Kind: "note", ID: n.ID, Title: n.Text, Time: stamp(n.Updated)})
	}
	return hits, err
}

// searchLibrary finds documents by their titles and passages by their words: nobody waits for a model while typing.
func (s *Shop) searchLibrary(ctx context.Context, text string) (hits []SearchHit, err error) {
	list, err := s.library.Documents(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range list {
		if len(hits) < hitsOfAKind && says(d.Title, text) {
			hits = append(hits, SearchHit{Kind: "document", ID: d.ID, Title: d.Title, Time: stamp(d.Added)})
		}
	}
	passages, err := s.library.Glance(ctx, text, hitsOfAKind)
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

func (s *Shop) searchBank(ctx context.Context, text string) (hits []SearchHit, err error) {
	view, err := s.bank.View(ctx)
	for _, p := range view.Payees {
		if len(hits) < hitsOfAKind && says(p.Name+"\n"+strings.Join(p.Aliases, "\n"), text) {
			hits = append(hits, SearchHit{Kind: "payee", ID: p.ID, Title: p.Name, Text: strings.TrimSpace(p.Bank + " " + p.Number)})
		}
	}
	return hits, err
}

func (s *Shop) searchServices(text string) (hits []SearchHit) {
	for _, info := range s.Services() {
		if len(hits) < hitsOfAKind && info.Error == "" && says(info.Title+"\n"+strings.Join(info.Examples, "\n"), text) {
			hits = append(hits, SearchHit{Kind: "service", ID: info.ID, Title: info.Title, Text: info.Intent})
		}
	}
	return hits
}

// says tells whether a text holds another, whatever the case of their letters.
func says(text, sought string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(sought))
}
