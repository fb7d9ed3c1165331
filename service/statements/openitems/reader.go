package openitems

import (
	"slices"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/service/statements/bank"
)

// reader reads open invoices from rows.
type reader struct {
	columns     layout
	order       bank.DateOrder
	mark        byte
	groupTotals bool
	options     bank.Options
	sink        bank.Sink

	list   *bank.OpenItems
	groups groups
	// totalled is the sum of the items above the latest total of some of them.
	totalled int64
	ended    bool // true after the total of the whole list
	items    int
	// previous is the item of the row before, to skip further rows of the same invoice.
	previous bank.OpenItem
	left     bank.Remark // invoices that are drafts, void or written off
	others   []otherType // transactions in a list of bills that are none
}

// newReader decides the order of dates and the decimal mark by the evidence. It returns a
// *bank.Question if these are ambiguous.
func newReader(columns layout, found *evidence, options bank.Options, sink bank.Sink) (*reader, error) {
	order, err := found.order(options)
	if err != nil {
		return nil, err
	}
	mark, err := found.amounts.Mark(options.Decimal)
	if err != nil {
		return nil, err
	}
	asOf, err := columns.asOfDate(order, options)
	if err != nil {
		return nil, err
	}
	return &reader{
		columns: columns, order: order, mark: mark, groupTotals: found.groupTotals, options: options, sink: sink,
		list: &bank.OpenItems{Side: columns.side(), Source: columns.source, AsOf: asOf}, groups: groups{{}},
	}, nil
}

// take handles a row below the header.
func (r *reader) take(next row) error {
	if next.blank() {
		return nil
	}
	label, ok := next.label()
	switch {
	case r.ended && !r.hasAmount(next):
		return nil // skips remarks below the list
	case r.ended && !ok:
		return bank.Errorf(next.line, "%s stands below the total of the list", r.oneItem())
	case ok && isPercentage(label):
		return nil
	case ok:
		return r.takeLabel(next, label)
	}
	return r.takeItem(next)
}

func (r *reader) hasAmount(next row) bool {
	number, _, ok := splitAmount(next.get(amountDue))
	return ok && strings.ContainsAny(number, "0123456789")
}

// takeLabel handles a row that begins a group, or one with a total, which is compared with the sum
// of its invoices.
func (r *reader) takeLabel(next row, label string) error {
	name, total := totalOf(label)
	at := r.groups.find(name)
	switch {
	case total && name != "" && !r.columns.grouped():
		return r.checkSubtotal(next, label)
	case total && name == "":
		if err := r.closeGroups(next.line, 0); err != nil {
			return err
		}
		r.ended = true
		return r.checkTotal(next, r.groups[0])
	case total && at > 0:
		if err := r.closeGroups(next.line, at); err != nil {
			return err
		}
		closed := r.groups[at]
		r.groups = r.groups[:at]
		return r.checkTotal(next, closed)
	case total && next.get(amountDue) != "":
		return bank.Errorf(next.line, "the total %q belongs to no group", bank.Short(label))
	}
	if !r.groupTotals {
		r.groups = r.groups[:1]
	}
	if len(r.groups) > maxDepth {
		return bank.Errorf(next.line, "%q is in too many groups", bank.Short(label))
	}
	if len(label) > maxName {
		return bank.Errorf(next.line, "the name of a group of more than %d bytes", maxName)
	}
	r.groups = append(r.groups, group{name: label, line: next.line})
	return nil
}

// closeGroups closes all groups inside the group with the given index. It returns an error if the
// total of one of them is missing.
func (r *reader) closeGroups(line, at int) error {
	if r.groupTotals && len(r.groups) > at+1 {
		open := r.groups[len(r.groups)-1]
		return bank.Errorf(line, "the total of %q (line %d) is missing", bank.Short(open.name), open.line)
	}
	r.groups = r.groups[:at+1]
	return nil
}

// checkSubtotal compares a total with the sum of the items since the total before it, and with the
// sum of all items.
func (r *reader) checkSubtotal(next row, label string) error {
	since := r.groups[0]
	since.name = label
	since.sum -= r.totalled
	r.totalled = r.groups[0].sum
	if err := r.checkTotal(next, since); err == nil {
		return nil
	}
	return r.checkTotal(next, r.groups[0])
}

func (r *reader) checkTotal(next row, of group) error {
	text := next.get(amountDue)
	if text == "" {
		return nil
	}
	if of.mixed {
		r.sink.Problem(next.line, "the total is not checked, because its "+r.columns.item()+"s have several currencies")
		return nil
	}
	total, err := r.amount(next.line, text, of.currency)
	if err != nil {
		return err
	}
	return of.check(next.line, total)
}

// takeItem reads an open invoice or credit note and passes it to the sink.
func (r *reader) takeItem(next row) error {
	switch state := strings.ToLower(next.get(status)); {
	case slices.Contains(paidStates, state):
		return nil
	case slices.Contains(leftOut, state):
		r.left.Add(next.line)
		return nil
	}
	item := bank.OpenItem{Place: next.line, Number: next.get(number), Party: next.get(party)}
	if r.columns.at[party] < 0 {
		if item.Party = r.groups.path(); item.Party == "" {
			return bank.Errorf(next.line, "does not say whose %s it is", r.columns.item())
		}
	}
	var err error
	if item.Issued, err = r.date(next, issued); err != nil {
		return err
	}
	if item.Due, err = r.date(next, due); err != nil {
		return err
	}
	if item.Currency, err = r.currency(next); err != nil {
		return err
	}
	if item.Minor, err = r.amountDue(next, item.Currency); err != nil {
		return err
	}
	if of := next.get(kind); r.list.Side == bank.Payable && !isBill(of) {
		return r.passOther(item, of)
	}
	return r.passItem(item)
}

// passItem passes an open invoice to the sink. It skips further rows of the same invoice, and
// invoices with nothing due.
func (r *reader) passItem(item bank.OpenItem) error {
	if r.columns.lineItems {
		previous := r.previous
		r.previous = item
		if previous.Place > 0 && previous.Number == item.Number && previous.Party == item.Party {
			if previous.Minor != item.Minor || previous.Currency != item.Currency {
				return bank.Errorf(item.Place, "the %s %q has two amounts due", r.columns.item(), bank.Short(item.Number))
			}
			return nil
		}
	}
	if err := r.groups.add(item.Place, item.Minor, item.Currency); err != nil {
		return err
	}
	if item.Minor == 0 {
		return nil
	}
	r.items++
	return r.sink.OpenItem(r.list, item)
}

func (r *reader) date(next row, of role) (civil.Date, error) {
	text := next.get(of)
	if text == "" {
		return civil.Date{}, nil
	}
	if date, ok := readDate(text); ok {
		if day, ok := date.in(r.order); ok {
			return day, nil
		}
	}
	return civil.Date{}, bank.Errorf(next.line, "the date %q does not exist", bank.Short(text))
}

// currency returns the currency of an item: from its column, from its amount, or else from the
// options.
func (r *reader) currency(next row) (string, error) {
	written := strings.ToUpper(next.get(currency))
	if written != "" && !bank.IsCurrency(written) {
		return "", bank.Errorf(next.line, "%q is no currency of ISO 4217", bank.Short(written))
	}
	_, code, _ := splitAmount(next.get(amountDue))
	switch {
	case written != "" && code != "" && written != code:
		return "", bank.Errorf(next.line, "the amount %q is not in %s", bank.Short(next.get(amountDue)), written)
	case written != "":
		return written, nil
	case code != "":
		return code, nil
	case r.options.Currency == "":
		return "", &bank.Question{Place: next.line, Reason: "does not say its currency", Flag: "--currency"}
	}
	return r.options.Currency, nil
}

// amountDue returns the unpaid amount of an invoice in minor units. Credit notes are negative.
func (r *reader) amountDue(next row, currency string) (int64, error) {
	text := next.get(amountDue)
	if text == "" {
		return 0, bank.Errorf(next.line, "has no amount due")
	}
	minor, err := r.amount(next.line, text, currency)
	if err != nil {
		return 0, err
	}
	if text := next.get(paid); text != "" {
		already, err := r.amount(next.line, text, currency)
		if err != nil {
			return 0, err
		}
		fits := already >= 0
		if !fits {
			return 0, bank.Errorf(next.line, "the amount paid %q is negative", bank.Short(text))
		}
		if minor, fits = money.Add(minor, -already); !fits {
			return 0, bank.Errorf(next.line, "the amount %q %v", bank.Short(text), bank.ErrTooLarge)
		}
	}
	switch of := strings.ToLower(next.get(kind)); {
	case r.list.Side == bank.Receivable && (strings.HasPrefix(of, "bill") || of == "accpay"):
		return 0, bank.Errorf(next.line, "is a bill to pay in a list of open invoices; "+
			"import A/P Aging Detail, Unpaid Bills or Aged Payables Detail instead")
	case minor > 0 && isCredit(of):
		minor = -minor
	}
	return minor, nil
}

// isCredit reports whether a type of transaction, in lower case, is a credit.
func isCredit(kind string) bool {
	return slices.ContainsFunc(creditWords, func(word string) bool { return strings.Contains(kind, word) })
}

func (r *reader) amount(line int, text, currency string) (int64, error) {
	number, _, ok := splitAmount(text)
	if !ok {
		return 0, bank.Errorf(line, "the amount %q %v", bank.Short(text), bank.ErrAmount)
	}
	minor, err := bank.ParseAmount(number, r.mark, currency)
	if err != nil {
		return 0, bank.Errorf(line, "the amount %q %v", bank.Short(text), err)
	}
	return minor, nil
}

// finish returns an error if the list is cut short.
func (r *reader) finish() error {
	if !r.ended {
		if open := r.groups[len(r.groups)-1]; r.groupTotals && open.name != "" {
			return bank.Errorf(open.line, "the list ends without the total of %q: it is cut short", bank.Short(open.name))
		}
		if r.groupTotals {
			r.sink.Problem(0, "the list has no total at its end: it may be cut short")
		}
	}
	if r.left.Count > 0 {
		r.sink.Problem(r.left.Place, plural.Count(r.left.Count, r.columns.item())+" left out: draft, void or written off")
	}
	r.nameOthers()
	switch {
	case r.items > 0:
	case r.list.Side == bank.Payable:
		return bank.Errorf(0, "contains no bills to pay")
	default:
		return bank.Errorf(0, "contains no open invoices")
	}
	return nil
}
