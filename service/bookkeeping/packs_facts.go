package bookkeeping

import (
	"iter"
	"math/bits"
)

// factTable holds the facts of lines by their notes. Note 0 is that of lines without facts. It
// grows without moving the facts that it has, which pointers may refer to.
type factTable struct {
	// blocks have 2, 4, 8 facts and so on, up to factBlock, and then factBlock each, because most
	// accounts have many lines and some files have many accounts. All are full but the last one.
	blocks [][]lineFacts
}

// The number of facts in a block, the number of blocks that are smaller, and the number of facts in
// these.
const (
	factBlock   = 128
	smallBlocks = 6
	smallFacts  = factBlock - 2
)

func newFactTable() *factTable {
	t := &factTable{}
	t.add(lineFacts{})
	return t
}

// place returns the block of a note and its index there.
func place(note int) (block, at int) {
	if note >= smallFacts {
		return smallBlocks + (note-smallFacts)/factBlock, (note - smallFacts) % factBlock
	}
	block = bits.Len(uint(note+2)) - 2
	return block, note + 2 - 2<<block
}

func (t *factTable) len() int {
	last := len(t.blocks) - 1
	before := smallFacts + (last-smallBlocks)*factBlock
	if last < smallBlocks {
		before = 2<<last - 2
	}
	return before + len(t.blocks[last])
}

func (t *factTable) at(note int32) *lineFacts {
	block, at := place(int(note))
	return &t.blocks[block][at]
}

// add adds facts and returns their note.
func (t *factTable) add(f lineFacts) (note int32) {
	last := len(t.blocks) - 1
	if last < 0 || len(t.blocks[last]) == cap(t.blocks[last]) {
		last++
		t.blocks = append(t.blocks, make([]lineFacts, 0, 2<<min(last, smallBlocks)))
	}
	t.blocks[last] = append(t.blocks[last], f)
	return int32(t.len() - 1)
}

// all returns all facts with their notes.
func (t *factTable) all() iter.Seq2[int32, *lineFacts] {
	return func(yield func(int32, *lineFacts) bool) {
		note := int32(0)
		for _, block := range t.blocks {
			for i := range block {
				if !yield(note, &block[i]) {
					return
				}
				note++
			}
		}
	}
}
