// Package config keeps the shop's settings: one table says which there are, what they may be, and how the settings page
// names them. A flag beats the environment, which beats the settings file, which beats the default. Changes take effect
// while the shop is open and are kept in the file.
package config

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/knadh/koanf/v2"

	"agentchat/backend/apperr"
)

// FileName is the settings file in the data folder, unless another is named.
const FileName = "settings.json"

// Options say where the settings come from.
type Options struct {
	DataDir string            // the data folder; "": flag, environment, the file named by File, or the system's custom
	File    string            // the settings file; "": flag, environment, or FileName in the data folder
	Flags   map[string]string // the flags that were given, by settings key (see RegisterFlags)
	Env     []string          // NAME=value; nil: the environment of this process
	Look    bool              // only look: a settings file that cannot be read stays where it is
}

// Config is the settings of one run. It is safe for concurrent use.
type Config struct {
	table []setting
	rows  map[string]setting
	path  string

	current atomic.Pointer[Settings]

	// change is held for a whole Set, subscribers included, so that they hear of changes one at a time and in order.
	change sync.Mutex

	mu          sync.Mutex // guards everything below
	layers      layers
	forced      map[string]Source // keys that a flag or the environment gives at every start like this one
	known       func(tool string) bool
	subscribers map[*subscriber]struct{}
}

// layers are where values come from, each checked.
type layers struct{ initial, file, env, flags layer }

type subscriber struct {
	notify func(old, current Settings, changed map[string]any)
}

// Load reads the settings. What is wrong in the settings file is a warning, and the default is used instead: keys nobody
// knows stay in the file, and a file that is no JSON object is kept under another name. What is wrong in a flag or an
// environment variable is an error, because someone has just typed it. Errors are *apperr.Error.
func Load(o Options) (*Config, []Warning, error) {
	environ := o.Env
	if environ == nil {
		environ = os.Environ()
	}
	h := hostOf(environ)
	c := &Config{table: table(h), rows: map[string]setting{}, forced: map[string]Source{}, subscribers: map[*subscriber]struct{}{}}
	c.layers.initial = layer{}
	for _, row := range c.table {
		c.rows[row.key] = row
		c.layers.initial[row.key] = row.initial
	}

	flags := map[string]any{}
	for key, value := range o.Flags {
		flags[key] = value
	}
	if o.DataDir != "" {
		flags[KeyDataDir] = o.DataDir
	}
	if o.File != "" {
		flags[KeyConfigFile] = o.File
	}
	var wrong []Warning
	if c.layers.flags, wrong = c.checked(flags); len(wrong) > 0 {
		return nil, nil, wrong[0].Err
	}
	warnings, err := c.loadEnv(environ)
	if err != nil {
		return nil, nil, err
	}
	fileWarnings, err := c.loadFile(o.Look)
	if err != nil {
		return nil, nil, err
	}
	c.noteForced()
	settings := settingsOf(c.layers.merged())
	c.current.Store(&settings)
	return c, append(warnings, fileWarnings...), nil
}

// loadEnv fills the environment layer. A variable that is no setting is only warned of: others may use the prefix too.
func (c *Config) loadEnv(environ []string) (warnings []Warning, err error) {
	raw, err := c.readEnv(environ)
	if err != nil {
		return nil, apperr.Wrap(err, apperr.Internal)
	}
	maps.DeleteFunc(raw, func(_ string, value any) bool { return value == "" }) // set to nothing is not set
	var wrong []Warning
	c.layers.env, wrong = c.checked(raw)
	for _, w := range wrong {
		if _, known := c.lookup(w.Key); known {
			return nil, w.Err
		}
		warnings = append(warnings, w)
	}
	return warnings, nil
}

// loadFile finds the settings file and the data folder, which decide each other, and fills the file layer.
func (c *Config) loadFile(look bool) ([]Warning, error) {
	start := merge(c.layers.initial, c.layers.env, c.layers.flags)
	c.path = start.String(KeyConfigFile)
	named := c.path != ""
	if !named {
		c.path = filepath.Join(start.String(KeyDataDir), FileName)
	}
	c.layers.initial[KeyConfigFile] = c.path

	doc, err := readDocument(c.path)
	var warnings []Warning
	if errors.Is(err, errBroken) && look {
		doc = document{}
	} else if errors.Is(err, errBroken) {
		kept, moveErr := setAside(c.path)
		if moveErr != nil {
			kept = c.path
		}
		warnings = append(warnings, Warning{Key: c.path, Err: apperr.Wrap(errors.Join(err, moveErr), apperr.InvalidSetting, "key", c.path, "kept", kept,
			"detail", *say("읽을 수 없는 파일이라 %s에 그대로 두고 기본값으로 시작했어요", "it cannot be read; it is kept as %s and the defaults are used", kept))})
		doc = document{}
	} else if err != nil {
		return nil, apperr.Wrap(err, apperr.InvalidSetting, "key", c.path,
			"detail", *say("파일을 열 수 없어요. 경로와 권한을 확인해 주세요", "the file cannot be opened; check its path and permissions"))
	}

	raw := doc.flat()
	for key := range raw {
		row, ok := c.rows[key]
		// A file cannot say where it lies itself, nor can a file in the data folder say where that folder is.
		if ok && row.start && (key != KeyDataDir || !named) {
			delete(raw, key)
			warnings = append(warnings, warn(key, say("시작할 때만 정할 수 있어 파일의 값은 쓰지 않았어요", "it can only be chosen at start, so the file's value is not used")))
		}
	}
	var wrong []Warning
	c.layers.file, wrong = c.checked(raw)
	return append(warnings, wrong...), nil
}

func (c *Config) noteForced() {
	for key := range c.layers.env {
		c.forced[key] = SourceEnv
	}
	for key := range c.layers.flags {
		c.forced[key] = SourceFlag
	}
}

// merged are the values in force.
func (l layers) merged() *koanf.Koanf { return merge(l.initial, l.file, l.env, l.flags) }

// Get gives the settings in force. It never blocks.
func (c *Config) Get() Settings { return *c.current.Load() }

// KnowTools lets the settings of tools be checked against the tools there are; call it once the toolbox is filled. It
// warns of settings for tools that do not exist; they stay, because the tool may come back. From then on Set refuses
// tools that known does not know.
func (c *Config) KnowTools(known func(tool string) bool) []Warning {
	c.mu.Lock()
	c.known = known
	c.mu.Unlock()
	var warnings []Warning
	for _, tool := range slices.Sorted(maps.Keys(c.Get().Tools)) {
		if !known(tool) {
			warnings = append(warnings, Warning{Key: toolFamily + delim + tool, Err: apperr.New(apperr.UnknownTool, "tool", tool)})
		}
	}
	return warnings
}

// Set changes settings: all of them, or none when one does not fit or the file cannot be written. nil puts a setting
// back to its default. Values may be nested ({"tools": {"nav": {"capacity": 2}}}), and numbers may be texts. What is set
// is kept in the file and holds at once, even over a flag or an environment variable of this run; View tells that the
// next start with them will bring their value back.
//
// changed holds the settings that have another value now (nil: none any more). Subscribers have heard of them when Set
// returns. Errors are *apperr.Error: invalid_setting, unknown_tool, storage_failed, storage_full.
func (c *Config) Set(values map[string]any) (changed map[string]any, err error) {
	c.change.Lock()
	defer c.change.Unlock()

	wanted, err := c.wanted(values)
	if err != nil || len(wanted) == 0 {
		return map[string]any{}, err
	}
	if err := persist(c.path, wanted); err != nil {
		return map[string]any{}, err
	}

	c.mu.Lock()
	before := c.layers.merged().All()
	c.layers = c.layers.with(wanted)
	merged := c.layers.merged()
	listeners := slices.Collect(maps.Keys(c.subscribers))
	c.mu.Unlock()

	old, current := c.Get(), settingsOf(merged)
	c.current.Store(&current)
	changed = difference(before, merged.All())
	if len(changed) > 0 {
		for _, s := range listeners {
			s.notify(old, current, changed)
		}
	}
	return changed, nil
}

// wanted checks what Set was given. The result holds proper values, and nil where the default is wanted.
func (c *Config) wanted(values map[string]any) (map[string]any, error) {
	raw := map[string]any{}
	flatten(raw, "", values)
	c.mu.Lock()
	known := c.known
	c.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		row, ok := c.lookup(key)
		if !ok {
			return nil, invalid(key, say("그런 설정은 없어요", "there is no such setting"))
		}
		if row.start {
			return nil, invalid(key, say("프로그램을 시작할 때 --%s로만 정할 수 있어요", "it can only be chosen at start, with --%s", row.flag))
		}
		if raw[key] == nil {
			continue
		}
		if family, tool, _, ok := splitKey(key); ok && family == toolFamily && known != nil && !known(tool) {
			return nil, apperr.New(apperr.UnknownTool, "tool", tool)
		}
		value, wrong := row.check(raw[key])
		if wrong != nil {
			return nil, apperr.New(apperr.InvalidSetting, "key", name{key, row.title}, "detail", *wrong)
		}
		raw[key] = value
	}
	return raw, nil
}

// with gives layers in which the wanted values hold: in the file, and no longer hidden by the environment or a flag.
func (l layers) with(wanted map[string]any) layers {
	l.file, l.env, l.flags = maps.Clone(l.file), maps.Clone(l.env), maps.Clone(l.flags)
	for key, value := range wanted {
		delete(l.env, key)
		delete(l.flags, key)
		if value == nil {
			delete(l.file, key)
		} else {
			l.file[key] = value
		}
	}
	return l
}

func difference(before, after map[string]any) map[string]any {
	changed := map[string]any{}
	for key, value := range after {
		if old, ok := before[key]; !ok || !reflect.DeepEqual(old, value) {
			changed[key] = value
		}
	}
	for key := range before {
		if _, ok := after[key]; !ok {
			changed[key] = nil
		}
	}
	return changed
}

// Subscribe calls notify after every change, one call at a time and in order, on the goroutine that called Set. notify
// may use everything but Set. After cancel no new call begins; cancel may be called more than once.
func (c *Config) Subscribe(notify func(old, current Settings, changed map[string]any)) (cancel func()) {
	s := &subscriber{notify: notify}
	c.mu.Lock()
	c.subscribers[s] = struct{}{}
	c.mu.Unlock()
	return func() {
		c.mu.Lock()
		delete(c.subscribers, s)
		c.mu.Unlock()
	}
}
