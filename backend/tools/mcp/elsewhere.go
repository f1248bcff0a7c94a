package mcp

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"

	"github.com/goccy/go-yaml"
)

// Elsewhere is what the settings of another client on this computer name.
type Elsewhere struct {
	Client    string     `json:"client"`
	File      string     `json:"file"`
	Error     string     `json:"error"` // why it cannot be read; "": it can
	Proposals []Proposal `json:"proposals"`
}

// place is where another client keeps its settings.
type place struct {
	client string
	file   string
	read   func([]byte) ([]draft, error)
}

// Homes are the folders in which programs keep their settings. The zero value is this person's.
type Homes struct {
	Home   string // the home folder
	Config string // ~/.config, ~/Library/Application Support, %APPDATA%
}

func (h Homes) orOwn() Homes {
	if h.Home == "" {
		h.Home, _ = os.UserHomeDir()
	}
	if h.Config == "" {
		h.Config, _ = os.UserConfigDir()
	}
	return h
}

// places are where clients that are widely used keep the servers they know, by their own documentation.
func (h Homes) places() []place {
	goose := filepath.Join(h.Home, ".config", "goose", "config.yaml")
	if runtime.GOOS == "windows" {
		goose = filepath.Join(h.Config, "Block", "goose", "config", "config.yaml")
	}
	return []place{
		{"Claude Desktop", filepath.Join(h.Config, "Claude", "claude_desktop_config.json"), readEntries},
		{"Cursor", filepath.Join(h.Home, ".cursor", "mcp.json"), readEntries},
		{"VS Code", filepath.Join(h.Config, "Code", "User", "mcp.json"), readEntries},
		{"Goose", goose, readGoose},
		{"LM Studio", filepath.Join(h.Home, ".lmstudio", "mcp.json"), readEntries},
	}
}

// mostElsewhere is how large another client's settings may be.
const mostElsewhere = 4 << 20

// FindElsewhere looks into the settings of other clients on this computer. It only reads, and starts nothing; keys that stand there are not shown.
func (m *Mounts) FindElsewhere(h Homes) []Elsewhere {
	list := []Elsewhere{}
	for _, p := range h.orOwn().places() {
		info, err := os.Stat(p.file)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		found := Elsewhere{Client: p.client, File: p.file, Proposals: []Proposal{}}
		var drafts []draft
		text, err := os.ReadFile(p.file)
		switch {
		case err != nil:
		case info.Size() > mostElsewhere:
			err = fmt.Errorf("%d bytes", info.Size())
		default:
			drafts, err = p.read(text)
		}
		if err != nil {
			found.Error = err.Error()
		}
		found.Proposals = m.propose(drafts)
		list = append(list, found)
	}
	return list
}

// readGoose reads Goose's extensions: those that are programs or stand behind an address.
func readGoose(text []byte) ([]draft, error) {
	var whole struct {
		Extensions map[string]struct {
			Type    string            `yaml:"type"`
			Cmd     string            `yaml:"cmd"`
			Args    []string          `yaml:"args"`
			URI     string            `yaml:"uri"`
			Envs    map[string]string `yaml:"envs"`
			EnvKeys []string          `yaml:"env_keys"`
			Headers map[string]string `yaml:"headers"`
		} `yaml:"extensions"`
	}
	if err := yaml.Unmarshal(text, &whole); err != nil {
		return nil, err
	}
	var list []draft
	for name, e := range whole.Extensions {
		s := Server{Name: tidyName(name), Command: e.Cmd, Args: e.Args, URL: e.URI, Headers: e.Headers}
		if e.Type == "streamable_http" && e.URI != "" {
			s.Command, s.Args = "", nil
		} else if e.Type != "stdio" || e.Cmd == "" {
			continue
		} else {
			s.URL, s.Headers, s.Env = "", nil, map[string]string{}
			maps.Copy(s.Env, e.Envs)
			for _, key := range e.EnvKeys { // its values are in Goose's own keyring
				s.Env[key] = ""
			}
		}
		list = append(list, draftOf(s))
	}
	return list, nil
}
