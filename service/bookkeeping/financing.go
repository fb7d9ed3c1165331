package bookkeeping

import (
	"cmp"
	"iter"

	"tarmac/service/books"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// inflow is a line that brings money in.
type inflow struct {
	movement int    // index in journal.movements
	id       string // public id of its transaction
	payer    string
	category string // category that a rule gives the line; "" if none does
	text     string // text of the line for finding invoices; "" if there are no open invoices
}

// keep stores what findFinancing and matchPayments need of the line a.merged[at], whose text is l.
func (j *journal) keep(a *derived, at int, l bank.Line, outcome books.Outcome) {
	m, movement := a.merged[at], a.firstMovement+at
	if m.Minor < 0 {
		if outcome.Category != "" {
			j.categories[movement] = outcome.Category
		}
		return
	}
	flow := inflow{
		movement: movement, id: books.TransactionID(a.Account, m), category: outcome.Category,
		payer: books.Counterparty(l, outcome),
	}
	if len(j.lists)+len(j.invoices) > 0 {
		flow.text = l.Counterparty + " " + l.Description + " " + l.Reference
	}
	j.inflows = append(j.inflows, flow)
}

// inflowTransactions returns the inflows that are transactions, which transfers between own
// accounts are not.
func (j *journal) inflowTransactions() iter.Seq[*inflow] {
	return func(yield func(*inflow) bool) {
		for n := range j.inflows {
			if j.transfers.Treatments[j.inflows[n].movement] == books.IsRow && !yield(&j.inflows[n]) {
				return
			}
		}
	}
}

// findFinancing returns the questions about inflows that may be financing. It sets j.financing to
// the transactions of these questions, and to the transactions that the user has declared to be
// financing.
func (j *journal) findFinancing() ([]books.FinancingQuestion, error) {
	j.financing = map[string]bool{}
	questions, err := books.FindFinancing(j.bareTransactions())
	for _, q := range questions {
		for _, id := range q.Rows {
			j.financing[id] = true
		}
	}
	return questions, err
}

// bareTransactions returns all transactions with the fields that books.FindFinancing needs.
func (j *journal) bareTransactions() iter.Seq[ledger.Transaction] {
	return func(yield func(ledger.Transaction) bool) {
		for n := range j.movements {
			if j.movements[n].Minor >= 0 || j.transfers.Treatments[n] != books.IsRow {
				continue
			}
			row := j.bareTransaction(n)
			row.Category = j.categories[n]
			if !yield(row) {
				return
			}
		}
		for flow := range j.inflowTransactions() {
			row := j.bareTransaction(flow.movement)
			row.ID, row.Counterparty, row.Category = flow.id, flow.payer, flow.category
			row.HasReceipt = j.receipts[flow.id]
			switch j.financingAnswer(row) {
			case answeredYes:
				row.Category = cmp.Or(row.Category, ledger.CategoryFinancing)
				j.financing[flow.id] = true
			case answeredNo:
				row.HasReceipt = true // the user has explained it
			}
			if !yield(row) {
				return
			}
		}
	}
}

// financingAnswer returns the user's answer to the question whether a transaction is financing. It
// returns "" if there is no answer.
func (j *journal) financingAnswer(row ledger.Transaction) string {
	if len(j.answers) == 0 { // saves making the key of every transaction
		return ""
	}
	return j.answers[financingKey(row)]
}

// bareTransaction returns a transaction with only the day, direction and USD amount of a line.
func (j *journal) bareTransaction(movement int) ledger.Transaction {
	m := &j.movements[movement]
	account := j.own[m.Account]
	row := ledger.Transaction{Date: m.Day.Date(), Direction: ledger.Outflow}
	if m.Minor >= 0 {
		row.Direction = ledger.Inflow
	}
	cents, known := books.USDCents(m.Minor, account.Currency, m.Day, account.Rates)
	if known {
		row.USDCents, row.USDKnown = max(cents, -cents), true
	}
	return row
}
