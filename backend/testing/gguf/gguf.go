// Package gguf writes GGUF files (version 3), the form in which model servers read models: keys with values, and tensors.
package gguf

import "encoding/binary"

// Kinds of values, as the format numbers them.
const (
	kindU8, kindU32, kindI32, kindF32, kindBool, kindString, kindArray = 0, 4, 5, 6, 7, 8, 9
)

// Kinds of numbers that a tensor is made of, as the format numbers them. Q4 holds 32 numbers of four bits with a common scale.
const (
	F32 = 0
	F16 = 1
	Q4  = 2
)

// Kinds of tokens, as the format numbers them.
const (
	Normal      int32 = 1
	Unknown     int32 = 2
	Control     int32 = 3
	UserDefined int32 = 4
)

const alignment = 32

// File is a file while it is written.
type File struct {
	keys, infos, data buffer
	nKeys, nTensors   uint64
}

// New begins the file of a model of an architecture.
func New(architecture, name string) *File {
	f := &File{}
	f.Text("general.architecture", architecture)
	f.Text("general.name", name)
	return f
}

// buffer is a part of the file. What is put into it has a fixed size, and so always fits.
type buffer []byte

func (b *buffer) put(v any) {
	if more, err := binary.Append(*b, binary.LittleEndian, v); err == nil {
		*b = more
	}
}

func (b *buffer) text(s string) {
	b.put(uint64(len(s)))
	*b = append(*b, s...)
}

func (b *buffer) pad() { *b = append(*b, make([]byte, -len(*b)&(alignment-1))...) }

func (f *File) key(name string, kind uint32) {
	f.keys.text(name)
	f.keys.put(kind)
	f.nKeys++
}

// Text writes a key with a text.
func (f *File) Text(name, value string) {
	f.key(name, kindString)
	f.keys.text(value)
}

// Number writes a key with a number that is not negative.
func (f *File) Number(name string, n int) {
	f.key(name, kindU32)
	f.keys.put(uint32(n)) //nolint:gosec // small and not negative
}

// Float writes a key with a fraction.
func (f *File) Float(name string, x float32) {
	f.key(name, kindF32)
	f.keys.put(x)
}

// Flag writes a key that is on or off.
func (f *File) Flag(name string, on bool) {
	f.key(name, kindBool)
	f.keys.put(on)
}

// Texts writes a key with a list of texts.
func (f *File) Texts(name string, list []string) {
	f.array(name, kindString, len(list))
	for _, s := range list {
		f.keys.text(s)
	}
}

// Ints writes a key with a list of numbers.
func (f *File) Ints(name string, list []int32) {
	f.array(name, kindI32, len(list))
	f.keys.put(list)
}

// Floats writes a key with a list of fractions.
func (f *File) Floats(name string, list []float32) {
	f.array(name, kindF32, len(list))
	f.keys.put(list)
}

// Blob writes a key with bytes.
func (f *File) Blob(name string, list []byte) {
	f.array(name, kindU8, len(list))
	f.keys = append(f.keys, list...)
}

func (f *File) array(name string, kind uint32, n int) {
	f.key(name, kindArray)
	f.keys.put(kind)
	f.keys.put(uint64(n)) //nolint:gosec // not negative
}

// Tensor writes a tensor: its numbers as bytes of that kind, and its dimensions, the fastest first.
func (f *File) Tensor(name string, kind uint32, numbers []byte, dims ...int) {
	f.data.pad()
	f.infos.text(name)
	f.infos.put(uint32(len(dims))) //nolint:gosec // one or two
	for _, d := range dims {
		f.infos.put(uint64(d)) //nolint:gosec // not negative
	}
	f.infos.put(kind)
	f.infos.put(uint64(len(f.data)))
	f.data = append(f.data, numbers...)
	f.nTensors++
}

// Bytes gives the whole file.
func (f *File) Bytes() []byte {
	all := buffer("GGUF")
	all.put(uint32(3))
	all.put(f.nTensors)
	all.put(f.nKeys)
	all = append(append(all, f.keys...), f.infos...)
	all.pad()
	f.data.pad()
	return append(all, f.data...)
}
