package mcp

import (
	"testing"

	"github.com/rs/zerolog"
)

// A consent holds wherever the data folder lies, also one that was written when it named that; what is run is what counts.
func TestAConsentIsToWhatIsRun(t *testing.T) {
	at := func(bundles, command string) Server {
		return Server{Name: "notes", Command: bundles + command, Args: []string{"--in=" + bundles + "0123/data"}, bundles: bundles}
	}
	old := at("/home/kim/data/bundles/", "0123/run")
	opt := &Options{Log: zerolog.Nop()}
	for name, c := range map[string]struct {
		now    Server
		source string
		holds  bool
	}{
		"the same":              {old, old.source(), true},
		"moved":                 {at("/mnt/other/bundles/", "0123/run"), old.source(), true},
		"written once":          {old, old.sourceIn(old.bundles), true},
		"written once, moved":   {at("/mnt/other/bundles/", "0123/run"), old.sourceIn(old.bundles), false},
		"another bundle":        {at("/home/kim/data/bundles/", "4567/run"), old.source(), false},
		"a program that is not": {Server{Name: "notes", Command: "/home/kim/data/bundles/0123/run", Args: old.Args, bundles: "/mnt/other/bundles/"}, old.source(), false},
	} {
		if v := newServer(c.now, &Consent{Source: c.source}, opt); (v.consent != nil) != c.holds {
			t.Errorf("%s: holds %v", name, v.consent != nil)
		}
	}
}
