package table

// mostHolds is the largest number of rows without a balance that may be holds.
const mostHolds = 1000

// holds collects the rows of an account that have an amount, but no balance. Banks list payments so
// that aren't booked yet. Other banks print only one balance a day: then the balances follow from
// all rows.
type holds struct {
	open     []int // lines since the latest balance
	before   []int // lines before the first balance
	previous sums  // amount of the row with the latest balance
	// within has the lines between two balances that only follow without them, by reading; gaps is
	// the number of lines without a balance that the balances include.
	within [readings][]int
	gaps   [readings]int
}

// add returns lines with one more, unless there are too many already.
func (h *holds) add(lines []int, line int) []int {
	if len(lines) > mostHolds {
		return lines
	}
	return append(lines, line)
}

// without returns what moves the balance from one row to the next if the rows between don't count.
func (h *holds) without(way reading, own sums) sums {
	if way&newestFirst != 0 {
		return h.previous
	}
	return own
}

// notBooked returns the lines that aren't booked in a reading: those within the chain that the
// balances leave out, and the newest lines if all other rows have a balance.
func (c *chain) notBooked(way reading) []int {
	if c.links == 0 || c.breaks[way] > 0 || c.holds.gaps[way] > 0 {
		return nil
	}
	newest := c.holds.open
	if way&newestFirst != 0 {
		newest = c.holds.before
	}
	lines := append(append([]int(nil), c.holds.within[way]...), newest...)
	if len(lines) > mostHolds {
		return nil
	}
	return lines
}

// findHolds finds the rows that aren't booked by the running balances. It reports whether there are
// any.
func (r *reader) findHolds() bool {
	if r.layout.balance == none {
		return false
	}
	way, holds := r.bestReading()
	if !holds {
		return false
	}
	r.notBooked = map[int]bool{}
	for _, of := range r.evidence.order {
		toward, told := of.chain.direction(way)
		if !told {
			continue
		}
		for _, line := range of.chain.notBooked(toward) {
			r.notBooked[line] = true
		}
	}
	return len(r.notBooked) > 0
}
