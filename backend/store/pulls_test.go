package store_test

import (
	"reflect"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/models"
	"agentchat/backend/store"
)

var _ models.Store = (*store.Store)(nil)

func TestPullsAreKeptInTheirOrder(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	save := func(p models.Pull) {
		t.Helper()
		if err := s.SavePull(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	first := models.Pull{Model: "qwen3:4b", State: models.PullPulling, Done: 5, Total: 10, Percent: 50}
	second := models.Pull{Model: "bge-m3", State: models.PullFailed, Failure: apperr.New(apperr.Offline, "what", "bge-m3")}
	save(models.Pull{Model: "qwen3:4b", State: models.PullWaiting})
	save(second)
	save(models.Pull{Model: "gone", State: models.PullPaused})
	save(first)
	if err := s.DropPull(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	if err := s.DropPull(t.Context(), "never there"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	list, err := open(t, dir).Pulls(t.Context())
	if err != nil || !reflect.DeepEqual(list, []models.Pull{first, second}) {
		t.Errorf("%+v, %v", list, err)
	}
	if text := list[1].Failure.Text(bilingual.KO); text != second.Failure.Text(bilingual.KO) {
		t.Error(text)
	}
}
