package bookkeeping_test

import (
	"slices"
	"strings"
	"testing"

	"tarmac/service/bookkeeping"
	"tarmac/service/statements/bank"
)

// cardFile returns a CSV file of an account with the given lines.
func cardFile(account, lines string) string {
	return "Account number," + account + "\nCurrency,USD\n\nDate,Description,Amount\n" + lines
}

// Files whose amounts are all positive, and whose dates fit two orders.
const (
	openLines      = "03/04/2026,CAFE,4.10\n05/06/2026,BOOKS,20.00\n"
	openLinesLater = "06/05/2026,CAFE,4.20\n07/08/2026,TOOLS,30.00\n"
)

// read imports a file with options.
func read(t *testing.T, b *bookkeeping.Books, content string, options bank.Options) bookkeeping.FileReport {
	t.Helper()
	s := source("a.csv", content)
	s.Options = options
	report, err := b.Import(t.Context(), []bookkeeping.Source{s}, bookkeeping.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report.Files[0]
}

func TestChoicesForColumnsAreUsedAgain(t *testing.T) {
	b := newBooks(t)
	if first := read(t, b, cardFile("00123456789", openLines), bank.Options{}); first.Question == nil {
		t.Fatalf("nothing is asked: %+v", first)
	}
	chosen := bank.Options{DateOrder: bank.DayFirst, Sign: bank.OutPositive}
	if first := read(t, b, cardFile("00123456789", openLines), chosen); first.Error != "" {
		t.Fatal(first.Error)
	}

	// Another account with the same columns, and the first one again.
	second := read(t, b, cardFile("00999999999", openLinesLater), bank.Options{})
	again := read(t, b, cardFile("00123456789", openLines), bank.Options{})

	want := []string{
		"read with --date-format dmy, as answered before for files with these columns",
		"read with --sign out-positive, as answered before for files with these columns",
	}
	if second.Error != "" || !slices.Equal(second.Problems, want) {
		t.Errorf("the second account: %+v", second)
	}
	if second.Statements[0].Account != "…9999" {
		t.Errorf("the account is %s", second.Statements[0].Account)
	}
	if !slices.Contains(again.Problems, "imported before: the same csv file") {
		t.Errorf("the same file again: %+v", again)
	}
	checkLedger(t, b, "2026-04-03 -410 CAFE", "2026-05-06 -420 CAFE", "2026-06-05 -2000 BOOKS", "2026-08-07 -3000 TOOLS")
}

func TestFlagsWinOverEarlierChoices(t *testing.T) {
	b := newBooks(t)
	read(t, b, cardFile("00123456789", openLines), bank.Options{DateOrder: bank.DayFirst, Sign: bank.OutPositive})

	now := read(t, b, cardFile("00999999999", openLinesLater), bank.Options{DateOrder: bank.MonthFirst})
	next := read(t, b, cardFile("00888888888", openLinesLater), bank.Options{})

	if len(now.Problems) != 1 || !strings.Contains(now.Problems[0], "--sign") ||
		*now.Statements[0].FirstDate != "2026-06-05" {
		t.Errorf("with a flag: %+v", now)
	}
	if *next.Statements[0].FirstDate != "2026-06-05" {
		t.Errorf("the newer choice does not hold: %+v", next)
	}
}

func TestChoicesThatAFileDoesNotNeedAreNotRemembered(t *testing.T) {
	b := newBooks(t)
	decided := cardFile("00123456789", "31/03/2026,CAFE,-4.10\n05/06/2026,CUSTOMER,20.00\n")
	read(t, b, decided, bank.Options{DateOrder: bank.DayFirst, Sign: bank.OutPositive})

	later := read(t, b, cardFile("00123456789", openLines), bank.Options{})

	if later.Question == nil {
		t.Errorf("a choice was remembered: %+v", later)
	}
}

func TestAPreviewRemembersNoChoice(t *testing.T) {
	b := newBooks(t)
	s := source("a.csv", cardFile("00123456789", openLines))
	s.Options = bank.Options{DateOrder: bank.DayFirst, Sign: bank.OutPositive}
	_, err := b.Import(t.Context(), []bookkeeping.Source{s}, bookkeeping.Options{Preview: true})
	if err != nil {
		t.Fatal(err)
	}

	if later := read(t, b, cardFile("00123456789", openLines), bank.Options{}); later.Question == nil {
		t.Errorf("a choice was remembered: %+v", later)
	}
}

func TestColumnsAreAnotherMakingThanOtherColumns(t *testing.T) {
	b := newBooks(t)
	read(t, b, cardFile("00123456789", openLines), bank.Options{DateOrder: bank.DayFirst, Sign: bank.OutPositive})
	other := strings.Replace(cardFile("00123456789", openLinesLater), "Description", "Text", 1)

	if later := read(t, b, other, bank.Options{}); later.Question == nil {
		t.Errorf("a choice for other columns was used: %+v", later)
	}
}
