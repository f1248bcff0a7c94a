package job

import (
	"sync"

	"agentchat/backend/background"
)

// line is the queue of jobs that need a worker: first in, first out, except that jobs which have already begun (their question was
// answered, or their tool is reserved) go before those that have not. Safe for concurrent use.
type line struct {
	mu    sync.Mutex
	front fifo
	back  fifo
	wake  chan struct{} // holds one token while the line may be non-empty
}

func newLine() *line { return &line{wake: make(chan struct{}, 1)} }

func (l *line) push(id string, resumed bool) {
	l.mu.Lock()
	if resumed {
		l.front.push(id)
	} else {
		l.back.push(id)
	}
	l.mu.Unlock()
	l.signal()
}

func (l *line) signal() { background.Wake(l.wake) }

// pop takes the next job; "" when there is none.
func (l *line) pop() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := l.front.pop()
	if id == "" {
		id = l.back.pop()
	}
	if l.front.len() > 0 || l.back.len() > 0 {
		l.signal() // let another worker look too
	}
	return id
}

// remove takes a job out of the line, wherever it stands.
func (l *line) remove(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.front.remove(id) || l.back.remove(id)
}

// waiting is the number of jobs that have not begun.
func (l *line) waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.back.len()
}

// places gives each job's place in line, from 1.
func (l *line) places() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	places := make(map[string]int, l.front.len()+l.back.len())
	for _, f := range []*fifo{&l.front, &l.back} {
		for _, id := range f.ids[f.head:] {
			places[id] = len(places) + 1
		}
	}
	return places
}

// fifo is a queue that releases the memory of what was taken out.
type fifo struct {
	ids  []string
	head int
}

func (f *fifo) len() int { return len(f.ids) - f.head }

func (f *fifo) push(id string) { f.ids = append(f.ids, id) }

func (f *fifo) pop() string {
	if f.len() == 0 {
		return ""
	}
	id := f.ids[f.head]
	f.ids[f.head] = ""
	if f.head++; f.head*2 > len(f.ids) {
		f.ids = append([]string(nil), f.ids[f.head:]...)
		f.head = 0
	}
	return id
}

func (f *fifo) remove(id string) bool {
	for i := f.head; i < len(f.ids); i++ {
		if f.ids[i] == id {
			f.ids = append(f.ids[:i], f.ids[i+1:]...)
			return true
		}
	}
	return false
}
