package interpreter

import (
	"sync"
	"time"

	"agentchat/backend/provider"
)

// bookSize is how many exchanges the letter book keeps.
const bookSize = 200

// Exchange is one letter and what came back. Error is the code of a failure.
type Exchange struct {
	Letter   provider.Letter `json:"letter"`
	Provider string          `json:"provider"`
	Reply    provider.Reply  `json:"reply"`
	Error    string          `json:"error,omitempty"`
	At       time.Time       `json:"at"`
}

// letterBook keeps the newest exchanges for inspection. Its zero value is ready.
type letterBook struct {
	mu   sync.Mutex
	ring [bookSize]Exchange
	next int
}

func (b *letterBook) add(x Exchange) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ring[b.next%bookSize] = x
	b.next++
}

func (b *letterBook) list(chat, job string, limit int) []Exchange {
	if limit <= 0 || limit > bookSize {
		limit = bookSize
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	found := []Exchange{}
	for n := b.next - 1; n >= 0 && n >= b.next-bookSize && len(found) < limit; n-- {
		x := b.ring[n%bookSize]
		if (chat == "" || x.Letter.Chat == chat) && (job == "" || x.Letter.Job == job) {
			found = append(found, x)
		}
	}
	for i, j := 0, len(found)-1; i < j; i, j = i+1, j-1 {
		found[i], found[j] = found[j], found[i]
	}
	return found
}
