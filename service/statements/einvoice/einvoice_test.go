package einvoice_test

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/einvoice"
)

var update = flag.Bool("update", false, "write golden files anew")

func TestGoldenFiles(t *testing.T) {
	banks.Golden(t, einvoice.Format(), bank.Options{}, *update)
}

// sample returns the UBL invoice of testdata with texts replaced.
func sample(t testing.TB, replace ...string) string {
	t.Helper()
	content, err := os.ReadFile("testdata/ubl-invoice.xml")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(string(content), replace[i]) {
			t.Fatalf("the sample has no %q", replace[i])
		}
	}
	return strings.NewReplacer(replace...).Replace(string(content))
}

func read(content string) (*banks.Contents, error) {
	return banks.Read(einvoice.Format(), strings.NewReader(content), bank.Options{})
}

func TestAmountsOfInvoicesAndCreditNotes(t *testing.T) {
	for name, test := range map[string]struct {
		replace []string
		minor   int64
	}{
		"an invoice":              {nil, 100000},
		"a credit note":           {[]string{">380<", ">381<"}, -100000},
		"a factored credit note":  {[]string{">380<", ">396<"}, -100000},
		"a negative invoice":      {[]string{">1000.00<", ">-1000.00<"}, -100000},
		"a negative credit note":  {[]string{">380<", ">381<", ">1000.00<", ">-1000.00<"}, -100000},
		"no decimals of a yen":    {[]string{"EUR", "JPY", ">1000.00<", ">1000<"}, 1000},
		"decimals that are zeros": {[]string{">1000.00<", ">1000.000000<"}, 100000},
	} {
		found, err := read(sample(t, test.replace...))

		if err != nil || len(found.OpenItems) != 1 || found.OpenItems[0].Minor != test.minor {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
}

func TestAnInvoiceWithNothingToPayIsNamedAndSkipped(t *testing.T) {
	found, err := read(sample(t, ">1000.00<", ">0.00<"))

	want := `the invoice "HP-2026-0117" of "Drukkerij Haven B.V." has nothing left to pay; skipped`
	if err != nil || len(found.OpenItems) > 0 || strings.Join(found.Problems, "\n") != want {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestAnInvoiceWithoutADueDateIsPayableOnReceipt(t *testing.T) {
	found, err := read(sample(t, "<cbc:DueDate>2026-10-14</cbc:DueDate>", ""))

	if err != nil || !found.OpenItems[0].Due.IsZero() || len(found.Problems) > 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestWhatIsNoInvoiceToPayIsRefused(t *testing.T) {
	for want, content := range map[string]string{
		"line 2: a document type or entity is declared: such files are not read": sample(t, "<Invoice",
			`<!DOCTYPE x [<!ENTITY a "b">]><Invoice`),
		"line 6: </Id> ends <ID>": sample(t, "</cbc:ID>\n", "</cbc:Id>\n"),
		"line 2: has more than one invoice": strings.ReplaceAll(sample(t), "\n", "") +
			"\n<Invoice/>",
		"is an electronic invoice without a number":                  sample(t, "HP-2026-0117", ""),
		"is an electronic invoice without a name of the seller":      sample(t, "Drukkerij Haven B.V.", " "),
		"is an electronic invoice without an amount due for payment": sample(t, "1000.00", ""),
		"is an electronic invoice without a day of issue":            sample(t, "2026-09-14", ""),
		`"EURO" is no currency of ISO 4217`:                          sample(t, ">EUR<", ">EURO<"),
		`the amount due for payment is in "USD", the invoice in EUR`: sample(t, `PayableAmount currencyID="EUR"`,
			`PayableAmount currencyID="USD"`),
		`the date "2026-02-30" does not exist`:                      sample(t, "2026-10-14", "2026-02-30"),
		`the amount "10000000000000000000.00" is too large`:         sample(t, "1000.00", "10000000000000000000.00"),
		`the amount "1000.001" has more decimals than its currency`: sample(t, "1000.00", "1000.001"),
		"line 68: elements are nested deeper than 64": sample(t, "<cbc:CustomizationID>",
			strings.Repeat("<a>\n", 64)+"<cbc:CustomizationID>"),
		"is larger than 20 MB, the largest electronic invoice that is read": sample(t, "\n</Invoice>",
			strings.Repeat(" ", 20<<20)+"</Invoice>"),
	} {
		if _, err := read(content); err == nil || err.Error() != want {
			t.Errorf("want %s:\n%v", want, err)
		}
	}
}

func TestACutInvoiceIsRefused(t *testing.T) {
	whole := sample(t)
	for _, size := range []int{len(whole) / 3, len(whole) - len("</Invoice>\n"), len(whole) - 3} {
		if found, err := read(whole[:size]); err == nil {
			t.Errorf("of %d bytes %+v is read", size, found.OpenItems)
		}
	}
}

func TestInvoicesInUTF16AreRecognized(t *testing.T) {
	content := []byte{0xff, 0xfe}
	for _, r := range sample(t, `encoding="UTF-8"`, `encoding="UTF-16"`) {
		content = append(content, byte(r), byte(r>>8))
	}

	found, err := banks.Read(einvoice.Format(), bytes.NewReader(content), bank.Options{})

	if !einvoice.Format().Recognize(bank.NewBudget(t.Context()), content) || err != nil || len(found.OpenItems) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestOtherXMLIsNotRecognized(t *testing.T) {
	for _, head := range []string{
		"", "<Invoice>", "<?xml version='1.0'?><Document/>", "<html>Invoice CrossIndustryInvoice</html>",
		`<Invoice xmlns="urn:example"/>`,
	} {
		if einvoice.Format().Recognize(bank.NewBudget(t.Context()), []byte(head)) {
			t.Errorf("%q is recognized", head)
		}
	}
}

func FuzzRead(f *testing.F) {
	banks.Fuzz(f, einvoice.Format(), bank.Options{}, sample(f, "<Invoice", "<!DOCTYPE a><Invoice"))
}
