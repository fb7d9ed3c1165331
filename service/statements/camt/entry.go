package camt

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/elements"
)

// entry is an Ntry element. Its amount is the booked one. The details describe the payments that it
// consists of.
type entry struct {
	line             int
	amount, currency string
	direction        string
	reversal         bool
	status           string
	booked, value    moment
	dateError        error
	id, reference    string
	batch            string
	information      string
	code             transactionCode
	amounts          []amount // amounts in other currencies that are given for the whole entry

	details int    // number of details so far
	detail  detail // detail that is being read
	only    detail // first detail; if there are several, only the fields that they have in common
}

// amount is an amount as text, with its currency and exchange rate.
type amount struct{ text, currency, rate string }

// maxAmounts is the largest number of amounts in a list of an entry or detail. ISO 20022 has five
// kinds of them.
const maxAmounts = 8

func (r *reader) beginEntry(next elements.Tag) error {
	r.entry = &entry{line: next.Line}
	r.tokens.StartRecord(next)
	return nil
}

// begin handles a start tag inside an entry. part is the path of the tag below the statement.
func (e *entry) begin(part []byte, next elements.Tag) {
	switch {
	case string(part) == "/Ntry/Amt":
		e.currency = next.Attribute("Ccy")
	case isDetail(part):
		e.detail = detail{}
	case string(next.Name) == "Amt":
		e.detail.currency = next.Attribute("Ccy")
	}
}

// ended handles an end tag inside an entry. part is the path of the tag below the statement.
func (e *entry) ended(part []byte) {
	if !isDetail(part) {
		return
	}
	if e.details++; e.details == 1 {
		e.only = e.detail
	} else {
		e.only.keepCommon(&e.detail)
	}
}

// isDetail reports whether a path leads to a detail. In version 1, details are directly in the
// entry.
func isDetail(part []byte) bool {
	return string(part) == "/Ntry/NtryDtls/TxDtls" || string(part) == "/Ntry/TxDtls"
}

// set stores the value of an element of the entry or of a detail. part is the path of the element
// below the statement.
func (e *entry) set(part []byte, tokens *elements.Reader) {
	part = part[len("/Ntry"):]
	if detail, ok := bytes.CutPrefix(part, []byte("/NtryDtls/TxDtls/")); ok {
		e.detail.set(detail, tokens)
		return
	}
	if detail, ok := bytes.CutPrefix(part, []byte("/TxDtls/")); ok {
		e.detail.set(detail, tokens)
		return
	}
	if code, ok := bytes.CutPrefix(part, []byte("/BkTxCd/")); ok {
		e.code.set(code, tokens)
		return
	}
	if inner, ok := bytes.CutPrefix(part, []byte("/AmtDtls/")); ok {
		e.amounts = addAmount(e.amounts, inner, e.detail.currency, tokens)
		return
	}
	switch string(part) {
	case "/Amt":
		e.amount = tokens.Value()
	case "/CdtDbtInd":
		e.direction = tokens.Value()
	case "/RvslInd":
		value := tokens.Value()
		e.reversal = value == "true" || value == "1"
	case "/Sts", "/Sts/Cd", "/Sts/Prtry":
		e.status = tokens.Value()
	case "/BookgDt/Dt", "/BookgDt/DtTm", "/BookgDt":
		e.setDate(&e.booked, tokens)
	case "/ValDt/Dt", "/ValDt/DtTm", "/ValDt":
		e.setDate(&e.value, tokens)
	case "/AcctSvcrRef":
		e.id = tokens.Value()
	case "/NtryRef":
		e.reference = tokens.Value()
	case "/NtryDtls/Btch/PmtInfId", "/Btch/PmtInfId":
		e.batch = tokens.Value()
	case "/AddtlNtryInf":
		e.information = tokens.Value()
	}
}

func (e *entry) setDate(target *moment, tokens *elements.Reader) {
	var err error
	if *target, err = parseMoment(tokens.Value(), tokens.Line()); err != nil && e.dateError == nil {
		e.dateError = err
	}
}

// Status codes of entries.
const (
	booked      = "BOOK"
	pending     = "PDNG"
	future      = "FUTR"
	information = "INFO"
)

// endEntry passes the entry to the sink as a line.
func (r *reader) endEntry() error {
	e, s := r.entry, r.statement
	r.entry = nil
	raw := r.tokens.EndRecord()
	if e.status == "" && s.kind != kindReport {
		e.status = booked // entries of statements and notifications are always booked
	}
	switch e.status {
	case information:
		s.information.Add(e.line)
		return nil
	case booked, pending, future:
	default:
		return bank.Errorf(e.line, "an entry has the status %q: it is neither booked nor pending", bank.Short(e.status))
	}
	if e.amount == "" || !bank.IsCurrency(e.currency) {
		return bank.Errorf(e.line, "an entry has the amount %q in the currency %q", bank.Short(e.amount),
			bank.Short(e.currency))
	}
	if err := r.announce(e.currency); err != nil {
		return err
	}
	line := bank.Line{Place: e.line, Pending: e.status != booked, Raw: raw}
	if err := r.dates(e, &line); err != nil {
		return err
	}
	if known, err := r.amount(e, &line); !known || err != nil {
		return err
	}
	e.describe(&line, s.Account.Number)
	return r.sink.Line(&s.Statement, line)
}

// dates sets the dates of a line. An entry without a date gets a date of its statement.
func (r *reader) dates(e *entry, line *bank.Line) error {
	s := r.statement
	if e.dateError != nil {
		return e.dateError
	}
	line.Booked, line.Value = e.booked.day, e.value.day
	switch {
	case !line.Booked.IsZero():
	case !line.Value.IsZero():
		line.Booked = line.Value
		if !line.Pending {
			s.valueDated.Add(e.line)
		}
	default:
		for _, day := range []civil.Date{s.closing.day.day, s.toDay.day, s.created} {
			if line.Booked.IsZero() {
				line.Booked = day
			}
		}
		if line.Booked.IsZero() {
			return bank.Errorf(e.line, "an entry has no date, nor has its statement")
		}
		s.undated.Add(e.line)
	}
	if !line.Pending {
		s.lastLine = latest(s.lastLine, line.Booked)
		if s.firstLine.IsZero() || line.Booked.Before(s.firstLine) {
			s.firstLine = line.Booked
		}
	}
	return nil
}

func latest(a, b civil.Date) civil.Date {
	if a.Before(b) {
		return b
	}
	return a
}

// amount sets the amount of a line. The result known is false for a pending entry in another
// currency if the file does not give its amount in the currency of the account.
func (r *reader) amount(e *entry, line *bank.Line) (known bool, err error) {
	s := r.statement
	if line.Minor, err = signedAmount(e.amount, e.currency, e.direction, e.line); err != nil {
		return false, err
	}
	if e.currency == s.Currency || line.Minor == 0 {
		line.Original = e.original(s.Currency, line.Minor)
		return true, nil
	}
	value, ok := e.in(s.Currency)
	switch {
	case !ok && line.Pending:
		s.foreign.Add(e.line)
		return false, nil
	case !ok:
		return false, bank.Errorf(e.line,
			"an entry is in %s and its account in %s, and the file does not say what it is worth there", e.currency, s.Currency)
	}
	line.Original = &bank.Original{Currency: e.currency, Minor: line.Minor, Rate: value.rate}
	if line.Minor, err = signedAmount(value.text, s.Currency, e.direction, e.line); err != nil {
		return false, err
	}
	s.converted.Add(e.line)
	return true, nil
}

// in returns the amount of an entry in the given currency. It looks at the amounts of the entry
// and, if these include the entry's own amount, of its only detail. It returns false if there is
// none, or if two differ.
func (e *entry) in(currency string) (found amount, ok bool) {
	list := e.amounts
	if e.details == 1 && e.only.has(e.amount, e.currency) {
		list = append(list, e.only.amounts...)
	}
	for _, a := range list {
		if a.currency != currency {
			continue
		}
		if ok && a.text != found.text {
			return amount{}, false
		}
		found, ok = amount{text: a.text, rate: cmp.Or(a.rate, found.rate)}, true
	}
	return found, ok
}

// original returns the amount of an entry in another currency than the given one, the account's
// currency. It returns nil if there is none.
func (e *entry) original(currency string, minor int64) *bank.Original {
	list := e.amounts
	if e.details == 1 {
		list = append(list, e.only.amounts...)
	}
	for _, a := range list {
		if a.currency == currency || !bank.IsCurrency(a.currency) {
			continue
		}
		value, err := parseAmount(a.text, a.currency, e.line)
		if err != nil || value == 0 {
			continue
		}
		if minor < 0 {
			value = -value
		}
		return &bank.Original{Currency: a.currency, Minor: value, Rate: a.rate}
	}
	return nil
}

// describe sets the id, the parties, the references and the description of a line.
func (e *entry) describe(line *bank.Line, own string) {
	d := &e.only
	line.ID = cmp.Or(e.id, d.id)
	line.Counterparty, line.OtherAccount = d.counterparty(e.direction == "CRDT" != e.reversal, own)
	code := e.code
	if code == (transactionCode{}) {
		code = d.code
	}
	line.Method, line.Transfer = code.String(), code.transfer()
	line.Reference = cmp.Or(d.creditor, d.endToEnd, d.check, d.mandate, e.batch, e.reference, d.instruction)
	text := cmp.Or(d.text, d.information, e.information)
	if e.details > 1 {
		text = join(plural.Count(e.details, "payment"), cmp.Or(e.information, d.text))
	}
	for _, more := range []string{d.ultimate(line.Counterparty), d.endToEnd, d.returned} {
		if more != line.Reference {
			text = join(text, more)
		}
	}
	line.Description = bank.Text(text)
}

// join joins two texts with a blank. If the first contains the second, it returns the first.
func join(text, more string) string {
	switch {
	case strings.Contains(text, more):
		return text
	case text == "":
		return more
	}
	return fmt.Sprintf("%s %s", text, more)
}
