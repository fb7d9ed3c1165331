package forecast

import (
	"fmt"
	"slices"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// estimate returns a forecast for the weeks after today, without cash and trials. It uses the rows
// from the index begin on, and the invoices as they were on today. last is the last day of which
// the ledger has all rows.
func estimate(l *spending.Ledger, begin int, invoices []apiclient.Invoice, last, today civil.Date) (*Forecast, error) {
	f := &Forecast{Today: today}
	f.Basis.First, f.Basis.Last = last.AddDays(1-7*PastWeeks), last
	past := spending.Ledger{Rows: l.Rows[begin:]}
	if begins := past.Begins(); begins.IsZero() || begins.After(f.Basis.First) {
		return nil, tooShort(begins, today)
	}
	for i := range f.Weeks {
		f.Weeks[i].First, f.Weeks[i].Last = today.AddDays(7*i+1), today.AddDays(7*i+7)
	}
	f.addBasis(l.Rows, begin)
	recurring := past.Recurring(last)
	for i := range recurring {
		for j := range recurring[i].Payments {
			recurring[i].Payments[j].Row += begin
		}
	}
	f.expectPayments(recurring)
	f.expectReceipts(invoices)
	f.spreadIn()
	f.spreadOut(recurring)
	return f, nil
}

func tooShort(begins, today civil.Date) error {
	e := &TooShortError{
		Needs: fmt.Sprintf("a forecast needs transactions of %d weeks", PastWeeks), Begins: begins, today: today,
	}
	if !begins.IsZero() {
		e.Until = begins.AddDays(7*PastWeeks - 1)
	}
	return e
}

// addBasis adds up the operating rows of the 26 weeks.
func (f *Forecast) addBasis(rows []spending.Row, begin int) {
	for i := begin; i < len(rows) && !rows[i].Date.Before(f.Basis.First); i++ {
		cents, known := operating(&rows[i])
		switch {
		case rows[i].Purpose != spending.Operating:
			continue
		case !known && rows[i].USD.Known():
			f.Basis.Undirected++
			continue
		case !known:
			f.Basis.Excluded++
			continue
		case cents > 0:
			f.Basis.In += cents
		default:
			f.Basis.Out -= cents
		}
		f.Basis.Rows = append(f.Basis.Rows, i)
	}
}

// operating returns the USD cents of a row of cost or income. Money out is negative. It returns
// false for other rows, and if the amount or the direction is unknown.
func operating(r *spending.Row) (int64, bool) {
	cents, known := r.Signed()
	if !known || r.Purpose != spending.Operating {
		return 0, false
	}
	return cents, true
}

// expectPayments finds the weeks of the recurring payments.
func (f *Forecast) expectPayments(recurring []spending.Recurring) {
	first, last := f.Weeks[0].First, f.Weeks[Weeks-1].Last
	for i := range recurring {
		for _, day := range recurring[i].Expected(f.Basis.Last, first, last) {
			w := &f.Weeks[day.DaysSince(first)/7]
			w.Payments = append(w.Payments, Payment{&recurring[i], day})
		}
	}
}

// expectReceipts finds the weeks of the open invoices. An invoice whose expected day has passed is
// expected on the first day. Invoices of customers whose payments recur are left out: these
// payments are expected already.
func (f *Forecast) expectReceipts(invoices []apiclient.Invoice) {
	recurring := map[string]bool{}
	for i := range f.Weeks {
		for _, p := range f.Weeks[i].Payments {
			recurring[p.Key] = recurring[p.Key] || p.Direction == apiclient.Inflow
		}
	}
	open, late := receipts(invoices, f.Today)
	f.Late = late
	for _, r := range open {
		switch {
		case r.Cents() == 0:
			f.Basis.Foreign++
			continue
		case recurring[counterparty.Key(r.RecipientName)]:
			f.Basis.Recurring++
			continue
		}
		if r.Day.Before(f.Weeks[0].First) {
			r.Day = f.Weeks[0].First
		}
		if week := r.Day.DaysSince(f.Weeks[0].First) / 7; week < Weeks {
			f.Weeks[week].Receipts = append(f.Weeks[week].Receipts, r)
		}
	}
}

// spreadIn distributes the average money in over the weeks: first to the open invoices and the
// recurring income, and then evenly.
func (f *Forecast) spreadIn() {
	total := f.Basis.In * Weeks / PastWeeks
	expected := make([]int64, Weeks)
	for i := range f.Weeks {
		w := &f.Weeks[i]
		for _, p := range w.Payments {
			if p.Direction == apiclient.Inflow {
				expected[i] += p.Usual
			}
		}
		for _, r := range w.Receipts {
			expected[i] += r.Cents()
		}
		f.Basis.Expected += expected[i]
	}
	if f.Basis.Expected > total {
		expected = figures.Apportion(expected, total)
	} else {
		for i, cents := range evenly(total - f.Basis.Expected) {
			expected[i] += cents
		}
	}
	for i := range f.Weeks {
		f.Weeks[i].In = expected[i]
	}
}

// spreadOut adds the recurring costs to their weeks, and distributes the average of the other costs
// evenly.
func (f *Forecast) spreadOut(recurring []spending.Recurring) {
	rest := f.Basis.Out
	for i := range recurring {
		if recurring[i].Direction != apiclient.Outflow {
			continue
		}
		for _, p := range slices.Backward(recurring[i].Payments) {
			if p.Date.Before(f.Basis.First) {
				break
			}
			rest -= p.Cents
		}
	}
	for i, cents := range evenly(rest * Weeks / PastWeeks) {
		w := &f.Weeks[i]
		w.Out = cents
		for _, p := range w.Payments {
			if p.Direction == apiclient.Outflow {
				w.Out += p.Usual
			}
		}
	}
}

// evenly divides an amount among the weeks.
func evenly(cents int64) []int64 {
	parts := make([]int64, Weeks)
	for i := range parts {
		parts[i] = 1
	}
	return figures.Apportion(parts, cents)
}
