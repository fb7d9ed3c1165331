package ofx_test

import (
	"fmt"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/ofx"
)

// large returns a file with one account and many transactions.
func large(transactions int) *banks.Stream {
	start, end, _ := strings.Cut(document("|", ""), "|")
	return &banks.Stream{
		Start: start, Count: transactions, End: end,
		Record: func(number int) string {
			return fmt.Sprintf("<STMTTRN>\n<TRNTYPE>DEBIT\n<DTPOSTED>202609%02d120000[-5:EST]\n<TRNAMT>-%d.%02d\n"+
				"<FITID>2026%08d\n<NAME>STORE %d\n<MEMO>CARD PURCHASE 9911 &amp; CO\n</STMTTRN>\n",
				number%30+1, number%1000, number%100, number, number)
		},
	}
}

func TestALargeFileIsReadInLittleMemory(t *testing.T) {
	banks.Bounded(t, ofx.Format(), large(500_000), bank.Options{})
}

func BenchmarkRead(b *testing.B) {
	banks.Benchmark(b, ofx.Format(), large(20_000), bank.Options{})
}

func FuzzRead(f *testing.F) {
	banks.Fuzz(f, ofx.Format(), bank.Options{}, "<<OFX>\n<STATUS>\n</STATUS>\n>", "<OFX><STMTRS><STMTTRN><![CDATA[")
}
