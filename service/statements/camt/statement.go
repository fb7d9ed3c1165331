package camt

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/elements"
)

// kind is the element name that a message uses for its statements.
type kind string

// Kinds: an account report during the day (052), a statement (053), and a notification, which has
// only some entries of the day (054).
const (
	kindReport       kind = "Rpt"
	kindStatement    kind = "Stmt"
	kindNotification kind = "Ntfctn"
)

// statement is the statement that is being read.
type statement struct {
	bank.Statement
	kind      kind
	line      int
	announced bool

	owner, bic string
	created    civil.Date
	// fromDay and toDay are the ends of the period, as the file gives them.
	fromDay      moment
	toDay        moment
	balance      balance // balance that is being read
	opening      balance
	closing      balance
	otherBalance string // currency of the first balance that is neither opening nor closing

	firstLine, lastLine civil.Date

	// Counts of entries that the user is warned about.
	information remark // entries for information only
	undated     remark // entries without a date
	valueDated  remark // entries without a booking date
	converted   remark // entries in another currency than the account
	// foreign counts pending entries in another currency whose amount in the account's currency is
	// not given.
	foreign remark
}

type remark = bank.Remark

// balance is a Bal element.
type balance struct {
	line             int
	code             string
	currency, amount string
	direction        string
	day              moment
	minor            int64
}

// moment is a date with or without a time.
type moment struct {
	day      civil.Date
	midnight bool // true if its time is the start of the day
	wholeDay bool // true if the moment has no time, or a time in the last minute of the day
}

func (r *reader) beginStatement(next elements.Tag) {
	switch of := kind(next.Name); of {
	case kindReport, kindStatement, kindNotification:
		r.statement = &statement{kind: of, line: next.Line}
		r.base = r.tokens.Depth()
	}
}

// kinds maps the account types of ISO 20022 to kinds of accounts.
var kinds = map[string]bank.Kind{
	"CACC": bank.KindChecking, "TRAN": bank.KindChecking, "CASH": bank.KindChecking, "SVGS": bank.KindSavings,
	"LLSV": bank.KindSavings, "MOMA": bank.KindSavings, "ONDP": bank.KindSavings, "CARD": bank.KindCard,
}

// statementValue stores the value of an element of the statement that is not in an entry.
func (r *reader) statementValue(part []byte, line int) (err error) {
	s := r.statement
	if account, ok := bytes.CutPrefix(part, []byte("/Acct/")); ok {
		return r.accountValue(account, line)
	}
	switch string(part) {
	case "/CreDtTm":
		// An invalid creation date is ignored, because it is used only if the file has no other
		// date.
		if created, err := parseMoment(r.tokens.Value(), line); err == nil {
			s.created = created.day
		}
	case "/FrToDt/FrDtTm", "/FrToDt/FrDt":
		s.fromDay, err = parseMoment(r.tokens.Value(), line)
	case "/FrToDt/ToDtTm", "/FrToDt/ToDt":
		s.toDay, err = parseMoment(r.tokens.Value(), line)
	case "/Bal/Tp/CdOrPrtry/Cd", "/Bal/Tp/Cd", "/Bal/Tp/CdOrPrtry/Prtry":
		s.balance.code = r.tokens.Value()
	case "/Bal/Amt":
		s.balance.amount = r.tokens.Value()
	case "/Bal/CdtDbtInd":
		s.balance.direction = r.tokens.Value()
	case "/Bal/Dt/Dt", "/Bal/Dt/DtTm", "/Bal/Dt":
		s.balance.day, err = parseMoment(r.tokens.Value(), line)
	}
	return err
}

func (r *reader) accountValue(part []byte, line int) error {
	s, text := r.statement, r.tokens.Value()
	switch string(part) {
	case "Id/IBAN", "Id/BBAN":
		s.Account.Number = strings.ReplaceAll(text, " ", "")
	case "Id/Othr/Id", "Id/PrtryAcct/Id", "Id/UPIC":
		if s.Account.Number == "" {
			s.Account.Number = text
		}
	case "Tp/Cd", "Tp/CdOrPrtry/Cd":
		s.Account.Kind = kinds[text]
	case "Ccy":
		if !bank.IsCurrency(text) {
			return bank.Errorf(line, "%q is not a currency", bank.Short(text))
		}
		s.Currency = text
	case "Nm":
		s.Account.Name = text
	case "Ownr/Nm", "Ownr/Pty/Nm":
		s.owner = text
	case "Svcr/FinInstnId/Nm", "Svcr/FinInstnId/NmAndAdr/Nm":
		s.Account.Bank = text
	case "Svcr/FinInstnId/BICFI", "Svcr/FinInstnId/BIC", "Svcr/FinInstnId/CmbndId/BIC":
		s.bic = text
	}
	return nil
}

// endBalance stores the opening and the closing booked balance. The closing balance of the previous
// statement (PRCD) counts as opening balance. Available and intraday balances are ignored.
func (r *reader) endBalance() error {
	s, b := r.statement, r.statement.balance
	if b.amount == "" {
		return nil
	}
	if !bank.IsCurrency(b.currency) {
		return bank.Errorf(b.line, "%q is not a currency", bank.Short(b.currency))
	}
	if b.code != "OPBD" && b.code != "PRCD" && b.code != "CLBD" {
		if s.otherBalance == "" {
			s.otherBalance = b.currency
		}
		return nil
	}
	var err error
	if b.minor, err = signedAmount(b.amount, b.currency, b.direction, b.line); err != nil {
		return err
	}
	switch {
	case b.code == "CLBD":
		s.closing = b
	case b.code == "OPBD" || s.opening.code == "":
		s.opening = b
	}
	return nil
}

// announce passes the statement to the sink before its first line. The parameter currency is the
// currency of the first entry, or "".
func (r *reader) announce(currency string) error {
	s := r.statement
	if s.announced {
		return nil
	}
	s.announced = true
	r.statements++
	s.Currency = cmp.Or(s.Currency, s.closing.currency, s.opening.currency)
	if s.Currency == "" && s.kind == kindReport {
		s.Currency = s.otherBalance
	}
	s.Currency = cmp.Or(s.Currency, currency, s.otherBalance, r.options.Currency)
	s.Account.Number = cmp.Or(s.Account.Number, r.options.Account)
	s.Account.Name = cmp.Or(s.Account.Name, s.owner)
	s.Account.Bank = cmp.Or(s.Account.Bank, s.bic)
	return r.sink.Statement(&s.Statement)
}

// endStatement completes the statement at its end tag, and passes the warnings about it to the
// sink.
func (r *reader) endStatement() error {
	s := r.statement
	if err := r.announce(""); err != nil {
		return err
	}
	if err := r.setBalances(); err != nil {
		return err
	}
	for _, remark := range []struct {
		bank.Remark
		text string
	}{
		{s.information, "for information only: left out"},
		{s.undated, "without a date: read at that of the statement"},
		{s.valueDated, "without a booking date: read at their value date"},
		{s.converted, "in another currency than the account: read at the value that the file gives"},
		{s.foreign, "pending in another currency than the account: left out"},
	} {
		remark.Tell(r.sink, s.Account, "entry", remark.text)
	}
	r.statement = nil
	return nil
}

// setBalances sets the period, the opening balance and the closing balance of the statement.
func (r *reader) setBalances() error {
	s := r.statement
	s.setPeriod()
	if s.First.After(s.Last) {
		r.sink.Problem(s.line, fmt.Sprintf("the statement ends before it begins: %v to %v; its period is ignored",
			s.First, s.Last))
		s.First, s.Last = civil.Date{}, civil.Date{}
	}
	for _, b := range []balance{s.opening, s.closing} {
		if b.code != "" && b.currency != s.Currency {
			return bank.Errorf(b.line, "a balance is in %s, and its account in %s", b.currency, s.Currency)
		}
	}
	if s.opening.code != "" {
		day := s.opening.day.day
		if s.opening.code == "OPBD" || day.IsZero() {
			day = bank.OpeningDate(day, s.firstLine, &s.Statement)
		}
		s.Opening = &bank.Balance{Minor: s.opening.minor, Date: day}
	}
	if s.closing.code != "" {
		day := s.closing.day.day
		if day.IsZero() {
			day = s.Last
		}
		s.Closing = &bank.Balance{Minor: s.closing.minor, Date: day}
	}
	return nil
}

// setPeriod sets the days that the statement covers. A statement without a period covers the days
// from its opening to its closing balance. A notification covers none, because it has only some
// entries. A report that ends during a day does not cover that day. If a statement ends
// at midnight, its last day is the day before, unless it has lines or a closing balance of the next
// day.
func (s *statement) setPeriod() {
	first, last := s.fromDay.day, s.toDay.day
	if s.kind == kindStatement && (first.IsZero() || last.IsZero()) {
		s.First, s.Last = s.betweenBalances()
		return
	}
	if s.kind == kindNotification || first.IsZero() || last.IsZero() {
		return
	}
	switch {
	case s.kind == kindReport && !s.toDay.wholeDay:
		last = last.AddDays(-1)
		if last.Before(first) {
			return
		}
	case s.toDay.midnight && first.Before(last) && s.lastLine.Before(last) && s.closing.day.day.Before(last):
		last = last.AddDays(-1)
	}
	s.First, s.Last = first, last
}

// betweenBalances returns the days from the opening to the closing balance. They are zero if a
// balance or its day is missing, or if the statement has lines of later days.
func (s *statement) betweenBalances() (first, last civil.Date) {
	first, last = s.opening.day.day, s.closing.day.day
	if first.IsZero() || last.IsZero() || s.lastLine.After(last) {
		return civil.Date{}, civil.Date{}
	}
	if s.opening.code != "OPBD" || s.opensTheDayBefore() {
		first = first.AddDays(1)
	}
	if first.After(last) {
		return civil.Date{}, civil.Date{}
	}
	return first, last
}

// opensTheDayBefore reports whether the opening balance is dated by the day before the first day of
// the statement, as some banks do. Both balances then have the same day of a week or of a month, or
// they are of two consecutive days, and the earlier day has no lines.
func (s *statement) opensTheDayBefore() bool {
	opened, closed := s.opening.day.day, s.closing.day.day
	if !opened.Before(closed) || !s.firstLine.IsZero() && !s.firstLine.After(opened) {
		return false
	}
	const week = 7
	days := closed.DaysSince(opened)
	monthEnds := opened == opened.LastOfMonth() && closed == closed.LastOfMonth()
	return days == 1 || days == week || monthEnds || opened.Day() == closed.Day()
}
