package bookrules

import "math/bits"

// minTree finds the first of a list of days that is before a given day, in logarithmic time.
type minTree struct {
	leaves int   // a power of two
	least  []Day // least[1] is the earliest of all days; that of a node i is the earlier one of 2*i and 2*i+1
}

func newMinTree(days []Day) minTree {
	t := minTree{leaves: 1 << bits.Len(uint(max(len(days), 1)-1))}
	t.least = make([]Day, 2*t.leaves)
	for i := range t.least {
		t.least[i] = FarFuture
	}
	copy(t.least[t.leaves:], days)
	for i := t.leaves - 1; i > 0; i-- {
		t.least[i] = min(t.least[2*i], t.least[2*i+1])
	}
	return t
}

// remove removes the day at an index, so that next does not find it anymore.
func (t *minTree) remove(at int) {
	at += t.leaves
	t.least[at] = FarFuture
	for at /= 2; at > 0; at /= 2 {
		t.least[at] = min(t.least[2*at], t.least[2*at+1])
	}
}

// next returns the first index, not less than from, of a day before the given one. It returns false
// if there is none.
func (t *minTree) next(from int, before Day) (at int, found bool) {
	if from >= t.leaves {
		return 0, false
	}
	at = from + t.leaves
	for t.least[at] >= before {
		for at&1 == 1 { // a right child, or the root
			if at /= 2; at == 0 {
				return 0, false
			}
		}
		at++ // the right sibling
	}
	for at < t.leaves {
		if at *= 2; t.least[at] >= before {
			at++
		}
	}
	return at - t.leaves, true
}
