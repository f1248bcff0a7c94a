package tune

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

func TestScoresAreWholeAndOfPleasantLength(t *testing.T) {
	if len(All()) < 6 {
		t.Fatalf("only %d tunes", len(All()))
	}
	for _, tune := range All() {
		if s := tune.Seconds(); s < 30 || s > 60 {
			t.Errorf("%s lasts %.1f s, want 30 to 60", tune.ID, s)
		}
		if tune.CreditKO == "" || tune.CreditEN == "" {
			t.Errorf("%s does not say where it comes from", tune.ID)
		}
		for _, p := range tune.parts {
			if p.beats != tune.beats {
				t.Errorf("%s: voice %s has %v beats, the tune %v", tune.ID, p.name, p.beats, tune.beats)
			}
		}
	}
}

func TestWAVIsValidAndAsLongAsPromised(t *testing.T) {
	for _, tune := range All() {
		t.Run(tune.ID, func(t *testing.T) {
			t.Parallel()
			data := tune.WAV()
			le := binary.LittleEndian
			if string(data[:4]) != "RIFF" || string(data[8:16]) != "WAVEfmt " || string(data[36:40]) != "data" {
				t.Fatalf("not a WAV header: %q", data[:44])
			}
			if int(le.Uint32(data[4:])) != len(data)-8 || int(le.Uint32(data[40:])) != len(data)-44 {
				t.Error("sizes in the header do not fit the file")
			}
			if seconds := float64(len(data)-44) / float64(le.Uint32(data[28:])); math.Abs(seconds-tune.Seconds()) > 0.01 {
				t.Errorf("lasts %.2f s, promised %.2f s", seconds, tune.Seconds())
			}
			loudest, energy := 0.0, 0.0
			for i := 44; i < len(data); i += 2 {
				v := float64(int16(le.Uint16(data[i:]))) / math.MaxInt16
				loudest, energy = max(loudest, math.Abs(v)), energy+v*v
			}
			if rms := math.Sqrt(energy / float64(len(data)/2)); loudest < 0.7 || loudest > 0.81 || rms < 0.05 {
				t.Errorf("peak %.2f, RMS %.3f: silent or clipped", loudest, rms)
			}
			if first, last := int16(le.Uint16(data[44:])), int16(le.Uint16(data[len(data)-2:])); first != 0 || last != 0 {
				t.Errorf("starts at %d and ends at %d: it would click", first, last)
			}
		})
	}
}

func TestPitch(t *testing.T) {
	for name, hertz := range map[string]float64{"A4": 440, "A3": 220, "C4": 261.63, "Bb4": 466.16, "A#4": 466.16, "F#2": 92.5} {
		if got, err := pitch(name); err != nil || math.Abs(got-hertz) > 0.01 {
			t.Errorf("pitch(%s) = %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "C", "H4", ".4", "C99", "4", "C-1"} {
		if got, err := pitch(name); err == nil {
			t.Errorf("pitch(%q) = %v, want an error", name, got)
		}
	}
}

func TestBrokenScoresSayTheLine(t *testing.T) {
	head := "ko: 가\nen: a\ntempo: 90\nvoice lead: pluck 1\n"
	for _, c := range []string{"lead: X4", "lead: C4/0", "other: C4", "nonsense", "voice x: organ 1", "repeat: 0", "tempo: NaN"} {
		if _, err := parse("x", head+c); err == nil || !strings.Contains(err.Error(), "line 5") {
			t.Errorf("%q: %v", c, err)
		}
	}
	if _, err := parse("x", "ko: 가"); err == nil {
		t.Error("a score without notes was read")
	}
}

func BenchmarkWAV(b *testing.B) {
	tune := All()[0]
	for b.Loop() {
		tune.WAV()
	}
}
