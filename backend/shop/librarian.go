package shop

import (
	"context"
	"fmt"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/attachment"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/library"
	"agentchat/backend/library/agent"
	"agentchat/backend/manager"
	"agentchat/backend/names"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/store"
)

// librarian is the library's agent as the manager uses it.
type librarian struct {
	*agent.Agent
	shop *Shop
	own  *ownFile
}

// Plain implements manager.Librarian.
func (l librarian) Plain() bool { return l.shop.failover.Provider().Name() == builtin.Name }

// Keeping implements manager.Librarian.
func (l librarian) Keeping(ctx context.Context) (own manager.Checkpoints, durable bool) {
	c := l.shop.Config.Get()
	if c.LibraryKeep != "database" {
		return nil, false
	}
	if c.LibraryFile == "" {
		return nil, true
	}
	kept, err := l.own.at(ctx, c.LibraryFile)
	if err != nil {
		return nil, true
	}
	return kept, true
}

// Titled implements manager.Librarian.
func (l librarian) Titled(ctx context.Context, place string) (string, error) {
	if id, ok := event.ShelfAt(place); ok {
		s, err := l.shop.shelves.Get(ctx, id)
		return s.Title, err
	}
	d, err := l.shop.store.Document(ctx, place)
	return d.Title, err
}

// Shelves implements manager.Librarian.
func (l librarian) Shelves() names.Room { return l.shop.shelves.Titles() }

// Shelf implements manager.Librarian.
func (l librarian) Shelf(ctx context.Context, name string) (event.DocumentRef, bool) {
	s, ok := l.shop.shelves.Named(ctx, name)
	return event.DocumentRef{DocumentID: event.ShelfPlace(s.ID), Title: s.Title}, ok
}

// ChatAttachments implements manager.Librarian.
func (l librarian) ChatAttachments(ctx context.Context, chat string) ([]event.Attachment, error) {
	return l.shop.store.ChatAttachments(ctx, chat)
}

// HandedIn implements manager.Librarian.
func (l librarian) HandedIn(ctx context.Context, list []event.Attachment) ([]event.DocumentRef, []event.Attachment, error) {
	documents, err := l.shop.attachments.Documents(ctx, list)
	return documents, attachment.Pictures(list), err
}

// Readings implements manager.Librarian.
func (l librarian) Readings(place string) []library.Reading {
	if id, ok := event.ShelfAt(place); ok {
		return l.shop.shelves.Readings(id)
	}
	if place != "" { // it is there
		return nil
	}
	return append(l.shop.library.Readings(), l.shop.shelves.Readings("")...)
}

// Await implements manager.Librarian.
func (l librarian) Await(ctx context.Context, r library.Reading) error {
	if r.Shelf != "" {
		return l.shop.shelves.Await(ctx, r)
	}
	return l.shop.library.Await(ctx, r)
}

// ownFile is the file of checkpoints that is set, opened when it is first needed. Safe for concurrent use.
type ownFile struct {
	failed func(path string, err error) // told once for each path

	mu   sync.Mutex
	path string
	file *store.Checkpoints
	err  error
}

// at is the file at path. A file that cannot be opened is not tried again until another was set.
func (o *ownFile) at(ctx context.Context, path string) (*store.Checkpoints, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.path == path && (o.file != nil || o.err != nil) {
		return o.file, o.err
	}
	if err := o.close(); err != nil {
		o.failed(o.path, err)
	}
	o.path = path
	o.file, o.err = store.OpenCheckpoints(ctx, path, time.Now())
	if o.err != nil {
		o.failed(path, o.err)
	}
	return o.file, o.err
}

// Close closes the file, if one is open.
func (o *ownFile) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.close()
}

func (o *ownFile) close() (err error) {
	if o.file != nil {
		err = o.file.Close()
	}
	o.file, o.err = nil, nil
	return err
}

// openLibrarian opens the agent.
func (s *Shop) openLibrarian() error {
	own := &ownFile{failed: func(path string, err error) {
		log := s.Log.Component("library")
		log.Warn().Err(err).Str("path", path).Msg("checkpoints stay in the ledger")
		e := apperr.Wrap(err, apperr.CheckpointsElsewhere, "path", path)
		s.Bus.Publish(event.Of("", "", event.Error{Code: string(e.Code), Message: e.Text(s.Config.Get().Lang), Fields: e.Fields}))
	}}
	s.closing = append(s.closing, own.Close)
	a, err := agent.New(agent.Deps{
		Run: s.read, Publisher: s.Bus, Articles: s.articlesOf, Word: s.word, Room: s.passageRoom, Advisor: advisor{s},
		Whole: s.whole, Begins: s.begins, Sees: s.sees,
		MaxIterations: func() int { return s.Config.Get().LibraryRounds }, Questions: builtin.Questions,
	})
	s.librarian = librarian{a, s, own}
	return err
}

// mostLabels is how many articles are named at most.
const mostLabels = 300

// articlesOf lists the articles of one document or shelf ("": of the customer's own), at most a few hundred, and counts the documents.
func (s *Shop) articlesOf(ctx context.Context, place string) (labels []string, documents int, err error) {
	list, err := s.library.Documents(ctx)
	if place != "" {
		list, err = s.library.In(ctx, place)
	}
	if err != nil {
		return nil, 0, err
	}
	for _, d := range list {
		if place == "" && d.Kind != library.KindMine {
			continue
		}
		if documents++; d.Articles == 0 || len(labels) >= mostLabels {
			continue
		}
		articles, err := s.library.Articles(ctx, d.ID)
		if err != nil {
			return nil, 0, err
		}
		for _, a := range articles[:min(len(articles), mostLabels-len(labels))] {
			labels = append(labels, a.Label())
		}
	}
	return labels, documents, nil
}

// Passages share what a model reads with the constitution, the catalogue, the conversation and the answer, which take about
// so many tokens together. A token holds about 1.4 characters of Korean; a request that turns out too long is made to fit.
const (
	besidePassages = 5600
	leastPassages  = 2400
	mostPassages   = 24000
)

// passageRoom is how many characters of passages a request may hold.
func (s *Shop) passageRoom() int {
	p := s.failover.Provider()
	w := s.window(p, provider.RoleResponder, "")
	if w.Tokens == 0 {
		return mostPassages
	}
	return min(max((w.Tokens-besidePassages)*7/5, leastPassages), mostPassages)
}

// word has a model word an answer from the passages that were chosen; they stand in the request as other people's words.
func (s *Shop) word(ctx context.Context, q *agent.Inquiry, chosen []library.Item, compared string) (agent.Wording, error) {
	if s.failover.Provider().Name() == builtin.Name {
		return agent.Wording{}, nil
	}
	brief := interpreter.Brief{
		Chat: q.Chat, Turn: q.Turn, Lang: q.Lang, Now: time.Now(), Request: q.Text, Message: q.Message,
		Background: s.manager.Background(ctx, q.Chat, ""), Recall: interpreter.RecallNever,
	}
	if s.Config.Get().LibraryCache {
		brief.Recall = interpreter.RecallAlone
		if q.NeedPrevious {
			brief.Recall = interpreter.RecallWhole
		}
	}
	for n, it := range chosen {
		if it.Picture != "" { // what it shows is in no key
			brief.Recall = interpreter.RecallNever
		}
		kind := library.KindMine
		if it.Kind == string(library.KindStandard) || it.Kind == string(library.KindAttached) {
			kind = library.Kind(it.Kind)
		}
		if it.Picture != "" {
			picture, err := s.attachments.Picture(ctx, it.Picture)
			if err != nil {
				return agent.Wording{}, err
			}
			brief.Pictures = append(brief.Pictures, provider.Picture{ID: it.Picture, Data: picture})
		}
		text := it.Title + " " + it.Article + "\n" + agent.Shown(it)
		if it.Deleted {
			text = it.Title + " " + it.Article + " (deleted)"
		}
		brief.Results = append(brief.Results, provider.StepResult{Title: fmt.Sprintf("[%d] %s", n+1, kind), Text: text, OK: true, Untrusted: true})
	}
	if compared != "" {
		brief.Results = append(brief.Results, provider.StepResult{Title: "comparison of mine and standard", Text: compared, OK: true, Untrusted: true})
	}
	r, err := s.interp.Respond(ctx, brief)
	return agent.Wording{Text: r.Text, Reasoning: r.Reasoning, Cut: r.Cut}, err
}

// answers keeps what models answered, in the ledger.
type answers struct{ shop *Shop }

// Answer implements interpreter.Cache.
func (a answers) Answer(ctx context.Context, key string) (provider.Reply, bool) {
	reply, ok, err := a.shop.store.CachedAnswer(ctx, key)
	if err != nil && ctx.Err() == nil {
		log := a.shop.Log.Component("letters")
		log.Warn().Err(err).Msg("no kept answer can be had")
	}
	return reply, ok && err == nil
}

// Keep implements interpreter.Cache.
func (a answers) Keep(ctx context.Context, key string, reply provider.Reply) {
	if err := a.shop.store.CacheAnswer(ctx, key, reply); err != nil && ctx.Err() == nil {
		log := a.shop.Log.Component("letters")
		log.Warn().Err(err).Msg("an answer is not kept")
	}
}
