package samplefiles

import (
	"fmt"
	"io"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/demodata"
	"tarmac/service/ledger"
)

// writePlan writes a plan of the company, which begins in the current month.
func (s *set) writePlan(h *demodata.History) {
	first := s.today.FirstOfMonth()
	month := func(n int) string { return first.AddMonths(n).String()[:7] }
	a := func(names ...string) int64 { return monthlyThousands(h, first, names...) }
	name, _, _ := strings.Cut(strings.ToLower(s.name), " ")
	s.add(name+".plan", func(w io.Writer) error {
		_, err := fmt.Fprintf(w, `plan from %s in %s
# Words and rules: docs/plan.md. What it comes to: tarmac plan --plan %s.plan
budget "Payroll" %dk/month on 15 and last: Ledgerline Payroll
budget "Cloud" %dk/month: Cumulus Compute, Stratus Edge
budget "Rent" %dk/month on 1: Harbour Lane Properties
tax "Payroll tax" %dk/month on 5: Federal Tax Deposit
hire 2 "engineer" 9k/month from %s in "Payroll"
cost "Office move" 20k on %s-10
income "Public sector" 12k/month from %s
raise "Series A" 3M on %s-15, takes 14 weeks
floor 1M
case "Lean": burn -10%%
case "Lean": lose "Ironwood Manufacturing" 15k/month from %s
case "Customers pay": overdue
`, month(0), s.home, name, a("Ledgerline Payroll"), a("Cumulus Compute", "Stratus Edge"),
			a("Harbour Lane Properties"), a("Federal Tax Deposit"), month(4), month(3), month(2), month(8), month(5))
		return err
	})
}

// monthlyThousands returns what vendors cost on average in the three months before a day, rounded
// up to thousands.
func monthlyThousands(h *demodata.History, before civil.Date, names ...string) (thousands int64) {
	const months, thousand = 3, 1000_00
	sum := int64(0)
	for _, t := range h.Rows {
		if t.Direction != ledger.Outflow || t.Date.Before(before.AddMonths(-months)) || !t.Date.Before(before) {
			continue
		}
		for _, name := range names {
			if t.Counterparty == name {
				sum += t.AmountMinor
			}
		}
	}
	return (sum/months + thousand - 1) / thousand
}
