// Package spending groups the rows of a ledger by counterparty, and explains why the net (money in
// less money out) of one month differs from that of another. Its figures add up to the server's
// totals, to the cent.
package spending

import (
	"cmp"
	"slices"
	"unique"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// Purpose says whether a row is cost or income, or neither.
type Purpose int

// Values of Purpose.
const (
	Operating   Purpose = iota // cost or income
	OwnTransfer                // money that moved between accounts of the organization
	Financing                  // money from or to investors and lenders
)

// Row is a transaction with its counterparty's key and its purpose.
type Row struct {
	*apiclient.Transaction
	Key     string // key of the counterparty: equal for all spellings of its name
	Purpose Purpose
	// base is the newest transaction with the other name that Key is the key of: a shorter one, or
	// that of the vendor who gives money back. It is nil if Key is the key of the row's own name.
	base     *apiclient.Transaction
	refunded *apiclient.Transaction // payment that the row gives back; nil if it isn't a refund
}

// Name returns the counterparty's name: that of the transaction, the shorter name that it begins
// with (counterparty.Base), or that of the vendor who gives money back.
func (r *Row) Name() string {
	if r.base != nil {
		return r.base.CounterpartyName
	}
	return r.CounterpartyName
}

// Signed returns the minor units of a row in the currency of the ledger, negative for money out. It
// returns false if the amount or the direction is unknown.
func (r *Row) Signed() (cents int64, known bool) {
	cents, known = r.Reporting.Minor()
	if r.Direction == apiclient.Outflow {
		cents = -cents
	}
	return cents, known && r.Direction.Known()
}

// Ledger holds the rows of some months, newest first, and which days of the months statements
// cover.
type Ledger struct {
	Currency   string // of all totals; "" if that is not known
	Rows       []Row
	Unreadable []UnreadableRow // rows of the same months that could not be read, newest month first
	Coverage   figures.Coverage
}

// missing returns the uncovered days of the months from the one that begins on first to the one
// that begins on last.
func (l *Ledger) missing(first, last civil.Date) figures.Missing {
	return l.Coverage.Missing(first, last.LastOfMonth())
}

// UnreadableRow is a transaction of a month of which neither amount nor counterparty is known.
type UnreadableRow struct {
	Month   civil.Date // first day
	Purpose Purpose
}

// UnreadableIn returns the number of operating rows that could not be read in the months from that
// of the day first to that of the day last, and the number of all such rows.
func (l *Ledger) UnreadableIn(first, last civil.Date) (operating, all int64) {
	for _, r := range l.Unreadable {
		if r.Month.Before(first.FirstOfMonth()) || r.Month.After(last) {
			continue
		}
		all++
		if r.Purpose == Operating {
			operating++
		}
	}
	return operating, all
}

// UpTo returns the ledger of the days up to the given one, and the index of its first row in the
// rows of this ledger.
func (l *Ledger) UpTo(day civil.Date) (past *Ledger, first int) {
	first, _ = slices.BinarySearchFunc(l.Rows, day, func(r Row, day civil.Date) int { return day.Compare(r.Date) })
	unreadable := slices.DeleteFunc(slices.Clone(l.Unreadable), func(r UnreadableRow) bool { return r.Month.After(day) })
	return &Ledger{Currency: l.Currency, Rows: l.Rows[first:], Unreadable: unreadable, Coverage: l.Coverage}, first
}

// NewLedger returns a ledger of transactions, which are ordered newest first. The maps contain the
// IDs of own transfers and of financing. The currency is that of the newest transaction that
// has one.
func NewLedger(transactions []apiclient.Transaction, ownTransfers, financing map[string]bool) *Ledger {
	l := &Ledger{Rows: make([]Row, len(transactions))}
	keys := map[string]string{}
	for i := range transactions {
		t := &transactions[i]
		l.Currency = cmp.Or(l.Currency, t.Reporting.Currency())
		key, known := keys[t.CounterpartyName]
		if !known {
			key = unique.Make(counterparty.Key(t.CounterpartyName)).Value() // one copy for all ledgers
			keys[t.CounterpartyName] = key
		}
		l.Rows[i] = Row{Transaction: t, Key: key, Purpose: PurposeOf(t.ID, ownTransfers, financing)}
	}
	l.shareNames()
	l.markRefunds()
	return l
}

// Join returns a ledger of the rows of several ledgers of one currency, the newest first.
func Join(currency string, parts [][]Row) *Ledger {
	l := &Ledger{Currency: currency, Rows: slices.Concat(parts...)}
	l.shareNames()
	l.markRefunds()
	return l
}

// shareNames gives rows whose counterparty's name begins with another name of the ledger the key of
// that name, if counterparty.Base says so. Names of money in and of money out are different.
func (l *Ledger) shareNames() {
	names := map[group]*nameRows{}
	for i := range l.Rows {
		r := &l.Rows[i]
		r.refunded = nil
		if r.base != nil {
			r.Key, r.base = unique.Make(counterparty.Key(r.CounterpartyName)).Value(), nil
		}
		g := group{r.Key, r.Direction}
		if names[g] == nil {
			names[g] = &nameRows{newest: r.Transaction}
		}
		names[g].rows++
	}
	longer := map[group]group{}
	for g := range names {
		base := counterparty.Base(g.key, func(key string) bool {
			shorter := names[group{key, g.direction}]
			return shorter != nil && shorter.rows >= counterparty.LeastRows
		})
		if base != g.key && g.key != counterparty.Unknown {
			longer[g] = group{base, g.direction}
		}
	}
	if len(longer) == 0 {
		return
	}
	for i := range l.Rows {
		r := &l.Rows[i]
		if base, found := longer[group{r.Key, r.Direction}]; found {
			r.base = names[base].newest
			r.Key = unique.Make(base.key).Value()
		}
	}
}

// group is a counterparty's rows in one direction.
type group struct {
	key       string
	direction apiclient.Direction
}

// nameRows describes the rows with one name.
type nameRows struct {
	newest *apiclient.Transaction
	rows   int
}

// PurposeOf returns the purpose of the row with the ID. The maps contain the IDs of own transfers
// and of financing.
func PurposeOf(id string, ownTransfers, financing map[string]bool) Purpose {
	switch {
	case ownTransfers[id]:
		return OwnTransfer
	case financing[id]:
		return Financing
	}
	return Operating
}

// IDs returns the IDs of the rows with the given indices.
func (l *Ledger) IDs(rows []int) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = l.Rows[row].ID
	}
	return ids
}
