package why_test

import (
	"testing"

	"tarmac/client/why"
	"tarmac/internal/civil"
)

func TestTheRunwayAtTheEndOfAPastMonthIsThatOfItsThreeMonths(t *testing.T) {
	grant := row{"2026-05-20", "Grant", 100_000_00, 0}
	for name, test := range map[string]struct {
		rows []row
		more int64             // net burn of the server beside that of the rows
		want map[string]string // by the first day of the month; "" for none
	}{
		// 512,990 ÷ 18,507.67 and 543,313 ÷ 12,600 and 555,913 ÷ 12,600 US dollars.
		"rows that explain the burn": {company(), 0, map[string]string{
			"2026-10-01": "27.7", "2026-09-01": "43.1", "2026-08-01": "44.1", "2026-11-01": "",
		}},
		"a burn that the rows do not explain": {company(), 100_00, map[string]string{"2026-10-01": "", "2026-09-01": ""}},
		"months in which cash rose": {append(company(), grant), 0, map[string]string{
			"2026-10-01": "27.7", "2026-08-01": "44.1", "2026-07-01": "", "2026-06-01": "", "2026-05-01": "",
		}},
	} {
		l := ledger(test.rows)

		left := why.MonthsLeft(known(l, position(l, test.more), l.Begins()))

		for month, want := range test.want {
			months, known := left[civil.MustParse(month)]
			if got := months.String(); known != (want != "") || known && got != want {
				t.Errorf("%s: %s has %q, %v; want %q", name, month, got, known, want)
			}
		}
	}
}
