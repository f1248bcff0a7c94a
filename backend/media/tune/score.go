// Package tune holds the shop's own music: short scores kept as text and the small synthesizer that plays them. Every
// tune is either in the public domain or written for this project.
package tune

import (
	"embed"
	"fmt"
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
	"sync"
)

// Tune is one bundled piece of music. Credit says where the melody comes from.
type Tune struct {
	ID       string
	TitleKO  string
	TitleEN  string
	CreditKO string
	CreditEN string
	parts    []part
	beat     float64 // seconds
	beats    float64
	repeat   int
}

// part is one voice with its notes in order of time.
type part struct {
	name   string
	timbre timbre
	level  float64
	notes  []note
	beats  float64
}

// note is one tone: where it starts and how long it lasts in beats, and its pitch in Hz.
type note struct{ at, beats, hertz float64 }

// Seconds is the length of the tune with its last note ringing out.
func (t *Tune) Seconds() float64 {
	return math.Ceil((t.beats*float64(t.repeat)*t.beat+ringOut)*10) / 10
}

//go:embed scores/*.tune
var scores embed.FS

// All gives the bundled tunes sorted by ID. They are parsed once; the scores are part of the program, so one that does
// not parse is a broken build and panics (a test reads them all).
var All = sync.OnceValue(func() []*Tune {
	names, err := fs.Glob(scores, "scores/*.tune")
	if err != nil || len(names) == 0 {
		panic(fmt.Sprintf("tune: no scores: %v", err))
	}
	tunes := make([]*Tune, len(names))
	for i, name := range names {
		text, err := scores.ReadFile(name)
		if err != nil {
			panic(fmt.Sprintf("tune: %v", err))
		}
		if tunes[i], err = parse(strings.TrimSuffix(path.Base(name), ".tune"), string(text)); err != nil {
			panic(fmt.Sprintf("tune: %s: %v", name, err))
		}
	}
	return tunes
})

// parse reads a score: one "key: value" per line, # for comments.
//
//	ko, en, credit.ko, credit.en: titles and origins
//	tempo: 96                     beats a minute
//	repeat: 2                     how often the whole is played
//	voice lead: pluck 0.8         a voice, its timbre and its loudness (0…1)
//	lead: C4/1.5 D4/.5 | r F3+A3  notes of that voice: pitches/beats (1 beat when not given), r is a rest, + a chord
func parse(id, text string) (*Tune, error) {
	t := &Tune{ID: id, repeat: 1}
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("line %d: want key: value", number+1)
		}
		if err := t.set(strings.TrimSpace(key), strings.TrimSpace(value)); err != nil {
			return nil, fmt.Errorf("line %d: %w", number+1, err)
		}
	}
	if t.beat <= 0 || t.TitleKO == "" || t.TitleEN == "" || len(t.parts) == 0 {
		return nil, fmt.Errorf("a score needs ko, en, tempo and a voice")
	}
	for _, p := range t.parts {
		t.beats = max(t.beats, p.beats)
	}
	return t, nil
}

func (t *Tune) set(key, value string) error {
	switch key {
	case "ko":
		t.TitleKO = value
	case "en":
		t.TitleEN = value
	case "credit.ko":
		t.CreditKO = value
	case "credit.en":
		t.CreditEN = value
	case "tempo":
		tempo, err := positive(value)
		if err != nil {
			return err
		}
		t.beat = 60 / tempo
	case "repeat":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("repeat %q", value)
		}
		t.repeat = n
	default:
		if name, ok := strings.CutPrefix(key, "voice "); ok {
			return t.voice(name, value)
		}
		for i := range t.parts {
			if t.parts[i].name == key {
				return t.parts[i].play(value)
			}
		}
		return fmt.Errorf("no voice named %q", key)
	}
	return nil
}

func (t *Tune) voice(name, value string) error {
	sound, level, _ := strings.Cut(value, " ")
	timbre, ok := timbres[sound]
	if !ok {
		return fmt.Errorf("no timbre named %q", sound)
	}
	loud, err := positive(level)
	if err != nil {
		return err
	}
	t.parts = append(t.parts, part{name: name, timbre: timbre, level: loud})
	return nil
}

func (p *part) play(line string) error {
	for word := range strings.FieldsSeq(line) {
		if word == "|" {
			continue
		}
		names, length, timed := strings.Cut(word, "/")
		beats := 1.0
		if timed {
			var err error
			if beats, err = positive(length); err != nil {
				return err
			}
		}
		if names != "r" {
			for name := range strings.SplitSeq(names, "+") {
				hertz, err := pitch(name)
				if err != nil {
					return err
				}
				p.notes = append(p.notes, note{at: p.beats, beats: beats, hertz: hertz})
			}
		}
		p.beats += beats
	}
	return nil
}

// pitch gives the frequency of a name such as C4, F#3 or Bb2 in equal temperament, A4 = 440 Hz.
func pitch(name string) (float64, error) {
	if len(name) < 2 {
		return 0, fmt.Errorf("note %q", name)
	}
	step := strings.IndexByte("C.D.EF.G.A.B", name[0])
	if step < 0 || name[0] == '.' {
		return 0, fmt.Errorf("note %q", name)
	}
	switch name[1] {
	case '#':
		step++
	case 'b':
		step--
	}
	octave, err := strconv.Atoi(strings.TrimLeft(name[1:], "#b"))
	if err != nil || octave < 0 || octave > 8 {
		return 0, fmt.Errorf("note %q", name)
	}
	const a4 = 9 + 12*4
	return 440 * math.Pow(2, float64(step+12*octave-a4)/12), nil
}

func positive(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(v > 0) || v > 1000 {
		return 0, fmt.Errorf("number %q", text)
	}
	return v, nil
}
