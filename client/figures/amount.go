package figures

import (
	"cmp"

	"tarmac/apiclient"
)

// AmountOf returns an amount of the API as a total.
func AmountOf(a apiclient.Amount) Total {
	minor, known := a.Minor()
	return Total{Minor: minor, Currency: a.Currency(), Kind: Balance, Unknown: !known}
}

// Size returns an amount without its sign, in minor units. It returns false if the amount is
// unknown.
func Size(a apiclient.Amount) (minor uint64, known bool) {
	signed, known := a.Minor()
	if signed < 0 {
		return -uint64(signed), known
	}
	return uint64(signed), known
}

// BySize compares two amounts without their signs. Unknown amounts come first.
func BySize(a, b apiclient.Amount) int {
	x, xKnown := Size(a)
	y, yKnown := Size(b)
	switch {
	case xKnown == yKnown:
		return cmp.Compare(x, y)
	case xKnown:
		return 1
	}
	return -1
}
