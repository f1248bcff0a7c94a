package shell

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// process is one process of this computer. Its number together with its beginning is its own for good.
type process struct {
	id      int
	began   uint64
	parent  int
	group   int
	pages   int64 // of memory
	threads int
}

// processes lists what runs, without what has ended and waits to be taken note of.
func processes() []process {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var list []process
	for _, e := range entries {
		id, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join("/proc", e.Name(), "stat"))
		if err != nil {
			continue // it has ended meanwhile
		}
		if p, ok := readProcess(id, text); ok {
			list = append(list, p)
		}
	}
	return list
}

// readProcess reads a line of /proc/<id>/stat (proc(5)). The name in it may hold anything, brackets too.
func readProcess(id int, text []byte) (process, bool) {
	at := bytes.LastIndexByte(text, ')')
	if at < 0 {
		return process{}, false
	}
	fields := strings.Fields(string(text[at+1:]))
	if len(fields) < 22 || fields[0] == "Z" || fields[0] == "X" {
		return process{}, false
	}
	number := func(field int) int64 { n, _ := strconv.ParseInt(fields[field-3], 10, 64); return n }
	began, err := strconv.ParseUint(fields[22-3], 10, 64)
	return process{id: id, began: began, parent: int(number(4)), group: int(number(5)), threads: int(number(20)), pages: number(24)}, err == nil
}

// carries tells whether a process was started with a variable that begins so.
func carries(id int, mark string) bool {
	has, _ := looked(id, mark)
	return has
}

// looked tells it, and whether there was anything to be seen: a process shows no variables while it becomes another program.
func looked(id int, mark string) (has, seen bool) {
	env, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(id), "environ"))
	return err == nil && (bytes.HasPrefix(env, []byte(mark)) || bytes.Contains(env, []byte("\x00"+mark))), len(env) > 0
}

// family finds everything that descends from a command: by its parents, its group, and the mark it carries, also when it has
// gone off on its own. It remembers what it has seen.
type family struct {
	root  int
	mark  string // whole, with the zero behind it
	since uint64 // nothing that began earlier belongs to it
	known map[process]bool
	other map[process]bool
}

func newFamily(root int, mark string) *family {
	f := &family{root: root, mark: mark + "\x00", known: map[process]bool{}, other: map[process]bool{}}
	if text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(root), "stat")); err == nil {
		if p, ok := readProcess(root, text); ok {
			f.since = p.began
		}
	}
	return f
}

// members are those that run now.
func (f *family) members() []process {
	all := processes()
	mine := map[int]bool{f.root: true}
	var list []process
	for grown := true; grown; { // a child may stand before its parent
		grown = false
		for _, p := range all {
			if mine[p.id] && p.id != f.root || p.began < f.since {
				continue
			}
			own := process{id: p.id, began: p.began}
			if p.id == f.root || p.group == f.root || mine[p.parent] || f.known[own] {
				if !f.known[own] {
					f.known[own] = true
				}
				if !mine[p.id] {
					mine[p.id], grown = true, true
				}
			}
		}
	}
	for _, p := range all {
		own := process{id: p.id, began: p.began}
		if !mine[p.id] && p.began >= f.since && !f.other[own] {
			has, seen := looked(p.id, f.mark)
			if has {
				mine[p.id], f.known[own] = true, true
			} else if seen {
				f.other[own] = true
			}
		}
		if mine[p.id] && p.began >= f.since {
			list = append(list, p)
		}
	}
	return list
}

// threadsOf counts what a user runs, as the limit of processes does.
func threadsOf(user int) int {
	n := 0
	for _, p := range processes() {
		var stat syscall.Stat_t
		if syscall.Stat(filepath.Join("/proc", strconv.Itoa(p.id)), &stat) == nil && int(stat.Uid) == user {
			n += p.threads
		}
	}
	return n
}

// sweep ends what commands of an earlier run of this shop left behind when it was killed.
func sweep(owner string) {
	for _, p := range processes() {
		if p.id != os.Getpid() && carries(p.id, markPrefix(owner)) {
			_ = syscall.Kill(p.id, syscall.SIGKILL)
		}
	}
}
