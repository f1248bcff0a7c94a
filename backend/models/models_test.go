package models_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/models"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/provider/wire"
)

const gb = 1_000_000_000

func TestRecommendedModelsAreHonest(t *testing.T) {
	laptop := models.RAM{Total: 8 * gb, Available: 4 * gb}
	list := models.NewList("").Recommend(8192, laptop, []string{"qwen3:1.7b", "bge-m3:latest"})
	fits, embeds, last := 0, 0, models.Recommended{}
	for _, m := range list {
		if !ollama.ValidName(m.Name) || m.Title == "" || m.Note.KO == "" || m.Note.EN == "" || m.Bytes < gb/2 || m.Memory <= m.Bytes {
			t.Errorf("%+v", m)
		}
		if m.Embedding == last.Embedding && m.Bytes < last.Bytes {
			t.Errorf("%s comes after %s", m.Name, last.Name)
		}
		if m.Installed != slices.Contains([]string{"qwen3:1.7b", "bge-m3"}, m.Name) {
			t.Errorf("%s installed: %v", m.Name, m.Installed)
		}
		if m.Fits {
			fits++
		}
		if m.Embedding {
			embeds++
		}
		if models.NewList("").Needs(m.Name) != m.Bytes {
			t.Errorf("%s needs %d", m.Name, models.NewList("").Needs(m.Name))
		}
		last = m
	}
	if fits < 5 || fits == len(list) || embeds < 1 {
		t.Errorf("%d of %d fit into a laptop, %d embed", fits, len(list), embeds)
	}
	for i, m := range models.NewList("").Recommend(32768, models.RAM{}, nil) {
		if m.Memory < list[i].Memory || !m.Fits {
			t.Errorf("%+v: more context cannot take less, and what is unknown fits", m)
		}
	}
	if models.NewList("").Needs("somebody/else") != 0 {
		t.Error("nobody knows that one")
	}
}

func TestThisComputerHasMemoryAndADisk(t *testing.T) {
	ram := models.ReadRAM()
	if ram.Total < gb/4 || ram.Available <= 0 || ram.Available > ram.Total {
		t.Errorf("%+v", ram)
	}
	if free, ok := models.FreeDisk(""); !ok || free <= 0 {
		t.Errorf("%d, %v", free, ok)
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		total, memory int64
		want          bool
	}{
		{0, 100 * gb, true},
		{8 * gb, 0, true},
		{8 * gb, 6 * gb, true},
		{8 * gb, 6*gb + 1, false},
		{4 * gb, 5 * gb / 2, true},
		{4 * gb, 3 * gb, false},
		{gb, gb / 2, false},
	} {
		if got := (models.RAM{Total: c.total}).Fits(c.memory); got != c.want {
			t.Errorf("%d in %d: %v", c.memory, c.total, got)
		}
	}
}

func TestCardsAreOverridden(t *testing.T) {
	model, temperature, tokens, limit, retries := "m", 0.0, 0, 90*time.Second, 0
	settings := map[string]config.RoleOverride{
		"solver":  {Model: &model, Temperature: &temperature, MaxTokens: &tokens, Timeout: &limit, Retries: &retries},
		"planner": {Timeout: &limit},
	}
	if got := models.Override(settings, provider.RoleSolver, wire.DefaultCard(provider.RoleSolver)); got != (wire.Card{Model: "m", Timeout: limit}) {
		t.Errorf("%+v", got)
	}
	own := wire.DefaultCard(provider.RolePlanner)
	want := own
	want.Timeout = limit
	if got := models.Override(settings, provider.RolePlanner, own); got != want {
		t.Errorf("%+v", got)
	}
	if got := models.Override(nil, provider.RolePlanner, own); got != own {
		t.Errorf("%+v", got)
	}
	for _, r := range models.Roles(settings) {
		if r.Title.KO == "" || r.Title.EN == "" || r.Defaults.MaxTokens == 0 || r.Defaults.TimeoutSeconds == 0 {
			t.Errorf("%+v", r)
		}
		if changed := r.Card != r.Defaults; changed != (r.Role == "solver" || r.Role == "planner") {
			t.Errorf("%+v", r)
		}
	}
}

func TestTheLibrarianIsListed(t *testing.T) {
	i := slices.IndexFunc(models.Roles(nil), func(r models.Role) bool { return r.Role == string(provider.RoleLibrarian) })
	if i < 0 {
		t.Fatal("no librarian")
	}
	limit := 30 * time.Second
	for _, want := range []struct {
		settings map[string]config.RoleOverride
		seconds  int
	}{{nil, 90}, {map[string]config.RoleOverride{"librarian": {Timeout: &limit}}, 30}} {
		if r := models.Roles(want.settings)[i]; r.Title != (bilingual.Text{KO: "사서", EN: "Librarian"}) || r.Card.TimeoutSeconds != want.seconds || r.Card.Temperature != 0 || r.Card.MaxTokens != 512 {
			t.Errorf("%+v", r)
		}
	}
}

func TestWhichModelServesWhichRole(t *testing.T) {
	roles := models.Roles(nil)
	roles[0].Model = "big:latest"
	have := []ollama.Details{{Name: "small:1b"}, {Name: "big:latest", Memory: 9 * gb, Loaded: true, LoadedBytes: 8 * gb, LoadedContext: 4096}}
	list := models.ListInstalled(have, models.RAM{Total: 8 * gb}, roles, "small:1b")
	if len(list[0].Roles) != len(roles)-1 || !slices.Equal(list[1].Roles, []string{roles[0].Role}) || !list[0].Fits || list[1].Fits || list[1].Context != 4096 {
		t.Errorf("%+v", list)
	}
	roles[0].Model = "ollama/big" // with the server that has it, and without a tag
	if list := models.ListInstalled(have, models.RAM{}, roles, "small:1b"); !slices.Equal(list[1].Roles, []string{roles[0].Role}) {
		t.Errorf("%+v", list)
	}
	for _, m := range models.ListInstalled(have, models.RAM{}, roles, "") { // another provider is on duty
		if m.Roles == nil || len(m.Roles) != 0 {
			t.Errorf("%+v", m)
		}
	}
}

func TestCheckName(t *testing.T) {
	if err := models.CheckName("qwen3:4b"); err != nil {
		t.Error(err)
	}
	if err := models.CheckName("모델"); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Error(err)
	}
}

func TestANewerListInTheDataFolderTakesItsPlace(t *testing.T) {
	dir := t.TempDir()
	list := models.NewList(dir)
	own := len(list.Recommend(8192, models.RAM{}, nil))
	write := func(text string, at int64) {
		t.Helper()
		path := filepath.Join(dir, models.ListFile)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Unix(at, 0), time.Unix(at, 0)); err != nil {
			t.Fatal(err)
		}
	}
	write(`[{"name":"new:1b","title":"New","bytes":1000000000,"languages":["ko"],"note":{"ko":"새로워요.","en":"New."}}]`, 1)
	if got := list.Recommend(8192, models.RAM{}, nil); len(got) != 1 || got[0].Name != "new:1b" || list.Needs("new:1b") != gb {
		t.Errorf("%+v", got)
	}
	for i, wrong := range []string{`[]`, `[{"name":"no note","title":"x","bytes":1}]`, `not a list`} {
		write(wrong, int64(i+2))
		if got := list.Recommend(8192, models.RAM{}, nil); len(got) != own {
			t.Errorf("%s: %+v", wrong, got)
		}
	}
}
