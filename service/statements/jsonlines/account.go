package jsonlines

import (
	"cmp"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// kinds lists the values of the field kind, by bank.Kind.
var kinds = []string{bank.KindChecking: "checking", bank.KindSavings: "savings", bank.KindCard: "card",
	bank.KindInvestment: "investment"}

// account reads a line that describes an account and the days and balances of its statement.
// Transactions of the account before the line belong to the same statement, unless an earlier line
// described the account: then the line begins a further statement.
func (r *reader) account(o *object) error {
	number := cmp.Or(o.text("account"), r.options.Account)
	if number == "" {
		o.fail("account", "must not be empty")
	}
	currency, err := r.currencyOf(o, "")
	if err != nil {
		return err
	}
	described := bank.Statement{
		Account:  bank.Account{Number: number, Bank: o.text("bank"), Name: o.text("name"), Kind: o.kind()},
		Currency: currency, First: o.day("from"), Last: o.day("to"),
	}
	if described.First.IsZero() != described.Last.IsZero() || described.Last.Before(described.First) {
		o.fail("from", "must be a day that is not after that in the field \"to\", and both are needed")
	}
	described.Opening = o.opening(currency, described.First)
	described.Closing = o.closing(currency, described.Last)
	if o.err != nil {
		return o.err
	}
	r.currencies[number] = currency
	if s := r.statements[statementKey{number, currency}]; s != nil && !s.described {
		*s.Statement, s.described = described, true
		return nil
	}
	return r.begin(&openStatement{Statement: &described, described: true})
}

// kind reads the kind of an account.
func (o *object) kind() bank.Kind {
	text := o.text("kind")
	for kind, name := range kinds {
		if text == name {
			return bank.Kind(kind)
		}
	}
	o.fail("kind", "must be checking, savings, card or investment, not %q", bank.Short(text))
	return bank.KindUnknown
}

// opening reads the balance before the first day of a statement.
func (o *object) opening(currency string, first civil.Date) *bank.Balance {
	minor, day := o.amount("opening", currency), o.day("opening_date")
	switch {
	case minor == nil && day.IsZero():
		return nil
	case minor == nil:
		o.fail("opening", "is missing")
	case first.IsZero():
		o.fail("opening", "needs the first day of the statement, in the field \"from\"")
	case !day.IsZero() && day != first.AddDays(-1):
		o.fail("opening_date", "must be the day before that in the field \"from\"")
	default:
		return &bank.Balance{Minor: *minor, Date: first.AddDays(-1)}
	}
	return nil
}

// closing reads the balance at the end of a day, by default of the statement's last one.
func (o *object) closing(currency string, last civil.Date) *bank.Balance {
	minor, day := o.amount("closing", currency), o.day("closing_date")
	if day.IsZero() {
		day = last
	}
	switch {
	case minor != nil && day.IsZero():
		o.fail("closing_date", "is missing")
	case minor != nil:
		return &bank.Balance{Minor: *minor, Date: day}
	}
	return nil
}
