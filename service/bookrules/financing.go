package bookrules

import (
	"cmp"
	"iter"
	"slices"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/service/ledger"
)

// FinancingQuestion asks the user whether money from a payer came from investors or lenders. Until
// it is answered, the transactions have the category ledger.CategoryFinancing and do not count in
// burn.
type FinancingQuestion struct {
	PayerKey     string // result of PayerKey for the transactions in Rows
	Payer        string
	Dates        []civil.Date // dates of the transactions in Rows, oldest first
	Minor        int64        // sum of the transactions, in minor units of the currency of reports
	LargestMinor int64        // FinancingAnswer.LargestMinor of the answer
	Rows         []string     // ids of transactions, oldest first
	// Earlier is the answer about smaller payments of the payer. It is nil if there is none.
	Earlier *FinancingAnswer
	// Answers is the number of the user's answers about smaller payments that are not about a
	// month.
	Answers int
	Regular bool // true if it is asked because a payer whose money is financing has become regular
	Out     bool // true if it's about money out; see FindPaidElsewhere
}

// FinancingAnswer is the user's answer to a FinancingQuestion. It holds for the payments of the
// payer, past and to come, up to answeredTimes the largest one that it was given about.
type FinancingAnswer struct {
	PayerKey string // FinancingQuestion.PayerKey; see also IsRowKey
	Yes      bool
	// LargestMinor is the largest payment that the question was about, in minor units. If Regular
	// is set, it is the usual payment.
	LargestMinor int64
	Regular      bool // FinancingQuestion.Regular
	// Month is set in the answers of earlier versions, which were asked about the payments of one
	// month and do not have LargestMinor. It is the first day of the month.
	Month civil.Date
}

// Financing says which transactions are or may be financing.
type Financing struct {
	Rows      map[string]bool // ids of transactions
	Questions []FinancingQuestion
	Outflow   map[civil.Date]int64 // operating money out by the first day of its month
}

const (
	// financingFraction is the divisor of a month's outflow. A FinancingQuestion about a payer of
	// one month is about transactions of more than a tenth of the month's outflow.
	financingFraction = 10
	// mostTranches is the largest number of months in which a payer pays that is not regular. A
	// question about a payer of several months is about transactions of more than a month's
	// outflow.
	mostTranches = 3
	// answeredTimes says by how much a payment may be larger than the largest one that the user has
	// answered a question about, so that the answer holds for it.
	answeredTimes = 3
	// burnHistory is the number of months over which outflow is averaged for a FinancingQuestion:
	// the month of the payment and the two months before it.
	burnHistory = 3
)

// FindFinancing returns which transactions in rows are or may be financing. The user's answers
// about their payers decide it. It asks about other money in, once for each payer:
//   - about all of it, if a text has a word of loans or investments, or 30 % or more was paid back
//   - about a payment above a whole month's outflow, however regular the payer is
//   - about payments above a tenth of a month's outflow from a payer who paid in one month
//
// A payment isn't part of a question if an invoice (HasReceipt), a rule or its text (Category)
// explains it, or if it says that it is a refund.
// If a payer whose money is financing has become regular, it is asked about again.
//
// A month's outflow is the average over that month and the two before it; months without outflow
// are left out. Money in that has the category of financing or of a transfer between own accounts
// is ignored. Payments without a name never make a payer regular. paid is what each PayerKey was
// paid, in minor units of the currency of reports. FindFinancing returns ErrOverflow if a sum
// overflows 64 bits.
//
// The id of a row may be any name that identify turns into the transaction's id, which takes some
// time: it is called only for rows whose id affects the result or its order. The memo of money in
// is its text. rows is read twice.
func FindFinancing(
	rows iter.Seq[ledger.Transaction], paid map[string]int64, identify func(name string) string, answers []FinancingAnswer,
) (f Financing, err error) {
	outflow := map[civil.Date]int64{}
	payers := newPayers(answers, identify)
	for row := range rows {
		if !row.Operating() {
			continue
		}
		if row.Direction != ledger.Outflow {
			if !payers.of(row).count(&row) {
				return f, ErrOverflow
			}
			continue
		}
		month, fits := row.Date.FirstOfMonth(), false
		if outflow[month], fits = money.Add(outflow[month], row.ReportingMinor); !fits {
			return f, ErrOverflow
		}
	}
	for row := range rows {
		if row.Direction == ledger.Outflow || !row.Operating() || explained(&row) {
			continue
		}
		p := payers.of(row)
		if p.regular() && len(p.answers) == 0 && !p.mayLend(paid) {
			if large, err := p.isLarge(row, outflow); err != nil {
				return f, err
			} else if !large {
				continue
			}
		}
		if !p.lends && ownbooks.SaysRefund(row.Memo) {
			continue
		}
		p.inflows = append(p.inflows, row)
	}
	f.Rows, f.Outflow = map[string]bool{}, outflow
	for _, p := range payers.byKey {
		for n := range p.inflows {
			p.inflows[n].ID = identify(p.inflows[n].ID)
		}
		if err := p.decide(outflow, paid, &f); err != nil {
			return f, err
		}
	}
	slices.SortFunc(f.Questions, compareQuestions)
	return f, nil
}

func compareQuestions(a, b FinancingQuestion) int {
	return cmp.Or(a.Dates[0].Compare(b.Dates[0]), cmp.Compare(a.Rows[0], b.Rows[0]))
}

// mayLend reports whether all money of the payer may be financing, whatever its size and rhythm.
func (p *payer) mayLend(paid map[string]int64) bool { return p.lends || p.isPaidBack(paid[p.key]) }

// decide adds to f which transactions of the payer are or may be financing, and what is asked.
func (p *payer) decide(outflow map[civil.Date]int64, paid map[string]int64, f *Financing) error {
	slices.SortFunc(p.inflows, func(a, b ledger.Transaction) int {
		return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.ID, b.ID))
	})
	answers := p.ordered()
	var asked, regular []ledger.Transaction
	for _, row := range p.inflows {
		if answer := answerTo(answers, row); answer != nil {
			if answer.Yes {
				f.Rows[row.ID] = true
				regular = append(regular, row)
			}
			continue
		}
		large, err := p.isLarge(row, outflow)
		if err != nil {
			return err
		}
		if large || p.mayLend(paid) && row.ReportingKnown {
			asked = append(asked, row)
		}
	}
	larger := FinancingQuestion{PayerKey: p.key}
	for n := range answers {
		if answers[n].Regular {
			regular = nil // it was asked before
			continue
		}
		larger.Earlier = &answers[n]
		if answers[n].Month.IsZero() {
			larger.Answers++
		}
	}
	if err := larger.ask(asked, f); err != nil {
		return err
	}
	return p.askAgain(regular, outflow, f)
}

// ordered returns the answers about the payer in the order in which they are tried: those about a
// regular payer, and then those about smaller payments first. The answers of earlier versions get
// the largest payment of their month.
func (p *payer) ordered() []FinancingAnswer {
	answers := slices.Clone(p.answers)
	for n := range answers {
		for _, row := range p.inflows {
			if row.Date.FirstOfMonth() == answers[n].Month && row.ReportingKnown {
				answers[n].LargestMinor = max(answers[n].LargestMinor, row.ReportingMinor)
			}
		}
	}
	slices.SortFunc(answers, func(a, b FinancingAnswer) int {
		return cmp.Or(compareBool(b.Regular, a.Regular), cmp.Compare(a.LargestMinor, b.LargestMinor),
			a.Month.Compare(b.Month), compareBool(a.Yes, b.Yes))
	})
	return answers
}

// answerTo returns the answer that holds for a payment, or nil. If its amount is not known, the
// answer about the largest payments holds.
func answerTo(answers []FinancingAnswer, row ledger.Transaction) *FinancingAnswer {
	month := row.Date.FirstOfMonth()
	var about *FinancingAnswer
	for n := range answers {
		a := &answers[n]
		switch {
		case a.Month == month:
			return a
		case !row.ReportingKnown, about == nil && a.covers(row.ReportingMinor):
			about = a
		}
		if about != nil && about.Regular {
			return about
		}
	}
	return about
}

// covers reports whether the answer holds for a payment of that many US cents.
func (a *FinancingAnswer) covers(cents int64) bool {
	return cents/answeredTimes < a.LargestMinor || cents/answeredTimes == a.LargestMinor && cents%answeredTimes == 0
}

// isLarge reports whether a payment is so large that it is asked about. A regular payer's must be
// unusual for the payer too: a customer may pay more than the company spends.
func (p *payer) isLarge(row ledger.Transaction, outflow map[civil.Date]int64) (bool, error) {
	if !row.ReportingKnown {
		return false, nil
	}
	monthly, err := monthlyOutflow(outflow, row.Date.FirstOfMonth())
	if p.regular() && (monthly == 0 || !p.isUnusual(row.ReportingMinor)) {
		return false, err
	}
	if len(p.months) <= 1 {
		monthly /= financingFraction
	}
	return row.ReportingMinor > monthly, err
}

// askAgain adds the question whether money of a payer is financing, although the user has said so,
// because the payer has become regular. It is about the payments of a usual amount, and asked
// unless all of them are small.
func (p *payer) askAgain(financing []ledger.Transaction, outflow map[civil.Date]int64, f *Financing) error {
	var cents []int64
	for _, row := range financing {
		if row.ReportingKnown {
			cents = append(cents, row.ReportingMinor)
		}
	}
	if !p.regular() || len(cents) <= mostTranches {
		return nil
	}
	slices.Sort(cents)
	usual := FinancingAnswer{LargestMinor: cents[len(cents)/2]}
	large := false
	var asked []ledger.Transaction
	for _, row := range financing {
		if !row.ReportingKnown || !usual.covers(row.ReportingMinor) {
			continue
		}
		monthly, err := monthlyOutflow(outflow, row.Date.FirstOfMonth())
		if err != nil {
			return err
		}
		large = large || row.ReportingMinor > monthly/financingFraction
		asked = append(asked, row)
	}
	if !large {
		return nil
	}
	q := FinancingQuestion{PayerKey: p.key, Regular: true, LargestMinor: usual.LargestMinor}
	return q.ask(asked, f)
}

// ask adds the question about transactions to f, if there are any.
func (q FinancingQuestion) ask(rows []ledger.Transaction, f *Financing) error {
	for _, row := range rows {
		var fits bool
		if q.Minor, fits = money.Add(q.Minor, row.ReportingMinor); !fits {
			return ErrOverflow
		}
		if !q.Regular {
			q.LargestMinor = max(q.LargestMinor, row.ReportingMinor)
		}
		q.Dates, q.Rows = append(q.Dates, row.Date), append(q.Rows, row.ID)
		q.Payer = row.Counterparty
		f.Rows[row.ID] = true
	}
	if len(rows) > 0 {
		f.Questions = append(f.Questions, q)
	}
	return nil
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
