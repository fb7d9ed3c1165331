package ownbooks

// CurrencyChange is a change of the currency in which the books report.
type CurrencyChange struct {
	Before, Currency string
	Changes          bool   // false if the books report so already
	Rates            string // how many transactions have a rate: a sentence, or "" without transactions
	Undo             string // what takes the change back: a code, or auto
}
