package qif_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/qif"
)

func TestDamagedFilesAreRefused(t *testing.T) {
	for name, test := range map[string]struct{ content, reason string }{
		"no date":             {"!Type:Bank\nT1\n^\n", "line 2: a transaction has no date"},
		"no amount":           {"!Type:Bank\nD2026-01-01\n^\n", "line 2: a transaction has no amount"},
		"31 February":         {bankFile("2026-02-31", "1"), `line 2: the date "2026-02-31" does not exist`},
		"year 0":              {bankFile("0000-01-01", "1"), `line 2: the date "0000-01-01" does not exist`},
		"year 9999":           {bankFile("9999-12-31", "1"), `line 2: the date "9999-12-31" does not exist`},
		"a date with text":    {bankFile("03/25/099Share", "1"), `line 2: "03/25/099Share" is not a date`},
		"an amount with text": {bankFile("2026-01-01", "$5"), `line 3: the amount "$5" is not an amount`},
		"beyond 64 bits":      {bankFile("2026-01-01", "92233720368547758.08"), "is too large"},
		"too many decimals":   {bankFile("2026-01-01", "1.23456"), "more decimals"},
		"a cut amount":        {"!Type:Bank\nD2026-01-01\nT-1", "line 3: the file ends within a transaction"},
		"a cut transaction":   {"!Type:Bank\nD2026-01-01\n", "ends within a transaction"},
		"no transactions":     {"!Type:Cat\nNOffice\n^\n", "contains no transactions"},
		"investments only":    {"!Type:Invst\nD1/20'26\nNBuy\n^\n", "only 1 investment transaction"},
		"a long line":         {"!Type:Bank\nP" + strings.Repeat("x", 2<<20), "line 2: longer than 1 MB"},
		"a long record":       {"!Type:Bank\n" + strings.Repeat("Mxxxxxxxxx\n", 200_000), "a record is longer than 1 MB"},
	} {
		_, err := read(test.content, bank.Options{})

		var refused *bank.Error
		if !errors.As(err, &refused) || !strings.Contains(refused.Error(), test.reason) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// large returns a file with many transactions.
func large(transactions int) *banks.Stream {
	return &banks.Stream{
		Start: "!Type:Bank\n", Count: transactions,
		Record: func(number int) string {
			return fmt.Sprintf("D%02d/%02d/2026\nT-%d.%02d\nN%d\nPSTORE %d\nMCARD PURCHASE 9911 AND CO\nLOffice:Supplies\n^\n",
				number%28+1, number%12+1, number%1000, number%100, number, number)
		},
	}
}

func TestALargeFileIsReadInLittleMemory(t *testing.T) {
	banks.Bounded(t, qif.Format(), large(900_000), bank.Options{})
}

func BenchmarkRead(b *testing.B) {
	banks.Benchmark(b, qif.Format(), large(20_000), bank.Options{})
}

func FuzzRead(f *testing.F) {
	banks.Fuzz(f, qif.Format(), bank.Options{}, "!Account\nN[A]\n^\n!Type:Oth A\nD1/ 1'26\nT1\nL[A]\n", "^^\n!\n!Type:\n^")
}
