package ofx

import (
	"math/big"
	"slices"
	"strings"

	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// amount sets the amount of a line in the currency of the account. If the payment was made in
// another currency, it also sets the original amount.
func (r *reader) amount(e *entry, line *bank.Line) error {
	s := r.statement
	if e.amount == "" {
		return bank.Errorf(e.line, "a transaction has no amount")
	}
	foreign, err := r.foreign(e)
	if err != nil {
		return err
	}
	written := s.Currency
	if foreign != "" && !e.converted {
		written = foreign
	}
	minor, rounded, err := r.amounts.parse(e.amount, written, e.line)
	if err != nil {
		return err
	}
	if rounded {
		s.rounded.Add(e.line)
	}
	line.Minor = r.signed(e, minor)
	if foreign == "" {
		return nil
	}
	return r.convert(e, foreign, line)
}

// foreign returns the currency of a transaction if it differs from the account's currency, else "".
func (r *reader) foreign(e *entry) (string, error) {
	if e.currency == "" {
		return "", nil
	}
	code, ok := currency(e.currency)
	s := r.statement
	switch one := big.NewRat(1, 1); {
	case !ok:
		return "", bank.Errorf(e.line, "%q is not a currency", bank.Short(e.currency))
	case s.Currency == "" && !e.converted && money.Exponent(code) == money.Exponent("") &&
		rate(e.rate) != nil && rate(e.rate).Cmp(one) == 0:
		// With a rate of 1, this is the account's currency, which the statement does not name.
		s.Currency = code
	}
	if code == s.Currency {
		return "", nil
	}
	return code, nil
}

// convert sets the amounts of a transaction in another currency. With CURRENCY, the amount in the
// file is in that currency; with ORIGCURRENCY, the bank has already converted it. The rate is in
// units of the account's currency for one unit of the other.
func (r *reader) convert(e *entry, foreign string, line *bank.Line) error {
	s, ratio := r.statement, rate(e.rate)
	switch {
	case e.converted && ratio == nil:
		return nil
	case e.converted:
		if minor, ok := convert(line.Minor, s.Currency, foreign, ratio.Inv(ratio)); ok {
			line.Original = &bank.Original{Currency: foreign, Minor: minor, Rate: e.rate}
		}
		return nil
	case ratio == nil:
		return bank.Errorf(e.line, "the amount %q is in %s, and the file has no rate for it", bank.Short(e.amount), foreign)
	case s.Currency == "":
		return bank.Errorf(e.line, "the amount %q is in %s, and the file does not say in which currency the account is",
			bank.Short(e.amount), foreign)
	}
	minor, ok := convert(line.Minor, foreign, s.Currency, ratio)
	if !ok {
		return bank.Errorf(e.line, "the amount %q %v", bank.Short(e.amount), bank.ErrTooLarge)
	}
	line.Original = &bank.Original{Currency: foreign, Minor: line.Minor, Rate: e.rate}
	line.Minor = minor
	s.converted.Add(e.line)
	return nil
}

// debits lists the transaction types that are money out.
var debits = []string{
	"DEBIT", "FEE", "SRVCHG", "PAYMENT", "CHECK", "DIRECTDEBIT", "REPEATPMT", "ATM", "POS", "CASH", "OUT",
}

// signed returns an amount with the sign that it should have. In the standard, amounts are signed
// and types only describe them. Some banks write debits without a minus; these are negated if
// Options.Sign is OutPositive.
func (r *reader) signed(e *entry, minor int64) int64 {
	kind := strings.ToUpper(e.kind)
	if minor <= 0 || !slices.Contains(debits, kind) {
		return minor
	}
	if r.options.Sign == bank.OutPositive {
		return -minor
	}
	if kind == "DEBIT" || kind == "OUT" || kind == "DIRECTDEBIT" {
		r.statement.contradictory.Add(e.line)
	}
	return minor
}
