package library_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/library/extract"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
	"agentchat/backend/toolbox"
	tools "agentchat/backend/tools/library"
)

const contract = `근로계약서
제1조(목적) 이 계약은 갑과 을의 근로조건을 정한다.
제2조(계약기간) 계약기간은 1년으로 한다.
제5조(임금) 월급은 300만원으로 하고 매월 25일에 지급한다. 연장근로에는 통상임금의 30퍼센트를 더한다.
제6조 삭제 <2026.1.1.>
부칙
제1조(시행일) 서명한 날부터 시행한다.
`

// box is a toolbox with the library's tools over a real library: one contract, and the standards that come with the program.
func box(t *testing.T) *toolbox.Box {
	t.Helper()
	s, err := store.Open(t.Context(), ledgertest.In(t.TempDir()), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	bus := event.NewBus(0, time.Now)
	read := bus.SubscribeFrom(1)
	n := 0
	l := library.New(library.Deps{
		Store: s, Publisher: bus, Extract: extract.New(extract.Limits{}, "").Read, Lang: func() bilingual.Lang { return bilingual.KO }, Now: time.Now,
		NewID: func() string { n++; return strings.Repeat("x", n) }, Log: zerolog.Nop(),
	})
	if err := l.ShelveStandards(t.Context()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "내 계약.txt")
	if err := os.WriteFile(path, []byte(contract), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Import(t.Context(), path, library.KindMine); err != nil {
		t.Fatal(err)
	}
	if err := l.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Stop()
		bus.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	for {
		batch, err := read.Next(t.Context(), 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range batch {
			var v event.LibraryImport
			if e.Kind != event.KindLibraryImport || json.Unmarshal(e.Data, &v) != nil || v.State != "done" {
				continue
			}
			b, err := toolbox.New(bus, toolbox.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Register(tools.Tools(l)...); err != nil {
				t.Fatal(err)
			}
			return b
		}
	}
}

func run(t *testing.T, b *toolbox.Box, key, args string) (string, library.Report, error) {
	t.Helper()
	canonical, err := b.ValidateArgs(key, json.RawMessage(args))
	if err != nil {
		return "", library.Report{}, err
	}
	tool, err := b.Tool(key)
	if err != nil {
		t.Fatal(err)
	}
	result, err := tool.Run(context.Background(), toolbox.Call{Args: canonical, Lang: bilingual.KO})
	if err != nil {
		return "", library.Report{}, err
	}
	raw, err := b.ValidateResult(key, result.Data)
	if err != nil {
		t.Fatal(err)
	}
	var r library.Report
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	return result.Text, r, nil
}

func TestTools(t *testing.T) {
	b := box(t)
	for _, c := range []struct{ key, args, text, articles string }{
		{"get_article_by_index", `{"number":"제5조"}`, "월급은 300만원", "제5조(임금)"},
		{"get_article_by_index", `{"number":"1"}`, "부칙 제1조(시행일)", "제1조(목적) 부칙 제1조(시행일)"},
		{"get_article_by_index", `{"number":"6"}`, "삭제된 조문이에요", "제6조"},
		{"get_article_by_index", `{"number":"9"}`, "문서에 없어요: 9. 있는 조문은 제1조(목적), 제2조(계약기간)", ""},
		{"get_article_by_index", `{"number":"9","scope":"standard"}`, "표준 근로계약서", "제9조(계약의 변경) 제9조(보증금의 반환) 제9조(해지)"},
		{"get_article_by_title", `{"title":"계약 기간"}`, "1년으로 한다", "제2조(계약기간)"},
		{"get_article_by_title", `{"title":"우주여행"}`, "문서에 없어요", ""},
		{"hybrid_search", `{"query":"월급은 얼마야?"}`, "낱말로만 찾았어요", "제5조(임금)"},
		{"hybrid_search", `{"query":"우주선 발사"}`, "문서에 없어요", ""},
		{"lookup_standard_contract", `{"clause":"제5조"}`, "내 문서에만 있는 숫자: 300만원", "제5조(임금) 제6조(임금)"},
		{"lookup_standard_contract", `{"clause":"계약기간"}`, "표준에는 있고 내 문서에는 없는 내용: ③ 수습기간을", "제2조(계약기간) 제2조(계약기간)"},
		{"lookup_standard_contract", `{"clause":"없는 조항 이름"}`, "문서에 없어요", ""},
	} {
		text, r, err := run(t, b, c.key, c.args)
		var got []string
		for _, it := range r.Items {
			got = append(got, it.Article)
			if it.DocumentID == "" || it.Quote == "" || it.Page < 1 || it.End <= it.Start {
				t.Errorf("%s %s: %+v", c.key, c.args, it)
			}
		}
		sorted := strings.Join(got, " ")
		if c.key == "get_article_by_index" && strings.Contains(c.args, "standard") {
			for part := range strings.FieldsSeq("제9조(보증금의 제9조(해지) 변경)") {
				if !strings.Contains(sorted, part) {
					t.Errorf("%s is missing in %s", part, sorted)
				}
			}
			sorted = c.articles
		}
		if err != nil || !strings.Contains(text, c.text) || sorted != c.articles {
			t.Errorf("%s %s: %q from %s, %v", c.key, c.args, text, sorted, err)
		}
	}
	_, all, err := run(t, b, "get_article_by_index", `{"number":"1","scope":"all"}`)
	if err != nil || len(all.Items) < 3 {
		t.Fatalf("%+v, %v", all.Items, err)
	}
	standard := ""
	for _, it := range all.Items {
		if it.Kind == "standard" {
			standard = it.DocumentID
		}
	}
	// One document alone, whosever it is, and whatever others hold.
	for key, args := range map[string]string{
		"hybrid_search": `"query":"임금"`, "get_article_by_index": `"number":"1"`, "get_article_by_title": `"title":"목적"`,
	} {
		_, r, err := run(t, b, key, `{`+args+`,"document":"`+standard+`"}`)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range r.Items {
			if it.DocumentID != standard {
				t.Errorf("%s in one document found %+v", key, it)
			}
		}
	}
	for _, args := range []string{`{}`, `{"number":""}`, `{"number":"1","scope":"theirs"}`, `{"number":"1","x":1}`} {
		if _, _, err := run(t, b, "get_article_by_index", args); apperr.CodeOf(err) != apperr.InvalidArgs {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// The manuals are whole: texts in both languages, examples that fit the schemas, and nothing that plans may name.
func TestManuals(t *testing.T) {
	b := box(t)
	for _, spec := range b.Specs() {
		if !spec.Library || !spec.Untrusted || spec.Effect != toolbox.EffectRead || spec.Confirm != toolbox.ConfirmNever ||
			spec.Title.KO == "" || spec.Title.EN == "" || spec.Description.KO == "" || spec.Description.EN == "" || len(spec.Examples) < 16 {
			t.Errorf("%+v", spec)
		}
		for _, e := range spec.Examples {
			raw, err := json.Marshal(e.Args)
			if err == nil {
				_, err = b.ValidateArgs(spec.Key, raw)
			}
			if err != nil {
				t.Errorf("%s: %q: %v", spec.Key, e.Text, err)
			}
		}
	}
}
