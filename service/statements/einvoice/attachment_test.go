package einvoice_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"codeberg.org/go-pdf/fpdf"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/einvoice"
)

func TestTheInvoiceAttachedToAPDFIsFound(t *testing.T) {
	for name, content := range map[string][]byte{
		"Factur-X":           banks.PDF(t, "factur-x.xml", "<a/>"),
		"ZUGFeRD 1":          banks.PDF(t, "ZUGFeRD-invoice.xml", "<a/>"),
		"XRechnung":          banks.PDF(t, "xrechnung.xml", "<a/>"),
		"two names":          banks.PDF(t, "factur-x.xml", "<a/>", "xrechnung.xml", "<a/>"),
		"beside other files": banks.PDF(t, "terms.pdf", string(banks.PDF(t, "factur-x.xml", "<b/>")), "factur-x.xml", "<a/>"),
	} {
		invoice, err := einvoice.Attached(bank.NewBudget(t.Context()), content)

		if err != nil || string(invoice) != "<a/>" || !einvoice.IsPDF(content) {
			t.Errorf("%s: %q, %v", name, invoice, err)
		}
	}
}

func TestAPDFWithoutAnInvoiceIsNone(t *testing.T) {
	for name, content := range map[string][]byte{
		"no attachment":         banks.PDF(t),
		"another attachment":    banks.PDF(t, "statement.xml", "<a/>"),
		"an invoice in its PDF": banks.PDF(t, "inner.pdf", string(banks.PDF(t, "factur-x.xml", "<a/>"))),
	} {
		if invoice, err := einvoice.Attached(bank.NewBudget(t.Context()), content); !errors.Is(err, einvoice.ErrNotAttached) {
			t.Errorf("%s: %q, %v", name, invoice, err)
		}
	}
}

func TestAPDFThatCannotBeReadIsRefused(t *testing.T) {
	whole := banks.PDF(t, "factur-x.xml", strings.Repeat("x", 1000))
	secret := fpdf.New("P", "mm", "A4", "")
	secret.SetProtection(0, "open", "owner")
	secret.AddPage()
	var protected bytes.Buffer
	if err := secret.Output(&protected); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		content []byte
		want    string
	}{
		"no PDF": {[]byte("%PDF-1.7\n"), "is a damaged PDF: get it again from whom it comes"},
		"cut":    {whole[:len(whole)/2], "is a damaged PDF: get it again from whom it comes"},
		"several": {banks.PDF(t, "factur-x.xml", "<a/>", "xrechnung.xml", "<b/>"),
			"is a PDF with several electronic invoices: import them one by one, as XML"},
		"encrypted": {protected.Bytes(),
			"is an encrypted PDF, even if it opens without a password: get the invoice as XML, " +
				"or import a copy without encryption (qpdf --decrypt FILE COPY)"},
		"many parts that unpack to much": {bytes.Repeat(overlapping(0, 5<<20), 20),
			"is a PDF that is larger inside than any invoice: import its lines as CSV or OFX"},
		"objects that overlap": {overlapping(1_000, 1_000),
			"is a PDF that is larger inside than any invoice: import its lines as CSV or OFX"},
		"large": {append(whole, make([]byte, 20<<20)...),
			"is larger than 20 MB, the largest electronic invoice that is read"},
		"many parts": {bytes.Repeat([]byte("1 0 obj\n"), 5_001),
			"is a PDF of more than 5000 parts, which no invoice has: import its lines as CSV or OFX"},
		"a small file that unpacks to more than 20 MB": {banks.PDF(t, "factur-x.xml", strings.Repeat(" ", 30<<20)),
			"is a PDF that is larger inside than any invoice: import its lines as CSV or OFX"},
		"many names of one file": {sharing(100, 100, strings.Repeat("(a) 2 0 R ", 20_000)),
			"is a PDF that is larger inside than any invoice: import its lines as CSV or OFX"},
	} {
		invoice, err := einvoice.Attached(bank.NewBudget(t.Context()), test.content)

		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %d bytes, %v", name, len(invoice), err)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := einvoice.Attached(bank.NewBudget(stopped), whole); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// sharing returns a PDF whose objects from the third on are all one stream. Its tree of attached
// files has the given names.
func sharing(size, objects int, names string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	catalog := b.Len()
	b.WriteString("1 0 obj\n<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[" + names + "]>>>>>>\nendobj\n")
	pages := b.Len()
	b.WriteString("2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n")
	shared := b.Len()
	fmt.Fprintf(&b, "3 0 obj\n<</Length %d>>\nstream\n%s\nendstream\nendobj\n", size, strings.Repeat("x", size))
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n%010d 00000 n \n%010d 00000 n \n", objects, catalog, pages)
	for range objects - 3 {
		fmt.Fprintf(&b, "%010d 00000 n \n", shared)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", objects, table)
	return b.Bytes()
}

// overlapping returns a PDF with a packed stream of objects that are all the same text of a size.
func overlapping(objects, size int) []byte {
	var head, packed, b bytes.Buffer
	for n := range objects {
		fmt.Fprintf(&head, "%d 0 ", n+10)
	}
	w := zlib.NewWriter(&packed)
	fmt.Fprintf(w, "%s(%s)", head.String(), strings.Repeat("x", size))
	_ = w.Close() // writing to a buffer never fails
	fmt.Fprintf(&b, "%%PDF-1.5\n1 0 obj\n<</Type/ObjStm/N %d/First %d/Filter/FlateDecode/Length %d>>\nstream\n%s\n"+
		"endstream\nendobj\n", objects, head.Len(), packed.Len(), packed.Bytes())
	return b.Bytes()
}

func FuzzAttached(f *testing.F) {
	f.Add(banks.PDF(f, "factur-x.xml", "<a/>"))
	f.Add(banks.PDF(f))
	f.Fuzz(func(t *testing.T, content []byte) {
		budget := bank.NewBudget(t.Context())
		invoice, err := einvoice.Attached(budget, content)
		banks.CheckSteps(t, budget, append(content, invoice...))
		if err != nil && invoice != nil {
			t.Errorf("%q and %v", invoice, err)
		}
	})
}
