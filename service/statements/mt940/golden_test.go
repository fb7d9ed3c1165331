package mt940_test

import (
	"flag"
	"fmt"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/mt940"
)

var update = flag.Bool("update", false, "write golden files anew")

func TestGoldenFiles(t *testing.T) {
	banks.Golden(t, mt940.Format(), bank.Options{}, *update)
}

func TestFilesOfRealBanksAreReadAsOthersReadThem(t *testing.T) {
	banks.Suites(t, mt940.Format(), "mt940", nil, nil)
}

// large returns a statement with many lines.
func large(lines int) *banks.Stream {
	return &banks.Stream{
		Start: head, Count: lines, End: tail,
		Record: func(number int) string {
			return fmt.Sprintf(":61:2609%02d09%02dDR%d,%02dN116NONREF//2026%08d\r\n"+
				":86:116?00SEPA-UEBERWEISUNG?109931?20EREF+RE-%08d?21SVWZ+Rechnung \r\n"+
				"%d?30NKUEDEH1XXX?31DE02120300000000202051?32LAGER UND SOEHNE %d\r\n",
				number%30+1, number%30+1, number%1000, number%100, number, number, number, number%50)
		},
	}
}

func TestALargeFileIsReadInLittleMemory(t *testing.T) {
	banks.Bounded(t, mt940.Format(), large(350_000), bank.Options{})
}

func BenchmarkRead(b *testing.B) {
	banks.Benchmark(b, mt940.Format(), large(20_000), bank.Options{})
}

func FuzzRead(f *testing.F) {
	banks.Fuzz(f, mt940.Format(), bank.Options{}, head+line("DR5,")+tail, ":20:1\n:61:260930D5,NTRF\n:86:/TRTP//NAME//")
}
