package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// load opens settings in a folder with no environment but env.
func load(t *testing.T, o Options) (*Config, []Warning) {
	t.Helper()
	if o.Env == nil {
		o.Env = []string{}
	}
	o.Env = append(o.Env, "HOME="+t.TempDir())
	c, warnings, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	return c, warnings
}

// fresh opens settings in an empty folder.
func fresh(t *testing.T) *Config {
	t.Helper()
	c, warnings := load(t, Options{DataDir: t.TempDir()})
	if len(warnings) > 0 {
		t.Fatalf("warnings: %v", warnings)
	}
	return c
}

// folderWith makes a data folder whose settings file holds text.
func folderWith(t *testing.T, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, FileName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// onDisk reads a settings file back.
func onDisk(t *testing.T, path string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := json.Unmarshal(text, &values); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return values
}

func set(t *testing.T, c *Config, values map[string]any) map[string]any {
	t.Helper()
	changed, err := c.Set(values)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

func item(t *testing.T, c *Config, key string) Item {
	t.Helper()
	for _, i := range c.View().Settings {
		if i.Key == key {
			return i
		}
	}
	t.Fatalf("%s is not in the view", key)
	return Item{}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %#v, want %#v", what, got, want)
	}
}

func TestDefaults(t *testing.T) {
	s := fresh(t).Get()
	same(t, "workers", s.Workers, 4)
	same(t, "pace", s.Pace, 1.0)
	same(t, "lang", s.Lang, bilingual.KO)
	same(t, "theme", s.Theme, "system")
	same(t, "notifications", s.Notifications, true)
	same(t, "provider", s.Provider, "auto")
	same(t, "ollama_host", s.OllamaHost, "http://127.0.0.1:11434")
	same(t, "timeouts", s.ModelTimeouts, DefaultModelTimeouts)
	same(t, "max_queued_jobs", s.MaxQueuedJobs, 10000)
	same(t, "job_keep", s.JobKeep, 200)
	same(t, "log_level", s.LogLevel, "info")
	same(t, "music folder", filepath.Base(s.MusicFolder), "Music")
	same(t, "tools", len(s.Tools)+len(s.Groups), 0)
}

func TestFlagBeatsEnvironmentBeatsFileBeatsDefault(t *testing.T) {
	dir := folderWith(t, `{"workers": 5, "pace": 2, "lang": "en", "tools": {"nav": {"capacity": 3}}}`)
	c, _ := load(t, Options{
		DataDir: dir,
		Env:     []string{"AGENTCHAT_WORKERS=6", "AGENTCHAT_PACE=3", "AGENTCHAT_TOOLS__NAV__CONFIRM=always", "AGENTCHAT_GROUPS__MonitorBox__CAPACITY=2"},
		Flags:   map[string]string{"workers": "7"},
	})
	s := c.Get()
	same(t, "workers", s.Workers, 7)
	same(t, "pace", s.Pace, 3.0)
	same(t, "lang", s.Lang, bilingual.EN)
	same(t, "nav capacity", *s.Tools["nav"].Capacity, 3)
	same(t, "nav confirm", *s.Tools["nav"].Confirm, "always")
	same(t, "nav group", s.Tools["nav"].Group, (*string)(nil))
	same(t, "groups", s.Groups, map[string]int{"MonitorBox": 2})
	for key, want := range map[string]Source{
		"data_dir": SourceFlag, "workers": SourceFlag, "pace": SourceEnv, "lang": SourceFile, "theme": SourceDefault,
		"tools.nav.capacity": SourceFile, "tools.nav.confirm": SourceEnv, "groups.MonitorBox.capacity": SourceEnv,
	} {
		same(t, "source of "+key, item(t, c, key).Source, want)
	}
}

func TestWrongFlagsAndEnvironmentStopTheStart(t *testing.T) {
	for name, o := range map[string]Options{
		"flag value":        {Flags: map[string]string{"workers": "0"}},
		"flag key":          {Flags: map[string]string{"wrokers": "4"}},
		"environment value": {Env: []string{"AGENTCHAT_PROVIDER=olama"}},
		"timeouts":          {Flags: map[string]string{"model_timeouts": "connect=5"}},
	} {
		o.DataDir = t.TempDir()
		if o.Env == nil {
			o.Env = []string{}
		}
		if _, _, err := Load(o); apperr.CodeOf(err) != apperr.InvalidSetting {
			t.Errorf("%s: %v", name, err)
		}
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, FileName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Load(Options{DataDir: dir, Env: []string{}}); apperr.CodeOf(err) != apperr.InvalidSetting {
		t.Errorf("a settings file that cannot be read: %v", err)
	}
}

func TestStrangersInTheEnvironmentAreIgnored(t *testing.T) {
	c, warnings := load(t, Options{DataDir: t.TempDir(), Env: []string{"AGENTCHAT_TYPO=1", "AGENTCHAT_WORKERS=", "AGENTCHAT_X", "PATH=/bin", "WORKERS=9"}})
	same(t, "workers", c.Get().Workers, 4)
	if len(warnings) != 1 || warnings[0].Key != "typo" {
		t.Errorf("warnings: %v", warnings)
	}
}

func TestSetTakesEffectAndIsKept(t *testing.T) {
	dir := t.TempDir()
	c, _ := load(t, Options{DataDir: dir})
	changed := set(t, c, map[string]any{
		"workers": "8", "pace": json.Number("2.5"), "lang": "EN", "notifications": "off",
		"model_timeouts": "first=60s", "tools.calculator.confirm": "always",
		"tools": map[string]any{"nav": map[string]any{"capacity": 2.0, "group": ""}},
	})
	same(t, "changed", changed, map[string]any{
		"workers": 8, "pace": 2.5, "lang": "en", "notifications": false, "model_timeouts": "connect=5s,first=60s,gap=30s",
		"tools.calculator.confirm": "always", "tools.nav.capacity": 2, "tools.nav.group": "",
	})
	same(t, "file", onDisk(t, filepath.Join(dir, FileName)), map[string]any{
		"workers": 8.0, "pace": 2.5, "lang": "en", "notifications": false, "model_timeouts": "connect=5s,first=60s,gap=30s",
		"tools": map[string]any{"calculator": map[string]any{"confirm": "always"}, "nav": map[string]any{"capacity": 2.0, "group": ""}},
	})
	now := c.Get()
	again, warnings := load(t, Options{DataDir: dir})
	same(t, "warnings", len(warnings), 0)
	now.MusicFolder, now.VideoFolder = again.Get().MusicFolder, again.Get().VideoFolder // each load has its own home here
	same(t, "after a restart", again.Get(), now)
}

func TestSetIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	c, _ := load(t, Options{DataDir: dir})
	c.Subscribe(func(Settings, Settings, map[string]any) { t.Error("a subscriber heard of it") })
	for key, bad := range map[string]any{
		"pace": 0, "wrokers": 1, "lang": "fr", "data_dir": "/tmp", "config": "x", "notifications": 2, "model": 5, "music_folder": "songs",
		"ollama_host": "http://kim:pw@box", "openai_base": "ftp://x", "model_timeouts": "", "tools.nav.capacity": -1, "tools.nav.colour": "red",
		"tools.nav": 1, "tools..capacity": 1, "groups.a.b.capacity": 1, "home_place": "a\nb", "job_keep": 1.5, "max_queued_jobs": "NaN",
		"log_level": []any{"info"}, "tools.nav.group": "a.b", "theme": nil, "": 1,
	} {
		if bad == nil {
			continue
		}
		before := c.Get()
		_, err := c.Set(map[string]any{"workers": 9, key: bad})
		var failure *apperr.Error
		if !errors.As(err, &failure) || failure.Code != apperr.InvalidSetting || fmt.Sprint(failure.Fields["key"]) != key {
			t.Errorf("%s = %v: %v", key, bad, err)
		}
		same(t, key, c.Get(), before)
	}
	if _, err := os.Stat(filepath.Join(dir, FileName)); err == nil {
		t.Error("a file was written")
	}
}

func TestProblemsAreToldInTheReadersLanguage(t *testing.T) {
	_, err := fresh(t).Set(map[string]any{"workers": 65})
	failure := apperr.From(err)
	same(t, "ko", failure.Text(bilingual.KO), "설정값이 맞지 않아요: 일꾼 수: 1에서 64 사이의 정수를 넣어 주세요.")
	same(t, "en", failure.Text(bilingual.EN), "That setting does not fit: Workers: it should be a whole number from 1 to 64.")
}

func TestNullPutsTheDefaultBack(t *testing.T) {
	c, _ := load(t, Options{DataDir: folderWith(t, `{"workers": 8, "tools": {"nav": {"capacity": 2}}, "mine": 1}`)})
	changed := set(t, c, map[string]any{"workers": nil, "tools.nav.capacity": nil, "theme": nil})
	same(t, "changed", changed, map[string]any{"workers": 4, "tools.nav.capacity": nil})
	same(t, "tools", len(c.Get().Tools), 0)
	same(t, "file", onDisk(t, c.View().File), map[string]any{"mine": 1.0})
}

func TestForcedSettingCanStillBeChangedForThisRun(t *testing.T) {
	dir := t.TempDir()
	o := Options{DataDir: dir, Flags: map[string]string{"workers": "2"}, Env: []string{"AGENTCHAT_PACE=5"}}
	c, _ := load(t, o)
	set(t, c, map[string]any{"workers": 6, "pace": nil})
	same(t, "workers", c.Get().Workers, 6)
	same(t, "pace", c.Get().Pace, 1.0)
	workers, pace := item(t, c, "workers"), item(t, c, "pace")
	same(t, "workers", []Source{workers.Source, workers.ForcedBy}, []Source{SourceFile, SourceFlag})
	same(t, "pace", []Source{pace.Source, pace.ForcedBy}, []Source{SourceDefault, SourceEnv})

	again, _ := load(t, o)
	same(t, "the flag at the next start", again.Get().Workers, 2)
	without, _ := load(t, Options{DataDir: dir})
	same(t, "the next start without the flag", without.Get().Workers, 6)
}

func TestToolsAreCheckedOnceTheyAreKnown(t *testing.T) {
	c, _ := load(t, Options{DataDir: folderWith(t, `{"tools": {"nav": {"capacity": 2}, "gone": {"confirm": "first"}}}`)})
	warnings := c.KnowTools(func(tool string) bool { return tool == "nav" })
	if len(warnings) != 1 || warnings[0].Err.Code != apperr.UnknownTool || warnings[0].Err.Fields["tool"] != "gone" {
		t.Errorf("warnings: %v", warnings)
	}
	if _, err := c.Set(map[string]any{"tools.hammer.capacity": 1}); apperr.CodeOf(err) != apperr.UnknownTool {
		t.Errorf("a tool nobody knows: %v", err)
	}
	set(t, c, map[string]any{"tools.nav.capacity": 5, "tools.gone.confirm": nil, "groups.Any.capacity": 3})
	same(t, "groups", c.Get().Groups, map[string]int{"Any": 3})
}

func TestSubscribersHearEveryChangeInOrder(t *testing.T) {
	c := fresh(t)
	type step struct{ from, to int }
	var heard []step
	cancel := c.Subscribe(func(old, current Settings, changed map[string]any) {
		same(t, "changed", changed["workers"], current.Workers)
		same(t, "in force", c.Get().Workers, current.Workers)
		heard = append(heard, step{old.Workers, current.Workers})
	})
	var all sync.WaitGroup
	for n := 5; n < 25; n++ {
		all.Go(func() {
			if _, err := c.Set(map[string]any{"workers": n}); err != nil {
				t.Error(err)
			}
		})
	}
	for range 4 {
		all.Go(func() {
			for range 50 {
				_ = c.Get().Workers
				_ = c.View()
			}
		})
	}
	all.Wait()
	same(t, "changes heard", len(heard), 20)
	last := 4
	for _, s := range heard {
		same(t, "from", s.from, last)
		last = s.to
	}
	set(t, c, map[string]any{"workers": last})
	cancel()
	cancel()
	set(t, c, map[string]any{"workers": 1})
	same(t, "changes heard after cancel", len(heard), 20)
}

func TestViewNamesEverySettingInBothLanguages(t *testing.T) {
	c := fresh(t)
	set(t, c, map[string]any{"tools.nav.capacity": 1, "tools.nav.group": "G", "tools.nav.confirm": "first", "groups.G.capacity": 1})
	view := c.View()
	same(t, "settings", len(view.Settings), len(c.table)+4)
	same(t, "values", len(view.Values), len(view.Settings))
	for _, i := range view.Settings {
		if i.Title.KO == "" || i.Title.EN == "" || !strings.HasSuffix(i.Help.EN, ".") && i.Key != KeyOpenAIBase || i.Help.KO == "" {
			t.Errorf("%s: title %v, help %v", i.Key, i.Title, i.Help)
		}
		if (i.Type == TypeEnum) != (len(i.Enum) > 0) || (i.Min != nil) != (i.Type == TypeInt || i.Type == TypeNumber) {
			t.Errorf("%s: %+v", i.Key, i)
		}
		same(t, i.Key, view.Values[i.Key], i.Value)
	}
	if _, err := json.Marshal(view); err != nil {
		t.Error(err)
	}
}

func TestEveryDefaultIsAllowed(t *testing.T) {
	keys := map[string]bool{}
	for _, row := range table(hostOf([]string{"HOME=" + t.TempDir()})) {
		if keys[row.key] {
			t.Errorf("%s stands in the table twice", row.key)
		}
		keys[row.key] = true
		if row.key == KeyConfigFile {
			continue
		}
		if got, wrong := row.check(row.initial); wrong != nil || !reflect.DeepEqual(got, row.initial) {
			t.Errorf("%s: %v becomes %v, %v", row.key, row.initial, got, wrong)
		}
		if row.env[0] != "AGENTCHAT_"+strings.ReplaceAll(strings.ToUpper(row.key), ".", "__") {
			t.Errorf("%s: %v", row.key, row.env)
		}
	}
}
