package jsonlines

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tarmac/service/statements/bank"
)

// reader makes statements, lines and lists of open invoices and bills of JSON objects.
type reader struct {
	options bank.Options
	sink    bank.Sink

	statements map[statementKey]*openStatement
	currencies map[string]string // currency in the newest description of each account
	list       *bank.OpenItems   // list of the invoices that follow; nil before the first
	found      bool              // true after the first line

	ignored     map[string]bool // names of fields that are not known, at most maxIgnored
	ignoredMore bool            // true if there are more such names
	ignoredLine int             // first line with such a field
}

// statementKey identifies the statement to which a transaction belongs.
type statementKey struct{ account, currency string }

// openStatement is a statement that further lines may belong to.
type openStatement struct {
	*bank.Statement
	described bool // true if a line has described the account
}

// maxIgnored is the largest number of unknown fields that the remark about them names.
const maxIgnored = 5

func newReader(options bank.Options, sink bank.Sink) *reader {
	return &reader{
		options: options, sink: sink, statements: map[statementKey]*openStatement{}, currencies: map[string]string{},
		ignored: map[string]bool{},
	}
}

// readLine reads one line that is not empty.
func (r *reader) readLine(line int, text string) error {
	o, err := parseObject(line, text)
	if err != nil {
		return err
	}
	r.found = true
	switch o.subject() {
	case transaction:
		err = r.transaction(o, text)
	case account:
		err = r.account(o)
	case invoice:
		err = r.openItem(o, bank.Receivable)
	case bill:
		err = r.openItem(o, bank.Payable)
	case invoiceList:
		err = r.invoiceList(o)
	default:
		return bank.Errorf(line, "has none of the fields date, account, invoice, bill and source")
	}
	r.noteIgnored(o)
	return cmp.Or(o.err, err)
}

// noteIgnored notes the names of the fields of an object that nothing has read.
func (r *reader) noteIgnored(o *object) {
	for _, name := range slices.Sorted(maps.Keys(o.fields)) {
		if r.ignoredLine == 0 {
			r.ignoredLine = o.line
		}
		name = bank.Short(bank.Text(o.inside + name))
		if !r.ignored[name] && len(r.ignored) == maxIgnored {
			r.ignoredMore = true
			continue
		}
		r.ignored[name] = true
	}
}

// finish passes a remark about fields that are not known to the sink. It returns an error if the
// file is empty.
func (r *reader) finish() error {
	if !r.found {
		return bank.Errorf(0, "contains no lines")
	}
	if len(r.ignored) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(r.ignored))
	for i := range names {
		names[i] = fmt.Sprintf("%q", names[i])
	}
	more := ""
	if r.ignoredMore {
		more = " and others"
	}
	r.sink.Problem(r.ignoredLine, "fields that are not known and not read: "+strings.Join(names, ", ")+more)
	return nil
}

// currencyOf returns the currency of a line: the one that it says, else that of the description of
// the account, else that of the options. For lines that are no transactions, account is "".
func (r *reader) currencyOf(o *object, account string) (string, error) {
	if code := cmp.Or(o.currency("currency"), r.currencies[account], r.options.Currency); code != "" || o.err != nil {
		return code, nil
	}
	return "", &bank.Question{Place: o.line, Reason: "does not say its currency", Flag: "--currency"}
}

// begin makes a statement the one to which the next lines of its account belong, and passes it to
// the sink.
func (r *reader) begin(s *openStatement) error {
	r.statements[statementKey{s.Account.Number, s.Currency}] = s
	return r.sink.Statement(s.Statement)
}

// transaction reads a line of a statement.
func (r *reader) transaction(o *object, raw string) error {
	number := cmp.Or(o.text("account"), r.options.Account)
	currency, err := r.currencyOf(o, number)
	if err != nil {
		return err
	}
	for _, name := range []string{"date", "amount"} {
		if !o.has(name) {
			return bank.Errorf(o.line, "has no field %q, which each transaction needs", name)
		}
	}
	line := bank.Line{
		Place: o.line, Booked: o.day("date"), Value: o.day("value_date"), Pending: o.boolean("pending"), ID: o.text("id"),
		Counterparty: o.text("counterparty"), OtherAccount: o.text("other_account"), Description: o.text("description"),
		Reference: o.text("reference"), Method: o.text("method"), Transfer: o.boolean("transfer"),
		Original: r.original(o.object("original"), o), Running: o.amount("balance", currency),
		Raw: strings.ToValidUTF8(raw[:min(len(raw), bank.MaxRaw)], ""),
	}
	if minor := o.amount("amount", currency); minor != nil {
		line.Minor = *minor
	}
	if o.err != nil {
		return o.err
	}
	s := r.statements[statementKey{number, currency}]
	if s == nil {
		s = &openStatement{Statement: &bank.Statement{
			Account: bank.Account{Number: number}, Currency: currency,
		}}
		if err := r.begin(s); err != nil {
			return err
		}
	}
	return r.sink.Line(s.Statement, line)
}

// original reads the amount of a line in another currency. The parameter inner is nil if the line
// has none. Errors are kept in outer.
func (r *reader) original(inner, outer *object) *bank.Original {
	if inner == nil {
		return nil
	}
	original := &bank.Original{Currency: inner.currency("currency"), Rate: inner.decimal("rate")}
	if original.Currency == "" {
		inner.fail("currency", "is missing")
	}
	minor := inner.amount("amount", original.Currency)
	if minor == nil {
		inner.fail("amount", "is missing")
	}
	r.noteIgnored(inner)
	if outer.err = cmp.Or(outer.err, inner.err); outer.err != nil {
		return nil
	}
	original.Minor = *minor
	return original
}

// invoiceList reads a line that describes the invoices after it.
func (r *reader) invoiceList(o *object) error {
	list := &bank.OpenItems{Source: o.text("source"), AsOf: o.day("as_of")}
	switch side := o.text("side"); side {
	case "", sideNames[bank.Receivable]:
	case sideNames[bank.Payable]:
		list.Side = bank.Payable
	default:
		o.fail("side", "must be receivable or payable, not %q", bank.Short(side))
	}
	if o.err != nil {
		return o.err
	}
	return r.beginList(o.line, list)
}

// beginList makes a list the one to which the next invoices belong, and passes it to the sink.
func (r *reader) beginList(line int, list *bank.OpenItems) error {
	if list.AsOf.IsZero() {
		list.AsOf = r.options.AsOf
	}
	if list.AsOf.IsZero() {
		reason := "does not say for which day its " + itemNames[list.Side] + "s are open"
		return &bank.Question{Place: line, Reason: reason, Flag: "--as-of"}
	}
	r.list = list
	return r.sink.OpenList(list)
}

// Names in files of the sides, of what they list, and of who is on the other side.
var (
	sideNames  = [...]string{bank.Receivable: "receivable", bank.Payable: "payable"}
	itemNames  = [...]string{bank.Receivable: "invoice", bank.Payable: "bill"}
	partyNames = [...]string{bank.Receivable: "customer", bank.Payable: "vendor"}
)

// openItem reads an open invoice or a bill. Those with nothing due are skipped.
func (r *reader) openItem(o *object, side bank.Side) error {
	currency, err := r.currencyOf(o, "")
	if err != nil {
		return err
	}
	item := bank.OpenItem{
		Place: o.line, Number: o.text(itemNames[side]), Party: o.text(partyNames[side]),
		Issued: o.day("issued"), Due: o.day("due"), Currency: currency,
	}
	minor := o.amount("amount", currency)
	if minor == nil {
		o.fail("amount", "is missing")
	}
	if o.err != nil {
		return o.err
	}
	switch {
	case r.list == nil:
		if err := r.beginList(o.line, &bank.OpenItems{Side: side}); err != nil {
			return err
		}
	case r.list.Side != side:
		return bank.Errorf(o.line, "is %s in a list of %ss; begin another list with \"side\": %q",
			map[bank.Side]string{bank.Receivable: "an invoice", bank.Payable: "a bill"}[side], itemNames[r.list.Side],
			sideNames[side])
	}
	if item.Minor = *minor; item.Minor == 0 {
		return nil
	}
	return r.sink.OpenItem(r.list, item)
}
