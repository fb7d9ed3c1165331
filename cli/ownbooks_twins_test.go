package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// twin describes a statement of the same amounts in a currency: 30,000 out and 12,000 in every
// month, 250,000 left.
type twin struct {
	currency string
	decimals string // of the amounts in the file
	before   string // stands before amounts
	behind   string // stands behind them
	name     string // of the currency in a sentence
}

// books imports the twin's statement of the 21 months up to now and returns the environment.
func (w twin) books(t *testing.T, now time.Time) map[string]string {
	t.Helper()
	environ, _ := withBooks(t)
	var content strings.Builder
	content.WriteString("Date,Description,Amount,Currency,Balance\n")
	balance := 250_000 + 21*18_000
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, -21, 0)
	first := month
	for range 21 {
		for _, line := range []struct {
			day, amount int
			name        string
		}{{3, -30_000, "Payroll Quayside GmbH"}, {5, 12_000, "Hooli AG"}} {
			balance += line.amount
			fmt.Fprintf(&content, "%s,%s,%d%s,%s,%d%s\n", month.AddDate(0, 0, line.day-1).Format(time.DateOnly), line.name,
				line.amount, w.decimals, w.currency, balance, w.decimals)
		}
		month = month.AddDate(0, 1, 0)
	}
	covers := first.Format(time.DateOnly) + ".." + month.AddDate(0, 0, -1).Format(time.DateOnly)
	name := filepath.Join(t.TempDir(), "statement.csv")
	if err := os.WriteFile(name, []byte(content.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	r := tarmac(t, environ, "import", "--yes", "--account", "DE89370400440532013000", "--covers", covers, name)
	if r.code != 0 {
		t.Fatalf("import of %s: exit %d, %q", w.currency, r.code, r.stderr)
	}
	return environ
}

var (
	varying = regexp.MustCompile(`(?:org|txn|imp)_[0-9A-Z]{26}|"books_revision":"\d+"|\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?`)
	// named are the members of JSON that name the currency.
	named = regexp.MustCompile(`,"(?:reporting_)?currency":"CODE"|"currency":"CODE",|_usd(_cents)`)
)

// neutral returns a text without what only the twin has: IDs, times, widths of columns and lines,
// and the name and the symbol of the currency.
func (w twin) neutral(text string) string {
	text = strings.Join(strings.Fields(varying.ReplaceAllString(text, "·")), " ")
	amount := regexp.MustCompile(regexp.QuoteMeta(w.before) + `(\d[\d,]*(?:\.\d+)?[kMBT]?)` + regexp.QuoteMeta(w.behind))
	text = amount.ReplaceAllString(text, "¤$1")
	text = strings.NewReplacer(w.name, "CODE", w.currency, "CODE").Replace(text)
	return named.ReplaceAllString(text, "$1")
}

// What people read of books in a currency differs from books in dollars in its name alone.
func TestBooksInAnyCurrencyReadAsThoseInDollars(t *testing.T) {
	now := time.Now().UTC()
	month := now.AddDate(0, 0, -now.Day()).AddDate(0, 0, -31).Format("2006-01") // whole in the statement
	commands := [][]string{{"overview"}, {"account"}, {"cash-position", "--why"}, {"check"}, {"forecast"}, {"spend"},
		{"recurring"}, {"aging"}, {"remind"}, {"report", "--text", "--month", month}, {"transactions"}, {"ping"},
		{"report", "--month", month}, {"report", "--json", "--month", month}, {"forecast", "--json"}, {"spend", "--json"},
		{"check", "--json"}}
	want := map[string]string{}
	dollars := twin{"USD", ".00", "$", "", "US dollars"}
	for _, w := range []twin{dollars, {"EUR", ".00", "€", "", "euros"}, {"GBP", ".00", "£", "", "pounds sterling"},
		{"CHF", ".00", "", " CHF", "CHF"}} {
		environ := w.books(t, now)
		for i, args := range commands {
			if w.currency == "GBP" && i%4 != 0 {
				continue // the other twins say as much
			}
			name := strings.Join(args, " ")
			r := tarmac(t, environ, args...)
			text := fmt.Sprintf("exit %d\n%s%s", r.code, r.stdout, r.stderr)
			if w == dollars {
				want[name] = w.neutral(text)
				continue
			}
			if regexp.MustCompile(`\$|(?i:usd|dollar)`).MatchString(text) {
				t.Errorf("%s of %s speaks of dollars:\n%s", name, w.currency, text)
			}
			if got := w.neutral(text); got != want[name] {
				t.Errorf("%s of %s:\n%s\nwant\n%s", name, w.currency, got, want[name])
			}
		}
	}
	if got := want["check"]; !strings.HasPrefix(got, "exit 0 ") || !strings.Contains(got, "runway 13.8 months") {
		t.Errorf("the twin in dollars: %q", got)
	}
}

func TestTheRunwayDoesNotDependOnTheDecimalsOfTheCurrency(t *testing.T) {
	for _, w := range []twin{
		{currency: "JPY"}, {currency: "KWD", decimals: ".000"}, {currency: "CLF", decimals: ".0000"},
	} {
		environ := w.books(t, time.Now().UTC())
		cash := map[string]string{"JPY": "cash ¥250,000 ", "KWD": "cash 250,000.000 KWD ",
			"CLF": "cash 250,000.0000 CLF "}[w.currency]

		r := tarmac(t, environ, "check")

		if r.code != 0 || !strings.Contains(r.stdout, "runway 13.8 months, "+cash) {
			t.Errorf("%s: exit %d, %q, %q", w.currency, r.code, r.stdout, r.stderr)
		}
	}
}
