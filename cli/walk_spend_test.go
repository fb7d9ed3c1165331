//go:build unix

package cli_test

import "testing"

// A newcomer answers two questions, each in at most five keys: why a month was worse than the month
// before, and what is paid every month and rose.
func TestWalkSpendInFiveKeys(t *testing.T) {
	t.Parallel()
	environ := walk(t)
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		w := openDashboard(t, size[0], size[1], environ, "--read-only")
		w.do("8", "Counterparties", `the ledger's total`)
		w.do("tab tab", `net of 20`, `to the cent`)
		w.do("enter", `Changes › `, `1 transaction|[0-9]+ transactions`, `row 1 of`)
		w.back("Changes › ")
		w.close()

		w = openDashboard(t, size[0], size[1], environ)
		w.do("8", `the ledger's total`)
		w.do("]", `money out \$.* a year`, "Ledgerline Pay")
		w.do("S", `\[by change\]`, `\+[0-9]+ %`)
		w.do("enter", `Recurring › `, `row 1 of`)
		w.back("Recurring › ")
		w.until(`\[by change\]`)
		w.close()
	}
}
