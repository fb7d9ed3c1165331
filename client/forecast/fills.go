package forecast

import (
	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/payables"
	"tarmac/client/plan"
	"tarmac/internal/civil"
)

// fills are the periods of lines of the plan that bills fill.
type fills map[plan.Period]*fill

// fill is what lowers the amount of a period.
type fill struct {
	bills []payables.Bill // that are to be paid
	paid  int64           // payments before the first day that is estimated
}

func (f fills) of(p plan.Period) *fill {
	if f[p] == nil {
		f[p] = &fill{}
	}
	return f[p]
}

// filledBy returns the period of a line of the plan that a bill of a vendor with a key fills.
func (e *estimator) filledBy(key string, b *payables.Bill) (p plan.Period, ok bool) {
	if e.plan == nil {
		return p, false
	}
	day, isOpen := b.PayBy(e.Today), b.State != apiclient.BillPaid
	if p, ok = e.plan.FilledBy(key, day, isOpen); !ok {
		p, ok = e.plan.FilledBy(counterparty.Key(b.VendorName), day, isOpen)
	}
	return p, ok
}

// fillPlan lowers what lines of the plan still cost in their periods by the bills that are to be
// paid and by the payments made so far. The payment of a bill counts in the period in which the
// bill was due, if there is one.
func (e *estimator) fillPlan(filled fills, paid []payables.Bill, names costNames) {
	if e.plan == nil {
		return
	}
	paidBy, oldest := map[string]plan.Period{}, e.first()
	for i := range paid {
		b := &paid[i]
		p, ok := e.filledBy(names.of(b.VendorName), b)
		if ok && !p.Last.Before(e.first()) {
			filled.of(p)
		}
		if _, known := paidBy[b.PaidBy]; b.PaidBy != "" && (ok || !known) {
			paidBy[b.PaidBy] = p
		}
	}
	for p := range filled {
		oldest = earliest(oldest, p.First)
	}
	for i := range paid {
		if p, ok := paidBy[paid[i].PaidBy]; ok && filled[p] != nil && !paid[i].PaidOn.IsZero() {
			oldest = earliest(oldest, paid[i].PaidOn)
		}
	}
	e.addPaid(filled, paidBy, oldest)
	for p, of := range filled {
		open := int64(0)
		for i := range of.bills {
			open += minorOf(&of.bills[i])
		}
		e.plan.Fill(p, of.paid, open)
	}
	e.filled = filled
}

// mayBePaid says which of the bills that fill lines of the plan between two days may be paid
// already, so that these lines may cost less. It returns "" if there are none.
func (f *Forecast) mayBePaid(first, last civil.Date) string {
	var bills []payables.Bill
	for p, of := range f.filled {
		if !p.First.After(last) && !p.Last.Before(first) {
			bills = append(bills, of.bills...)
		}
	}
	if len(bills) == 0 {
		return ""
	}
	return f.owed.Sum(bills).MayBeLess
}

// addPaid adds the payments from a day on to the periods that they fill.
func (e *estimator) addPaid(filled fills, paidBy map[string]plan.Period, oldest civil.Date) {
	for i := firstUpTo(e.all, e.first().AddDays(-1)); i < len(e.all) && !e.all[i].Date.Before(oldest); i++ {
		r := &e.all[i]
		_, out, known := operating(r)
		if !known || out == 0 {
			continue
		}
		p, ok := paidBy[r.ID]
		if !ok {
			var flow int
			if flow, ok = e.plan.ReplacesRow(r, r.Date); ok {
				p = e.plan.PeriodOf(flow, r.Date)
			}
		}
		if of := filled[p]; ok && of != nil {
			of.paid += out
		}
	}
}

func earliest(a, b civil.Date) civil.Date {
	if b.Before(a) {
		return b
	}
	return a
}
