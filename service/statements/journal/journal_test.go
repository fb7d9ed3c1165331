package journal_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/journal"
)

var update = flag.Bool("update", false, "write golden files anew")

func TestGoldenFiles(t *testing.T) {
	banks.Golden(t, either(), bank.Options{}, *update)
}

func read(t *testing.T, format bank.Format, content string, options bank.Options) (*banks.Contents, error) {
	t.Helper()
	return banks.Read(format, strings.NewReader(content), options)
}

// lines returns statements with their lines in short.
func lines(found *banks.Contents) []string {
	var all []string
	for _, s := range found.Statements {
		text := s.Account.Number + " " + s.Currency
		for _, line := range s.Lines {
			text += fmt.Sprintf(" %v %d", line.Booked, line.Minor)
		}
		all = append(all, text+fmt.Sprintf(" = %d", s.Closing.Minor))
	}
	return all
}

func TestOneAccountCanBePicked(t *testing.T) {
	const content = "2026-01-01 x\n assets:bank:a  1 USD\n assets:bank:b  2 USD\n assets:bankers  3 USD\n income\n"

	found, err := read(t, journal.Hledger(civil.Date{}), content, bank.Options{Account: "assets:bank"})
	if err != nil {
		t.Fatal(err)
	}
	_, missing := read(t, journal.Hledger(civil.Date{}), content, bank.Options{Account: "assets:ban"})

	if got := fmt.Sprint(lines(found)); got != "[assets:bank:a USD 2026-01-01 100 = 100 assets:bank:b USD "+
		"2026-01-01 200 = 200]" {
		t.Errorf("statements are %s", got)
	}
	if missing == nil || missing.Error() != `has no account "assets:ban" of assets or liabilities` {
		t.Errorf("error is %v", missing)
	}
}

func TestInferredDecimalsAreRoundedSoThatBalancesAgree(t *testing.T) {
	content := strings.Repeat("2026-01-01 buy\n  assets:cash  -0.333 USD\n  assets:shares  1 ACME\n\n", 3)
	content = strings.ReplaceAll(content, "1 ACME", "1 ACME @ 0.333 USD")

	found, err := read(t, journal.Hledger(civil.Date{}), content, bank.Options{})
	if err != nil {
		t.Fatal(err)
	}

	if got := lines(found)[0]; got != "assets:cash USD 2026-01-01 -33 2026-01-01 -34 2026-01-01 -33 = -100" {
		t.Errorf("lines are %s", got)
	}
	if len(found.Problems) != 2 || !strings.Contains(found.Problems[0], "3 amounts with more decimals") {
		t.Errorf("problems are %q", found.Problems)
	}
}

func TestWholeAmountsStayWholeAfterARoundedOne(t *testing.T) {
	const content = "2026-01-01 x\n  assets:a  0.005 USD\n  income\n\n2026-01-02 y\n  assets:a  1.01 USD\n  income\n"

	found, err := read(t, journal.Hledger(civil.Date{}), content, bank.Options{})

	if err != nil || lines(found)[0] != "assets:a USD 2026-01-01 1 2026-01-02 101 = 102" {
		t.Errorf("%v, %v", lines(found), err)
	}
}

func TestTheOptionDecidesASignOfSeveralCurrencies(t *testing.T) {
	for _, test := range []struct{ sign, option, want string }{
		{"$", "", "USD"}, {"$", "CAD", "CAD"}, {"$", "EUR", "USD"}, {"kr", "NOK", "NOK"}, {"€", "USD", "EUR"},
		{"", "CHF", "CHF"}, {"", "", ""},
	} {
		found, err := read(t, journal.Hledger(civil.Date{}), "2026-01-01 x\n  assets:a  1 "+test.sign+"\n  income\n",
			bank.Options{Currency: test.option})

		if err != nil || found.Statements[0].Currency != test.want {
			t.Errorf("%+v: %v, %v", test, lines(found), err)
		}
	}
}

func TestASignOfSeveralCurrenciesIsAsked(t *testing.T) {
	_, err := read(t, journal.Hledger(civil.Date{}), "2026-01-01 x\n  assets:a  1 kr\n  income\n", bank.Options{})

	var question *bank.Question
	if !errors.As(err, &question) || question.Flag != "--currency" || question.Place != 1 {
		t.Errorf("error is %v", err)
	}
}

func TestRefusalsAreOneLine(t *testing.T) {
	for content, format := range map[string]bank.Format{
		"2026-01-01 x\n  assets:a  1 USD\n  income  1 USD\n":                       journal.Hledger(civil.Date{}),
		"\n2026-01-01 * \"x\"\n  Assets:A  1 USD\n  Income:B  1 USD\n":             journal.Beancount(),
		"2026-01-01 open Assets:A\n2026-01-02 balance Assets:A  1 USD\n":           journal.Beancount(),
		"2026-01-01 x\n  assets:a  1 USD\n  income\n\n2026-02-31 y\n  a  1\n  b\n": journal.Hledger(civil.Date{}),
	} {
		_, err := read(t, format, content, bank.Options{})

		refused, ok := err.(*bank.Error)
		if !ok || refused.Place == 0 || strings.ContainsAny(err.Error(), "\n\t") ||
			strings.Contains(err.Error(), os.TempDir()) {
			t.Errorf("%q: %v", content, err)
		}
	}
}
