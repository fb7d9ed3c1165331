package books

import (
	"cmp"
	"iter"
	"slices"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/ledger"
)

// FinancingQuestion asks whether money in came from investors or lenders. Until it is answered,
// its rows are financing (ledger.CategoryFinancing), which burn leaves out.
type FinancingQuestion struct {
	Payer    string
	Month    civil.Date // first day of the only month in which the payer paid
	USDCents int64      // sum of Rows
	Rows     []string   // ids of transactions, the oldest first
}

// financingFraction is the part of a month's outflow above which money in is asked about: one
// tenth.
const financingFraction = 10

// burnHistory is the number of months whose average outflow an inflow is compared with: its own
// and those before it.
const burnHistory = 3

// FindFinancing returns what to ask about the rows of a ledger: money in above a tenth of a
// month's outflow, from a payer seen in one month only, that no invoice (HasReceipt) and no rule
// (Category) explains. A month's outflow is the average of the inflow's month and the two before
// it, as far as they have any. rows is read once. It returns ErrOverflow for sums beyond 64 bits.
func FindFinancing(rows iter.Seq[ledger.Transaction]) ([]FinancingQuestion, error) {
	outflow := map[civil.Date]int64{}
	payers := map[string]*payer{}
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
		key := words(row.Counterparty)
		if row.Counterparty == ledger.UnknownCounterparty {
			key = "\x00" + row.ID // each of them may be another payer
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

// payer holds the unexplained money in of a payer.
type payer struct {
	month   civil.Date
	regular bool // paid in several months
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

// question returns the question about a payer, if there is one.
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
		q.Payer = row.Counterparty
		q.Rows = append(q.Rows, row.ID)
	}
	return q, len(q.Rows) > 0, nil
}

// monthlyOutflow returns the average outflow of a month and those before it that have any.
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
