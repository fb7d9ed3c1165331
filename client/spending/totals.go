package spending

import (
	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// Totals are the totals of the rows of some months in one direction. All is the sum of the other
// three; it equals the server's total of the same rows.
type Totals struct {
	Operating, OwnTransfers, Financing, All figures.Total
	Rows                                    int64 // number of rows in All
}

// Totals returns the totals of the months from the one that begins on first to the one that begins
// on last.
func (l *Ledger) Totals(direction apiclient.Direction, first, last civil.Date) (t Totals) {
	known, rows := map[*figures.Total]bool{}, map[*figures.Total]int64{}
	for i := range l.Rows {
		r := &l.Rows[i]
		month := r.Date.FirstOfMonth()
		if r.Direction != direction || month.Before(first) || month.After(last) {
			continue
		}
		sum := &t.Operating
		switch r.Purpose {
		case OwnTransfer:
			sum = &t.OwnTransfers
		case Financing:
			sum = &t.Financing
		}
		add(sum, r.USD)
		add(&t.All, r.USD)
		known[sum] = known[sum] || r.USD.Known()
		known[&t.All] = known[&t.All] || r.USD.Known()
		rows[sum]++
		t.Rows++
	}
	missing := l.missing(first, last)
	rows[&t.All] = t.Rows
	for _, sum := range [...]*figures.Total{&t.Operating, &t.OwnTransfers, &t.Financing, &t.All} {
		sum.Unknown = sum.Unknown || sum.Excluded > 0 && !known[sum]
		*sum = missing.Of(*sum, rows[sum])
	}
	return t
}

// Flows returns the money in, the money out and the net of the rows with the given indices.
func (l *Ledger) Flows(rows []int) (f figures.Flows) {
	f.Net.Kind = figures.Net
	var excluded, undirected int64
	for _, i := range rows {
		r := &l.Rows[i]
		switch cents, known := r.Signed(); {
		case !r.USD.Known():
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
