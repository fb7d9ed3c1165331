package bookrules

import (
	"fmt"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/ids"
	"tarmac/service/ledger"
)

// PayerKey identifies the payer of a transaction by the first two words of the payer's name of at
// least two letters. Transactions without a name may have different payers. They are asked about
// together if they have about the same size, so that an answer about one of them holds for the
// others: in one currency, from a power of answeredTimes to the next.
func PayerKey(row ledger.Transaction) string {
	if row.Counterparty != ledger.UnknownCounterparty {
		return PayerKeyOf(row.Counterparty)
	}
	least := int64(1)
	for least <= row.AmountMinor/answeredTimes {
		least *= answeredTimes
	}
	return fmt.Sprintf("%s %s %d", row.Counterparty, row.Currency, least)
}

// PayerKeyOf returns the PayerKey of transactions with a name.
func PayerKeyOf(name string) string {
	const most, long = 2, 2
	words := namedWords(name)
	if shared := words[:keyLength(words)]; len(shared) > 0 {
		words = shared
	}
	used, last := 0, 0
	for n, w := range words {
		if len([]rune(w.folded)) >= long {
			used++
		}
		if last = n; used == most {
			break
		}
	}
	if len(words) == 0 {
		return strings.ToUpper(name)
	}
	return keyOf(words[:last+1])
}

// IsRowKey reports whether an answer with the PayerKey is about one transaction alone. It is the
// transaction's id: earlier versions asked about each payment of a payer whose name has no letters.
func IsRowKey(key string) bool { return strings.HasPrefix(key, ids.Transaction) }

// payers finds the payer of a row.
type payers struct {
	byKey    map[string]*payer
	keys     map[string]string // results of PayerKey by name
	identify func(name string) string
	byRow    bool // true if an answer is about one row
}

func newPayers(answers []FinancingAnswer, identify func(name string) string) *payers {
	p := &payers{byKey: map[string]*payer{}, keys: map[string]string{}, identify: identify}
	for _, a := range answers {
		about := p.withKey(a.PayerKey)
		about.answers = append(about.answers, a)
		p.byRow = p.byRow || IsRowKey(a.PayerKey)
	}
	return p
}

func (p *payers) withKey(key string) *payer {
	if p.byKey[key] == nil {
		p.byKey[key] = &payer{key: key, months: map[civil.Date]bool{}}
	}
	return p.byKey[key]
}

// of returns the payer of a row of money in. A row about which earlier versions asked alone has a
// payer of its own.
func (p *payers) of(row ledger.Transaction) *payer {
	unnamed := row.Counterparty == ledger.UnknownCounterparty
	if p.byRow && (unnamed || !hasLetters(row.Counterparty, 1)) {
		if alone := p.byKey[p.identify(row.ID)]; alone != nil {
			return alone
		}
	}
	key, known := p.keys[row.Counterparty]
	if !known {
		key = PayerKey(row)
		if !unnamed {
			p.keys[row.Counterparty] = key
		}
	}
	return p.withKey(key)
}

// payer has what a payer paid, and its transactions that neither an invoice nor a rule explains.
type payer struct {
	key     string
	months  map[civil.Date]bool // months in which the payer paid, up to one more than mostTranches
	read    int                 // transactions of which the text was read
	lends   bool                // true if a text has a word of loans or investments
	minor   int64               // sum of the transactions, in minor units of the currency of reports
	number  int64               // number of transactions
	inflows []ledger.Transaction
	answers []FinancingAnswer
}

// regular reports whether the payer pays in more months than most investors and lenders do.
func (p *payer) regular() bool { return len(p.months) > mostTranches }

// count adds a transaction to what is known of the payer. It returns false if the sum overflows.
func (p *payer) count(row *ledger.Transaction) (fits bool) {
	// A lender's text says so each time, so the first texts of a payer with many are enough.
	const mostRead = 24
	if !p.regular() && row.Counterparty != ledger.UnknownCounterparty {
		p.months[row.Date.FirstOfMonth()] = true
	}
	if !explained(row) && p.read < mostRead && !p.lends {
		p.read++
		p.lends = speaksOfLending(row.Memo)
	}
	p.number++
	p.minor, fits = money.Add(p.minor, row.ReportingMinor)
	return fits
}

// isUnusual reports whether a payment is much larger than the payer's others on average.
func (p *payer) isUnusual(minor int64) bool {
	return p.number > 1 && minor/answeredTimes > (p.minor-minor)/(p.number-1)
}

func explained(row *ledger.Transaction) bool { return row.Category != "" || row.HasReceipt }

// isPaidBack reports whether the payer got back so much of what it paid that it may be a lender.
// Somebody who got much more is a vendor who refunds.
func (p *payer) isPaidBack(paid int64) bool {
	const least, most = 30, 200 // percent
	return p.minor > 0 && paid/least >= p.minor/100 && paid/most <= p.minor/100
}
