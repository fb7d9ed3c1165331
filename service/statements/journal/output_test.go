package journal

import (
	"context"
	"fmt"
	"io"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
)

// output is a format whose files are what the tools print.
func output(hledger bool) bank.Format {
	return bank.Format{
		Recognize: func(head []byte) bool { return recognize(head) != noJournal },
		Read: func(ctx context.Context, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
			if _, err := file.Seek(0, io.SeekStart); err != nil {
				return err
			}
			found := newStatements(options, sink)
			var err error
			if !hledger {
				err = found.takeRecords(ctx, bank.NewRecords(file, ','))
			} else {
				err = eachTransaction(ctx, file, func(t *transaction) error {
					return found.takeTransaction(t, map[string]bool{"a": true})
				})
			}
			if err != nil {
				return bank.Errorf(0, "%q", err)
			}
			return found.finish()
		},
	}
}

const printed = `{"tcode":"","tcomment":"","tdate":"2026-09-30","tdate2":null,"tdescription":"Harbor & Pine",` +
	`"tindex":%d,"tpostings":[` +
	`{"paccount":"a","pamount":[{"acommodity":"USD","aprice":null,"aquantity":{"decimalMantissa":-123456,` +
	`"decimalPlaces":2,"floatingPoint":-1234.56}}],"pcomment":"","pdate":null,"ptype":"RegularPosting"},` +
	`{"paccount":"b","pamount":[{"acommodity":"USD","aprice":null,"aquantity":{"decimalMantissa":123456,` +
	`"decimalPlaces":2,"floatingPoint":1234.56}}],"pcomment":"","pdate":null,"ptype":"RegularPosting"}],` +
	`"tsourcepos":[{"sourceColumn":1,"sourceLine":%d,"sourceName":"-"}]}`

const (
	columnNames = "date,payee,narration,account,amount,currency,other_accounts,lineno\n"
	record      = "2026-09-30,Harbor & Pine,text,Assets:Bank,Decimal('-1234.56'),USD,Income:Sales,%d\n"
)

func hledgerOutput(transactions int) *banks.Stream {
	return &banks.Stream{Start: "[", Count: transactions, End: "]", Record: func(number int) string {
		if number > 1 {
			return "," + fmt.Sprintf(printed, number, number)
		}
		return fmt.Sprintf(printed, number, number)
	}}
}

func beancountOutput(postings int) *banks.Stream {
	return &banks.Stream{Start: columnNames, Count: postings, Record: func(number int) string {
		return fmt.Sprintf(record, number)
	}}
}

func TestLargeOutputIsReadInLittleMemory(t *testing.T) {
	t.Run("hledger", func(t *testing.T) { banks.Bounded(t, output(true), hledgerOutput(120_000), bank.Options{}) })
	t.Run("beancount", func(t *testing.T) { banks.Bounded(t, output(false), beancountOutput(800_000), bank.Options{}) })
}

func BenchmarkHledgerOutput(b *testing.B) {
	banks.Benchmark(b, output(true), hledgerOutput(20_000), bank.Options{})
}

func BenchmarkBeancountOutput(b *testing.B) {
	banks.Benchmark(b, output(false), beancountOutput(20_000), bank.Options{})
}

func FuzzHledgerOutput(f *testing.F) {
	banks.Fuzz(f, output(true), bank.Options{}, "["+fmt.Sprintf(printed, 1, 1)+"]")
}

func FuzzBeancountOutput(f *testing.F) {
	banks.Fuzz(f, output(false), bank.Options{}, columnNames+fmt.Sprintf(record, 7))
}
