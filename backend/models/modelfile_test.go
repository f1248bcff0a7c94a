package models_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/models"
	"agentchat/backend/testing/gguf"
	"agentchat/backend/testing/tinygguf"
)

// fileOf writes a file.
func fileOf(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAModelFileIsLookedAt(t *testing.T) {
	whole := tinygguf.Random(1)
	m, err := models.ReadModelFile(fileOf(t, "Qwen3 4B_Instruct (Q4_K_M).gguf", whole))
	if err != nil || m.Name != "qwen3-4b_instruct-q4_k_m" || m.Architecture != "llama" || m.Bytes != int64(len(whole)) {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := models.ReadModelFile(fileOf(t, "한국어.gguf", whole)); err != nil || m.Name != "model" {
		t.Errorf("%+v, %v", m, err)
	}
	part := gguf.New("llama", "part")
	part.Number("split.count", 3)
	for name, c := range map[string]struct {
		data   []byte
		korean string
	}{
		"a picture":        {[]byte("\x89PNG not a model at all"), "GGUF 형식이 아니에요"},
		"nothing":          {nil, "GGUF 형식이 아니에요"},
		"cut off":          {whole[:len(whole)-100], "끝까지 받아지지"},
		"cut in the head":  {whole[:200], "끝까지 받아지지"},
		"a part":           {part.Bytes(), "조각"},
		"a picture's eyes": {gguf.New("clip", "eyes").Bytes(), "모델이 들어 있지 않아요"},
		"an endless head":  {append([]byte("GGUF\x03\x00\x00\x00"), bytes.Repeat([]byte{0xff}, 400)...), "끝까지 받아지지"},
	} {
		_, err := models.ReadModelFile(fileOf(t, "x.gguf", c.data))
		if apperr.CodeOf(err) != apperr.ModelFileBad || !strings.Contains(apperr.From(err).Text(bilingual.KO), c.korean) {
			t.Errorf("%s: %v", name, apperr.From(err).Text(bilingual.KO))
		}
	}
	if _, err := models.ReadModelFile(filepath.Join(t.TempDir(), "none.gguf")); apperr.CodeOf(err) != apperr.NotFound {
		t.Error(err)
	}
}

func TestAModelIsMadeOfAFileInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t, newShelf()).open()
		defer o.Stop()
		o.server.scripts["mine of /a/mine.gguf"] = whole
		o.do(o.AddFile(t.Context(), models.ModelFile{Name: "mine", Path: "/a/mine.gguf", Bytes: 100}))
		o.do(o.AddFile(t.Context(), models.ModelFile{Name: "other", Path: "/a/other.gguf", Bytes: 100}))
		if len(o.shelf.pulls) != 0 {
			t.Errorf("kept %+v", o.shelf.pulls)
		}
		pass(10 * time.Second)
		o.want("mine", "waiting pulling done")
		o.do(o.Pause(t.Context(), "other"))
		o.server.scripts["other of /a/other.gguf"] = whole
		o.do(o.Resume(t.Context(), "other"))
		pass(10 * time.Second)
		o.want("other", "waiting pulling paused waiting pulling done")
		if !slices.Equal(o.came, []string{"mine", "other"}) {
			t.Errorf("%v", o.came)
		}
		o.free = 50
		if err := o.AddFile(t.Context(), models.ModelFile{Name: "big", Path: "/a/big.gguf", Bytes: 100}); apperr.CodeOf(err) != apperr.DiskShort {
			t.Error(err)
		}
	})
}

func FuzzModelFile(f *testing.F) {
	f.Add(tinygguf.Random(1)[:4096])
	f.Add([]byte("GGUF\x03\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = models.ReadModelFile(fileOf(t, "x.gguf", data))
	})
}
