// Package invoicepdf renders invoices as PDF documents (docs/api.md, Invoice PDF).
//
// Text is set in DejaVu Sans, which covers Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew,
// Arabic and more. Other characters come from the operator's fonts, then from Droid Sans Fallback,
// which covers Chinese, Japanese and Korean. DejaVu and Droid are embedded in the program. Hebrew
// and Arabic run from right to left within a left-to-right page. Control and invisible characters
// are removed (internal/termtext).
//
// Render fails with *Unreadable if no font has one of the invoice's characters, or if a script
// needs shaping that is not implemented: otherwise the payer might not be able to read who is
// billed. Only the title, author and subject of the file contain such characters.
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

// The errors of invoices that must not be rendered.
var (
	ErrCurrency = errors.New("only invoices in USD can be rendered as a PDF")
	ErrWithheld = errors.New("the invoice is withheld and may not be rendered as a PDF")
)

// Document is what Render draws. The invoice's notes, id and owner are not drawn.
type Document struct {
	Seller  Party // the organization that bills
	Invoice invoicing.Invoice
}

// Party is the seller or the recipient of an invoice. Email may be "".
type Party struct{ Name, Email string }

// Render returns the PDF of a document. It uses fonts for characters that DejaVu Sans lacks. The
// same document and fonts give the same bytes. The error is ErrCurrency, ErrWithheld or
// *Unreadable. Any other error comes from the embedded fonts or the PDF library, and is a defect of
// the program.
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
	s.amountLine()
	s.description()
	s.lines()
	s.numberPages()
	if len(s.missing) > 0 {
		return nil, fmt.Errorf("rendering %s: %w", d.Invoice.Number(), &Unreadable{Characters: s.missing})
	}
	var out bytes.Buffer
	if err := s.pdf.Output(&out); err != nil {
		return nil, fmt.Errorf("rendering %s: %w", d.Invoice.Number(), err)
	}
	return out.Bytes(), nil
}

// describe sets the file's metadata. Its dates are those of the invoice's last change: with the
// current time, two renderings of one invoice would differ.
func describe(pdf *fpdf.Fpdf, d Document) {
	changed := d.Invoice.UpdatedAt.UTC()
	if changed.IsZero() { // the PDF library would replace a zero time with the current one
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

// textString returns s in UTF-16 with a byte order mark, as PDF metadata requires. The PDF
// library's own conversion breaks characters beyond the Basic Multilingual Plane.
func textString(s string) string {
	units := utf16.Encode([]rune(s))
	b := make([]byte, 0, 2+2*len(units))
	b = append(b, 0xfe, 0xff)
	for _, u := range units {
		b = append(b, byte(u>>8), byte(u))
	}
	return string(b)
}
