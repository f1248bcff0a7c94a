package main

import (
	"encoding/binary"
	"slices"
	"strings"
)

// replacement is what a character is to a model's tokenizer.
type replacement struct {
	of rune
	as string
}

// A map of characters is a double array (the trie that SentencePiece compiles its rules to) and the texts that stand for what
// it finds. A unit of the array holds, from the lowest bit on, the byte that leads to it (8), whether a key ends there (1),
// whether the distance is in steps of 256 (1, never set here), and how far off its children are (22); where a key ends, the
// child by byte 0 holds the place of the text.
const (
	endsHere   = 1 << 8
	distanceAt = 10
	isValue    = 1 << 31
	pageUnits  = 256
)

// node is a node of the trie while it is built.
type node struct {
	next  map[byte]*node
	value int // of the text; -1: no key ends here
}

// charsMap compiles replacements as the server's unigram tokenizer reads them.
func charsMap(list []replacement) []byte {
	root := &node{next: map[byte]*node{}, value: -1}
	var texts strings.Builder
	places := map[string]int{}
	for _, r := range list {
		at := root
		for _, b := range []byte(string(r.of)) {
			if at.next[b] == nil {
				at.next[b] = &node{next: map[byte]*node{}, value: -1}
			}
			at = at.next[b]
		}
		if _, there := places[r.as]; !there {
			places[r.as] = texts.Len()
			texts.WriteString(r.as + "\x00")
		}
		at.value = places[r.as]
	}
	a := &array{based: map[int]bool{}}
	a.grow(0)
	a.used[0] = true
	a.place(root, 0)
	var out []byte
	out = binary.LittleEndian.AppendUint32(out, uint32(4*len(a.units))) //nolint:gosec // a few thousand
	for _, u := range a.units {
		out = binary.LittleEndian.AppendUint32(out, u)
	}
	return append(out, texts.String()...)
}

// array is the double array while it is filled.
type array struct {
	units []uint32
	used  []bool
	based map[int]bool // bases that are taken: two nodes with the same one would share their children
	from  int          // below it hardly anything is free
}

func (a *array) grow(index int) {
	for len(a.units) <= index|(pageUnits-1) {
		a.units, a.used = append(a.units, make([]uint32, pageUnits)...), append(a.used, make([]bool, pageUnits)...)
	}
}

// place puts the children of the node at an index where all of them have room, and then theirs.
func (a *array) place(n *node, index int) {
	labels := make([]byte, 0, len(n.next)+1)
	if n.value >= 0 {
		labels = append(labels, 0)
	}
	for b := range n.next {
		labels = append(labels, b)
	}
	slices.Sort(labels)
	base := a.room(labels)
	a.based[base] = true
	a.units[index] |= uint32(index^base) << distanceAt //nolint:gosec // a few thousand
	for _, b := range labels {
		at := base ^ int(b)
		a.used[at] = true
		if b == 0 {
			a.units[index] |= endsHere
			a.units[at] = isValue | uint32(n.value) //nolint:gosec // a few thousand
		} else {
			a.units[at] = uint32(b)
		}
	}
	for _, b := range labels {
		if b != 0 {
			a.place(n.next[b], base^int(b))
		}
	}
}

// room finds a base from which all labels lead to free units.
func (a *array) room(labels []byte) int {
	for a.from < len(a.used) && a.used[a.from] {
		a.from++
	}
	for base := max(a.from&^(pageUnits-1), 1); ; base++ {
		a.grow(base)
		if !a.based[base] && !slices.ContainsFunc(labels, func(b byte) bool { return a.used[base^int(b)] }) {
			return base
		}
	}
}
