package interpreter

import (
	"math"
	"sync"
	"unicode"

	"agentchat/backend/provider"
)

// extent is what a prompt's size is estimated from: the frozen system block, and of everything behind it the Hangul
// syllables, the bytes of ASCII, the other characters and the messages.
type extent [5]float64

const (
	inSystem = iota // tokens of the system block, as estimated without knowing the model
	inHangul
	inASCII
	inOther
	inMessages
)

// What is believed of a tokenizer nobody has met yet: tokens a unit, how sure that is (one standard deviation), and what
// no tokenizer goes below.
var (
	believed  = extent{1, 1.15, 0.30, 1.0, 6}
	doubt     = extent{0.15, 0.35, 0.05, 0.40, 3}
	leastEver = extent{0.5, 0.30, 0.15, 0.25, 0}
)

const (
	// Texts differ within one kind of characters: so much of the estimate, one standard deviation, is not known better.
	noiseSystem = 0.01 // the same bytes every time
	noiseRest   = 0.05
	noiseTokens = 2
	// wide is how many standard deviations make a figure implausible.
	wide = 3.5
	// forgets lets what was learned age a little with every request.
	forgets = 1.02
)

// add goes through every letter of every prompt, several times a request, so it counts where nobody else can look: the race detector
// watches an extent, which is not its own.
func (x *extent) add(text string) {
	var ascii, hangul, other int
	for _, r := range text {
		switch {
		case r < 0x80:
			ascii++
		case r >= '가' && r <= '힣' || unicode.Is(unicode.Hangul, r):
			hangul++
		default:
			other++
		}
	}
	x[inASCII] += float64(ascii)
	x[inHangul] += float64(hangul)
	x[inOther] += float64(other)
}

// extentOf measures a prompt.
func extentOf(p provider.Prompt) (x extent) {
	var system extent
	system.add(p.System)
	x[inSystem] = dot(system, believed)
	for _, m := range p.Messages {
		x.add(m.Text)
		for _, c := range m.Calls {
			x.add(c.Tool)
			x.add(string(c.Arguments))
		}
	}
	for _, t := range p.Tools {
		x.add(t.Name + t.Description)
		x.add(string(t.Params))
	}
	x[inMessages] = float64(len(p.Messages) + 1)
	return x
}

func dot(a, b extent) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// tokens is an estimate: the likely number, and the bounds outside which a figure is implausible.
type tokens struct{ likely, low, high int }

// meter estimates how many tokens prompts are, for each model by what its server counted before. Its zero value is
// ready; safe for concurrent use.
type meter struct {
	mu     sync.Mutex
	models map[string]*scale
}

// scale is what is known of one model's tokenizer: a linear model of its counts, learned one request at a time (a Kalman
// filter whose state stands still).
type scale struct {
	weight extent
	spread [len(extent{})]extent // covariance
	seen   int
	peak   float64 // the most a server ever counted,
	at     extent  // and for what
}

func newScale() *scale {
	s := &scale{weight: believed}
	for i, d := range doubt {
		s.spread[i][i] = d * d
	}
	return s
}

// of gives the scale of a model. Called with m.mu held.
func (m *meter) of(model string) *scale {
	s := m.models[model]
	if s == nil {
		if m.models == nil {
			m.models = map[string]*scale{}
		}
		s = newScale()
		m.models[model] = s
	}
	return s
}

// estimate says how many tokens a prompt of that extent likely is to a model.
func (m *meter) estimate(model string, x extent) tokens {
	m.mu.Lock()
	defer m.mu.Unlock()
	likely, spread := m.of(model).predict(x)
	deviation := math.Sqrt(spread)
	return tokens{
		likely: int(math.Ceil(likely)), low: int(math.Max(likely-wide*deviation, 0)), high: int(math.Ceil(likely + deviation)),
	}
}

// learn takes a server's own figure into account.
func (m *meter) learn(model string, x extent, counted int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.of(model).learn(x, float64(counted))
}

// known tells whether a server has ever counted for the model.
func (m *meter) known(model string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.of(model).seen > 0
}

// predict gives the likely number of tokens and its variance.
func (s *scale) predict(x extent) (likely, spread float64) {
	likely = dot(x, s.weight)
	system := x[inSystem] * s.weight[inSystem]
	noise := noiseTokens + noiseSystem*system + noiseRest*(likely-system)
	return likely, dot(x, s.toward(x)) + noise*noise
}

func (s *scale) toward(x extent) (v extent) {
	for i := range s.spread {
		v[i] = dot(s.spread[i], x)
	}
	return v
}

func (s *scale) learn(x extent, counted float64) {
	likely, spread := s.predict(x)
	if s.capped(likely, counted) {
		return
	}
	if counted > s.peak {
		s.peak, s.at = counted, x
	}
	toward := s.toward(x)
	for i := range s.weight {
		s.weight[i] = math.Max(s.weight[i]+toward[i]/spread*(counted-likely), leastEver[i])
	}
	for i := range s.spread {
		for k := range s.spread[i] {
			s.spread[i][k] = (s.spread[i][k] - toward[i]*toward[k]/spread) * forgets
		}
	}
	s.seen++
}

// capped tells whether a figure may be that of a server which reads no more than it did before, though more was sent.
// Learning from it would teach that text is cheap, and a silent cut would never be found out.
func (s *scale) capped(likely, counted float64) bool {
	return s.seen > 2 && counted <= 1.01*s.peak && likely > 1.04*dot(s.at, s.weight)
}
