package bai2

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/dates"
)

// account is the account that is being read. Several consecutive accounts of a file may belong to
// one statement.
type account struct {
	envelope
	statement *bank.Statement
	other     bank.Remark // counts the skipped records: transactions of loans, and texts without an amount
}

// beginAccount begins an account. It passes a new statement to the sink, unless the account
// continues the one before it in its group.
func (r *reader) beginAccount(next record) error {
	parsed, err := next.account()
	if err != nil {
		return err
	}
	g, before := &r.group, r.account.statement
	code, err := currency(parsed.currency, next.line)
	if err != nil {
		return err
	}
	s := &bank.Statement{
		Account: bank.Account{Number: bank.Text(parsed.number), Bank: g.bank},
		// USD is the default of the standard.
		Currency: cmp.Or(code, g.currency, r.options.Currency, "USD"),
	}
	r.account = account{envelope: envelope{records: next.count}, statement: s}
	if g.parts > 0 && before != nil && before.Account == s.Account && before.Currency == s.Currency {
		r.account.statement = before
	} else if !g.ignored {
		if !g.interim {
			s.First, s.Last = g.asOf, g.asOf
		}
		r.statements++
		if err := r.sink.Statement(s); err != nil {
			return err
		}
	}
	return r.balances(parsed, next.line)
}

// Type codes of the balances that are read.
const (
	openingLedger = "010"
	closingLedger = "015"
)

// balances reads the opening and the closing ledger balance. It skips available and collected
// balances, and the closing balance of a day that is not over.
func (r *reader) balances(parsed accountHeader, line int) error {
	s, g := r.account.statement, &r.group
	for _, summary := range parsed.summaries {
		if summary.amount == "" {
			continue
		}
		minor, err := parseAmount(summary.amount, line)
		if err != nil {
			return err
		}
		r.account.add(minor)
		switch {
		case summary.code == openingLedger && s.Opening == nil:
			s.Opening = &bank.Balance{Minor: minor, Date: g.asOf.AddDays(-1)}
		case summary.code == closingLedger && !g.interim:
			s.Closing = &bank.Balance{Minor: minor, Date: g.asOf}
		}
	}
	return nil
}

// transaction reads a transaction and passes it to the sink as a line.
func (r *reader) transaction(next record) error {
	parsed, err := next.detail()
	if err != nil {
		return err
	}
	a, s := &r.account, r.account.statement
	a.records += next.count
	minor := int64(0)
	if parsed.amount != "" {
		if minor, err = parseAmount(parsed.amount, next.line); err != nil {
			return err
		}
	}
	a.add(minor)
	sign := direction(parsed.code)
	if sign == 0 {
		a.other.Add(next.line)
		return nil
	}
	if r.group.ignored {
		return nil
	}
	line := bank.Line{
		Place: next.line, Booked: r.group.asOf, Minor: sign * minor, ID: reference(parsed.bankRef),
		Reference: reference(parsed.ownerRef), Method: method(parsed.code),
		Description: bank.Text(strings.Trim(parsed.text, ", ")),
		Transfer:    transfer(parsed.code), Raw: raw(next.text),
	}
	if strings.Trim(parsed.value, "0") != "" {
		if line.Value, err = parseDate(parsed.value, next.line); err != nil {
			return err
		}
	}
	return r.sink.Line(s, line)
}

// endAccount compares the totals in an account's trailer with its records.
func (r *reader) endAccount(next record) error {
	a, s := &r.account, r.account.statement
	a.records += next.count
	fields := next.fields()
	if !r.group.ignored {
		r.check(next, "account "+bank.Masked(s.Account.Number), a.envelope, fields[0], "", fields[1])
	}
	if a.other.Count > 0 {
		r.sink.Problem(a.other.Place, fmt.Sprintf("account %s: %s of loans or without money: left out",
			bank.Masked(s.Account.Number), plural.Count(a.other.Count, "record")))
	}
	r.group.parts++
	r.group.records += a.records
	r.addControl(&r.group.envelope, fields[0])
	return nil
}

// direction returns 1 for the type code of a credit and -1 for the type code of a debit. For type
// codes of loans and texts it returns 0.
func direction(code string) int64 {
	switch {
	case code >= "100" && code <= "399", code >= "920" && code <= "959":
		return 1
	case code >= "400" && code <= "699", code >= "960" && code <= "999":
		return -1
	}
	return 0
}

// parseAmount parses an amount. BAI2 writes amounts in minor units, without a decimal mark.
func parseAmount(text string, line int) (int64, error) {
	digits := strings.TrimLeft(text, "+-")
	minor, err := strconv.ParseInt(strings.TrimPrefix(text, "+"), 10, 64)
	switch {
	case err == nil:
		return minor, nil
	case digits != "" && strings.Trim(digits, "0123456789") == "" && len(text)-len(digits) < 2:
		return 0, bank.Errorf(line, "the amount %q %v", bank.Short(text), bank.ErrTooLarge)
	}
	return 0, bank.Errorf(line, "the amount %q %v", bank.Short(text), bank.ErrAmount)
}

// parseDate parses a date in the form YYMMDD.
func parseDate(text string, line int) (civil.Date, error) {
	number, err := strconv.Atoi(text)
	if err != nil || len(text) != 6 || number < 0 {
		return civil.Date{}, bank.Errorf(line, "%q is not a date", bank.Short(text))
	}
	year := dates.FullYear(number/10000, dates.SwiftTurn)
	if day, ok := bank.Day(year, number/100%100, number%100); ok {
		return day, nil
	}
	return civil.Date{}, bank.Errorf(line, "the date %q does not exist", bank.Short(text))
}

// isCount reports whether a text is the given number.
func isCount(text string, number int) bool {
	found, err := strconv.Atoi(text)
	return err == nil && found == number
}

// reference returns a cleaned reference. It returns "" for zeros, which stand for no reference.
func reference(text string) string {
	text = bank.Text(text)
	if strings.Trim(text, "0") == "" {
		return ""
	}
	return text
}

// raw returns the text of a record for Line.Raw, at most bank.MaxRaw bytes.
func raw(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), bank.MaxRaw)], "")
	return strings.ReplaceAll(text, "\x00", "")
}
