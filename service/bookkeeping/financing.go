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
	movement int    // index in matching.movements
	known    string // public id of its transaction; "" until matching.id was asked for it
	payer    string
	category string // category that a rule gives the line; "" if none does
	text     string // text of the line for finding invoices
}

// keep stores what findFinancing and matchPayments need of the line a.merged[at].
func (mt *matching) keep(a *derived, at int, facts *lineFacts) {
	movement := a.firstMovement + at
	if a.merged[at].Minor < 0 {
		if facts.category != "" {
			mt.categories[movement] = facts.category
		}
		return
	}
	mt.inflows = append(mt.inflows, inflow{
		movement: movement, category: facts.category, payer: facts.Payee, text: facts.text,
	})
}

// id returns the public id of the transaction of an inflow.
func (mt *matching) id(flow *inflow) string {
	if flow.known == "" {
		m := &mt.movements[flow.movement]
		flow.known = bookrules.TransactionID(mt.own[m.Account].Account, *m.Merged)
	}
	return flow.known
}

// inflowTransactions returns the inflows that are transactions, which transfers between own
// accounts are not. Those that may be transfers are included.
func (mt *matching) inflowTransactions() iter.Seq[*inflow] {
	return func(yield func(*inflow) bool) {
		for n := range mt.inflows {
			treatment := mt.transfers.Treatments[mt.inflows[n].movement]
			if (treatment == bookrules.IsRow || treatment == bookrules.IsSuspected) && !yield(&mt.inflows[n]) {
				return
			}
		}
	}
}

// findFinancing returns the questions about inflows that may be financing. It sets mt.financing to
// the transactions of these questions, and to the transactions that the user has declared to be
// financing.
func (mt *matching) findFinancing() (bookrules.Financing, error) {
	identify := func(index string) string {
		n, _ := strconv.Atoi(index)
		return mt.id(&mt.inflows[n])
	}
	found, err := bookrules.FindFinancing(mt.bareTransactions(), mt.paidToPayers(), identify, mt.financingAnswers(false))
	mt.financing = found.Rows
	return found, err
}

// bareTransactions returns all transactions with the fields that bookrules.FindFinancing needs,
// without those that may be transfers. The id of money in is its index in mt.inflows. Money out is
// summed up: the transactions of an account in a month are one.
func (mt *matching) bareTransactions() iter.Seq[ledger.Transaction] {
	return func(yield func(ledger.Transaction) bool) {
		for n := range mt.accounts {
			if !mt.monthlyOutflow(&mt.accounts[n], yield) {
				return
			}
		}
		for n := range mt.inflows {
			flow := &mt.inflows[n]
			if mt.transfers.Treatments[flow.movement] != bookrules.IsRow {
				continue
			}
			row := mt.bareTransaction(flow.movement)
			row.ID, row.Counterparty, row.Category, row.Memo = strconv.Itoa(n), flow.payer, flow.category, flow.text
			row.HasReceipt = len(mt.receipts) > 0 && mt.receipts[mt.id(flow)]
			if !yield(row) {
				return
			}
		}
	}
}

// monthlyOutflow yields the sum of an account's operating money out for each month. It returns
// false if yield did.
func (mt *matching) monthlyOutflow(a *derived, yield func(ledger.Transaction) bool) bool {
	month := bookrules.Span{}
	sum := ledger.Transaction{Direction: ledger.Outflow}
	for at := range a.merged {
		m, movement := &a.merged[at], a.firstMovement+at
		if m.Minor >= 0 || mt.transfers.Treatments[movement] != bookrules.IsRow {
			continue
		}
		if category := mt.categories[movement]; category != "" {
			if row := (ledger.Transaction{Direction: ledger.Outflow, Category: category}); !row.Operating() {
				continue
			}
		}
		cents, known := mt.valuation.Value(m.Minor, a.Currency, m.Day)
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

// bareTransaction returns a transaction with only the day, direction and amounts of money in.
func (mt *matching) bareTransaction(movement int) ledger.Transaction {
	m := &mt.movements[movement]
	currency := mt.own[m.Account].Currency
	row := ledger.Transaction{
		Date: m.Day.Date(), Direction: ledger.Inflow, AmountMinor: max(m.Minor, -m.Minor), Currency: currency,
	}
	cents, known := mt.valuation.Value(m.Minor, currency, m.Day)
	if known {
		row.ReportingMinor, row.ReportingKnown = max(cents, -cents), true
	}
	return row
}
