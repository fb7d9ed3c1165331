package bookkeeping

import (
	"slices"
	"strings"

	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// whose says by which evidence transactions of own books are own money, or that of investors and
// lenders.
type whose struct {
	snap      *store.Snapshot
	org       store.OrgKey
	accounts  []bookrules.Account
	rules     bookrules.Rules
	finder    *bookrules.EvidenceFinder
	questions []store.BookQuestion
	answers   map[string]string
}

func newWhose(snap *store.Snapshot, org store.OrgKey, accounts []bookrules.Account) (*whose, error) {
	w := &whose{snap: snap, org: org, accounts: accounts}
	text, err := snap.BookRules(org)
	if err != nil {
		return nil, err
	}
	if w.rules, err = bookrules.ParseRules([]byte(text)); err != nil {
		return nil, err
	}
	company, err := snap.Organization(org)
	if err != nil {
		return nil, err
	}
	w.finder = bookrules.NewEvidenceFinder(accounts, company.Name)
	if w.questions, err = snap.BookQuestions(org); err != nil {
		return nil, err
	}
	w.answers, err = snap.BookAnswers(org)
	return w, err
}

// evidence returns why a transaction of an account doesn't count in burn: a rule, an open question,
// what its text says, or an answer. It returns an empty Evidence if that isn't known without the
// statement line, which is only read if exact is true.
func (w *whose) evidence(a bookrules.Account, row *ledger.Transaction, exact bool) (e ownbooks.Evidence, err error) {
	minor := row.AmountMinor
	if row.Direction == ledger.Outflow {
		minor = -minor
	}
	line := bank.Line{Minor: minor, Counterparty: row.Counterparty, Description: row.Memo, Reference: row.Reference}
	if exact {
		if line.Transfer, err = w.hasCode(a, row, minor); err != nil {
			return e, err
		}
	}
	isOwn, outcome := row.Category == ledger.CategoryInternalTransfer, w.rules.Apply(a, line)
	found := w.finder.Find(a, line, outcome)
	code, isKnown := evidenceCodes[found.Origin]
	switch {
	case outcome.Category == row.Category || isOwn && outcome.Transfer.Set:
		e.Code = ownbooks.ByRule
	case w.isAsked(row):
		e.Code = ownbooks.ByQuestion
	case isOwn && isKnown:
		e = ownbooks.Evidence{Code: code, Account: w.otherAccount(found.Others)}
	case w.isAnswered(row):
		e.Code = ownbooks.ByAnswer
	}
	return e, nil
}

// otherAccount returns the label of the other account, if there is one.
func (w *whose) otherAccount(keys []int64) string {
	at := slices.IndexFunc(w.accounts, func(a bookrules.Account) bool { return len(keys) == 1 && a.Key == keys[0] })
	if at < 0 {
		return ""
	}
	other := described(w.accounts[at])
	return other.Label()
}

// hasCode reports whether a line of the transaction's day and amount has the bank's code for
// transfers.
func (w *whose) hasCode(a bookrules.Account, row *ledger.Transaction, minor int64) (found bool, err error) {
	day := bookrules.DayOf(row.Date)
	err = w.snap.BookLines(w.org, a.Key, bookrules.Span{First: day, Last: day}, func(l bookrules.Line) error {
		found = found || l.Minor == minor && l.Transfer && l.Reference == row.Reference
		return nil
	})
	return found, err
}

// isAnswered reports whether the user has answered a question about the other party.
func (w *whose) isAnswered(row *ledger.Transaction) bool {
	payer := bookrules.PayerKey(*row)
	for key := range w.answers {
		if strings.Contains(key, payer) {
			return true
		}
	}
	return false
}

// isAsked reports whether an open question leaves the transaction out of burn.
func (w *whose) isAsked(row *ledger.Transaction) bool {
	cents := row.USDCents
	if row.Direction == ledger.Outflow {
		cents = -cents
	}
	flow := store.QuestionFlow{Day: bookrules.DayOf(row.Date), Cents: cents}
	return slices.ContainsFunc(w.questions, func(q store.BookQuestion) bool { return slices.Contains(q.Flows, flow) })
}

// evidenceCodes has the codes of what a line's own text says.
var evidenceCodes = map[bookrules.EvidenceOrigin]ownbooks.EvidenceCode{
	bookrules.FromRule: ownbooks.ByRule, bookrules.FromNumber: ownbooks.ByAccountNumber,
	bookrules.FromCode: ownbooks.ByBankCode, bookrules.FromText: ownbooks.ByText,
	bookrules.FromConversion: ownbooks.ByConversion, bookrules.FromOwner: ownbooks.ByCompanyName,
}
