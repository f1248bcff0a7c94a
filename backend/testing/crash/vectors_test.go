package crash

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	_ "modernc.org/sqlite" // the ledger is looked at as it is

	"agentchat/backend/event"
	"agentchat/backend/testing/fakemodel"
)

// The embedding models of the stories about vectors, and what one call of them takes.
const (
	firstModel  = "vectors:latest"
	secondModel = "vectors:second"
	embedBatch  = 16
)

// modelHouse is a model server that outlives the program and counts the texts that each model was given.
type modelHouse struct {
	addr string

	mu    sync.Mutex
	texts map[string]int
}

// openHouse opens a house for the time of the test.
func openHouse(t *testing.T) *modelHouse {
	t.Helper()
	h := &modelHouse{texts: map[string]int{}}
	inner := fakemodel.New(fakemodel.Options{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/embed" {
			raw, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(raw))
			var b struct {
				Model string   `json:"model"`
				Input []string `json:"input"`
			}
			if json.Unmarshal(raw, &b) == nil && len(b.Input) > 0 {
				h.mu.Lock()
				h.texts[b.Model] += len(b.Input)
				h.mu.Unlock()
			}
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	h.addr = strings.TrimPrefix(server.URL, "http://")
	return h
}

// flags let the program use the house.
func (h *modelHouse) flags() []string {
	return []string{"--provider", "ollama", "--ollama-host", h.addr, "--model", "shop:latest"}
}

// embedded fills the library, waits until the first model has made all vectors, changes to the second, and waits for its.
func embedded(p *process) error {
	changed := filepath.Join(p.home, "changed")
	if _, err := os.Stat(changed); err != nil {
		if err := p.do("config", map[string]any{"set": map[string]any{"embed_model": firstModel}}, nil); err != nil {
			return err
		}
		if err := brought(p); err != nil {
			return err
		}
		if err := vectorsOf(p, firstModel); err != nil {
			return err
		}
		if err := os.WriteFile(changed, nil, 0o600); err != nil {
			return err
		}
	}
	if err := p.do("config", map[string]any{"set": map[string]any{"embed_model": secondModel}}, nil); err != nil {
		return err
	}
	return vectorsOf(p, secondModel)
}

// vectorsOf waits until a model has made a vector of every passage.
func vectorsOf(p *process, model string) error {
	for {
		p.mu.Lock()
		seen := len(p.events)
		p.mu.Unlock()
		var view struct {
			Vectors event.LibraryVectors `json:"vectors"`
		}
		if err := p.do("documents", nil, &view); err != nil {
			return err
		}
		if v := view.Vectors; v.State == "ready" && strings.HasSuffix(v.Model, model) && v.Done == v.Total && v.Total > embedBatch {
			return nil
		}
		err := p.until("the vectors to move", func() bool {
			for _, e := range p.events[seen:] {
				if e.Kind == event.KindLibraryVectors {
					return true
				}
			}
			return false
		})
		if err != nil {
			return err
		}
	}
}

// meant checks that every passage has one vector, of the second model, and that no model was given much more than that: at
// most one call of each life was for nothing.
func meant(p *process, _ snapshot) (wrong []string) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(p.home, "data", "agentchat.db")+"?mode=ro")
	if err != nil {
		return []string{"lost: " + err.Error()}
	}
	defer func() { _ = db.Close() }()
	var passages, vectors, others int
	err = db.QueryRowContext(context.Background(), `SELECT (SELECT count(*) FROM passages),
		(SELECT count(*) FROM vectors v JOIN passages p ON p.id=v.passage JOIN embedders e ON e.id=v.embedder WHERE e.name='ollama/`+secondModel+`' AND length(v.vector)=32),
		(SELECT count(*) FROM vectors)`).Scan(&passages, &vectors, &others)
	if err != nil {
		return []string{"lost: " + err.Error()}
	}
	if vectors != passages {
		wrong = append(wrong, fmt.Sprintf("lost: %d of %d passages have a vector", vectors, passages))
	}
	if others != vectors {
		wrong = append(wrong, fmt.Sprintf("doubled: %d vectors are nobody's", others-vectors))
	}
	p.house.mu.Lock()
	defer p.house.mu.Unlock()
	for _, model := range []string{firstModel, secondModel} {
		switch n, most := p.house.texts[model], passages+p.life*embedBatch+1; { // and the question's own
		case n < passages && p.life == 0:
			wrong = append(wrong, fmt.Sprintf("lost: %s was given %d texts of %d", model, n, passages))
		case n > most:
			wrong = append(wrong, fmt.Sprintf("doubled: %s was given %d texts, more than %d", model, n, most))
		}
	}
	return append(wrong, onTheShelf(p)...)
}
