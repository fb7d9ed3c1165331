package bookrules

import "math/bits"

// partners tells which movements may have a partner: one of the same amount in the other direction,
// or one in another currency, at most TransferDays before or after them. It saves sorting all
// others, which are most. It may take a movement without a partner for one that has some.
type partners struct {
	none    bool
	in, out amountFilter
	// near[day-first] is true for the days on which a recognized transfer may have a partner in
	// another currency. It is nil if all accounts have one currency.
	near  []bool
	first Day
}

func newPartners(accounts map[int64]*OwnAccount, movements []Movement) *partners {
	currencies := map[string]bool{}
	for _, a := range accounts {
		currencies[a.Currency] = true
	}
	p := &partners{none: len(accounts) < 2}
	if p.none {
		return p
	}
	p.in, p.out = newAmountFilter(len(movements)), newAmountFilter(len(movements))
	for i := range movements {
		m := &movements[i]
		filter := &p.in
		if m.Minor < 0 {
			filter = &p.out
		}
		filter.add(magnitude(m.Minor), m.Day)
	}
	if len(currencies) > 1 {
		p.findNear(movements)
	}
	return p
}

// findNear sets p.near.
func (p *partners) findNear(movements []Movement) {
	if len(movements) == 0 {
		return
	}
	first, last := movements[0].Day, movements[0].Day
	for i := range movements {
		first, last = min(first, movements[i].Day), max(last, movements[i].Day)
	}
	p.first, p.near = first, make([]bool, last-first+1)
	for i := range movements {
		if m := &movements[i]; m.Evidence.recognized() {
			for day := max(first, m.Day-TransferDays); day <= min(last, m.Day+TransferDays); day++ {
				p.near[day-first] = true
			}
		}
	}
}

// has reports whether the movement may have a partner.
func (p *partners) has(m *Movement) bool {
	if p.none {
		return false
	}
	if p.near != nil && p.near[m.Day-p.first] {
		return true
	}
	filter := &p.out
	if m.Minor < 0 {
		filter = &p.in
	}
	return filter.has(magnitude(m.Minor), m.Day)
}

// amountFilter is a set of amounts and days (a Bloom filter with one hash function). It may report
// amounts that were not added, but never misses one that was.
type amountFilter struct {
	bits  []uint64
	shift int
}

// newAmountFilter returns an empty filter with sixteen bits or more for each of n amounts.
func newAmountFilter(n int) amountFilter {
	size := bits.Len(uint(max(n, 4))) + 4 // binary logarithm of the number of bits
	return amountFilter{make([]uint64, 1<<(size-6)), 64 - size}
}

// add adds an amount on a day.
func (f *amountFilter) add(amount int64, day Day) {
	at := f.at(amount, day/(TransferDays+1))
	f.bits[at/64] |= 1 << (at % 64)
}

// has reports whether the amount may have been added with a day that is at most TransferDays before
// or after the given one.
func (f *amountFilter) has(amount int64, day Day) bool {
	period := day / (TransferDays + 1)
	for p := period - 1; p <= period+1; p++ {
		if at := f.at(amount, p); f.bits[at/64]&(1<<(at%64)) != 0 {
			return true
		}
	}
	return false
}

// at returns the bit of an amount in a period of TransferDays+1 days.
func (f *amountFilter) at(amount int64, period Day) uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	return (uint64(amount)*odd + uint64(period)) * odd >> f.shift
}
