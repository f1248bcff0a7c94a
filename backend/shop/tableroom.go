package shop

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/folders"
	"agentchat/backend/frontdesk"
	"agentchat/backend/language/act"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/slot"
	"agentchat/backend/library/extract"
	"agentchat/backend/provider"
	"agentchat/backend/tablequery"
	"agentchat/backend/tools/tables"
)

// The room of tables at the front desk. It looks at which tables are at hand, and at how much of a message the closed form, the columns
// and the values of each of them explain.

// tableBid is a table that a message may ask, and how probable that is.
type tableBid struct {
	card  provider.TableCard
	along string // the tool that works on the answer; "": none
	tablequery.Witness
	p float64
}

// tableEvidence is what the table that the message asks most probably says of it.
func (s *Shop) tableEvidence(ctx context.Context, m frontdesk.Message) (tags []string) {
	if bids := s.tableBids(ctx, m, nil); len(bids) > 0 {
		tags = bids[0].Tags()
	}
	return tags
}

// tableOffers are the tables that the message may ask. Where one is nearer than the others it is that one; of several that lie about and
// explain it alike each is offered by its name.
func (s *Shop) tableOffers(ctx context.Context, m frontdesk.Message, r frontdesk.Reading, lang bilingual.Lang, least float64) (list []frontdesk.Offer) {
	bids := s.tableBids(ctx, m, r.Guesses)
	alike := 0
	for _, b := range bids {
		if b.p == bids[0].p {
			alike++
		}
	}
	for _, b := range bids[:alike] {
		o := frontdesk.Offer{Key: frontdesk.KeyTool + tables.Key, Title: bilingual.Say(lang, "표에서 계산하기: ", "Compute from a table: ") + filepath.Base(b.card.Name), P: b.p / float64(alike), Harm: frontdesk.HarmAnswer, Ordered: b.Whole}
		if alike > 1 {
			o.Key += "/" + b.card.Name
		}
		if b.along != "" {
			o.With = []string{frontdesk.KeyTool + b.along}
		}
		if o.P >= least || o.Ordered {
			list = append(list, o)
		}
	}
	return list
}

// tablesAsked implements manager.Tables.
func (s *Shop) tablesAsked(ctx context.Context, m frontdesk.Message, g act.Guesses) (list []provider.TableCard) {
	for _, b := range s.tableBids(ctx, m, g) {
		list = append(list, b.card)
	}
	return list
}

// likely is how probable it is that a table of the talk is meant where no other is looked for.
const likely = 0.5

// mostTied is how many tables that lie about are looked into for one message.
const mostTied = 20

// tableBids are the tables that a message may ask, the most probable first, of which each says something.
func (s *Shop) tableBids(ctx context.Context, m frontdesk.Message, g act.Guesses) (bids []tableBid) {
	log := s.Log.Component("tables")
	along := ""
	at := func(hand tablequery.Hand, card provider.TableCard, text string, other float64) {
		b := tableBid{card: card, along: along, Witness: tablequery.Witness{Hand: hand, Other: other}}
		sheets := s.glances.of(ctx, s, m.Chat, card.Name)
		b.Blind = len(sheets) == 0
		var before *tablequery.Query
		if hand == tablequery.HandLast {
			before = askedBefore(card.Asked, sheets, m.Now)
		}
		b.Heard = tablequery.Hear(text, sheets, before, m.Now)
		if b.p = b.P(); b.p > 0 {
			bids = append(bids, b)
		}
	}
	other, text := tablequery.Elsewhere(g), m.Text
	if object, tool := s.phrasebook.Saved(s.catalogue.cards(bilingual.KO), m.Text, m.Now); object != "" {
		text, along, other = object, tool, tablequery.Elsewhere(act.Read(object))
	}
	if file, ok := slot.TableFile(text); ok {
		said, rest := s.phrasebook.Besides(s.catalogue.cards(bilingual.KO), text, file, m.Now)
		if rest != "" {
			other = tablequery.Elsewhere(act.Read(said))
		}
		at(tablequery.HandNamed, provider.TableCard{Name: file}, strings.Replace(said, file, " ", 1), other)
		return bids
	}
	near, err := s.tablesNear(ctx, m.Chat, m.Attached, m.About)
	if err != nil {
		log.Warn().Err(err).Msg("the tables of the talk cannot be told")
		return nil
	}
	for i, card := range near {
		hand := tablequery.HandNear
		switch {
		case len(m.Attached) > 0 || m.About != nil:
			hand = tablequery.HandWith
		case card.Last && i == 0:
			hand = tablequery.HandLast
		}
		at(hand, card, text, other)
	}
	meant := slices.ContainsFunc(bids, func(b tableBid) bool { return b.p >= likely })
	if h := tablequery.Hear(text, nil, nil, m.Now); !meant && m.About == nil && len(m.Attached) == 0 && (h.Computes || h.Shapes) {
		talked := len(bids)
		for _, name := range s.tablesLying(ctx, m.Chat) {
			at(tablequery.HandLying, provider.TableCard{Name: name}, text, other)
		}
		bids = append(bids[:talked], slices.DeleteFunc(slices.Clone(bids[talked:]), func(b tableBid) bool { return b.Columns == 0 })...)
	}
	slices.SortStableFunc(bids, func(a, b tableBid) int { return cmp.Compare(b.p, a.p) })
	return bids
}

// askedBefore is the question that a talk about a table may go on with; nil: none.
func askedBefore(asked json.RawMessage, sheets []tablequery.Sheet, now time.Time) *tablequery.Query {
	var q struct {
		Ask string `json:"ask"`
		tablequery.Query
	}
	if json.Unmarshal(asked, &q) != nil {
		return nil
	}
	before := &q.Query
	if before.Do == "" {
		before = nil
	}
	t := tablequery.Table{Sheets: sheets}
	for line := range strings.Lines(q.Ask) {
		next, err := t.Read(strings.TrimSpace(line), before, now)
		if err != nil {
			return before
		}
		before = &next
	}
	return before
}

// tablesLying are the tables in the opened folders that a chat may see, and those of the library.
func (s *Shop) tablesLying(ctx context.Context, chat string) (names []string) {
	log := s.Log.Component("tables")
	scoped, err := s.scope(ctx, chat)
	if err != nil {
		log.Warn().Err(err).Msg("the folders of a chat cannot be told")
		return nil
	}
	const mostSeen = 500
	seen := 0
	if _, err := s.files.book.Walk(scoped, nil, func(e folders.Entry) bool {
		seen++
		if e.Info != nil && !e.Info.IsDir() && extract.IsTable(e.Name) {
			names = append(names, e.Path)
		}
		return len(names) < mostTied && seen < mostSeen
	}); err != nil {
		log.Debug().Err(err).Msg("the opened folders cannot be looked through")
	}
	documents, err := s.library.Documents(scoped)
	if err != nil {
		log.Warn().Err(err).Msg("the documents cannot be told")
	}
	for _, d := range documents {
		if len(names) < mostTied && extract.IsTable("x."+d.Format) && !d.Shelved {
			names = append(names, cmp.Or(withEnding(d.Title, d.Format), filepath.Base(d.Path)))
		}
	}
	return names
}

// glances are what was seen of tables by a glance, by their content.
type glances struct {
	mu   sync.Mutex
	seen map[string][]tablequery.Sheet
}

// What a glance at a table takes in: enough to know its columns and what stands in them, and so little that nobody waits for it.
const (
	glanceBytes = 4 << 20 // of a file that is packed
	glanceText  = 256 << 10
	glanceRows  = 2000
	mostGlances = 64
)

var errSeen = errors.New("enough of the table was seen")

// of gives the sheets of the table that is called so, as far as a glance shows them; none where it shows nothing.
func (g *glances) of(ctx context.Context, s *Shop, chat, name string) []tablequery.Sheet {
	scoped, err := s.scope(ctx, chat)
	if err != nil {
		return nil
	}
	t, err := s.tableNamed(scoped, chat, name)
	if err != nil {
		return nil
	}
	defer t.close()
	g.mu.Lock()
	sheets, known := g.seen[t.content]
	g.mu.Unlock()
	if known {
		return sheets
	}
	if sheets, err = s.glance(ctx, t); err != nil {
		log := s.Log.Component("tables")
		log.Debug().Err(err).Msg("a table cannot be looked into")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.seen == nil || len(g.seen) >= mostGlances {
		g.seen = map[string][]tablequery.Sheet{}
	}
	g.seen[t.content] = sheets
	return sheets
}

func (s *Shop) glance(ctx context.Context, t tableFound) ([]tablequery.Sheet, error) {
	from, err := t.open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = from.Close() }()
	ending := strings.ToLower(filepath.Ext(t.shown))
	packed := ending == ".xlsx" || ending == ".xlsm" || ending == ".ods"
	most := int64(glanceText)
	if packed {
		most = glanceBytes
	}
	head, err := io.ReadAll(io.LimitReader(from, most+1))
	if err != nil || packed && int64(len(head)) > most {
		return nil, err
	}
	if int64(len(head)) > most {
		head = wholeLines(head[:most])
	}
	dir := filepath.Join(s.Config.Get().DataDir, tablesFolder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, apperr.Wrap(err, apperr.StorageFailed)
	}
	path, err := copied(bytes.NewReader(head), dir, ending)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(path) }()
	rows := 0
	whole := tablequery.File(s.tableReader, path)
	sheets, err := tablequery.Survey(ctx, func(ctx context.Context, on func(extract.Row) error) error {
		return whole(ctx, func(r extract.Row) error {
			if rows++; rows > glanceRows {
				return errSeen
			}
			return on(r)
		})
	})
	if errors.Is(err, errSeen) {
		err = nil
	}
	return sheets, err
}

// wholeLines leaves out what was cut off in the middle: a line, or of UTF-16 half a character.
func wholeLines(head []byte) []byte {
	if bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff}) {
		return head[:len(head)&^1]
	}
	return head[:bytes.LastIndexByte(head, '\n')+1]
}
