// Package position parses positions in a list of transactions as users type them: a date, a
// percentage of the way from the newest to the oldest row, or a row number.
package position

import (
	"errors"
	"strconv"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Kind says how a position is given.
type Kind int

// Values of Kind.
const (
	Row   Kind = iota // row number
	Share             // percentage of the way from the newest to the oldest row
	Day               // newest row dated on or before a day
	End               // oldest row
)

// Position is a position in a list whose newest row comes first.
type Position struct {
	Kind        Kind
	Row         int // for Row: row number, counted from 0, the newest row
	Thousandths int // for Share: thousandths of the way from the newest to the oldest row
	Day         civil.Date
}

// Oldest is the position of the last row in a list.
var Oldest = Position{Kind: End}

// RowIn returns the row number of the position in a list of total rows, counted from 0. For a Day
// it returns false, because its row is unknown.
func (p Position) RowIn(total int) (row int, ok bool) {
	last := max(0, total-1)
	switch p.Kind {
	case Row:
		return min(p.Row, last), true
	case Share:
		return last * p.Thousandths / 1000, true
	case End:
		return last, true
	}
	return 0, false
}

// String returns the position in words that follow "to": "the newest", "row 1,200", "12.5%",
// "2024-12-31", "the oldest".
func (p Position) String() string {
	switch p.Kind {
	case Row:
		if p.Row == 0 {
			return "the newest"
		}
		return "row " + money.Count(int64(p.Row)+1)
	case Share:
		share := strconv.Itoa(p.Thousandths / 10)
		if tenth := p.Thousandths % 10; tenth > 0 {
			share += "." + strconv.Itoa(tenth)
		}
		return share + "%"
	case End:
		return "the oldest"
	}
	return p.Day.String()
}

var errPosition = errors.New("unknown position: try 2024-03-31, oct, last year, 50% or row 1200")

// Parse parses a position in a ledger that is ordered newest first. The text is a percentage of the
// way from the newest to the oldest row ("50%", "12.5%"), a row number ("row 1,200", "#1200",
// "120000") or a date as civil.ParsePeriod reads it. A period such as a month means its last day. A
// number of four digits is a year. The errors are sentences for the user.
func Parse(text string, today civil.Date) (Position, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if share, ok := strings.CutSuffix(text, "%"); ok {
		return parseShare(strings.TrimSpace(share))
	}
	named := text
	for _, word := range []string{"row", "#"} {
		named = strings.TrimSpace(strings.TrimPrefix(named, word))
	}
	digits, _ := money.Ungrouped(named)
	if row, ok := number(digits, 9); ok && (named != text || len(digits) != 4 || digits != text) {
		if row == 0 {
			return Position{}, errors.New("rows are numbered from 1")
		}
		return Position{Kind: Row, Row: row - 1}, nil
	}
	period, err := civil.ParsePeriod(text, today)
	switch {
	case errors.Is(err, civil.ErrPeriod):
		return Position{}, errPosition
	case err != nil:
		return Position{}, err
	case period.To.IsZero():
		return Position{Kind: Day, Day: period.From}, nil
	}
	return Position{Kind: Day, Day: period.To}, nil
}

func parseShare(text string) (Position, error) {
	whole, tenth, _ := strings.Cut(text, ".")
	n, ok := number(whole, 3)
	if !ok {
		return Position{}, errPosition
	}
	n *= 10
	if tenth != "" {
		t, ok := number(tenth, 1)
		if !ok {
			return Position{}, errors.New("a percentage has at most one decimal, such as 12.5%")
		}
		n += t
	}
	if n > 1000 {
		return Position{}, errors.New("the oldest row is at 100%")
	}
	return Position{Kind: Share, Thousandths: n}, nil
}

// number parses text that consists only of decimal digits. It returns false for other text, and for
// more digits than the given number.
func number(text string, digits int) (int, bool) {
	if text == "" || len(text) > digits || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}
