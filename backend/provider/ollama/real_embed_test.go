package ollama_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/library/vectors"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/testing/realollama"
	"agentchat/backend/testing/tinygguf"
)

// A real server makes vectors with a real embedding model: listed as one, found by itself, near what shares characters, the
// same for the same text alone and among others, and clear about what it cannot do.
func TestRealEmbedding(t *testing.T) {
	server := realollama.Start(t)
	server.Create(t, "scripted", tinygguf.Scripted(scripts), tinygguf.Template)
	server.Create(t, "characters", tinygguf.Embedding(1), "")
	p := open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed("scripted"), NumThread: 1})
	models, err := p.Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	embeds := map[string]bool{}
	for _, m := range models {
		embeds[strings.TrimSuffix(m.Name, ":latest")] = m.Embedding
	}
	if len(embeds) != 2 || !embeds["characters"] || embeds["scripted"] {
		t.Errorf("embedding models: %v", embeds)
	}
	model, err := p.EmbedModel(t.Context())
	if err != nil || !strings.HasPrefix(model, "characters") {
		t.Fatalf("found %q, %v", model, err)
	}
	texts := []string{"계약 기간은 일년이다", "일년 기간 계약", "임금을 매월 낸다", "Lease term", "term of the lease"}
	list, err := p.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range list {
		if !vectors.Good(v, tinygguf.EmbeddingLength) {
			t.Errorf("%s: no vector of use: %v", texts[i], v)
		}
		alone, err := p.EmbedWith(t.Context(), model, texts[i:i+1])
		if err != nil || math.Abs(vectors.Cosine(alone[0], v)-1) > 1e-3 {
			t.Errorf("%s: alone it is another one, %v", texts[i], err)
		}
	}
	for _, c := range []struct{ of, near, far int }{{0, 1, 2}, {1, 0, 3}, {3, 4, 0}} {
		if near, far := vectors.Cosine(list[c.of], list[c.near]), vectors.Cosine(list[c.of], list[c.far]); near < far+0.3 {
			t.Errorf("%s: %s %.2f, %s %.2f", texts[c.of], texts[c.near], near, texts[c.far], far)
		}
	}
	for name, c := range map[string]struct {
		model string
		text  string
		want  apperr.Code
	}{
		"too long a text": {"characters", strings.Repeat("계약", tinygguf.EmbeddingContext), apperr.ContextOverflow},
		"a missing model": {"nobody", "계약", apperr.ModelMissing},
	} {
		if _, err := p.EmbedWith(t.Context(), c.model, []string{c.text}); apperr.CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if _, err := p.EmbedWith(t.Context(), "scripted", []string{"계약"}); err == nil {
		t.Error("a model that chats made vectors")
	}
	if slices.ContainsFunc(list, func(v []float32) bool { return len(v) != len(list[0]) }) {
		t.Error("vectors of several lengths")
	}
	if reply, err := p.Chat(t.Context(), realLetter(provider.RoleReporter, "다 됐어?"), nil); err != nil || reply.Model != "scripted" {
		t.Errorf("the model that chats, afterwards: %+v, %v", reply, err)
	}
}
