package journal_test

import (
	"fmt"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/journal"
)

func transactions(count int) *banks.Stream {
	return &banks.Stream{Count: count, Record: func(number int) string {
		return fmt.Sprintf("2026-01-%02d * (%d) Harbor & Pine | text\n    assets:a:%d  $1,234.56\n    income\n\n",
			1+number*27/count, number, number%50)
	}}
}

func beans(count int) *banks.Stream {
	return &banks.Stream{
		Start: "2020-01-01 open Assets:A\n2020-01-01 open Income:B\n", Count: count,
		Record: func(number int) string {
			return fmt.Sprintf("2026-01-%02d * \"Harbor & Pine\" \"text\"\n  Assets:A  1,234.56 USD\n  Income:B\n\n",
				1+number*27/count)
		},
	}
}

// asserted ends a journal with a balance, so that all balances are kept.
func asserted(file *banks.Stream, end string) *banks.Stream {
	file.End = end
	return file
}

func TestLargeJournalsAreReadInLittleMemory(t *testing.T) {
	t.Run("hledger", func(t *testing.T) {
		file := asserted(transactions(120_000), "2026-02-01 x\n  assets:b  0 USD = 0 USD\n")
		banks.Bounded(t, journal.Hledger(civil.Date{}), file, bank.Options{})
	})
	t.Run("beancount", func(t *testing.T) {
		file := asserted(beans(60_000), "2026-02-01 balance Assets:A 0.00 EUR\n")
		banks.Bounded(t, journal.Beancount(), file, bank.Options{})
	})
}

func TestAJournalThatIsTooLargeToBeSortedIsRefused(t *testing.T) {
	content := "2026-02-01 x\n  assets:a  0 USD = 1 USD\n\n" +
		strings.Repeat("2026-01-01 x\n  assets:a  1 USD\n  income\n\n", 70_000)

	_, err := read(t, journal.Hledger(civil.Date{}), content, bank.Options{})

	if err == nil || !strings.Contains(err.Error(), "hledger print") {
		t.Errorf("error is %v", err)
	}
}

// TestHostileJournalsAreReadInLinearTime reads journals whose time would be quadratic if a line or
// balance were looked at again for each other one. The test's time limit notices that.
func TestHostileJournalsAreReadInLinearTime(t *testing.T) {
	many := func(number int) string { return fmt.Sprintf("  assets:%d:a  1 X%c\n", number%40_000, 'a'+number%26) }
	var wide, deep strings.Builder
	for i := range 9_000 {
		wide.WriteString(many(i))
	}
	for i := range 5_000 {
		fmt.Fprintf(&deep, "2026-01-01 x\n  assets%s:%d  0 = 0\n\n", strings.Repeat(":a", 29), i)
	}
	for _, content := range []string{
		"2026-01-01 x\n" + wide.String() + "  income\n",
		deep.String(),
		"2026-01-01 x\n  assets:a  1 ; " + strings.Repeat("[1", 400_000) + "\n  b\n",
		"2026-01-01 x\n  assets:a  1 ; " + strings.Repeat("xdate:", 150_000) + "\n  b\n",
		"2026-01-01 x\n  assets:a  " + strings.Repeat("1 000", 200_000) + "\n  b\n",
		"2026-01-01 x\n  assets:a  1" + strings.Repeat("{1}[1](1)", 100_000) + "\n  b\n",
		"account a  ; " + strings.Repeat("xtype:", 150_000) + "\n" + simple,
		simply + strings.Repeat("2026-01-02 note Assets:A \"\n", 60_000),
		simply + "2026-01-02 * \"x\"\n  Assets:A  1 USD {" + strings.Repeat("\"a\",", 200_000) + "}\n  Income:B\n",
	} {
		for _, format := range []bank.Format{journal.Hledger(civil.Date{}), journal.Beancount()} {
			_, _ = read(t, format, content, bank.Options{}) // either is right
		}
	}
}

func BenchmarkHledger(b *testing.B) {
	banks.Benchmark(b, journal.Hledger(civil.Date{}), transactions(20_000), bank.Options{})
}

func BenchmarkBeancount(b *testing.B) {
	banks.Benchmark(b, journal.Beancount(), beans(20_000), bank.Options{})
}

func FuzzHledger(f *testing.F) {
	banks.Fuzz(f, journal.Hledger(civil.MustParse("2026-01-01")), bank.Options{}, append(plain,
		"D 1.000,00 EUR\ncommodity USD\n  format 1.00 USD\n1/2=3/4 ! (c) x ; date:1/1\n"+
			" [assets:a]  -$ 1 000 {{=1}} [1-1] (n) @@ 1 = 1\n")...)
}

func FuzzBeancount(f *testing.F) {
	banks.Fuzz(f, journal.Beancount(), bank.Options{}, simply+"2026-01-03 pad Assets:A Income:B\n"+
		"2026-01-04 * \"a\" \"b\" #t ^l\n  k: 1\n"+
		"  ! Assets:A  -1,000.00 X {{2 USD, 2026-01-01, \"l\", *}} @ 3 EUR\n  Income:B\n"+
		"2026-01-05 balance Assets:A  1 ~ 0.1 USD\n", "option \"inferred_tolerance_default\" \"*:0.1\"\n"+simply)
}
