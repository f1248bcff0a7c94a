package frontdesk_test

import (
	"slices"
	"testing"

	"agentchat/backend/frontdesk"
)

func offers(list ...frontdesk.Offer) []frontdesk.Offer { return list }

func keys(list []frontdesk.Offer) (out string) {
	for _, o := range list {
		out += o.Key + " "
	}
	return out
}

// A model is shown what is plausible and what the grammar reads, and told so when that is nothing.
func TestTools(t *testing.T) {
	list := offers(frontdesk.Offer{Key: "tool:song", P: 0.5}, frontdesk.Offer{Key: "service:transfer", P: 0.4}, frontdesk.Offer{Key: "tool:movie", P: 0.03},
		frontdesk.Offer{Key: "tool:timer", P: 0.001, Ordered: true})
	if got := frontdesk.Tools(list); !slices.Equal(got, []string{"song", "timer"}) {
		t.Errorf("%q", got)
	}
	if got := frontdesk.Tools(nil); got == nil || len(got) > 0 {
		t.Errorf("%#v", got)
	}
}

// A question costs something, so it is asked only when what would be done without one costs more in the mean.
func TestDoubt(t *testing.T) {
	song := frontdesk.Offer{Key: "tool:song", P: 0.5, Harm: frontdesk.HarmStart}
	film := frontdesk.Offer{Key: "tool:movie", P: 0.42, Harm: frontdesk.HarmStart}
	with := func(o frontdesk.Offer, p float64, change func(*frontdesk.Offer)) frontdesk.Offer {
		o.P = p
		if change != nil {
			change(&o)
		}
		return o
	}
	ordered := func(o *frontdesk.Offer) { o.Ordered = true }
	spoken := func(o *frontdesk.Offer) { o.Spoken = true }
	look := func(o *frontdesk.Offer) { o.Harm = frontdesk.HarmAnswer }
	for name, c := range map[string]struct {
		offers []frontdesk.Offer
		taken  string
		want   string
	}{
		"two are close": {offers(song, film), "tool:song", "tool:song tool:movie "},
		"two are close, and nothing would be done": {offers(song, film), "", "tool:song tool:movie "},
		"one stands out":                            {offers(with(song, 0.85, nil), with(film, 0.1, nil)), "tool:song", ""},
		"an answer may be wrong at little cost":     {offers(with(song, 0.6, look), with(film, 0.35, nil)), "tool:song", ""},
		"the grammar reads an order, too":           {offers(with(song, 0.5, ordered), film), "tool:song", ""},
		"most probably something is wanted":         {offers(with(song, 0.7, nil), with(film, 0.05, nil)), "", "tool:song "},
		"most probably nothing is wanted":           {offers(with(song, 0.3, nil), with(film, 0.1, nil)), "", ""},
		"what is only spoken of":                    {offers(with(song, 0.7, spoken), with(film, 0.2, nil)), "", ""},
		"nobody knows how probable what is done is": {offers(song, film), "tool:outside", ""},
		"the other is far more probable":            {offers(with(song, 0.9, nil), with(film, 0.05, nil)), "tool:movie", "tool:song "},
	} {
		if got := keys(frontdesk.Doubt(c.offers, c.taken)); got != c.want {
			t.Errorf("%s: asked about %q, want %q", name, got, c.want)
		}
	}
}

// No room is asked where no question could come of it.
func TestSureIsNeverDoubted(t *testing.T) {
	for idle := 0.0; idle <= 1; idle += 0.05 {
		for p := 0.0; p+idle <= 1.0001; p += 0.05 {
			first := frontdesk.Offer{Key: "a", P: p, Harm: frontdesk.HarmChange}
			rest := frontdesk.Offer{Key: "b", P: max(1-idle-p, 0), Harm: frontdesk.HarmChange}
			if rest.P > first.P {
				continue
			}
			if frontdesk.Sure(p, idle, true) && frontdesk.Doubt(offers(first, rest), "a") != nil {
				t.Errorf("p %.2f, idle %.2f: sure, and doubted", p, idle)
			}
		}
	}
}

// What comes nearest is measured by what is left once something was turned down.
func TestNearest(t *testing.T) {
	all := offers(frontdesk.Offer{Key: "a", P: 0.95}, frontdesk.Offer{Key: "b", P: 0.02}, frontdesk.Offer{Key: "c", P: 0.01}, frontdesk.Offer{Key: "d", P: 0.0001})
	if got := keys(frontdesk.Nearest(all, []string{"a"})); got != "b c " {
		t.Errorf("nearest: %q", got)
	}
	if got := keys(frontdesk.Nearest(all, nil)); got != "a b " {
		t.Errorf("nearest: %q", got)
	}
}

// A model is asked unless to do without it costs less in the mean than to wait for it: the more, the worse a mistake would be.
func TestSettled(t *testing.T) {
	song := frontdesk.Offer{Key: "tool:song", P: 0.86, Harm: frontdesk.HarmStart}
	note := frontdesk.Offer{Key: "tool:note_add", P: 0.86, Harm: frontdesk.HarmChange}
	look := frontdesk.Offer{Key: "tool:weather", P: 0.8, Harm: frontdesk.HarmAnswer}
	ordered := func(o frontdesk.Offer) frontdesk.Offer { o.Ordered = true; return o }
	half := func(o frontdesk.Offer) frontdesk.Offer { o.P /= 2; return o }
	for name, c := range map[string]struct {
		offers []frontdesk.Offer
		taken  []string
		want   bool
	}{
		"a look costs little":              {offers(look), []string{"tool:weather"}, true},
		"a start costs more":               {offers(song), []string{"tool:song"}, false},
		"the grammar reads an order":       {offers(ordered(note)), []string{"tool:note_add"}, true},
		"one change in seven is wrong":     {offers(note), []string{"tool:note_add"}, false},
		"two wishes share what is certain": {offers(ordered(half(song)), ordered(half(note))), []string{"tool:song", "tool:note_add"}, true},
		"nobody knows the way":             {offers(song), []string{"tool:outside"}, false},
		"nothing is done":                  {offers(song), nil, false},
	} {
		if got := frontdesk.Settled(c.offers, c.taken...); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What costs more to put right than to say again has to be the more probable.
func TestWhatIsWorthwhile(t *testing.T) {
	for _, c := range []struct {
		p    float64
		harm frontdesk.Harm
		want bool
	}{{0.39, frontdesk.HarmAnswer, false}, {0.41, frontdesk.HarmAnswer, true}, {0.56, frontdesk.HarmStart, false}, {0.58, frontdesk.HarmStart, true}} {
		if got := frontdesk.Worthwhile(c.p, c.harm); got != c.want {
			t.Errorf("what is wanted with %.2f and costs %.0f is done: %v", c.p, c.harm, got)
		}
	}
}
