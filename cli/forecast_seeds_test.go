package cli_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/forecast"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/service/demodata"
	bookedrows "tarmac/service/ledger"
)

// historyOf returns a generated ledger and its invoices in the form in which the client reads them.
func historyOf(t testing.TB, seed int64, now time.Time) (*spending.Ledger, collections.List) {
	t.Helper()
	h, err := demodata.NewHistory(demodata.Options{Seed: seed, Today: now, Transactions: 6400})
	if err != nil {
		t.Fatal(err)
	}
	financing, own := map[string]bool{}, map[string]bool{}
	var rows []apiclient.Transaction
	for _, r := range slices.Backward(h.Rows) {
		row := apiclient.Transaction{
			ID: r.ID, Date: r.Date, CounterpartyName: r.Counterparty, Direction: apiclient.Inflow,
			Reporting: apiclient.UnknownAmount("USD"),
			USD:       apiclient.UnknownAmount("USD"),
		}
		if r.Direction == bookedrows.Outflow {
			row.Direction = apiclient.Outflow
		}
		if r.USDKnown {
			row.Reporting = apiclient.NewAmount(r.USDCents, "USD")
			row.USD = row.Reporting
		}
		financing[r.ID] = r.Category == bookedrows.CategoryFinancing
		own[r.ID] = r.Category == "internal_transfer"
		rows = append(rows, row)
	}
	var invoices generatedInvoices
	for _, i := range slices.Backward(h.Invoices) {
		due := i.DueDate.Time()
		invoices = append(invoices, apiclient.Invoice{
			ID: i.ID, Number: i.Number(), Status: apiclient.InvoiceStatus(i.Status),
			RecipientName: i.RecipientName, RecipientEmail: i.RecipientEmail,
			Total: apiclient.NewAmount(i.TotalCents, i.Currency), CreatedAt: i.CreatedAt, DueDate: &due, SentAt: i.SentAt,
			PaidAt: i.PaidAt, VoidedAt: i.VoidedAt,
		})
	}
	list, err := collections.Read(t.Context(), invoices)
	if err != nil {
		t.Fatal(err)
	}
	return spending.NewLedger(rows, own, financing), list
}

// generatedInvoices lists invoices as the API does. Newest ones come first.
type generatedInvoices []apiclient.Invoice

func (all generatedInvoices) Invoices(
	_ context.Context, filter apiclient.InvoiceFilter,
) (listed []apiclient.Invoice, err error) {
	for _, i := range all {
		if (filter.Status == "" || filter.Status == i.Status) && len(listed) < filter.Limit {
			listed = append(listed, i)
		}
	}
	return listed, nil
}

// The rules were not chosen with these seeds.
func TestTheForecastIsBetterThanTheStraightLine(t *testing.T) {
	if testing.Short() {
		t.Skip("calculates only")
	}
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	spendable := int64(1_000_000_00)
	position := &apiclient.CashPosition{Currency: "USD", AsOf: now, RunwayCashCents: &spendable}
	var misses, linear []int64
	better := 0
	for seed := int64(101); seed <= 106; seed++ {
		l, invoices := historyOf(t, seed, now)
		f, err := forecast.New(l, invoices, position, civil.Of(now))
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Trials {
			miss, line := f.Trials[i].Miss(forecast.Weeks-1), f.Trials[i].LinearMiss(forecast.Weeks-1)
			misses, linear = append(misses, miss), append(linear, line)
			if miss < line {
				better++
			}
		}
	}
	slices.Sort(misses)
	slices.Sort(linear)
	n := len(misses)
	t.Logf("median misses of the 13th week in USD: %d, of the straight line %d; better in %d of %d tests",
		misses[n/2]/100, linear[n/2]/100, better, n)
	if n != 78 || misses[n/2]*10 > linear[n/2]*8 {
		t.Error("the forecast is not better than 0.8 of the straight line")
	}
}
