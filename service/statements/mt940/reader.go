package mt940

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/service/statements/bank"
)

// reader reads the fields of a file in order.
type reader struct {
	options bank.Options
	sink    bank.Sink
	fields  fields

	statements int
	statement  *statement // nil before the first statement
	entry      *entry     // line that is being read; nil if there is none
}

// statement is the statement that is being read. If it has several pages, each is a message of its
// own.
type statement struct {
	bank.Statement
	named     bank.Account // account as named in the file, without the options
	line      int
	announced bool
	interim   bool // true for an MT942 report, which has no balances
	// page is true if the closing balance belongs to a page (62M), so that another page follows.
	page bool

	opening, closing *balance
	// floor is the currency of the floor limit, the smallest amount that an MT942 reports.
	floor  string
	totals []total

	firstLine, lastLine civil.Date
	debits, credits     sum
	reversals           bool
	february            bank.Remark // number of dates such as 30 February
}

// sum has the number of debits or credits and their sum in minor units.
type sum struct {
	count int
	minor int64
}

// total is the number and sum of debits or credits as the bank reports them. It is compared with
// the lines.
type total struct {
	line  int
	debit bool
	sum
}

func (r *reader) read() error {
	for {
		next, last, err := r.fields.read()
		if errors.Is(err, io.EOF) {
			return r.finish()
		}
		if err != nil {
			return err
		}
		if err := r.take(next, last); err != nil {
			return err
		}
	}
}

// finish ends the last statement. It returns an error if the file has no statement.
func (r *reader) finish() error {
	if err := r.endStatement(); err != nil {
		return err
	}
	if r.statements == 0 {
		return bank.Errorf(0, "contains no balance and no line of an account")
	}
	return nil
}

// take handles a field. A field :86: or :NS: belongs to the current line, and any other field ends
// that line.
func (r *reader) take(next field, last bool) error {
	if next.tag == "86" || next.tag == "NS" {
		if r.entry != nil {
			r.entry.add(next)
		}
		return nil
	}
	if err := r.endEntry(); err != nil {
		return err
	}
	switch next.tag {
	case "20":
		if s := r.statement; s != nil && s.page {
			return nil // this message may be the next page of the statement
		}
		return r.begin(next)
	case "25", "25P":
		return r.setAccount(next)
	case "34F", "13", "13D", "90C", "90D":
		r.ensure(next)
		r.statement.interim = true
		return r.interim(next)
	case "60F", "60M":
		return r.open(next)
	case "61":
		return r.beginEntry(next, last)
	case "62F", "62M":
		return r.close(next)
	}
	return nil
}

// begin ends the current statement and starts another.
func (r *reader) begin(next field) error {
	err := r.endStatement()
	r.statement = &statement{line: next.line}
	return err
}

// ensure starts a statement if there is none. That happens in files without the first field :20:.
func (r *reader) ensure(next field) {
	if r.statement == nil {
		r.statement = &statement{line: next.line}
	}
}

// setAccount reads the account of a statement. It starts another statement if the current one is
// complete.
func (r *reader) setAccount(next field) error {
	r.ensure(next)
	account := parseAccount(next.first())
	s := r.statement
	switch {
	case s.named == bank.Account{} && !s.announced:
		s.named, s.Account = account, account
	case s.named == account:
	case s.closing != nil || !s.announced && s.opening == nil:
		if err := r.begin(next); err != nil {
			return err
		}
		r.statement.named, r.statement.Account = account, account
	default:
		return bank.Errorf(next.line, "the statement of account %s names another account, %q", bank.Masked(s.Account.Number),
			bank.Short(next.first()))
	}
	return nil
}

// open reads an opening balance. If it belongs to a further page (60M) and equals the closing
// balance of the previous page, the current statement continues.
func (r *reader) open(next field) error {
	r.ensure(next)
	found, err := parseBalance(next)
	if err != nil {
		return err
	}
	s := r.statement
	if s.page && s.closing != nil && found.equal(s.closing) && next.tag == "60M" {
		s.closing, s.page = nil, false
		return nil
	}
	if s.opening != nil || s.closing != nil {
		named := s.named
		if s.closing == nil {
			return bank.Errorf(next.line, "the statement of account %s has two opening balances", bank.Masked(named.Number))
		}
		if err := r.begin(next); err != nil {
			return err
		}
		s = r.statement
		s.named, s.Account = named, named
	}
	s.opening = found
	return nil
}

func (r *reader) close(next field) error {
	r.ensure(next)
	found, err := parseBalance(next)
	if err != nil {
		return err
	}
	r.statement.closing, r.statement.page = found, next.tag == "62M"
	return nil
}

// interim reads the fields that only an MT942 has: the floor limit, which names the currency, and
// the totals.
func (r *reader) interim(next field) error {
	s, text := r.statement, next.first()
	switch {
	case next.tag == "34F" && len(text) >= 3 && bank.IsCurrency(text[:3]):
		s.floor = text[:3]
	case next.tag == "90C" || next.tag == "90D":
		if found, ok := parseTotal(text); ok {
			s.totals = append(s.totals, total{line: next.line, debit: next.tag == "90D", sum: found})
		}
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
	for _, b := range []*balance{s.opening, s.closing} {
		if b != nil && s.Currency == "" {
			s.Currency = b.currency
		}
	}
	number, currency := splitCurrency(s.Account.Number)
	if s.Currency == "" {
		s.Currency = firstOf(s.floor, currency, r.options.Currency)
	}
	if currency == s.Currency {
		s.Account.Number = number
	}
	s.Account.Number = firstOf(s.Account.Number, r.options.Account)
	return r.sink.Statement(&s.Statement)
}

// endStatement completes the statement. A statement without balances and lines is dropped.
func (r *reader) endStatement() error {
	if err := r.endEntry(); err != nil {
		return err
	}
	s := r.statement
	if s == nil || !s.announced && s.opening == nil && s.closing == nil && !s.interim {
		r.statement = nil
		return nil
	}
	defer func() { r.statement = nil }()
	if err := r.announce(); err != nil {
		return err
	}
	if err := s.setBalances(); err != nil {
		return err
	}
	if s.closing == nil && !s.interim {
		r.sink.Problem(s.line, fmt.Sprintf("the statement of account %s has no closing balance: the file may be cut short",
			bank.Masked(s.Account.Number)))
	}
	s.february.Tell(r.sink, s.Account, "date", "of February that does not exist: read as its last day")
	r.checkTotals()
	return nil
}

// checkTotals compares the totals of the bank with the lines. If they differ, it passes a warning
// to the sink.
func (r *reader) checkTotals() {
	s := r.statement
	for _, t := range s.totals {
		found, kind := s.credits, "credit"
		if t.debit {
			found, kind = s.debits, "debit"
		}
		if found != t.sum && !s.reversals {
			r.sink.Problem(t.line, fmt.Sprintf("the bank counts %s, and their sum is not that of the %s in the file",
				plural.Count(t.count, kind), plural.Count(found.count, kind)))
		}
	}
}

// firstOf returns the first text that is not blank.
func firstOf(texts ...string) string {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			return text
		}
	}
	return ""
}
