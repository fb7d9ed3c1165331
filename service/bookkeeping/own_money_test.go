package bookkeeping_test

import (
	"fmt"
	"strings"
	"testing"

	"tarmac/service/bookkeeping"
	"tarmac/service/store"
)

// monthlySavings returns statements of two accounts between which money moves each month until
// the given month. The texts say nothing.
func monthlySavings(until int) []bookkeeping.Source {
	first := statement{account: "00123456789", first: "2026-05-01", last: fmt.Sprintf("2026-%02d-28", until)}
	second := statement{account: "00987654321", first: "2026-05-01", last: fmt.Sprintf("2026-%02d-28", until)}
	for month := 5; month <= until; month++ {
		amount := 4000 + 250*(month%3)
		first.lines = append(first.lines, line{fmt.Sprintf("2026-%02d-06", month), fmt.Sprintf("-%d.00", amount),
			fmt.Sprint(month), "Tax pot"})
		second.lines = append(second.lines, line{fmt.Sprintf("2026-%02d-07", month), fmt.Sprintf("%d.00", amount),
			fmt.Sprint(month), "Deposit"})
	}
	return []bookkeeping.Source{
		source(fmt.Sprintf("a%d.qfx", until), first.ofx()), source(fmt.Sprintf("b%d.qfx", until), second.ofx()),
	}
}

func TestTransfersAlikeAreOneQuestion(t *testing.T) {
	b := newBooks(t)
	take(t, b, monthlySavings(8)...)

	asked := questionsOf(t, b)

	want := "…6789 (Tax pot) → …4321 (Deposit), 4 times, 17,250.00 USD in all: own transfers?"
	if len(asked) != 1 || asked[0] != want {
		t.Errorf("asked are %q", asked)
	}
	answer(t, b, "own transfers", "yes")
	if after := transfersOf(t, b); len(after.Transfers) != 4 || after.Transfers[0].Out.Evidence != "answer" ||
		len(questionsOf(t, b)) > 0 {
		t.Errorf("there are %+v", after)
	}
}

func TestAnAnswerAboutTransfersHoldsForLaterFiles(t *testing.T) {
	for yes, transfers := range map[string]int{"yes": 6, "no": 0} {
		b := newBooks(t)
		take(t, b, monthlySavings(8)...)
		answer(t, b, "own transfers", yes)
		imports, err := b.Imports(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Undo(t.Context(), imports[0].ID); err != nil {
			t.Fatal(err)
		}

		later := monthlySavings(10)
		take(t, b, later[1])
		take(t, b, later[0])

		asked := strings.Join(questionsOf(t, b), "\n")
		if after := transfersOf(t, b); len(after.Transfers) != transfers || strings.Contains(asked, "transfer") {
			t.Errorf("%s: %d transfers, asked is %s", yes, len(after.Transfers), asked)
		}
	}
}

func TestAnAnswerAboutTransfersCanBeTakenBack(t *testing.T) {
	b := newBooks(t)
	take(t, b, monthlySavings(8)...)
	done := answer(t, b, "own transfers", "no")
	given, err := b.GivenAnswers(t.Context())
	if err != nil || len(given) != 1 || given[0].Given != "no" || given[0].ID != done.ID {
		t.Fatalf("answers are %+v, %v", given, err)
	}

	_, err = b.Answer(t.Context(), done.ID, "open")

	if asked := questionsOf(t, b); err != nil || len(asked) != 1 {
		t.Errorf("asked are %q, %v", asked, err)
	}
}

// One of two lines can be decided apart from those like it.
func TestAPairIsDecidedAgainstTheAnswerAboutAll(t *testing.T) {
	b := newBooks(t)
	take(t, b, monthlySavings(8)...)
	answer(t, b, "own transfers", "yes")

	_, err := b.DecideTransfer(t.Context(), transfersOf(t, b).Transfers[0].ID, false)

	if after := transfersOf(t, b); err != nil || len(after.Transfers) != 3 {
		t.Errorf("there are %+v, %v", after, err)
	}
}

// rename makes the books those of another company.
func rename(t *testing.T, b *bookkeeping.Books, company string) {
	t.Helper()
	err := b.Store.Write(t.Context(), func(tx *store.Tx) (err error) {
		b.Org, err = tx.CreateOrganization(store.Organization{PublicID: "org_b", Name: company, CreatedAt: now})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// named returns a statement with payments that name the company.
func named(account, sign string) statement {
	s := statement{account: account, first: "2026-08-01", last: "2026-10-31"}
	for n, day := range []string{"2026-08-05", "2026-09-07", "2026-10-06"} {
		s.lines = append(s.lines, line{day, sign + "9000.00", fmt.Sprint(n), "Kestrel Works Ltd"})
	}
	return s
}

func TestMoneyForAnOwnAccountThatIsNotImportedIsAskedAbout(t *testing.T) {
	b := newBooks(t)
	rename(t, b, "Kestrel Works Ltd")
	take(t, b, source("a.qfx", named("00123456789", "-").ofx()))

	asked := questionsOf(t, b)
	if len(asked) != 1 || !strings.Contains(asked[0],
		"3 times, 27,000.00 USD in all to Kestrel Works Ltd: is it your own money") {
		t.Errorf("asked are %q", asked)
	}
	if got := burnOf(t, b); got != 0 {
		t.Errorf("burn is %d", got)
	}
	answer(t, b, "own money", "no")
	if got := burnOf(t, b); got != 9000_00 {
		t.Errorf("burn is %d", got)
	}
}

// Whichever file comes first, and whatever was answered before, both lines are a transfer in the
// end.
func TestTheOtherHalfOfOwnMoneyIsImportedLater(t *testing.T) {
	for _, answered := range []string{"", "yes", "no"} {
		b := newBooks(t)
		rename(t, b, "Kestrel Works Ltd")
		take(t, b, source("a.qfx", named("00123456789", "-").ofx()))
		if answered != "" {
			answer(t, b, "own money", answered)
		}

		take(t, b, source("b.qfx", named("00987654321", "").ofx()))

		if after := transfersOf(t, b); len(after.Transfers) != 3 || after.Transfers[0].In.Evidence != "company name" {
			t.Errorf("%q: there are %+v", answered, after)
		}
		checkLedger(t, b)
		if asked := questionsOf(t, b); len(asked) > 0 {
			t.Errorf("%q: asked are %q", answered, asked)
		}
	}
}

// A company's name that was wrong at the import is corrected later: payments to itself are then its
// own money.
func TestACorrectedNameOfTheCompanyDecidesAboutOwnMoneyAgain(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", named("00123456789", "-").ofx()), source("b.qfx", named("00987654321", "").ofx()))
	if before := transfersOf(t, b); len(before.Transfers) != 0 {
		t.Fatalf("there are %+v", before)
	}

	done, err := b.SetCompany(t.Context(), "Kestrel Works Ltd")

	if err != nil || done.Before != "Harbour Works" || done.Name != "Kestrel Works Ltd" || done.ChangedRows == 0 {
		t.Fatalf("it has done %+v, %v", done, err)
	}
	if after := transfersOf(t, b); len(after.Transfers) != 3 || after.Transfers[0].In.Evidence != "company name" {
		t.Errorf("there are %+v", after)
	}
	if name, err := b.CompanyName(t.Context()); err != nil || name != "Kestrel Works Ltd" {
		t.Errorf("it is called %q, %v", name, err)
	}
	checkLedger(t, b)
}
