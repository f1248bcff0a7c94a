package probe

import (
	"bytes"
	"math"
)

// id3 is where the sound begins behind an ID3v2 tag.
func id3(f reader) int64 {
	head := f.bytes(0, 10)
	if head == nil || !bytes.HasPrefix(head, []byte("ID3")) {
		return 0
	}
	size := int64(0)
	for _, b := range head[6:10] {
		size = size<<7 | int64(b&0x7F)
	}
	size += 10
	if head[5]&0x10 != 0 {
		size += 10 // footer
	}
	return size
}

// frame is the header of one MPEG audio frame.
type frame struct {
	rate    float64 // Hz
	bits    float64 // per second
	samples float64
	side    int // bytes between this header and a Xing tag
	bytes   int
}

var (
	bitrates1 = [3][15]int{ // MPEG 1, layers I, II, III, kbit/s
		{0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
		{0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
		{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
	}
	bitrates2 = [3][15]int{ // MPEG 2 and 2.5
		{0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
		{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
		{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
	}
	sampleRates = [3]float64{44100, 48000, 32000}
)

// readFrame reads the four bytes of a frame header.
func readFrame(h []byte) (frame, bool) {
	if len(h) < 4 || h[0] != 0xFF || h[1]&0xE0 != 0xE0 {
		return frame{}, false
	}
	version, layer := h[1]>>3&3, 3-int(h[1]>>1&3) // layer counts from 0
	rate, bits := h[2]>>4, h[2]>>2&3
	if version == 1 || layer == 3 || rate == 0 || rate == 15 || bits == 3 {
		return frame{}, false
	}
	out := frame{rate: sampleRates[bits], samples: 1152}
	kbit := bitrates1[layer][rate]
	if version != 3 {
		kbit = bitrates2[layer][rate]
		out.rate /= 2
		if version == 0 {
			out.rate /= 2
		}
	}
	mono := h[3]>>6 == 3
	switch {
	case layer == 0:
		out.samples = 384
	case layer == 2 && version != 3:
		out.samples = 576
	}
	switch {
	case version == 3 && !mono:
		out.side = 32
	case version != 3 && mono:
		out.side = 9
	default:
		out.side = 17
	}
	out.bits = float64(kbit) * 1000
	out.bytes = int(out.samples / 8 * out.bits / out.rate)
	return out, true
}

// mp3 takes the frame count of a Xing, Info or VBRI tag; without one the bit rate is constant and the size tells.
func mp3(f reader, start int64) float64 {
	const searched = 64 << 10
	window := f.upTo(start, searched)
	for i := 0; i+4 <= len(window); i++ {
		head, ok := readFrame(window[i:])
		if !ok || !followed(window, i, head) {
			continue
		}
		if count := frames(window[i:], head); count > 0 {
			return count * head.samples / head.rate
		}
		return float64(f.size-start-int64(i)) * 8 / head.bits
	}
	return math.NaN()
}

// followed says whether another frame of the same rate comes right behind: two bytes of sync alone are found anywhere.
func followed(window []byte, i int, head frame) bool {
	next := i + head.bytes
	for padding := range 2 {
		if next+padding+4 <= len(window) {
			if second, ok := readFrame(window[next+padding:]); ok && second.rate == head.rate {
				return true
			}
		}
	}
	return false
}

func frames(first []byte, head frame) float64 {
	if tag := 4 + head.side; tag+12 <= len(first) {
		name := string(first[tag : tag+4])
		if (name == "Xing" || name == "Info") && first[tag+7]&1 != 0 {
			return float64(be.Uint32(first[tag+8:]))
		}
	}
	if 36+18 <= len(first) && string(first[36:40]) == "VBRI" {
		return float64(be.Uint32(first[50:]))
	}
	return 0
}
