package journal

import (
	"math/big"

	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// add adds a posting to the balance of a statement and returns its amount in minor units. Amounts
// that follow from prices may have more decimals than the currency. Rounding the balance, not the
// amounts, keeps the sum of the returned amounts equal to the balance.
func (s *statements) add(into *statement, e moved) (int64, error) {
	scale := new(big.Rat).SetInt64(1)
	for range money.Exponent(into.Currency) {
		scale.Mul(scale, big.NewRat(10, 1))
	}
	amount := scale.Mul(scale, e.quantity)
	into.balance.Add(into.balance, amount)
	if !amount.IsInt() {
		s.rounded.Add(e.line.Place)
	}
	rounded := round(into.balance)
	line := new(big.Int).Sub(rounded, into.minor)
	if !line.IsInt64() || !rounded.IsInt64() {
		return 0, bank.Errorf(e.line.Place, "the amount or balance of %q %v", bank.Short(e.account), bank.ErrTooLarge)
	}
	into.minor = rounded
	return line.Int64(), nil
}

// round rounds to an integer. Halves are rounded up, for negative numbers too, so that adding a
// whole number to a balance changes the result by exactly that number.
func round(value *big.Rat) *big.Int {
	double := new(big.Int).Lsh(value.Denom(), 1)
	up := new(big.Int).Lsh(value.Num(), 1)
	return up.Div(up.Add(up, value.Denom()), double)
}
