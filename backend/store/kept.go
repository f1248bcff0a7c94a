package store

import (
	"maps"
	"sync"

	sqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
)

// keptChats bounds of how many chats the newest messages are kept.
const keptChats = 64

// kept is what a snapshot shows of the ledger as it was read last, so that it is read again only where it was written to. The engine itself
// tells of every row before it changes, whichever statement or trigger changes it, and what was made of that row is forgotten.
// Safe for concurrent use.
type kept struct {
	mu     sync.Mutex
	writes uint64 // odd while a transaction changes something that is kept here
	chats  []manager.Chat
	newest map[string]newest // by chat
	board  *board
	jobs   map[int64]drawn // those of the board, by number
}

// newest is what a chat ends with: all of it, or most messages.
type newest struct {
	most     int
	messages []event.ChatMessage
}

// board is what stands on it.
type board struct {
	keep int
	jobs []job.View
}

// drawn is a job as lists show it.
type drawn struct {
	view   job.View
	ticket job.Ticket
}

// watch has the engine tell of the rows that a connection changes.
func (k *kept) watch(conn any) error {
	conn.(sqlite.HookRegisterer).RegisterPreUpdateHook(k.changes) //nolint:forcetypeassert // every connection of this driver is one
	return nil
}

// changes forgets what a row was shown in, inside the transaction that changes the row.
func (k *kept) changes(row sqlite.SQLitePreUpdateData) {
	switch row.TableName {
	case "chats", "places", "messages", "versions", "jobs":
	default:
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.writes |= 1
	switch row.TableName {
	case "messages":
		k.chats, k.board = nil, nil
		was, is := make([]any, 3), make([]any, 3) // n, id, chat
		if row.Op != sqlite3.SQLITE_INSERT && row.Old(was...) != nil || row.Op != sqlite3.SQLITE_DELETE && row.New(is...) != nil {
			clear(k.newest)
		}
		maps.DeleteFunc(k.newest, func(chat string, _ newest) bool { return chat == was[2] || chat == is[2] })
	case "versions":
		clear(k.newest)
	case "jobs":
		k.board = nil
		delete(k.jobs, row.OldRowID)
		delete(k.jobs, row.NewRowID)
	default:
		k.chats = nil
	}
}

// settled says that a transaction is over, whether it was committed or not.
func (k *kept) settled() {
	k.mu.Lock()
	k.writes += k.writes & 1
	k.mu.Unlock()
}

// look looks at what is kept, and gives the mark by which what is read from now on can be kept.
func (k *kept) look(at func()) (mark uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	at()
	return k.writes
}

// keep keeps what was read since a mark, unless something was written meanwhile.
func (k *kept) keep(mark uint64, put func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if mark == k.writes && mark&1 == 0 {
		put()
	}
}
