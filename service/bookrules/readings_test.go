package bookrules_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"tarmac/service/accounts"
	"tarmac/service/bookrules"
)

// identified returns the operating account as DescribeAccounts returns it.
func identified() bookrules.Account {
	a := operating
	a.Identity = bookrules.NumberEnd(a.Number)
	return a
}

// reading returns a reading of the operating account on the day after its statements.
func reading(number string, current, available int64) bookrules.Reading {
	return bookrules.Reading{
		Number: number, Currency: "USD", CurrentMinor: current, AvailableMinor: available,
		At: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC),
	}
}

func TestAReadingReplacesWhatStatementsSayOfItsAccount(t *testing.T) {
	waiting := state(identified(), "2026-11-20", 1000000)
	waiting.PendingMinor = -2000
	cash := cashOf(t, waiting, state(savings, "2026-11-15", 500000))
	older := reading(operating.Number, 1100000, 1099000)
	older.At = older.At.AddDate(0, 0, -2)
	for name, test := range map[string]struct {
		reading  bookrules.Reading
		replaced bool
	}{
		"its number":           {reading(operating.Number, 1100000, 1099000), true},
		"its number in a file": {reading("xxxx"+bookrules.NumberEnd(operating.Number), 1100000, 1099000), true},
		"another account":      {reading("00002222", 1100000, 1099000), false},
		"another currency":     {bookrules.Reading{Number: operating.Number, Currency: "EUR", At: importedAt}, false},
		"never read":           {bookrules.Reading{Number: operating.Number, Currency: "USD"}, false},
		"older than its lines": {older, false},
	} {
		got, note, err := bookrules.WithReadings(cash.Balance, cash.Shares, []bookrules.Reading{test.reading}, "USD")

		want := cash.Balance
		if test.replaced {
			want = accounts.Balance{AvailableCents: 1599000, HoldingCents: 1000, SyncedAt: cash.Balance.SyncedAt}
		}
		if err != nil || got != want || strings.Contains(note, "read at 2026-11-21 09:30 UTC.") != test.replaced {
			t.Errorf("%s: %+v, %q, %v", name, got, note, err)
		}
	}
}

func TestABalanceIsAsOldAsItsOldestPart(t *testing.T) {
	cash := cashOf(t, state(identified(), "2026-11-01", 5))
	r := reading(operating.Number, 7, 7)

	got, _, err := bookrules.WithReadings(cash.Balance, cash.Shares, []bookrules.Reading{r}, "USD")

	if err != nil || got.SyncedAt != r.At || got.AvailableCents != 7 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAReadingThatCannotBeAddedIsAnError(t *testing.T) {
	cash := cashOf(t, state(identified(), "2026-11-20", 5), state(savings, "2026-11-20", math.MaxInt64-10))

	large := []bookrules.Reading{reading(operating.Number, 0, 100)}

	_, _, err := bookrules.WithReadings(cash.Balance, cash.Shares, large, "USD")

	if !errors.Is(err, bookrules.ErrOverflow) {
		t.Errorf("the error is %v", err)
	}
}
