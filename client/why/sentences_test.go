package why_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/client/why"
	"tarmac/internal/civil"
	"tarmac/internal/readings"
	"tarmac/internal/testsupport/extension"
)

// basis is what is known of a company with 500,000 US dollars and 30,000 that customers owe.
func basis(l *spending.Ledger) why.Basis {
	cash := position(l, 0)
	thirty, ten := int64(30_000_00), int64(10_000_00)
	aging := figures.AgingOf(&apiclient.ReceivablesAging{
		Currency: "USD",
		Totals:   apiclient.AgingTotals{OutstandingCents: &thirty, OverdueCents: &ten},
	})
	return why.Basis{Cash: &cash, Aging: &aging, Ledger: l, Begins: l.Begins(), Today: today}
}

func TestTheSentencesSayHowLongTheCashLastsAndWhyThatChanged(t *testing.T) {
	rows := append(company(), row{"2026-11-10", "Landlord", -30_000_00, 0})

	sentences := why.Sentences(basis(ledger(rows)))

	for i, want := range []struct {
		text string
		rows int
	}{
		{"27.0 months of cash, until February 2029: $500k ÷ $18.5k net burn a month.", 0},
		{"November has burned $43.0k in 20 days. 27.0 months left, 2.3 less than on 31 October; the end moves from " +
			"April to February 2029.", 6},
		{"October took 16.2 months: cash fell $30.3k (-2.4), average burn rose to $18.5k (-13.8), " +
			"most of that as Anchor Insurance cost $9.1k more and Payroll cost $8.2k more than " +
			"in July (3 payments, not 2).", 13},
		{"October burned $17.7k more than September: Anchor Insurance cost $9.1k more (yearly), " +
			"Payroll cost $8.2k more (3 payments, not 2), other costs rose $0.4k.", 13},
		{"Customers owe $30.0k, of which $10.0k is overdue.", 0},
	} {
		if i >= len(sentences) || sentences[i].Text != want.text || len(sentences[i].Rows) != want.rows {
			t.Fatalf("sentence %d of %d is not %q with %d rows: %+v", i, len(sentences), want.text, want.rows, sentences)
		}
	}
}

// A dashboard renews its figures one by one. What cash and the current month say already does not
// wait for the rows.
func TestTheServersTotalOfTheCurrentMonthCountsBeforeTheRows(t *testing.T) {
	older := append(company(), row{"2026-11-09", "Landlord", -30_000_00, 0})
	newer := append(slices.Clone(older), row{"2026-11-10", "Acme", 20_000_00, 0})
	b := basis(ledger(older))
	soFar := int64(-22_990_00)
	b.SoFar = &soFar

	want, got := why.Sentences(basis(ledger(newer))), why.Sentences(b)

	if len(got) != len(want) || len(got) < 4 {
		t.Fatalf("%d sentences, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Text != want[i].Text {
			t.Errorf("%q, want %q", got[i].Text, want[i].Text)
		}
	}
	if got, want := why.MonthsLeft(b), why.MonthsLeft(basis(ledger(newer))); !maps.Equal(got, want) || len(got) == 0 {
		t.Errorf("left %v, want %v", got, want)
	}
	b.Begins = today
	if got := why.MonthsLeft(b); len(got) != 0 {
		t.Errorf("without a whole month, left %v", got)
	}
}

// In brief, the sentence about the runway names no counterparties.
func TestTheChangeOfTheRunwayHasABriefForm(t *testing.T) {
	const want = "October took 15.4 months: cash fell $30.3k (-2.4), average burn rose to $18.5k (-13.0)."

	sentences := why.Sentences(basis(ledger(company())))

	if !slices.ContainsFunc(sentences, func(s why.Sentence) bool { return s.Subject == why.Changed && s.Brief == want }) {
		t.Errorf("nothing says %q in brief: %+v", want, sentences)
	}
}

func TestASentenceThatLeavesRowsOutSaysAbout(t *testing.T) {
	l := ledger(append(company(), row{"2026-10-29", "Bazaar", -1, 0}))
	for i := range l.Rows {
		if l.Rows[i].CounterpartyName == "Bazaar" {
			l.Rows[i].Reporting = apiclient.UnknownAmount("USD")
		}
	}

	sentences := why.Sentences(basis(l))

	for _, want := range []string{
		"October took about 15.4 months: cash fell $30.3k (-2.4), average burn rose to $18.5k (-13.0), most of that as " +
			"Anchor Insurance cost $9.1k more and Payroll cost $8.2k more than in July (3 payments, not 2).",
		"October burned about $17.7k more than September: Anchor Insurance cost $9.1k more " +
			"(yearly), Payroll cost $8.2k more (3 payments, not 2), other costs rose $0.4k.",
	} {
		if !slices.ContainsFunc(sentences, func(s why.Sentence) bool { return s.Text == want }) {
			t.Errorf("nothing says %q: %+v", want, sentences)
		}
	}
}

func TestASentenceOfWhichAPartIsUnknownIsLeftOut(t *testing.T) {
	l := ledger(company())
	open := basis(l)
	open.Cash.Position.Extension = extension.Asking(readings.Unanswered{Questions: 1, InMinor: 5_000_00})
	asked := figures.CashOf(open.Cash.Position, figures.Window{})
	open.Cash = &asked
	uncovered := basis(ledger(company()))
	uncovered.Ledger.Coverage = figures.CoverageOf(&apiclient.CashPosition{
		AsOf: today.Time(), Extension: extension.Covering("", "2026-09-01..2026-09-09"),
	})
	asks := figures.Coverage{Unanswered: "1 unanswered question: $5,000.00 of money in is left out."}
	ofMonth := basis(ledger(append(company(), row{"2026-10-30", "Lender", 5_000_00, spending.Financing})))
	ofMonth.Ledger.Coverage = asks
	ofOthers := basis(ledger(company()))
	ofOthers.Ledger.Coverage = asks
	unknown := basis(l)
	unknown.Cash = &figures.Cash{}
	unread := basis(l)
	unread.Ledger = nil
	unowed := basis(l)
	unowed.Aging = &figures.Aging{}

	for name, c := range map[string]struct {
		basis why.Basis
		want  []why.Subject
	}{
		"all is known":             {basis(l), []why.Subject{why.Lasts, why.Changed, why.Worse, why.Owed}},
		"a question is open":       {open, []why.Subject{why.Lasts, why.Worse, why.Owed}},
		"of the month, too":        {ofMonth, []why.Subject{why.Lasts, why.Changed, why.Owed}},
		"but not of the month":     {ofOthers, []why.Subject{why.Lasts, why.Changed, why.Worse, why.Owed}},
		"days are not covered":     {uncovered, []why.Subject{why.Lasts, why.Owed}},
		"nothing is known of cash": {unknown, []why.Subject{why.Worse, why.Owed}},
		"the rows are not read":    {unread, []why.Subject{why.Lasts, why.Owed}},
		"nobody owes anything":     {unowed, []why.Subject{why.Lasts, why.Changed, why.Worse}},
	} {
		var got []why.Subject
		for _, s := range why.Sentences(c.basis) {
			if s.Subject != why.Used {
				got = append(got, s.Subject)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: the sentences are about %v, not %v", name, got, c.want)
		}
	}
}

// A page about the runway does not say one fact with two amounts: against July, and against the
// average of three months.
func TestAPageAboutTheRunwayNamesACounterpartyWithOneAmount(t *testing.T) {
	for name, c := range map[string]struct {
		rows []row
		want []why.Subject
	}{
		"counterparties are named": {company(), []why.Subject{why.Lasts, why.Used, why.Changed, why.Owed}},
		"none is": {append(company(), row{"2026-10-26", "Insurer", 17_723_00, 0}, row{"2026-09-26", "Insurer", -1_000_00, 0}),
			[]why.Subject{why.Lasts, why.Used, why.Changed, why.Worse, why.Owed}},
	} {
		var got []why.Subject
		for _, s := range why.OfRunway(why.Sentences(basis(ledger(c.rows)))) {
			got = append(got, s.Subject)
		}

		if !slices.Equal(got, c.want) {
			t.Errorf("%s: the sentences are about %v, not %v", name, got, c.want)
		}
	}
}

// One account is known to the 12th, and others for more days. Payroll of the 17th isn't counted.
func TestTheDaysOfAMonthAndTheMoneyThatTheyUsedAreTheSame(t *testing.T) {
	b := basis(ledger(company()))
	soFar := int64(-12_990_00)
	b.Today, b.SoFar = civil.New(2026, 11, 12), &soFar

	sentences := why.Sentences(b)

	at := slices.IndexFunc(sentences, func(s why.Sentence) bool { return s.Subject == why.Used })
	const want = "November has burned $4.8k in 12 days. 27.4 months left, 0.3 less than"
	if at < 0 || !strings.HasPrefix(sentences[at].Text, want) ||
		len(sentences[at].Rows) != 4 || sentences[at].Figures[0].Total.Minor != -4_790_00 {
		t.Errorf("it says %+v", sentences)
	}
}
