package bookrules

import (
	"iter"
	"slices"
)

// accountCoverage finds accounts whose statements do not cover some days, without looking at each
// account.
type accountCoverage struct {
	byCurrency map[string]*openAccounts
	// from and to have the first and the last days on which a window of TransferDays after it is
	// covered by the statements of an account, for each of the accounts that are not excluded.
	from, to []Day
	accounts int // number of these accounts
}

// openAccounts are the accounts in a currency that are not excluded, in the order of pairing.rank.
type openAccounts struct {
	accounts []*OwnAccount
	ends     []Day   // days after the last one that their statements cover or their balance includes
	tree     minTree // of ends
	gaps     []int   // indexes in accounts of those with days after their balance that no statement covers, before ends
}

func newCoverage(ranked []OwnAccount) accountCoverage {
	c := accountCoverage{byCurrency: map[string]*openAccounts{}}
	for i := range ranked {
		a := &ranked[i]
		if a.Role == Excluded {
			continue
		}
		c.accounts++
		for _, s := range a.Covered {
			if last := s.Last - TransferDays; s.First <= last {
				c.from, c.to = append(c.from, s.First), append(c.to, last)
			}
		}
		of := c.byCurrency[a.Currency]
		if of == nil {
			of = &openAccounts{}
			c.byCurrency[a.Currency] = of
		}
		of.add(a)
	}
	for _, of := range c.byCurrency {
		of.tree = newMinTree(of.ends)
	}
	slices.Sort(c.from)
	slices.Sort(c.to)
	return c
}

func (o *openAccounts) add(a *OwnAccount) {
	end := a.BalanceDay + 1
	if last := len(a.Covered) - 1; last >= 0 {
		end = max(end, a.Covered[last].Last+1)
	}
	next := a.BalanceDay + 1
	if span, covered := spanOf(a.Covered, next); covered {
		next = span.Last + 1
	}
	if next < end {
		o.gaps = append(o.gaps, len(o.accounts))
	}
	o.accounts, o.ends = append(o.accounts, a), append(o.ends, end)
}

// mostGaps is the largest number of accounts with gaps between their statements that are looked at
// for one line.
const mostGaps = 100

// open returns accounts in a currency whose statements and balances do not cover some days of a
// window, in the order of pairing.rank. It may return others too.
func (c *accountCoverage) open(currency string, window Span) iter.Seq[*OwnAccount] {
	return func(yield func(*OwnAccount) bool) {
		o := c.byCurrency[currency]
		if o == nil {
			return
		}
		gaps := o.gaps[:min(len(o.gaps), mostGaps)]
		at, found := o.tree.next(0, window.Last+1)
		for found || len(gaps) > 0 {
			n := at
			if len(gaps) > 0 && (!found || gaps[0] <= at) {
				n, gaps = gaps[0], gaps[1:]
			}
			if found && n == at {
				at, found = o.tree.next(at+1, window.Last+1)
			}
			if !yield(o.accounts[n]) {
				return
			}
		}
	}
}

// isOpen reports whether the statements of an account other than the given one do not cover some
// days of a window of TransferDays.
func (c *accountCoverage) isOpen(own *OwnAccount, window Span) bool {
	after, _ := slices.BinarySearch(c.from, window.First+1)
	before, _ := slices.BinarySearch(c.to, window.First)
	others, covered := c.accounts, after-before
	if own.Role != Excluded {
		others--
		if _, open := lastUncovered(own.Covered, window); !open {
			covered--
		}
	}
	return others > covered
}
