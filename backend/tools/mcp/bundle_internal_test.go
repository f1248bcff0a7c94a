package mcp

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// weighed counts what is read of a file.
type weighed struct {
	io.ReaderAt
	read int
}

func (w *weighed) ReadAt(p []byte, at int64) (int, error) {
	w.read += len(p)
	return w.ReaderAt.ReadAt(p, at)
}

// Whoever lists a million files does not have a million of them read before they are counted, whatever number they write beside.
func TestAListWithoutEndIsNotReadToItsEnd(t *testing.T) {
	const entries = 1_000_000
	entry := make([]byte, 46)
	copy(entry, "PK\x01\x02")
	for said := range map[uint16]bool{entries % (1 << 16): true, 3: true} {
		end := make([]byte, 22)
		copy(end, "PK\x05\x06")
		binary.LittleEndian.PutUint16(end[8:], said)
		binary.LittleEndian.PutUint16(end[10:], said)
		binary.LittleEndian.PutUint32(end[12:], uint32(entries*len(entry)))
		whole := append(bytes.Repeat(entry, entries), end...)
		file := &weighed{ReaderAt: bytes.NewReader(whole)}
		_, err := look(file, int64(len(whole)))
		if text := apperr.From(err).Text(bilingual.EN); !strings.Contains(text, "too many files") || file.read > maxDirectory+1<<16 {
			t.Errorf("%s, %d bytes were read", text, file.read)
		}
	}
	// One that holds as many as it may is read.
	var small bytes.Buffer
	z := zip.NewWriter(&small)
	for range maxBundleFiles {
		head := &zip.FileHeader{Name: strings.Repeat("a/long/way/", 12) + "file", Method: zip.Store} // nothing to compress, so no compressor for each
		if _, err := z.CreateHeader(head); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := look(bytes.NewReader(small.Bytes()), int64(small.Len())); err != nil {
		t.Error(err)
	}
}
