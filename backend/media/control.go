package media

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/tools/match"
)

// Act is something to be done with what plays.
type Act string

// The acts.
const (
	ActWhat      Act = "what_plays" // nothing: only tells what plays
	ActPause     Act = "pause"
	ActResume    Act = "resume"
	ActNext      Act = "next"
	ActPrevious  Act = "previous"
	ActRestart   Act = "restart"
	ActRepeat    Act = "repeat"     // the same piece over and over
	ActRepeatOff Act = "repeat_off" // no longer
	ActLouder    Act = "louder"
	ActQuieter   Act = "quieter"
	ActVolume    Act = "volume"
	ActMute      Act = "mute"
	ActUnmute    Act = "unmute"
	ActTurnOff   Act = "turn_off" // all pieces that fit, not only the newest: they end where they are
)

// Errors of Control.
var (
	ErrNothingPlays = errors.New("nothing plays")
	ErrNoOther      = errors.New("there is no other piece")
	ErrUnknownAct   = errors.New("no such act")
)

const (
	step    = 15 // how much louder or quieter a device becomes when nobody says how much
	audible = 50 // how loud one is again that was turned down to nothing
)

// Order says what shall be done, and with what: the newest piece that plays, on the device, of the kind and with the title, as far as
// they are given.
type Order struct {
	Act    Act    `json:"act"`
	Level  *int   `json:"level"` // ActVolume: how loud, 0…100; ActLouder and ActQuieter: by how much
	Device Device `json:"device"`
	Kind   string `json:"kind"`
	Title  string `json:"title"`
}

// Levels keeps how loud the devices are, 0…100.
type Levels interface {
	Level(d Device) int
	SetLevel(d Device, level int) error
}

// levels are remembered as long as the program runs.
type levels struct {
	mu   sync.Mutex
	kept map[Device]int
}

func (l *levels) Level(d Device) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if level, ok := l.kept[d]; ok {
		return level
	}
	return DefaultVolume
}

func (l *levels) SetLevel(d Device, level int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept == nil {
		l.kept = map[Device]int{}
	}
	l.kept[d] = level
	return nil
}

// KeepLevels has the levels kept elsewhere. Call it before anything plays.
func (p *Player) KeepLevels(l Levels) { p.levels = l }

// request is an order to one show; answer has room for the one answer.
type request struct {
	Order
	answer chan outcome
}

type outcome struct {
	now event.Media
	err error
}

// Control does something with what plays and gives what plays then. Errors: ErrNothingPlays, ErrUnknownAct, ErrNoOther (the piece begins
// anew, for going back), ctx's, that of the source of another piece, or of keeping a level. Safe for concurrent use.
func (p *Player) Control(ctx context.Context, o Order) (now event.Media, err error) {
	fitting := p.fitting(o)
	if len(fitting) == 0 {
		return event.Media{}, ErrNothingPlays
	}
	if o.Act != ActTurnOff {
		fitting = fitting[:1]
	}
	for _, s := range fitting {
		if now, err = s.ask(ctx, o); err != nil && (len(fitting) == 1 || !errors.Is(err, ErrNothingPlays)) {
			return now, err
		}
	}
	return now, nil
}

// ask hands an order to the show and gives its answer.
func (s *show) ask(ctx context.Context, o Order) (event.Media, error) {
	r := request{o, make(chan outcome, 1)}
	select {
	case s.orders <- r:
		a := <-r.answer // whoever took it answers
		return a.now, a.err
	case <-s.gone:
		return event.Media{}, ErrNothingPlays
	case <-ctx.Done():
		return event.Media{}, ctx.Err()
	}
}

// fitting are the shows that an order may be about, the newest first.
func (p *Player) fitting(o Order) (list []*show) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for device, s := range p.shows {
		switch {
		case s.piece.Turn == nil, o.Device != "" && o.Device != device, o.Kind != "" && o.Kind != s.piece.Kind:
		case o.Title != "" && fit(match.Fold(o.Title), match.Fold(s.piece.Title)) < alike:
		default:
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *show) int { return b.since - a.since })
	return list
}

func (p *Player) loudness(d Device) (level int, muted bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.levels.Level(d), p.muted[d]
}

// turn sets how loud a device is. Who turns it wants to hear it, unless it is down to nothing.
func (p *Player) turn(d Device, level int) error {
	level = min(max(level, 0), 100)
	p.mute(d, level == 0)
	return p.levels.SetLevel(d, level)
}

func (p *Player) mute(d Device, muted bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.muted[d] = muted
}

// obey carries an order out and answers it.
func (s *show) obey(ctx context.Context, r request) {
	action, err := s.carryOut(ctx, r)
	if r.Act != ActWhat && !errors.Is(err, ErrUnknownAct) {
		s.send(action)
	}
	r.answer <- outcome{s.shown(actionProgress), err}
}

// carryOut does what an order says and gives the action that the window's player is told.
func (s *show) carryOut(ctx context.Context, r request) (action string, err error) {
	switch r.Act {
	case ActWhat:
	case ActPause:
		s.paused = true
	case ActResume:
		s.paused = false
	case ActNext, ActPrevious:
		err = s.change(ctx, r.Act == ActPrevious)
		if err == nil {
			return actionOpen, nil
		}
		if errors.Is(err, ErrNoOther) && r.Act == ActPrevious {
			s.jump()
		}
	case ActRestart:
		s.jump()
	case ActRepeat, ActRepeatOff:
		s.repeat = r.Act == ActRepeat
	case ActTurnOff:
		s.ended, s.repeat, s.stopped = true, false, true
	default:
		err = s.setVolume(r)
	}
	return actionProgress, err
}

// setVolume does with the device what an order about its volume says.
func (s *show) setVolume(r request) error {
	level, muted := s.player.loudness(s.device)
	by := step
	if r.Level != nil {
		by = *r.Level
	}
	switch r.Act {
	case ActLouder:
		return s.player.turn(s.device, level+by)
	case ActQuieter:
		return s.player.turn(s.device, level-by)
	case ActVolume:
		if r.Level == nil {
			return nil
		}
		return s.player.turn(s.device, *r.Level)
	case ActMute:
		s.player.mute(s.device, true)
		return nil
	case ActUnmute:
		var err error
		if muted && level == 0 {
			err = s.player.turn(s.device, audible)
		}
		s.player.mute(s.device, false)
		return err
	default:
		return ErrUnknownAct
	}
}

// change goes on with another piece.
func (s *show) change(ctx context.Context, back bool) error {
	other, err := s.piece.Turn(ctx, back)
	if err != nil {
		return err
	}
	if err := s.offer(ctx, other.Source); err != nil {
		return err
	}
	s.player.mu.Lock() // the title is looked at by others
	s.piece.Title, s.piece.Seconds, s.piece.Source = other.Title, other.Seconds, other.Source
	s.player.mu.Unlock()
	s.measure()
	s.jump()
	return nil
}

// jump begins at the beginning.
func (s *show) jump() {
	s.position, s.paused, s.ended, s.take = 0, false, false, s.take+1
	s.reported = time.Time{} // of this take no player reported yet
}

// again begins a piece that is over once more, if it shall be repeated. At a pace that no player follows nobody is told of it.
func (s *show) again() bool {
	if !s.repeat {
		return false
	}
	s.jump()
	if s.rate <= MaxReportedPace {
		s.send(actionProgress)
	}
	return true
}
