package bookkeeping

import "iter"

// factTable holds the facts of lines by their notes. Note 0 is that of lines without facts. It
// grows without moving the facts that it has, which pointers may refer to.
type factTable struct {
	blocks [][]lineFacts // all full but the last one
}

// factBlock is the number of facts in a block.
const factBlock = 128

func newFactTable() *factTable {
	t := &factTable{}
	t.add(lineFacts{})
	return t
}

func (t *factTable) len() int {
	last := len(t.blocks) - 1
	return last*factBlock + len(t.blocks[last])
}

func (t *factTable) at(note int32) *lineFacts {
	return &t.blocks[note/factBlock][note%factBlock]
}

// add adds facts and returns their note.
func (t *factTable) add(f lineFacts) (note int32) {
	last := len(t.blocks) - 1
	if last < 0 || len(t.blocks[last]) == factBlock {
		t.blocks = append(t.blocks, make([]lineFacts, 0, factBlock))
		last++
	}
	t.blocks[last] = append(t.blocks[last], f)
	return int32(last*factBlock + len(t.blocks[last]) - 1)
}

// all returns all facts with their notes.
func (t *factTable) all() iter.Seq2[int32, *lineFacts] {
	return func(yield func(int32, *lineFacts) bool) {
		for n, block := range t.blocks {
			for i := range block {
				if !yield(int32(n*factBlock+i), &block[i]) {
					return
				}
			}
		}
	}
}
