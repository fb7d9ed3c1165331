package bookkeeping_test

import (
	"slices"
	"strings"
	"testing"

	"tarmac/internal/ownbooks"
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
func read(t *testing.T, b *bookkeeping.Books, content string, options bank.Options) ownbooks.FileReport {
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

	// A later file of the account, another account with the same columns, and the first file again.
	second := read(t, b, cardFile("123456789", openLinesLater), bank.Options{})
	other := read(t, b, cardFile("00999999999", openLinesLater), bank.Options{})
	again := read(t, b, cardFile("00123456789", openLines), bank.Options{})

	want := []string{
		"read with --date-format dmy, as answered before for files with these columns",
		"read with --sign out-positive, as answered before for this account and these columns",
	}
	if second.Error != "" || !slices.Equal(second.Problems, want) {
		t.Errorf("the second file: %+v", second)
	}
	if other.Question == nil || other.Question.Flag != "--sign" {
		t.Errorf("the sign of another account is not asked: %+v", other)
	}
	if !slices.Contains(again.Problems, "imported before: the same csv file") {
		t.Errorf("the same file again: %+v", again)
	}
	checkLedger(t, b, "2026-04-03 -410 CAFE", "2026-05-06 -420 CAFE", "2026-06-05 -2000 BOOKS", "2026-08-07 -3000 TOOLS")
}

func TestFlagsWinOverEarlierChoices(t *testing.T) {
	b := newBooks(t)
	read(t, b, cardFile("00123456789", openLines), bank.Options{DateOrder: bank.DayFirst, Sign: bank.OutPositive})

	now := read(t, b, cardFile("00123456789", openLinesLater), bank.Options{DateOrder: bank.MonthFirst})
	next := read(t, b, cardFile("00888888888", openLinesLater), bank.Options{Sign: bank.OutPositive})

	if len(now.Problems) != 1 || !strings.Contains(now.Problems[0], "--sign") ||
		now.Statements[0].First.String() != "2026-06-05" {
		t.Errorf("with a flag: %+v", now)
	}
	if next.Statements[0].First.String() != "2026-06-05" {
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

func TestASignIsRememberedForItsAccountAlone(t *testing.T) {
	const head, later = "Date,Description,Amount\n2026-04-03,CAFE,4.10\n", "2026-04-14,BOOKS,20.00\n"
	first := bank.Options{Account: "00123456789", Currency: "USD", Sign: bank.OutPositive}
	for name, test := range map[string]struct {
		account string
		asked   bool
	}{
		"the account":                 {"00123456789", false},
		"the end of its number":       {"6789", false},
		"a masked number":             {"xxxx6789", false},
		"another account":             {"00999999999", true},
		"another with the same end":   {"44000006789", true},
		"an account that has no name": {"", true},
	} {
		b := newBooks(t)
		read(t, b, head, first)

		next := read(t, b, head+later, bank.Options{Account: test.account, Currency: "USD"})

		if asked := next.Question != nil; asked != test.asked {
			t.Errorf("%s: asked is %v: %+v", name, asked, next)
		}
	}
}

func TestTheSidesOfBooksAreRemembered(t *testing.T) {
	const head, later = "Date,Journal,Label,Debit,Credit\n2026-04-03,B,Rent,,4.10\n", "2026-04-14,B,Acme,20.00,\n"
	options := bank.Options{Account: "00123456789", Currency: "USD"}
	b := newBooks(t)
	if asked := read(t, b, head, options); asked.Question == nil {
		t.Fatalf("nothing is asked: %+v", asked)
	}
	answered := options
	answered.Sign = bank.DebitIn
	read(t, b, head, answered)

	if next := read(t, b, head+later, options); next.Question != nil {
		t.Errorf("the answer is not remembered: %+v", next)
	}
	checkLedger(t, b, "2026-04-03 -410 Rent", "2026-04-14 +2000 Acme")
}

func TestABrokenRunningBalanceStopsTheImport(t *testing.T) {
	const whole = "Account number,00123456789\nCurrency,USD\n\nDate,Description,Amount,Balance\n" +
		"2026-09-01,A,-10.00,90.00\n2026-09-02,B,20.00,110.00\n2026-09-03,C,-5.00,105.00\n2026-09-04,D,-1.00,104.00\n" +
		"2026-09-05,E,-1.00,103.00\n"
	for name, test := range map[string]struct{ content, line string }{
		"a line is missing":    {strings.Replace(whole, "2026-09-03,C,-5.00,105.00\n", "", 1), "line 7"},
		"an amount is changed": {strings.Replace(whole, "C,-5.00", "C,-50.00", 1), "line 7"},
		"a line is there twice": {
			strings.Replace(whole, "2026-09-04,D", "2026-09-03,C,-5.00,105.00\n2026-09-04,D", 1), "line 8",
		},
		"a balance is mistyped": {
			strings.Replace(whole, "D,-1.00,104.00", "D,-1.00,140.00", 1) +
				"2026-09-06,F,-1.00,102.00\n2026-09-07,G,-1.00,101.00\n2026-09-08,H,-1.00,100.00\n", "line 8",
		},
		"the first link is wrong": {strings.Replace(whole, "A,-10.00,90.00", "A,-10.00,99.00", 1), "line 6"},
	} {
		b := newBooks(t)
		report := read(t, b, test.content, bank.Options{})
		if !strings.HasPrefix(report.Error, test.line+": the balance does not follow") ||
			!strings.Contains(report.Error, "--accept-residual") {
			t.Errorf("%s: %+v", name, report)
		}

		accepted, err := b.Import(t.Context(), []bookkeeping.Source{source("a.csv", test.content)},
			bookkeeping.Options{AcceptResidual: true})
		if err != nil || accepted.Import == "" || len(accepted.Files[0].Problems) == 0 ||
			!strings.HasPrefix(accepted.Files[0].Problems[0], test.line) {
			t.Errorf("%s, accepted: %+v, %v", name, accepted, err)
		}
	}
	if report := read(t, newBooks(t), whole, bank.Options{}); report.Error != "" {
		t.Errorf("the whole file: %s", report.Error)
	}
}
