package report

import (
	"bufio"
	"strings"
	"testing"
)

// A table that is too wide names a currency without a symbol once a column, and keeps its columns.
func TestAWideTableNamesItsCurrencyInTheTitles(t *testing.T) {
	wide := table{
		Columns: []column{
			{Title: "Month"}, {Title: "In", Number: true}, {Title: "Out", Number: true, Wide: true},
			{Title: "Net", Number: true}, {Title: "Cash at end", Number: true},
		},
		Rows: []row{
			{Cells: []string{"2026-11 until 19 Nov", "~109,080.48 CHF", "~64,183.42 CHF", "~+44,897.06 CHF", "—"}},
			{Cells: []string{"2026-10", "170,847.01 CHF", "148,537.75 CHF", "+22,309.26 CHF", "2,887,050.15 CHF"}},
		},
	}
	narrow := table{Columns: wide.Columns[:2], Rows: []row{
		{Cells: wide.Rows[0].Cells[:2]}, {Cells: wide.Rows[1].Cells[:2]}}}
	for name, test := range map[string]struct {
		of   table
		want string
	}{
		"wide": {wide, "" +
			"Month                      In CHF     Out CHF      Net CHF  Cash at end CHF\n" +
			"2026-11 until 19 Nov  ~109,080.48  ~64,183.42  ~+44,897.06                —\n" +
			"2026-10                170,847.01  148,537.75   +22,309.26     2,887,050.15\n"},
		"narrow": {narrow, "" +
			"Month                              In\n" +
			"2026-11 until 19 Nov  ~109,080.48 CHF\n" +
			"2026-10                170,847.01 CHF\n"},
	} {
		var b strings.Builder
		writer := textWriter{bufio.NewWriter(&b)}

		writer.table(&test.of)

		if err := writer.Flush(); err != nil || b.String() != test.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, b.String(), test.want)
		}
	}
}
