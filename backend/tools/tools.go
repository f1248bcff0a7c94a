// Package tools holds what a worker can lease and run. Each tool is one .go file with its manual beside it (x.go and
// x.json): the manual is data, so that an interpreter, the toolbox page and the tests read the same words.
package tools

import (
	"embed"
	"net/http"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/media"
	"agentchat/backend/outbound"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/gazetteer"
)

// Deps are what the tools need of the shop. Zero values work: the real clock, the forecast service, no folders and no
// media server.
type Deps struct {
	Now  func() time.Time // the clock; its location is the customer's time zone
	Home func() string    // the name of the place where journeys start and the weather is read; "" is DefaultHome

	Line        *outbound.Line // the way out, for the forecast; nil leads to this computer alone
	HTTP        *http.Client   // takes the place of the line's, for tests
	ForecastURL string         // "" is the public service

	Player  *media.Player  // the Monitor and the decks
	Library *media.Library // songs and films
}

// DefaultHome is where the customer is when the settings do not say.
const DefaultHome = "서울시청"

func (d Deps) filled() Deps {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Home == nil {
		d.Home = func() string { return "" }
	}
	if d.HTTP == nil {
		d.HTTP = forecastClient(d.Line)
	}
	if d.ForecastURL == "" {
		d.ForecastURL = openMeteoURL
	}
	if d.Player == nil {
		d.Player = media.NewPlayer(nil, nil)
	}
	if d.Library == nil {
		d.Library = media.NewLibrary(nil)
	}
	return d
}

// All makes every tool of the shop, sorted by key.
func All(deps Deps) []toolbox.Tool {
	deps = deps.filled()
	return []toolbox.Tool{
		&calculator{},
		&clock{deps},
		&movie{deps},
		&nav{deps},
		&playerControl{deps},
		&song{deps},
		&timer{deps},
		&unitConvert{},
		&weather{deps},
	}
}

//go:embed *.json
var manuals embed.FS

var manual = toolbox.Manuals(manuals)

// place looks a name up, "" meaning home. The error is place_unknown.
func (d Deps) place(name string) (gazetteer.Place, error) {
	if name == "" {
		name = d.Home()
	}
	if name == "" {
		name = DefaultHome
	}
	found, ok := gazetteer.Find(name)
	if !ok {
		return gazetteer.Place{}, apperr.New(apperr.PlaceUnknown, "place", name)
	}
	return found, nil
}
