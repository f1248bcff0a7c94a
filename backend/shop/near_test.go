//go:build !race

package shop_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/frontdesk"
	"agentchat/backend/language/bilingual"
)

// The floors of what is measured on testdata/near_*.tsv: some points below it, as other rooms move it: in how many of the messages a button is among what somebody may have meant, and how many of
// all buttons are.
var nearFloors = map[string][2]float64{"ko": {0.80, 0.48}, "en": {0.73, 0.42}}

func TestWhatComesNearToWhatNobodyUnderstood(t *testing.T) {
	for lang, floor := range nearFloors {
		t.Run(lang, func(t *testing.T) {
			c := inhabit(t, lang)
			text, err := os.ReadFile("testdata/near_" + lang + ".tsv")
			if err != nil {
				t.Fatal(err)
			}
			var messages, hit, buttons, right int
			for line := range strings.Lines(string(text)) {
				said, keys, ok := strings.Cut(strings.TrimSpace(line), "\t")
				if !ok {
					continue
				}
				messages++
				near := c.Near(t.Context(), said, bilingual.Lang(lang))
				if len(near) < 2 || len(near) > 3 {
					t.Errorf("%q has %d buttons", said, len(near))
				}
				found := 0
				var shown []string
				for _, n := range near {
					if slices.ContainsFunc(strings.Fields(keys), func(key string) bool { return fits(n.Key, key) }) {
						found++
					}
					shown = append(shown, n.Key+" “"+n.Text+"”")
				}
				buttons, right = buttons+len(near), right+found
				if found > 0 {
					hit++
				}
				t.Logf("%d of %d\t%s\t%s", found, len(near), said, strings.Join(shown, ", "))
			}
			hits, share := float64(hit)/float64(messages), float64(right)/float64(buttons)
			t.Logf("%s: a button fits in %.2f of %d messages, %.2f of %d buttons fit", lang, hits, messages, share, buttons)
			if hits < floor[0] || share < floor[1] {
				t.Errorf("below %v", floor)
			}
		})
	}
}

// fits tells whether a way's key is one that is called so, or begins so.
func fits(key, wanted string) bool {
	if query, ok := strings.CutPrefix(wanted, "query:"); ok {
		return strings.HasPrefix(key, frontdesk.KeyQuery+query)
	}
	_, name, _ := strings.Cut(key, ":")
	return name == wanted || strings.HasSuffix(wanted, "_") && strings.HasPrefix(name, wanted)
}
