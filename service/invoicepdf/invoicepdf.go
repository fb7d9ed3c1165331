// Package invoicepdf draws invoices as PDF documents (docs/api.md, Invoice PDF).
//
// Text is DejaVu Sans, embedded, which holds Latin, Greek, Cyrillic, Armenian,
// Georgian, Hebrew, Arabic and more. What it lacks is taken from the fonts that the
// operator gives, then from Droid Sans Fallback, embedded too, which holds Chinese,
// Japanese and Korean. Hebrew and Arabic stand from right to left within a page that
// reads left to right. Control characters and what else draws nothing are left out
// (internal/termtext).
//
// A document with a character that no font has, or in a script whose letters have to
// be shaped in a way that is not known here, is *Unreadable: no page is better than
// one on which the payer cannot read who is billed. The title, the author and the
// subject of the file keep every character.
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

// Render returns the whole PDF. The same document and fonts give the same bytes. The
// errors are ErrCurrency, ErrWithheld, *Unreadable, and those of the embedded fonts or
// the library, which no document should cause.
func Render(d Document, fonts ...*Font) ([]byte, error) {
	switch {
	case d.Invoice.Currency != "USD":
		return nil, ErrCurrency
	case d.Invoice.Withheld:
		return nil, ErrWithheld
	}
	s, err := newSheet(d, fonts)
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
	if len(s.lacking) > 0 {
		return nil, fmt.Errorf("rendering %s: %w", d.Invoice.Number(), &Unreadable{Characters: s.lacking})
	}
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
