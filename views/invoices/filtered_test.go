package invoices_test

import (
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/views"
)

func TestOnlyInvoicesOfABucketAreListed(t *testing.T) {
	d := build(t, 40)
	var within, without string
	for k := range d.server.invoices {
		i := &d.server.invoices[k]
		if i.Status != apiclient.InvoiceOverdue {
			continue
		}
		due := d.at.AddDate(0, 0, -31)
		if within == "" {
			due, within = d.at.AddDate(0, 0, -30), i.Number
		} else {
			without = i.Number
		}
		i.DueDate = &due
	}
	if without == "" {
		t.Fatal("the fixture has too few overdue invoices")
	}
	d.run(
		d.Show(
			views.InvoicesTarget{
				Status:  apiclient.InvoiceOverdue,
				PastDue: views.DaysPastDue{Name: "1–30 days past due", From: 1, To: 30},
			},
		),
	)
	d.shows("[1–30 days past due]", within, "row 1 of 1")
	d.hides(without)
	if !d.Filtered() {
		t.Error("nobody is told that the list is cut down")
	}
	d.press("x")
	d.shows("no filter", within, without)
}

func TestXAndAClickRemoveOneFilterEach(t *testing.T) {
	for name, remove := range map[string]func(d *fixture, chip string){
		"x":     func(d *fixture, _ string) { d.press("x") },
		"click": (*fixture).click,
	} {
		d := build(t, 30)
		d.run(d.Show(views.InvoicesTarget{
			Status: apiclient.InvoiceOverdue, Customer: "Northwind Traders",
			PastDue: views.DaysPastDue{Name: "1–30 days past due", From: 1, To: 30},
		}))
		d.shows("[1–30 days past due] [Northwind Traders]", figures.TotalsMeaning)

		remove(d, "[Northwind")
		if !d.Filtered() {
			t.Errorf("%s: both are removed", name)
			continue
		}
		d.hides("[Northwind")
		remove(d, "[1–30")

		d.shows("no filter")
		d.hides(figures.TotalsMeaning) // the list is no longer that of the receivables
	}
}

func TestImportedReceivablesWithoutInvoicesAreExplained(t *testing.T) {
	d := open(t, 4)
	target := views.InvoicesTarget{Status: apiclient.InvoiceOverdue, Customer: "Harbour Works", Owed: true}
	d.run(d.Show(target))
	d.shows("What is owed here was imported as open items")

	target.Owed = false
	d.run(d.Show(target))

	d.hides("imported")
}
