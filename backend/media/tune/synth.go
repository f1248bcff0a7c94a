package tune

import (
	"encoding/binary"
	"math"
)

// SampleRate of the synthesizer in Hz. The sound is mono, 16 bit.
const SampleRate = 22050

const (
	ringOut  = 1.8 // seconds after the last beat in which strings and room die away
	peak     = 0.8 // of full scale
	fadeOut  = 0.4 // seconds
	roomLoud = 0.16
)

// timbre is how a voice sounds: its overtones, and whether it is struck once (and dies away) or blown (and held).
type timbre struct {
	overtones []float64 // loudness of the 1st, 2nd, … harmonic
	decay     float64   // seconds in which a struck tone falls to 1/e; 0: held
	damping   float64   // how much faster each higher harmonic dies
	attack    float64   // seconds
	release   float64   // seconds
}

var timbres = map[string]timbre{
	"pluck": {overtones: []float64{1, 0.5, 0.28, 0.18, 0.1, 0.06, 0.03}, decay: 0.75, damping: 0.45, attack: 0.004, release: 0.25},
	"bell":  {overtones: []float64{1, 0.12, 0.35, 0.05, 0.16}, decay: 1.1, damping: 0.7, attack: 0.003, release: 0.6},
	"flute": {overtones: []float64{1, 0.22, 0.1, 0.03}, attack: 0.05, release: 0.12},
	"pad":   {overtones: []float64{1, 0.35, 0.18, 0.08}, attack: 0.18, release: 0.35},
	"bass":  {overtones: []float64{1, 0.45, 0.15}, decay: 0.6, damping: 0.6, attack: 0.006, release: 0.15},
}

// WAV plays the whole tune into a WAV file in memory: about 44 KB a second of music, some tens of milliseconds of work.
func (t *Tune) WAV() []byte {
	samples := make([]float64, int(math.Round(t.Seconds()*SampleRate)))
	for round := range t.repeat {
		for _, p := range t.parts {
			for _, n := range p.notes {
				start := (n.at + float64(round)*t.beats) * t.beat
				p.timbre.play(samples, start, n.beats*t.beat, n.hertz, p.level)
			}
		}
	}
	room(samples)
	master(samples)
	return wav(samples)
}

// play adds one tone to the samples. Each harmonic is a recurrence oscillator, two multiplications a sample.
func (v timbre) play(samples []float64, start, seconds, hertz, level float64) {
	from := int(start * SampleRate)
	length := seconds + v.release
	if v.decay > 0 {
		length = max(seconds, v.decay) + v.release // a string rings on under the next one
	}
	count := min(int(length*SampleRate), len(samples)-from)
	if count <= 0 {
		return
	}
	for i, loud := range v.overtones {
		harmonic := float64(i + 1)
		if hertz*harmonic > SampleRate*0.45 {
			break
		}
		shrink := 1.0
		if v.decay > 0 {
			// Low strings ring longer than high ones.
			life := v.decay * math.Sqrt(440/hertz) / (1 + v.damping*float64(i))
			shrink = math.Exp(-1 / (life * SampleRate))
		}
		omega := 2 * math.Pi * hertz * harmonic / SampleRate
		turn, back := 2*shrink*math.Cos(omega), shrink*shrink
		y1, y2 := math.Sin(-omega)/shrink, math.Sin(-2*omega)/(shrink*shrink)
		gain := level * loud
		for n := range count {
			y := turn*y1 - back*y2
			y2, y1 = y1, y
			samples[from+n] += y * gain * v.envelope(n, count)
		}
	}
}

// envelope opens and closes a tone softly, so that nothing clicks.
func (v timbre) envelope(n, count int) float64 {
	open, shut := v.attack*SampleRate, v.release*SampleRate
	level := 1.0
	if float64(n) < open {
		level = float64(n) / open
	}
	if left := float64(count - n); left < shut {
		level *= left / shut
	}
	return level
}

// room adds a little reverberation: three combs side by side (Schroeder).
func room(samples []float64) {
	wet := make([]float64, len(samples))
	for _, delay := range []int{655, 809, 941} { // samples, prime to one another
		line := make([]float64, delay)
		for n, dry := range samples {
			echo := line[n%delay]
			line[n%delay] = dry + echo*0.72
			wet[n] += echo
		}
	}
	for n := range samples {
		samples[n] += wet[n] * roomLoud
	}
}

// master brings the sound to its loudness and fades the end out.
func master(samples []float64) {
	loudest := 1e-9
	for _, s := range samples {
		loudest = max(loudest, math.Abs(s))
	}
	fade := int(fadeOut * SampleRate)
	for n := range samples {
		samples[n] *= peak / loudest
		if left := len(samples) - 1 - n; left < fade {
			samples[n] *= float64(left) / float64(fade)
		}
	}
}

// wav packs samples of -1…1 as a RIFF file, PCM, mono, 16 bit.
func wav(samples []float64) []byte {
	const headerSize, width = 44, 2
	size := len(samples) * width
	out := make([]byte, headerSize, headerSize+size)
	le := binary.LittleEndian
	copy(out[0:], "RIFF")
	le.PutUint32(out[4:], uint32(headerSize-8+size)) //nolint:gosec // a tune is a few megabytes
	copy(out[8:], "WAVEfmt ")
	le.PutUint32(out[16:], 16)
	le.PutUint16(out[20:], 1) // PCM
	le.PutUint16(out[22:], 1) // mono
	le.PutUint32(out[24:], SampleRate)
	le.PutUint32(out[28:], SampleRate*width)
	le.PutUint16(out[32:], width)
	le.PutUint16(out[34:], 8*width)
	copy(out[36:], "data")
	le.PutUint32(out[40:], uint32(size)) //nolint:gosec // as above
	for _, s := range samples {
		out = le.AppendUint16(out, uint16(int16(math.Round(s*math.MaxInt16)))) //nolint:gosec // |s| ≤ peak
	}
	return out
}
