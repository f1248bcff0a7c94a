package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"
)

// tiny is a file as the package keeps it: one layer, four pieces, and what three characters are replaced by.
func tiny(t *testing.T) []byte {
	t.Helper()
	const width, inner, context, words = 32, 64, 8, 6 // two words more than the tokenizer has pieces
	pieces := []string{"<s>", "<pad>", "</s>", "<unk>"}
	head := e5Head{
		Magic: [4]byte{'E', '5', 'S', '1'}, Version: e5Version, Width: width, Layers: 1, Heads: 1, Inner: inner, Words: words, Context: context,
		Types: 2, Epsilon: 1e-12, Block: blockSize, Pieces: uint32(len(pieces)), Begin: 0, End: 2, Pad: 1, Unknown: 3, PieceBytes: 17,
	}
	var f bytes.Buffer
	put := func(list ...any) {
		for _, v := range list {
			if err := binary.Write(&f, binary.LittleEndian, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	put(head, []uint32{0, 3, 8, 12, 17}, make([]float32, len(pieces)), []byte("<s><pad></s><unk>"))
	put(uint32(3), uint32(3*5+4+8), uint32('\n'), uint8(1), uint32(' '), uint32('㎏'), uint8(2), uint32('k'), uint32('g'), uint32(0x200b), uint8(0))
	sizes := map[string]int{
		"emb.word": words * blockBytes, "emb.pos": 4 * context * width, "emb.type": 8 * width, "emb.ln.w": 4 * width, "emb.ln.b": 4 * width,
		"l0.fi.w": 2 * width * blockBytes, "l0.fi.b": 4 * inner, "l0.fo.w": 2 * width * blockBytes, "l0.fo.b": 4 * width,
	}
	for _, part := range []string{"q", "k", "v", "ao"} {
		sizes["l0."+part+".w"], sizes["l0."+part+".b"] = width*blockBytes, 4*width
	}
	for _, part := range []string{"aln", "oln"} {
		sizes["l0."+part+".w"], sizes["l0."+part+".b"] = 4*width, 4*width
	}
	directory, offset := 0, f.Len()+4
	for name := range sizes {
		directory += 2 + len(name) + 21
	}
	offset += directory
	put(uint32(len(sizes)))
	for name, size := range sizes {
		kind := uint8(0)
		if size%blockBytes == 0 && size%4 != 0 || name == "emb.word" || bytes.HasSuffix([]byte(name), []byte(".w")) && size > 4*width {
			kind = 1
		}
		put(uint16(len(name)), []byte(name), kind, uint32(0), uint64(offset), uint64(size))
		offset += size
	}
	f.Write(make([]byte, offset-f.Len()))
	return f.Bytes()
}

func TestConvertE5(t *testing.T) {
	file := tiny(t)
	made, err := convertE5(file, "tiny")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"GGUF\x03", "bert.pooling_type", "tokenizer.ggml.precompiled_charsmap", "blk.0.layer_output_norm.bias"} {
		if !bytes.Contains(made, []byte(want)) {
			t.Errorf("nothing of %q in it", want)
		}
	}
	for n := range len(file) {
		if _, err := convertE5(file[:n], "tiny"); err == nil {
			t.Fatalf("a file cut off at %d of %d bytes was taken", n, len(file))
		}
	}
}

// The map gives what each character is replaced by, and nothing for those beside them.
func TestCharsMap(t *testing.T) {
	var list []replacement
	want := map[string]string{}
	for i := range rune(3000) {
		r := replacement{of: 0xa0 + 37*i, as: fmt.Sprint(i % 700)}
		if r.of >= 0xd800 && r.of < 0xe000 { // not characters
			continue
		}
		list, want[string(r.of)] = append(list, r), r.as
	}
	list, want["a"] = append(list, replacement{of: 'a'}), ""
	compiled := charsMap(list)
	for r := rune(1); r < 0xa0+37*3001; r++ {
		if r == 0xd800 {
			r = 0xe000
		}
		as, n := lookUp(t, compiled, string(r)+"z")
		if expected, there := want[string(r)]; there && (as != expected || n != len(string(r))) || !there && n != 0 {
			t.Fatalf("%U: %q for %d bytes, want %q", r, as, n, expected)
		}
	}
}

// lookUp reads the map as the server does: the longest key that the text begins with.
func lookUp(t *testing.T, compiled []byte, text string) (as string, length int) {
	t.Helper()
	size := binary.LittleEndian.Uint32(compiled)
	units, texts := compiled[4:4+size], compiled[4+size:]
	unit := func(i uint32) uint32 {
		if 4*i+4 > size {
			t.Fatalf("%q: beyond the array", text)
		}
		return binary.LittleEndian.Uint32(units[4*i:])
	}
	base := func(u uint32) uint32 { return u >> 10 << (u & (1 << 9) >> 6) }
	at := base(unit(0))
	for i := range len(text) {
		at ^= uint32(text[i])
		u := unit(at)
		if u&(1<<31|0xff) != uint32(text[i]) {
			break
		}
		at ^= base(u)
		if u>>8&1 == 1 {
			end := texts[unit(at)&(1<<31-1):]
			as, length = string(end[:bytes.IndexByte(end, 0)]), i+1
		}
	}
	return as, length
}
