// Package gazetteer knows where places are, offline: Korean cities, counties, districts, stations and sights, and the
// capitals and large cities of the world, with their names in Korean and English and their time zones.
package gazetteer

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/tools/geo"
	"agentchat/backend/tools/match"
)

// Place is one entry. Zone is an IANA time zone. A practice place is made up for trying guidance out.
type Place struct {
	KO, EN   string
	Point    geo.Point
	Zone     string
	Practice bool
}

// Name is the place's name in a language; a practice place says what it is.
func (p Place) Name(lang bilingual.Lang) string {
	name := bilingual.Of(p.KO, p.EN)
	if p.Practice {
		name = bilingual.Of(p.KO+" (연습 목적지)", p.EN+" (practice destination)")
	}
	return name.In(lang)
}

// Event is the place as the media event carries it.
func (p Place) Event(lang bilingual.Lang) event.Place {
	return event.Place{Name: p.Name(lang), Lat: p.Point.Lat, Lon: p.Point.Lon}
}

// Our own table, written for this project from general knowledge of geography: facts, without anybody's database rights.
// Coordinates are good to about a kilometre in cities and to a few hundred metres for stations and sights. The head of
// the file tells its format.
//
//go:embed places.txt
var table string

// index is the table as it is searched. Names are folded; where two places share one, the first of the file has it.
type index struct {
	places []Place
	byName map[string]int
	names  []string // in the order of the file
	spelt  []match.Spelled
}

// load reads the table once. It is part of the program: a line that does not parse is a broken build and panics.
var load = sync.OnceValue(func() *index {
	ix, err := parse(table)
	if err != nil {
		panic("gazetteer: " + err.Error())
	}
	return ix
})

func parse(text string) (*index, error) {
	ix := &index{byName: map[string]int{}}
	zone, practice := "", false
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '@':
			zone, practice = strings.TrimSpace(line[1:]), false
			zone, practice = strings.CutSuffix(zone, " practice")
		default:
			if err := ix.add(line, zone, practice); err != nil {
				return nil, fmt.Errorf("line %d: %w", n+1, err)
			}
		}
	}
	return ix, nil
}

func (ix *index) add(line, zone string, practice bool) error {
	cells := strings.Split(line, "|")
	if len(cells) < 3 || zone == "" {
		return fmt.Errorf("want Korean|English|lat lon|more names, below a zone: %q", line)
	}
	latitude, longitude, _ := strings.Cut(strings.TrimSpace(cells[2]), " ")
	lat, err1 := strconv.ParseFloat(latitude, 64)
	lon, err2 := strconv.ParseFloat(longitude, 64)
	if err1 != nil || err2 != nil || math.Abs(lat) > 90 || math.Abs(lon) > 180 {
		return fmt.Errorf("coordinates %q", cells[2])
	}
	p := Place{KO: strings.TrimSpace(cells[0]), EN: strings.TrimSpace(cells[1]), Point: geo.Point{Lat: lat, Lon: lon}, Zone: zone, Practice: practice}
	names := []string{p.KO, p.EN}
	if len(cells) > 3 {
		names = append(names, strings.Split(cells[3], ",")...)
	}
	ix.places = append(ix.places, p)
	for _, name := range names {
		folded := match.Fold(name)
		if folded == "" {
			return fmt.Errorf("an empty name in %q", line)
		}
		if _, taken := ix.byName[folded]; !taken {
			ix.byName[folded] = len(ix.places) - 1
			ix.names, ix.spelt = append(ix.names, folded), append(ix.spelt, match.Spell(folded))
		}
	}
	return nil
}
