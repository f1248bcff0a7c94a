package builtin_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/provider/providertest"
	"agentchat/backend/toolbox"
)

// now is a Saturday afternoon in Seoul.
var now = time.Date(2026, 11, 21, 14, 10, 0, 0, time.FixedZone("KST", 9*3600))

// manuals are the manuals that plans may name.
func manuals() ([]string, error) {
	own, err := filepath.Glob("../../tools/*.json")
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob("../../tools/files/*.json")
	if err != nil {
		return nil, err
	}
	notes, err := filepath.Glob("../../tools/notes/*.json")
	if err != nil {
		return nil, err
	}
	desktop, err := filepath.Glob("../../tools/desktop/*.json")
	literal := []string{"../../tools/web/web_fetch.json", "../../tools/shell/shell.json"}
	return slices.Concat(own, files, notes, desktop, literal), err
}

// cards reads the manuals of the shop's real tools.
func cards(tb testing.TB) func(bilingual.Lang) []provider.ToolCard {
	tb.Helper()
	paths, err := manuals()
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no tool manuals: %v", err)
	}
	byLang := map[bilingual.Lang][]provider.ToolCard{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		var spec toolbox.Spec
		if err := json.Unmarshal(text, &spec); err != nil {
			tb.Fatal(err)
		}
		for _, lang := range []bilingual.Lang{bilingual.KO, bilingual.EN} {
			card := provider.ToolCard{Key: spec.Key, Title: spec.Title.In(lang), Description: spec.Description.In(lang), Acts: spec.Acts, Params: spec.Params, Long: spec.Long}
			for _, e := range spec.Examples {
				card.Examples = append(card.Examples, provider.Example(e))
			}
			byLang[lang] = append(byLang[lang], card)
		}
	}
	for _, cs := range byLang {
		sort.Slice(cs, func(i, j int) bool { return cs[i].Key < cs[j].Key })
	}
	return func(lang bilingual.Lang) []provider.ToolCard { return byLang[lang] }
}

func measure(tb testing.TB, files ...string) providertest.Score {
	tb.Helper()
	var all []providertest.Case
	for _, name := range files {
		f, err := os.Open(filepath.Join("testdata", name))
		if err != nil {
			tb.Fatal(err)
		}
		cases, err := providertest.ReadCases(f)
		_ = f.Close()
		if err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		all = append(all, cases...)
	}
	score, err := providertest.Measure(tb.Context(), builtin.New(), cards(tb), now, all)
	if err != nil {
		tb.Fatal(err)
	}
	return score
}

// TestScore holds the phrasebook to what a newcomer may expect of it, on requests that are not among the tools' examples.
func TestScore(t *testing.T) {
	files, err := filepath.Glob("testdata/requests*.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".tsv"), func(t *testing.T) {
			s := measure(t, filepath.Base(file))
			t.Logf("%d requests: %.1f%% right (tools %.1f%%); %d quiet: %.1f%% false starts; p99 %v, slowest %v",
				s.Requests, s.Accuracy(), s.ToolAccuracy(), s.Quiet, s.FalseStartRate(), s.PlannerP99, s.PlannerSlowest)
			if testing.Verbose() {
				for _, m := range s.Misses {
					t.Log(m)
				}
			}
			if s.Accuracy() < 85 {
				t.Errorf("accuracy %.1f%%, want at least 85%%", s.Accuracy())
			}
			if s.FalseStartRate() > 2 {
				t.Errorf("false starts %.1f%%, want at most 2%%", s.FalseStartRate())
			}
		})
	}
}

// BenchmarkScore reports the score together with the time a planner request takes.
func BenchmarkScore(b *testing.B) {
	files, _ := filepath.Glob("testdata/requests*.tsv")
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	var s providertest.Score
	for b.Loop() {
		s = measure(b, files...)
	}
	b.ReportMetric(s.Accuracy(), "%right")
	b.ReportMetric(s.ToolAccuracy(), "%tools")
	b.ReportMetric(s.FalseStartRate(), "%false_starts")
	b.ReportMetric(float64(s.Elapsed.Microseconds())/float64(s.Requests+s.Quiet), "µs/letter")
	b.ReportMetric(float64(s.PlannerP99.Microseconds()), "µs_p99")
}

// TestExamples: what the manuals themselves give as an example starts that tool, and nothing else.
func TestExamples(t *testing.T) {
	p := builtin.New()
	for _, lang := range []bilingual.Lang{bilingual.KO, bilingual.EN} {
		tools := cards(t)(lang)
		for _, card := range tools {
			for _, e := range card.Examples {
				reply, err := p.Chat(t.Context(), provider.Request{Role: provider.RolePlanner, Lang: lang, Tools: tools, Now: now, Message: e.Text}, nil)
				if err != nil {
					t.Fatal(err)
				}
				var plan provider.Plan
				if err := json.Unmarshal([]byte(reply.Text), &plan); err != nil {
					t.Fatal(err)
				}
				if len(plan.Jobs) != 1 || len(plan.Jobs[0].Todos) != 1 || plan.Jobs[0].Todos[0].Tool != card.Key {
					t.Errorf("%s: %q: %s", card.Key, e.Text, reply.Text)
				}
			}
		}
	}
}
