package tools

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/media"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/gazetteer"
	"agentchat/backend/tools/geo"
)

const (
	cruiseKmPerSecond = 0.2 // guidance is a simulation: Seoul to Busan in half an hour
	shortestJourney   = 40.0
	longestJourney    = 30 * 60.0
	practiceJourney   = 60.0
	navEvery          = 250 * time.Millisecond
	milestones        = 10
)

// nav guides along the great circle to a place, on the Monitor.
type nav struct{ deps Deps }

func (*nav) Spec() toolbox.Spec { return manual("nav") }

func (n *nav) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		Destination string `json:"destination"`
		From        string `json:"from"`
	}
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	to, err := n.deps.place(strings.TrimSpace(args.Destination))
	if err != nil {
		return toolbox.Result{}, err
	}
	from, err := n.deps.place(strings.TrimSpace(args.From))
	if err != nil {
		return toolbox.Result{}, err
	}
	trip := newJourney(from, to, call)
	fromName, toName := from.Name(call.Lang), to.Name(call.Lang)
	if trip.km > 0.05 {
		played, err := n.deps.Player.Play(ctx, media.Piece{
			Kind: media.KindNav, Title: trip.title(), JobID: call.JobID, Seconds: trip.seconds(), Every: navEvery, Frame: trip.frame,
			Waiting: func() {
				call.Log("info", bilingual.Say(call.Lang, "모니터가 쓰이고 있어 비기를 기다려요.", "The Monitor is taken; waiting for it."))
			},
		}, call.Media, media.Monitor)
		if err != nil {
			return toolbox.Result{}, err
		}
		trip.pass(played.Position / played.Seconds)
	}
	text := bilingual.Say(call.Lang,
		fmt.Sprintf("%s에 도착했어요. %s에서 직선으로 %s 왔어요.", toName, fromName, kilometres(trip.km)),
		fmt.Sprintf("You have arrived at %s, %s from %s in a straight line.", toName, kilometres(trip.km), fromName))
	return toolbox.ResultOf(struct {
		Destination string  `json:"destination"`
		From        string  `json:"from"`
		Km          float64 `json:"km"`
		Seconds     float64 `json:"seconds"`
	}{toName, fromName, math.Round(trip.km*100) / 100, trip.seconds()}, text)
}

// journey is one way from one place to another.
type journey struct {
	from, to gazetteer.Place
	km       float64
	lang     bilingual.Lang
	log      func(level, line string)
	passed   int // milestones told so far
}

func newJourney(from, to gazetteer.Place, call toolbox.Call) *journey {
	return &journey{from: from, to: to, km: geo.DistanceKm(from.Point, to.Point), lang: call.Lang, log: call.Log, passed: -1}
}

func (j *journey) title() string {
	return j.from.Name(j.lang) + " → " + j.to.Name(j.lang)
}

// seconds is how long the guidance takes at pace 1.
func (j *journey) seconds() float64 {
	if j.to.Practice {
		return practiceJourney
	}
	return math.Round(min(max(j.km/cruiseKmPerSecond, shortestJourney), longestJourney))
}

// frame draws the map of the moment and tells the milestones on the way.
func (j *journey) frame(m *event.Media) {
	progress := 0.0
	if m.Seconds > 0 {
		progress = min(m.Position/m.Seconds, 1)
	}
	here := geo.Between(j.from.Point, j.to.Point, progress)
	bearing := geo.Bearing(here, j.to.Point)
	if progress >= 1 {
		here, bearing = j.to.Point, geo.Bearing(j.from.Point, j.to.Point)
	}
	m.Map = &event.NavMap{
		From: j.from.Event(j.lang), To: j.to.Event(j.lang),
		Here:    event.Place{Name: bilingual.Say(j.lang, "현재 위치", "Here"), Lat: here.Lat, Lon: here.Lon},
		TotalKm: j.km, LeftKm: j.km * (1 - progress), Bearing: bearing, Progress: progress, Direction: direction(bearing, j.lang),
		Note: bilingual.Say(j.lang, "도로 정보가 없어 직선(대권) 방향으로만 안내해요.", "There is no road data: this is straight-line (great-circle) guidance only."),
	}
	j.pass(progress)
}

// pass writes a line at each tenth of the way. A fast pace may pass several at once: the last one is told.
func (j *journey) pass(progress float64) {
	tenth := int(progress*milestones + 1e-9)
	if tenth <= j.passed {
		return
	}
	first := j.passed < 0
	j.passed = tenth
	here := geo.Between(j.from.Point, j.to.Point, progress)
	heading := direction(geo.Bearing(here, j.to.Point), j.lang)
	left := kilometres(j.km * (1 - progress))
	switch {
	case tenth >= milestones:
		j.log("info", bilingual.Say(j.lang, "도착했어요: "+j.to.Name(j.lang), "Arrived: "+j.to.Name(j.lang)))
	case first:
		j.log("info", bilingual.Say(j.lang, heading+"쪽으로 출발해요. "+j.to.Name(j.lang)+"까지 직선거리 "+left+", 도로 정보는 없어요.",
			"Setting out "+heading+": "+left+" to "+j.to.Name(j.lang)+" in a straight line; there is no road data."))
	default:
		percent := fmt.Sprintf("%d%%", tenth*100/milestones)
		j.log("info", bilingual.Say(j.lang, heading+"쪽으로 계속 가세요. "+left+" 남았어요 ("+percent+").",
			"Keep heading "+heading+". "+left+" to go ("+percent+")."))
	}
}

// direction names one of the 16 points of the compass.
func direction(bearing float64, lang bilingual.Lang) string {
	ko := [...]string{"북", "북북동", "북동", "동북동", "동", "동남동", "남동", "남남동", "남", "남남서", "남서", "서남서", "서", "서북서", "북서", "북북서"}
	en := [...]string{"north", "north-northeast", "northeast", "east-northeast", "east", "east-southeast", "southeast", "south-southeast", "south", "south-southwest", "southwest", "west-southwest", "west", "west-northwest", "northwest", "north-northwest"}
	i := geo.Compass(bearing)
	return bilingual.Say(lang, ko[i], en[i])
}
