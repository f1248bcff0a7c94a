package store_test

import (
	"encoding/json"
	"testing"
	"time"

	"agentchat/backend/tools/mcp"
)

func TestConsentsAreKept(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	at := time.UnixMicro(1760000000000001)
	manual := mcp.Manual{Name: "read", Title: "읽기", Description: "reads <b>", Schema: json.RawMessage(`{"type":"object"}`), ReadOnly: true}
	for _, c := range []mcp.Consent{
		{Server: "fs", Source: "old", Tools: []mcp.Manual{{Name: "gone", Schema: json.RawMessage(`{}`)}}, At: at},
		{Server: "fs", Source: "new", Tools: []mcp.Manual{manual}, At: at},
		{Server: "other", Source: "x", At: at},
	} {
		if err := s.SaveConsent(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.DropConsent(t.Context(), "other"); err != nil {
		t.Fatal(err)
	}
	if err := s.DropConsent(t.Context(), "nobody"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	list, err := open(t, dir).Consents(t.Context())
	if err != nil || len(list) != 1 || len(list[0].Tools) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	have, kept := list[0], list[0].Tools[0]
	if have.Source != "new" || !have.At.Equal(at) || kept.Title != manual.Title || kept.Description != manual.Description ||
		string(kept.Schema) != string(manual.Schema) || !kept.ReadOnly {
		t.Errorf("%+v", have)
	}
}
