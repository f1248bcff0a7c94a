package media

import (
	"context"
	"math"
	"time"

	"agentchat/backend/event"
)

const (
	actionOpen     = "open"
	actionProgress = "progress"
	actionClose    = "close"
)

// show is one piece on one device, from open to close. Its clock belongs to the goroutine in run.
type show struct {
	player  *Player
	device  Device
	piece   Piece
	since   int // which of all shows it is
	url     string
	revoke  func() // takes the offer of the source back
	emit    func(event.Media)
	reports chan Report
	orders  chan request
	gone    chan struct{} // closed when it is over

	seconds  float64 // length of the piece
	position float64 // how far it is
	rate     float64 // seconds of the piece in one real second, since read
	read     time.Time
	sent     time.Time // when the last event went out
	reported time.Time // when the window's player last reported
	paused   bool
	repeat   bool
	take     int // how often the clock jumped
	ended    bool
	stopped  bool // it was ended where it was
}

// run moves the clock until the piece has ended.
func (s *show) run(ctx context.Context) (Played, error) {
	s.measure()
	s.read, s.rate = time.Now(), s.player.Pace()
	s.send(actionOpen)
	defer s.send(actionClose)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for !s.over() || s.again() {
		timer.Reset(s.pause())
		select {
		case <-ctx.Done():
			s.tick()
			return s.played(), ctx.Err()
		case r := <-s.reports:
			s.tick()
			s.follow(r)
		case r := <-s.orders:
			s.tick()
			s.obey(ctx, r)
		case <-timer.C:
			s.tick()
		}
		if !s.over() && time.Since(s.sent) >= s.every() {
			s.send(actionProgress)
		}
	}
	return s.played(), nil
}

func (s *show) measure() {
	s.seconds = s.piece.Seconds
	if !(s.seconds > 0) {
		s.seconds = UnknownSeconds
	}
	s.seconds = min(s.seconds, longest)
}

// offer has the window's server hand out a source, in the place of the one before.
func (s *show) offer(ctx context.Context, source *Source) error {
	if source == nil || s.player.server == nil {
		return nil
	}
	url, revoke, err := s.player.server.Offer(ctx, *source)
	if err != nil {
		return err
	}
	s.revoke()
	s.url, s.revoke = url, revoke
	return nil
}

func (s *show) played() Played {
	return Played{Device: s.device, Title: s.piece.Title, Position: s.position, Seconds: s.seconds, Stopped: s.stopped}
}

// tick brings the position up to now and reads the pace anew.
func (s *show) tick() {
	now := time.Now()
	if !s.paused {
		s.position = min(s.position+now.Sub(s.read).Seconds()*s.rate, s.seconds)
	}
	s.read, s.rate = now, s.player.Pace()
}

// follow sets the clock by the window's player.
func (s *show) follow(r Report) {
	if s.rate > MaxReportedPace || s.paused || r.Take != s.take {
		return
	}
	if r.Seconds > 0 && r.Seconds <= longest {
		s.seconds = r.Seconds
	}
	if r.Position >= 0 && !math.IsInf(r.Position, 0) {
		s.position = min(r.Position, s.seconds)
	}
	s.reported = s.read
	if r.Ended {
		s.ended, s.position = true, s.seconds
	}
}

// over says whether the piece has ended: the window's player said so, or the clock is at the end and no player that
// reported lately is still busy with it.
func (s *show) over() bool {
	return s.ended || !s.paused && s.position >= s.seconds && s.read.Sub(s.reported) >= reportLasts
}

// pause is the real time until something is to be done again.
func (s *show) pause() time.Duration {
	next := s.every() - time.Since(s.sent)
	switch left := s.seconds - s.position; {
	case s.paused:
	case left > 0:
		// A hair longer than the rest, so that rounding does not leave a rest of a rest.
		next = min(next, time.Duration(left/s.rate*float64(time.Second))+time.Microsecond)
	default:
		next = min(next, reportLasts-s.read.Sub(s.reported))
	}
	return max(next, 0)
}

func (s *show) every() time.Duration {
	if s.piece.Every > 0 {
		return s.piece.Every
	}
	return progressEvery
}

func (s *show) send(action string) {
	s.sent = time.Now()
	s.emit(s.shown(action))
}

// shown is what an event tells now.
func (s *show) shown(action string) event.Media {
	m := event.Media{
		Action: action, Device: string(s.device), Kind: s.piece.Kind, JobID: s.piece.JobID, Title: s.piece.Title,
		URL: s.url, Seconds: s.seconds, Position: s.position, Rate: s.rate,
	}
	if s.piece.Turn != nil {
		volume, muted := s.player.loudness(s.device)
		m.Play = &event.Playback{Paused: s.paused, Repeat: s.repeat, Volume: volume, Muted: muted, Take: s.take}
	}
	if s.piece.Frame != nil {
		s.piece.Frame(&m)
	}
	return m
}
