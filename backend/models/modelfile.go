package models

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider/ollama"
)

// ModelFile is what a GGUF file says of itself: the form in which models are handed around as one file.
type ModelFile struct {
	Path         string
	Name         string // that the model could have here
	Architecture string // "llama", "qwen3", "clip"
	Bytes        int64
}

// What a file of the form may have at most: more is no model that anybody made, and would only take memory.
const (
	mostKeys    = 100_000
	mostTensors = 1_000_000
	mostText    = 64 << 20
	mostItems   = 20_000_000
)

// blocks says of every kind of number that a tensor is made of how many stand together, and in how many bytes.
var blocks = map[uint32][2]int64{
	0: {1, 4}, 1: {1, 2}, 2: {32, 18}, 3: {32, 20}, 6: {32, 22}, 7: {32, 24}, 8: {32, 34}, 9: {32, 36},
	10: {256, 84}, 11: {256, 110}, 12: {256, 144}, 13: {256, 176}, 14: {256, 210}, 15: {256, 292},
	16: {256, 66}, 17: {256, 74}, 18: {256, 98}, 19: {256, 50}, 20: {32, 18}, 21: {256, 110}, 22: {256, 82}, 23: {256, 136},
	24: {1, 1}, 25: {1, 2}, 26: {1, 4}, 27: {1, 8}, 28: {1, 8}, 29: {256, 56}, 30: {1, 2}, 34: {256, 54}, 35: {256, 66}, 39: {32, 17},
}

// ReadModelFile looks at a file and tells whether a model can be made of it. It reads the header, and that everything the header
// promises is there. Errors: model_file_bad, which says why; not_found.
func ReadModelFile(path string) (ModelFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return ModelFile{}, apperr.Wrap(err, apperr.NotFound, "what", "file", "id", filepath.Base(path))
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ModelFile{}, badFile("파일이 아니에요", "it is not a file")
	}
	h := header{from: bufio.NewReaderSize(file, 1<<16), keys: map[string]string{}, numbers: map[string]uint64{}}
	end, err := h.read()
	m := ModelFile{Path: path, Architecture: h.keys["general.architecture"], Bytes: info.Size()}
	switch {
	case errors.Is(err, errNoGGUF):
		return m, badFile("GGUF 형식이 아니에요", "it is not in the form GGUF")
	case errors.Is(err, errOld):
		return m, badFile("너무 옛날 GGUF예요", "its GGUF is too old")
	case err != nil, end > info.Size():
		return m, badFile(fmt.Sprintf("끝까지 받아지지 않았어요(%s)", gigabytes(info.Size())), fmt.Sprintf("it is not whole (%s)", gigabytes(info.Size())))
	case h.numbers["split.count"] > 1:
		return m, badFile("여러 조각으로 나뉜 모델의 한 조각이에요", "it is one part of a model in several files")
	case m.Architecture == "" || h.tensors == 0:
		return m, badFile("모델이 들어 있지 않아요", "there is no model in it")
	case m.Architecture == "clip" || h.keys["general.type"] == "mmproj" || h.keys["general.type"] == "adapter":
		return m, badFile("모델의 일부만 들어 있어요", "it holds only a part of a model")
	}
	m.Name = nameOf(path)
	return m, nil
}

var odd = regexp.MustCompile(`[^a-z0-9._-]+`)

// nameOf makes a model's name of a file's: what the customer calls it, as far as a name may hold that.
func nameOf(path string) string {
	name := strings.ToLower(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	name = strings.Trim(odd.ReplaceAllString(name, "-"), "-._")
	if name = name[:min(len(name), 80)]; !ollama.ValidName(name) {
		name = "model"
	}
	return name
}

var (
	errNoGGUF = errors.New("no GGUF")
	errOld    = errors.New("an old GGUF")
	errOdd    = errors.New("the header makes no sense")
)

// header reads the head of a file.
type header struct {
	from    io.Reader
	at      int64
	keys    map[string]string
	numbers map[string]uint64
	tensors uint64
}

// read reads it, and gives where the last tensor ends.
func (h *header) read() (end int64, err error) {
	var magic [4]byte
	if _, err := io.ReadFull(h.from, magic[:]); err != nil || string(magic[:]) != "GGUF" {
		return 0, errNoGGUF
	}
	h.at = 4
	version, err := h.number(4)
	if err != nil {
		return 0, err
	}
	if version < 2 {
		return 0, errOld
	}
	if version > 3 { // of another byte order, or of a time to come
		return 0, errNoGGUF
	}
	if h.tensors, err = h.number(8); err != nil {
		return 0, err
	}
	keys, err := h.number(8)
	if err != nil || keys > mostKeys || h.tensors > mostTensors {
		return 0, errors.Join(errOdd, err)
	}
	for range keys {
		if err := h.key(); err != nil {
			return 0, err
		}
	}
	var last int64
	for range h.tensors {
		to, err := h.tensor()
		if err != nil {
			return 0, err
		}
		last = max(last, to)
	}
	align := int64(32)
	if n, ok := h.numbers["general.alignment"]; ok && n > 0 && n <= 1<<20 {
		align = int64(n)
	}
	return (h.at+align-1)/align*align + last, nil
}

func (h *header) bytes(n int64) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(h.from, b)
	h.at += n
	return b, err
}

// number reads a number of that many bytes.
func (h *header) number(size int64) (uint64, error) {
	b, err := h.bytes(size)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(append(b, make([]byte, 8-size)...)), nil
}

func (h *header) text() (string, error) {
	n, err := h.number(8)
	if err != nil || n > mostText {
		return "", errors.Join(errOdd, err)
	}
	b, err := h.bytes(int64(n))
	return string(b), err
}

// Kinds of values, as the format numbers them.
const (
	kindText  = 8
	kindArray = 9
)

// sizes are those of the kinds of values that have one.
var sizes = map[uint64]int64{0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}

// key reads a key with its value, and keeps what is short.
func (h *header) key() error {
	name, err := h.text()
	if err != nil {
		return err
	}
	kind, err := h.number(4)
	if err != nil {
		return err
	}
	switch size, plain := sizes[kind]; {
	case kind == kindText:
		h.keys[name], err = h.text()
		return err
	case plain:
		h.numbers[name], err = h.number(size)
		return err
	case kind != kindArray:
		return errOdd
	}
	of, err := h.number(4)
	if err != nil {
		return err
	}
	count, err := h.number(8)
	if err != nil || count > mostItems {
		return errors.Join(errOdd, err)
	}
	if size, plain := sizes[of]; plain {
		n := int64(count) * size
		h.at += n
		_, err := io.CopyN(io.Discard, h.from, n)
		return err
	}
	if of != kindText {
		return errOdd
	}
	for range count {
		if _, err := h.text(); err != nil {
			return err
		}
	}
	return nil
}

// tensor reads what is said of a tensor, and gives where it ends, from where the first begins.
func (h *header) tensor() (end int64, err error) {
	if _, err := h.text(); err != nil {
		return 0, err
	}
	dims, err := h.number(4)
	if err != nil || dims > 8 {
		return 0, errors.Join(errOdd, err)
	}
	count := int64(1)
	for range dims {
		n, err := h.number(8)
		if err != nil || n > 1<<40 || count > 1<<50/max(int64(n), 1) {
			return 0, errors.Join(errOdd, err)
		}
		count *= int64(n)
	}
	kind, err := h.number(4)
	if err != nil {
		return 0, err
	}
	from, err := h.number(8)
	if err != nil || from > 1<<50 {
		return 0, errors.Join(errOdd, err)
	}
	block, known := blocks[uint32(kind)] //nolint:gosec // it was read as four bytes
	if !known {                          // its end is not known, its beginning is
		return int64(from), nil
	}
	return int64(from) + (count+block[0]-1)/block[0]*block[1], nil
}

// badFile refuses a file, and says why in both languages.
func badFile(ko, en string) error {
	return apperr.New(apperr.ModelFileBad, "detail", why(bilingual.Of(ko, en)))
}

// why is a reason inside a sentence.
type why bilingual.Text

// In gives the words in a language.
func (w why) In(lang bilingual.Lang) string { return bilingual.Text(w).In(lang) }

func (w why) String() string { return w.In(bilingual.EN) }

// MarshalJSON writes the English words.
func (w why) MarshalJSON() ([]byte, error) { return json.Marshal(w.String()) }
