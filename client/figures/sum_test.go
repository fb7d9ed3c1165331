package figures_test

import (
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
)

func TestASumThatLeavesRowsOutIsMarked(t *testing.T) {
	for name, c := range map[string]struct {
		sum         figures.Total
		text, short string
	}{
		"a whole total": {figures.Total{Currency: "USD", Minor: 123_456_78}, "$123,456.78", "$123k"},
		"a total": {figures.Total{Currency: "USD",
			Minor: 123_456_78, Excluded: 2}, "≥$123,456.78", "≥$123k"},
		"a whole difference": {figures.Total{Currency: "USD", Minor: 5_00, Kind: figures.Net}, "+$5.00", "+$5"},
		"a difference": {figures.Total{Currency: "USD",
			Minor: 5_00, Kind: figures.Net, Excluded: 2}, "~+$5.00", "~+$5"},
		"a negative one": {figures.Total{Currency: "USD",
			Minor: -5_00, Kind: figures.Net, Excluded: 2}, "~-$5.00", "~-$5"},
		"a difference of none": {figures.Total{Currency: "USD", Kind: figures.Net}, "$0.00", "$0"},
		"a closing balance": {figures.Total{Currency: "USD",
			Minor: 5_00, Kind: figures.Balance, Excluded: 1}, "~$5.00", "~$5"},
		"nothing but unknowns": {figures.Total{Currency: "USD", Excluded: 2, Unknown: true}, "—", "—"},
		"a month without rows": {figures.Total{Currency: "USD"}, "$0.00", "$0"},
	} {
		if got := c.sum.String(); got != c.text {
			t.Errorf("%s is %q, want %q", name, got, c.text)
		}
		if got := c.sum.Short(); got != c.short {
			t.Errorf("%s in short is %q, want %q", name, got, c.short)
		}
	}
}

func TestASummaryOfUnknownsAloneIsUnknown(t *testing.T) {
	for name, c := range map[string]struct {
		summary      apiclient.Summary
		in, out, net string
	}{
		"all known": {apiclient.Summary{Currency: "USD", Count: 3, InflowMinor: 300, OutflowMinor: 100, NetMinor: 200},
			"$3.00", "$1.00", "+$2.00"},
		"some": {apiclient.Summary{Currency: "USD", Count: 3, InflowMinor: 300, NetMinor: 300, UnconvertedCount: 1},
			"≥$3.00", "≥$0.00", "~+$3.00"},
		"none":               {apiclient.Summary{Currency: "USD", Count: 3, UnconvertedCount: 3}, "—", "—", "—"},
		"no rows":            {apiclient.Summary{Currency: "USD"}, "$0.00", "$0.00", "$0.00"},
		"more than there be": {apiclient.Summary{Currency: "USD", Count: 1, UnconvertedCount: 2}, "—", "—", "—"},
		"a contradiction": {apiclient.Summary{Currency: "USD",
			Count: 1, InflowMinor: 100, NetMinor: 100, UnconvertedCount: 1},
			"≥$1.00", "≥$0.00", "~+$1.00"},
	} {
		got := figures.FlowsOf(c.summary, "")
		if got.In.String() != c.in || got.Out.String() != c.out || got.Net.String() != c.net {
			t.Errorf("%s: in %s, out %s, net %s", name, got.In, got.Out, got.Net)
		}
	}
}

// If only rows of one direction are selected, no excluded row has the other.
func TestTheSumOfTheOtherDirectionLeavesNothingOut(t *testing.T) {
	for of, want := range map[apiclient.Direction][3]string{
		apiclient.Inflow:  {"≥$3.00", "$0.00", "~+$3.00"},
		apiclient.Outflow: {"$0.00", "≥$3.00", "~-$3.00"},
	} {
		summary := apiclient.Summary{Currency: "USD", Count: 3, UnconvertedCount: 1, InflowMinor: 300, NetMinor: 300}
		if of == apiclient.Outflow {
			summary.InflowMinor, summary.OutflowMinor, summary.NetMinor = 0, 300, -300
		}
		got := figures.FlowsOf(summary, of)
		if got.In.String() != want[0] || got.Out.String() != want[1] || got.Net.String() != want[2] {
			t.Errorf("%s: in %s, out %s, net %s", of, got.In, got.Out, got.Net)
		}
	}
	unknown := figures.FlowsOf(apiclient.Summary{Currency: "USD", Count: 2, UnconvertedCount: 2}, apiclient.Outflow)
	if unknown.In.String() != "$0.00" || !unknown.Out.Unknown || !unknown.Net.Unknown {
		t.Errorf("without rates: in %s, out %s, net %s", unknown.In, unknown.Out, unknown.Net)
	}
}

// A month-end balance excludes the rows that later months exclude, not its own.
func TestMonthEndsAreMarkedFromTheMonthThatLeavesRowsOut(t *testing.T) {
	months := []figures.Month{month(100, 0), month(0, 50), month(30, 0)}
	months[1].Summary.UnconvertedCount = 2

	ends, ok := figures.MonthEnds(figures.Total{Currency: "USD", Minor: 1000, Kind: figures.Balance}, months)

	if !ok || len(ends) != 3 || ends[0].String() != "~$10.20" || ends[1].String() != "$9.70" ||
		ends[2].String() != "$10.00" {
		t.Errorf("ends %v, %v", ends, ok)
	}
}

func TestAgingMarksEverySumAndShare(t *testing.T) {
	n := func(n int64) *int64 { return &n }
	a := &apiclient.ReceivablesAging{
		Currency: "USD", Buckets: apiclient.AgingBuckets{CurrentCents: 300, Days1To30Cents: 100},
		Totals:     apiclient.AgingTotals{OutstandingCents: n(400), InvoiceCount: n(5), UnconvertedCount: n(1)},
		TopOverdue: []apiclient.OverdueCustomer{{OverdueCents: n(100)}, {}},
	}
	for name, c := range map[string]struct {
		left                            *int64
		outstanding, overdue, last      string
		share, overdueShare, first, two string
	}{
		"some":     {n(1), "≥$4.00", "≥$1.00", "≥$0.00", "~75.0%", "~25.0%", "≥$1.00", "—"},
		"none":     {n(0), "$4.00", "$1.00", "$0.00", "75.0%", "25.0%", "$1.00", "—"},
		"not said": {nil, "$4.00", "$1.00", "$0.00", "75.0%", "25.0%", "$1.00", "—"},
	} {
		a.Totals.UnconvertedCount = c.left
		got := figures.AgingOf(a)
		for what, pair := range map[string][2]string{
			"outstanding": {got.Outstanding.String(), c.outstanding}, "overdue": {got.Overdue.String(), c.overdue},
			"the last bucket": {got.Buckets[4].String(), c.last}, "a share": {got.Share(0), c.share},
			"the overdue share": {got.OverdueShare(), c.overdueShare},
			"a customer":        {got.Customers[0].String(), c.first}, "one who is not said": {got.Customers[1].String(), c.two},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s: %s is %q, want %q", name, what, pair[0], pair[1])
			}
		}
	}
}

func TestAgingOfReceivablesWithoutRatesAloneIsUnknown(t *testing.T) {
	two, zero := int64(2), int64(0)
	got := figures.AgingOf(&apiclient.ReceivablesAging{Currency: "USD", Totals: apiclient.AgingTotals{
		OutstandingCents: &zero, OverdueCents: &zero, InvoiceCount: &two, UnconvertedCount: &two,
	}})
	if !got.Outstanding.Unknown || !got.Overdue.Unknown || !got.Buckets[0].Unknown || got.Share(0) != "" ||
		got.OverdueShare() != "" {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsExcludedIsSaidInWords(t *testing.T) {
	for _, c := range []struct {
		transactions, receivables int64
		want                      string
	}{
		{0, 0, ""},
		{1, 0, "1 transaction has no USD rate and is excluded."},
		{1_234, 0, "1,234 transactions have no USD rate and are excluded."},
		{0, 2, "2 receivables have no USD rate and are excluded."},
		{1, 1, "1 transaction and 1 receivable have no USD rate and are excluded."},
	} {
		if got := figures.Excluded(c.transactions, c.receivables, "USD"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
