package spending_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/extension"
)

// covered returns the ledger with a coverage written as "gaps=2026-09-15..2026-09-15
// covered=2026-11-20".
func covered(l *spending.Ledger, coverage string) *spending.Ledger {
	var gaps []string
	before, to, _ := strings.Cut(coverage, "covered=")
	if gap, found := strings.CutPrefix(strings.TrimSpace(before), "gaps="); found {
		gaps = strings.Split(gap, ",")
	}
	l.Coverage = figures.CoverageOf(&apiclient.CashPosition{
		Currency: "USD",
		AsOf:     time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), Extension: extension.Covering(to, gaps...),
	})
	return l
}

// rents returns a ledger with rent in each month up to October, and a customer in October.
func rents() *spending.Ledger {
	rows := []apiclient.Transaction{row("2026-10-09", "Customer", 100_00, "")}
	for month := time.January; month <= time.October; month++ {
		rows = append(rows, row(civil.New(2026, month, 3).String(), "Rent", -900_00, ""))
	}
	return ledger(rows...)
}

// Notes of ledgers whose statements cover all days, not a day of September, and not a day of May.
const (
	allDays     = "covered=2026-11-20"
	noSeptember = "gaps=2026-09-15..2026-09-15 covered=2026-11-20"
	noMay       = "gaps=2026-05-15..2026-05-15 covered=2026-11-20"
)

func TestABridgeOfDaysThatAreNotCoveredHasNoChanges(t *testing.T) {
	const why = "Statements do not cover 2026-09-15."
	for facts, want := range map[string][]string{
		allDays:     {"new", "$0.00", "+$100.00", "+$100.00", ""},
		noMay:       {"new", "$0.00", "+$100.00", "+$100.00", ""},
		noSeptember: {"unclear", "—", "+$100.00", "—", why},
	} {
		b, ok := covered(rents(), facts).Bridge(civil.New(2026, 9, 1), civil.New(2026, 10, 1))

		c := b.Changes[0]
		got := []string{string(c.Kind), c.Before.String(), c.After.String(), c.Change().String(), b.Change().Why()}
		if c.Name != "Customer" || !slices.Equal(got, want) || !ok || b.AddsUp() != (facts != noSeptember) {
			t.Errorf("%s: %s %q, want %q", facts, c.Name, got, want)
		}
	}
}

func TestSpendOfDaysThatAreNotCoveredIsPartial(t *testing.T) {
	for facts, want := range map[string][]string{
		allDays:     {"$1,800.00", "$1,800.00", "$900.00", "$0.00", "100.0%", "$900.00", "$900.00"},
		noSeptember: {"~$1,800.00", "$1,800.00", "—", "—", "~100.0%", "$900.00", "~$900.00"},
	} {
		l := covered(rents(), facts)

		c := l.Counterparties(apiclient.Outflow, civil.New(2026, 10, 1), 2)[0]

		got := []string{
			c.Total.String(), c.Before.String(), c.Average().String(), c.Change().String(), c.Share.String(),
			c.Months[0].String(), c.Months[1].String(),
		}
		for i, text := range want {
			if got[i] != text && !(i == 3 && got[i] == "+"+text) {
				t.Errorf("%s: %q, want %q", facts, got, want)
				break
			}
		}
	}
}

func TestTotalsOfDaysThatAreNotCoveredArePartial(t *testing.T) {
	totals := covered(rents(), noSeptember).Totals(apiclient.Outflow, civil.New(2026, 8, 1), civil.New(2026, 10, 1))

	if totals.All.String() != "~$2,700.00" || totals.Operating.String() != "~$2,700.00" || !totals.Financing.Unknown {
		t.Errorf("%+v", totals)
	}
}

// The rent of December is not late as long as no statement covers its day.
func TestPaymentsAreLateOnlyOnDaysThatAreCovered(t *testing.T) {
	today := civil.New(2026, 12, 20)
	for facts, want := range map[string]string{
		"covered=2026-11-04": spending.Active, "covered=2026-11-30": spending.Late,
	} {
		l := covered(rents(), facts)

		found := l.Recurring(today)

		if got := found[0].Status(l.Begins(), today); got != want {
			t.Errorf("%s: the rent is %s, want %s", facts, got, want)
		}
	}
}

// The statements of a forgotten account end long before those of the others.
func TestWhetherPaymentsGoOnIsUnknownWhereAnAccountIsForgotten(t *testing.T) {
	today := civil.New(2026, 11, 22)
	for facts, want := range map[string]string{
		"gaps=2026-04-02..2026-11-21 covered=2026-11-21": spending.Unknown,
		"gaps=2026-05-05..2026-11-21 covered=2026-11-21": spending.Unknown,
		"gaps=2026-08-01..2026-11-21 covered=2026-11-21": spending.Stopped,
		"gaps=2026-05-01..2026-06-30 covered=2026-11-21": spending.Stopped,
		"covered=2026-11-21":                             spending.Stopped,
	} {
		rows := []apiclient.Transaction{row("2026-11-09", "Customer", 100_00, "")}
		for month := time.January; month <= time.April; month++ {
			rows = append(rows, row(civil.New(2026, month, 3).String(), "Rent", -900_00, ""))
		}
		l := covered(ledger(rows...), facts)

		found := l.Recurring(today)

		if len(found) != 1 || found[0].Status(l.Begins(), today) != want {
			t.Errorf("%s: %+v, want %s", facts, found, want)
		}
	}
}

func TestPaymentsAfterAGapAreNotNew(t *testing.T) {
	rows := []apiclient.Transaction{row("2026-01-03", "Rent", -900_00, "")}
	for month := time.August; month <= time.November; month++ {
		rows = append(rows, row(civil.New(2026, month, 22).String(), "Cloud", -50_00, ""))
	}
	today := civil.New(2026, 11, 22)
	for facts, want := range map[string]string{
		allDays: spending.NewSeries, noMay: spending.NewSeries,
		"gaps=2026-06-01..2026-07-31 covered=2026-11-22": spending.Active,
	} {
		l := covered(ledger(slices.Clone(rows)...), facts)

		found := l.Recurring(today)

		if len(found) != 1 || found[0].Status(l.Begins(), today) != want {
			t.Errorf("%s: %+v, want %s", facts, found, want)
		}
	}
}

func TestPaymentsRecurOnBothSidesOfAGap(t *testing.T) {
	var rows []apiclient.Transaction
	for month := time.January; month <= time.November; month++ {
		if month < time.March || month > time.June {
			rows = append(rows, row(civil.New(2026, month, 3).String(), "Rent", -900_00, ""))
		}
	}
	today := civil.New(2026, 11, 22)

	found := covered(ledger(rows...), "gaps=2026-03-01..2026-06-30 covered=2026-11-21").Recurring(today)

	if len(found) != 1 || found[0].Stopped || found[0].Status(civil.New(2026, 1, 3), today) != spending.Active {
		t.Errorf("%+v", found)
	}
}

func TestPaymentsRecurAfterAYearWithoutAnyRow(t *testing.T) {
	var rows []apiclient.Transaction
	for month := civil.New(2024, 7, 3); !month.After(civil.New(2026, 11, 3)); month = month.AddMonths(1) {
		if month.Year() != 2025 {
			rows = append(rows, row(month.String(), "Rent", -900_00, ""))
		}
	}
	today := civil.New(2026, 11, 22)
	for name, others := range map[string]struct {
		rows []apiclient.Transaction
		want int
	}{
		"of all counterparties": {nil, 1},
		"of the landlord": {[]apiclient.Transaction{
			row("2025-04-09", "Customer", 100_00, ""), row("2025-09-09", "Customer", 100_00, ""),
		}, 0},
	} {
		l := ledger(slices.Concat(rows, others.rows)...)

		for _, found := range [...][]spending.Recurring{l.Recurring(today), l.Payments().RecurringUpTo(today)} {
			if len(found) != others.want || len(found) > 0 && found[0].First() != civil.New(2026, 1, 3) {
				t.Errorf("%s: %+v", name, found)
			}
		}
	}
}

// A payment dated in the future makes a pause that is not over, and hides none before it.
func TestAPauseAfterADayIsUnknownOnIt(t *testing.T) {
	rows := []apiclient.Transaction{row("2028-01-03", "Rent", -900_00, "")}
	for month := civil.New(2024, 7, 3); !month.After(civil.New(2026, 11, 3)); month = month.AddMonths(1) {
		if month.Year() != 2025 {
			rows = append(rows, row(month.String(), "Rent", -900_00, ""))
		}
	}

	found := ledger(rows...).Payments().RecurringUpTo(civil.New(2026, 11, 22))

	if len(found) != 1 || found[0].First() != civil.New(2026, 1, 3) {
		t.Errorf("%+v", found)
	}
}

func TestTheLedgerUpToADayKeepsWhatIsMissing(t *testing.T) {
	l := covered(rents(), noMay)
	l.Unreadable = []spending.UnreadableRow{{Month: civil.New(2026, 10, 1)}, {Month: civil.New(2026, 5, 1)}}

	past, first := l.UpTo(civil.New(2026, 9, 30))

	if !past.Coverage.Equal(l.Coverage) || len(past.Unreadable) != 1 || first != 2 || len(past.Rows) != len(l.Rows)-2 {
		t.Errorf("row %d and later: %+v", first, past)
	}
}
