package table

import (
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// reading is a way to read running balances.
type reading uint8

const (
	newestFirst reading = 1 << iota // each line's balance follows from the line below it
	inverted                        // the balance falls by what the amounts add
	lessFees                        // the balance falls by the fees too
	readings    = 8
)

// chain follows the running balances of one account in every reading at once.
type chain struct {
	links   int
	breaks  [readings]int
	broken  [readings]int // line of the first break
	started bool
	first   int64 // first balance, and the amounts up to it
	last    int64 // last balance
	lead    sums  // amounts of the lines up to the first balance, and of the line that has it
	own     sums  // of these, those of that line
	since   sums  // amounts after the last balance
	at      sums  // amounts from the line of the last balance on
	rising  int   // lines later than the one before
	falling int
	day     civil.Date
	large   bool // sums are beyond 64 bits
}

// sums are amounts and fees added up.
type sums struct{ amount, fee int64 }

func (s *sums) add(r *row) bool {
	amount, ok := money.Add(s.amount, r.minor)
	fee, fine := money.Add(s.fee, r.fee)
	*s = sums{amount, fee}
	return ok && fine
}

// move returns what the sums change a balance by in a reading.
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

// add takes the next line of the account. Lines without an amount have a balance alone.
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
	}
	if r.balanced {
		c.link(r, own)
		c.last, c.since, c.at = r.balance, sums{}, sums{}
	}
	if r.moved {
		c.large = !c.at.add(r) || c.large
	}
}

// link compares a balance with the one before.
func (c *chain) link(r *row, own sums) {
	if !c.started {
		c.started, c.first, c.own = true, r.balance, own
		return
	}
	c.links++
	for way := range reading(readings) {
		from, to, moves := c.last, r.balance, c.since
		if way&newestFirst != 0 {
			from, to, moves = to, from, c.at
		}
		if to-from == moves.move(way) {
			continue
		}
		if c.breaks[way]++; c.broken[way] == 0 {
			c.broken[way] = r.line
		}
	}
}

// direction returns the reading in the direction of the dates, or the better one if they do not
// tell. It returns false if both hold.
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

// ends returns the balances before and after all lines in a reading.
func (c *chain) ends(way reading) (opening, closing int64) {
	if way&newestFirst == 0 {
		return c.first - c.lead.move(way), c.last + c.since.move(way)
	}
	before := sums{c.lead.amount - c.own.amount, c.lead.fee - c.own.fee}
	return c.last - c.at.move(way), c.first + before.move(way)
}
