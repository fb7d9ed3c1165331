package plan

import (
	"math/big"

	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// rate is an exchange rate that a row of the ledger shows.
type rate struct {
	own, reporting int64
	day            civil.Date
}

// convert returns an amount in the currency of the figures, at the rate of the newest row that has
// both. It returns false if there is none.
func (e *evaluator) convert(a Amount) (int64, bool) {
	if a.Currency == e.Basis.Currency || a.Minor == 0 {
		return a.Minor, true
	}
	r, known := e.rates[a.Currency]
	if !known {
		r = newestRate(e.Basis.Ledger, a.Currency)
		e.rates[a.Currency] = r
		if r.own == 0 {
			e.note("There is no row in " + money.Name(a.Currency) + " with a " + figures.Rate(e.Basis.Currency) +
				": lines in it are in no sum.")
		} else {
			e.note(money.Name(a.Currency) + " counts at the rate of " + r.day.String() + ".")
		}
	}
	if r.own == 0 {
		return 0, false
	}
	n := new(big.Int).Mul(big.NewInt(a.Minor), big.NewInt(r.reporting))
	n.Add(n, big.NewInt(r.own/2)).Quo(n, big.NewInt(r.own))
	if !n.IsInt64() || n.Int64() > largest {
		return 0, false
	}
	return n.Int64(), true
}

func newestRate(l *spending.Ledger, currency string) (r rate) {
	if l == nil {
		return r
	}
	for i := range l.Rows {
		row := &l.Rows[i]
		own, known := row.Amount.Minor()
		reporting, converted := row.Reporting.Minor()
		if known && converted && row.Amount.Currency() == currency && own > 0 && reporting > 0 {
			return rate{own, reporting, row.Date}
		}
	}
	return r
}
