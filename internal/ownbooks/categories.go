package ownbooks

// Categories of money in that comes once. It is neither a sale nor a vendor's refund, and forecasts
// don't repeat it.
const (
	TaxRefund       = "Tax refund"
	InsurancePayout = "Insurance payout"
	ReturnedDeposit = "Returned deposit"
)

// ComesOnce reports whether money in of the category comes once.
func ComesOnce(category string) bool {
	switch category {
	case TaxRefund, InsurancePayout, ReturnedDeposit:
		return true
	}
	return false
}
