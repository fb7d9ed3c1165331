package books

import (
	"math/big"

	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// mostLost is the greatest part of an amount, in percent, that an exchange between own accounts
// may lose or gain. Margins of banks and payment services are below it.
const mostLost = 5

// lost returns what an exchange lost on the way, in the currency of in. What a file says about
// the amount in the other currency comes before the rates of the European Central Bank. It
// returns false if the amounts do not fit each other.
func (p *pairing) lost(out, in *Movement) (minor int64, fits bool) {
	from, to := p.accounts[out.Account], p.accounts[in.Account]
	sent, arrived := magnitude(out.Minor), in.Minor
	if sent < 0 {
		return 0, false
	}
	switch {
	case isIn(in.Original, from.Currency):
		converted := magnitude(in.Original.Minor)
		return scaleLoss(sent, converted, arrived)
	case isIn(out.Original, to.Currency):
		expected := magnitude(out.Original.Minor)
		return scaleLoss(expected, arrived, arrived)
	}
	sentUSD, knownSent := USDCents(sent, from.Currency, out.Day, from.Rates)
	arrivedUSD, knownArrived := USDCents(arrived, to.Currency, out.Day, to.Rates)
	if !knownSent || !knownArrived {
		return 0, false
	}
	return scaleLoss(sentUSD, arrivedUSD, arrived)
}

func isIn(o *bank.Original, currency string) bool {
	return o != nil && o.Currency == currency && o.Minor != 0
}

// scaleLoss returns the difference between the amounts that were expected and got, both in one
// currency, in the currency in which got is the amount arrived.
func scaleLoss(expected, got, arrived int64) (minor int64, fits bool) {
	difference := new(big.Int).Sub(big.NewInt(expected), big.NewInt(got))
	percent := new(big.Int).Mul(difference, big.NewInt(100))
	if got <= 0 || expected <= 0 || percent.CmpAbs(new(big.Int).Mul(big.NewInt(expected), big.NewInt(mostLost))) > 0 {
		return 0, false
	}
	return divide(difference.Mul(difference, big.NewInt(arrived)), big.NewInt(got))
}

// LossRow returns the row for what a transfer lost on the way. in is the line that arrived, in
// its account. The row has the id of that line, which is no row itself. It is outside of
// transfers: what a bank keeps is a cost.
func LossRow(a Account, in Merged, lostMinor int64, rates []bank.Rate) ledger.Transaction {
	lost := in
	lost.Minor = -lostMinor
	row := Row(a, lost, bank.Line{Description: "Lost in the exchange of a transfer"}, Outcome{}, rates)
	row.ID = TransactionID(a, in)
	row.Counterparty = "Currency exchange"
	return row
}
