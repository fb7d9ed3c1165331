package table_test

import (
	"fmt"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/table"
)

// large returns an export of one account with many lines.
func large(lines int) *banks.Stream {
	return &banks.Stream{
		Start: "Date,Description,Reference,Amount,Balance\n", Count: lines,
		Record: func(number int) string {
			sign := "-"
			if number%2 == 0 {
				sign = ""
			}
			return fmt.Sprintf("2026-09-%02d,\"STORE %d, CARD PURCHASE 9911 & CO, AMSTERDAM\",20260930%08d,%s12.50,%d.50\n",
				number*30/(lines+1)+1, number/2, number, sign, 1000+12*(1-number%2)*0)
		},
	}
}

func TestALargeFileIsReadInLittleMemory(t *testing.T) {
	banks.Bounded(t, table.Format(), large(800_000), bank.Options{})
}

func BenchmarkRead(b *testing.B) {
	banks.Benchmark(b, table.Format(), large(50_000), bank.Options{})
}

func FuzzRead(f *testing.F) {
	banks.Fuzz(f, table.Format(), bank.Options{},
		"Date;Text;Debit;Credit;Balance\n\"30.09.26\",\"a\"\"b\",\"0\",\"0\",\"1,5\"\n",
		"Date\tPayee\tAmount\n03/04/2026\t=\"01\"\t(1.500)\n", "date,amount,currency,amount,note\n20260930,1 DR,usd,,x")
}
