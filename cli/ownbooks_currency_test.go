package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// euroFile writes a table of an account in euros and returns its name.
func euroFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "euros.csv")
	content := "Date,Description,Amount,Balance\n2026-09-01,Rent,-10.00,90.00\n2026-09-02,Rent,-10.00,80.00\n"
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestTheCurrencyOfOwnBooksIsShownChangedAndTakenBack(t *testing.T) {
	environ, _ := withBooks(t)
	tarmac(t, environ, "import", "--yes", "--account", "Euros", "--currency", "EUR", "--sign", "out-negative", euroFile(t))
	tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine))

	for _, test := range []struct {
		args   []string
		code   int
		stdout []string
		stderr string
	}{
		{nil, 0, []string{"The books report in EUR. It is the currency of the oldest import, imp_",
			"2 transactions in EUR need no rate; 1 in USD has none.", "USD: no rate for 1 line", "European Central Bank"}, ""},
		{[]string{"eur", "--yes"}, 0, []string{"The books report in EUR now.", "`tarmac books currency auto` takes it"}, ""},
		{[]string{"EURO"}, 2, nil, `"EURO" is no currency`},
		{[]string{"usd"}, 2, nil, "nobody can be asked here: change the currency with --yes"},
		{[]string{"USD", "--yes"}, 0, []string{"The books report in USD now. `tarmac books currency EUR` takes it"}, ""},
		{[]string{"USD", "--yes"}, 0, []string{"The books report in USD already."}, ""},
		{nil, 0, []string{"The books report in USD. You chose it.",
			"2 transactions in EUR have none; 1 in USD needs no rate."}, ""},
		{[]string{"auto", "--yes", "--json"}, 0, []string{`"currency":"EUR","chosen":null`, `"before":"USD"`}, ""},
	} {
		r := tarmac(t, environ, append([]string{"books", "currency"}, test.args...)...)

		if r.code != test.code || !strings.Contains(r.stderr, test.stderr) {
			t.Errorf("%v: exit %d, %q, %q", test.args, r.code, r.stdout, r.stderr)
		}
		for _, want := range test.stdout {
			if !strings.Contains(r.stdout, want) {
				t.Errorf("%v: %q has no %q", test.args, r.stdout, want)
			}
		}
	}
}

func TestTheFirstImportIsToldTheCurrencyOfTheBooks(t *testing.T) {
	environ, _ := withBooks(t)
	euros, dollars := euroFile(t), statementFile(t, "a.qfx", rentLine)

	wrong := tarmac(t, environ, "import", "--yes", "--report-in", "EURO", dollars)
	first := tarmac(t, environ, "import", "--yes", "--report-in", "EUR", dollars)
	late := tarmac(t, environ, "import", "--yes", "--report-in", "USD", "--account", "Euros", "--currency", "EUR",
		"--sign", "out-negative", euros)

	if wrong.code != 2 || !strings.Contains(wrong.stderr, "--report-in must be a currency") || first.code != 0 {
		t.Errorf("exit %d, %q; then %d, %q", wrong.code, wrong.stderr, first.code, first.stderr)
	}
	if late.code != 2 || !strings.Contains(late.stderr, "the books report in EUR already; change it with books currency") {
		t.Errorf("exit %d, %q", late.code, late.stderr)
	}
}
