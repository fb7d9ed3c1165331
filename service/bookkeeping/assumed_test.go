package bookkeeping_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/bookkeeping"
	"tarmac/service/bookrules"
	"tarmac/service/cutoff"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// cutOffs says of each account to which day it is known and why, such as "…6789 to 2026-10-31 by
// statement", in the order of the names.
func cutOffs(t *testing.T, b *bookkeeping.Books) (known []string) {
	t.Helper()
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		accounts, err := bookkeeping.CoveredAccounts(snap, b.Org)
		for _, c := range cutoff.Of(accounts, civil.Of(now)).Accounts {
			text := fmt.Sprintf("%s %s", c.Label(), c.State)
			for _, k := range [...]cutoff.Known{c.ProvenTo, c.AssumedTo} {
				if k.Day > 0 {
					text += fmt.Sprintf(", to %s by %s", k.Day.Date(), k.Source)
				}
			}
			known = append(known, text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(known)
	return known
}

func checkCutOff(t *testing.T, b *bookkeeping.Books, want ...string) {
	t.Helper()
	if got := cutOffs(t, b); !slices.Equal(got, want) {
		t.Errorf("known is\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const plainTable = "Date,Payee,Amount,Balance\n" +
	"2026-09-02,Landlord,-500.00,1500.00\n2026-10-15,Customer,1200.00,2700.00\n"

// namedTable returns a CSV file of an account that states no period, imported under a name.
func namedTable(name, account, text string) bookkeeping.Source {
	s := source(name, text)
	s.Options = bank.Options{Account: account, Currency: "USD"}
	return s
}

func TestThePeriodInAFileNameIsWeakerEvidence(t *testing.T) {
	for name, want := range map[string]string{
		"N26_2026-09-01_2026-11-14.csv": "…9999 current, to 2026-10-15 by statement, to 2026-11-14 by file_name",
		// The file was made today.
		"N26_2026-09-01_2026-12-31.csv": "…9999 current, to 2026-10-15 by statement, to 2026-11-21 by file_name",
		// A line is of a day before.
		"N26_2026-09-10_2026-11-14.csv": "…9999 current, to 2026-10-15 by statement",
		"N26.csv":                       "…9999 current, to 2026-10-15 by statement",
	} {
		b := newBooks(t)
		take(t, b, namedTable(name, "999999", plainTable))

		checkCutOff(t, b, want)
	}
}

func TestAStatedPeriodIsStrongerThanAFileName(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a_2026-08-01_2026-11-14.qfx", september.ofx()))

	checkCutOff(t, b, "…6789 current, to 2026-09-30 by statement")
}

func TestDaysOfAKnownFileAreANewFactThatIsUndoneByItself(t *testing.T) {
	b := newBooks(t)
	take(t, b, namedTable("a.csv", "999999", plainTable))
	covers := bookkeeping.Options{Covers: bookrules.Span{First: dayNumber("2026-09-01"), Last: dayNumber("2026-10-31")}}

	said := importWith(t, b, covers, namedTable("a.csv", "999999", plainTable))
	checkCutOff(t, b, "…9999 current, to 2026-10-31 by covers")

	if _, err := b.Undo(t.Context(), string(said.Import)); err != nil {
		t.Fatal(err)
	}
	checkCutOff(t, b, "…9999 current, to 2026-10-15 by statement")
	checkLedger(t, b, "2026-09-02 -50000 Landlord", "2026-10-15 +120000 Customer")
}

func dayNumber(text string) bookrules.Day { return bookrules.DayOf(civil.MustParse(text)) }

func TestAnEqualBalanceOfALaterDayIsWeakerEvidence(t *testing.T) {
	for balance, want := range map[string]string{
		"2,700.00 2026-11-10": "…9999 current, to 2026-10-15 by statement, to 2026-11-10 by balance",
		"2,600.00 2026-11-10": "…9999 current, to 2026-10-15 by statement",
	} {
		b := newBooks(t)
		take(t, b, namedTable("a.csv", "999999", plainTable))
		if _, err := b.StateBalance(t.Context(), "9999", balance); err != nil {
			t.Fatal(err)
		}
		checkCutOff(t, b, want)
	}
}

// operatingYear is an account that is paid into and out of each month, up to a day.
func operatingYear(last string, more ...line) bookkeeping.Source {
	s := statement{account: "00123456789", first: "2025-11-01", last: last, closing: "90000.00", closedOn: last}
	for n := range 12 {
		day := civil.MustParse("2025-11-05").AddMonths(n).String()
		s.lines = append(s.lines, line{day, "-1000.00", "r" + day, "Landlord"})
	}
	s.lines = append(s.lines, more...)
	return source("operating.qfx", s.ofx())
}

// deposit is a savings account with interest each quarter, up to 30 September.
func deposit(more ...line) statement {
	s := statement{
		account: "00123457733", first: "2025-10-01", last: "2026-09-30", closing: "50000.00", closedOn: "2026-09-30",
		lines: []line{
			{"2025-12-31", "120.00", "1", "GROSS INTEREST"}, {"2026-03-31", "120.00", "2", "GROSS INTEREST"},
			{"2026-06-30", "120.00", "3", "GROSS INTEREST"}, {"2026-09-30", "120.00", "4", "GROSS INTEREST"},
		},
	}
	s.lines = append(s.lines, more...)
	return s
}

func TestAQuietAccountIsAssumedUnchangedUpToTheOthers(t *testing.T) {
	b := newBooks(t)
	take(t, b, operatingYear("2026-11-20"), source("deposit.qfx", deposit().ofx()))

	checkCutOff(t, b, "…6789 current, to 2026-11-20 by statement",
		"…7733 current, to 2026-09-30 by statement, to 2026-11-20 by quiet")

	answer(t, b, "…7733 has no lines since 2026-09-30", "yes")
	checkCutOff(t, b, "…6789 current, to 2026-11-20 by statement",
		"…7733 current, to 2026-09-30 by statement, to 2026-11-20 by answer")
}

func TestAnAnswerHoldsForItsDaysAndLaterOnesAreAskedAbout(t *testing.T) {
	b := newBooks(t)
	take(t, b, operatingYear("2026-11-10"), source("deposit.qfx", deposit().ofx()))
	answer(t, b, "…7733 has no lines since 2026-09-30", "yes")

	take(t, b, operatingYear("2026-11-20"))

	checkCutOff(t, b, "…6789 current, to 2026-11-20 by statement",
		"…7733 current, to 2026-09-30 by statement, to 2026-11-20 by quiet")
	answer(t, b, "…7733 has no lines since 2026-11-10", "yes")
	checkCutOff(t, b, "…6789 current, to 2026-11-20 by statement",
		"…7733 current, to 2026-09-30 by statement, to 2026-11-20 by answer")
	if given, err := b.GivenAnswers(t.Context()); err != nil || len(given) == 0 {
		t.Errorf("the answers are %v, %v", given, err)
	}
}

func TestAnAnswerThatAnAccountHasMovedEndsTheAssumption(t *testing.T) {
	b := newBooks(t)
	take(t, b, operatingYear("2026-11-20"), source("deposit.qfx", deposit().ofx()))
	answer(t, b, "…7733 has no lines since 2026-09-30", "no")
	both := []string{
		"…6789 current, to 2026-11-20 by statement", "…7733 forgotten, to 2026-09-30 by statement",
	}
	checkCutOff(t, b, both...)

	// A newer file asks again, because the account has been silent for other days.
	next := deposit()
	next.first, next.last, next.closedOn, next.lines = "2026-10-01", "2026-10-31", "2026-10-31", nil
	take(t, b, source("next.qfx", next.ofx()))
	both[1] = "…7733 current, to 2026-10-31 by statement, to 2026-11-20 by quiet"
	checkCutOff(t, b, both...)
}

func TestATransferOnAnotherStatementDisprovesAQuietAccount(t *testing.T) {
	b := newBooks(t)
	take(t, b, operatingYear("2026-11-20", line{"2026-10-20", "-7000.00", "x", "Transfer to 00123457733"}),
		source("deposit.qfx", deposit().ofx()))

	checkCutOff(t, b, "…6789 current, to 2026-11-20 by statement", "…7733 forgotten, to 2026-09-30 by statement")
}

func TestAnAccountThatPaysSalariesIsNotQuiet(t *testing.T) {
	b := newBooks(t)
	payroll := deposit(line{"2026-04-28", "-900.00", "s", "A ODUYA SALARY"})
	take(t, b, operatingYear("2026-11-20"), source("payroll.qfx", payroll.ofx()))

	checkCutOff(t, b, "…6789 current, to 2026-11-20 by statement", "…7733 forgotten, to 2026-09-30 by statement")
}

// emptied is an account that is emptied on 1 September, with a text.
func emptied(text string) statement {
	return statement{
		account: "00555555555", first: "2025-10-01", last: "2026-09-05", closing: "0.00", closedOn: "2026-09-05",
		lines: []line{{"2025-10-02", "800.00", "1", "Customer"}, {"2026-09-01", "-800.00", "2", text}},
	}
}

func TestAnAccountWithAClosingNoticeIsClosed(t *testing.T) {
	for text, state := range map[string]string{
		"ACCOUNT CLOSURE": "…5555 closed", "CURRENT ACCOUNT SWITCH SERVICE": "…5555 closed",
		"KONTOAUFLOESUNG":     "…5555 closed",
		"Closing payment Ltd": "…5555 forgotten, to 2026-09-05 by statement",
	} {
		b := newBooks(t)
		take(t, b, operatingYear("2026-11-20"), source("old.qfx", emptied(text).ofx()))

		checkCutOff(t, b, state, "…6789 current, to 2026-11-20 by statement")
	}
}

func TestAnEmptyAccountWithoutNewerStatementsIsAskedAbout(t *testing.T) {
	b := newBooks(t)
	old := source("old.qfx", emptied("Harbour Ltd").ofx())
	first := take(t, b, operatingYear("2026-11-20"), old)

	answer(t, b, "…5555 is empty", "yes")
	want := []string{"…5555 closed", "…6789 current, to 2026-11-20 by statement"}
	checkCutOff(t, b, want...)

	if _, err := b.Undo(t.Context(), string(first.Import)); err != nil {
		t.Fatal(err)
	}
	take(t, b, source("old.qfx", emptied("Harbour Ltd").ofx()), operatingYear("2026-11-20"))
	checkCutOff(t, b, want...)
}

func TestAClosedAccountMayBeOpenedAgain(t *testing.T) {
	b := newBooks(t)
	again := statement{
		account: "00555555555", first: "2026-10-10", last: "2026-11-20", closing: "70.00", closedOn: "2026-11-20",
		lines: []line{{"2026-10-12", "70.00", "3", "Customer"}},
	}
	take(t, b, operatingYear("2026-11-20"), source("old.qfx", emptied("ACCOUNT CLOSED").ofx()),
		source("again.qfx", again.ofx()))

	checkCutOff(t, b, "…5555 current, to 2026-11-20 by statement", "…6789 current, to 2026-11-20 by statement")
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		accounts, err := bookkeeping.CoveredAccounts(snap, b.Org)
		if known := cutoff.Of(accounts, civil.Of(now)); !slices.ContainsFunc(known.Uncovered, func(s bookrules.Span) bool {
			return s.Last > dayNumber("2025-11-01")
		}) {
			return err
		}
		t.Error("days between are missing")
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestTheOrderOfFilesDoesNotChangeWhatIsKnown(t *testing.T) {
	files := func() []bookkeeping.Source {
		return []bookkeeping.Source{
			operatingYear("2026-11-20"), source("deposit.qfx", deposit().ofx()),
			source("old.qfx", emptied("ACCOUNT CLOSURE").ofx()),
			namedTable("N26_2026-09-01_2026-11-14.csv", "999999", plainTable),
		}
	}
	together, apart := newBooks(t), newBooks(t)
	take(t, together, files()...)
	for n := range 4 {
		take(t, apart, files()[3-n])
	}

	checkCutOff(t, apart, cutOffs(t, together)...)
}

func TestAccountsSayWhatIsAssumedOfThem(t *testing.T) {
	b := newBooks(t)
	take(t, b, operatingYear("2026-11-20"), source("deposit.qfx", deposit().ofx()),
		source("old.qfx", emptied("ACCOUNT CLOSURE").ofx()))

	accounts, err := b.Accounts(t.Context())

	var said []string
	for _, a := range accounts {
		text := a.Number
		if a.AssumedTo != nil {
			text += " " + a.AssumedTo.Day.String() + " " + a.AssumedTo.Source
		}
		if a.Closed {
			text += " closed"
		}
		said = append(said, text)
	}
	if want := []string{"…6789", "…7733 2026-11-20 quiet", "…5555 closed"}; err != nil || !slices.Equal(said, want) {
		t.Errorf("the accounts say %q, %v", said, err)
	}
}
