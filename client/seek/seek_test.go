package seek_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/position"
	"tarmac/client/seek"
	"tarmac/internal/civil"
)

var newest = civil.New(2026, 11, 20)

// ledger holds the ages of its rows in days, in order.
type ledger []int

// upTo returns the newest rows dated on or before a day.
func (l ledger) upTo(day civil.Date) (*apiclient.TransactionPage, error) {
	first, _ := slices.BinarySearch(l, newest.DaysSince(day))
	page := &apiclient.TransactionPage{Summary: apiclient.Summary{Currency: "USD", Count: int64(len(l) - first)}}
	for _, back := range l[first:min(len(l), first+seek.PageRows)] {
		page.Data = append(page.Data, apiclient.Transaction{Date: newest.AddDays(-back)})
	}
	return page, nil
}

func (l ledger) day(row int) civil.Date { return newest.AddDays(-l[row]) }

// find runs a search and counts its requests.
func (l ledger) find(t *rapid.T, to position.Position, first civil.Date) (*seek.Search, int) {
	head, _ := l.upTo(newest)
	asked := 0
	found, err := seek.Find(to, first, head, func(day civil.Date) (*apiclient.TransactionPage, error) {
		if !first.IsZero() && day.Before(first) || !day.Before(newest) {
			t.Fatalf("asked about %s, of %s to %s", day, first, newest)
		}
		asked++
		return l.upTo(day)
	})
	if err != nil {
		t.Fatal(err)
	}
	return found, asked
}

func anyLedger(t *rapid.T) (l ledger, first civil.Date) {
	span := rapid.SampledFrom([]int{1, 30, 3000}).Draw(t, "span")
	l = rapid.SliceOfN(rapid.IntRange(0, span), 1, 2000).Draw(t, "days back")
	slices.Sort(l)
	for i, shift := 0, l[0]; i < len(l); i++ {
		l[i] -= shift
	}
	if rapid.Bool().Draw(t, "from") {
		first = l.day(len(l) - 1)
	}
	return l, first
}

// However rows are spread over days, the search ends at most a page before the row, or at
// its day.
func TestThePlaceOfARowIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, first := anyLedger(t)
		row := rapid.IntRange(0, len(l)-1).Draw(t, "row")

		found, _ := l.find(t, position.Position{Kind: position.Row, Row: row}, first)

		place := found.Start()
		if at, known := found.Row(); !known || at != row || found.IsBeforeOldest() {
			t.Fatalf("row %d, %v, instead of %d", at, known, row)
		}
		if above := l.above(place.Day); place.NewerRows != above || above > row {
			t.Fatalf("%d rows above %s, not %d, for row %d", place.NewerRows, place.Day, above, row)
		}
		if row-place.NewerRows >= seek.PageRows && l.day(place.NewerRows) != l.day(row) {
			t.Fatalf("row %d is %d rows into the run of %s", row, row-place.NewerRows, place.Day)
		}
	})
}

// above returns the number of rows newer than a day, and 0 for the zero day.
func (l ledger) above(day civil.Date) int {
	if day.IsZero() {
		return 0
	}
	first, _ := slices.BinarySearch(l, newest.DaysSince(day))
	return first
}

func TestADayIsFoundByOneQuestion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, first := anyLedger(t)
		day := newest.AddDays(-rapid.IntRange(-5, l[len(l)-1]).Draw(t, "back"))

		found, asked := l.find(t, position.Position{Kind: position.Day, Day: day}, first)

		row, known := found.Row()
		above, start := l.above(day), found.Start()
		if !known || found.IsBeforeOldest() || row != above || start.NewerRows != above || asked > 1 {
			t.Fatalf("%s is at row %d, %v, with %d questions, not at %d", day, row, known, asked, above)
		}
	})
}

func TestADayBeforeAllRowsLeadsToTheOldest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, first := anyLedger(t)
		day := l.day(len(l) - 1).AddDays(-rapid.IntRange(1, 400).Draw(t, "before"))

		found, _ := l.find(t, position.Position{Kind: position.Day, Day: day}, first)

		if row, known := found.Row(); !known || !found.IsBeforeOldest() || row != len(l)-1 {
			t.Fatalf("%s leads to row %d of %d, %v", day, row, len(l), known)
		}
	})
}

// Rows read earlier save requests.
func TestRowsThatWereReadSpareQuestions(t *testing.T) {
	l := make(ledger, 100_000)
	for i := range l {
		l[i] = i / 50
	}
	head, _ := l.upTo(newest)
	day := newest.AddDays(-1000)
	run, _ := l.upTo(day)
	q := seek.New(position.Position{Kind: position.Row, Row: 50_100}, civil.Date{}, head)

	q.AddRows(day, 50_000, run.Data)

	if asked, more := q.Next(); more {
		t.Fatalf("it asks about %s", asked)
	}
	if place := q.Start(); place.Day != day || place.NewerRows != 50_000 || place.Page != nil {
		t.Fatalf("it leads to %+v", place)
	}
}

func TestASearchEndsWithTheFirstError(t *testing.T) {
	l := ledger{0, 1, 2}
	head, _ := l.upTo(newest)
	broken := errors.New("broken")
	_, err := seek.Find(position.Position{Kind: position.Day, Day: newest.AddDays(-1)}, civil.Date{}, head,
		func(civil.Date) (*apiclient.TransactionPage, error) { return nil, broken })
	if !errors.Is(err, broken) {
		t.Fatalf("the error is %v", err)
	}
}
