package ofx

import (
	"fmt"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/service/statements/bank"
)

// statement is the statement that is being read.
type statement struct {
	bank.Statement
	line      int
	announced bool
	entries   int    // number of transactions, including pending ones
	balance   string // closing balance as text
	balanceAt int    // line number of the closing balance
	asOf      civil.Date
	total     int64 // sum of the booked transactions

	// Counts for warnings: investments, which are not read, and transactions that were read in an
	// unusual way.
	trades, positions int
	rounded           bank.Remark // amounts with computed decimals that were rounded
	converted         bank.Remark // amounts that were converted from another currency
	contradictory     bank.Remark // debits with a positive amount
	withdrawn         bank.Remark // transactions that the bank deletes or replaces
}

func (r *reader) beginStatement(next token) error {
	if err := r.endStatement(); err != nil {
		return err
	}
	r.statement = &statement{line: next.line}
	switch next.name {
	case "CCSTMTRS":
		r.statement.Account.Kind = bank.KindCard
	case "INVSTMTRS":
		r.statement.Account.Kind = bank.KindInvestment
	}
	r.statement.Account.Bank = r.bank
	return nil
}

// kinds maps account types of OFX to kinds of accounts. The balance of a credit line is money owed,
// like that of a card.
var kinds = map[string]bank.Kind{
	"CHECKING": bank.KindChecking, "SAVINGS": bank.KindSavings, "MONEYMRKT": bank.KindSavings, "CD": bank.KindSavings,
	"CREDITLINE": bank.KindCard,
}

// statementValue stores a value of the statement that is not in a transaction.
func (r *reader) statementValue(aggregate string, next token) error {
	s, text := r.statement, r.decoder.line(next.value)
	switch aggregate {
	case "STMTRS", "CCSTMTRS", "INVSTMTRS":
		if next.name == "CURDEF" {
			return r.setCurrency(text, next.line)
		}
	case "BANKACCTFROM", "CCACCTFROM", "INVACCTFROM":
		s.setAccount(next.name, text)
	case "BANKTRANLIST", "INVTRANLIST":
		return r.setPeriod(next, text)
	case "LEDGERBAL":
		if next.name == "BALAMT" {
			s.balance, s.balanceAt = text, next.line
		}
		if next.name == "DTASOF" {
			day, err := date(text, r.options.DateOrder, next.line)
			s.asOf = day
			return err
		}
	}
	return nil
}

func (s *statement) setAccount(name, text string) {
	switch name {
	case "ACCTID":
		s.Account.Number = text
	case "BANKID", "BROKERID":
		if s.Account.Bank == "" {
			s.Account.Bank = text
		}
	case "ACCTTYPE":
		if kind, ok := kinds[strings.ToUpper(text)]; ok && s.Account.Kind == bank.KindUnknown {
			s.Account.Kind = kind
		}
	}
}

func (r *reader) setCurrency(text string, line int) error {
	code, ok := currency(text)
	switch {
	case !ok:
		return bank.Errorf(line, "%q is not a currency", bank.Short(text))
	case r.statement.entries > 0 && code != r.statement.Currency:
		return bank.Errorf(line, "the currency %s stands after transactions", code)
	}
	r.statement.Currency = code
	return nil
}

// currency returns the ISO 4217 code for a code, or for a sign that only one currency uses.
func currency(text string) (string, bool) {
	switch code := strings.ToUpper(strings.TrimSpace(text)); code {
	case "R$":
		return "BRL", true
	case "€", "EURO":
		return "EUR", true
	case "US$":
		return "USD", true
	default:
		return code, bank.IsCurrency(code)
	}
}

// setPeriod sets the first or the last day that a list of transactions covers.
func (r *reader) setPeriod(next token, text string) error {
	if next.name != "DTSTART" && next.name != "DTEND" {
		return nil
	}
	day, err := date(text, r.options.DateOrder, next.line)
	if err != nil || day.IsZero() {
		return err
	}
	s := r.statement
	if next.name == "DTSTART" && (s.First.IsZero() || day.Before(s.First)) {
		s.First = day
	}
	if next.name == "DTEND" && day.After(s.Last) {
		s.Last = day
	}
	return nil
}

// announce passes the statement to the sink before its first line.
func (r *reader) announce() error {
	s := r.statement
	if s.announced {
		return nil
	}
	s.announced = true
	r.statements++
	if s.Currency == "" {
		s.Currency = r.options.Currency
	}
	if s.Account.Number == "" {
		s.Account.Number = r.options.Account
	}
	return r.sink.Statement(&s.Statement)
}

// endStatement completes the statement. It drops a statement without account, lines and balances,
// which is an empty response.
func (r *reader) endStatement() error {
	s := r.statement
	if s == nil {
		return nil
	}
	defer func() { r.statement = nil }()
	if !s.announced && s.Account.Number == "" && s.balance == "" {
		return nil
	}
	if err := r.announce(); err != nil {
		return err
	}
	if err := r.close(); err != nil {
		return err
	}
	if s.First.After(s.Last) {
		r.sink.Problem(s.line, fmt.Sprintf("the statement ends before it begins: %v to %v; its period is ignored",
			s.First, s.Last))
		s.First, s.Last = civil.Date{}, civil.Date{}
	}
	r.remark()
	return nil
}

// close sets the closing balance. If the file has no text for it, it stays unknown.
func (r *reader) close() error {
	s := r.statement
	if s.balance == "" || s.Account.Kind == bank.KindInvestment {
		return nil
	}
	minor, rounded, err := r.amounts.balance(s.balance, s.Currency, s.balanceAt)
	if err != nil {
		return err
	}
	if rounded {
		s.rounded.Add(s.balanceAt)
	}
	s.Closing = &bank.Balance{Minor: r.owed(minor), Date: s.asOf}
	return nil
}

// owed returns the balance of a statement with the sign of its lines. Some banks write what a card
// owes without a minus: purchases that are negative can't have left the holder a credit.
func (r *reader) owed(minor int64) int64 {
	s := r.statement
	if s.Account.Kind != bank.KindCard || minor <= 0 {
		return minor
	}
	if s.total < 0 {
		r.sink.Problem(s.balanceAt, "the balance of the card is positive, although its lines are mostly purchases: "+
			"it is read as owed")
		return -minor
	}
	r.sink.Problem(s.balanceAt, "the balance of the card is positive: it is read as a credit and not as owed")
	return minor
}

// remark passes the warnings about the statement to the sink.
func (r *reader) remark() {
	s := r.statement
	if s.trades+s.positions > 0 {
		r.sink.Problem(s.line, fmt.Sprintf("of investment account %s only the cash lines are read, not its %s and %s",
			bank.Masked(s.Account.Number), plural.Count(s.trades, "trade"), plural.Count(s.positions, "position")))
	}
	for _, remark := range []struct {
		bank.Remark
		text string
	}{
		{s.rounded, "computed with more decimals than the currency has: rounded to its smallest unit"},
		{s.converted, "in another currency than the account: converted at the rate of the file"},
		{s.contradictory, "called debits with positive amounts: read as money in (--sign out-positive reads money out)"},
		{s.withdrawn, "of transactions that the bank withdraws: left out; the first may be in an earlier statement"},
	} {
		remark.Tell(r.sink, s.Account, "amount", remark.text)
	}
}
