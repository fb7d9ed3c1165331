package books

// Outcome is what a person's rules say about a line.
type Outcome struct {
	Rule         int    // number of the rule that applies, from 1; 0 if none does
	Counterparty string // "" leaves the name to Name
	Category     string
	Memo         string // "" leaves the bank's text
	Transfer     TransferRule
}

// TransferRule is what a rule says about transfers between own accounts.
type TransferRule struct {
	Set     bool   // the rule has the key transfer
	Own     bool   // the line is a half of a transfer between own accounts
	Account string // the other account, by number, its last four characters or name; "" for any
}
