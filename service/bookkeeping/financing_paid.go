package bookkeeping

import (
	"fmt"
	"iter"

	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
)

// findPaidElsewhere returns the questions about money out that may not be a cost, and sets
// mt.paidOut to the categories of that money, and of the money of which the user has said so.
// received is the result of findFinancing.
func (mt *matching) findPaidElsewhere(received bookrules.Financing) ([]bookrules.FinancingQuestion, error) {
	answers, lenders := mt.financingAnswers(true), map[string]bool{}
	for _, a := range mt.financingAnswers(false) {
		lenders[a.PayerKey] = lenders[a.PayerKey] || a.Yes
	}
	for key, yes := range lenders {
		if !yes {
			delete(lenders, key)
		}
	}
	mt.paidBy = map[string]int{}
	identify := func(movement int) string {
		id := mt.transactionID(movement)
		mt.paidBy[id] = movement
		return id
	}
	found, err := bookrules.FindPaidElsewhere(mt.unexplainedPayments(), received, lenders, identify, answers,
		mt.books.currency)
	if err != nil {
		return nil, err
	}
	for _, q := range received.Questions {
		lenders[q.PayerKey] = true
	}
	mt.paidOut = map[int]string{}
	for id := range found.Rows {
		movement := mt.paidBy[id]
		mt.paidOut[movement] = ledger.CategoryInternalTransfer
		if lenders[bookrules.PayerKeyOf(mt.movements[movement].Payee)] {
			mt.paidOut[movement] = ledger.CategoryFinancing
		}
	}
	return found.Questions, nil
}

// unexplainedPayments returns the money out that no rule and no bill explains.
func (mt *matching) unexplainedPayments() iter.Seq[bookrules.Paid] {
	bills := map[string]bool{}
	for n := range mt.bills.All {
		bills[mt.bills.All[n].PaidBy] = true
	}
	return func(yield func(bookrules.Paid) bool) {
		for n := range mt.movements {
			m := &mt.movements[n]
			if m.Minor >= 0 || mt.transfers.Treatments[n] != bookrules.IsRow || mt.categories[n] != "" ||
				m.Payee == ledger.UnknownCounterparty || len(bills) > 0 && bills[mt.transactionID(n)] {
				continue
			}
			minor, known := mt.valuation.Value(m.Minor, mt.own[m.Account].Currency, m.Day)
			if known && !yield(bookrules.Paid{Name: m.Payee, Date: m.Day.Date(), Minor: max(minor, -minor), Row: n}) {
				return
			}
		}
	}
}

// paidToPayers returns what each payer was paid, by bookrules.PayerKeyOf.
func (mt *matching) paidToPayers() map[string]int64 {
	keys, paid := map[string]string{}, map[string]int64{}
	payers := map[string]bool{}
	for n := range mt.inflows {
		if name := mt.inflows[n].payer; keys[name] == "" {
			keys[name] = bookrules.PayerKeyOf(name)
			payers[keys[name]] = true
		}
	}
	for p := range mt.unexplainedPayments() {
		key := keys[p.Name]
		if key == "" {
			key = bookrules.PayerKeyOf(p.Name)
			keys[p.Name] = key
		}
		if !payers[key] {
			continue
		}
		if sum, fits := money.Add(paid[key], p.Minor); fits {
			paid[key] = sum
		}
	}
	return paid
}

// paidOutQuestion returns a question whether money out is a cost.
func (mt *matching) paidOutQuestion(q bookrules.FinancingQuestion) question {
	newest := &mt.movements[mt.paidBy[q.Rows[len(q.Rows)-1]]]
	asked := question{
		OpenQuestion: ownbooks.OpenQuestion{
			Kind: AboutPaidOut,
			Date: q.Dates[0].String(),
			Text: fmt.Sprintf("%s %s to %s %s: is it a loan paid back, a deposit or money for another account of yours, "+
				"and not a cost?%s", money.Format(q.Minor, mt.books.currency), mt.books.currency, payerText(q.Payer),
				datesText(q.Dates), earlierText(q)),
			Meanwhile: "It doesn't count in burn.",
			Choices:   paidOutChoices(),
		},
		key:       financingKey(q),
		account:   newest.Account,
		lineGroup: lineGroup{newest.Day, newest.Minor},
		about:     fmt.Sprintf("%s on %s", payerText(q.Payer), q.Dates[len(q.Dates)-1]),
	}
	mt.completeFinancing(&asked, &q, mt.paidBy)
	return asked
}

func paidOutChoices() []ownbooks.Choice {
	return []ownbooks.Choice{
		{Answer: "yes", Text: "not a cost: it doesn't count in burn", Stored: answeredYes},
		{Answer: "no", Text: "a cost: it counts in burn", Stored: answeredNo},
	}
}
