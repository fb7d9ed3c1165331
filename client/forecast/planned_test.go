package forecast_test

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/payables"
	"tarmac/client/plan"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// planBasis is the state of a company without a net burn.
func planBasis(l *spending.Ledger) plan.Basis {
	return plan.Basis{
		Currency: "USD", Day: today, Cash: figures.CashOf(cash(10_000_00), figures.Window{}), Ledger: l,
		Overdue: figures.Total{Currency: "USD", Minor: 700_00},
	}
}

func parsedPlan(t testing.TB, lines string) *plan.Plan {
	t.Helper()
	p, err := plan.Parse("plan from 2026-11 in USD\n" + lines)
	if err != nil {
		t.Fatalf("%v in\n%s", err, lines)
	}
	return p
}

// withPlan computes a forecast with the lines of a plan, and with bills unless p is nil.
func withPlan(t testing.TB, l *spending.Ledger, p *payables.Payables, lines string) (with, without *forecast.Forecast) {
	t.Helper()
	without, err := estimated(t, l, nil).WithBills(l, p)
	if err != nil {
		t.Fatal(err)
	}
	with, err = without.WithPlan(l, parsedPlan(t, lines), "", planBasis(l))
	if err != nil {
		t.Fatal(err)
	}
	return with, without
}

// The sample pays rent of $1,000 on the 5th, of which 5 December, January and February are in the
// weeks, and $100 a week come from customers and $52 go to vendors who appear once.
func TestALineReplacesWhatWasExpectedOfItsCounterparties(t *testing.T) {
	day := civil.MustParse
	for name, test := range map[string]struct {
		lines string
		bills []apiclient.Bill
		// What the lines bring, what they replace, and what bills fill of them.
		net, in, out, filled int64
	}{
		"without names":   {`hire "A" 310/month on 10`, nil, -930_00, 0, 0, 0},
		"up":              {`budget "Rent" 1200/month on 5: RENT Inc`, nil, -3600_00, 0, 3000_00, 0},
		"down":            {`budget "Rent" 400/month on 5: Rent`, nil, -1200_00, 0, 3000_00, 0},
		"from January":    {`budget "Rent" 1200/month on 5 from January: Rent`, nil, -2400_00, 0, 2000_00, 0},
		"until December":  {`budget "Rent" 1200/month on 5 to December: Rent`, nil, -1200_00, 0, 3000_00, 0},
		"of an average":   {`income "C" 100/month on 5: customer 3`, nil, 300_00, 50_00, 0, 0},
		"of a part of it": {`income "C" 100/month on 5 from January to January: customer 3`, nil, 100_00, 28_57, 0, 0},
		"a hire in it": {"budget \"R\" 1k/month on 5: Rent\nhire \"B\" 200/month in \"R\"", nil, -3600_00, 0,
			3000_00, 0},
		"named twice": {"budget \"R\" 1k/month on 5: Rent\nbudget \"S\" 1k/month on 6: Rent", nil, -6000_00, 0,
			3000_00, 0},
		"a raise":          {`raise "A" 5k on 2026-12-01`, nil, 5000_00, 0, 0, 0},
		"a raise of today": {`raise "A" 5k on 2026-11-22`, nil, 0, 0, 0, 0},
		"overdue":          {"overdue", nil, 700_00, 0, 0, 0},
		"a bill fills it": {`budget "R" 1200/month on 5: Rent`,
			[]apiclient.Bill{bill("1", "Rent", day("2026-12-20"), 500_00)}, -3100_00, 0, 3000_00, 500_00},
		"a bill is more": {`budget "R" 1200/month on 5: Rent`,
			[]apiclient.Bill{bill("1", "Rent", day("2026-12-20"), 5000_00)}, -2400_00, 0, 3000_00, 1200_00},
		"bills of two months": {`budget "R" 1200/month on 5: Rent`,
			[]apiclient.Bill{bill("1", "Rent", day("2026-12-02"), 5000_00), bill("2", "Rent", day("2027-01-02"), 100_00)},
			-2300_00, 0, 3000_00, 1300_00},
		"an older bill": {`budget "R" 1200/month on 5: Rent`,
			[]apiclient.Bill{bill("1", "Rent", day("2026-10-05"), 900_00)}, -3600_00, 0, 3000_00, 0},
		"a credit": {`budget "R" 1200/month on 5: Rent`,
			[]apiclient.Bill{bill("1", "Rent", day("2026-12-05"), -900_00)}, -3600_00, 0, 3000_00, 0},
		"a bill before the line": {`budget "R" 1200/month on 5 from January: Rent`,
			[]apiclient.Bill{bill("1", "Rent", day("2026-12-05"), 900_00)}, -2400_00, 0, 2000_00, 0},
	} {
		t.Run(name, func(t *testing.T) {
			with, without := withPlan(t, ledger(sample()), owed(test.bills...), test.lines)

			net := int64(0)
			for i := range with.Weeks {
				net += with.Weeks[i].Supposed
			}
			got := with.PlanReplaced
			if net != test.net || max(got.In-test.in, test.in-got.In) > 26 || got.Out != test.out || with.Filled != test.filled {
				t.Errorf("net %d, replaced %+v, filled %d", net, got, with.Filled)
			}
			if with.Weeks[12].Band != without.Weeks[12].Band {
				t.Error("the band changed")
			}
			says(t, with, "Tests on the past know no plan.", true)
		})
	}
	if _, without := withPlan(t, ledger(sample()), nil, `hire "A" 1/month`); without.HasPlan() {
		t.Error("the forecast without a plan has one")
	}
}

func TestThePlanOfTheDocumentIsThatOfThePencil(t *testing.T) {
	day := civil.MustParse
	bills := []apiclient.Bill{bill("1", "Carpenter", day("2026-11-12"), 900_00),
		bill("2", "Rent", day("2026-12-05"), 2100_00), bill("3", "maker 3", day("2027-01-12"), 260_00)}
	const rooms = `budget "Rooms" 2,500/month on 1 from 2027-01: Rent`
	with, _ := withPlan(t, ledger(shop()), owed(bills...), rooms)
	more, _ := withPlan(t, ledger(shop()), owed(append(bills, bill("4", "Rent", day("2027-01-20"), 2600_00))...), rooms)

	one, other := with.Weeks[12].Cash.Minor, more.Weeks[12].Cash.Minor
	if one/100 != 16_673 || one-other != 100_00 || with.PlanReplaced.Out != 4000_00 || more.Filled != 2500_00 {
		t.Errorf("%d and %d, replaced %+v, filled %d", one, other, with.PlanReplaced, more.Filled)
	}
}

// planLine is a line of a plan with what it brings on a day.
type planLine struct {
	text     string
	from, to civil.Date // last day of the last month
	names    []string
	in       int // index of its budget; negative without one
	on       func(day civil.Date) int64
}

// drawPlan draws lines that name counterparties of drawRows, or nobody.
func drawPlan(t *rapid.T) (lines []planLine) {
	names := rapid.SampledFrom([]string{"A", "B", "C", "series 0", "Series 1 Ltd", "Twice", "Nobody"})
	for i := range rapid.IntRange(0, 6).Draw(t, "lines") {
		cents, sign := rapid.Int64Range(1, 1e6).Draw(t, "cents"), int64(-1)
		month := civil.New(2026, 11, 1).AddMonths(rapid.IntRange(0, 3).Draw(t, "from"))
		l := planLine{from: month, to: month.AddMonths(rapid.IntRange(0, 4).Draw(t, "months")).LastOfMonth(), in: -1}
		word := "budget"
		if rapid.IntRange(0, 3).Draw(t, "income") == 0 {
			word, sign = "income", 1
		}
		for range rapid.IntRange(0, 2).Draw(t, "names") {
			l.names = append(l.names, names.Draw(t, "name"))
		}
		months := " from " + l.from.String()[:7] + " to " + l.to.String()[:7]
		amount := fmt.Sprintf("%d.%02d/month", cents/100, cents%100)
		months = " on 12 and last" + months
		l.text = fmt.Sprintf("%s \"%d\" %s%s", word, i, amount, months)
		l.on = func(day civil.Date) int64 {
			switch {
			case day.Before(l.from) || day.After(l.to):
				return 0
			case day.Day() == 12:
				return sign * (cents - cents/2)
			case day == day.LastOfMonth():
				return sign * (cents / 2)
			}
			return 0
		}
		if budget := len(lines) - 1; budget >= 0 && sign < 0 && lines[budget].in < 0 && lines[budget].text[0] == 'b' &&
			rapid.Bool().Draw(t, "a hire") {
			l.names, l.in = nil, budget
			l.text = fmt.Sprintf("hire \"%d\" %s%s in \"%d\"", i, amount, months, budget)
		}
		for n, name := range l.names {
			l.text += map[bool]string{true: ": ", false: ", "}[n == 0] + name
		}
		lines = append(lines, l)
	}
	return lines
}

// slowPlan are the lines of a plan.
type slowPlan []planLine

// line returns the line that replaces a counterparty on a day, or -1: a counterparty belongs to the
// first line that names it, from its first month on.
func (p slowPlan) line(key string, day civil.Date) int {
	for i := range p {
		if slices.ContainsFunc(p[i].names, func(name string) bool { return counterparty.Key(name) == key }) {
			if day.Before(p[i].from) {
				return -1
			}
			return i
		}
	}
	return -1
}

// replaced returns what was expected of the counterparties of the plan, payment by payment and day
// by day, and with fractions.
func (p slowPlan) replaced(l *spending.Ledger, f *forecast.Forecast, begins, ends civil.Date) (in, out int64) {
	past, first := l.UpTo(f.Basis.Last)
	inSeries := map[int]bool{}
	w := big.NewRat(f.Basis.LastYear, 100)
	rest := new(big.Rat).Sub(big.NewRat(1, 1), w)
	sums := map[bool]*big.Rat{true: new(big.Rat), false: new(big.Rat)} // of money in and out
	add := func(in bool, cents, per int64, part *big.Rat) {
		sums[in].Add(sums[in], new(big.Rat).Mul(big.NewRat(max(cents, -cents), per), part))
	}
	for _, s := range past.Recurring(f.Basis.Last) {
		for _, row := range s.Rows() {
			inSeries[first+row] = true
		}
		for _, day := range s.Expected(f.Basis.Last, begins, ends) {
			if p.line(s.Key, day) < 0 {
				continue
			}
			if s.Direction == apiclient.Inflow {
				add(true, s.Usual, 1, rest)
			} else {
				add(false, s.Usual, 1, big.NewRat(1, 1))
			}
		}
	}
	for i, r := range l.Rows {
		cents, known := r.Signed()
		if !known || r.Purpose != spending.Operating || cents < 0 && inSeries[i] || r.Date.After(f.Basis.Last) {
			continue
		}
		for day := begins; !day.After(ends) && !inSeries[i] && !r.Date.Before(f.Basis.First); day = day.AddDays(1) {
			if p.line(r.Key, day) >= 0 {
				add(cents > 0, cents, 7*forecast.PastWeeks, rest)
			}
		}
		ahead := r.Date.AddDays(364)
		if f.Basis.LastYear > 0 && !ahead.Before(begins) && !ahead.After(ends) && p.line(r.Key, ahead) >= 0 {
			ratio := map[bool]int64{true: f.Basis.RatioIn, false: f.Basis.RatioOut}[cents > 0]
			add(cents > 0, cents*ratio, 100, w)
		}
	}
	whole := func(sum *big.Rat) int64 { return new(big.Int).Quo(sum.Num(), sum.Denom()).Int64() }
	return whole(sums[true]), whole(sums[false])
}

// filled returns what the lines bring, and how much of what they cost is filled by bills and by
// payments of months that have bills.
func (p slowPlan) filled(
	l *spending.Ledger, bills []apiclient.Bill, begins, ends civil.Date,
) (net, filled int64) {
	of := func(name string, day civil.Date) string { return fmt.Sprint(p.line(name, day), day.FirstOfMonth()) }
	open, paid, has, periods := map[string]int64{}, map[string]int64{}, map[string]bool{}, map[string]string{}
	for _, b := range bills {
		period, named := of(counterparty.Key(b.VendorName), dueOf(b)), p.line(counterparty.Key(b.VendorName), dueOf(b)) >= 0
		has[period] = true
		open[period] += minor(b.Reporting)
		if b.State == apiclient.BillPaid && (named || periods[b.PaidBy] == "") {
			periods[b.PaidBy] = period
		}
	}
	for _, r := range l.Rows {
		if cents, known := r.Signed(); known && cents < 0 && r.Purpose == spending.Operating && r.Date.Before(begins) {
			paid[cmp.Or(periods[r.ID], of(r.Key, r.Date))] -= cents
		}
	}
	for line := range p {
		for month := begins.FirstOfMonth(); !month.After(ends); month = month.AddMonths(1) {
			left, planned, period := int64(0), int64(0), fmt.Sprint(line, month)
			for day := month; day.FirstOfMonth() == month && !day.After(ends); day = day.AddDays(1) {
				for i := range p {
					if i != line && p[i].in != line {
						continue
					}
					if planned += max(0, -p[i].on(day)); !day.Before(begins) {
						left += max(0, -p[i].on(day))
					}
				}
				if !day.Before(begins) {
					net += p[line].on(day)
				}
			}
			if has[period] {
				filled += left - min(left, max(0, planned-paid[period]-open[period]))
			}
		}
	}
	return net, filled
}

// What the lines of a plan replace, and what bills fill of them, is that of a second, slow
// implementation. Money is expected once: of the counterparty's series or share, of the line, or of
// the bill.
func TestThePlanIsNeverDoubled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, bills, lines := drawRows(t), drawBills(t), slowPlan(drawPlan(t))
		for range rapid.IntRange(0, 20).Draw(t, "payments of this month") {
			name := rapid.SampledFrom([]string{"A", "B", "C", "series 0", "Twice"}).Draw(t, "name")
			rows = append(rows, row(today.AddDays(-rapid.IntRange(0, 30).Draw(t, "day")), name,
				-rapid.Int64Range(1, 1e5).Draw(t, "cents")))
		}
		l, text := ledger(rows), "plan from 2026-11 in USD\n"
		for i := range lines {
			text += lines[i].text + "\n"
		}
		p, err := plan.Parse(text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		for i := range bills { // some were paid, by whatever row
			if rapid.IntRange(0, 3).Draw(t, "paid") == 0 {
				r := l.Rows[rapid.IntRange(0, min(20, len(l.Rows)-1)).Draw(t, "row")]
				bills[i].State, bills[i].PaidOn, bills[i].PaidBy = apiclient.BillPaid, r.Date, r.ID
				bills[i].Reporting = apiclient.NewAmount(0, "USD")
			}
		}
		start := forecast.StartOf(l, cash(1), today)
		start.Day = today.AddDays(-rapid.SampledFrom([]int{0, 0, 20}).Draw(t, "days that are missing"))
		plain, err := forecast.From(l, collections.List{}, start, today)
		if err != nil {
			t.Fatal(err)
		}
		planned, err := plain.WithPlan(l, p, "", planBasis(l))
		if err != nil {
			t.Fatal(err)
		}
		with, err := planned.WithBills(l, owed(bills...))
		if err != nil {
			t.Fatal(err)
		}

		begins, ends := start.Day.AddDays(1), today.AddDays(7*forecast.Weeks)
		in, out := lines.replaced(l, plain, begins, ends)
		if got := with.PlanReplaced; !near(got.In, in) || !near(got.Out, out) {
			t.Fatalf("replaced %+v, by the second implementation %d and %d of\n%s", got, in, out, text)
		}
		known := slices.DeleteFunc(slices.Clone(bills), func(b apiclient.Bill) bool {
			return b.State == apiclient.BillDisputed || b.State == apiclient.BillOpen && dueOf(b).After(ends)
		})
		net, filled := lines.filled(l, known, begins, ends)
		if with.Filled != filled || supposed(with) != net+filled {
			t.Fatalf("net %d, filled %d, by the second implementation %d, %d of\n%s", supposed(with), with.Filled, net,
				filled, text)
		}
		second := replacedSlowly(l, plain, bills, lines)
		if with.Replaced.Payments != second.payments || !near(with.Replaced.Shares, second.shares) {
			t.Fatalf("bills replaced %+v, by the second implementation %+v", with.Replaced, second)
		}
		other, err := plain.WithBills(l, owed(bills...))
		if err != nil {
			t.Fatal(err)
		}
		if other, err = other.WithPlan(l, p, "", planBasis(l)); err != nil || other.Weeks[12].Cash != with.Weeks[12].Cash {
			t.Fatalf("%v; bills before the plan: %+v and %+v", err, other.Weeks[12], with.Weeks[12])
		}
	})
}

// supposed returns what the lines of a plan bring in all periods.
func supposed(f *forecast.Forecast) (sum int64) {
	if f.IsBehind() {
		sum = f.Between.Supposed
	}
	for i := range f.Weeks {
		sum += f.Weeks[i].Supposed
	}
	return sum
}
