package bookrules

import (
	"math/big"

	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// Limits of the difference between the amounts of an exchange between two accounts of the
// organization, in thousandths of the amount sent.
const (
	// mostExchanged holds for amounts that are converted by the rates of the European Central Bank.
	mostExchanged = 15
	// mostLost holds if a statement says the amount in the other currency. The fees of banks and
	// payment services are smaller.
	mostLost = 50
)

// lost returns the amount that was lost in an exchange, in minor units of the currency of incoming.
// To compare the amounts, it uses the amount in the other currency that a statement names. Without
// such an amount, it uses the rates of the European Central Bank. fits is false if the amounts
// differ by more than mostLost or mostExchanged.
func (p *pairing) lost(outgoing, incoming *Movement) (minor int64, fits bool) {
	return p.lostWithin(outgoing, incoming, mostExchanged)
}

// lostWithin is lost with the largest difference, in thousandths, of amounts that are compared by
// exchange rates.
func (p *pairing) lostWithin(outgoing, incoming *Movement, most int64) (minor int64, fits bool) {
	from, to := p.accounts[outgoing.Account], p.accounts[incoming.Account]
	sent, arrived := magnitude(outgoing.Minor), incoming.Minor
	if sent < 0 {
		return 0, false
	}
	switch {
	case isIn(incoming.Original, from.Currency):
		converted := magnitude(incoming.Original.Minor)
		return scaleLoss(sent, converted, arrived, mostLost)
	case isIn(outgoing.Original, to.Currency):
		expected := magnitude(outgoing.Original.Minor)
		return scaleLoss(expected, arrived, arrived, mostLost)
	}
	converted, known := Convert(sent, from.Currency, to.Currency, outgoing.Day, p.valuation.Rates)
	if !known {
		return 0, false
	}
	return scaleLoss(converted, arrived, arrived, most)
}

func isIn(o *bank.Original, currency string) bool {
	return o != nil && o.Currency == currency && o.Minor != 0
}

// scaleLoss returns the difference between the expected amount and the amount that arrived, in the
// currency of arrived. The arguments expected and got have one currency; arrived is the amount got
// in the currency of the account that received it. fits is false if the difference exceeds most
// thousandths.
func scaleLoss(expected, got, arrived, most int64) (minor int64, fits bool) {
	difference := new(big.Int).Sub(big.NewInt(expected), big.NewInt(got))
	thousandths := new(big.Int).Mul(difference, big.NewInt(1000))
	if got <= 0 || expected <= 0 || thousandths.CmpAbs(new(big.Int).Mul(big.NewInt(expected), big.NewInt(most))) > 0 {
		return 0, false
	}
	return divide(difference.Mul(difference, big.NewInt(arrived)), big.NewInt(got))
}

// LossRow returns the transaction for the amount that was lost in an exchange. incoming is the line
// on the account that received the money. The transaction gets the id of that line, which is not a
// transaction itself. Its category is not internal_transfer, because the bank's margin is a cost.
func LossRow(a Account, incoming Merged, lostMinor int64, v Valuation) ledger.Transaction {
	lost := incoming
	lost.Minor = -lostMinor
	line := bank.Line{Description: "Lost in the exchange of a transfer"}
	row := Row(a, lost, line, "Currency exchange", Outcome{}, v)
	row.ID = TransactionID(a, incoming)
	return row
}
