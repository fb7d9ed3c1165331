package bookkeeping_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/service/bookkeeping"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// The day of the tests.
var now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// newBooks returns the empty books of a new organization. It checks their ledger when the test
// ends.
func newBooks(t testing.TB) *bookkeeping.Books {
	t.Helper()
	if testing.Short() {
		t.Skip("reads files that other tests of goroutines read")
	}
	return newRacedBooks(t)
}

// newRacedBooks is newBooks for tests that the race detector runs too, in short mode.
func newRacedBooks(t testing.TB) *bookkeeping.Books {
	t.Helper()
	s, err := store.Open(t.Context(), migrated.New(t), store.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	b := &bookkeeping.Books{Store: s, IDs: ids.NewSource(rand.Reader), Now: func() time.Time { return now }}
	err = s.Write(t.Context(), func(tx *store.Tx) (err error) {
		b.Org, err = tx.CreateOrganization(store.Organization{PublicID: "org_a", Name: "Harbour Works", CreatedAt: now})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { checkDerivedAnew(t, b) })
	return b
}

// checkDerivedAnew checks that the ledger is as if all days were derived anew, although only days
// with other inputs are.
func checkDerivedAnew(t testing.TB, b *bookkeeping.Books) {
	t.Helper()
	if t.Failed() {
		return
	}
	different, err := b.DerivedAnew(context.Background())
	if err != nil || different != 0 {
		t.Errorf("%d transactions are not as if all days were derived anew, %v", different, err)
	}
}

// line is a line of an OFX file.
type line struct{ day, amount, id, name string }

// statement is an OFX file of one account.
type statement struct {
	account           string
	first, last       string
	closing, closedOn string // "" for no balance
	lines             []line
}

func (s statement) ofx() string {
	var b strings.Builder
	fmt.Fprintf(&b, "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n"+
		"<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>121000358<ACCTID>%s"+
		"<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>%s<DTEND>%s", s.account, compact(s.first), compact(s.last))
	for _, l := range s.lines {
		fmt.Fprintf(&b, "\n<STMTTRN><TRNTYPE>OTHER<DTPOSTED>%s<TRNAMT>%s<FITID>%s<NAME>%s</STMTTRN>", compact(l.day),
			l.amount, l.id, l.name)
	}
	b.WriteString("</BANKTRANLIST>")
	if s.closing != "" {
		fmt.Fprintf(&b, "<LEDGERBAL><BALAMT>%s<DTASOF>%s</LEDGERBAL>", s.closing, compact(s.closedOn))
	}
	b.WriteString("</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n")
	return b.String()
}

func compact(day string) string { return strings.ReplaceAll(day, "-", "") }

// source returns a file to import.
func source(name, content string) bookkeeping.Source {
	return bookkeeping.Source{Name: "/downloads/" + name, Content: bytes.NewReader([]byte(content))}
}

// take imports files and returns the report. The import must succeed.
func take(t testing.TB, b *bookkeeping.Books, files ...bookkeeping.Source) *ownbooks.Report {
	t.Helper()
	report, err := b.Import(context.Background(), files, bookkeeping.Options{})
	if err != nil || report.Failed() || report.Import == "" {
		t.Fatalf("the import failed: %+v, %v", report, err)
	}
	return report
}

// ledgerOf returns the transactions of the API, the oldest first.
func ledgerOf(t testing.TB, b *bookkeeping.Books) []string {
	t.Helper()
	page, _, err := b.Store.Listing(context.Background(), b.Org, ledger.Filter{}, nil, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, row := range page.Rows {
		sign := map[ledger.Direction]string{ledger.Inflow: "+", ledger.Outflow: "-"}[row.Direction]
		all = append(all, fmt.Sprintf("%s %s%d %s", row.Date, sign, row.AmountMinor, row.Counterparty))
	}
	slices.Reverse(all)
	return all
}

func checkLedger(t testing.TB, b *bookkeeping.Books, want ...string) {
	t.Helper()
	if got := ledgerOf(t, b); !slices.Equal(got, want) {
		t.Errorf("the ledger has %q, want %q", got, want)
	}
}

// september is a statement of two lines without a balance.
var september = statement{
	account: "00123456789", first: "2026-09-01", last: "2026-09-30",
	lines: []line{{"2026-09-02", "-500.00", "1", "Landlord"}, {"2026-09-15", "1200.00", "2", "Customer"}},
}

var septemberRows = []string{"2026-09-02 -50000 Landlord", "2026-09-15 +120000 Customer"}

func TestAnImportBringsTheLinesOfAFile(t *testing.T) {
	b := newBooks(t)

	report := take(t, b, source("a.qfx", september.ofx()))

	checkLedger(t, b, septemberRows...)
	s := report.Files[0].Statements[0]
	if s.Account != "…6789" || s.Currency != "USD" || s.Lines != 2 || s.InMinor != 120000 ||
		s.OutMinor != 50000 || s.New != 2 || s.Known != 0 || s.First.String() != "2026-09-02" ||
		s.Last.String() != "2026-09-15" {
		t.Errorf("the statement is %+v", s)
	}
}

func TestAPreviewKeepsNothing(t *testing.T) {
	b := newBooks(t)

	report, err := b.Import(t.Context(), []bookkeeping.Source{source("a.qfx", september.ofx())},
		bookkeeping.Options{Preview: true})

	if err != nil || report.Import != "" || report.Files[0].Statements[0].New != 2 {
		t.Errorf("the preview is %+v, %v", report, err)
	}
	checkLedger(t, b)
}

func TestAPreviewLacksNoExchangeRateForAnUnknownCurrency(t *testing.T) {
	b := newBooks(t)
	balance := "Date,Description,Amount,Balance\n2026-09-02,Acme,250.00,1250.00\n2026-09-14,Fuel,-18.20,1231.80\n"

	report, err := b.Import(t.Context(), []bookkeeping.Source{source("a.csv", balance)},
		bookkeeping.Options{Preview: true, AllowUnnamed: true})

	if err != nil || report.Files[0].Statements[0].New != 2 || len(report.Files[0].Problems) != 0 {
		t.Errorf("the preview is %+v, %v", report, err)
	}
}

func TestADamagedFileRefusesTheWholeImport(t *testing.T) {
	b := newBooks(t)
	damaged := september.ofx()
	damaged = damaged[:len(damaged)/2]

	report, err := b.Import(t.Context(), []bookkeeping.Source{
		source("good.qfx", september.ofx()), source("bad.qfx", damaged),
	}, bookkeeping.Options{})

	if err != nil || !report.Failed() || report.Import != "" || report.Files[0].Error != "" ||
		report.Files[1].Error == "" {
		t.Errorf("the report is %+v, %v", report, err)
	}
	checkLedger(t, b)
}

func TestWhatIsNoStatementIsNamedAndSkipped(t *testing.T) {
	b := newBooks(t)

	folder := bookkeeping.Source{Name: "letters", Err: bookkeeping.ErrFolder}

	report := take(t, b, source("invoice.pdf", "%PDF-1.7\n"), source("a.qfx", september.ofx()), folder)

	if problems := report.Files[2].Problems; !strings.Contains(strings.Join(problems, " "), "is a folder") {
		t.Errorf("the folder's report is %+v", report.Files[2])
	}
	if !strings.Contains(strings.Join(report.Files[0].Problems, " "), "is a damaged PDF") || report.Files[0].Error != "" {
		t.Errorf("the PDF's report is %+v", report.Files[0])
	}
	checkLedger(t, b, septemberRows...)
}

func TestAFileThatIsNoStatementAloneIsAnError(t *testing.T) {
	b := newBooks(t)

	report, err := b.Import(t.Context(), []bookkeeping.Source{source("invoice.pdf", "%PDF-1.7\n")}, bookkeeping.Options{})

	if err != nil || !report.Failed() {
		t.Errorf("the report is %+v, %v", report, err)
	}
}

func TestAResidualIsRefusedUnlessAccepted(t *testing.T) {
	b := newBooks(t)
	first, second := september, september
	first.closing, first.closedOn = "1000.00", "2026-09-30"
	second.first, second.last = "2026-10-01", "2026-10-31"
	second.lines = []line{{"2026-10-02", "-500.00", "3", "Landlord"}}
	second.closing, second.closedOn = "490.00", "2026-10-31"
	take(t, b, source("a.qfx", first.ofx()))

	report, err := b.Import(t.Context(), []bookkeeping.Source{source("b.qfx", second.ofx())}, bookkeeping.Options{})

	if err != nil || !strings.Contains(report.Files[0].Error, "does not add up from 2026-09-30 to 2026-10-31") ||
		!strings.Contains(report.Files[0].Error, "-10.00") {
		t.Errorf("the report is %+v, %v", report, err)
	}
	checkLedger(t, b, septemberRows...)

	report, err = b.Import(t.Context(), []bookkeeping.Source{source("b.qfx", second.ofx())},
		bookkeeping.Options{AcceptResidual: true})
	if err != nil || report.Failed() || report.Files[0].Statements[0].ResidualMinor != -1000 {
		t.Errorf("the report is %+v, %v", report, err)
	}
}

// Each statement adds up by itself, and cannot be a part of the other's day.
func TestStatementsOfOneDayThatContradictEachOtherAreRefused(t *testing.T) {
	b := newBooks(t)
	first, second := september, september
	first.closing, first.closedOn = "750.00", "2026-09-30"
	first.lines = append(slices.Clone(september.lines), line{"2026-09-30", "-50.00", "8", "Cafe"})
	second.closing, second.closedOn = "740.00", "2026-09-30"
	second.lines = append(slices.Clone(september.lines), line{"2026-09-30", "-60.00", "9", "Bistro"})
	take(t, b, source("a.qfx", first.ofx()))

	report, err := b.Import(t.Context(), []bookkeeping.Source{source("b.qfx", second.ofx())}, bookkeeping.Options{})

	want := "…6789 does not add up on 2026-09-30: its balances of 740.00 and 750.00 contradict each other"
	if err != nil || !strings.HasPrefix(report.Files[0].Error, want) {
		t.Errorf("the report is %+v, %v", report, err)
	}
}

func TestAnOrganizationWithOtherTransactionsTakesNoImport(t *testing.T) {
	b := newBooks(t)
	id, err := b.IDs.New(ids.Transaction, now)
	if err != nil {
		t.Fatal(err)
	}
	err = b.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.InsertTransactions(b.Org, []ledger.Transaction{{
			ID: id, Date: dayOf(t, "2026-09-01"), Currency: "USD", Counterparty: "Elsewhere",
		}})
	})
	if err != nil {
		t.Fatal(err)
	}

	_, err = b.Import(t.Context(), []bookkeeping.Source{source("a.qfx", september.ofx())}, bookkeeping.Options{})

	if err == nil || !strings.Contains(err.Error(), "an organization of its own") {
		t.Errorf("error is %v", err)
	}
}

func TestOpenInvoicesAreReceivables(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("open.csv", "As of September 10, 2026\n\nNumber,Customer,Issued,Due,Currency,Amount due\n"+
		"INV-7,Customer,2026-08-15,2026-09-14,USD,1200.00\nINV-8,Other Ltd,2026-09-01,2026-10-01,USD,300.00\n"))

	checkReceivables(t, b, "Customer 120000", "Other Ltd 30000")

	paid := september
	paid.lines = []line{{"2026-09-15", "1200.00", "2", "Customer INV-7"}}
	second := take(t, b, source("a.qfx", paid.ofx()))
	checkReceivables(t, b, "Other Ltd 30000")

	if _, err := b.Undo(t.Context(), string(second.Import)); err != nil {
		t.Fatal(err)
	}
	checkReceivables(t, b, "Customer 120000", "Other Ltd 30000")
}

func checkReceivables(t *testing.T, b *bookkeeping.Books, want ...string) {
	t.Helper()
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		items, err := snap.OpenItems(b.Org)
		var got []string
		for _, item := range items {
			got = append(got, fmt.Sprintf("%s %d", item.CustomerName, item.Cents))
		}
		if !slices.Equal(got, want) {
			t.Errorf("receivables are %q, want %q", got, want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLinesOfOverlappingFilesAreNewOnce(t *testing.T) {
	b := newRacedBooks(t)
	longer := september
	longer.last = "2026-10-31"
	longer.lines = append(slices.Clone(september.lines), line{"2026-10-02", "-500.00", "3", "Landlord"})

	report := take(t, b, source("a.qfx", september.ofx()), source("b.qfx", longer.ofx()))

	first, second := report.Files[0].Statements[0], report.Files[1].Statements[0]
	if first.New != 2 || first.Known != 0 || second.New != 1 || second.Known != 2 {
		t.Errorf("new and known are %d and %d, then %d and %d", first.New, first.Known, second.New, second.Known)
	}
}

func TestALaterStatementGivesKnownLinesItsText(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", september.ofx()))
	later := september
	later.last = "2026-10-31"
	later.lines = []line{{"2026-09-02", "-500.00", "1", "Landlord Ltd"}, {"2026-09-15", "1200.00", "2", "Customer Inc"}}

	report := take(t, b, source("b.qfx", later.ofx()))

	if s := report.Files[0].Statements[0]; s.New != 0 || s.Known != 2 || s.Changed != 2 {
		t.Errorf("new, known and changed are %d, %d and %d", s.New, s.Known, s.Changed)
	}
	checkLedger(t, b, "2026-09-02 -50000 Landlord Ltd", "2026-09-15 +120000 Customer Inc")
}

func TestAPreviewHoldsTheFirstLinesOfEachFile(t *testing.T) {
	b := newBooks(t)
	september := statement{account: "1", first: "2026-09-01", last: "2026-09-30", lines: []line{
		{"2026-09-14", "-18.20", "b", "Fuel\x1b[2J"}, {"2026-09-02", "250.00", "a", "Acme"},
	}}
	many := statement{account: "2", first: "2026-09-01", last: "2026-09-30"}
	for n := range ownbooks.MaxRead + 5 {
		many.lines = append(many.lines, line{"2026-09-03", "-1.00", fmt.Sprint(n), strings.Repeat("é", 300)})
	}
	first, second := source("a.qfx", september.ofx()), source("b.qfx", many.ofx())

	report, err := b.Import(t.Context(), []bookkeeping.Source{first, second}, bookkeeping.Options{Preview: true})

	if err != nil {
		t.Fatal(err)
	}
	want := []ownbooks.ReadLine{
		{Day: civil.MustParse("2026-09-14"), Minor: -1820, Party: "Fuel"},
		{Day: civil.MustParse("2026-09-02"), Minor: 25000, Party: "Acme"},
	}
	if got := report.Files[0].Statements[0].Read; !slices.Equal(got, want) {
		t.Errorf("the lines are %+v", got)
	}
	if got := report.Files[1].Statements[0].Read; len(got) != ownbooks.MaxRead || len(got[0].Party) > 400 {
		t.Errorf("%d lines with texts such as %q", len(got), got[0].Party)
	}
	if _, err = b.Import(t.Context(), []bookkeeping.Source{first}, bookkeeping.Options{}); err != nil {
		t.Fatal(err)
	}
	report, err = b.Import(t.Context(), []bookkeeping.Source{first}, bookkeeping.Options{Preview: true})
	if err != nil || len(report.Files[0].Statements[0].Read) != 0 {
		t.Errorf("of a file that was imported before: %+v, %v", report.Files, err)
	}
}
