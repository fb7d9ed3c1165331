package bookkeeping_test

import (
	"fmt"
	"strings"
	"testing"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/bookexport"
	"tarmac/service/bookkeeping"
	"tarmac/service/statements/bank"
)

// exchange returns the files of a dollar and a euro account, with a transfer of 1,000 dollars that
// arrives as 900 euros, on the given days. At the rates, 1,000 dollars are 909.09 euros.
func exchange(out, in string) (dollars, euros, rates string) {
	dollars = statement{
		account: "00123456789", first: "2026-09-01", last: "2026-09-30", closing: "4000.00", closedOn: "2026-09-30",
		lines: []line{{out, "-1000.00", "1", "Transfer to EUR00987654321"}},
	}.ofx()
	euros = "Date,Description,Amount,Balance\n2026-09-01,Interest,1.00,101.00\n" +
		in + ",Transfer from 00123456789,900.00,1001.00\n2026-09-30,Fee,-1.00,1000.00\n"
	rates = "date,currency,usd\n2026-08-31,EUR,1.10\n2026-09-07,EUR,1.10\n2026-09-14,EUR,1.10\n2026-09-21,EUR,1.10\n" +
		"2026-09-28,EUR,1.10\n"
	return dollars, euros, rates
}

func TestExchangesBetweenOwnAccountsAreExportedWithTheirLoss(t *testing.T) {
	testdb.SQLiteOnly(t)
	for _, test := range []struct{ name, out, in, want string }{
		{
			"at once", "2026-09-14", "2026-09-14", "  900.00 EUR @@ 990.00 USD\n" +
				"    expenses:currency exchange  9.09 EUR @@ 10.00 USD\n    assets:bank:6789  -1000.00 USD\n",
		},
		{
			"after a day", "2026-09-14", "2026-09-15", "  900.00 EUR @@ 990.00 USD\n" +
				"    expenses:currency exchange  9.09 EUR @@ 10.00 USD\n    assets:in transit  -1000.00 USD\n",
		},
		{
			"dated a day before", "2026-09-15", "2026-09-14", "  900.00 EUR\n    expenses:currency exchange  9.09 EUR\n" +
				"    assets:in transit  -909.09 EUR\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBooks(t)
			dollars, euros, rates := exchange(test.out, test.in)
			file := source("euros.csv", euros)
			file.Options = bank.Options{Account: "EUR00987654321", Currency: "EUR"}
			take(t, b, source("a.qfx", dollars), file, source("rates.csv", rates))

			text, _ := export(t, b, bookexport.Hledger)

			if !strings.Contains(text, test.want) || strings.Count(text, "currency exchange  ") != 1 {
				t.Errorf("there is no %q in\n%s", test.want, text)
			}
			checkJournals(t, b)
		})
	}
}

func TestAJournalLacksNoLine(t *testing.T) {
	b := sampleBooks(t, 3)
	lines := map[string]int{}
	for _, l := range linesOf(t, b, bookkeeping.LineFilter{}) {
		if strings.Contains(l, " booked ") {
			lines[strings.Fields(l)[1]]++
		}
	}
	text, _ := export(t, b, bookexport.CSV)

	rows := map[string]int{}
	for _, row := range strings.Split(text, "\r\n")[1:] {
		if strings.Contains(row, ",transaction,") || strings.Contains(row, ",transfer,") {
			name := strings.Split(row, ",")[1]
			rows["…"+name[len(name)-4:]]++
		}
	}
	if fmt.Sprint(rows) != fmt.Sprint(lines) {
		t.Errorf("the export has %v, the books have %v", rows, lines)
	}
}
