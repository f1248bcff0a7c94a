package shop

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"agentchat/backend/event"
	"agentchat/backend/frontdesk"
	"agentchat/backend/language/act"
	"agentchat/backend/language/bilingual"
)

// ReadingsView is how the newest messages were read, and how far such readings are to be believed.
type ReadingsView struct {
	Readings    []ReadingRow      `json:"readings"`    // newest first
	Reliability []act.Reliability `json:"reliability"` // by how sure a reading is, on sentences that nothing was learned from
}

// ReadingOutcome is what came of how a message was read.
type ReadingOutcome string

// The outcomes.
const (
	ReadingTaken  ReadingOutcome = "taken"  // something was done
	ReadingChosen ReadingOutcome = "chosen" // the customer chose it among several
	ReadingAsked  ReadingOutcome = "asked"  // the customer was asked which one is meant
	ReadingModel  ReadingOutcome = "model"  // a model said how to take it
	ReadingIdle   ReadingOutcome = "idle"   // nothing new was begun
)

// ReadingRow is how one message was read, in the reader's language. At is RFC 3339 in UTC.
type ReadingRow struct {
	ID      string         `json:"id"` // the message's
	Chat    string         `json:"chat"`
	At      string         `json:"at"`
	Text    string         `json:"text"`
	Guesses []ReadingGuess `json:"guesses"` // the most probable first
	Outcome ReadingOutcome `json:"outcome"`
	Taken   string         `json:"taken,omitempty"`   // the key of the way it was taken; empty: nothing was done, or several things at once
	Title   string         `json:"title,omitempty"`   // what that way is called, with the values read for it
	Offered []string       `json:"offered,omitempty"` // what the customer was asked about
	Of      string         `json:"of,omitempty"`      // the message whose reading the customer chose with this one
}

// ReadingGuess is one thing that a message may have wanted, and what speaks for it.
type ReadingGuess struct {
	Act   string   `json:"act"`
	Title string   `json:"title"`
	P     float64  `json:"p"`
	Tags  []string `json:"tags"`  // of what the rooms said, the most weighty first
	Why   []string `json:"why"`   // the same for people
	Words []string `json:"words"` // of the message
}

// Readings lists how the newest messages of a chat ("" for all) were read.
func (s *Shop) Readings(ctx context.Context, chat string, limit int) (ReadingsView, error) {
	s.readings.Flush()
	list, err := s.store.Readings(ctx, chat, limit)
	v := ReadingsView{Readings: make([]ReadingRow, len(list)), Reliability: act.Reliable()}
	for i, k := range list {
		v.Readings[i] = s.readingRow(k, s.Config.Get().Lang)
	}
	return v, err
}

func (s *Shop) readingRow(k frontdesk.Kept, lang bilingual.Lang) ReadingRow {
	row := ReadingRow{
		ID: k.ID, Chat: k.Chat, At: event.Stamp(k.At), Text: k.Text, Taken: k.Taken, Of: k.Of,
		Title: cmp.Or(k.Title, s.taken(k.Taken, lang)), Guesses: make([]ReadingGuess, len(k.Guesses)),
	}
	switch {
	case len(k.Offered) > 0:
		row.Outcome = ReadingAsked
	case k.Of != "" && k.Taken != "":
		row.Outcome = ReadingChosen
	case k.Model:
		row.Outcome = ReadingModel
	case row.Title != "":
		row.Outcome = ReadingTaken
	default:
		row.Outcome = ReadingIdle
	}
	for _, o := range k.Offered {
		row.Offered = append(row.Offered, o.Title)
	}
	evidence := slices.Concat(k.Evidence...)
	for i, g := range k.Guesses {
		row.Guesses[i] = ReadingGuess{Act: string(g.Act), Title: g.Act.Title().In(lang), P: g.P, Why: []string{}}
		row.Guesses[i].Words, row.Guesses[i].Tags = act.Support(k.Text, g.Act, evidence...)
		for _, tag := range row.Guesses[i].Tags {
			if said := why(tag).In(lang); said != "" {
				row.Guesses[i].Why = append(row.Guesses[i].Why, said)
			}
		}
	}
	return row
}

// taken is what a way to take a message is called, by its key; "" for one that is not there any more.
func (s *Shop) taken(key string, lang bilingual.Lang) string {
	if key == frontdesk.KeyLibrary {
		return act.DocumentAsk.Title().In(lang)
	}
	if tool, ok := strings.CutPrefix(key, frontdesk.KeyTool); ok {
		tool, _, _ := strings.Cut(tool, "/")
		if spec, err := s.box.Spec(tool); err == nil {
			return spec.Title.In(lang)
		}
	}
	id, isService := strings.CutPrefix(key, frontdesk.KeyService)
	query, isQuery := strings.CutPrefix(key, frontdesk.KeyQuery)
	if isQuery {
		id, query, _ = strings.Cut(query, "/")
	}
	m, known := s.services.Get(id)
	if !known || !isService && !isQuery {
		return ""
	}
	for _, q := range m.Queries {
		if isQuery && q.ID == query {
			return cmp.Or(q.Title, m.Title).In(lang)
		}
	}
	return m.Title.In(lang)
}

// whys are what the tags of evidence say, for people. One that ends in a colon is followed by an act, which stands at %s.
var whys = map[string]bilingual.Text{
	"form:":    bilingual.Of("바로 ‘%s’의 말꼴이에요", "exactly the form of “%s”"),
	"orders:":  bilingual.Of("‘%s’의 이름을 들어 시켜요", "orders “%s” by name"),
	"names:":   bilingual.Of("‘%s’의 이름이 나와요", "names “%s”"),
	"service:": bilingual.Of("창구의 ‘%s’에 맞는 말이에요", "fits “%s” of the counter"),
	"whole:":   bilingual.Of("창구의 ‘%s’에 필요한 것이 다 있어요", "says all that “%s” of the counter needs"),
	"query:":   bilingual.Of("창구의 ‘%s’에 맞는 물음이에요", "a question that fits “%s” of the counter"),
	"unless:":  bilingual.Of("창구의 ‘%s’에 맞지만 시키는 말이 아니에요", "fits “%s” of the counter but is no order"),
	"like:":    bilingual.Of("창구의 ‘%s’의 예와 비슷해요", "is like an example of “%s” of the counter"),

	"mood:request": bilingual.Of("해 달라는 말이에요", "is a request"), "mood:wish": bilingual.Of("바라는 말이에요", "is a wish"),
	"mood:question": bilingual.Of("묻는 말이에요", "is a question"), "mood:fragment": bilingual.Of("짧게 끊은 말이에요", "is a fragment"),
	"mood:talk": bilingual.Of("그냥 하는 말이에요", "is mere talk"), "mood:negative": bilingual.Of("하지 말라는 말이에요", "says not to do it"),

	"stop": bilingual.Of("멈추라는 말이 있어요", "says to stop"), "tells": bilingual.Of("무언가를 알려 주는 말이에요", "tells of something"),
	"holds:formula": bilingual.Of("계산할 식이 있어요", "holds a sum"), "holds:measure": bilingual.Of("단위를 붙인 수가 있어요", "holds a measure"),
	"document":  bilingual.Of("문서를 두고 묻는 말이에요", "asks about documents"),
	"held:none": bilingual.Of("도서관에 그런 글이 없어요", "the library holds nothing of it"),
}

// heldWhy says how much of a question one passage holds, in percent.
var heldWhy = bilingual.Of("묻는 말의 %d%%쯤이 도서관의 한 단락에 있어요", "about %d %% of it stands in one passage of the library")

// why says for people what a tag of evidence says; nothing for one that nobody gives any more.
func why(tag string) bilingual.Text {
	if said, ok := whys[tag]; ok {
		return said
	}
	if tenths, err := strconv.Atoi(strings.TrimPrefix(tag, "held:")); err == nil {
		return bilingual.Textf(heldWhy.KO, heldWhy.EN, 10*tenths)
	}
	how, of, _ := strings.Cut(tag, ":")
	said, title := whys[how+":"], act.Act(of).Title()
	if title == (bilingual.Text{}) {
		return title
	}
	return bilingual.Of(strings.Replace(said.KO, "%s", title.KO, 1), strings.Replace(said.EN, "%s", title.EN, 1))
}
