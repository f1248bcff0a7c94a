package main

import (
	"slices"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/shop"
)

// What happens while nobody is there is read and answered over the headless front, by the program that follows a kill too.
func TestTheSheetOfTheFront(t *testing.T) {
	dir := t.TempDir()
	folder := t.TempDir()
	s := start(t, dir)
	sheet := func() (v shop.Sheet) {
		t.Helper()
		s.must("sheet", nil, &v)
		return v
	}
	s.must("present", map[string]any{"here": true}, nil)
	s.must("open_folder", map[string]any{"path": folder, "write": true}, nil)
	s.must("present", map[string]any{"here": false}, nil)
	for _, text := range []string{"회의.txt에 '하나' 추가해줘", "장보기.txt에 '우유' 추가해줘"} {
		s.must("say", map[string]any{"text": text}, nil)
		s.must("wait", map[string]any{"until": "idle"}, nil)
	}
	before := sheet()
	if !before.Fresh || before.Until != "" || len(before.Asks) != 2 || len(before.Together) != 2 {
		t.Fatalf("%+v", before)
	}
	s.kill()

	s = start(t, dir)
	s.must("present", map[string]any{"here": true}, nil)
	v := sheet()
	same := func(a, b event.AskOpened) bool { return a.ID == b.ID && a.Digest == b.Digest }
	if !v.Fresh || v.Since != before.Since || v.Until == "" || !slices.EqualFunc(v.Asks, before.Asks, same) {
		t.Fatalf("after the kill: %+v", v)
	}
	var done struct{ Answers []shop.SheetAnswer }
	shown := []map[string]any{{"ask": v.Asks[0].ID, "digest": v.Asks[0].Digest}, {"ask": v.Asks[1].ID, "digest": "another"}}
	s.must("approve", map[string]any{"shown": shown}, &done)
	if len(done.Answers) != 2 || done.Answers[0].Error != nil || done.Answers[1].Error == nil || done.Answers[1].Error.Code != "digest_mismatch" {
		t.Fatalf("%+v", done)
	}
	s.must("wait", map[string]any{"until": "idle"}, nil)
	if v := sheet(); len(v.Asks) != 1 || v.Asks[0].ID != before.Asks[1].ID {
		t.Errorf("after the approval: %+v", v.Asks)
	}
	s.must("sheet_looked", nil, nil)
	if sheet().Fresh {
		t.Error("it is fresh although it was looked at")
	}
	s.quit()
}
