package figures_test

import (
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/extension"
)

func TestTheEndOfCashCountsFromTheLastDayThatStatementsCover(t *testing.T) {
	for to, want := range map[string]struct{ at, zero string }{
		"":           {"", "2027-09-20"},
		"2026-11-19": {"", "2027-09-20"}, // up to yesterday
		"2026-10-31": {"at 31 Oct", "2027-08-31"},
		"2025-12-31": {"at 31 Dec 2025", "2026-10-31"},
	} {
		p := position()
		p.Extension = extension.Covering(to)
		cash := figures.CashOf(p, figures.Window{})

		day, ok := cash.ZeroDay()

		if !ok || day.String() != want.zero || cash.At() != want.at {
			t.Errorf("statements to %q: cash %q, until %s", to, cash.At(), day)
		}
	}
}

func TestAnAccountThatStoppedDoesNotDateTheCashOfTheOthers(t *testing.T) {
	for newest, want := range map[string]string{"2026-11-19": "", "2026-11-02": "at 2 Nov"} {
		p := position()
		p.Extension = extension.Covering("2026-10-15")
		for _, day := range []string{"2026-10-15", newest} {
			p.Extension.Coverage.Accounts = append(p.Extension.Coverage.Accounts, apiclient.AccountCoverage{
				State: apiclient.AccountCurrent, ProvenTo: &apiclient.KnownTo{Day: civil.MustParse(day)},
			})
		}

		if got := figures.CashOf(p, figures.Window{}).At(); got != want {
			t.Errorf("one account to 15 Oct, another to %s: cash %q, want %q", newest, got, want)
		}
	}
}

func TestTheMonthsOfNetBurnAreNamedWithTheirYearIfItIsAnother(t *testing.T) {
	for want, months := range map[string][2]string{
		"Aug–Oct": {"2026-08", "2026-10"}, "Nov 2025–Jan": {"2025-11", "2026-01"},
		"Oct–Dec 2025": {"2025-10", "2025-12"},
		"Oct":          {"2026-10", "2026-10"}, "": {"2026-10", "2026-08"},
	} {
		p := position()
		p.Extension = &apiclient.Extension{Window: &apiclient.BurnWindow{FirstMonth: months[0], LastMonth: months[1]}}

		if got := figures.CashOf(p, figures.Window{}).BurnMonths(); got != want {
			t.Errorf("%v: %q, want %q", months, got, want)
		}
	}
	if got := figures.CashOf(position(), figures.Window{}).BurnMonths(); got != "" {
		t.Errorf("without a word of the server: %q", got)
	}
}

func TestDaysBeforeTheFirstAccountWasOpenedLackNoStatement(t *testing.T) {
	p := position()
	p.Extension = extension.Covering("2026-11-19", "2024-10-01..2026-08-03", "2026-09-02..2026-09-03")
	p.Extension.Coverage.Begins = civil.MustParse("2026-08-04")
	c := figures.CoverageOf(p)

	for _, test := range [][3]string{
		{"2026-06-01", "2026-08-31", "The accounts begin on 2026-08-04."},
		{"2026-06-01", "2026-09-30", "Statements do not cover 2026-09-02 to 2026-09-03."},
	} {
		if got := c.Missing(civil.MustParse(test[0]), civil.MustParse(test[1])).Why(); got != test[2] {
			t.Errorf("%s to %s: %q", test[0], test[1], got)
		}
	}
}

func TestCashNamesTheAccountsThatAreAssumedUnchanged(t *testing.T) {
	p := position()
	p.Extension = extension.Covering("2026-11-20")
	known := func(source string) apiclient.AccountCoverage {
		return apiclient.AccountCoverage{
			Account: "BOI Deposit …7733", State: apiclient.AccountCurrent,
			ProvenTo:  &apiclient.KnownTo{Day: civil.MustParse("2026-09-30"), Source: "statement"},
			AssumedTo: &apiclient.KnownTo{Day: civil.MustParse("2026-11-20"), Source: source},
		}
	}
	for source, want := range map[string]string{
		"quiet":     "BOI Deposit …7733: no lines since 30 Sep, assumed unchanged.",
		"file_name": "",
	} {
		p.Extension.Coverage.Accounts = []apiclient.AccountCoverage{known(source)}

		if got := figures.CashOf(p, figures.Window{}).Assumed(); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}
