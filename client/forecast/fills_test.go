package forecast_test

import (
	"fmt"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// A budget of a month, a quarter or a day is spent once: by payments that came, by bills, open or
// paid, and by what is left of the line. Only what bills are more adds. The first week begins on 23
// November.
func TestABillAndTheBudgetOfItsVendorAreOnePayment(t *testing.T) {
	day := civil.MustParse
	of := func(bills ...apiclient.Bill) []apiclient.Bill { return bills }
	open := func(due string, cents int64) apiclient.Bill { return bill("1", "Landlord", day(due), cents) }
	asked := func(due string, cents int64) apiclient.Bill {
		b := open(due, cents)
		b.MayBePaid = true
		return b
	}
	paid := func(due string) apiclient.Bill { // by the payment
		b := bill("2", "Landlord", day(due), 0)
		b.State, b.PaidBy = apiclient.BillPaid, fmt.Sprint("txn_", len(sample()))
		return b
	}
	const (
		twice   = `budget "L" 1200/month on 15 and last to November: Landlord`
		atEnd   = `budget "L" 600/month on last to November: Landlord`
		evenly  = `budget "L" 3000/month to November: Landlord`
		onFifth = `budget "L" 600/month on 5 to December: Landlord`
		tax     = `tax "T" 900 every quarter on 15 from January: Landlord`
		taxes   = `tax "T" 900 every quarter from January: Landlord`
		move    = `cost "M" 700 on 2026-12-10: Landlord`
	)
	for name, test := range map[string]struct {
		line       string
		paid       string // day of a payment of $600; "" without one
		bills      []apiclient.Bill
		net, owed  int64 // what is left of the line in the weeks, and the bills
		mayBeLower bool  // the sums may be lower, because a bill may be paid already
	}{
		"without a bill":           {twice, "", nil, -600_00, 0, false},
		"of a day that has passed": {twice, "", of(open("2026-11-15", 600_00)), -600_00, 600_00, false},
		"that, and it may be paid": {twice, "2026-11-16", of(asked("2026-11-15", 600_00)), 0, 600_00, true},
		"that, and it is paid":     {twice, "2026-11-16", of(paid("2026-11-15")), -600_00, 0, false},
		"more than of that day":    {twice, "", of(open("2026-11-15", 800_00)), -400_00, 800_00, false},
		"of the day ahead":         {twice, "2026-11-15", of(open("2026-11-30", 600_00)), 0, 600_00, false},
		"that, with nothing paid":  {twice, "", of(open("2026-11-30", 600_00)), -600_00, 600_00, false},
		"of the whole month":       {twice, "", of(open("2026-11-30", 1200_00)), 0, 1200_00, false},
		"paid before its day":      {atEnd, "2026-11-20", of(paid("2026-11-30")), 0, 0, false},
		"that, asked about":        {atEnd, "2026-11-20", of(asked("2026-11-30", 600_00)), 0, 600_00, true},
		"evenly, a part":           {evenly, "", of(open("2026-11-05", 1000_00)), -800_00, 1000_00, false},
		"evenly, most":             {evenly, "", of(open("2026-11-05", 2700_00)), -300_00, 2700_00, false},
		"evenly, all":              {evenly, "", of(open("2026-11-05", 3000_00)), 0, 3000_00, false},
		"evenly, after a payment":  {evenly, "2026-11-03", of(open("2026-11-25", 2000_00)), -400_00, 2000_00, false},
		"paid in the month before": {onFifth, "2026-11-20", of(paid("2026-12-05")), 0, 0, false},
		"that payment and this month": {twice, "2026-11-20", of(paid("2026-12-05"),
			open("2026-11-30", 100_00)), -600_00, 100_00, false},
		"a late one of last month": {atEnd, "2026-11-03", of(paid("2026-10-28"),
			open("2026-11-25", 100_00)), -500_00, 100_00, false},
		"of last month, still open":       {atEnd, "", of(open("2026-10-30", 600_00)), -600_00, 600_00, false},
		"of a quarter, a month later":     {tax, "", of(open("2027-02-01", 900_00)), 0, 900_00, false},
		"of a quarter, evenly":            {taxes, "", of(open("2027-01-20", 900_00)), 0, 900_00, false},
		"once, weeks before the cost":     {move, "", of(open("2026-11-28", 700_00)), 0, 700_00, false},
		"once, weeks after the cost":      {move, "", of(open("2027-01-08", 500_00)), -200_00, 500_00, false},
		"once, too long after it":         {move, "", of(open("2027-01-12", 700_00)), -700_00, 700_00, false},
		"once, paid before its day":       {move, "2026-11-20", of(paid("2026-12-12")), -100_00, 0, false},
		"once, of another month and paid": {move, "2026-11-20", of(paid("2026-11-25")), -700_00, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			rows := sample()
			if test.paid != "" {
				rows = append(rows, row(day(test.paid), "Landlord", -600_00))
				for i := range test.bills {
					if test.bills[i].State == apiclient.BillPaid {
						test.bills[i].PaidOn = day(test.paid)
					}
				}
			}

			with, _ := withPlan(t, ledger(rows), owed(test.bills...), test.line)

			bills := int64(0)
			for i := range with.Weeks {
				bills += with.Weeks[i].Owed
			}
			if net := supposed(with); net != test.net || bills != test.owed {
				t.Errorf("left of the line %d, bills %d; want %d, %d", net, bills, test.net, test.owed)
			}
			says(t, with, "1 bill of $600.00 may be paid already; `tarmac books questions` asks.", test.mayBeLower)
		})
	}
}

// If a bill that may be paid already fills a line of the plan, the weeks of that line say so, like
// the week of the bill.
func TestLinesThatAnAskedBillFillsAreMarked(t *testing.T) {
	asked := bill("1", "Landlord", today.AddDays(3), 500_00)
	asked.MayBePaid = true
	with, _ := withPlan(t, ledger(sample()), owed(asked), `budget "L" 1200/month on 30: Landlord`)

	first, second, later := with.Figures(0), with.Figures(1), with.Figures(5)
	if first.Bills.Mark() != figures.AtMost || second.Supposed.String() != "~-$700.00" ||
		second.Net.Mark() != figures.Partial || later.Supposed.String() != "-$1,200.00" {
		t.Errorf("bills %s, lines %s and %s, net %s", first.Bills, second.Supposed, later.Supposed, second.Net)
	}
	says(t, with, "1 line of a plan: ~-$3,100.00 in these weeks.", true)
	says(t, with, "Bills, open or paid, are ~$500.00 of what they cost.", true)
}
