package bookkeeping

import (
	"cmp"
	"fmt"
	"slices"

	"tarmac/service/books"
	"tarmac/service/ledger"
)

// rows returns the transactions of a month's days, ordered by day, account and place in the
// file.
func (p *publisher) rows(span books.Span) ([]ledger.Transaction, error) {
	type placed struct {
		ledger.Transaction
		account, place int
	}
	var all []placed
	for n := range p.accounts {
		a := &p.accounts[n]
		merged := within(a.merged, span)
		if len(merged) == 0 {
			continue
		}
		byLine := make(map[int64]books.Merged, len(merged))
		for _, m := range merged {
			byLine[m.Line] = m
		}
		rates, err := p.tx.BookRates(p.Org, a.Currency, books.Span{First: span.First - maxRateAge, Last: span.Last})
		if err != nil {
			return nil, err
		}
		// A line may be dated differently where another file lists it.
		around := books.Span{First: span.First - maxShift, Last: span.Last + maxShift}
		err = p.tx.BookLines(p.Org, a.Key, around, func(l books.Line) error {
			if m, ok := byLine[l.Key]; ok {
				row := books.Row(a.Account, m, l.Line, books.Outcome{}, rates)
				if err := row.Validate(); err != nil {
					return fmt.Errorf("line %d of %s: %w", l.Place, ShortNumber(a.Number), err)
				}
				all = append(all, placed{row, n, l.Place})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(x, y placed) int {
		return cmp.Or(x.Date.Compare(y.Date), cmp.Compare(x.account, y.account), cmp.Compare(x.place, y.place),
			cmp.Compare(x.ID, y.ID))
	})
	rows := make([]ledger.Transaction, len(all))
	for n := range all {
		rows[n] = all[n].Transaction
	}
	return rows, nil
}

// maxShift is the most days by which two files date the same line differently.
const maxShift = 5

// maxRateAge is the number of days that a rate may be older than the line that it converts.
const maxRateAge = 7

// within returns the lines of a span of days.
func within(merged []books.Merged, span books.Span) []books.Merged {
	from, _ := slices.BinarySearchFunc(merged, span.First, compareDay)
	to, _ := slices.BinarySearchFunc(merged, span.Last+1, compareDay)
	return merged[from:to]
}

func compareDay(m books.Merged, day books.Day) int { return cmp.Compare(m.Day, day) }
