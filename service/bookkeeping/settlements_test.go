package bookkeeping_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookkeeping"
	"tarmac/service/invoicing"
	"tarmac/service/providers"
	"tarmac/service/statements/bank"
)

// stripePaid is the invoice of the function bill as it is paid at Stripe.
var stripePaid = providers.Invoice{
	ID: "in_1", OpenItem: bank.OpenItem{Number: "INV-000001", Currency: "USD", Party: "Customer Inc"},
	Email: "Pay@customer.example", TotalMinor: 120000, PaidOn: civil.MustParse("2026-10-02"),
}

// syncStripe imports a reading of Stripe with one open invoice, in which other invoices are paid.
func syncStripe(t *testing.T, b *bookkeeping.Books, paid ...providers.Invoice) *ownbooks.Report {
	t.Helper()
	text := `{"source":"stripe","as_of":"2026-11-22"}
{"invoice":"A-7","customer":"Other","issued":"2026-11-01","due":"2026-12-01","currency":"USD","amount":"50.00"}
`
	report, err := b.Import(context.Background(), []bookkeeping.Source{{
		Name: "stripe", Content: bytes.NewReader([]byte(text)),
	}}, bookkeeping.Options{Feed: &bookkeeping.Feed{
		Connection: "con_2", Provider: "stripe", Title: "Stripe", Invoices: &providers.Invoices{Paid: paid},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestAnInvoiceThatIsPaidAtStripeIsPaid(t *testing.T) {
	b := newBooks(t)
	id := bill(t, b)
	syncStripe(t, b)

	report := syncStripe(t, b, stripePaid)

	if !slices.Equal(report.PaidInvoices, []string{"INV-000001"}) || len(report.Questions) > 0 {
		t.Errorf("paid are %q, questions are %+v", report.PaidInvoices, report.Questions)
	}
	checkInvoice(t, b, id, invoicing.Paid, 120000, 1)
	report = syncStripe(t, b)
	checkInvoice(t, b, id, invoicing.Paid, 120000, 1)
	if len(report.PaidInvoices) > 0 {
		t.Errorf("paid again: %q", report.PaidInvoices)
	}
}

func TestAnInvoiceWhoseFieldsDifferIsPaidOnlyAfterTheUsersAnswer(t *testing.T) {
	for name, change := range map[string]func(*providers.Invoice){
		"the total":          func(i *providers.Invoice) { i.TotalMinor++ },
		"the currency":       func(i *providers.Invoice) { i.Currency = "EUR" },
		"the e-mail address": func(i *providers.Invoice) { i.Email = "" },
	} {
		for _, answer := range []string{"yes", "no"} {
			t.Run(name+", "+answer, func(t *testing.T) {
				b := newBooks(t)
				id := bill(t, b)
				other := stripePaid
				change(&other)

				report := syncStripe(t, b, other)

				if len(report.Questions) != 1 || !strings.Contains(report.Questions[0].Text, name+" differs from your INV-000001") {
					t.Fatalf("questions are %+v", report.Questions)
				}
				checkInvoice(t, b, id, invoicing.Sent, 0, 0)
				done, err := b.Answer(t.Context(), report.Questions[0].ID, answer)
				if err != nil || done.Open != 0 {
					t.Fatalf("the answer was %+v, %v", done, err)
				}
				if answer == "yes" {
					checkInvoice(t, b, id, invoicing.Paid, 120000, 1)
				} else {
					checkInvoice(t, b, id, invoicing.Sent, 0, 0)
				}
			})
		}
	}
}

func TestAnotherNumberAtStripePaysNothing(t *testing.T) {
	b := newBooks(t)
	id := bill(t, b)
	other := stripePaid
	other.Number = "INV-000002"

	report := syncStripe(t, b, other)

	checkInvoice(t, b, id, invoicing.Sent, 0, 0)
	if len(report.Questions) > 0 {
		t.Errorf("questions are %+v", report.Questions)
	}
}

func TestAnInvoicePaidAtStripeIsNotPaidAgainFromTheBank(t *testing.T) {
	b := newBooks(t)
	id := bill(t, b)
	syncStripe(t, b, stripePaid)

	paid := september
	paid.lines = slices.Clone(paid.lines)
	paid.lines[1].name = "Customer INV-000001"
	report := take(t, b, source("a.qfx", paid.ofx()))

	checkInvoice(t, b, id, invoicing.Paid, 120000, 1)
	asked := slices.ContainsFunc(report.Questions, func(q ownbooks.OpenQuestion) bool {
		return q.Kind != bookkeeping.AboutFinancing
	})
	if len(report.PaidInvoices) > 0 || asked {
		t.Errorf("paid are %q, questions are %+v", report.PaidInvoices, report.Questions)
	}
}

func TestForgettingStripeLeavesItsInvoicesPaid(t *testing.T) {
	b := newBooks(t)
	id := bill(t, b)
	syncStripe(t, b, stripePaid)

	undone, err := b.ForgetFeed(t.Context(), "con_2", nil)

	if err != nil || !slices.Equal(undone.PaidInvoices, []string{"INV-000001"}) {
		t.Errorf("undone is %+v, %v", undone, err)
	}
	checkInvoice(t, b, id, invoicing.Paid, 120000, 1)
}
