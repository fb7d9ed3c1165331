package table_test

import (
	"fmt"
	"slices"
	"testing"

	"tarmac/service/statements/bank"
)

// The headings are those of the transaction history on Wise's website, as issues 1018 and 1019 of
// erp-mafia/accounted show them; rows and variants are our own.
const wise = "ID,Status,Direction,Created on,Finished on,Source fee amount,Source fee currency,Target fee amount," +
	"Target fee currency,Source name,Source amount (after fees),Source currency,Target name,Target amount (after fees)," +
	"Target currency,Exchange rate,Reference,Batch,Created by,Category,Note"

func TestHistoriesWithBothSidesOfPayments(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		want    []string
	}{
		"money out with its fee": {rowsOf(wise, "T-1,COMPLETED,OUT,2026-08-03 14:20:05,2026-08-04 01:00:00,0.45,EUR,,,"+
			"Quill,120.00,EUR,Lets GmbH,120.00,EUR,1.0,rent,,,,"), []string{"2026-08-04 -120.45 EUR Lets GmbH"}},
		"money out in another currency": {rowsOf(wise,
			"T-1,COMPLETED,OUT,2026-08-03 14:20:05,2026-08-03 15:00:00,2.00,EUR,,,"+
				"Quill,100.00,EUR,Acme Inc,110.00,USD,1.1,,,,,"), []string{"2026-08-03 -102.00 EUR Acme Inc"}},
		"money in after the sender's fee": {rowsOf(wise,
			"T-2,COMPLETED,IN,2026-07-31 09:00:00,2026-07-31 09:01:30,,,5.00,GBP,"+
				"Northgate,2505.00,GBP,Quill,2500.00,GBP,1.0,,,,,"), []string{"2026-07-31 2500.00 GBP Northgate"}},
		"a conversion": {rowsOf(wise, "B-3,COMPLETED,NEUTRAL,2026-08-01 10:00:00,2026-08-01 10:00:02,1.20,EUR,,,"+
			"Quill,498.80,EUR,Quill,430.00,GBP,0.86,,,,,"), []string{"2026-08-01 -500.00 EUR Quill",
			"2026-08-01 430.00 GBP Quill"}},
		"a fee in another currency": {rowsOf(wise, "T-4,COMPLETED,OUT,2026-08-03 14:20:05,2026-08-03 14:23:11,0.50,USD,,,"+
			"Quill,120.00,EUR,Lets,120.00,EUR,1.0,,,,,"), []string{"2026-08-03 -120.00 EUR Lets", "2026-08-03 -0.50 USD Fee"}},
		"cancelled and refunded rows": {rowsOf(wise,
			"T-1,CANCELLED,OUT,2026-08-03 14:20:05,,0.45,EUR,,,Quill,120.00,EUR,Lets,120.00,EUR,1.0,,,,,",
			"T-2,REFUNDED,OUT,2026-08-03 14:20:05,2026-08-03 14:20:05,0,EUR,,,Quill,19.00,EUR,Lets,19.00,EUR,1.0,,,,,",
			"T-3,COMPLETED,OUT,2026-08-03 14:20:05,2026-08-03 14:20:05,0,EUR,,,Quill,7.00,EUR,Lets,7.00,EUR,1.0,,,,,"),
			[]string{"2026-08-03 -7.00 EUR Lets"}},
		"a payment on its way": {rowsOf(wise, "T-1,PROCESSING,OUT,2026-08-03 14:20:05,,0.00,EUR,,,"+
			"Quill,120.00,EUR,Lets,120.00,EUR,1.0,,,,,"), []string{"2026-08-03 -120.00 EUR Lets pending"}},
		"in another order and form": {rowsOf("Direction;Created on;Target amount;Target currency;Target name;Source name;"+
			"Source amount;Source currency;Source fee amount;Status;Reference",
			"OUT;03.08.2026;1.120,00;EUR;Vermieter;Quill;1.120,00;EUR;0,45;COMPLETED;x",
			"IN;13.08.2026;9.000,00;EUR;Quill;Kunde;9.000,00;EUR;0,00;COMPLETED;y"),
			[]string{"2026-08-03 -1120.45 EUR Vermieter", "2026-08-13 9000.00 EUR Kunde"}},
	} {
		found, err := read(test.content, bank.Options{Account: "1"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}

		var got []string
		for _, s := range found.Statements {
			for _, line := range s.Lines {
				text := fmt.Sprintf("%s %.2f %s %s", line.Booked, float64(line.Minor)/100, s.Currency, line.Counterparty)
				if line.Pending {
					text += " pending"
				}
				got = append(got, text)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
