package table

import (
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// reading is a set of flags that say how the running balances of a file follow from its amounts.
type reading uint8

const (
	// newestFirst means that lines are listed from the newest to the oldest.
	newestFirst reading = 1 << iota
	// inverted means that a positive amount lowers the balance.
	inverted
	// lessFees means that fees lower the balance in addition to the amounts.
	lessFees
	readings = 8
)

// chain checks for each reading whether the running balances of one account follow from its
// amounts.
type chain struct {
	links   int
	breaks  [readings]int
	broken  [readings]int // line number of the first wrong balance, by reading
	started bool
	first   int64 // balance of the first line that has a balance
	last    int64 // balance of the latest line so far that has a balance
	// lead adds up all lines up to and including the first one with a balance. own holds that line
	// only.
	lead sums
	own  sums
	// since adds up the lines after the latest balance. at also includes the line with this
	// balance.
	since sums
	at    sums
	// rising is the number of lines that are dated later than the line before them; falling counts
	// the earlier ones.
	rising  int
	falling int
	day     civil.Date
	holds   holds
	large   bool // true if a sum does not fit into 64 bits
}

// sums holds a sum of amounts and a sum of fees, in minor units.
type sums struct{ amount, fee int64 }

func (s *sums) add(r *row) bool {
	amount, ok := money.Add(s.amount, r.minor)
	fee, fine := money.Add(s.fee, r.fee)
	*s = sums{amount, fee}
	return ok && fine
}

// move returns by how much the lines change the balance in the given reading.
func (s sums) move(way reading) int64 {
	amount := s.amount
	if way&inverted != 0 {
		amount = -amount
	}
	if way&lessFees != 0 {
		amount -= s.fee
	}
	return amount
}

// add adds the next line of the account. A line may have an amount, a balance or both.
func (c *chain) add(r *row) {
	switch {
	case c.day.IsZero():
	case c.day.Before(r.booked):
		c.rising++
	case r.booked.Before(c.day):
		c.falling++
	}
	c.day = r.booked
	own := sums{}
	if r.moved {
		own = sums{r.minor, r.fee}
		fine := c.since.add(r)
		if !c.started {
			fine = c.lead.add(r) && fine
		}
		c.large = c.large || !fine
		if !r.balanced {
			c.holds.open = c.holds.add(c.holds.open, r.line)
		}
	}
	if r.balanced {
		c.link(r, own)
		c.last, c.since, c.at = r.balance, sums{}, sums{}
		c.holds.previous = own
	}
	if r.moved {
		c.large = !c.at.add(r) || c.large
	}
}

// link compares a balance with the one before it, in every reading. own holds the amount and the
// fee of the line.
func (c *chain) link(r *row, own sums) {
	open := c.holds.open
	c.holds.open = nil
	if !c.started {
		c.started, c.first, c.own = true, r.balance, own
		c.holds.before = open
		return
	}
	c.links++
	for way := range reading(readings) {
		from, to, moves := c.last, r.balance, c.since
		if way&newestFirst != 0 {
			from, to, moves = to, from, c.at
		}
		if to-from == moves.move(way) {
			c.holds.gaps[way] += len(open)
			continue
		}
		if len(open) > 0 && to-from == c.holds.without(way, own).move(way) {
			for _, line := range open {
				c.holds.within[way] = c.holds.add(c.holds.within[way], line)
			}
			continue
		}
		if c.breaks[way]++; c.broken[way] == 0 {
			c.broken[way] = r.line
		}
	}
}

// direction adds to a reading whether the newest line comes first. The dates decide, or else the
// direction in which fewer balances are wrong. It returns false if neither decides.
func (c *chain) direction(way reading) (reading, bool) {
	up, down := way&^newestFirst, way|newestFirst
	switch {
	case c.falling > c.rising:
		return down, true
	case c.rising > c.falling:
		return up, true
	case c.breaks[down] < c.breaks[up]:
		return down, true
	}
	return up, c.breaks[up] < c.breaks[down] || c.links == 0
}

// ends returns the balances before the oldest line and after the newest one, in the given reading.
func (c *chain) ends(way reading) (opening, closing int64) {
	if way&newestFirst == 0 {
		return c.first - c.lead.move(way), c.last + c.since.move(way)
	}
	before := sums{c.lead.amount - c.own.amount, c.lead.fee - c.own.fee}
	return c.last - c.at.move(way), c.first + before.move(way)
}
