package attachment

import (
	"bufio"
	"encoding/binary"
	"io"
)

// orientation reads from a JPEG how it was held, 1 (upright) where it does not say: EXIF 2.3, tag 0x0112.
func orientation(r *bufio.Reader) int {
	var mark [4]byte
	if _, err := io.ReadFull(r, mark[:2]); err != nil || mark[0] != 0xFF || mark[1] != 0xD8 {
		return 1
	}
	for {
		if _, err := io.ReadFull(r, mark[:]); err != nil || mark[0] != 0xFF || mark[1] == 0xDA {
			return 1 // the picture itself begins
		}
		size := int(binary.BigEndian.Uint16(mark[2:])) - 2
		if size < 0 {
			return 1
		}
		if mark[1] != 0xE1 {
			if _, err := r.Discard(size); err != nil {
				return 1
			}
			continue
		}
		block := make([]byte, size)
		if _, err := io.ReadFull(r, block); err != nil {
			return 1
		}
		if size > 14 && string(block[:6]) == "Exif\x00\x00" {
			return oriented(block[6:])
		}
	}
}

// oriented reads the orientation out of EXIF's first directory.
func oriented(tiff []byte) int {
	var order binary.ByteOrder = binary.LittleEndian
	if string(tiff[:2]) == "MM" {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 1
	}
	entries := tiff[at+2:]
	for n := range int(order.Uint16(tiff[at:])) {
		if (n+1)*12 > len(entries) {
			return 1
		}
		entry := entries[n*12:]
		if order.Uint16(entry) == 0x0112 {
			if held := order.Uint16(entry[8:]); held >= 1 && held <= 8 {
				return int(held)
			}
			return 1
		}
	}
	return 1
}
