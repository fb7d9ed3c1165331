package books

import (
	"cmp"
	"fmt"
	"strings"

	"tarmac/internal/termtext"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// TransactionID returns the public id of a line of an account's books. It depends on the line
// only, so that a line that was undone and imported again has the same id. Ids sort by day.
func TransactionID(a Account, m Merged) string {
	key := fmt.Sprintf("%s\x00%s\x00%d\x00%d\x00%d", a.Number, a.Currency, m.Day, m.Minor, m.Ordinal)
	return ids.Fixed(ids.Transaction, m.Day.Date().Time(), key)
}

// Row returns the ledger's row for a line of the books, with its text, what the rules say about
// it, and the rates of the account's currency. The day is the books' day, which may be another
// statement's than the text. Callers must check the row with its Validate.
func Row(a Account, m Merged, text bank.Line, outcome Outcome, rates []bank.Rate) ledger.Transaction {
	cents, known := USDCents(m.Minor, a.Currency, m.Day, rates)
	known = known && magnitude(cents) >= 0 && magnitude(cents) <= ledger.MaxAmount
	if !known {
		cents = 0
	}
	name := Name(text)
	row := ledger.Transaction{
		ID: TransactionID(a, m), Date: m.Day.Date(), Direction: direction(m.Minor), Source: ledger.LinkedBank,
		AmountMinor: magnitude(m.Minor), AmountKnown: true, USDCents: magnitude(cents), USDKnown: known,
		Currency:     a.Currency,
		Counterparty: termtext.Line(cmp.Or(outcome.Counterparty, name)),
		Category:     termtext.Line(outcome.Category),
		Memo:         termtext.Line(cmp.Or(outcome.Memo, memo(text, name))),
		Method:       termtext.Line(text.Method),
		Reference:    termtext.Line(text.Reference),
	}
	row.Counterparty = cmp.Or(row.Counterparty, ledger.UnknownCounterparty)
	return row
}

// direction returns the direction of an amount; 0 counts as money in.
func direction(minor int64) ledger.Direction {
	if minor < 0 {
		return ledger.Outflow
	}
	return ledger.Inflow
}

// magnitude returns an amount without its sign. It is negative for the most negative amount,
// which rows and totals refuse.
func magnitude(minor int64) int64 { return max(minor, -minor) }

// memo returns the bank's text of a line: its description, after the counterparty where the
// row's name is not the bank's.
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
