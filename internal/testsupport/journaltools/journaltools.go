// Package journaltools reads journals by the programs for which they are written: hledger, ledger
// and beancount.
package journaltools

import (
	"bytes"
	"encoding/csv"
	"math/big"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// RequireVariable is an environment variable. If it is set, tests that need one of the programs
// fail on a machine without it, instead of being skipped.
const RequireVariable = "TARMAC_REQUIRE_JOURNALS"

// Need skips the test if one of the programs is not installed.
func Need(tb testing.TB, programs ...string) {
	tb.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv(RequireVariable) != "" {
				tb.Fatalf("%s is not installed, and %s asks for it: apt-get install hledger ledger beancount", program,
					RequireVariable)
			}
			tb.Skipf("SKIPPED: %s is not installed", program)
		}
	}
}

// Hledger checks the journal at path strictly and returns the balances of its accounts. Keys are an
// account's name, a tab and a currency.
func Hledger(tb testing.TB, path string) map[string]string {
	tb.Helper()
	Need(tb, "hledger")
	run(tb, "hledger", "-f", "journal:"+path, "check", "--strict", "ordereddates")
	records := table(tb, run(tb, "hledger", "-f", "journal:"+path, "register", "-E", "-O", "csv"))
	sums := sums{}
	for _, record := range records[1:] {
		number, currency, _ := strings.Cut(record[5], " ")
		if currency == "" {
			currency = "?" // a balance of 0 without a currency
		}
		sums.add(tb, record[4], number, currency)
	}
	return sums.texts()
}

// Ledger is like Hledger for the program ledger.
func Ledger(tb testing.TB, path string) map[string]string {
	tb.Helper()
	Need(tb, "ledger")
	output := run(tb, "ledger", "-f", path, "register", "--empty", "--strict", "--format",
		`%(account)\t%(quantity(amount))\t%(commodity(amount))\n`)
	sums := sums{}
	for line := range strings.Lines(string(output)) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(fields) != 3 {
			tb.Fatalf("ledger wrote %q", line)
		}
		sums.add(tb, fields[0], fields[1], fields[2])
	}
	return sums.texts()
}

// Beancount is like Hledger for beancount.
func Beancount(tb testing.TB, path string) map[string]string {
	tb.Helper()
	Need(tb, "bean-check", "bean-query")
	run(tb, "bean-check", path)
	records := table(tb, run(tb, "bean-query", "-q", "-f", "csv", path,
		"SELECT account, str(number) AS number, currency"))
	sums := sums{}
	for _, record := range records[min(1, len(records)):] {
		number := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(record[1]), "Decimal('"), "')")
		sums.add(tb, strings.TrimSpace(record[0]), number, strings.TrimSpace(record[2]))
	}
	return sums.texts()
}

func run(tb testing.TB, program string, args ...string) []byte {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), program, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "PYTHONIOENCODING=utf-8", "BEANCOUNT_DISABLE_LOAD_CACHE=1")
	var messages bytes.Buffer
	cmd.Stderr = &messages
	output, err := cmd.Output()
	if err != nil || messages.Len() > 0 {
		tb.Fatalf("%s %q: %v\n%.2000s", program, args, err, messages.Bytes())
	}
	return output
}

func table(tb testing.TB, text []byte) [][]string {
	tb.Helper()
	reader := csv.NewReader(bytes.NewReader(text))
	reader.LazyQuotes, reader.FieldsPerRecord = true, -1
	records, err := reader.ReadAll()
	if err != nil {
		tb.Fatalf("the output is no CSV: %v\n%.500s", err, text)
	}
	return records
}

// sums holds the sums of postings.
type sums map[string]*big.Rat

func (s sums) add(tb testing.TB, account, number, currency string) {
	tb.Helper()
	amount, ok := new(big.Rat).SetString(strings.ReplaceAll(number, ",", ""))
	if !ok {
		tb.Fatalf("%q of %s is no number", number, account)
	}
	key := account + "\t" + currency
	if s[key] == nil {
		s[key] = new(big.Rat)
	}
	s[key].Add(s[key], amount)
}

// texts returns the sums as decimals. Sums of 0 are left out.
func (s sums) texts() map[string]string {
	texts := map[string]string{}
	for key, sum := range s {
		if sum.Sign() != 0 {
			texts[key] = sum.FloatString(4)
		}
	}
	return texts
}

// Text returns an amount in minor units in the form of the balances of this package.
func Text(minor int64, exponent int) string {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(exponent)), nil)
	return new(big.Rat).SetFrac(big.NewInt(minor), power).FloatString(4)
}
