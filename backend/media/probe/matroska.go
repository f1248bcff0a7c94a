package probe

import "math"

// EBML ids on the way to the length of a Matroska or WebM file.
const (
	idSegment       = 0x18538067
	idInfo          = 0x1549A966
	idTimecodeScale = 0x2AD7B1
	idDuration      = 0x4489
	idCluster       = 0x1F43B675
)

// matroska walks Segment, Info and reads Duration in units of TimecodeScale nanoseconds.
func matroska(f reader) float64 {
	at, end := int64(0), f.size
	scale, length := 1e6, math.NaN()
	for range maxBoxes {
		id, n := number(f, at, false)
		size, m := number(f, at+n, true)
		if n == 0 || m == 0 || at >= end {
			break
		}
		body := at + n + m
		if id == idSegment || id == idInfo {
			if size >= 0 && size <= end-body {
				end = body + size
			}
			at = body
			continue
		}
		if id == idCluster || size < 0 || size > end-body {
			break // the pictures begin, or an element of unknown length that is not a container
		}
		switch id {
		case idTimecodeScale:
			if raw := f.bytes(body, int(min(size, 8))); raw != nil {
				scale = 0
				for _, b := range raw {
					scale = scale*256 + float64(b)
				}
			}
		case idDuration:
			switch raw := f.bytes(body, int(min(size, 8))); len(raw) {
			case 4:
				length = float64(math.Float32frombits(be.Uint32(raw)))
			case 8:
				length = math.Float64frombits(be.Uint64(raw))
			}
		}
		at = body + size
	}
	return length * scale / 1e9
}

// number reads an EBML variable-length number and how many bytes it took (0: none there). A size has its length marker
// taken off, and is -1 where it says "unknown".
func number(f reader, at int64, isSize bool) (value, length int64) {
	first := f.bytes(at, 1)
	if first == nil || first[0] == 0 {
		return 0, 0
	}
	n := 1
	for mark := byte(0x80); first[0]&mark == 0; mark >>= 1 {
		n++
	}
	raw := f.bytes(at, n)
	if raw == nil || !isSize && n > 4 {
		return 0, 0
	}
	unknown := true
	for i, b := range raw {
		if i == 0 && isSize {
			mask := byte(0xFF) >> n
			unknown = b&mask == mask
			b &= mask
		} else if b != 0xFF {
			unknown = false
		}
		value = value<<8 | int64(b)
	}
	if isSize && unknown {
		value = -1
	}
	return value, int64(n)
}
