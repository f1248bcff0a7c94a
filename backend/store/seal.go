package store

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync/atomic"
)

// A ledger that is closed gets a seal beside it: the sum of all that stands in the file. As long as the sum fits, the file is byte for byte
// what a sound ledger was when it was closed, so the next start reads it once instead of having the engine walk through every page
// of it, which takes ten times as long. Where it does not fit, or a log is left, the engine looks.
const sealSuffix = ".seal"

// sealedFrom is the file size from which on a seal is worth its file.
const sealedFrom = 2 << 20

// corruptions counts how often anything in this process met damage: a ledger in use meanwhile gets no seal.
var corruptions atomic.Int64

// sealed tells whether the file is what it was when it was closed. Nobody may have it open: where a process closes a file, SQLite's locks
// on it end.
func sealed(path string) bool {
	kept, err := os.ReadFile(path + sealSuffix)
	if err != nil || hasLog(path) {
		return false
	}
	sum, err := sumOf(path)
	return err == nil && bytes.Equal(kept, sum)
}

// seal writes down what the file holds. Without it, or with an old one, the next start takes longer and nothing else.
func seal(path string) {
	if info, err := os.Stat(path); err != nil || info.Size() < sealedFrom || info.Size() > examinedAtOnce || hasLog(path) {
		return
	}
	sum, err := sumOf(path)
	if err == nil {
		_ = os.WriteFile(path+sealSuffix, sum, 0o600)
	}
}

// hasLog tells whether there is a log that is not in the file yet.
func hasLog(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

func sumOf(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	size, err := io.CopyBuffer(sum, file, make([]byte, 256<<10))
	return fmt.Appendf(nil, "%d %08x\n", size, sum.Sum32()), err
}
