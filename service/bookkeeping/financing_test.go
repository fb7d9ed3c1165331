package bookkeeping_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/long"
	"tarmac/service/bookkeeping"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// tranche returns a statement of November with a payment of an investor.
func tranche(payer, amount string) statement {
	return statement{
		account: funded.account, first: "2026-11-01", last: "2026-11-20", lines: []line{{"2026-11-05", amount, "8", payer}},
	}
}

func TestAnAnswerAboutAPayerHoldsForLaterPayments(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", funded.ofx()))
	answer(t, b, "Ada Ventures", "yes")

	second := take(t, b, source("b.qfx", tranche("ADA VENTURES II", "75000.00").ofx()))

	if texts := strings.Join(questionsOf(t, b), "\n"); strings.Contains(strings.ToUpper(texts), "ADA") {
		t.Errorf("it is asked again: %s", texts)
	}
	checkNames(t, b, "Gusto/", "Ada Ventures/financing", "Blue Capital/financing", "Jo Angel/financing", "Gusto/",
		"Max Angel/financing", "Gusto/", "ADA VENTURES II/financing")
	checkDerivedAnew(t, b)
	if _, err := b.Undo(t.Context(), string(second.Import)); err != nil {
		t.Fatal(err)
	}
	take(t, b, source("c.qfx", tranche("Ada Ventures", "75000.01").ofx()))
	want := "75,000.01 USD from Ada Ventures on 2026-11-05: is it investors' or a lender's money? " +
		"Smaller payments are, as you said."
	if got := questionsOf(t, b); !slices.Contains(got, want) {
		t.Errorf("it asks %q", got)
	}
}

func TestPaymentsOfOnePayerAreOneQuestion(t *testing.T) {
	b := newBooks(t)
	twice := funded
	twice.lines = append([]line{{"2026-09-25", "60000.00", "8", "Ada Ventures"}}, twice.lines...)

	take(t, b, source("a.qfx", twice.ofx()))

	questions, err := b.Questions(t.Context())
	at := slices.IndexFunc(questions, func(q ownbooks.OpenQuestion) bool { return strings.Contains(q.Text, "Ada") })
	want := "85,000.00 USD from Ada Ventures in 2 payments on 2026-09-03 and 2026-09-25: is it investors' " +
		"or a lender's money?"
	if err != nil || at < 0 || questions[at].Text != want || questions[at].Date != "2026-09-03" {
		t.Errorf("it asks %+v, %v", questions, err)
	}
}

// Banks that write nothing but references name nobody, and may not ask about each payment.
func TestPaymentsOfDigitsAreOneQuestionForTheirSize(t *testing.T) {
	b := newBooks(t)
	numbers := funded
	numbers.lines = append([]line{
		{"2026-08-12", "70000.00", "20", "88041236"}, {"2026-09-12", "72000.00", "21", "88041377"},
	}, funded.lines...)
	take(t, b, source("a.qfx", numbers.ofx()))
	want := "142,000.00 USD from a payer without a name in 2 payments on 2026-08-12 and 2026-09-12: is it investors' " +
		"or a lender's money?"
	if got := questionsOf(t, b); !slices.Contains(got, want) {
		t.Fatalf("it asks %q", got)
	}

	answer(t, b, "a payer without a name", "no")
	take(t, b, source("b.qfx", tranche("88041509", "71000.00").ofx()))

	if got := strings.Join(questionsOf(t, b), "\n"); strings.Contains(got, "without a name") {
		t.Errorf("it asks again: %s", got)
	}
	checkDerivedAnew(t, b)
}

// Earlier versions stored answers by payer and month.
func TestAnswersOfEarlierVersionsHold(t *testing.T) {
	b := newBooks(t)
	err := b.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.SetBookAnswer(b.Org, "financing 2026-09 ADA VENTURES INV 17", "no")
	})
	if err != nil {
		t.Fatal(err)
	}

	take(t, b, source("a.qfx", funded.ofx()))

	if texts := questionsOf(t, b); len(texts) != 3 {
		t.Errorf("it asks %q", texts)
	}
	if got := burnOf(t, b); got != (3*41_500_00-25_000_00)/3 {
		t.Errorf("burn is %d", got)
	}
}

// Earlier versions stored answers about payments without a name by the ids of their transactions.
func TestAnswersOfEarlierVersionsAboutPaymentsWithoutANameHold(t *testing.T) {
	for _, key := range []string{"payer 1 %s", "financing 2026-09 %s"} {
		b := newBooks(t)
		numbers := funded
		numbers.lines = append([]line{{"2026-09-12", "70000.00", "20", "88041236"}}, funded.lines...)
		done := take(t, b, source("a.qfx", numbers.ofx()))
		var unnamed string
		err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
			page, err := snap.Transactions(b.Org, ledger.Filter{}, nil, 100)
			at := slices.IndexFunc(page.Rows, func(row ledger.Transaction) bool { return row.AmountMinor == 70_000_00 })
			unnamed = page.Rows[at].ID
			return err
		})
		if err == nil {
			err = b.Store.Write(t.Context(), func(tx *store.Tx) error {
				return tx.SetBookAnswer(b.Org, fmt.Sprintf(key, unnamed), "yes 7000000")
			})
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Undo(t.Context(), string(done.Import)); err != nil {
			t.Fatal(err)
		}

		take(t, b, source("a.qfx", numbers.ofx()))
		given, err := b.GivenAnswers(t.Context())

		if texts := questionsOf(t, b); len(texts) != 4 || strings.Contains(strings.Join(texts, "\n"), "without a name") {
			t.Errorf("%s: it asks %q", key, texts)
		}
		if names := namesOf(t, b); !slices.Contains(names, ledger.UnknownCounterparty+"/"+ledger.CategoryFinancing) {
			t.Errorf("%s: transactions are %q", key, names)
		}
		want := "Money from a payer without a name: is it investors' or a lender's?"
		if err != nil || len(given) != 1 || given[0].Text != want || given[0].Given != "yes" {
			t.Errorf("%s: given are %+v, %v", key, given, err)
		}
		checkDerivedAnew(t, b)
	}
}

func TestAQuestionSaysWhatAnAnswerChanges(t *testing.T) {
	b := newBooks(t)
	other := funded
	other.lines = append(
		[]line{{"2026-10-20", "140000.00", "9", "Fjord Holdings"}, {"2026-06-03", "90000.00", "10", "Early"}},
		other.lines...)
	other.first = "2026-06-01"
	take(t, b, source("a.qfx", other.ofx()))

	questions, err := b.Questions(t.Context())
	if err != nil {
		t.Fatal(err)
	}

	got := map[string]string{}
	for _, q := range questions {
		payer := strings.Fields(q.Text)[3]
		got[payer] = q.Choices[0].Changes + "; " + q.Choices[1].Changes
		if with := q.Choices[1].BurnCents; with != nil {
			before := burnOf(t, b)
			answer(t, b, payer, "no")
			if after := burnOf(t, b); *q.Choices[0].BurnCents != before || *with != max(0, after) && *with != after+1 {
				t.Errorf("%s: burn is %d and then %d, but the choices are %+v", payer, before, after, q.Choices)
			}
			answerAgain(t, b, q.ID, "yes")
		}
	}
	if got["Fjord"] != "net burn is $41,500.00 a month; no net burn" || got["Early"] != "; " ||
		got["Ada"] != "net burn is $41,500.00 a month; net burn is $33,166.67 a month" {
		t.Errorf("the changes are %q", got)
	}
}

func answerAgain(t *testing.T, b *bookkeeping.Books, id, with string) {
	t.Helper()
	if _, err := b.Answer(t.Context(), id, with); err != nil {
		t.Fatal(err)
	}
}

func TestARuleBeatsAnAnswerAboutAPayer(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", funded.ofx()))
	answer(t, b, "Ada Ventures", "yes")

	_, err := b.EditRules(t.Context(), func(string) string { return "[[rule]]\nmatch = \"Ada\"\ncategory = \"sales\"\n" })

	if err != nil {
		t.Fatal(err)
	}
	if names := namesOf(t, b); names[1] != "Ada Ventures/sales" {
		t.Errorf("transactions are %q", names)
	}
}

// An answer and an import make the same books in either order, also if imports are undone and
// repeated between them.
func TestAnswersCommuteWithImports(t *testing.T) {
	long.Cases(t, 3, 15)
	shared := newBooks(t)
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.SampledFrom([]string{"25000.00", "60000.00", "75000.00"}).Draw(t, "amount")
		payer := rapid.SampledFrom([]string{"ADA VENTURES LP", "Ada Capital", "Somebody"}).Draw(t, "payer")
		first, second := source("a.qfx", funded.ofx()), source("b.qfx", tranche(payer, amount).ofx())
		with := rapid.SampledFrom([]string{"yes", "no"}).Draw(t, "answer")

		early := &answeredBooks{t, newCompanyBooks(t, shared)}
		early.take(first)
		early.answer(with)
		early.take(second)
		late := &answeredBooks{t, newCompanyBooks(t, shared)}
		for _, file := range rapid.Permutation([]bookkeeping.Source{first, second}).Draw(t, "order") {
			late.undo(late.take(file))
			late.take(file)
		}
		if !late.answer(with) {
			t.Skip("the payer is not asked about any more")
		}

		if got, want := early.picture(), late.picture(); got != want {
			t.Fatalf("the books are\n%s\nwant\n%s", got, want)
		}
		early.undo(early.take(tranche(payer, "1.00").source()))
		if different, err := early.b.DerivedAnew(t.Context()); different != 0 || err != nil {
			t.Fatalf("%d transactions are not as if all were derived anew, %v", different, err)
		}
	})
}

func (s statement) source() bookkeeping.Source { return source("c.qfx", s.ofx()) }

// answeredBooks are books in which the question about Ada Ventures is answered.
type answeredBooks struct {
	*rapid.T
	b *bookkeeping.Books
}

func (a *answeredBooks) take(file bookkeeping.Source) string {
	if content, ok := file.Content.(io.Seeker); ok {
		_, _ = content.Seek(0, io.SeekStart)
	}
	report, err := a.b.Import(a.Context(), []bookkeeping.Source{file}, bookkeeping.Options{})
	if err != nil || report.Import == "" {
		a.Fatalf("importing %s: %+v, %v", file.Name, report, err)
	}
	return string(report.Import)
}

func (a *answeredBooks) undo(id string) {
	if _, err := a.b.Undo(a.Context(), id); err != nil {
		a.Fatal(err)
	}
}

// answer returns false if nobody asks about the payer.
func (a *answeredBooks) answer(with string) bool {
	questions, err := a.b.Questions(a.Context())
	at := slices.IndexFunc(questions, func(q ownbooks.OpenQuestion) bool { return strings.Contains(q.Text, "Ada V") })
	if err == nil && at < 0 {
		at = slices.IndexFunc(questions, func(q ownbooks.OpenQuestion) bool { return strings.Contains(q.Text, "ADA V") })
	}
	if err == nil && at >= 0 {
		_, err = a.b.Answer(a.Context(), questions[at].ID, with)
	}
	if err != nil {
		a.Fatal(err)
	}
	return at >= 0
}

// picture describes the transactions and the open questions.
func (a *answeredBooks) picture() string {
	var b strings.Builder
	page, _, err := a.b.Store.Listing(a.Context(), a.b.Org, ledger.Filter{}, nil, 1000)
	if err != nil {
		a.Fatal(err)
	}
	for _, row := range page.Rows {
		fmt.Fprintf(&b, "%s %s %s/%s\n", row.Date, row.ID[len("txn_"):][:10], row.Counterparty, row.Category)
	}
	questions, err := a.b.Questions(a.Context())
	if err != nil {
		a.Fatal(err)
	}
	for _, q := range questions {
		fmt.Fprintf(&b, "%s %s %+v\n", q.ID, q.Text, q.Choices[1].Changes)
	}
	return b.String()
}
