package transactions

import (
	"tarmac/client/position"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// place is where in the listing somebody wants to go.
type place struct {
	kind     placeKind
	row      int        // of atRow: counted from 0, the newest
	thousand int        // of atShare: thousandths of the way to the oldest
	date     civil.Date // of atDate and atSame: the newest row of that day or before it
	id       string     // of atSame: the transaction of that day
}

type placeKind int

const (
	atRow placeKind = iota
	atShare
	atDate
	atEnd
	atSame // where the listing is already: its rows have other numbers now
)

// placeOf is a position that was typed.
func placeOf(p position.Position) place {
	switch p.Kind {
	case position.Row:
		return place{kind: atRow, row: p.Row}
	case position.Share:
		return place{kind: atShare, thousand: p.Thousand}
	}
	return place{kind: atDate, date: p.Day}
}

// index returns which row of so many it is; false for a place that a date says.
func (p place) index(total int) (int, bool) {
	last := max(0, total-1)
	switch p.kind {
	case atRow:
		return min(p.row, last), true
	case atShare:
		return last * p.thousand / 1000, true
	case atEnd:
		return last, true
	}
	return 0, false
}

// words says where it is going.
func (p place) words() string {
	switch p.kind {
	case atRow:
		if p.row == 0 {
			return "to the newest"
		}
		return "to row " + money.Count(int64(p.row)+1)
	case atShare:
		share := money.Count(int64(p.thousand / 10))
		if tenth := p.thousand % 10; tenth > 0 {
			share += "." + money.Count(int64(tenth))
		}
		return "to " + share + "%"
	case atDate:
		return "to " + p.date.String()
	case atEnd:
		return "to the oldest"
	}
	return "counting anew"
}
