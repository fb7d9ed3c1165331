package bookkeeping_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/banks"
	"tarmac/service/bookkeeping"
	"tarmac/service/payables"
	"tarmac/service/store"
)

// billsHead is the beginning of a list of bills.
const billsHead = "As of 2026-09-30\nbill,vendor,bill date,due,currency,amount due\n"

// checkBills checks the bills of the API: number, cents to pay, and what is known about each.
func checkBills(t fataler, b *bookkeeping.Books, want string) {
	if got := billsPicture(t, b); got != want {
		t.Fatalf("the bills are %s, want %s", got, want)
	}
}

func billsPicture(t fataler, b *bookkeeping.Books) string {
	var texts []string
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		bills, err := snap.Bills(b.Org, 100, 100)
		for _, bill := range bills {
			text := bill.Number
			switch {
			case bill.State == payables.Paid:
				text += " paid " + bill.Paid.String()
			case bill.USDCents == nil:
				text += " unknown"
			default:
				text += fmt.Sprint(" ", *bill.USDCents)
			}
			if bill.MayBePaid {
				text += "?"
			}
			if bill.State == payables.Disputed {
				text += " disputed"
			}
			texts = append(texts, text)
		}
		return err
	})
	if err != nil {
		t.Fatalf("reading the bills: %v", err)
	}
	return strings.Join(texts, ", ")
}

// paysOut is a statement of October with payments.
func paysOut(lines ...line) statement {
	return october(func(s *statement) { s.lines = lines })
}

const twoBills = billsHead + "A-7,Cloudhost,2026-09-01,2026-10-01,USD,500.00\n" +
	"B-9,Harbor Print,2026-09-05,2026-10-05,USD,40.00\n"

func TestPaymentsSettleBillsAndUndoRestoresThem(t *testing.T) {
	b := newBooks(t)
	report := take(t, b, source("bills.csv", twoBills))
	if report.Files[0].Bills != 2 || report.Files[0].OpenItems != 0 {
		t.Errorf("the report is %+v", report.Files[0])
	}
	checkBills(t, b, "A-7 50000, B-9 4000")
	checkReceivables(t, b)

	paid := take(t, b, source("a.qfx", paysOut(line{"2026-10-02", "-500.00", "7", "CLOUDHOST A-7"}).ofx()))

	checkBills(t, b, "B-9 4000, A-7 paid 2026-10-02")
	if _, err := b.Undo(t.Context(), string(paid.Import)); err != nil {
		t.Fatal(err)
	}
	checkBills(t, b, "A-7 50000, B-9 4000")
	if _, err := b.Undo(t.Context(), string(report.Import)); err != nil {
		t.Fatal(err)
	}
	checkBills(t, b, "")
}

func TestALikelyPaymentOfABillIsAsked(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("bills.csv", twoBills))

	report := take(t, b, source("a.qfx", paysOut(line{"2026-10-02", "-500.00", "7", "Somebody"}).ofx()))

	if len(report.Questions) != 1 || report.Questions[0].Kind != bookkeeping.AboutBill {
		t.Fatalf("questions are %+v", report.Questions)
	}
	checkBills(t, b, "A-7 50000?, B-9 4000")
	answer(t, b, "which bill does it pay", "a-7")
	checkBills(t, b, "B-9 4000, A-7 paid 2026-10-02")
	answered, err := b.Answer(t.Context(), report.Questions[0].ID, "none")
	if err != nil || answered.Open != 0 {
		t.Errorf("answered is %+v, %v", answered, err)
	}
	checkBills(t, b, "A-7 50000, B-9 4000")
}

func TestAQuestionListsTheLikeliestBillsAndTakesTheNumberOfAnyOther(t *testing.T) {
	b := newBooks(t)
	bills, still := billsHead, ""
	for n := range 30 {
		bills += fmt.Sprintf("B-%02d,Cloudhost,2026-09-%02d,2026-10-01,USD,50.00\n", n, n+1)
		if n != 28 {
			still += fmt.Sprintf("B-%02d 5000, ", n)
		}
	}
	take(t, b, source("bills.csv", bills))

	report := take(t, b, source("a.qfx", paysOut(line{"2026-10-02", "-50.00", "7", "Cloudhost"}).ofx()))

	if len(report.Questions) != 1 || len(report.Questions[0].Choices) != 20 ||
		report.Questions[0].Choices[0].Answer != "B-00" || report.Questions[0].Choices[19].Answer != "none" {
		t.Fatalf("questions are %+v", report.Questions)
	}
	answer(t, b, "takes the number of any other", "B-28")
	checkBills(t, b, still+"B-28 paid 2026-10-02")
}

// A purchase with a card pays a bill; the payment of the card is a transfer and pays none.
func TestACardPaysABillAndThePaymentOfTheCardDoesNot(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("bills.csv", twoBills))
	card := paysOut(line{"2026-10-02", "-500.00", "c1", "CLOUDHOST A-7"}, line{"2026-10-20", "500.00", "c2",
		"PAYMENT FROM 00123456789"})
	card.account = "4111222233334444"
	bank := paysOut(line{"2026-10-20", "-500.00", "b1", "TRANSFER TO 4111222233334444"})

	take(t, b, source("card.qfx", card.ofx()), source("a.qfx", bank.ofx()))

	checkBills(t, b, "B-9 4000, A-7 paid 2026-10-02")
	if asked := questionsOf(t, b); len(asked) > 0 {
		t.Errorf("asked is %q", asked)
	}
}

func TestBillsAreMarked(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("bills.csv", twoBills+"A-7,Other Vendor,2026-09-05,2026-10-06,USD,9.00\n"))
	mark := func(text string, state payables.State) error {
		_, err := b.MarkBill(t.Context(), text, state)
		return err
	}

	if err := mark("A-7", payables.Paid); !errors.Is(err, bookkeeping.ErrManyBills) ||
		!strings.Contains(err.Error(), "Cloudhost in USD, Other Vendor in USD") {
		t.Errorf("two vendors: %v", err)
	}
	if err := mark("A-8", payables.Paid); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an unknown bill: %v", err)
	}
	if err := errors.Join(mark("a-7 cloudhost", payables.Paid), mark("B-9", payables.Disputed)); err != nil {
		t.Fatal(err)
	}
	checkBills(t, b, "B-9 4000 disputed, A-7 900, A-7 paid ")
	if err := errors.Join(mark("A-7 Cloudhost", payables.Open), mark("B-9", payables.Open)); err != nil {
		t.Fatal(err)
	}
	checkBills(t, b, "A-7 50000, B-9 4000, A-7 900")
}

func TestAnOwnInvoiceIsNoBill(t *testing.T) {
	b := newBooks(t)
	content, err := os.ReadFile("../statements/einvoice/testdata/ubl-invoice.xml")
	if err != nil {
		t.Fatal(err)
	}
	own := strings.ReplaceAll(string(content), "Drukkerij Haven B.V.", "Harbour Works Ltd.")

	report, err := b.Import(t.Context(), []bookkeeping.Source{source("own.xml", own)}, bookkeeping.Options{})

	if err != nil || report.Import != "" || !strings.Contains(report.Files[0].Error, "the company of these books") {
		t.Errorf("%+v, %v", report, err)
	}
	take(t, b, source("a.xml", string(content)))
	checkBills(t, b, "HP-2026-0117 unknown")
}

// An invoice in a PDF is the invoice itself: it counts once beside its XML.
func TestABillIsReadOfAPDF(t *testing.T) {
	b := newBooks(t)
	content, err := os.ReadFile("../statements/einvoice/testdata/ubl-invoice.xml")
	if err != nil {
		t.Fatal(err)
	}
	hidden := string(banks.PDF(t, "factur-x.xml", string(content)))

	take(t, b, source("a.pdf", hidden))

	checkBills(t, b, "HP-2026-0117 unknown")
	take(t, b, source("a.xml", string(content)))
	checkBills(t, b, "HP-2026-0117 unknown")
	for name, test := range map[string]struct{ content, want string }{
		"a statement": {string(banks.PDF(t)), "is a PDF, whose lines cannot be read reliably"},
		"damaged":     {hidden[:len(hidden)/2], "is a damaged PDF"},
		"with a type": {string(banks.PDF(t, "factur-x.xml", "<!DOCTYPE a>"+string(content))),
			"line 1: a document type or entity"},
		"another file": {string(banks.PDF(t, "factur-x.xml", "<a/>")), "is no statement"},
	} {
		report, err := b.Import(t.Context(), []bookkeeping.Source{source(name+".pdf", test.content)}, bookkeeping.Options{})

		if err != nil || report.Import != "" || !strings.Contains(report.Files[0].Error, test.want) {
			t.Errorf("%s: %+v, %v", name, report.Files[0], err)
		}
	}
}

// Bills follow from what was imported, not from the order: the same files in any order, with any of
// them undone and imported again, leave the same bills and questions.
func TestTheOrderOfImportsChangesNothingOfBills(t *testing.T) {
	shared := newBooks(t)
	einvoice, err := os.ReadFile("../statements/einvoice/testdata/cii-invoice.xml")
	if err != nil {
		t.Fatal(err)
	}
	dollars := strings.ReplaceAll(string(einvoice), ">EUR<", ">USD<")
	sources := map[string]string{
		"september.csv": twoBills,
		"october.csv": strings.Replace(billsHead, "09-30", "10-10", 1) +
			"B-9,Harbor Print,2026-09-05,2026-10-05,USD,40.00\n" +
			"F-1,Fern,2026-10-05,2026-11-05,USD,70.00\n",
		"invoice.xml": dollars,
		"a.qfx": paysOut(line{"2026-10-02", "-500.00", "7", "CLOUDHOST A-7"}, line{"2026-10-12", "-40.00", "8", "Jo"},
			line{"2026-10-13", "-540.00", "9", "Ateliers du Port F20260023"}).ofx(),
		"open.csv": openHead + "INV-7,Customer,2026-08-15,2026-09-14,USD,1200.00\n",
	}
	names := []string{"september.csv", "october.csv", "invoice.xml", "a.qfx", "open.csv"}
	all := func(t fataler, b *bookkeeping.Books, name string) string {
		report, err := b.Import(t.Context(), []bookkeeping.Source{source(name, sources[name])}, bookkeeping.Options{})
		if err != nil || report.Import == "" {
			t.Fatalf("importing %s: %+v, %v", name, report, err)
		}
		return string(report.Import)
	}
	const want = "B-9 4000?, F-1 7000, F20260023 paid 2026-10-13, A-7 paid 2026-10-02"
	rapid.Check(t, func(t *rapid.T) {
		b := newCompanyBooks(t, shared)
		for _, name := range rapid.Permutation(names).Draw(t, "order") {
			id := all(t, b, name)
			if rapid.IntRange(0, 2).Draw(t, "undo") > 0 {
				continue
			}
			if _, err := b.Undo(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			all(t, b, name)
		}

		checkBills(t, b, want)
		questions, err := b.Questions(t.Context())
		if err != nil || !slices.ContainsFunc(questions, func(q ownbooks.OpenQuestion) bool {
			return strings.Contains(q.Text, "40.00 USD to Jo on 2026-10-12")
		}) {
			t.Fatalf("questions are %+v, %v", questions, err)
		}
	})
}
