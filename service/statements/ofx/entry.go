package ofx

import (
	"cmp"
	"slices"
	"strings"

	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// entry has the texts of a transaction (STMTTRN) as they are in the file.
type entry struct {
	line    int
	pending bool

	kind, posted, available, amount, id string
	name, payee, extended, memo         string
	check, reference, otherAccount      string
	corrected, correction               string

	currency, rate string
	// converted is true if the bank has converted the amount to the account's currency. The field
	// currency is then the currency of the payment.
	converted bool
}

func (r *reader) beginEntry(next token) error {
	if r.statement == nil {
		return bank.Errorf(next.line, "a transaction stands outside of a statement")
	}
	pending := next.name == "STMTTRNP" || slices.ContainsFunc(r.open, func(name string) bool {
		return name == "BANKTRANLISTP" || strings.HasPrefix(name, "PENDING")
	})
	r.entry = &entry{line: next.line, pending: pending}
	return r.announce()
}

// set stores a value of a transaction or of an aggregate inside it.
func (e *entry) set(aggregate, name string, d decoder, value []byte) {
	target := e.field(aggregate, name)
	if target != nil && *target == "" {
		*target = d.line(value)
	}
}

// field returns the field in which a value is stored. It returns nil for values that are not used.
func (e *entry) field(aggregate, name string) *string {
	switch aggregate {
	case "PAYEE", "EXTDPAYEE":
		if name == "NAME" {
			return &e.payee
		}
		return nil
	case "CURRENCY", "ORIGCURRENCY":
		switch name {
		case "CURSYM":
			return &e.currency
		case "CURRATE":
			return &e.rate
		}
		return nil
	case "BANKACCTTO", "CCACCTTO", "INVACCTTO", "LOANACCTTO":
		if name == "ACCTID" {
			return &e.otherAccount
		}
		return nil
	}
	switch name {
	case "TRNTYPE":
		return &e.kind
	case "DTPOSTED", "DTTRAN":
		return &e.posted
	case "DTAVAIL", "VALUEDATE":
		return &e.available
	case "TRNAMT":
		return &e.amount
	case "FITID":
		return &e.id
	case "CORRECTFITID":
		return &e.corrected
	case "CORRECTACTION":
		return &e.correction
	case "NAME":
		return &e.name
	case "PAYEE":
		return &e.payee
	case "CURRENCY":
		return &e.currency
	case "EXTDNAME":
		return &e.extended
	case "MEMO":
		return &e.memo
	case "CHECKNUM":
		return &e.check
	case "REFNUM":
		return &e.reference
	}
	return nil
}

// endEntry ends the current transaction and passes it to the sink as a line of the statement.
func (r *reader) endEntry() error {
	e, s := r.entry, r.statement
	r.entry = nil
	raw := r.tokens.takeRecord()
	if e == nil || s == nil {
		return nil
	}
	s.entries++
	if strings.EqualFold(e.correction, "DELETE") {
		s.withdrawn.Add(e.line)
		return nil
	}
	line := bank.Line{
		Place: e.line, Pending: e.pending || e.kind == "HOLD", ID: e.id, Method: e.kind,
		Counterparty: cmp.Or(e.extended, e.name, e.payee), Description: e.memo,
		Reference:    cmp.Or(unlessZero(e.check), unlessZero(e.reference)),
		OtherAccount: e.otherAccount, Transfer: strings.EqualFold(e.kind, "XFER"),
		Raw: strings.ReplaceAll(r.decoder.decode(raw), "\x00", ""),
	}
	if err := r.dates(e, &line); err != nil {
		return err
	}
	if err := r.amount(e, &line); err != nil {
		return err
	}
	if !line.Pending {
		s.total, _ = money.Add(s.total, line.Minor)
	}
	return r.sink.Line(&s.Statement, line)
}

// unlessZero returns a number, or "" for zeros, which stand for no number.
func unlessZero(number string) string {
	if strings.Trim(number, "0") == "" {
		return ""
	}
	return number
}

// dates sets the booking date of a line, which must be there, and the value date.
func (r *reader) dates(e *entry, line *bank.Line) (err error) {
	if line.Booked, err = date(e.posted, r.options.DateOrder, e.line); err != nil {
		return err
	}
	if line.Booked.IsZero() {
		return bank.Errorf(e.line, "a transaction has no date")
	}
	line.Value, err = date(e.available, r.options.DateOrder, e.line)
	return err
}
