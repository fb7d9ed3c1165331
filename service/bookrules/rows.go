package bookrules

import (
	"cmp"
	"strconv"
	"strings"

	"tarmac/internal/termtext"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// TransactionID returns the public id of the transaction for a line of an account's books. It
// depends only on the line and the organization, so a line has the same id when its import is
// undone and repeated. Ids sort by day.
func TransactionID(a Account, m Merged) string { return idOf(ids.Transaction, a, m) }

// mostEqual is the number of transactions of equal day and amount in an account whose account
// AccountOf finds.
const mostEqual = 100

// AccountOf returns the one of the accounts in whose books a transaction is. A transaction does not
// name its account, but its id follows from the account and the line. It returns false for what
// LossRow returns, whose amount is not that of the line. Only the fields ID, Date, Direction,
// AmountMinor and Currency of the transaction are read.
func AccountOf(accounts []Account, t *ledger.Transaction) (Account, bool) {
	m := Merged{Day: DayOf(t.Date), Minor: t.AmountMinor}
	if t.Direction == ledger.Outflow {
		m.Minor = -m.Minor
	}
	for m.Ordinal = 1; m.Ordinal <= mostEqual; m.Ordinal++ {
		for _, a := range accounts {
			if a.Currency == t.Currency && TransactionID(a, m) == t.ID {
				return a, true
			}
		}
	}
	return Account{}, false
}

// LineID returns the public id of a line of an account's books. Like TransactionID, it depends only
// on the line. Each line has a LineID, even a line that is not a transaction.
func LineID(a Account, m Merged) string { return idOf(ids.Line, a, m) }

func idOf(kind string, a Account, m Merged) string {
	const usual = 96 // bytes
	key := make([]byte, 0, usual)
	for _, text := range [...]string{a.Organization, a.Identity, a.Currency} {
		key = append(append(key, text...), 0)
	}
	key = append(strconv.AppendInt(key, int64(m.Day), 10), 0)
	key = append(strconv.AppendInt(key, m.Minor, 10), 0)
	key = strconv.AppendInt(key, int64(m.Ordinal), 10)
	return ids.Fixed(kind, m.Day.Date().Time(), string(key))
}

// Row returns the transaction for a line of an account's books. text is the statement line with the
// best text, name is the other party in it (ShownNames), and outcome is what the user's rules say
// about it. The transaction has the day of m, which may differ from the day of text. Its amount is
// converted by the rates of v. Callers must check the transaction with its method Validate.
func Row(a Account, m Merged, text bank.Line, name string, outcome Outcome, v Valuation) ledger.Transaction {
	cents, known := convertRow(m, a.Currency, USD, v.Rates)
	row := ledger.Transaction{
		ID: TransactionID(a, m), Date: m.Day.Date(), Direction: direction(m.Minor), Source: a.Source(),
		AmountMinor: magnitude(m.Minor), AmountKnown: true, USDCents: cents, USDKnown: known,
		Currency:     a.Currency,
		Counterparty: Counterparty(name, outcome),
		Category:     termtext.Line(outcome.Category),
		Memo:         termtext.Line(cmp.Or(outcome.Memo, memo(text, name))),
		Method:       termtext.Line(text.Method),
		Reference:    termtext.Line(text.Reference),
	}
	if v.Currency != USD {
		row.ReportingMinor, row.ReportingKnown = convertRow(m, a.Currency, v.Currency, v.Rates)
	}
	return row
}

// convertRow returns the absolute amount of a line in another currency. Without rates, or if the
// amount is too large for a transaction, it returns 0 and false.
func convertRow(m Merged, from, to string, rates Rates) (minor int64, known bool) {
	minor, known = Convert(m.Minor, from, to, m.Day, rates)
	if minor = magnitude(minor); !known || minor < 0 || minor > ledger.MaxAmount {
		return 0, false
	}
	return minor, true
}

// Counterparty returns the counterparty of a transaction: the one that a rule gives the line, or
// the name in its text.
func Counterparty(name string, outcome Outcome) string {
	return cmp.Or(termtext.Line(cmp.Or(outcome.Counterparty, name)), ledger.UnknownCounterparty)
}

// direction returns the direction of an amount. An amount of 0 is an inflow.
func direction(minor int64) ledger.Direction {
	if minor < 0 {
		return ledger.Outflow
	}
	return ledger.Inflow
}

// magnitude returns an amount without its sign. The smallest int64 stays negative; transactions and
// totals refuse it.
func magnitude(minor int64) int64 { return max(minor, -minor) }

// memo returns the bank's text of a line: its description. If name is not the bank's counterparty,
// that counterparty precedes the description.
func memo(text bank.Line, name string) string {
	description, counterparty := strings.TrimSpace(text.Description), strings.TrimSpace(text.Counterparty)
	switch {
	case counterparty == "" || counterparty == name || strings.Contains(description, counterparty):
		return description
	case description == "":
		return counterparty
	}
	return counterparty + " · " + description
}
