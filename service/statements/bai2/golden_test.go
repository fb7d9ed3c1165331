package bai2_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bai2"
	"tarmac/service/statements/bank"
)

var update = flag.Bool("update", false, "write golden files anew")

func TestGoldenFiles(t *testing.T) {
	banks.Golden(t, bai2.Format(), bank.Options{}, *update)
}

func TestFilesOfRealBanksAreReadAsOthersReadThem(t *testing.T) {
	banks.Suites(t, bai2.Format(), "bai2", nil, nil)
}

// large returns a report with many transactions.
func large(transactions int) *banks.Stream {
	start, end, _ := strings.Cut(report("|"), "|")
	return &banks.Stream{
		Start: start, Count: transactions, End: end,
		Record: func(number int) string {
			return fmt.Sprintf("16,495,%d,V,260930,,BR%d,CR%d,OUTGOING WIRE %d/\n88,TO HARBORLINE SUPPLY/\n",
				number%100_000, number, number, number)
		},
	}
}

func TestALargeFileIsReadInLittleMemory(t *testing.T) {
	banks.Bounded(t, bai2.Format(), large(900_000), bank.Options{})
}

func BenchmarkRead(b *testing.B) {
	banks.Benchmark(b, bai2.Format(), large(20_000), bank.Options{})
}

func FuzzRead(f *testing.F) {
	banks.Fuzz(f, bai2.Format(), bank.Options{}, report("16,475,500,,,,/\n"), report("16,475,500,S,1,2,3,D,2,1,5,/\n"),
		"01,A,B,260930,,1,,,2/02,A,B,1,260930,,,2/03,1,USD,015,1,,/49,1,2/98,1,1,4/99,1,1,6/")
}
