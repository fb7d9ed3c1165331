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

var importedAt = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)

// state returns an account whose statements end on a date with a balance.
func state(a bookrules.Account, date string, minor int64) bookrules.AccountState {
	return bookrules.AccountState{
		OwnAccount:    known(a, bookrules.Span{First: 1, Last: day(date)}),
		Balance:       &bookrules.Balance{Day: day(date), Minor: minor},
		LastStatement: day(date),
	}
}

func cashOf(t *testing.T, states ...bookrules.AccountState) bookrules.Cash {
	t.Helper()
	cash, err := bookrules.CashOf(states, nil, bookrules.Transfers{}, importedAt, "USD")
	if err != nil {
		t.Fatal(err)
	}
	return cash
}

func TestCashIsWhatAccountsHoldLessWhatCardsOwe(t *testing.T) {
	old := operating
	old.Key, old.Role = 9, bookrules.Closed
	owing := state(card, "2026-11-10", -30000)
	owing.PendingMinor = -500
	waiting := state(operating, "2026-11-20", 1000000)
	waiting.PendingMinor = 2000

	got := cashOf(t, waiting, state(savings, "2026-11-15", 500000), owing, state(founder, "2020-01-01", 7),
		state(old, "2020-01-01", 9))

	want := accounts.Balance{
		AvailableCents: 1470000, PendingCents: 1500, SyncedAt: time.Date(2026, 11, 10, 23, 59, 59, 0, time.UTC),
	}
	if got.Balance != want || !got.Known || got.Partial || got.Note != "" {
		t.Errorf("cash is %+v", got)
	}
}

func TestCashIsNotNewerThanItsImport(t *testing.T) {
	if got := cashOf(t, state(operating, "2026-11-30", 5)); got.Balance.SyncedAt != importedAt {
		t.Errorf("synced at %s", got.Balance.SyncedAt)
	}
}

func TestAnUnknownBalanceMakesCashUnknown(t *testing.T) {
	unknown := state(savings, "2026-11-15", 0)
	unknown.Balance = nil

	got := cashOf(t, state(operating, "2026-11-20", 1000000), unknown)

	if got.Known || got.Balance.AvailableCents != 0 || !strings.Contains(got.Note, "Chase …2222") {
		t.Errorf("cash is %+v", got)
	}
}

// Cash of zero would be false where each balance but empty ones lacks an exchange rate.
func TestCashIsUnknownWithoutAnyRate(t *testing.T) {
	zloty := state(bookrules.Account{Key: 6, Number: "PL66666", Bank: "mBank", Currency: "PLN"}, "2026-11-15", 1000)

	got := cashOf(t, zloty, state(operating, "2026-11-20", 0))

	if got.Known || !strings.Contains(got.Note, "no exchange rate for mBank …6666 in PLN") {
		t.Errorf("cash is %+v", got)
	}
	if got := cashOf(t, zloty, state(operating, "2026-11-20", 1)); !got.Known || !got.Partial {
		t.Errorf("beside a cent, cash is %+v", got)
	}
}

func TestOtherCurrenciesAreConvertedByTheNewestRate(t *testing.T) {
	euros := state(bookrules.Account{Key: 5, Number: "DE55555", Bank: "N26", Currency: "EUR"}, "2026-11-15", 1000)
	may, _ := bookrules.QuoteAt("EUR", "USD", day("2026-11-15"), bookrules.Rates{
		"EUR": {rate("EUR", "2026-05-01", 12, 10)},
	})
	euros.Quote = &may
	zloty := state(bookrules.Account{Key: 6, Number: "PL66666", Bank: "mBank", Currency: "PLN"}, "2026-11-15", 1000)

	got := cashOf(t, euros, zloty)

	if !got.Known || !got.Partial || got.Balance.AvailableCents != 1200 {
		t.Errorf("cash is %+v", got)
	}
	if got.Note != "EUR is converted at the rate of 2026-05-01. "+
		"Cash is incomplete: there is no exchange rate for mBank …6666 in PLN." {
		t.Errorf("note is %q", got.Note)
	}
}

func TestMoneyInTransitIsHeldWithItsSign(t *testing.T) {
	movements := []bookrules.Movement{
		moved(operating, day("2026-11-16"), -700, named(2)), moved(savings, day("2026-11-14"), 200, named(3)),
		moved(operating, day("2026-11-16"), -9, named(3)),
	}
	transfers := bookrules.Transfers{InTransit: []bookrules.Transit{
		{Movement: 0, Other: 2, Held: true}, {Movement: 1, Other: 3, Held: true}, {Movement: 2, Other: 3},
	}}

	got, err := bookrules.CashOf([]bookrules.AccountState{
		state(operating, "2026-11-20", 1000), state(savings, "2026-11-15", 500),
	}, movements, transfers, importedAt, "USD")

	if err != nil || got.Balance.AvailableCents != 1500 || got.Balance.HoldingCents != 500 {
		t.Errorf("cash is %+v, %v", got, err)
	}
}

func TestCashBeyondAllNumbersIsAnError(t *testing.T) {
	for _, minor := range []int64{math.MaxInt64, math.MinInt64} {
		_, err := bookrules.CashOf([]bookrules.AccountState{
			state(operating, "2026-11-20", minor), state(savings, "2026-11-20", minor),
		}, nil, bookrules.Transfers{}, importedAt, "USD")

		if !errors.Is(err, bookrules.ErrOverflow) {
			t.Errorf("%d: %v", minor, err)
		}
	}
}

func TestBookedBalance(t *testing.T) {
	rent, late := movement{day: 10, minor: -500}, movement{day: 40, minor: -70}
	september := balances(file("september", span(1, 30), rent), 1000, 500)
	october := file("october", span(31, 60), late)
	asOf := file("as of", span(1, 30), rent)
	asOf.Balances = []bookrules.Balance{{Day: 33, Minor: 480}}
	opening := file("opening", span(31, 60), late)
	opening.Balances = []bookrules.Balance{{Day: 31, Minor: 500, Opening: true}}
	at := func(day bookrules.Day, minor int64) bookrules.Balance {
		return bookrules.Balance{Day: day, Minor: minor}
	}
	for name, test := range map[string]struct {
		contents []bookrules.Content
		want     bookrules.Balance
		unknown  bool
	}{
		"a closing balance":                  {contents: []bookrules.Content{september}, want: at(30, 500)},
		"lines after the balance":            {contents: []bookrules.Content{october, september}, want: at(60, 430)},
		"a balance later than its statement": {contents: []bookrules.Content{asOf}, want: at(33, 480)},
		"an opening balance alone":           {contents: []bookrules.Content{opening}, want: at(60, 430)},
		"an opening after a closing balance": {contents: []bookrules.Content{september, opening}, want: at(60, 430)},
		"lines after days without a statement": {
			contents: []bookrules.Content{september, file("november", span(39, 60), late)}, want: at(30, 500),
		},
		"no balance": {contents: []bookrules.Content{october}, unknown: true},
	} {
		merged, _ := bookrules.Merge(nil, test.contents, nil)

		got, known := bookrules.BookedBalance(merged, test.contents)

		if got != test.want || known == test.unknown {
			t.Errorf("%s: %+v, %v; want %+v", name, got, known, test.want)
		}
	}
}

func TestAccountsAreLabelledByTheirBankAndTheEndOfTheirNumber(t *testing.T) {
	for want, a := range map[string]bookrules.Account{
		"Mercury …6789":    {Number: "2020 1234 6789", Bank: "Mercury", Name: "Operating"},
		"Payroll …6789":    {Number: "202012346789", Bank: "Mercury", Name: "Payroll", Renamed: true},
		"Mercury Treasury": {Number: "Treasury", Bank: "Mercury", Name: "Treasury"},
		"Chase 1234":       {Number: "1234", Bank: "Chase"},
		"…6789":            {Number: "DE02120300000000206789"},
	} {
		if got := a.Label(); got != want {
			t.Errorf("%+v is labelled %q, want %q", a, got, want)
		}
	}
}
