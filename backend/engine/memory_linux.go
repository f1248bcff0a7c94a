package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// memory is what the engine and everything that it started have in memory, in bytes.
func (c *child) memory() (total int64) {
	list, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0
	}
	for _, file := range list {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		// After the name, which may hold anything: state, parent, group; the 22nd from there is what is resident, in pages.
		f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		const group, resident = 2, 21
		if len(f) <= resident || string(f[group]) != strconv.Itoa(c.pid()) {
			continue
		}
		pages, _ := strconv.ParseInt(string(f[resident]), 10, 64)
		total += pages * int64(os.Getpagesize())
	}
	return total
}
