package books

import (
	"cmp"
	"iter"
	"slices"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/ledger"
)

// FinancingQuestion asks the user whether money from a payer came from investors or lenders. Until
// it is answered, the transactions have the category ledger.CategoryFinancing and do not count in
// burn.
type FinancingQuestion struct {
	Key      string // result of FinancingKey for the transactions in Rows
	Payer    string
	First    civil.Date // date of the oldest transaction in Rows
	Month    civil.Date // first day of the only month in which the payer paid
	USDCents int64      // sum of the transactions in Rows, in US cents
	Rows     []string   // ids of transactions, oldest first
}

// financingFraction is the divisor of a month's outflow. A FinancingQuestion is about transactions
// of more than a tenth of the month's outflow.
const financingFraction = 10

// burnHistory is the number of months over which outflow is averaged for a FinancingQuestion: the
// month in which the payer paid and the two months before it.
const burnHistory = 3

// FindFinancing returns the questions about the transactions in rows. It asks about money in from a
// payer who paid in one month only. A transaction is part of the question if it exceeds a tenth of
// the month's outflow and neither an invoice (HasReceipt) nor a rule (Category) explains it. A
// month's outflow is the average over that month and the two before it; months without outflow are
// left out. FindFinancing ignores money in that already has the category ledger.CategoryFinancing.
// It returns ErrOverflow if a sum overflows 64 bits.
func FindFinancing(rows iter.Seq[ledger.Transaction]) ([]FinancingQuestion, error) {
	outflow := map[civil.Date]int64{}
	payers, keys := map[string]*payer{}, map[string]string{}
	for row := range rows {
		month := row.Date.FirstOfMonth()
		if row.Direction == ledger.Outflow {
			if !row.Operating() {
				continue
			}
			sum, fits := money.Add(outflow[month], row.USDCents)
			if !fits {
				return nil, ErrOverflow
			}
			outflow[month] = sum
			continue
		}
		if row.Category == ledger.CategoryFinancing {
			continue
		}
		key, known := keys[row.Counterparty]
		if !known {
			if key = payerKey(row); row.Counterparty != ledger.UnknownCounterparty {
				keys[row.Counterparty] = key
			}
		}
		p := payers[key]
		if p == nil {
			p = &payer{month: month}
			payers[key] = p
		}
		p.add(row, month)
	}
	var questions []FinancingQuestion
	for _, p := range payers {
		q, asked, err := p.question(outflow)
		if err != nil {
			return nil, err
		}
		if asked {
			questions = append(questions, q)
		}
	}
	slices.SortFunc(questions, func(a, b FinancingQuestion) int {
		return cmp.Or(a.Month.Compare(b.Month), cmp.Compare(a.Rows[0], b.Rows[0]))
	})
	return questions, nil
}

// payerKey identifies the payer of a transaction. Transactions without a name may have different
// payers, so each of them has a key of its own.
func payerKey(row ledger.Transaction) string {
	if row.Counterparty == ledger.UnknownCounterparty {
		return row.ID
	}
	return words(row.Counterparty)
}

// FinancingKey identifies the question whether a transaction is financing. All transactions of a
// payer in one month have the same key.
func FinancingKey(row ledger.Transaction) string {
	return row.Date.FirstOfMonth().String()[:len("2026-11")] + " " + payerKey(row)
}

// payer collects the transactions from one payer that neither an invoice nor a rule explains.
type payer struct {
	month   civil.Date
	regular bool // true if the payer paid in several months
	inflows []ledger.Transaction
}

func (p *payer) add(row ledger.Transaction, month civil.Date) {
	if month != p.month {
		p.regular, p.inflows = true, nil
	}
	if !p.regular && row.Category == "" && !row.HasReceipt && row.USDKnown {
		p.inflows = append(p.inflows, row)
	}
}

// question returns the question about the payer. asked is false if there is nothing to ask.
func (p *payer) question(outflow map[civil.Date]int64) (q FinancingQuestion, asked bool, err error) {
	if p.regular {
		return q, false, nil
	}
	monthly, err := monthlyOutflow(outflow, p.month)
	if err != nil {
		return q, false, err
	}
	slices.SortFunc(p.inflows, func(a, b ledger.Transaction) int { return cmp.Compare(a.ID, b.ID) })
	q.Month = p.month
	for _, row := range p.inflows {
		if row.USDCents <= monthly/financingFraction {
			continue
		}
		var fits bool
		if q.USDCents, fits = money.Add(q.USDCents, row.USDCents); !fits {
			return q, false, ErrOverflow
		}
		if len(q.Rows) == 0 {
			q.Key, q.First = FinancingKey(row), row.Date
		}
		q.Payer = row.Counterparty
		q.Rows = append(q.Rows, row.ID)
	}
	return q, len(q.Rows) > 0, nil
}

// monthlyOutflow returns the average outflow of a month and the months before it, burnHistory
// months in total. Months without outflow are left out.
func monthlyOutflow(outflow map[civil.Date]int64, month civil.Date) (int64, error) {
	var sum, months int64
	for back := range burnHistory {
		cents, fits := outflow[month.AddMonths(-back)], false
		if cents == 0 {
			continue
		}
		if sum, fits = money.Add(sum, cents); !fits {
			return 0, ErrOverflow
		}
		months++
	}
	return sum / max(1, months), nil
}
