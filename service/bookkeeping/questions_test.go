package bookkeeping_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tarmac/internal/ownbooks"
	"tarmac/service/bookkeeping"
	"tarmac/service/cash"
	"tarmac/service/cutoff"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// funded is a statement of three months of costs and four SAFEs of 25,000.
var funded = statement{
	account: "00123456789", first: "2026-08-01", last: "2026-10-31",
	lines: []line{
		{"2026-08-31", "-41500.00", "1", "Gusto"}, {"2026-09-30", "-41500.00", "2", "Gusto"},
		{"2026-10-30", "-41500.00", "3", "Gusto"},
		{"2026-09-03", "25000.00", "4", "Ada Ventures"}, {"2026-09-04", "25000.00", "5", "Blue Capital"},
		{"2026-09-10", "25000.00", "6", "Jo Angel"}, {"2026-10-02", "25000.00", "7", "Max Angel"},
	},
}

// burnOf returns the average net burn of August to October, in US cents.
func burnOf(t *testing.T, b *bookkeeping.Books) (burn int64) {
	t.Helper()
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		sum, err := snap.OperatingSummary(b.Org, ledger.LinkedBank, dayOf(t, "2026-08-01"), dayOf(t, "2026-10-31"), "")
		burn = (sum.Outflow - sum.Inflow) / 3
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return burn
}

// questionsOf returns the texts of the open questions.
func questionsOf(t *testing.T, b *bookkeeping.Books) (texts []string) {
	t.Helper()
	questions, err := b.Questions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range questions {
		texts = append(texts, q.Text)
	}
	return texts
}

// answer answers the open question whose text contains about.
func answer(t *testing.T, b *bookkeeping.Books, about, with string) ownbooks.Answered {
	t.Helper()
	questions, err := b.Questions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(questions, func(q ownbooks.OpenQuestion) bool { return strings.Contains(q.Text, about) })
	if at < 0 {
		t.Fatalf("nobody asks about %s: %+v", about, questions)
	}
	done, err := b.Answer(t.Context(), questions[at].ID, with)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func TestPossibleFinancingIsOutsideOfBurnUntilAnswered(t *testing.T) {
	b := newBooks(t)

	report := take(t, b, source("a.qfx", funded.ofx()))

	if len(report.Questions) != 4 || len(report.Files[0].Problems) != 4 {
		t.Errorf("the report asks %+v and names %q", report.Questions, report.Files[0].Problems)
	}
	if got := burnOf(t, b); got != 41_500_00 {
		t.Errorf("burn is %d, want 4150000", got)
	}
	want := "Until answered (books questions), burn leaves out " +
		"Ada Ventures on 2026-09-03, Blue Capital on 2026-09-04, Jo Angel on 2026-09-10, 1 more."
	open, names := openQuestions(t, b)
	if names != want {
		t.Errorf("the note is %q", names)
	}
	for _, q := range open {
		if q.IsTransfer || q.InflowCents <= 0 || q.OutflowCents != 0 {
			t.Errorf("a question is %+v", q)
		}
	}
	if len(open) != 4 {
		t.Errorf("%d questions are open", len(open))
	}
}

func openQuestions(t *testing.T, b *bookkeeping.Books) (open []cash.OpenQuestion, names string) {
	t.Helper()
	window := cutoff.BurnWindow{First: dayOf(t, "2026-08-01"), Last: dayOf(t, "2026-10-31"), Months: 3}
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) (err error) {
		open, names, err = bookkeeping.OpenQuestions(snap, b.Org, window, "")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return open, names
}

func TestAnsweredFinancingIsNotAskedAgain(t *testing.T) {
	b := newBooks(t)
	first := take(t, b, source("a.qfx", funded.ofx()))

	yes := answer(t, b, "Ada Ventures", "yes")
	answer(t, b, "Blue Capital", "No")

	if yes.Open != 3 || !strings.Contains(yes.Effect, "does not count in burn") {
		t.Errorf("the answer is %+v", yes)
	}
	if got := burnOf(t, b); got != (3*41_500_00-25_000_00)/3 {
		t.Errorf("burn is %d", got)
	}
	if _, err := b.Undo(t.Context(), string(first.Import)); err != nil {
		t.Fatal(err)
	}
	take(t, b, source("a.qfx", funded.ofx()))
	for _, text := range questionsOf(t, b) {
		if strings.Contains(text, "Ada") || strings.Contains(text, "Blue") {
			t.Errorf("it is asked again: %s", text)
		}
	}
}

func TestAGivenAnswerIsListedAndTakenBack(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", funded.ofx()))
	open := questionsOf(t, b)
	done := answer(t, b, "Ada Ventures", "yes")
	answer(t, b, "Blue Capital", "no")

	given, err := b.GivenAnswers(t.Context())

	if err != nil || len(given) != 2 || given[0].ID != done.ID || given[0].Given != "yes" ||
		!strings.Contains(given[0].Text, "Ada Ventures") || given[0].Choices[1].Changes == "" || given[1].Given != "no" {
		t.Fatalf("given are %+v, %v", given, err)
	}
	if _, err := b.Answer(t.Context(), done.ID, "open"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Answer(t.Context(), given[1].ID, "open"); err != nil {
		t.Fatal(err)
	}
	if again := questionsOf(t, b); !slices.Equal(again, open) {
		t.Errorf("asked are %q instead of %q", again, open)
	}
	if given, err = b.GivenAnswers(t.Context()); err != nil || len(given) != 0 {
		t.Errorf("given are %+v, %v", given, err)
	}
	if _, err := b.Answer(t.Context(), done.ID, "open"); err == nil {
		t.Error("an open question takes the answer open")
	}
	checkDerivedAnew(t, b)
}

func TestAnAnswerCanBeChanged(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", funded.ofx()))
	before := burnOf(t, b)

	done := answer(t, b, "Ada Ventures", "no")
	if _, err := b.Answer(t.Context(), done.ID, "yes"); err != nil {
		t.Fatal(err)
	}

	if got := burnOf(t, b); got != before {
		t.Errorf("burn is %d, want %d", got, before)
	}
	if _, err := b.Answer(t.Context(), done.ID, "perhaps"); !errors.As(err, new(*bookkeeping.WrongAnswer)) {
		t.Errorf("a wrong answer: %v", err)
	}
	if _, err := b.Answer(t.Context(), "ask_0", "yes"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an unknown question: %v", err)
	}
}

func TestAPreviewNamesTheQuestions(t *testing.T) {
	b := newBooks(t)

	report, err := b.Import(t.Context(), []bookkeeping.Source{source("a.qfx", funded.ofx())},
		bookkeeping.Options{Preview: true})

	if err != nil || len(report.Files[0].Problems) != 4 ||
		!strings.HasPrefix(report.Files[0].Problems[0], "25,000.00 USD from Ada Ventures on 2026-09-03: is it investors'") {
		t.Errorf("the preview is %+v, %v", report, err)
	}
	if open := questionsOf(t, b); len(open) > 0 {
		t.Errorf("a preview leaves questions: %q", open)
	}
}

func TestQuestionsOfADayComeInOneOrder(t *testing.T) {
	sameDay := funded
	sameDay.lines = slices.Clone(funded.lines)
	for n := 3; n < len(sameDay.lines); n++ {
		sameDay.lines[n].day = "2026-09-03"
	}

	report, err := newBooks(t).Import(t.Context(), []bookkeeping.Source{source("a.qfx", sameDay.ofx())},
		bookkeeping.Options{Preview: true})

	if got := report.Files[0].Problems; err != nil || len(got) != 4 || !slices.IsSorted(got) {
		t.Errorf("the questions are %q, %v", got, err)
	}
}

// parted returns two files without balances. The first ends on 5 October and the second begins on
// that day; each has a coffee of 4.10 on it.
func parted() []bookkeeping.Source {
	before := statement{
		account: "00123456789", first: "2026-10-01", last: "2026-10-05",
		lines: []line{{"2026-10-02", "-500.00", "1", "Landlord"}, {"2026-10-05", "-4.10", "2", "Cafe"}},
	}
	after := statement{
		account: "00123456789", first: "2026-10-05", last: "2026-10-31",
		lines: []line{{"2026-10-05", "-4.10", "x1", "Cafe"}, {"2026-10-09", "-20.00", "x2", "Books"}},
	}
	return []bookkeeping.Source{source("a.qfx", before.ofx()), source("b.qfx", after.ofx())}
}

func TestLinesOfFilesThatPartWithinADayAreAskedAbout(t *testing.T) {
	once := []string{"2026-10-02 -50000 Landlord", "2026-10-05 -410 Cafe", "2026-10-09 -2000 Books"}
	twice := slices.Insert(slices.Clone(once), 1, "2026-10-05 -410 Cafe")
	for with, want := range map[string][]string{"yes": once, "no": twice} {
		t.Run(with, func(t *testing.T) {
			b := newBooks(t)
			report := take(t, b, parted()...)
			if problems := strings.Join(report.Files[1].Problems, " "); !strings.Contains(problems, "-4.10 USD") {
				t.Errorf("the doubt is not named: %+v", report.Files)
			}
			checkLedger(t, b, once...)

			answer(t, b, "-4.10 USD", with)

			checkLedger(t, b, want...)
			if open := questionsOf(t, b); len(open) > 0 {
				t.Errorf("still asked: %q", open)
			}
		})
	}
}

func TestAnAnswerOfAnAccountIsNoneOfAnother(t *testing.T) {
	b := newBooks(t)
	first := take(t, b, parted()...)
	answer(t, b, "-4.10 USD", "no")
	if _, err := b.Undo(t.Context(), string(first.Import)); err != nil {
		t.Fatal(err)
	}
	other := september
	other.account = "99999999999"
	take(t, b, source("other.qfx", other.ofx()))

	take(t, b, parted()...)

	if rows := ledgerOf(t, b); len(rows) != 6 {
		t.Errorf("the ledger has %q", rows)
	}
}

func TestAPaymentThatNamesNoInvoiceIsAskedAbout(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("open.csv", openHead+"INV-7,Customer,2026-08-15,2026-09-14,USD,1200.00\n"))

	take(t, b, source("a.qfx", september.ofx()))

	checkReceivables(t, b, "Customer 120000")
	answer(t, b, "which invoice does it pay", "INV-7")
	checkReceivables(t, b)
	if got := receiptsOf(t, b); !slices.Equal(got, []string{"Customer"}) {
		t.Errorf("receipts are of %q", got)
	}
}

// openHead is the beginning of a list of open invoices.
const openHead = "As of September 10, 2026\n\nNumber,Customer,Issued,Due,Currency,Amount due\n"

// receiptsOf returns the counterparties of the transactions that have a receipt.
func receiptsOf(t *testing.T, b *bookkeeping.Books) (names []string) {
	t.Helper()
	page, _, err := b.Store.Listing(t.Context(), b.Org, ledger.Filter{}, nil, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range page.Rows {
		if row.HasReceipt {
			names = append(names, row.Counterparty)
		}
	}
	return names
}

func TestTheOldestThousandQuestionsAboutPaymentsAreReturned(t *testing.T) {
	b := newBooks(t)
	var g shapeFile
	growths["payments that name none of the invoices of one customer"](&g, 1_001)
	take(t, b, source("a.jsonl", g.String()))

	questions, err := b.Questions(t.Context())
	count, counted := b.CountQuestions(t.Context())

	if err != nil || counted != nil || len(questions) != count-1 {
		t.Errorf("%d of %d questions, %v, %v", len(questions), count, err, counted)
	}
}
