package mcp

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

//go:embed catalogue/servers.json
var catalogueText []byte

// listed is one server of the catalogue. A place {name} in an argument is filled with what that need gets.
type listed struct {
	Name    string         `json:"name"`
	Title   bilingual.Text `json:"title"`
	About   bilingual.Text `json:"about"`
	Command string         `json:"command"`
	Args    []string       `json:"args"`
	URL     string         `json:"url"`
	Needs   []struct {
		Name   string         `json:"name"`
		Kind   NeedKind       `json:"kind"`
		Title  bilingual.Text `json:"title"`
		Header bool           `json:"header"`
		Before string         `json:"before"`
	} `json:"needs"`
}

// Catalogue proposes the servers that the program knows by itself. Nothing is fetched for it.
func (m *Mounts) Catalogue() ([]Proposal, error) {
	var list []listed
	if err := json.Unmarshal(catalogueText, &list); err != nil {
		return nil, apperr.Wrap(err, apperr.Internal)
	}
	drafts := make([]draft, len(list))
	for i, l := range list {
		drafts[i] = l.draft()
	}
	return m.propose(drafts), nil
}

func (l listed) draft() draft {
	d := draft{server: Server{Name: l.Name, Command: l.Command, Args: l.Args, URL: l.URL}, needs: map[string]need{}}
	d.Title, d.About = l.Title, l.About
	for _, w := range l.Needs {
		n := need{Need: Need{Name: w.Name, Kind: w.Kind, Title: w.Title}, before: w.Before}
		hole := "{" + w.Name + "}"
		switch i := slices.IndexFunc(l.Args, func(a string) bool { return strings.Contains(a, hole) }); {
		case w.Header:
			n.header = w.Name
			d.server.Headers = map[string]string{w.Name: ""}
		case i >= 0:
			n.arg = i + 1
			n.before, n.after, _ = strings.Cut(l.Args[i], hole)
		default:
			n.env = w.Name
			d.server.Env = map[string]string{w.Name: ""}
		}
		d.needs[n.Name] = n
		d.Needs = append(d.Needs, n.Need)
	}
	d.finish()
	return d
}
