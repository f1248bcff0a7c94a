package config

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/knadh/koanf/providers/env/v2"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// Source says where a value in force came from.
type Source string

// The sources, from strongest to weakest.
const (
	SourceFlag    Source = "flag"
	SourceEnv     Source = "env"
	SourceFile    Source = "file"
	SourceDefault Source = "default"
)

const envPrefix = "AGENTCHAT_"

// EnvOpenAIKey carries our prefix and is no setting: keys are kept by package secret.
const EnvOpenAIKey = envPrefix + "OPENAI_KEY"

// envName is the environment variable of a key: AGENTCHAT_WORKERS, AGENTCHAT_TOOLS__NAV__CAPACITY.
func envName(key string) string {
	return envPrefix + strings.ReplaceAll(strings.ToUpper(key), delim, "__")
}

// envKey is the key of an environment variable that is no fixed setting's. Names of tools are lower-case and names of
// groups are not, so a name in capitals alone is read as lower-case and any other as it stands:
// AGENTCHAT_GROUPS__MonitorBox__CAPACITY.
func envKey(name string) string {
	parts := strings.Split(strings.TrimPrefix(name, envPrefix), "__")
	for i, part := range parts {
		if i != 1 || !strings.ContainsFunc(part, unicode.IsLower) {
			parts[i] = strings.ToLower(part)
		}
	}
	return strings.Join(parts, delim)
}

// readEnv picks the settings out of the environment, unchecked.
func (c *Config) readEnv(environ []string) (map[string]any, error) {
	aliases := map[string]string{}
	for _, row := range c.table {
		for _, name := range row.env {
			aliases[name] = row.key
		}
	}
	return env.Provider("", env.Opt{
		Prefix: envPrefix,
		EnvironFunc: func() []string {
			return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool { return !strings.Contains(entry, "=") })
		},
		TransformFunc: func(name, value string) (string, any) {
			if name == EnvOpenAIKey {
				return "", nil
			}
			if key, ok := aliases[name]; ok {
				return key, value
			}
			return envKey(name), value
		},
	}).Read()
}

// lookup finds the row of a key, fixed or of one tool, group or role.
func (c *Config) lookup(key string) (setting, bool) {
	if row, ok := c.rows[key]; ok {
		return row, true
	}
	return override(key)
}

// checked turns raw values into a layer. Keys nobody knows and values that do not fit are told apart from it, in the
// order of their keys.
func (c *Config) checked(raw map[string]any) (layer, []Warning) {
	good := layer{}
	var warnings []Warning
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		row, ok := c.lookup(key)
		if !ok {
			warnings = append(warnings, warn(key, say("모르는 설정이라 쓰지 않았어요", "there is no such setting, so it is not used")))
			continue
		}
		value, wrong := row.check(raw[key])
		if wrong != nil {
			warnings = append(warnings, warn(key, wrong))
			continue
		}
		good[key] = value
	}
	return good, warnings
}

// Warning is something that did not stop the start but that a person should hear of.
type Warning struct {
	Key string        // the setting, or the path of the settings file
	Err *apperr.Error // invalid_setting or unknown_tool
}

func warn(key string, wrong problem) Warning {
	return Warning{Key: key, Err: invalid(key, wrong)}
}

// name is a setting in an error: its key for programs and logs, its title for people.
type name struct {
	key   string
	title bilingual.Text
}

// In is what the settings page calls it.
func (n name) In(lang bilingual.Lang) string {
	if title := n.title.In(lang); title != "" {
		return title
	}
	return n.key
}

// String implements fmt.Stringer.
func (n name) String() string { return n.key }

// MarshalText implements encoding.TextMarshaler.
func (n name) MarshalText() ([]byte, error) { return []byte(n.key), nil }

func invalid(key string, wrong problem) *apperr.Error {
	return apperr.New(apperr.InvalidSetting, "key", key, "detail", *wrong)
}
