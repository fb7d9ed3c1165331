package forecast

import (
	"cmp"
	"math/bits"
	"slices"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/payables"
	"tarmac/client/plan"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// WithBills returns the forecast with the bills that are due in its weeks: those past due and those
// payable on receipt in the first one. They replace what the ledger, from which the forecast was
// made, lets expect of the same vendors. The tests and their band stay those without bills. If
// nothing is known about bills, WithBills returns the forecast itself. It returns ErrMixed if the
// bills are in another currency, and ErrTooLarge if their sum is too large.
func (f *Forecast) WithBills(l *spending.Ledger, p *payables.Payables) (*Forecast, error) {
	switch {
	case p == nil || !p.Known():
		return f, nil
	case p.Currency != l.Currency:
		return nil, ErrMixed
	case !billsFit(p.Open):
		return nil, ErrTooLarge
	}
	return f.with(l, p, f.newCourse)
}

// with returns the forecast with bills and with a new course of a plan, both unless they are nil.
func (f *Forecast) with(l *spending.Ledger, p *payables.Payables, course func() *plan.Course) (*Forecast, error) {
	plain, payments := cmp.Or(f.plain, f), l.Payments()
	estimated := func(p *payables.Payables, course func() *plan.Course) (*Forecast, error) {
		var of *plan.Course
		if course != nil {
			of = course()
		}
		with, err := estimate(l, payments, p, of, f.Basis.Last, f.Between.First.AddDays(-1), f.Today)
		if err == nil {
			with.course = of
		}
		return with, err
	}
	planned, err := plain, error(nil)
	if course != nil {
		if planned, err = estimated(nil, course); err != nil {
			return nil, err
		}
	}
	with, err := estimated(p, course)
	if err != nil {
		return nil, err
	}
	made := *plain
	made.plain, made.owed, made.course, made.newCourse = plain, p, with.course, course
	made.filled = with.filled
	made.Between, made.Replaced.Payments = with.Between, with.Replaced.Payments
	for i := range made.Weeks {
		was, w := &plain.Weeks[i], with.Weeks[i]
		w.Band, w.Receipts = was.Band, was.Receipts
		made.Weeks[i] = w
	}
	before, between, after := plain.periods(), planned.periods(), with.periods()
	for i, w := range after {
		made.PlanReplaced.In += before[i].In - between[i].In
		made.PlanReplaced.Out += before[i].Out - between[i].Out
		made.Filled += w.Supposed - between[i].Supposed
		made.Replaced.Shares += between[i].Out - w.Out + w.Owed
	}
	made.Replaced.Shares -= made.Replaced.Payments
	made.setCash()
	return &made, nil
}

// billsFit reports whether the sum of bills, credits not deducted, is small enough to compute with.
func billsFit(bills []payables.Bill) bool {
	sum := int64(0)
	for i := range bills {
		minor, known := bills[i].Reporting.Minor()
		if !known {
			continue
		}
		var ok bool
		if sum, ok = money.Add(sum, max(minor, -minor)); !ok || sum > largest {
			return false
		}
	}
	return true
}

// replacement says what the bills of vendors replace in an estimate.
type replacement struct {
	*estimator
	vendors map[string]*vendor
	taken   map[expected]bool // payments that bills replace
}

// vendor is a vendor of bills.
type vendor struct {
	besides  int64   // sum of the bills that replace no expected payment
	rest     int64   // what the vendor's rows outside series cost in the 26 weeks
	lastYear []int64 // and in the same days of last year as each period
	expected int64   // what of the estimate comes from both
	replaced int64   // how much of it the bills replace
}

// expected is an expected payment of a series, both by their indices.
type expected struct{ series, payment int }

// placeBills adds the bills to the weeks in which they are to be paid. It finds out which expected
// payments they replace, and how much of them is besides.
func (e *estimator) placeBills(p *payables.Payables) *replacement {
	r := &replacement{estimator: e, vendors: map[string]*vendor{}, taken: map[expected]bool{}}
	bills := map[string][]payables.Bill{}
	names, filled := e.costNames(), fills{}
	for _, b := range p.Open {
		day := b.PayBy(e.Today)
		if day.Before(e.Weeks[0].First) {
			day = e.Weeks[0].First
		}
		week := day.DaysSince(e.Weeks[0].First) / 7
		if week >= Weeks {
			continue
		}
		w := &e.Weeks[week]
		w.Bills = append(w.Bills, b)
		if minor, known := b.Reporting.Minor(); known {
			w.Owed += minor
			w.Out += minor
			key := names.of(b.VendorName)
			if period, ok := e.filledBy(key, &b); ok {
				filled.of(period).bills = append(filled.of(period).bills, b)
				continue
			}
			bills[key] = append(bills[key], b)
		}
	}
	e.fillPlan(filled, p.Paid, names)
	for key := range bills {
		r.vendors[key] = &vendor{lastYear: make([]int64, len(e.periods()))}
	}
	series := map[string][]int{}
	for i := range e.series {
		if key, ok := r.vendorOf(e.series[i].Key); ok && e.series[i].Direction == apiclient.Outflow {
			series[key] = append(series[key], i)
		}
	}
	for key, of := range bills {
		r.vendors[key].besides = r.pair(of, series[key])
	}
	return r
}

// vendorOf returns the vendor of bills that the rows with a key are paid to.
func (r *replacement) vendorOf(key string) (string, bool) {
	if key == "" || key == counterparty.Unknown {
		return "", false
	}
	if r.vendors[key] == nil {
		key = counterparty.Base(key, func(shorter string) bool { return r.vendors[shorter] != nil })
	}
	return key, r.vendors[key] != nil
}

// costNames are the numbers of rows of money out by the keys of their counterparties.
type costNames map[string]int

func (e *estimator) costNames() costNames {
	names := costNames{}
	for i := e.begin; i < len(e.all); i++ {
		if e.all[i].Direction == apiclient.Outflow {
			names[e.all[i].Key]++
		}
	}
	return names
}

// of returns the key that the rows of a vendor have.
func (n costNames) of(name string) string {
	key := counterparty.Key(name)
	if n[key] > 0 {
		return key
	}
	return counterparty.Base(key, func(shorter string) bool { return n[shorter] >= counterparty.LeastRows })
}

// pairing is a bill with the payment of a series that is expected nearest to its due day.
type pairing struct {
	bill int
	expected
	days       int   // between the two
	difference int64 // of the amounts
}

// pair pairs bills of a vendor with the expected payments of its series that they replace: of each
// series the one nearest to the due day, within half a period. One bill replaces one payment, the
// nearest pairs first. pair returns the sum of the bills that replace none.
func (r *replacement) pair(bills []payables.Bill, series []int) (besides int64) {
	slices.SortFunc(bills, func(a, b payables.Bill) int {
		return cmp.Or(a.PayBy(r.Today).Compare(b.PayBy(r.Today)), cmp.Compare(minorOf(&a), minorOf(&b)),
			cmp.Compare(a.Number, b.Number))
	})
	var pairs []pairing
	for i := range bills {
		for _, s := range series {
			if p, ok := r.nearest(&bills[i], s); ok {
				p.bill = i
				pairs = append(pairs, p)
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pairing) int {
		return cmp.Or(cmp.Compare(a.days, b.days), cmp.Compare(a.difference, b.difference), cmp.Compare(a.bill, b.bill))
	})
	replacing := map[int]bool{}
	for _, p := range pairs {
		if !replacing[p.bill] && !r.taken[p.expected] {
			replacing[p.bill], r.taken[p.expected] = true, true
		}
	}
	for i := range bills {
		if !replacing[i] {
			besides += minorOf(&bills[i])
		}
	}
	return besides
}

// nearest returns the payment of a series that is expected nearest to the due day of a bill, within
// half a period. It may be after the last week.
func (r *replacement) nearest(b *payables.Bill, series int) (nearest pairing, ok bool) {
	s := &r.series[series]
	half := int(365 / (2 * s.PerYear()))
	due := b.PayBy(r.Today)
	for i, day := range s.Expected(r.Basis.Last, r.first(), r.Weeks[Weeks-1].Last.AddDays(half)) {
		if r.planReplaces(s.Key, day) {
			continue
		}
		if i == 0 && day == r.first() && s.Next.Before(day) && !s.IsLate(r.Basis.Last) {
			day = s.Next // it is overdue, and expected on the first day
		}
		days := max(day.DaysSince(due), due.DaysSince(day))
		if days > half || ok && days >= nearest.days {
			continue
		}
		nearest = pairing{expected: expected{series, i}, days: days, difference: size(s.Usual - minorOf(b))}
		ok = true
	}
	return nearest, ok
}

// minorOf returns the amount of a bill, which is known, in minor units.
func minorOf(b *payables.Bill) int64 {
	minor, _ := b.Reporting.Minor()
	return minor
}

// replaces reports whether a bill replaces a payment of the usual amount of a series, and counts
// it.
func (r *replacement) replaces(series, payment int, usual int64) bool {
	if r == nil || !r.taken[expected{series, payment}] {
		return false
	}
	r.Replaced.Payments += usual
	return true
}

// replaceShares finds out how much the other bills of each vendor replace of what the averages and
// last year let expect of the vendor.
func (e *estimator) replaceShares() {
	periods := e.periods()
	e.bills.addRest(e.Basis.First, e.Basis.Last, nil, func(v *vendor, cents int64) { v.rest += cents })
	for i, w := range periods {
		if e.Basis.LastYear > 0 {
			add := func(v *vendor, cents int64) { v.lastYear[i] += cents }
			e.bills.addRest(w.First.AddDays(-year), w.Last.AddDays(-year), e.replacedLastYear(), add)
		}
	}
	for key, v := range e.bills.vendors {
		v.rest = max(0, v.rest)
		for i, w := range periods {
			v.lastYear[i] = max(0, v.lastYear[i])
			for _, days := range e.segments(w) {
				if !e.planReplaces(key, days.First) {
					v.expected += e.averageOf(&days, v.rest)
				}
			}
			v.expected += e.Basis.asLastYear(v.lastYear[i])
		}
		v.replaced = max(0, min(v.besides, v.expected))
	}
}

// addRest calls add with the rows of vendors outside series of some days, except those that without
// reports. It may be nil.
func (r *replacement) addRest(
	first, last civil.Date, without func(*spending.Row) bool, add func(v *vendor, cents int64),
) {
	for i := firstUpTo(r.all, last); i < len(r.all) && !r.all[i].Date.Before(first); i++ {
		_, out, known := operating(&r.all[i])
		if !known || out == 0 || r.recurs[i] || without != nil && without(&r.all[i]) {
			continue
		}
		if key, ok := r.vendorOf(r.all[i].Key); ok {
			add(r.vendors[key], out)
		}
	}
}

// average returns the part of the other costs of the 26 weeks that bills replace on a day.
func (r *replacement) average(day civil.Date) (cents int64) {
	if r == nil {
		return 0
	}
	for key, v := range r.vendors {
		if !r.planReplaces(key, day) {
			cents += v.part(v.rest)
		}
	}
	return cents
}

// lastYear returns the part of the other costs of last year's days that bills replace in a period.
func (r *replacement) lastYear(of *Week) (cents int64) {
	if r == nil {
		return 0
	}
	at := slices.Index(r.periods(), of)
	for _, v := range r.vendors {
		cents += v.part(v.lastYear[at])
	}
	return cents
}

// part returns the part of an amount that the bills of a vendor replace.
func (v *vendor) part(cents int64) int64 {
	if v.replaced == 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(cents), uint64(v.replaced))
	part, _ := bits.Div64(high, low, uint64(v.expected))
	return int64(part)
}
