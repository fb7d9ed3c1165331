package figures_test

import (
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/readings"
	"tarmac/internal/testsupport/extension"
)

// position returns a position that burns $100.00 a month, with $1,000.00 of cash for ten months.
func position() *apiclient.CashPosition {
	months, spendable := apiclient.MonthsOf(100), int64(1000_00)
	return &apiclient.CashPosition{
		Currency: "USD", AsOf: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), CashCents: 1000_00, MonthlyBurnCents: 100_00,
		IsBurning: true, Sufficient: true, RunwayCashCents: &spendable, RunwayMonths: &months,
		RunwayNote: "About 10.0 months.",
	}
}

var withoutRate = extension.Unrated("St. Gallen KB …6666", "CHF")

// noEstimate returns the extension of a position without an estimate for a window.
func noEstimate(code, first, last string) *apiclient.Extension {
	return &apiclient.Extension{
		NoEstimate: &apiclient.NoEstimate{Code: code}, Window: &apiclient.BurnWindow{FirstMonth: first, LastMonth: last},
	}
}

func TestCashIsUnknownWhereItsZerosAreNone(t *testing.T) {
	for name, c := range map[string]struct {
		change                     func(*apiclient.CashPosition)
		rows, noUSD                int64
		onHand, spendable, netBurn string
		burning                    figures.Burning
		reason                     string
	}{
		"a whole position": {nil, 600, 0, "$1,000.00", "$1,000.00", "$100.00", figures.IsBurning, ""},
		"few rows without a rate": {nil, 600, 2, "$1,000.00", "$1,000.00", "~$100.00",
			figures.IsBurning, ""},
		"more than a tenth": {nil, 600, 61, "$1,000.00", "$1,000.00", "—",
			figures.BurningUnknown, "No estimate: 61 of 600 transactions of 2026-08 to 2026-10 have no USD rate."},
		"even without a rate": {func(p *apiclient.CashPosition) {
			p.IsBurning, p.MonthlyBurnCents, p.RunwayMonths, p.CashCents = false, 0, nil, 0
		}, 12, 12, "—", "$1,000.00", "—", figures.BurningUnknown, "No estimate: 12 of 12"},
		"not burning": {func(p *apiclient.CashPosition) {
			p.IsBurning, p.MonthlyBurnCents, p.RunwayMonths = false, 0, nil
		}, 600, 0, "$1,000.00", "$1,000.00", "$0.00", figures.NotBurning, "Not burning"},
		"not open": {func(p *apiclient.CashPosition) {
			*p = apiclient.CashPosition{Currency: "USD", Status: apiclient.AccountNotOpen}
		},
			0, 0, "—", "—", "—", figures.BurningUnknown, "No account is open yet."},
		"short history": {func(p *apiclient.CashPosition) {
			p.Sufficient, p.RunwayCashCents, p.RunwayMonths = false, nil, nil
		}, 0, 0, "$1,000.00", "—", "—", figures.BurningUnknown, "There is not enough history"},
		"old statements": {func(p *apiclient.CashPosition) {
			p.Sufficient, p.RunwayMonths = false, nil
			p.Extension = noEstimate(apiclient.NoEstimateWindowTooOld, "2026-06", "2026-08")
		}, 600, 61, "$1,000.00", "$1,000.00", "—", figures.BurningUnknown,
			"No estimate: the newest full months that all accounts cover, 2026-06 to 2026-08, are too old."},
		"an account that was left for another bank": {func(p *apiclient.CashPosition) {
			p.Sufficient, p.RunwayMonths = false, nil
			p.Extension = noEstimate(apiclient.NoEstimateWindowTooOld, "2026-03", "2026-05")
			p.Extension.Coverage = extension.Forgetting(0).Coverage
		}, 600, 61, "$1,000.00", "$1,000.00", "—", figures.BurningUnknown,
			"No estimate: the newest full months that all accounts cover, 2026-03 to 2026-05, are too old. " +
				"The statements of 1 account end long before those of others. Import newer ones, or say with `tarmac books role` " +
				"that an account is closed."},
		"no estimate, in words of the server": {func(p *apiclient.CashPosition) {
			p.Sufficient, p.RunwayMonths, p.RunwayNote = false, nil, "No estimate: pay ACME first."
		}, 0, 0, "$1,000.00", "$1,000.00", "—", figures.BurningUnknown, "There is not enough history"},
		"an account without a rate": {func(p *apiclient.CashPosition) { p.Extension = withoutRate },
			600, 0, "~$1,000.00", "~$1,000.00", "$100.00", figures.IsBurning, ""},
		"nothing but an account without a rate": {func(p *apiclient.CashPosition) {
			p.Extension, p.CashCents = withoutRate, 0
		}, 600, 0, "—", "~$1,000.00", "$100.00", figures.IsBurning, ""},
		"no spendable cash": {func(p *apiclient.CashPosition) { p.RunwayCashCents, p.RunwayMonths = nil, nil },
			600, 0, "$1,000.00", "—", "$100.00", figures.IsBurning, "The spendable cash is not known."},
	} {
		p := position()
		if c.change != nil {
			c.change(p)
		}

		got := figures.CashOf(p, figures.WindowOf(p, apiclient.Summary{Currency: "USD",
			Count: c.rows, UnconvertedCount: c.noUSD}, 0))

		if got.OnHand.String() != c.onHand || got.Spendable.String() != c.spendable || got.NetBurn.String() != c.netBurn ||
			got.Burning != c.burning || !strings.HasPrefix(got.Reason, c.reason) || (got.Reason == "") != (got.Runway != nil) {
			t.Errorf("%s: on hand %s, spendable %s, burn %s, burning %d, reason %q", name, got.OnHand, got.Spendable,
				got.NetBurn, got.Burning, got.Reason)
		}
		for _, total := range [...]figures.Total{got.OnHand, got.Spendable, got.NetBurn} {
			if (total.Unknown || total.Mark() != figures.NoMark) != (total.Why() != "") {
				t.Errorf("%s: %s has the reason %q", name, total, total.Why())
			}
		}
	}
}

func TestANoteNeverSaysARunwayThatIsNotBelieved(t *testing.T) {
	p := position()
	p.RunwayNote = "About 10.0 months. 1 linked balance has no USD rate and is excluded."

	got := figures.CashOf(p, figures.WindowOf(p, apiclient.Summary{Currency: "USD",
		Count: 12, UnconvertedCount: 12}, 0)).Note()

	if strings.Contains(got, "About") || !strings.HasPrefix(got, "No estimate: 12 of 12") ||
		!strings.HasSuffix(got, "1 linked balance has no USD rate and is excluded.") {
		t.Errorf("the note is %q", got)
	}
}

func TestTheNamesOfAccountsLeftOutStandApart(t *testing.T) {
	p := position()
	p.Extension = withoutRate

	got := figures.CashOf(p, figures.Window{}).OnHand

	if got.Names != "St. Gallen KB …6666 in CHF" || strings.Contains(got.Why(), "Gallen") {
		t.Errorf("names %q, reason %q", got.Names, got.Why())
	}
}

func TestNetBurnAndRunwayDependOnUnansweredQuestions(t *testing.T) {
	p := position()
	open := readings.Unanswered{
		Questions: 1, InMinor: 90_00, Low: readings.Reading{}, High: readings.Reading{BurnMinor: 100_00, Tenths: 100},
	}
	p.Extension = extension.Asking(open)

	got := figures.CashOf(p, figures.Window{})

	if got.NetBurn.String() != "?$100.00" || got.Mark() != figures.Unanswered || got.OnHand.Mark() != figures.NoMark {
		t.Errorf("net burn %s, runway with the mark %q, on hand %s", got.NetBurn, got.Mark().Sign(), got.OnHand)
	}
	const want = "1 unanswered question: $90.00 of money in is left out. If it is income, there is no net burn."
	if got.NetBurn.Why() != want || got.Unanswered() != want {
		t.Errorf("it says %q and %q", got.NetBurn.Why(), got.Unanswered())
	}
	if note := got.Note(); note != "About 10.0 months." {
		t.Errorf("the note is %q", note)
	}
	low, high, alternatives := got.Alternatives()
	if !alternatives || low.Burning != figures.NotBurning || high.Burning != figures.IsBurning ||
		high.Months.Tenths() != 100 {
		t.Errorf("alternatives %+v and %+v", low, high)
	}
}

// The window is known only if all of its months are.
func TestTheWindowCountsTheMonthsOfTheEstimate(t *testing.T) {
	p := position()
	var months []figures.Month
	for i := range 5 {
		months = append(months, figures.Month{
			First: civil.New(2026, 11, 1).AddMonths(-i), Summary: apiclient.Summary{Currency: "USD",
				Count: 10, UnconvertedCount: int64(i)},
		})
	}
	got := figures.WindowOfMonths(p, months)
	if got.Rows != 30 || got.NoRate != 1+2+3 {
		t.Errorf("the window has %d rows, %d without a rate", got.Rows, got.NoRate)
	}
	if got := figures.WindowOfMonths(p, months[2:]); got != (figures.Window{}) {
		t.Errorf("without October it is %+v", got)
	}
}
