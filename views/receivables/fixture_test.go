package receivables_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/receivables"
)

// source is a server with a list of invoices. If err is set, requests fail.
type source struct {
	list     []apiclient.Invoice
	err      error
	requests int
}

func (s *source) Invoices(context.Context, apiclient.InvoiceFilter) ([]apiclient.Invoice, error) {
	s.requests++
	return s.list, s.err
}

// open adds open invoices of a customer, each due the given number of days ago.
func (s *source) open(name, email string, cents int64, late ...int) {
	for _, days := range late {
		due := civil.Of(sample.Now).AddDays(-days).Time()
		i := apiclient.Invoice{
			ID: fmt.Sprint("inv_", len(s.list)), Number: fmt.Sprintf("INV-%06d", 300-len(s.list)), Status: apiclient.InvoiceSent,
			Description: "Consulting and support", RecipientName: name, RecipientEmail: email,
			Total: apiclient.NewAmount(cents, "USD"), CreatedAt: due.AddDate(0, 0, -30), DueDate: &due,
		}
		if days > 0 {
			i.Status = apiclient.InvoiceOverdue
		}
		s.list = append(s.list, i)
	}
}

// paid adds invoices of a customer that were paid the given number of days after the due date.
func (s *source) paid(name, email string, late ...int) {
	for _, days := range late {
		s.open(name, email, 10_000_00, 200)
		i := &s.list[len(s.list)-1]
		at := i.DueDate.AddDate(0, 0, days)
		i.Status, i.PaidAt = apiclient.InvoicePaid, &at
	}
}

// invoices returns invoices that agree with sample.New: the first customer has paid nothing in
// part, the second has, the third has only imported receivables.
func invoices() *source {
	s := &source{}
	s.open("Northwind Traders", "billing@northwind.example", 14_500_00, 127, 64, 40, 12, 3)
	s.open("Acme Robotics GmbH", "ap@acme.example", 8_000_00, 108, 50, 31, 9, 2, -20)
	s.open("Blue Harbor Logistics", "pay@blueharbor.example", 4_531_25, 70, 33, 8, 5)
	s.open("Müller & Söhne", "rechnung@mueller.example", 4_900_00, 51, 20, 4)
	s.open("Vega Studio", "hi@vega.example", 2_400_00, -14, -44)
	s.paid("Northwind Traders", "billing@northwind.example", 12, 14, 20, 9, 16)
	s.paid("Acme Robotics GmbH", "ap@acme.example", 60, 45, 80, 70, 55, 66)
	s.paid("Blue Harbor Logistics", "pay@blueharbor.example", 2)
	s.paid("Müller & Söhne", "rechnung@mueller.example", 0, 0, 0, 0)
	s.paid("Vega Studio", "hi@vega.example", -4, -3, -6, 0)
	return s
}

func env(data *snapshot.Snapshot) views.Env {
	return views.Env{
		Context: context.Background(), Timeout: time.Minute, Snapshot: data, Now: func() time.Time { return sample.Now },
		Theme: theme.New(true),
	}
}

// load shows the page and passes it the response with the invoices.
func load(s *receivables.Screen) {
	s.Update(views.Visible(true))
	if cmd := s.Init(); cmd != nil {
		s.Update(cmd())
	}
}

// newScreen returns the page with its invoices.
func newScreen(data *snapshot.Snapshot) *receivables.Screen {
	s := receivables.New(env(data), invoices())
	load(s)
	return s
}

// withoutInvoices returns the page of a server that fails to list invoices.
func withoutInvoices(t *testing.T, data *snapshot.Snapshot) *receivables.Screen {
	t.Helper()
	s := receivables.New(env(data), &source{err: errors.New("broken pipe")})
	load(s)
	return s
}
