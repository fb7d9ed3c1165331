package invoicepdf_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tarmac/internal/termtext"
	"tarmac/service/invoicepdf"
	"tarmac/service/invoicing"
)

// longest returns an invoice with every field at its maximum length, in wide letters without
// blanks (docs/api.md, Invoice proposal).
func longest() invoicepdf.Document {
	d := sample(invoicing.Sent, 3)
	d.Seller = invoicepdf.Party{Name: strings.Repeat("W", 200), Email: strings.Repeat("w", 242) + "@mail.example"}
	d.Invoice.Description = strings.Repeat("W", 2000)
	d.Invoice.RecipientName, d.Invoice.RecipientEmail = d.Seller.Name, d.Seller.Email
	d.Invoice.LineItems[0] = line(strings.Repeat("W", 500), "999999999.999999", 1_000_000_000_000)
	d.Invoice.LineItems[1] = invoicing.LineItem{
		Description: strings.Repeat("long words ", 45), Quantity: "0.000001",
		UnitPriceCents: 999_999_999_999_999_999, AmountCents: 1_000_000_000_000,
	}
	d.Invoice.SubtotalCents, d.Invoice.TotalCents = 1_000_000_000_000, 1_000_000_000_000
	d.Invoice.PaidCents = 999_999_999_999
	return d
}

// holding returns the numbers of the pages with a text.
func holding(pages []page, text string) (found []int) {
	for i, p := range pages {
		if p.has(text) {
			found = append(found, i+1)
		}
	}
	return found
}

func TestTheTableContinuesOnEachPageWithItsColumnTitles(t *testing.T) {
	pages := readPages(t, render(t, sample(invoicing.Paid, 100)))
	if len(pages) != 5 {
		t.Errorf("%d pages for 100 lines", len(pages))
	}
	for i, p := range pages {
		if !p.has("DESCRIPTION") || !p.has("AMOUNT") {
			t.Errorf("page %d has no head of the table:\n%s", i+1, p.all())
		}
		if i > 0 && (!p.has("Harbor & Pine") || !strings.Contains(p.all(), "INV-000042  ·  PAID")) {
			t.Errorf("page %d does not say whose it is:\n%s", i+1, p.all())
		}
	}
	for n := 1; n <= 100; n++ {
		if on := holding(pages, fmt.Sprintf("Line %d", n)); len(on) != 1 {
			t.Errorf("line %d is on pages %v", n, on)
		}
	}
}

func TestTotalsShareThePageOfTheLastLine(t *testing.T) {
	for _, n := range []int{1, 9, 10, 11, 12, 13, 14, 15, 16, 17, 33, 34, 35, 36, 37, 38, 39, 40, 41} {
		pages := readPages(t, render(t, sample(invoicing.Paid, n)))
		last, sums := holding(pages, fmt.Sprintf("Line %d", n)), holding(pages, "Balance due (USD)")
		if fmt.Sprint(last) != fmt.Sprint(sums) || len(sums) != 1 || sums[0] != len(pages) {
			t.Errorf("%d lines on %d pages: the last on %v, what is due on %v", n, len(pages), last, sums)
		}
	}
}

func TestARowStaysOnOnePage(t *testing.T) {
	d := sample(invoicing.Sent, 40)
	for i := range d.Invoice.LineItems {
		marks := ""
		for n := range 6 {
			marks += fmt.Sprintf("row%dpart%d%s ", i, n, strings.Repeat("x", 40))
		}
		d.Invoice.LineItems[i].Description = marks
	}
	pages := readPages(t, render(t, d))
	for i := range d.Invoice.LineItems {
		found := 0
		for _, p := range pages {
			if n := strings.Count(p.all(), fmt.Sprintf("row%dpart", i)); n > 0 && n != 6 {
				t.Errorf("a page holds %d lines of row %d", n, i)
			} else if n == 6 {
				found++
			}
		}
		if found != 1 {
			t.Errorf("row %d is on %d pages", i, found)
		}
	}
}

// Only an item beyond the limits of a proposal is longer than a page. It must be complete
// nevertheless.
func TestARowLongerThanAPageContinuesOnTheNext(t *testing.T) {
	d := sample(invoicing.Sent, 1)
	d.Invoice.LineItems[0].Description = strings.Repeat("W", 990) + "END"
	d.Invoice.LineItems[0].Quantity = strings.Repeat("9", 900)
	pages := readPages(t, render(t, d))
	all := ""
	for _, p := range pages {
		all += p.all()
	}
	if len(pages) < 2 || strings.Count(all, "W")+strings.Count(all, "END") != 991 || strings.Count(all, "9") < 900 {
		t.Errorf("%d pages with %d letters of 990", len(pages), strings.Count(all, "W"))
	}
}

func TestTheLongestFieldsAreNotTruncated(t *testing.T) {
	d := longest()
	all := ""
	for _, p := range readPages(t, render(t, d)) {
		all += p.all()
		if strings.Contains(p.texts[0].text, "INVOICE") && strings.Contains(p.all(), "…") {
			t.Error("something is cut on the first page")
		}
	}
	text := squeezed(all)
	for name, want := range map[string]string{
		"names": d.Seller.Name, "addresses": d.Seller.Email, "line": d.Invoice.LineItems[0].Description,
		"quantity": "999999999.999999", "unit price": "$9,999,999,999,999,999.99", "amount": "$10,000,000,000.00",
		"words": d.Invoice.LineItems[1].Description, "balance": "$0.01",
	} {
		if !strings.Contains(text, squeezed(want)) {
			t.Errorf("%s: %.40q… is not whole", name, want)
		}
	}
}

func TestTheLargestAmountsAreNotTruncated(t *testing.T) {
	d := sample(invoicing.Overdue, 1)
	d.Invoice.LineItems[0] = line("x", "1", math.MaxInt64)
	d.Invoice.SubtotalCents, d.Invoice.TaxCents, d.Invoice.TotalCents = math.MinInt64, math.MaxInt64, math.MinInt64
	d.Invoice.PaidCents = math.MinInt64
	if p := readPages(t, render(t, d))[0]; !p.has("$92,233,720,368,547,758.07") || !p.has("-$92,233,720,368,547,758.08") {
		t.Errorf("the page says:\n%s", p.all())
	}
}

func TestAwkwardTextIsDrawn(t *testing.T) {
	for text, want := range map[string]string{
		"Łukasz Ελλάδα Привет":      "Łukasz Ελλάδα Привет",
		"株式会社":                      "株式会社",
		"nul\x00 esc\x1b[31m red":   "nul esc red",
		"gnp\u202eexe\u2066":        "gnpexe",
		"tab\tline\r\nend":          "tab line end",
		"e\u0301te\u0301":           "été",
		"שלום":                      "םולש",
		"(a) \\ {nb} %s \\) <</X>>": "(a) \\ {nb} %s \\) <</X>>",
		"Ċč":                        "Ċč",     // bytes that end lines
		"ȨȩĨĩŜŝ":                    "ȨȩĨĩŜŝ", // bytes that are brackets
	} {
		d := sample(invoicing.Sent, 1)
		d.Seller = invoicepdf.Party{Name: text, Email: text}
		d.Invoice.RecipientName, d.Invoice.RecipientEmail, d.Invoice.Description = text, text, "-"
		d.Invoice.LineItems[0].Description = text
		p := readPages(t, render(t, d))[0]
		if n := strings.Count(p.all(), want+"\n"); n != 5 {
			t.Errorf("%q is drawn as %q %d times, want 5:\n%s", text, want, n, p.all())
		}
	}
}

func TestTheFileHasTheInvoicesMetadata(t *testing.T) {
	d := sample(invoicing.Sent, 1)
	d.Seller.Name = "株式会社 Ltd"
	pdf := render(t, d)
	for _, want := range []string{
		"/Title (\xfe\xff\x00I\x00n\x00v\x00o\x00i\x00c\x00e\x00 \x00I\x00N\x00V\x00-\x000\x000\x000\x000\x004\x002)",
		"/Author (\xfe\xff\x68\x2a\x5f\x0f\x4f\x1a\x79\x3e\x00 \x00L\x00t\x00d)",
		"/CreationDate (D:20261120235900)", "/ModDate (D:20261120235900)",
		"/Lang (en-US)", "/Producer (tarmac)", "/Creator (tarmac)", "/Subject (\xfe\xff", "/MediaBox [0 0 612.00 792.00]",
	} {
		if !bytes.Contains(pdf, []byte(want)) {
			t.Errorf("the file does not hold %q", want)
		}
	}
}

func FuzzRender(f *testing.F) {
	f.Add(
		"Harbor & Pine", "ap@harbor.example", "Lumen", "November", "Platform", "1.5", int64(1_234_50), uint8(0), uint8(3),
	)
	f.Add(
		"株式会社\x00", "a\u202eb", "\xff\xfe", strings.Repeat("\n", 300), "e\u0301\u0301\u0301", "",
		int64(math.MinInt64), uint8(2), uint8(60),
	)
	f.Add(
		"שלום (12", "ا١٢", "\u0301", "🚀\U00010000\uffff", strings.Repeat("W", 900), strings.Repeat("9", 99),
		int64(-1), uint8(4), uint8(2),
	)
	f.Add("\\()", "{nb}", "\r\n", "Ċ", "\u3000", "\u00ad", int64(0), uint8(1), uint8(1))
	f.Add(
		"한국어", "ab株、式」", "ᄀ\uac00", "नमस्ते", "شركة النور", "\ue000", int64(1), uint8(1),
		uint8(3),
	)
	f.Fuzz(func(t *testing.T, seller, email, name, description, item, quantity string, cents int64, status, lines uint8) {
		d := sample(invoicing.Statuses[int(status)%len(invoicing.Statuses)], 0)
		d.Seller = invoicepdf.Party{Name: seller, Email: email}
		d.Invoice.RecipientName, d.Invoice.RecipientEmail, d.Invoice.Description = name, email, description
		d.Invoice.SubtotalCents, d.Invoice.TotalCents, d.Invoice.PaidCents = cents, cents, cents/2
		for range lines % 101 {
			d.Invoice.LineItems = append(d.Invoice.LineItems, line(item, quantity, cents))
		}
		pdf, err := invoicepdf.Render(d)
		if unreadable := new(invoicepdf.Unreadable); errors.As(err, &unreadable) {
			if text := unreadable.Error(); text == "" || len(text) > 400 || text != termtext.Line(text) {
				t.Errorf("the refusal says %q", text)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		pages := readPages(t, pdf)
		if last := pages[len(pages)-1]; !last.has(fmt.Sprintf("Page %d of %d", len(pages), len(pages))) {
			t.Errorf("the last of %d pages is not numbered:\n%s", len(pages), last.all())
		}
		for i, p := range pages {
			for _, w := range p.texts {
				if w.y < 40 || w.y > 792-60 || w.x < 59.9 {
					t.Errorf("page %d: %q is off the page, at %.1f, %.1f", i+1, w.text, w.x, w.y)
				}
			}
		}
		if !bytes.Equal(pdf, render(t, d)) {
			t.Error("a second rendering differs")
		}
	})
}

func BenchmarkRender(b *testing.B) {
	for _, n := range []int{5, 100} {
		d := sample(invoicing.Sent, n)
		b.Run(fmt.Sprintf("lines=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.SetBytes(int64(len(render(b, d))))
			}
		})
	}
	b.Run("Japanese", func(b *testing.B) {
		d := eastAsian()
		b.ReportAllocs()
		for b.Loop() {
			b.SetBytes(int64(len(render(b, d))))
		}
	})
}
