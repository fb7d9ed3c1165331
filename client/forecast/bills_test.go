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
	"tarmac/client/recurrence"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// bill returns an open bill that is due on a day; the zero date is on receipt.
func bill(number, vendor string, due civil.Date, cents int64) apiclient.Bill {
	return apiclient.Bill{
		Number: number, VendorName: vendor, State: apiclient.BillOpen, DueOn: due,
		Open: apiclient.NewAmount(cents, "USD"), Reporting: apiclient.NewAmount(cents, "USD"),
	}
}

func owed(bills ...apiclient.Bill) *payables.Payables {
	return payables.Of(&apiclient.Bills{Kept: true, Known: true, Currency: "USD", All: bills}, today)
}

// withBills computes a forecast with bills that there must be.
func withBills(t testing.TB, l *spending.Ledger, bills ...apiclient.Bill) (with, without *forecast.Forecast) {
	t.Helper()
	without = estimated(t, l, nil)
	with, err := without.WithBills(l, owed(bills...))
	if err != nil {
		t.Fatal(err)
	}
	return with, without
}

// moneyOut returns the money out of all periods, in minor units.
func moneyOut(f *forecast.Forecast) (sum int64) {
	if f.IsBehind() {
		sum = f.Between.Out
	}
	for i := range f.Weeks {
		sum += f.Weeks[i].Out
	}
	return sum
}

// The sample pays rent of $1,000 on the 5th, of which 5 December, January and February are in the
// weeks, and $52 a week to vendors that are paid once.
func TestABillReplacesWhatWasExpectedOfItsVendor(t *testing.T) {
	day := civil.MustParse
	of := func(bills ...apiclient.Bill) []apiclient.Bill { return bills }
	// Print is paid some $10 every other week or so, without a rhythm.
	weekly := func(rows []apiclient.Transaction) []apiclient.Transaction {
		for i, age := range []int{1, 8, 10, 31, 36, 57, 61, 80, 99, 104, 131, 140, 171} {
			rows = append(rows, row(today.AddDays(-age), "Print", -int64(900+i%3*100)))
		}
		return rows
	}
	for name, test := range map[string]struct {
		bills                     []apiclient.Bill
		week                      int // in which the first bill is
		payments, shares, besides int64
	}{
		"of the next rent":      {of(bill("1", "RENT Inc.", day("2026-12-05"), 1100_00)), 1, 1000_00, 0, 100_00},
		"smaller than it":       {of(bill("1", "Rent", day("2026-12-05"), 400_00)), 1, 1000_00, 0, -600_00},
		"half a period before":  {of(bill("1", "Rent", day("2026-11-23"), 1000_00)), 0, 1000_00, 0, 0},
		"past due, of the rent": {of(bill("1", "Rent", day("2026-11-21"), 1000_00)), 0, 1000_00, 0, 0},
		"older":                 {of(bill("1", "Rent", day("2026-11-05"), 1000_00)), 0, 0, 0, 1000_00},
		"two of one period": {of(bill("1", "Rent", day("2026-12-04"), 900_00),
			bill("2", "Rent", day("2026-12-05"), 1000_00)), 1, 1000_00, 0, 900_00},
		"two of two periods": {of(bill("1", "Rent", day("2026-12-04"), 900_00),
			bill("2", "Rent", day("2027-01-06"), 1000_00)), 1, 2000_00, 0, -100_00},
		"on receipt, of a new vendor": {of(bill("1", "Nobody", civil.Date{}, 700_00)), 0, 0, 0, 700_00},
		"after the weeks":             {of(bill("1", "Rent", day("2027-03-05"), 700_00)), -1, 0, 0, 0},
		"within the vendor's share":   {of(bill("1", "Print", day("2026-12-24"), 20_00)), 4, 0, 20_00, 0},
		"above the vendor's share":    {of(bill("1", "Print", day("2026-12-24"), 200_00)), 4, 0, 64_50, 135_50},
	} {
		t.Run(name, func(t *testing.T) {
			with, without := withBills(t, ledger(weekly(sample())), test.bills...)

			// Rounding of a cent a week apart.
			got := with.Replaced
			if got.Payments != test.payments || max(got.Shares-test.shares, test.shares-got.Shares) > 26 {
				t.Errorf("replaced %+v, want payments %d and shares %d", got, test.payments, test.shares)
			}
			besides := moneyOut(with) - moneyOut(without)
			if max(besides-test.besides, test.besides-besides) > 26 {
				t.Errorf("money out differs by %d, want %d", besides, test.besides)
			}
			for i := range with.Weeks {
				has := slices.ContainsFunc(with.Weeks[i].Bills, func(b payables.Bill) bool { return b.Number == "1" })
				if has != (i == test.week) {
					t.Errorf("bill 1 in week %d: %t", i, has)
				}
			}
			if with.Weeks[12].Band != without.Weeks[12].Band {
				t.Error("the band changed")
			}
		})
	}
}

func TestABillLeavesLastYearsWeeksToo(t *testing.T) {
	rows := shop()
	for i := range rows { // one of last year's makers is paid again
		if rows[i].CounterpartyName == "maker 45" {
			rows[i].CounterpartyName = "Anchor Insurance"
		}
	}
	l := ledger(rows)
	with, without := withBills(t, l, bill("7", "Anchor Insurance", civil.MustParse("2027-01-12"), 5000_00))

	// Last year's week counts $360 × 1.25 by half.
	if got := with.Replaced.Shares; got != 225_00 || without.Weeks[6].LastYearOut-with.Weeks[6].LastYearOut != 225_00 {
		t.Errorf("replaced %d; week 7 is %+v, was %+v", got, with.Weeks[6], without.Weeks[6])
	}
}

func TestFiguresWithBillsSayWhatIsNotKnown(t *testing.T) {
	due := today.AddDays(9)
	asked := bill("1", "Nobody", due, 400_00)
	asked.MayBePaid = true
	foreign := bill("2", "Else", due, 0)
	foreign.Reporting = apiclient.UnknownAmount("USD")
	l := ledger(sample())
	for name, test := range map[string]struct {
		bill  apiclient.Bill
		marks [4]figures.Mark // of Bills and Cash in the week and of Out and Cash in the one before
	}{
		"may be paid": {asked, [4]figures.Mark{figures.AtMost, figures.Partial, figures.NoMark, figures.NoMark}},
		"no rate":     {foreign, [4]figures.Mark{figures.Partial, figures.Partial, figures.NoMark, figures.NoMark}},
	} {
		with, _ := withBills(t, l, test.bill, bill("3", "Else", due, 100))
		w, before := with.Figures(1), with.Figures(0)
		got := [4]figures.Mark{w.Bills.Mark(), w.Cash.Mark(), before.Out.Mark(), before.Cash.Mark()}
		if got != test.marks {
			t.Errorf("%s: marks are %v, want %v", name, got, test.marks)
		}
		says(t, with, "Tests on the past know no bills.", true)
	}
	without := estimated(t, l, nil)
	for _, none := range []*payables.Payables{nil, payables.Of(&apiclient.Bills{}, today),
		payables.Of(&apiclient.Bills{Kept: true, Currency: "USD"}, today)} {
		with, err := without.WithBills(l, none)
		if err != nil || with.KnowsBills() || with.Figures(0).Bills.String() != "—" ||
			with.Weeks[0].Out != without.Weeks[0].Out {
			t.Errorf("%v, %+v", err, with.Weeks[0])
		}
	}
}

// drawBills draws bills, of vendors that the ledgers of drawRows pay and of others.
func drawBills(t *rapid.T) (bills []apiclient.Bill) {
	names := rapid.SampledFrom([]string{"A", "B", "C", "D", "series 0", "Series 1 Ltd", "series 2", "Twice", "Nobody"})
	for i := range rapid.IntRange(0, 30).Draw(t, "bills") {
		due := today.AddDays(rapid.IntRange(-60, 110).Draw(t, "due"))
		if rapid.IntRange(0, 9).Draw(t, "on receipt") == 0 {
			due = civil.Date{}
		}
		b := bill(fmt.Sprint(i), names.Draw(t, "vendor"), due, rapid.Int64Range(1, 5e6).Draw(t, "cents"))
		if rapid.IntRange(0, 9).Draw(t, "disputed") == 0 {
			b.State = apiclient.BillDisputed
		}
		bills = append(bills, b)
	}
	return bills
}

// Money out with bills, less money out without them, is the bills, less the payments and shares
// that they replace: each once, whatever the order in which they come. A second, slow
// implementation finds the same payments and shares.
func TestBillsAreNeverDoubled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, bills := drawRows(t), drawBills(t)
		for month := range 22 { // one vendor with two series
			rows = append(rows, row(civil.New(2026, 11, 3).AddMonths(-month), "Twice", -1000_00))
			if month%3 == 0 {
				rows = append(rows, row(civil.New(2026, 11, 12).AddMonths(-month), "Twice", -50_000_00))
			}
		}
		l := ledger(rows)
		start := forecast.StartOf(l, cash(1), today)
		start.Day = today.AddDays(-rapid.SampledFrom([]int{0, 0, 20}).Draw(t, "days that are missing"))
		without, err := forecast.From(l, collections.List{}, start, today)
		if err != nil {
			t.Fatal(err)
		}
		with, err := without.WithBills(l, owed(bills...))
		if err != nil {
			t.Fatal(err)
		}

		listed, sum := map[string]int{}, int64(0)
		for i := range with.Weeks {
			w := &with.Weeks[i]
			if w.Out != payments(w, apiclient.Outflow)+w.AverageOut+w.LastYearOut+w.Owed || w.In != without.Weeks[i].In {
				t.Fatalf("week %d does not add up: %+v", i+1, w)
			}
			for _, b := range w.Bills {
				listed[b.Number]++
				sum += minor(b.Reporting)
			}
		}
		replaced := with.Replaced.Payments + with.Replaced.Shares
		if moneyOut(with)-moneyOut(without) != sum-replaced {
			t.Fatalf("%d - %d, bills %d, replaced %+v", moneyOut(with), moneyOut(without), sum, with.Replaced)
		}
		second := replacedSlowly(l, without, bills, nil)
		if with.Replaced.Payments != second.payments || !near(with.Replaced.Shares, second.shares) {
			t.Fatalf("replaced %+v, by the second implementation %+v", with.Replaced, second)
		}
		for i := range bills {
			day := max(0, bills[i].DueOn.DaysSince(today)-1)
			inWeeks := bills[i].State == apiclient.BillOpen && (bills[i].DueOn.IsZero() || day < 7*forecast.Weeks)
			if listed[bills[i].Number] != map[bool]int{true: 1}[inWeeks] {
				t.Fatalf("bill %+v is listed %d times", bills[i], listed[bills[i].Number])
			}
		}
		other, err := without.WithBills(l, owed(rapid.Permutation(bills).Draw(t, "order")...))
		if err != nil || other.Replaced != with.Replaced || moneyOut(other) != moneyOut(with) {
			t.Fatalf("in another order: %v, %+v and %+v", err, with.Replaced, other.Replaced)
		}
	})
}

func minor(a apiclient.Amount) int64 {
	cents, _ := a.Minor()
	return cents
}

// secondBills is what bills replace, in minor units.
type secondBills struct{ payments, shares int64 }

// replacedSlowly finds out what bills replace in a forecast without them: vendor by vendor, always
// taking the nearest pair of a bill and a payment, and with fractions.
func replacedSlowly(
	l *spending.Ledger, f *forecast.Forecast, bills []apiclient.Bill, planned slowPlan,
) (sum secondBills) {
	past, first := l.UpTo(f.Basis.Last)
	series := past.Recurring(f.Basis.Last)
	inSeries := map[string]bool{}
	for i := range series {
		for _, row := range series[i].Rows() {
			inSeries[l.Rows[first+row].ID] = true
		}
	}
	begins, ends := today.AddDays(1), today.AddDays(7*forecast.Weeks)
	if f.IsBehind() {
		begins = f.Between.First
	}
	vendors := map[string][]apiclient.Bill{}
	for _, b := range bills {
		if b.State == apiclient.BillOpen && !dueOf(b).After(ends) &&
			planned.line(counterparty.Key(b.VendorName), dueOf(b)) < 0 {
			vendors[counterparty.Key(b.VendorName)] = append(vendors[counterparty.Key(b.VendorName)], b)
		}
	}
	for key, of := range vendors {
		taken := map[string]bool{}
		for {
			best, found := secondPair{}, -1
			for i, b := range of {
				for j := range series {
					if series[j].Key != key || series[j].Direction != apiclient.Outflow {
						continue
					}
					p, ok := nearestSlowly(b, &series[j], planned, f.Basis.Last, begins, ends)
					p.series = j
					if ok && !taken[p.String()] && (found < 0 || p.before(best, b, of[found])) {
						best, found = p, i
					}
				}
			}
			if found < 0 {
				break
			}
			taken[best.String()] = true
			of = slices.Delete(slices.Clone(of), found, found+1)
			if !best.shown.After(ends) {
				sum.payments += series[best.series].Usual
			}
		}
		besides := int64(0)
		for _, b := range of {
			besides += minor(b.Reporting)
		}
		sum.shares += min(besides, shareSlowly(l, f, key, planned, inSeries, begins, ends))
	}
	return sum
}

func dueOf(b apiclient.Bill) civil.Date {
	if b.DueOn.IsZero() {
		return today
	}
	return b.DueOn
}

// secondPair is a payment that a bill may replace. It is shown on a day that is later than the one
// on which it was expected if it is overdue.
type secondPair struct {
	series   int
	expected civil.Date
	shown    civil.Date
	days     int
	apart    int64
}

func (p secondPair) String() string { return fmt.Sprint(p.series, p.expected) }

// before reports whether the pair with bill a is nearer than the other with bill b.
func (p secondPair) before(other secondPair, a, b apiclient.Bill) bool {
	return cmp.Or(cmp.Compare(p.days, other.days), cmp.Compare(p.apart, other.apart), dueOf(a).Compare(dueOf(b)),
		cmp.Compare(minor(a.Reporting), minor(b.Reporting)), cmp.Compare(a.Number, b.Number)) < 0
}

func nearestSlowly(
	b apiclient.Bill, s *spending.Recurring, planned slowPlan, last, begins, ends civil.Date,
) (best secondPair, ok bool) {
	half := map[recurrence.Rhythm]int{recurrence.Weekly: 3, recurrence.EveryTwoWeeks: 7, recurrence.TwiceAMonth: 7,
		recurrence.Monthly: 15, recurrence.Quarterly: 45, recurrence.Yearly: 182}[s.Rhythm]
	for _, day := range s.Expected(last, begins, ends.AddDays(half)) {
		p := secondPair{expected: day, shown: day}
		if day == begins && s.Next.Before(begins) && !s.IsLate(last) {
			p.expected = s.Next
		}
		p.days = max(p.expected.DaysSince(dueOf(b)), dueOf(b).DaysSince(p.expected))
		p.apart = max(s.Usual-minor(b.Reporting), minor(b.Reporting)-s.Usual)
		if p.days <= half && planned.line(s.Key, day) < 0 && (!ok || p.days < best.days) {
			best, ok = p, true
		}
	}
	return best, ok
}

// shareSlowly returns what is expected of a vendor besides its series.
func shareSlowly(
	l *spending.Ledger, f *forecast.Forecast, key string, planned slowPlan, inSeries map[string]bool,
	begins, ends civil.Date,
) int64 {
	w, days := big.NewRat(f.Basis.LastYear, 100), int64(0)
	for day := begins; !day.After(ends); day = day.AddDays(1) {
		if planned.line(key, day) < 0 {
			days++
		}
	}
	average, lastYear := new(big.Rat), new(big.Rat)
	for _, r := range l.Rows {
		cents, known := r.Signed()
		if !known || cents >= 0 || r.Key != key || r.Purpose != spending.Operating || inSeries[r.ID] {
			continue
		}
		if !r.Date.Before(f.Basis.First) && !r.Date.After(f.Basis.Last) {
			average.Add(average, big.NewRat(-cents*days, 7*forecast.PastWeeks))
		}
		if ahead := r.Date.AddDays(364); !ahead.Before(begins) && !ahead.After(ends) && !r.Date.After(f.Basis.Last) &&
			planned.line(key, ahead) < 0 {
			lastYear.Add(lastYear, big.NewRat(-cents*f.Basis.RatioOut, 100))
		}
	}
	average.Mul(average, new(big.Rat).Sub(big.NewRat(1, 1), w))
	share := average.Add(average, lastYear.Mul(lastYear, w))
	return new(big.Int).Quo(share.Num(), share.Denom()).Int64()
}

// near reports whether two sums differ by at most two cents for each period and part.
func near(a, b int64) bool { return max(a-b, b-a) <= 2*2*(forecast.Weeks+1) }

func TestTheBillsOfTheDocumentAreThoseOfThePencil(t *testing.T) {
	day := civil.MustParse
	with, _ := withBills(t, ledger(shop()), bill("1", "Carpenter", day("2026-11-12"), 900_00),
		bill("2", "Rent", day("2026-12-05"), 2100_00), bill("3", "maker 3", day("2027-01-12"), 260_00))

	if r := with.Replaced; r.Payments != 2000_00 || r.Shares/100 != 100 || with.Weeks[12].Cash.Minor/100 != 17_673 {
		t.Errorf("replaced %+v, cash %s", r, with.Weeks[12].Cash)
	}
	for i, want := range map[int]int64{0: 900_00, 1: 2100_00, 7: 260_00, 8: 0} {
		if got := with.Weeks[i].Owed; got != want {
			t.Errorf("bills of week %d are %d, want %d", i+1, got, want)
		}
	}
}
