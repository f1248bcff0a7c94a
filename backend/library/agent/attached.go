package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/library"
)

// among are the documents that are looked in, if not all of them.
func (q *Inquiry) among() []event.DocumentRef {
	if q.About == nil || slices.ContainsFunc(q.Attached, func(d event.DocumentRef) bool { return d.DocumentID == q.About.DocumentID }) {
		return q.Attached
	}
	return append([]event.DocumentRef{*q.About}, q.Attached...)
}

// narrowed tells whether only some documents are looked in.
func (q *Inquiry) narrowed() bool { return q.About != nil || len(q.Attached) > 0 }

// shelf tells whether one shelf is asked.
func (q *Inquiry) shelf() bool {
	if q.About == nil {
		return false
	}
	_, ok := event.ShelfAt(q.About.DocumentID)
	return ok
}

// where is what stands beside the name of what is asked: a document's behind it in Korean, a shelf's in both languages.
func (q *Inquiry) where() bilingual.Text {
	if q.shelf() {
		return bilingual.Text{KO: " 서가", EN: "the shelf "}
	}
	return bilingual.Text{KO: " 문서"}
}

// widen has a question that only went on about files look in the whole library: they hold nothing of it.
func (q *Inquiry) widen() {
	q.Attached, q.Pictures, q.Loose, q.History = nil, nil, false, nil
}

// Leans tells whether a question says by its form that it goes on from what was said before.
func Leans(text string) bool { return leans.MatchString(text) }

// handed begins with a question that came with files. It is about them. What a request to the model has room for goes there whole; the
// rest is looked in.
func (a *Agent) handed(ctx context.Context, q *Inquiry) (graph.Move, error) {
	names := make([]string, 0, len(q.Attached)+len(q.Pictures))
	for _, d := range q.among() {
		names = append(names, q.named(d.Title))
	}
	for _, p := range q.Pictures {
		names = append(names, q.named(p.Name))
	}
	a.decided(q, "scope", sure, "첨부한 것만 봐요: "+strings.Join(names, ", "), "Only what is attached is looked at: "+strings.Join(names, ", "), map[string]any{"inScope": true})
	whole, err := a.whole(ctx, q)
	if err != nil {
		return graph.Move{}, err
	}
	for _, it := range whole {
		q.Whole = append(q.Whole, it.DocumentID)
	}
	for _, d := range q.among() {
		if slices.Contains(q.Whole, d.DocumentID) {
			continue
		}
		labels, _, err := a.deps.Articles(ctx, d.DocumentID)
		if err != nil {
			return graph.Move{}, err
		}
		q.Unexplored = append(q.Unexplored, labels...)
	}
	if len(q.Whole) == len(q.among()) {
		return graph.To(nodeRespond), nil
	}
	return graph.To(nodeContext), nil
}

// whole are the documents that go to the model whole.
func (a *Agent) whole(ctx context.Context, q *Inquiry) ([]library.Item, error) {
	if a.deps.Whole == nil || len(q.Attached) == 0 || q.Loose {
		return nil, nil
	}
	return a.deps.Whole(ctx, slices.DeleteFunc(slices.Clone(q.among()), func(d event.DocumentRef) bool {
		_, shelf := event.ShelfAt(d.DocumentID)
		return shelf
	}))
}

// given puts before the passages that were found what goes whole, and behind them the pictures, if a model looks at them. Where nothing was
// found in what is attached there is its beginning.
func (a *Agent) given(ctx context.Context, q *Inquiry, found []library.Item) (items []library.Item, begins, sees bool, err error) {
	if len(q.Whole) > 0 {
		whole, err := a.whole(ctx, q)
		if err != nil {
			return nil, false, false, err
		}
		items = slices.DeleteFunc(whole, func(it library.Item) bool { return !slices.Contains(q.Whole, it.DocumentID) })
	}
	if q.surveys() { // passages that hold some of its words say nothing of what the files are
		found = nil
	}
	if len(found) == 0 && a.deps.Begins != nil {
		each := max(mostSources/max(len(q.Attached), 1), 1)
		for _, d := range q.Attached {
			if slices.ContainsFunc(items, func(it library.Item) bool { return it.DocumentID == d.DocumentID }) {
				continue
			}
			first, err := a.deps.Begins(ctx, d.DocumentID)
			if err != nil {
				return nil, false, false, err
			}
			if len(first) > 1 && utf8.RuneCountInString(strings.TrimSpace(first[0].Quote)) < saysLittle {
				first = first[1:] // a heading alone
			}
			found, begins = append(found, first[:min(len(first), each)]...), !q.surveys()
		}
	}
	items = append(items, found[:min(len(found), mostSources)]...)
	if len(q.Pictures) > 0 && a.deps.Sees != nil {
		sees = a.deps.Sees(ctx)
	}
	if sees {
		for _, p := range q.Pictures {
			items = append(items, library.Item{Title: p.Name, Kind: string(library.KindAttached), Quote: described(p), Picture: p.ID, Whole: true})
		}
	}
	return items, begins, sees, nil
}

// saysLittle is how many characters a passage has that says nothing by itself.
const saysLittle = 12

// described is what code knows of a picture.
func described(p event.Attachment) string {
	return fmt.Sprintf("%d×%d, %s, %s", p.Width, p.Height, strings.ToUpper(p.Format), sized(p.Bytes))
}

// sized is a number of bytes as people read it.
func sized(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.0f KB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}

// surveys tells whether a question is about the files that it came with as they are, and asks for nothing in them.
func (q *Inquiry) surveys() bool {
	if len(q.Attached) == 0 || q.Loose || q.About != nil {
		return false
	}
	names := map[string]bool{}
	for _, name := range q.names() {
		for _, w := range phrase.Words(strings.ToLower(name)) {
			names[w.Lower] = true
		}
	}
	for _, w := range phrase.Words(q.Text) {
		stem, _ := phrase.Stem(w.Lower)
		if !survey[w.Lower] && !survey[stem] && !names[w.Lower] && !names[stem] {
			return false
		}
	}
	return true
}

// names are those of all that is attached.
func (q *Inquiry) names() (names []string) {
	for _, d := range q.Attached {
		names = append(names, d.Title)
	}
	for _, p := range q.Pictures {
		names = append(names, p.Name)
	}
	return names
}

// survey are the words with which people ask what files are, or say that there are some.
var survey = wordlist.Of(`파일 파일들 문서 문서들 첨부 첨부한 첨부파일 보낸 올린 넣은 준 사진 그림 이미지 영수증 표 엑셀 한글 자료 거 것 걸 게 이거 이것 이걸 이게 이 이들 그 저 여기 안 안에 속 속에 모두 전부 다 각 각각 하나씩 차례로 세 두 네 다섯 여러 개 장 가지
	뭐 뭐가 뭐야 뭔지 뭐지 무엇 무엇이 무슨 어떤 내용 내용이 글 있 있는 있는지 있어 있나 있니 있어요 있나요 들어 들어있는지 들어있어 들은 든 담긴 적힌 적혀 쓰인 쓰여 나와 나온 인지 야 이야 예요 이에요 건지 건가요
	알려줘 알려 알려주세요 말해줘 말해 보여줘 보여 봐줘 봐 봐주세요 읽어줘 읽어 읽어주세요 설명해줘 설명 설명해 설명해주세요 요약 요약해줘 요약해 요약해주세요 정리 정리해줘 좀 간단히 짧게 줘 주세요 해줘 해주세요 와 과 랑 하고 그리고
	what what's whats is are was in on of the these this those that them it its all each every both three two four files file document documents attached attachment attachments photo picture image receipt spreadsheet sheet table one by and
	tell me show read explain describe summarize summarise summary summaries about contain contains there inside say says please can could you give a an brief short briefly i sent you`)

// read tells whether the text in a picture was read.
func (q *Inquiry) read(p event.Attachment) bool {
	return slices.ContainsFunc(q.Attached, func(d event.DocumentRef) bool { return d.Title == p.Name })
}

// unseen says of pictures that nobody can look at what is known of them all the same, and what to do. Of those whose text was read it is
// said when that text is cited, or the question is about what the files are.
func (q *Inquiry) unseen(cited []library.Item) string {
	var list, read []string
	for _, p := range q.Pictures {
		line := "**" + plainly(p.Name) + "** (" + described(p) + ")"
		switch {
		case !q.read(p):
			list = append(list, "- "+line)
		case q.surveys() || slices.ContainsFunc(cited, func(it library.Item) bool { return it.Title == p.Name }):
			read = append(read, line)
		}
	}
	text := ""
	if len(read) > 0 {
		text = q.say("그림을 볼 수 있는 모델이 없어서 그 속의 글만 읽었어요: ", "No model here can look at pictures, so I only read the text in: ") + strings.Join(read, ", ")
	}
	if len(list) == 0 {
		return text
	}
	head := q.say("지금은 그림을 볼 수 있는 모델이 없어서 그림의 내용은 답하지 못해요. 제가 아는 것은 이만큼이에요.",
		"No model here can look at pictures now, so I cannot say what they show. This is what I know:")
	foot := q.say("모델 페이지에서 그림을 보는 모델(gemma3, qwen2.5vl처럼 ‘vision’이 붙은 것)을 고른 다음 다시 물어봐 주세요. 그림 속의 글은 글로 옮겨 적어 보내도 돼요.",
		"Choose a model that can see on the models page (one marked “vision”, such as gemma3 or qwen2.5vl) and ask again. What is written in them you can also type here.")
	return strings.TrimSpace(text + "\n\n" + head + "\n\n" + strings.Join(list, "\n") + "\n\n" + foot)
}

// plainly is a name that Markdown makes nothing of.
func plainly(name string) string {
	return strings.NewReplacer("*", "＊", "_", "＿", "`", "’", "[", "［", "]", "］", "<", "‹", ">", "›").Replace(name)
}
