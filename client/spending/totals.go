package spending

import (
	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// Totals are the totals of the rows of some months in one direction. All is the sum of the other
// four; it equals the server's total of the same rows. Refunds were deducted from the operating
// money out, and aren't in the operating money in. The totals leave out rows of unknown direction
// and those that could not be read.
type Totals struct {
	Operating, Refunds, OwnTransfers, Financing, All figures.Total
	Rows                                             int64 // number of rows in All, without those that could not be read
}

// of returns the total for a purpose.
func (t *Totals) of(p Purpose) *figures.Total {
	switch p {
	case OwnTransfer:
		return &t.OwnTransfers
	case Financing:
		return &t.Financing
	}
	return &t.Operating
}

func (t *Totals) all() [5]*figures.Total {
	return [...]*figures.Total{&t.Operating, &t.Refunds, &t.OwnTransfers, &t.Financing, &t.All}
}

// Totals returns the totals of the months from the one that begins on first to the one that begins
// on last.
func (l *Ledger) Totals(direction apiclient.Direction, first, last civil.Date) (t Totals) {
	known, rows := map[*figures.Total]bool{}, map[*figures.Total]int64{}
	for _, sum := range t.all() {
		sum.Currency = l.Currency
	}
	for i := range l.Rows {
		r := &l.Rows[i]
		month := r.Date.FirstOfMonth()
		if month.Before(first) || month.After(last) {
			continue
		}
		var parts []*figures.Total
		if r.IsRefund() {
			parts = append(parts, &t.Refunds)
		}
		if r.CountsIn(direction) {
			parts = append(parts, t.of(r.Purpose))
		}
		if r.mayBe(direction) {
			parts = append(parts, &t.All)
			t.Rows++
		}
		_, isKnown := r.Signed()
		for _, sum := range parts {
			if sum == &t.Operating {
				add(sum, r)
			} else {
				addGross(sum, r)
			}
			known[sum] = known[sum] || isKnown
			rows[sum]++
		}
	}
	for _, r := range l.Unreadable {
		if !r.Month.Before(first) && !r.Month.After(last) {
			t.of(r.Purpose).Unreadable++
			t.All.Unreadable++
		}
	}
	missing := l.missing(first, last)
	for _, sum := range t.all() {
		sum.Unknown = sum.Unknown || sum.LeavesOut() > 0 && !known[sum]
		*sum = missing.Of(*sum, rows[sum])
	}
	return t
}

// Flows returns the money in, the money out and the net of the rows with the given indices.
func (l *Ledger) Flows(rows []int) (f figures.Flows) {
	f.In.Currency, f.Out.Currency = l.Currency, l.Currency
	f.Net = figures.Total{Currency: l.Currency, Kind: figures.Net}
	var excluded, undirected int64
	for _, i := range rows {
		r := &l.Rows[i]
		switch cents, known := r.Signed(); {
		case !r.Reporting.Known():
			excluded++
		case !known:
			undirected++
		case cents > 0:
			f.In.Add(cents)
			f.Net.Add(cents)
		default:
			f.Out.Add(-cents)
			f.Net.Add(cents)
		}
	}
	for _, t := range [...]*figures.Total{&f.In, &f.Out, &f.Net} {
		t.Excluded, t.Undirected = excluded, undirected
		*t = t.NothingKnown(len(rows))
	}
	return f
}
