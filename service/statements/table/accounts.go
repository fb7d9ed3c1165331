package table

// isOthersAccounts reports whether the column of accounts is not of own accounts, but of the other
// parties or of a chart of accounts. The balances of own accounts follow from the lines of each
// account, those of one own account from all lines together. Without balances, several values
// beside an account that the user has named are of the other parties, and a ledger account is none.
func (r *reader) isOthersAccounts() bool {
	if r.layout.account == none {
		return false
	}
	numbers := map[string]bool{}
	for _, of := range r.evidence.order {
		if of.lines > 0 {
			numbers[of.key.number] = true
		}
	}
	if len(numbers) < 2 {
		return r.layout.bookkeeping && r.options.Account != ""
	}
	if _, apart := r.bestReading(); apart {
		return false
	}
	var chains []*chain
	for _, one := range r.evidence.together {
		chains = append(chains, one)
	}
	_, together := r.bestReadingOf(chains)
	return together || r.options.Account != ""
}
