package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tarmac/service/statements/bank"
)

// emit reads the file again and passes statements and lines to the sink.
func (r *reader) emit() error {
	if err := r.announce(); err != nil {
		return err
	}
	r.remark()
	r.nameField = nameFieldOf(r.evidence.padded)
	var one row
	return r.forEachRecord(func(next *record) error {
		found, err := r.interpret(next, &one)
		if found == kindPerhapsSummary && !r.evidence.summaries[next.line] {
			found = kindTransaction
		}
		if err != nil || found != kindTransaction {
			return err
		}
		of, ok := r.accounts[one.key()]
		if !ok {
			return bank.Errorf(next.line, "was not there when the file was read first: it changes while it is read")
		}
		return r.sink.Line(of.statement, r.line(&one))
	})
}

// announce passes a statement for each account to the sink, before the lines.
func (r *reader) announce() error {
	l := r.layout
	for _, of := range r.evidence.order {
		if of.lines == 0 && !of.chain.started {
			continue
		}
		of.statement = &bank.Statement{Currency: of.key.currency, Making: l.making}
		to := &of.statement.Account
		to.Number = cmp.Or(clean(of.key.number), l.preamble.account)
		named := len(r.evidence.order) == 1 && !strings.ContainsFunc(to.Number, unicode.IsDigit)
		if stated := clean(r.options.Account); stated != "" && (to.Number == "" || named) {
			to.Number, to.Name = stated, to.Number
		}
		if l.card {
			to.Kind = bank.KindCard
		}
		if known := providerOf(l.names); known != nil {
			to.Bank, to.Kind = known.bank, cmp.Or(to.Kind, known.kind)
		}
		r.setBalances(of)
		if err := r.sink.Statement(of.statement); err != nil {
			return err
		}
	}
	return nil
}

// setBalances sets the opening and the closing balance of a statement. It takes them from the
// running balances if these follow from the amounts, from balances that are rows of their own, or
// else from columns named opening and closing balance. If most running balances follow, but not
// all, it also says where they do not.
func (r *reader) setBalances(of *account) {
	c := &of.chain
	way, told := c.direction(r.way)
	rowsOnly := r.layout.balance == none
	switch {
	case c.large:
	case rowsOnly && r.setStatedEnds(of):
	case c.started && rowsOnly && told:
		r.setEnds(of, way)
	case c.started && (r.holds || c.links == 0) && c.breaks[way] == 0 && told:
		r.setEnds(of, way)
	case c.started && r.holds && c.breaks[way] > 0:
		r.setEnds(of, way)
		of.statement.Broken = fmt.Sprintf("line %d: the balance does not follow from the line before it (%d of %d balances)",
			c.broken[way], c.breaks[way], c.links)
	case c.started && !r.holds && c.links > 0:
		r.sink.Problem(c.broken[way], "the balances do not follow from the amounts; they are not used")
	case !c.started && len(r.evidence.order) == 1:
		r.setNamedBalances(of)
		r.setBalanceAbove(of)
	}
}

// setBalanceAbove sets the closing balance to the one that stands above the header, if the lines go
// up to its day as far as the file says.
func (r *reader) setBalanceAbove(of *account) {
	p := &r.layout.preamble
	if !p.balance.found || of.statement.Closing != nil || of.lines == 0 || r.layout.card || len(r.dateOrders) == 0 {
		return
	}
	const mostDays = 31 // without lines before the balance
	day, ok := p.balance.day.day(r.dateOrders[0])
	if !ok || day.Before(of.last) || day.DaysSince(of.last) > mostDays {
		return
	}
	if until, ok := p.until.day(r.dateOrders[0]); ok && until.Before(day) {
		return
	}
	if minor, err := p.balance.amount.minor(r.mark, of.key.currency); err == nil {
		of.statement.Closing = &bank.Balance{Minor: minor, Date: day}
	}
}

// setEnds sets the balances before the oldest and after the newest line of an account's chain.
func (r *reader) setEnds(of *account, way reading) {
	day := of.last
	if day.IsZero() {
		day = of.chain.day
	}
	if day.Before(of.balanced) {
		day = of.balanced
	}
	opening, closing := of.chain.ends(way)
	if r.owed {
		opening, closing = -opening, -closing
	}
	of.statement.Closing = &bank.Balance{Minor: closing, Date: day}
	if of.lines > 0 {
		of.statement.Opening = &bank.Balance{Minor: opening, Date: of.first.AddDays(-1)}
	}
}

// setNamedBalances sets the balances from the columns of opening and closing balances. It does so
// only if the amounts add up to their difference.
func (r *reader) setNamedBalances(of *account) {
	opening, closing := r.evidence.opening, r.evidence.closing
	if opening == nil || closing == nil || of.lines == 0 {
		return
	}
	total := of.total.amount
	if r.flip {
		total = -total
	}
	if *opening+total != *closing {
		r.sink.Problem(0, "the opening balance and the lines do not make the closing balance: "+
			amountIn(*closing-*opening-total, of.key.currency)+" are missing")
		return
	}
	of.statement.Opening = &bank.Balance{Minor: *opening, Date: of.first.AddDays(-1)}
	of.statement.Closing = &bank.Balance{Minor: *closing, Date: of.last}
}

// remark passes warnings to the sink, for example about lines that are not imported.
func (r *reader) remark() {
	e := r.evidence
	lines := 0
	for _, of := range e.order {
		lines += of.lines
	}
	if lines == 0 {
		r.sink.Problem(0, "contains no transactions")
	}
	for _, one := range []struct {
		count
		text string
	}{
		{e.undated, "a pending line without a date is not read"},
		{e.void, "a line that was declined or cancelled is not read"},
		{e.empty, "a line without an amount is not read"},
	} {
		if one.lines > 0 {
			r.sink.Problem(one.first, fmt.Sprintf("%s (%d in all)", one.text, one.lines))
		}
	}
	if r.layout.net && lines > 0 && e.payouts == 0 {
		r.sink.Problem(0, "has no payouts: what left the account for the bank may be missing")
	}
	if e.fees.lines > 0 && !r.layout.deducted && !r.holds {
		r.sink.Problem(e.fees.first, fmt.Sprintf("fees are taken to be in the amounts (%d in all)", e.fees.lines))
	}
}

// line returns the bank.Line for a transaction.
func (r *reader) line(one *row) bank.Line {
	l := r.layout
	minor := one.minor
	if r.flip && !one.marked {
		minor = -minor
	}
	if l.deducted || r.holds && r.way&lessFees != 0 {
		minor -= one.fee
	}
	line := bank.Line{
		Place: one.line, Booked: one.booked, Value: one.value, Minor: minor, Pending: one.pending,
		ID: clean(one.field(l.id)), OtherAccount: clean(one.field(l.otherAccount)),
		Reference: clean(one.field(l.reference)), Method: clean(one.field(l.method)), Raw: raw(one.text),
	}
	line.Counterparty = r.party(one, minor)
	line.Description = r.description(one, line.Counterparty)
	line.Original = r.original(one, minor)
	if one.balanced && (r.holds || one.balance != 0) && r.hasRunningBalances() {
		running := one.balance
		if r.owed {
			running = -running
		}
		line.Running = &running
	}
	return line
}

// hasRunningBalances reports whether lines may have a running balance: true if the balances follow
// from the amounts, or if there is only one balance for each account.
func (r *reader) hasRunningBalances() bool {
	if r.holds {
		return true
	}
	for _, of := range r.evidence.order {
		if of.chain.links > 0 {
			return false
		}
	}
	return true
}

// party returns the name of the other party. Of several texts, the first is the name if no column
// is. The payer of money out, and the payee of money in, are the company or somebody who works
// there, and so the name only of a row that has nothing else.
func (r *reader) party(one *row, minor int64) string {
	l := r.layout
	other, own := l.payee, l.payer
	if minor >= 0 {
		other, own = own, other
	}
	for _, column := range l.party {
		if name := clean(one.field(column)); name != "" {
			return name
		}
	}
	name := clean(one.field(other))
	if name == "" && (len(l.text) > 1 || len(l.text) == 1 && r.nameField.to > 0) {
		name = clean(r.nameField.in(one.field(l.text[0])))
	}
	if name != "" || slices.ContainsFunc(l.text, func(column int) bool { return clean(one.field(column)) != "" }) {
		return name
	}
	return clean(one.field(own))
}

// description joins the different texts of a row, without the one that is the name.
func (r *reader) description(one *row, name string) string {
	joined := ""
	for _, column := range r.layout.text {
		if len(joined) > bank.MaxRaw { // no more is kept
			break
		}
		text := clean(one.field(column))
		switch {
		case text == "" || text == name || strings.Contains(joined, text):
		case joined == "":
			joined = text
		default:
			joined += " · " + text
		}
	}
	return clean(joined)
}

// original returns the amount of a row in the currency of the payment, with the sign of the line.
// It returns nil if the file has none.
func (r *reader) original(one *row, minor int64) *bank.Original {
	l := r.layout
	amount, ok := scanAmount(one.field(l.original))
	if !ok {
		return nil
	}
	code := strings.ToUpper(one.field(l.originalCurrency))
	if code == "" {
		code = amount.currency
	}
	if !bank.IsCurrency(code) || code == one.currency {
		return nil
	}
	value, err := bank.ParseAmount(amount.number, r.mark, code)
	if err != nil {
		return nil
	}
	if value = abs(value); minor < 0 {
		value = -value
	}
	return &bank.Original{Currency: code, Minor: value, Rate: clean(one.field(l.rate))}
}

// raw returns the text of a record for Line.Raw: at most bank.MaxRaw bytes.
func raw(text string) string {
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", "\uFFFD")
	}
	if len(text) <= bank.MaxRaw {
		return text
	}
	text = text[:bank.MaxRaw]
	for !utf8.ValidString(text[max(0, len(text)-utf8.UTFMax):]) {
		text = text[:len(text)-1]
	}
	return text
}
