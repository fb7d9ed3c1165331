// Package invoicepdf draws invoices as PDF documents (specification 4.8;
// decision 1.9).
//
// Text is DejaVu Sans, embedded. It holds Latin, Greek, Cyrillic, Armenian,
// Georgian and more, and neither Chinese, Japanese, Korean, Indic scripts nor
// most emoji: each character that the font lacks is drawn as "□", so that
// something is visibly missing. Control characters and what else draws nothing
// are left out (internal/termtext), private and unassigned characters are "�".
// Hebrew and Arabic are drawn right to left within a page that reads left to
// right; Arabic letters stand in their isolated forms. The title, the author and
// the subject of the file keep every character.
package invoicepdf

import (
	"bytes"
	"errors"
	"fmt"
	"time"
	"unicode/utf16"

	"codeberg.org/go-pdf/fpdf"

	"tarmac/internal/termtext"
	"tarmac/service/invoicing"
)

// Why an invoice cannot be rendered.
var (
	ErrCurrency = errors.New("only invoices in USD can be rendered as a PDF")
	ErrWithheld = errors.New("the invoice's content is withheld and may not be shown on a page")
)

// Document is what an invoice's pages show. Of the invoice they show neither
// the notes nor the id nor whom it is attributed to.
type Document struct {
	Seller  Party // the organization that bills
	Invoice invoicing.Invoice
}

// Party is one side of an invoice. Email may be "".
type Party struct{ Name, Email string }

// Render returns the whole PDF. The same document gives the same bytes. The
// errors are ErrCurrency and ErrWithheld, and those of the fonts or the library,
// which no document should cause.
func Render(d Document) ([]byte, error) {
	switch {
	case d.Invoice.Currency != "USD":
		return nil, ErrCurrency
	case d.Invoice.Withheld:
		return nil, ErrWithheld
	}
	s, err := newSheet(d)
	if err != nil {
		return nil, fmt.Errorf("rendering %s: %w", d.Invoice.Number(), err)
	}
	describe(s.pdf, d)
	s.letterhead()
	s.parties()
	s.standing()
	s.description()
	s.lines()
	s.number()
	var out bytes.Buffer
	if err := s.pdf.Output(&out); err != nil {
		return nil, fmt.Errorf("rendering %s: %w", d.Invoice.Number(), err)
	}
	return out.Bytes(), nil
}

// describe sets what a file says about itself. The dates are the invoice's last
// change: with the clock's, no two renderings would be the same.
func describe(pdf *fpdf.Fpdf, d Document) {
	changed := d.Invoice.UpdatedAt.UTC()
	if changed.IsZero() { // which the library takes for "now"
		changed = time.Unix(0, 0).UTC()
	}
	pdf.SetCatalogSort(true)
	pdf.SetCreationDate(changed)
	pdf.SetModificationDate(changed)
	pdf.SetProducer("tarmac", false)
	pdf.SetCreator("tarmac", false)
	pdf.SetLang("en-US")
	pdf.SetTitle(textString("Invoice "+d.Invoice.Number()), false)
	pdf.SetAuthor(textString(termtext.Line(d.Seller.Name)), false)
	pdf.SetSubject(textString("Invoice "+d.Invoice.Number()+" for "+termtext.Line(d.Invoice.RecipientName)), false)
}

// textString returns s as the UTF-16 of a PDF text string. The library's own
// conversion breaks on characters beyond the Basic Multilingual Plane.
func textString(s string) string {
	units := utf16.Encode([]rune(s))
	b := make([]byte, 0, 2+2*len(units))
	b = append(b, 0xfe, 0xff)
	for _, u := range units {
		b = append(b, byte(u>>8), byte(u))
	}
	return string(b)
}
