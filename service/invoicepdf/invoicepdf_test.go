package invoicepdf_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/invoicepdf"
	"tarmac/service/invoicing"
)

var (
	monday = time.Date(2026, time.November, 2, 9, 30, 0, 0, time.UTC)
	later  = time.Date(2026, time.November, 20, 23, 59, 0, 0, time.UTC)
)

// sample returns an invoice of the given status with n lines of $1,234.50.
func sample(status invoicing.Status, n int) invoicepdf.Document {
	inv := invoicing.Invoice{
		ID: "inv_01", Sequence: 42, Status: status, Currency: "USD",
		Description:   "Platform subscription, November 2026",
		RecipientName: "Lumen Robotics, Inc.", RecipientEmail: "billing@lumen.example",
		DueDate: civil.MustParse("2026-12-02"), CreatedAt: monday, UpdatedAt: later,
	}
	for i := range n {
		inv.LineItems = append(inv.LineItems, line(fmt.Sprintf("Line %d", i+1), "1", 1_234_50))
		inv.SubtotalCents += 1_234_50
	}
	inv.TotalCents = inv.SubtotalCents
	if status != invoicing.Draft {
		inv.SentAt = &later
	}
	switch status {
	case invoicing.Paid:
		inv.PaidAt, inv.PaidCents = &later, inv.TotalCents
	case invoicing.Voided:
		inv.VoidedAt = &later
	}
	return invoicepdf.Document{Seller: invoicepdf.Party{Name: "Harbor & Pine", Email: "ap@harbor.example"}, Invoice: inv}
}

func line(description, quantity string, cents int64) invoicing.LineItem {
	return invoicing.LineItem{Description: description, Quantity: quantity, UnitPriceCents: cents, AmountCents: cents}
}

func render(t testing.TB, d invoicepdf.Document) []byte {
	t.Helper()
	pdf, err := invoicepdf.Render(d)
	if err != nil {
		t.Fatal(err)
	}
	return pdf
}

func TestAnInvoiceShowsSellerRecipientItemsAndTotals(t *testing.T) {
	d := sample(invoicing.Sent, 2)
	d.Invoice.LineItems[1] = line("Onboarding", "12.5", 99)
	pages := readPages(t, render(t, d))
	if len(pages) != 1 {
		t.Fatalf("%d pages for two lines", len(pages))
	}
	for _, want := range []string{
		"Harbor & Pine", "ap@harbor.example", "INVOICE", "INV-000042", "Lumen Robotics, Inc.", "billing@lumen.example",
		"ISSUED", "November 20, 2026", "DUE", "December 2, 2026", "Platform subscription, November 2026",
		"DESCRIPTION", "QUANTITY", "UNIT PRICE", "AMOUNT", "Line 1", "$1,234.50", "Onboarding", "12.5", "$0.99",
		"Subtotal", "Tax", "$0.00", "Total due (USD)", "$2,469.00", "Page 1 of 1",
	} {
		if !pages[0].has(want) {
			t.Errorf("the page does not say %q:\n%s", want, pages[0].all())
		}
	}
}

func TestAnInvoiceShowsItsStatusDatesAndAmountDue(t *testing.T) {
	part := sample(invoicing.Overdue, 2)
	part.Invoice.PaidCents = 1_000_00
	undated := sample(invoicing.Sent, 2)
	undated.Invoice.DueDate = civil.Date{}
	outOfBand := sample(invoicing.Paid, 2)
	outOfBand.Invoice.PaidCents = 0
	for name, test := range map[string]struct {
		document  invoicepdf.Document
		says      []string
		saysNot   []string
		watermark bool
	}{
		"draft": {sample(invoicing.Draft, 2), []string{
			"DRAFT", "DRAFTED", "November 2, 2026", "$2,469.00", "draft, not yet a request for payment",
		}, []string{"ISSUED", "PAID"}, true},
		"sent": {sample(invoicing.Sent, 2), []string{
			"$2,469.00", "due on December 2, 2026",
		}, []string{"OVERDUE", "PAID", "Payments applied"}, false},
		"part paid and overdue": {part, []string{"OVERDUE", "overdue, was due on December 2, 2026", "Total", "$2,469.00",
			"Payments applied", "-$1,000.00", "Balance due (USD)", "$1,469.00"}, []string{"PAID", "Total due (USD)"}, false},
		"paid": {sample(invoicing.Paid, 2), []string{"PAID", "paid on November 20, 2026", "Payments applied", "-$2,469.00",
			"Balance due (USD)", "$0.00"}, []string{"OVERDUE", "Total due (USD)"}, false},
		"paid by other means": {outOfBand, []string{"PAID", "-$2,469.00", "$0.00"}, []string{"Total due (USD)"}, false},
		"void": {sample(invoicing.Voided, 2), []string{
			"VOID", "VOIDED", "November 20, 2026", "due: this invoice is void", "Total",
		},
			[]string{"Total due (USD)", "due on December 2, 2026"}, true},
		"no due date": {undated, []string{"due", "No due date"}, []string{"January 1, 0001"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := readPages(t, render(t, test.document))[0]
			for _, want := range test.says {
				if !p.has(want) {
					t.Errorf("the page does not say %q:\n%s", want, p.all())
				}
			}
			for _, not := range test.saysNot {
				if p.has(not) {
					t.Errorf("the page says %q:\n%s", not, p.all())
				}
			}
			if marked(p) != test.watermark {
				t.Errorf("the watermark is there: %v", marked(p))
			}
		})
	}
}

// marked reports whether a page starts with rotated strokes, which is the watermark.
func marked(p page) bool {
	at := strings.Index(p.content, " cm\n")
	return at >= 0 && at < strings.Index(p.content, " Tj ")
}

func TestEveryPageOfADraftHasAWatermarkAndTheWordDraft(t *testing.T) {
	pages := readPages(t, render(t, sample(invoicing.Draft, 60)))
	if len(pages) < 2 {
		t.Fatalf("%d pages for 60 lines", len(pages))
	}
	for i, p := range pages {
		if !marked(p) || !strings.Contains(p.all(), "DRAFT") {
			t.Errorf("page %d does not show that it is a draft", i+1)
		}
	}
}

// Internal fields do not change a byte of the file.
func TestInternalFieldsAreNotInTheDocument(t *testing.T) {
	d := sample(invoicing.Sent, 3)
	plain := render(t, d)
	d.Invoice.Notes, d.Invoice.ID = "they always pay late", "inv_other"
	d.Invoice.OwnerName, d.Invoice.OwnerEmail = "Somebody", "somebody@harbor.example"
	if !bytes.Equal(plain, render(t, d)) {
		t.Error("notes, id or owner change the document")
	}
}

func TestTheSameDocumentGivesTheSameBytes(t *testing.T) {
	d := sample(invoicing.Draft, 30)
	d.Invoice.Description = "Łukasz Ελλάδα Привет 株式会社 שלום e\u0301"
	for name, updated := range map[string]time.Time{"changed once": later, "never changed": {}} {
		d.Invoice.UpdatedAt = updated
		first := render(t, d)
		renderer := invoicepdf.New(2)
		var wait sync.WaitGroup
		for _, org := range []string{"org_a", "org_b", "org_c", "org_d"} {
			wait.Go(func() {
				if pdf, err := renderer.Render(context.Background(), org, d); err != nil || !bytes.Equal(pdf, first) {
					t.Errorf("%s: another rendering differs, or %v", name, err)
				}
			})
		}
		wait.Wait()
	}
}

func TestOnlyDollarsAreRendered(t *testing.T) {
	for _, currency := range []string{"EUR", "usd", ""} {
		d := sample(invoicing.Sent, 1)
		d.Invoice.Currency = currency
		if pdf, err := invoicepdf.Render(d); !errors.Is(err, invoicepdf.ErrCurrency) || pdf != nil {
			t.Errorf("%q: %d bytes and %v", currency, len(pdf), err)
		}
	}
}

func TestWithheldContentIsNotRendered(t *testing.T) {
	d := sample(invoicing.Sent, 1)
	d.Invoice.Withheld = true
	if pdf, err := invoicepdf.Render(d); !errors.Is(err, invoicepdf.ErrWithheld) || pdf != nil {
		t.Errorf("%d bytes and %v", len(pdf), err)
	}
}

func TestEveryLineIsOnAPage(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abcxyzWMiłŁßéΩДж()\\/-,.&\"'0189")), 1, 40, -1)
	documents := rapid.Custom(func(rt *rapid.T) invoicepdf.Document {
		d := sample(rapid.SampledFrom(invoicing.Statuses[:]).Draw(rt, "status"), 0)
		for i := range rapid.IntRange(1, 100).Draw(rt, "lines") {
			words := rapid.SliceOfN(word, 1, 12).Draw(rt, "words")
			item := line(
				fmt.Sprintf("#%d ", i)+strings.Join(words, " "), "1.25", rapid.Int64Range(1, 1_000_000_000_000).Draw(rt, "cents"),
			)
			d.Invoice.LineItems = append(d.Invoice.LineItems, item)
		}
		return d
	})
	// Only a few, because a document takes a tenth of a second with the race detector.
	for seed := range 20 {
		d := documents.Example(seed)
		pages := readPages(t, render(t, d))
		var all strings.Builder
		for i, p := range pages {
			all.WriteString(p.all())
			if !p.has(fmt.Sprintf("Page %d of %d", i+1, len(pages))) {
				t.Errorf("document %d: page %d is not numbered", seed, i+1)
			}
			for _, w := range p.texts {
				if w.x < 59.9 || w.x > 612-60 || w.y < 40 || w.y > 792-60 {
					t.Errorf("document %d, page %d: %q is in the margin, at %.1f, %.1f", seed, i+1, w.text, w.x, w.y)
				}
			}
		}
		text := squeezed(all.String())
		for _, item := range d.Invoice.LineItems {
			row := squeezed(item.Description) + item.Quantity + money.Text(item.UnitPriceCents,
				"USD") + money.Text(item.AmountCents, "USD")
			if !strings.Contains(text, row) {
				t.Errorf("document %d: no page has the row %q", seed, row)
			}
		}
	}
}
