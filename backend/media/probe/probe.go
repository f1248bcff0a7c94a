// Package probe reads how long a sound or film lasts from the headers of its file, without decoding it. It knows WAV,
// MP3, FLAC, Ogg (Vorbis, Opus), MP4 and its kin, and Matroska and WebM.
//
// The files are the customer's and may be damaged or hostile: every read is bounded, and nonsense is ErrUnknown.
package probe

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
)

// ErrUnknown says the file's length cannot be told from its headers.
var ErrUnknown = errors.New("probe: length unknown")

// longest is the most seconds that are believed: a week.
const longest = 7 * 24 * 3600

// Seconds is the length of the file in seconds. The format is recognised by its first bytes, not by its name. Errors:
// ErrUnknown, or that of the reader.
func Seconds(file io.ReaderAt, size int64) (float64, error) {
	f := reader{file, size}
	head := f.bytes(0, 12)
	if head == nil {
		return 0, ErrUnknown
	}
	var seconds float64
	switch {
	case bytes.HasPrefix(head, []byte("RIFF")) && string(head[8:12]) == "WAVE":
		seconds = wav(f)
	case bytes.HasPrefix(head, []byte("OggS")):
		seconds = ogg(f)
	case bytes.HasPrefix(head, []byte{0x1A, 0x45, 0xDF, 0xA3}):
		seconds = matroska(f)
	case slices.Contains([]string{"ftyp", "moov", "mdat", "wide", "free"}, string(head[4:8])): // old QuickTime has no ftyp
		seconds = mp4(f)
	default:
		start := id3(f)
		if bytes.Equal(f.bytes(start, 4), []byte("fLaC")) {
			seconds = flac(f, start)
		} else {
			seconds = mp3(f, start)
		}
	}
	if !(seconds > 0) || seconds > longest {
		return 0, ErrUnknown
	}
	return seconds, nil
}

// reader gives pieces of a file; what lies outside of it is nil.
type reader struct {
	file io.ReaderAt
	size int64
}

func (f reader) bytes(at int64, n int) []byte {
	if at < 0 || at > f.size-int64(n) {
		return nil
	}
	buf := make([]byte, n)
	if _, err := f.file.ReadAt(buf, at); err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	return buf
}

// upTo is bytes with fewer where the file ends.
func (f reader) upTo(at int64, n int) []byte {
	return f.bytes(at, int(min(int64(n), max(f.size-at, 0))))
}

var (
	be = binary.BigEndian
	le = binary.LittleEndian
)

// maxBoxes bounds how many chunks or boxes of a file are looked at.
const maxBoxes = 4096

func wav(f reader) float64 {
	rate := 0.0
	at := int64(12)
	for range maxBoxes {
		head := f.bytes(at, 8)
		if head == nil {
			break
		}
		size := int64(le.Uint32(head[4:]))
		switch string(head[:4]) {
		case "fmt ":
			if format := f.bytes(at+8, 12); format != nil {
				rate = float64(le.Uint32(format[8:]))
			}
		case "data":
			// Recorders that were cut off leave 0 or all ones here.
			if left := f.size - at - 8; size == 0 || size > left {
				size = left
			}
			return float64(size) / rate
		}
		at += 8 + size + size&1
	}
	return math.NaN()
}

func flac(f reader, start int64) float64 {
	info := f.bytes(start+8, 18)
	if info == nil {
		return math.NaN()
	}
	rate := be.Uint32(info[10:]) >> 12
	samples := be.Uint64(info[10:]) & (1<<36 - 1)
	return float64(samples) / float64(rate)
}

// ogg reads the sample rate of the first stream and the clock on its last page.
func ogg(f reader) float64 {
	first := f.upTo(0, 512)
	if len(first) < 64 {
		return math.NaN()
	}
	serial := first[14:18]
	ident := first[min(27+int(first[26]), len(first)):]
	rate, skip := 0.0, 0.0
	switch {
	case bytes.HasPrefix(ident, []byte("\x01vorbis")) && len(ident) >= 16:
		rate = float64(le.Uint32(ident[12:]))
	case bytes.HasPrefix(ident, []byte("OpusHead")) && len(ident) >= 12:
		rate, skip = 48000, float64(le.Uint16(ident[10:]))
	default:
		return math.NaN()
	}
	const pageMost = 65307
	tail := f.upTo(max(f.size-2*pageMost, 0), 2*pageMost)
	for i := bytes.LastIndex(tail, []byte("OggS")); i >= 0; i = bytes.LastIndex(tail[:i], []byte("OggS")) {
		if page := tail[i:]; len(page) >= 18 && bytes.Equal(page[14:18], serial) {
			if clock := int64(le.Uint64(page[6:])); clock > 0 { //nolint:gosec // a clock of all ones means none
				return (float64(clock) - skip) / rate
			}
		}
	}
	return math.NaN()
}

// mp4 walks ftyp, moov, mvhd.
func mp4(f reader) float64 {
	at, end := int64(0), f.size
	for range maxBoxes {
		head := f.bytes(at, 8)
		if head == nil || at >= end {
			break
		}
		size, body := int64(be.Uint32(head)), at+8
		if size == 1 {
			large := f.bytes(at+8, 8)
			if large == nil {
				break
			}
			size, body = int64(be.Uint64(large)), at+16 //nolint:gosec // negative is caught below
		} else if size == 0 {
			size = end - at
		}
		if size < body-at || size > end-at {
			break
		}
		switch string(head[4:]) {
		case "moov":
			end, at = at+size, body
			continue
		case "mvhd":
			return movieHeader(f, body)
		}
		at += size
	}
	return math.NaN()
}

func movieHeader(f reader, body int64) float64 {
	header := f.bytes(body, 32)
	if header == nil {
		return math.NaN()
	}
	if header[0] == 1 {
		return float64(be.Uint64(header[24:])) / float64(be.Uint32(header[20:]))
	}
	length := be.Uint32(header[16:])
	if length == math.MaxUint32 {
		return math.NaN()
	}
	return float64(length) / float64(be.Uint32(header[12:]))
}
