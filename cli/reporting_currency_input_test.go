package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// booksInEuros returns the environment of own books in EUR with 250,000.00 in cash.
func booksInEuros(t *testing.T) map[string]string {
	t.Helper()
	var rows strings.Builder
	rows.WriteString("Date,Description,Amount,Balance\n")
	year, month, _ := time.Now().UTC().Date()
	const months, net = 12, -18_000
	balance := 250_000 - months*net
	for i := range months {
		day := time.Date(year, month-months+time.Month(i), 3, 0, 0, 0, 0, time.UTC)
		balance -= 30_000
		fmt.Fprintf(&rows, "%s,Payroll,-30000.00,%d.00\n", day.Format(time.DateOnly), balance)
		balance += 12_000
		fmt.Fprintf(&rows, "%s,Hooli,12000.00,%d.00\n", day.AddDate(0, 0, 20).Format(time.DateOnly), balance)
	}
	file := filepath.Join(t.TempDir(), "euros.csv")
	if err := os.WriteFile(file, []byte(rows.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	environ, _ := withBooks(t)
	covers := time.Date(year, month-months, 1, 0, 0, 0, 0, time.UTC).Format(time.DateOnly) + ".." +
		time.Date(year, month, 0, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	r := tarmac(t, environ, "import", "--yes", "--account", "Euros", "--currency", "EUR", "--sign", "out-negative",
		"--covers", covers, file)
	if r.code != 0 {
		t.Fatalf("%+v", r)
	}
	return environ
}

func TestTheCheckTakesLimitsInTheCurrencyOfTheCompany(t *testing.T) {
	environ := booksInEuros(t)
	const above, below = "TARMAC OK - runway ", "TARMAC WARNING - cash €250,000.00 (below €300,000.00)"
	const refusal = "TARMAC UNKNOWN - --cash-below: must be an amount such as 1,200.50 or 1.5k"
	for limit, want := range map[string]struct {
		code int
		line string
	}{
		"12k": {0, above}, "300k": {1, below}, "€300k": {1, below}, "300k EUR": {1, below}, "300,000 EUR": {1, below},
		"$12k":    {3, refusal + " in euros, not in US dollars"},
		"12k JPY": {3, refusal + " in euros, not in yen"},
		"12.345":  {3, refusal + "; EUR has 2 decimal places"},
	} {
		r := tarmac(t, environ, "check", "--cash-below", limit)

		if r.code != want.code || !strings.HasPrefix(r.stdout, want.line) || strings.Count(r.stdout, "\n") != 1 {
			t.Errorf("%s: %+v", limit, r)
		}
	}
	// A limit that is refused counts before a critical figure, as other wrong usage does.
	r := tarmac(t, environ, "check", "--runway-critical", "900", "--overdue-critical", "$5")
	if r.code != 3 || !strings.HasPrefix(r.stdout, "TARMAC UNKNOWN - --overdue-critical: ") {
		t.Errorf("%+v", r)
	}
}

func TestTheForecastTakesChangesInTheCurrencyOfTheCompany(t *testing.T) {
	environ := booksInEuros(t)
	for _, amount := range []string{"-8k", "-€8k", "-8k EUR", "-8,000 eur"} {
		r := tarmac(t, environ, "forecast", "--what-if", "monthly "+amount)
		if r.code != 0 || !strings.Contains(r.stdout, "Hypothetical: budget \"monthly\" 8,000/month") {
			t.Errorf("%s: %+v", amount, r)
		}
	}
	refused(t, tarmac(t, environ, "forecast", "--what-if", "monthly -$8k"), 2, "in euros, not in US dollars")
}
