package cli_test

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/forecast"
	"tarmac/client/payables"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// knownBills returns the bills that a company has at the end of a day. They are made from what it
// pays its vendors in the given number of days after that, and are due a few days before or after
// the payment. There are none for wages and taxes.
func knownBills(l *spending.Ledger, day civil.Date, days int) *payables.Payables {
	bills := apiclient.Bills{Kept: true, Known: true, Currency: "USD"}
	for i := range l.Rows {
		r := &l.Rows[i]
		minor, known := r.Reporting.Minor()
		sum := fnv.New32a()
		_, _ = fmt.Fprint(sum, r.Key) // a hash does not fail
		chance := sum.Sum32() % 10
		if r.Direction != apiclient.Outflow || r.Purpose != spending.Operating || !known || chance < 3 ||
			!r.Date.After(day) || r.Date.After(day.AddDays(days)) ||
			strings.Contains(r.CounterpartyName, "Payroll") || strings.Contains(r.CounterpartyName, "Tax") {
			continue
		}
		due := r.Date.AddDays(int(chance) - 6)
		bills.All = append(bills.All, apiclient.Bill{
			Number: r.ID, VendorName: r.CounterpartyName, State: apiclient.BillOpen, IssuedOn: r.Date.AddDays(-21), DueOn: due,
			Open: apiclient.NewAmount(minor, "USD"), Reporting: apiclient.NewAmount(minor, "USD"),
		})
	}
	return payables.Of(&bills, day)
}

// netOf returns the net of the rows from one day to another.
func netOf(l *spending.Ledger, from, to civil.Date) (net int64) {
	for i := range l.Rows {
		r := &l.Rows[i]
		minor, known := r.Reporting.Minor()
		switch {
		case !known || r.Purpose != spending.Operating || r.Date.Before(from) || r.Date.After(to):
		case r.Direction == apiclient.Inflow:
			net += minor
		default:
			net -= minor
		}
	}
	return net
}

// The rules were not chosen with these seeds. Invoices are left out, as their states of days past
// are not known.
func TestBillsBringTheNextWeeksNearer(t *testing.T) {
	if testing.Short() {
		t.Skip("calculates only")
	}
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	spendable := int64(1_000_000_00)
	position := &apiclient.CashPosition{Currency: "USD", AsOf: now, RunwayCashCents: &spendable}
	var with, without [forecast.Weeks][]int64
	for seed := int64(201); seed <= 204; seed++ {
		whole, _ := historyOf(t, seed, now)
		for back := 1; back <= 9; back++ {
			day := civil.Of(now).AddDays(-7 * forecast.Weeks).AddDays(-28 * (back - 1))
			known, _ := whole.UpTo(day)
			plain, err := forecast.New(known, collections.List{}, position, day)
			if err != nil {
				t.Fatal(err)
			}
			billed, err := plain.WithBills(known, knownBills(whole, day, 28))
			if err != nil {
				t.Fatal(err)
			}
			var estimate, estimateBilled int64
			for week := range forecast.Weeks {
				estimate += plain.Weeks[week].Net()
				estimateBilled += billed.Weeks[week].Net()
				actual := netOf(whole, plain.Weeks[0].First, plain.Weeks[week].Last)
				without[week] = append(without[week], max(estimate-actual, actual-estimate))
				with[week] = append(with[week], max(estimateBilled-actual, actual-estimateBilled))
			}
		}
	}
	median := func(misses []int64) int64 { slices.Sort(misses); return misses[len(misses)/2] }
	var near, nearPlain int64
	for week := range 4 {
		near, nearPlain = near+median(with[week]), nearPlain+median(without[week])
	}
	last := forecast.Weeks - 1
	t.Logf("weeks 1 to 4: median misses of %.2f with bills; week 13: %.2f", float64(near)/float64(nearPlain),
		float64(median(with[last]))/float64(median(without[last])))
	if near*100 > nearPlain*85 || median(with[last]) > median(without[last]) {
		t.Errorf("with bills the weeks 1 to 4 miss by %d, without by %d; the last week by %d and %d", near, nearPlain,
			median(with[last]), median(without[last]))
	}
}
