package bookkeeping

import (
	"iter"
	"strconv"

	"tarmac/internal/money"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
)

// inflow is a line that brings money in.
type inflow struct {
	movement int    // index in journal.movements
	known    string // public id of its transaction; "" until journal.id was asked for it
	payer    string
	category string // category that a rule gives the line; "" if none does
	text     string // text of the line for finding invoices
}

// keep stores what findFinancing and matchPayments need of the line a.merged[at].
func (j *journal) keep(a *derived, at int, facts *lineFacts) {
	movement := a.firstMovement + at
	if a.merged[at].Minor < 0 {
		if facts.category != "" {
			j.categories[movement] = facts.category
		}
		return
	}
	j.inflows = append(j.inflows, inflow{
		movement: movement, category: facts.category, payer: facts.payee, text: facts.text,
	})
}

// id returns the public id of the transaction of an inflow.
func (j *journal) id(flow *inflow) string {
	if flow.known == "" {
		m := &j.movements[flow.movement]
		flow.known = bookrules.TransactionID(j.own[m.Account].Account, m.Merged)
	}
	return flow.known
}

// inflowTransactions returns the inflows that are transactions, which transfers between own
// accounts are not. Those that may be transfers are included.
func (j *journal) inflowTransactions() iter.Seq[*inflow] {
	return func(yield func(*inflow) bool) {
		for n := range j.inflows {
			treatment := j.transfers.Treatments[j.inflows[n].movement]
			if (treatment == bookrules.IsRow || treatment == bookrules.IsSuspected) && !yield(&j.inflows[n]) {
				return
			}
		}
	}
}

// findFinancing returns the questions about inflows that may be financing. It sets j.financing to
// the transactions of these questions, and to the transactions that the user has declared to be
// financing.
func (j *journal) findFinancing() ([]bookrules.FinancingQuestion, error) {
	identify := func(index string) string {
		n, _ := strconv.Atoi(index)
		return j.id(&j.inflows[n])
	}
	found, err := bookrules.FindFinancing(j.bareTransactions(), identify, j.financingAnswers())
	j.financing = found.Rows
	return found.Questions, err
}

// bareTransactions returns all transactions with the fields that bookrules.FindFinancing needs,
// without those that may be transfers. The id of money in is its index in j.inflows. Money out is
// summed up: the transactions of an account in a month are one.
func (j *journal) bareTransactions() iter.Seq[ledger.Transaction] {
	return func(yield func(ledger.Transaction) bool) {
		for n := range j.accounts {
			if !j.monthlyOutflow(&j.accounts[n], yield) {
				return
			}
		}
		for n := range j.inflows {
			flow := &j.inflows[n]
			if j.transfers.Treatments[flow.movement] != bookrules.IsRow {
				continue
			}
			row := j.bareTransaction(flow.movement)
			row.ID, row.Counterparty, row.Category = strconv.Itoa(n), flow.payer, flow.category
			row.HasReceipt = len(j.receipts) > 0 && j.receipts[j.id(flow)]
			if !yield(row) {
				return
			}
		}
	}
}

// monthlyOutflow yields the sum of an account's operating money out for each month. It returns
// false if yield did.
func (j *journal) monthlyOutflow(a *derived, yield func(ledger.Transaction) bool) bool {
	month := bookrules.Span{}
	sum := ledger.Transaction{Direction: ledger.Outflow}
	for at := range a.merged {
		m, movement := &a.merged[at], a.firstMovement+at
		if m.Minor >= 0 || j.transfers.Treatments[movement] != bookrules.IsRow {
			continue
		}
		if category := j.categories[movement]; category != "" {
			if row := (ledger.Transaction{Direction: ledger.Outflow, Category: category}); !row.Operating() {
				continue
			}
		}
		cents, known := j.valuation.Value(m.Minor, a.Currency, m.Day)
		if !known {
			continue
		}
		total, fits := money.Add(sum.ReportingMinor, max(cents, -cents))
		if !fits || !month.Contains(m.Day) {
			if sum.ReportingMinor != 0 && !yield(sum) {
				return false
			}
			month, total = monthOf(m.Day), max(cents, -cents)
			sum.Date = month.First.Date()
		}
		sum.ReportingMinor = total
	}
	return sum.ReportingMinor == 0 || yield(sum)
}

// bareTransaction returns a transaction with only the day, direction and converted amount of
// money in.
func (j *journal) bareTransaction(movement int) ledger.Transaction {
	m := &j.movements[movement]
	row := ledger.Transaction{Date: m.Day.Date(), Direction: ledger.Inflow}
	cents, known := j.valuation.Value(m.Minor, j.own[m.Account].Currency, m.Day)
	if known {
		row.ReportingMinor, row.ReportingKnown = max(cents, -cents), true
	}
	return row
}
