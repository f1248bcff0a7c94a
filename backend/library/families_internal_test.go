package library

import (
	"math"
	"math/rand/v2"
	"testing"

	"agentchat/backend/library/vectors"
)

// kind is a family whose vectors weigh as much as words.
var kind = family{Crowd: 50, Near: 2, Full: 2, Beyond: 1, Weight: 1}

// The nearest of vectors drawn by lot is about as near as it is said to be by chance, and so is given for nothing; what stands
// out beyond that is given, the stronger the farther.
func TestWhatIsNearByChance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{50, 1000, 20_000} {
		const times = 60
		sum, given := 0.0, 0
		crowd := vectors.Crowd{Size: n, Mean: 0.1, Deviation: 0.05}
		for range times {
			far := 0.0
			for range n {
				far = max(far, r.NormFloat64())
			}
			sum += far
			nearest := crowd.Mean + far*crowd.Deviation
			if kind.weigh(1, nearest, nearest, crowd).strength > 0 {
				given++
			}
		}
		if mean := sum / times; math.Abs(mean-byChance(n)) > 0.35 || given > times/5 {
			t.Errorf("of %d the nearest stands out by %.2f, not %.2f; %d of %d were given", n, mean, byChance(n), given, times)
		}
		last := 0.0
		for _, more := range []float64{1.1, 2, 4} {
			cosine := crowd.Mean + (byChance(n)+more)*crowd.Deviation
			got := kind.weigh(1, cosine, cosine, crowd)
			if got.strength <= last || got.worth != 1 {
				t.Errorf("of %d, %.1f beyond chance: %+v", n, more, got)
			}
			last = got.strength
		}
	}
}

// What is known of a family is used: its prefixes, how near counts, and from which cosine on a passage is given for its vector
// alone, in a crowd that stands close together.
func TestFamilies(t *testing.T) {
	for model, want := range map[string][2]string{
		"ollama/multilingual-e5-small:latest": {"query: ", "passage: "},
		"lmstudio/Intfloat-E5-Large":          {"query: ", "passage: "},
		"ollama/nomic-embed-text:latest":      {"search_query: ", "search_document: "},
		"ollama/embeddinggemma:latest":        {"task: search result | query: ", "title: none | text: "},
		"ollama/bge-m3:latest":                {"", ""},
	} {
		f := familyOf(model)
		if f.Question != want[0] || f.Passage != want[1] {
			t.Errorf("%s: %q, %q", model, f.Question, f.Passage)
		}
		if kept := keptAs(model); (kept == model) != (f.Passage == "") {
			t.Errorf("%s is kept as %q", model, kept)
		}
	}
	for _, f := range families {
		if len(f.Names) == 0 || f.Weight <= 0 || f.Full < f.Near || f.Crowd < 2 || f.Sure == 0 && f.Beyond == 0 {
			t.Errorf("not whole: %+v", f)
		}
	}
	e5, crowd := familyOf("multilingual-e5-small"), vectors.Crowd{Size: 39, Mean: 0.78, Deviation: 0.02}
	for _, c := range []struct {
		cosine float64
		given  bool
	}{{0.815, false}, {0.825, true}} {
		if n := e5.weigh(1, c.cosine, c.cosine, crowd); (n.strength > 0) != c.given || n.worth <= 0 || n.worth >= e5.Weight || n.alone != 0 {
			t.Errorf("a cosine of %.3f: %+v", c.cosine, n)
		}
	}
	if n := e5.weigh(1, 0.79, 0.79, crowd); n.worth != 0 {
		t.Errorf("hardly out of the crowd: %+v", n)
	}
}

// A vector that is not markedly near counts for nothing; without a crowd it counts by how near it is.
func TestWhatNearnessIsWorth(t *testing.T) {
	for name, c := range map[string]struct {
		far  float64 // in deviations
		size int
		want near
	}{
		"hardly near":            {1.9, 200, near{}},
		"markedly near":          {2.1, 200, near{worth: 1}},
		"too few, halfway":       {1, 49, near{worth: 0.5}},
		"too few, far behind":    {-1, 49, near{}},
		"too few, the nearest":   {2, 49, near{worth: 1}},
		"all of them are alike":  {0, 200, near{}},
		"markedly near of a few": {2.1, 50, near{worth: 1}},
	} {
		crowd := vectors.Crowd{Size: c.size, Mean: 0.2, Deviation: 0.1}
		got := kind.weigh(0, crowd.Mean+c.far*crowd.Deviation, crowd.Mean+2*crowd.Deviation, crowd)
		if math.Abs(got.worth-c.want.worth) > 1e-9 || got.strength != c.want.strength {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// Meaning decides between passages whose words say about the same, and not against what words say clearly.
func TestFusing(t *testing.T) {
	hit := func(id int64, strength float64) Hit {
		return Hit{Passage: Passage{ID: id}, Score: strength, Strength: strength}
	}
	hits := []Hit{hit(1, 0.9), hit(2, 0.85), hit(3, 0.84), hit(4, 0.2), hit(5, 0)}
	fuse(hits, []near{{id: 3, worth: 0.02}, {id: 4, worth: 0.02}, {id: 5, worth: 0.02, strength: 0.4, alone: 0.4}})
	for i, want := range []int64{1, 3, 2, 5, 4} {
		if hits[i].Passage.ID != want {
			t.Fatalf("in place %d: %d, want %d", i, hits[i].Passage.ID, want)
		}
	}
}
