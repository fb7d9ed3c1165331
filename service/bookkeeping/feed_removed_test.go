package bookkeeping_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/bookkeeping"
)

// many returns a reading with that many lines, one a day.
func many(lines int) reading {
	r := november
	r.closing = ""
	r.lines = nil
	for n := range lines {
		r.lines = append(r.lines, feedLine{
			Date: day(
				r.from,
				n,
			), Amount: fmt.Sprintf("-%d.00", 100+n), ID: fmt.Sprint(n), Description: fmt.Sprint("Payment ", n),
		})
	}
	return r
}

func day(first string, n int) string {
	d, err := civil.Parse(first)
	if err != nil {
		panic(err)
	}
	return d.AddDays(n).String()
}

func TestAReadingThatLacksManyLinesIsRefusedUntilTheUserAcceptsIt(t *testing.T) {
	b := newBooks(t)
	sync(t, b, mercury, many(30))
	before := ledgerOf(t, b)
	less := many(30).with(many(30).lines[11:]...)

	_, err := b.Import(t.Context(), feedSource(less), bookkeeping.Options{Feed: &mercury})

	removed, ok := errors.AsType[*bookkeeping.RemovedError](err)
	if !ok || removed.Removed != 11 || removed.Booked != 30 || removed.Account != "…6789" {
		t.Fatalf("the error is %v", err)
	}
	checkLedger(t, b, before...)
	accepting := mercury
	accepting.AcceptRemoved = true
	checkFeed(t, sync(t, b, accepting, less), 0, 0, 11, 0)
	checkLedger(t, b, before[11:]...)
}

func TestAReadingMayLackTenLinesOrATenth(t *testing.T) {
	b := newBooks(t)
	sync(t, b, mercury, many(30))

	report := sync(t, b, mercury, many(30).with(many(30).lines[10:]...))

	checkFeed(t, report, 0, 0, 10, 0)
}

func TestLinesWithOtherIDsChangeNothing(t *testing.T) {
	b := newBooks(t)
	sync(t, b, mercury, many(30))
	before := ledgerOf(t, b)
	relinked := many(30)
	for n := range relinked.lines {
		relinked.lines[n].ID = fmt.Sprint("new ", n)
	}

	report := sync(t, b, mercury, relinked)

	checkFeed(t, report, 0, 0, 0, 0)
	checkLedger(t, b, before...)
}

func TestALineThatMovesToAnotherDayCountsAsChanged(t *testing.T) {
	b := newBooks(t)
	sync(t, b, mercury, november)
	moved := november.with(november.lines...)
	moved.lines = slices.Clone(moved.lines)
	moved.lines[1].Date = "2026-11-17"

	report := sync(t, b, mercury, moved)

	checkFeed(t, report, 0, 1, 0, 0)
	checkLedger(t, b, novemberRows[0], "2026-11-17 +120000 Customer")
}

func TestAnAccountThatIsNamedLikeItsNumberKeepsIt(t *testing.T) {
	b := newBooks(t)
	treasury := november
	treasury.account = "Checking" // also its name
	sync(t, b, mercury, treasury)

	sync(t, b, mercury, treasury.with(treasury.lines[0]))

	accounts, err := b.Accounts(t.Context())
	if err != nil || len(accounts) != 1 || accounts[0].Number != "Checking" {
		t.Errorf("accounts are %+v, %v", accounts, err)
	}
}
