package transactions

import (
	"errors"
	"strconv"
	"strings"

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

var errPlace = errors.New("not a place: try 2024-03-31, last year, 50% or row 1200")

// parsePlace reads where to go: a share of the way to the oldest row ("50%",
// "12.5%"), a row by its number ("row 1,200", "#1200", "120000"), or a date in any
// of the words of civil.ParsePeriod, of which the last day counts. Four digits are a year.
func parsePlace(text string, today civil.Date) (place, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if share, ok := strings.CutSuffix(text, "%"); ok {
		return parseShare(strings.TrimSpace(share))
	}
	named := text
	for _, word := range []string{"row", "#"} {
		named = strings.TrimSpace(strings.TrimPrefix(named, word))
	}
	digits := strings.ReplaceAll(named, ",", "")
	if row, ok := number(digits, 9); ok && (named != text || len(digits) != 4 || digits != text) {
		if row == 0 {
			return place{}, errors.New("the rows are counted from 1")
		}
		return place{kind: atRow, row: row - 1}, nil
	}
	period, err := civil.ParsePeriod(text, today)
	switch {
	case errors.Is(err, civil.ErrPeriod):
		return place{}, errPlace
	case err != nil:
		return place{}, err
	case period.To.IsZero():
		return place{kind: atDate, date: period.From}, nil
	}
	return place{kind: atDate, date: period.To}, nil
}

func parseShare(text string) (place, error) {
	whole, tenth, _ := strings.Cut(text, ".")
	n, ok := number(whole, 3)
	if !ok {
		return place{}, errPlace
	}
	n *= 10
	if tenth != "" {
		t, ok := number(tenth, 1)
		if !ok {
			return place{}, errors.New("a share has one decimal at most, such as 12.5%")
		}
		n += t
	}
	if n > 1000 {
		return place{}, errors.New("the oldest row is at 100%")
	}
	return place{kind: atShare, thousand: n}, nil
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

// number reads up to so many decimal digits and nothing else.
func number(text string, digits int) (int, bool) {
	if text == "" || len(text) > digits {
		return 0, false
	}
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}
