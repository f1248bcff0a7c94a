// Package media is what the shop can show and play: the Monitor and two decks, the customer's folders and the bundled
// pieces, and the loopback server that hands the window its files.
//
// The clock of a playback runs here, in the backend, so that it works without a window; a window that really plays may
// report how far its player is, and the clock follows it.
package media

import (
	"context"
	"math"
	"sync"
	"time"

	"agentchat/backend/event"
)

// Device is a thing to look at or listen to. Each shows one piece at a time.
type Device string

// The devices of the shop.
const (
	Monitor Device = "monitor"
	Deck1   Device = "deck1"
	Deck2   Device = "deck2"
)

// Decks are the two song decks, in the order they are taken.
func Decks() []Device { return []Device{Deck1, Deck2} }

// The kinds of pieces, as they travel in the media event.
const (
	KindNav   = "nav"
	KindMovie = "movie"
	KindSong  = "song"
)

const (
	// UnknownSeconds is how long a piece is taken to be until the window's player knows better.
	UnknownSeconds = 180
	// MaxReportedPace is the fastest pace at which a window's player is listened to: beyond it no real player can keep
	// up, and its position would only hold the clock back.
	MaxReportedPace = 4

	progressEvery = time.Second
	reportLasts   = 5 * time.Second // how long the clock waits, at the end, for a player that reported lately
	longest       = 24 * 3600.0     // seconds of a piece
	slowest       = 0.01            // pace
	fastest       = 1e6             // pace
)

// DefaultVolume is how loud a device is until somebody turns it, of 100.
const DefaultVolume = 80

// Piece is something to play on a device.
type Piece struct {
	Kind    string
	Title   string
	JobID   string
	Seconds float64 // whole length; 0: not known
	Source  *Source // what the window plays; nil where there is nothing to fetch
	// Every is the time between two progress events (0: one second of real time).
	Every time.Duration
	// Frame completes each event before it is sent, such as with the map; may be nil.
	Frame func(*event.Media)
	// Waiting is called once when every device is taken and the piece has to wait; may be nil.
	Waiting func()
	// Turn gives the piece to go on with, or the one to go back to: title, length and source count. ErrNoOther: there is none.
	// nil: the piece is one that cannot be controlled.
	Turn func(ctx context.Context, back bool) (Piece, error)
}

// Report is what a window's player tells of a device. Seconds is 0 until the player knows the length. A report about
// another job than the one that plays, or another take, is old and ignored.
type Report struct {
	Device   Device  `json:"device"`
	JobID    string  `json:"jobId"`
	Take     int     `json:"take"`
	Position float64 `json:"position"`
	Seconds  float64 `json:"seconds"`
	Ended    bool    `json:"ended"`
}

// Played tells how a piece ended. Both times are seconds of the piece that played last, which Title names.
type Played struct {
	Device   Device
	Title    string
	Position float64
	Seconds  float64
	Stopped  bool // by ActTurnOff, where it was
}

// Player keeps the devices and their clocks. Safe for concurrent use.
type Player struct {
	pace   func() float64
	server *Server
	levels Levels

	mu      sync.Mutex
	shows   map[Device]*show
	muted   map[Device]bool
	opened  int           // shows so far
	changed chan struct{} // closed and replaced whenever a device becomes free
}

// NewPlayer makes a player. pace is asked again and again how many seconds of a piece pass in one real second (nil: 1);
// server hands out the files and may be nil, where nobody looks.
func NewPlayer(pace func() float64, server *Server) *Player {
	if pace == nil {
		pace = func() float64 { return 1 }
	}
	return &Player{
		pace: pace, server: server, levels: &levels{}, shows: map[Device]*show{}, muted: map[Device]bool{}, changed: make(chan struct{}),
	}
}

// Pace is the current speed, made safe: between 0.01 and a million, 1 when the setting makes no sense.
func (p *Player) Pace() float64 {
	pace := p.pace()
	if math.IsNaN(pace) || pace <= 0 {
		return 1
	}
	return min(max(pace, slowest), fastest)
}

// Report takes what a window's player tells. It never blocks; only the newest report counts.
func (p *Player) Report(r Report) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.shows[r.Device]
	if s == nil || s.piece.JobID != r.JobID {
		return
	}
	select {
	case older := <-s.reports:
		r.Ended = r.Ended || older.Ended && older.Take == r.Take
	default:
	}
	s.reports <- r // has room: only this method sends, under the lock
}

// Play shows a piece on the first of the devices that is free, waiting for one if need be, until it ends or ctx does.
// emit gets open, progress and, whatever happens, close; it must not block. The error is ctx's, or that of the source.
func (p *Player) Play(ctx context.Context, piece Piece, emit func(event.Media), devices ...Device) (Played, error) {
	s, err := p.take(ctx, piece, emit, devices)
	if err != nil {
		return Played{}, err
	}
	defer p.free(s)
	if err := s.offer(ctx, piece.Source); err != nil {
		return Played{}, err
	}
	defer func() { s.revoke() }()
	return s.run(ctx)
}

func (p *Player) take(ctx context.Context, piece Piece, emit func(event.Media), devices []Device) (*show, error) {
	waiting := piece.Waiting
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, changed := p.tryTake(piece, emit, devices)
		if s != nil {
			return s, nil
		}
		if waiting != nil {
			waiting()
			waiting = nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (p *Player) tryTake(piece Piece, emit func(event.Media), devices []Device) (*show, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, device := range devices {
		if p.shows[device] == nil {
			p.opened++
			s := &show{
				player: p, device: device, piece: piece, emit: emit, since: p.opened, revoke: func() {},
				reports: make(chan Report, 1), orders: make(chan request), gone: make(chan struct{}),
			}
			p.shows[device] = s
			return s, nil
		}
	}
	return nil, p.changed
}

func (p *Player) free(s *show) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.shows, s.device)
	close(s.gone)
	close(p.changed)
	p.changed = make(chan struct{})
}
