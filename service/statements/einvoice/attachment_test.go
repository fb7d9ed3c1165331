package einvoice_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"codeberg.org/go-pdf/fpdf"

	"tarmac/internal/testsupport/banks"
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
		invoice, err := einvoice.Attached(t.Context(), content)

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
		if invoice, err := einvoice.Attached(t.Context(), content); !errors.Is(err, einvoice.ErrNotAttached) {
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
		"with a password": {protected.Bytes(),
			"is a PDF with a password: save it without one, and import that"},
		"large": {append(whole, make([]byte, 20<<20)...),
			"is larger than 20 MB, the largest electronic invoice that is read"},
		"many parts": {bytes.Repeat([]byte("1 0 obj\n"), 5_001),
			"is a PDF of more than 5000 parts, which no invoice has"},
		"a small file that unpacks to more than 20 MB": {banks.PDF(t, "factur-x.xml", strings.Repeat(" ", 30<<20)),
			"is a damaged PDF: get it again from whom it comes"},
	} {
		invoice, err := einvoice.Attached(t.Context(), test.content)

		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %d bytes, %v", name, len(invoice), err)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := einvoice.Attached(stopped, whole); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// The library for PDFs has settings and fonts of its own in the user's directory unless it is told
// not to.
func TestReadingAPDFWritesNothing(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")

	if _, err := einvoice.Attached(t.Context(), banks.PDF(t, "factur-x.xml", "<a/>")); err != nil {
		t.Fatal(err)
	}

	if written, err := os.ReadDir(home); err != nil || len(written) > 0 {
		t.Errorf("%v, %v", written, err)
	}
}

func FuzzAttached(f *testing.F) {
	f.Add(banks.PDF(f, "factur-x.xml", "<a/>"))
	f.Add(banks.PDF(f))
	f.Fuzz(func(t *testing.T, content []byte) {
		invoice, err := einvoice.Attached(t.Context(), content)
		if err != nil && invoice != nil {
			t.Errorf("%q and %v", invoice, err)
		}
	})
}
