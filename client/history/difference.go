package history

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Difference compares the rows of a month with the server's totals.
type Difference struct {
	First        civil.Date // first day of the month
	Server, Rows apiclient.Summary
	Unreadable   int64 // number of rows that could not be decoded; Rows does not include them
	Overflow     bool  // the rows cannot be added up, and Rows is meaningless
	// Why says why the first of the unreadable rows could not be decoded. It is nil if all of them
	// are dated outside the month.
	Why *apiclient.ContractError
}

// IsZero reports whether the rows add up to the server's totals.
func (d *Difference) IsZero() bool { return !d.Overflow && d.Unreadable == 0 && d.Rows == d.Server }

// String says what differs, for example "2026-10: rows and totals differ: 2
// transactions, money out $1,200.00".
func (d *Difference) String() string {
	month := figures.YearMonth(d.First)
	if d.Overflow {
		return month + ": the amounts are too large to add up"
	}
	var parts []string
	if d.Why != nil {
		parts = append(parts, plural.Count(d.Unreadable, "transaction")+" could not be read")
	}
	if n := d.Server.Count - d.Rows.Count; n != 0 && (d.Why == nil || n != d.Unreadable) {
		parts = append(parts, plural.Count(max(n, -n), "transaction"))
	}
	for _, sum := range [...]struct {
		name         string
		server, rows int64
	}{
		{"money in ", d.Server.InflowMinor, d.Rows.InflowMinor},
		{"money out ", d.Server.OutflowMinor, d.Rows.OutflowMinor},
	} {
		if cents := max(sum.server, sum.rows) - min(sum.server, sum.rows); cents != 0 {
			parts = append(parts, sum.name+money.Text(cents, d.Server.Currency))
		}
	}
	if len(parts) == 0 {
		return month + ": rows and totals differ"
	}
	return month + ": rows and totals differ: " + strings.Join(parts, ", ")
}
