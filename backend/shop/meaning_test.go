package shop_test

import (
	"strings"
	"testing"

	"agentchat/backend/event"
)

// A shop with an embedding model finds by meaning too, says how far it is, and goes on with words when there is none.
func TestTheLibraryHasVectors(t *testing.T) {
	server := serve(t)
	dir := t.TempDir()
	environ := []string{"AGENTCHAT_PROVIDER=ollama", "AGENTCHAT_MODEL=shop:latest", "AGENTCHAT_OLLAMA_HOST=" + server.Addr}
	c := enterAs(t, dir, nil, environ...)
	c.bring("근로계약서.txt", agreement)
	ready := func(_ event.Envelope, v event.LibraryVectors) bool {
		return v.State == "ready" && v.Done == v.Total && v.Total > 5
	}
	v := until(c, "vectors of everything", ready)
	view, err := c.Library(t.Context())
	if err != nil || view.Mode != "hybrid" || !strings.HasPrefix(view.Vectors.Model, "ollama/") || view.Vectors.Refused != 0 {
		t.Errorf("%+v, %v after %+v", view.Vectors, err, v)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	again := enterAs(t, dir, nil, environ...)
	until(again, "the vectors of before", ready)
	if _, err := again.SetSettings(map[string]any{"provider": "builtin"}); err != nil {
		t.Fatal(err)
	}
	v = until(again, "words alone", func(_ event.Envelope, v event.LibraryVectors) bool { return v.State == "off" })
	if view, err := again.Library(t.Context()); err != nil || view.Mode != "lexical" || v.Problem == "" || v.Model != "" {
		t.Errorf("%+v, %+v, %v", v, view.Vectors, err)
	}
}
