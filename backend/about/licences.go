package about

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/ulikunitz/xz"
)

// packed is what `make licences` gathered, as packed JSON of a gathering.
//
//go:embed licences.json.xz
var packed []byte

// Part is something of others that the program carries: a Go module, an npm package, a typeface, map data.
type Part struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Kind    string `json:"kind"`    // go, npm, font, map, data
	Licence string `json:"licence"` // SPDX ids
	Text    string `json:"text"`
}

// gathering is the packed form: a text that several parts have stands once.
type gathering struct {
	Parts []struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
		Kind    string `json:"kind"`
		Licence string `json:"licence"`
		Text    int    `json:"text"`
	} `json:"parts"`
	Texts []string `json:"texts"`
}

// Licences lists everything of others in the program with the text of its licence, by kind and name. It is unpacked anew at every call:
// hardly anybody asks.
func Licences() []Part {
	unpacked, err := xz.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err) // it is part of the program; a test reads it
	}
	var all gathering
	if err := json.NewDecoder(unpacked).Decode(&all); err != nil {
		panic(err)
	}
	list := make([]Part, len(all.Parts))
	for i, p := range all.Parts {
		list[i] = Part{p.Name, p.Version, p.Kind, p.Licence, all.Texts[p.Text]}
	}
	return list
}

// Document is the list as one text, as it lies beside the program in every package: first who has which licence, then the texts.
func Document() string {
	var out strings.Builder
	out.WriteString("Agent Chat carries these works of others. Each is used under its own licence, whose text follows below.\n\n")
	list := Licences()
	texts := map[string][]string{}
	var order []string
	for _, p := range list {
		name := strings.TrimSpace(p.Name + " " + p.Version)
		fmt.Fprintf(&out, "%-6s %-64s %s\n", p.Kind, name, p.Licence)
		if texts[p.Text] == nil {
			order = append(order, p.Text)
		}
		texts[p.Text] = append(texts[p.Text], name)
	}
	for _, text := range order {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 100), strings.Join(texts[text], ", "), strings.TrimSpace(text))
	}
	return out.String()
}

// WriteDocument writes Document.
func WriteDocument(w io.Writer) error {
	_, err := io.WriteString(w, Document())
	return err
}
