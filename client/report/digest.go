package report

import (
	"cmp"
	"io"
	"slices"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/payables"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/client/why"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// Digest says how a company stands and what the last week brought: a text for mail, a page of HTML,
// or JSON. Its figures are those of a report of the current month.
type Digest struct {
	*Report
	First, Last civil.Date // the last seven days, with today
	Sentences   []why.Sentence
	Flows       figures.Flows // of the last seven days
	Rows        []int         // of the last seven days, as indices in the ledger
	Unusual     []Unusual     // the largest first
	Due         []Due         // in the next seven days or past due, the earliest first
}

// Unusual is a payment that is larger by a tenth than all of its counterparty in the year before.
type Unusual struct {
	Row     int // index in the ledger
	Amount  figures.Total
	Highest figures.Total // largest payment of the year before; unknown if there was none
}

// Due is something that is to be paid soon.
type Due struct {
	Day        civil.Date // zero if it is payable on receipt
	Name, What string
	Kind       string // "bill" or "recurring"
	Amount     figures.Total
}

// weekDays is the number of days that a digest is about, and of those that it looks ahead.
const weekDays = 7

const (
	mostUnusual = 5
	mostDue     = 10
)

// NewDigest computes a digest. The month of the input is ignored.
func NewDigest(in Input) *Digest {
	in.Month = civil.Of(in.Now).FirstOfMonth()
	d := &Digest{Report: New(in)}
	d.Last = civil.Of(in.Now)
	d.First = d.Last.AddDays(1 - weekDays)
	l := d.History.Ledger
	for i := range l.Rows {
		if day := l.Rows[i].Date; !day.Before(d.First) && !day.After(d.Last) {
			d.Rows = append(d.Rows, i)
		}
	}
	d.Flows = l.Flows(d.Rows)
	missing := l.Coverage.Missing(d.First, d.Last)
	for _, total := range []*figures.Total{&d.Flows.In, &d.Flows.Out, &d.Flows.Net} {
		*total = missing.Of(*total, int64(len(d.Rows)))
	}
	d.setSentences()
	d.setUnusual()
	d.setDue()
	return d
}

func (d *Digest) setSentences() {
	l := d.History.Ledger
	basis := why.Basis{Ledger: l, Begins: l.Begins()}
	basis.AtEndOf(l.Coverage, d.Last)
	if d.Cash.Known() {
		cash := d.cashFigures()
		basis.Cash = &cash
	}
	if d.Aging.Known() {
		aging := figures.AgingOf(d.Aging.Value)
		basis.Aging = &aging
	}
	d.Sentences = why.Sentences(basis)
}

// setUnusual finds the payments of the week that are larger by a tenth than all of their
// counterparty in the year before.
func (d *Digest) setUnusual() {
	l := d.History.Ledger
	type side struct {
		key string
		in  bool
	}
	highest := map[side]int64{}
	year := d.First.AddDays(-365)
	for i := range l.Rows {
		row := &l.Rows[i]
		minor, known := row.Signed()
		if known && row.Purpose != spending.OwnTransfer && row.Date.Before(d.First) && !row.Date.Before(year) {
			at := side{row.Key, minor > 0}
			highest[at] = max(highest[at], abs(minor))
		}
	}
	for _, i := range d.Rows {
		row := &l.Rows[i]
		minor, known := row.Signed()
		if !known || row.Purpose == spending.OwnTransfer {
			continue
		}
		before, was := highest[side{row.Key, minor > 0}]
		if was && abs(minor)-before <= before/10 {
			continue
		}
		one := Unusual{Row: i, Amount: l.Flows([]int{i}).Net}
		one.Highest = figures.UnknownTotal(l.Currency, one.Amount.Kind, "")
		if was {
			if minor < 0 {
				before = -before
			}
			one.Highest = figures.Total{Minor: before, Currency: l.Currency, Kind: one.Amount.Kind}
		}
		d.Unusual = append(d.Unusual, one)
	}
	slices.SortStableFunc(d.Unusual, func(a, b Unusual) int {
		return cmp.Compare(abs(b.Amount.Minor),
			abs(a.Amount.Minor))
	})
}

func abs(n int64) int64 { return max(n, -n) }

// setDue finds the bills that are due or past due, and the payments that recur in the week to come.
func (d *Digest) setDue() {
	billed := map[string]bool{}
	if p := d.Bills.Value; d.Bills.Known() && p != nil && p.Known() {
		for _, bills := range [][]payables.Bill{p.PastDueBills(), p.DueWithin(weekDays)} {
			for i := range bills {
				b := &bills[i]
				billed[counterparty.Key(b.VendorName)] = true
				d.Due = append(d.Due, Due{Day: b.DueOn, Name: b.VendorName, Kind: "bill", What: b.DueText(),
					Amount: p.Sum(bills[i : i+1])})
			}
		}
	}
	l := d.History.Ledger
	today := l.Coverage.KnownTo(d.Last)
	recurring := l.Recurring(today)
	for i := range recurring {
		one := &recurring[i]
		if one.Direction != apiclient.Outflow || billed[one.Key] {
			continue
		}
		for _, day := range one.Expected(today, d.Last.AddDays(1), d.Last.AddDays(weekDays)) {
			d.Due = append(d.Due, Due{Day: day, Name: one.Name, Kind: "recurring", What: one.Rhythm.String(),
				Amount: one.UsualAmount()})
		}
	}
	slices.SortStableFunc(d.Due, func(a, b Due) int { return a.Day.Compare(b.Day) })
}

// document returns the digest in words. If masked is set, it has no amounts.
func (d *Digest) document(masked bool) document {
	f := format{masked, d.History.Ledger.Currency}
	month := d.This()
	doc := document{
		Title: name(d.Company) + ": the week to " + d.Last.Time().Format("2 January 2006"),
		Subtitle: "What " + d.First.Time().Format("2 January") + " to " + d.Last.Time().Format("2 January") +
			" brought, and how things stand. Made on " + record.Minute(d.Now) + ".",
		Cards: []card{
			{"Cash on hand " + d.cashDay(), f.total(month.End), d.cashBasis(f)}, d.runwayCard(f),
			{"Net of the week", f.total(d.Flows.Net), "In " + f.total(d.Flows.In) + ", out " + f.total(d.Flows.Out)},
			d.overdueCard(f),
		},
		Basis: d.basis(f),
	}
	doc.Sections = []section{d.standsSection(f), d.unusualSection(f), d.dueSection(f), d.remindSection(f),
		d.recurringSection(f)}
	if unknown := d.unknownSection(f); len(unknown.Notes) > 0 {
		doc.Sections = append(doc.Sections, unknown)
	}
	return doc
}

func (d *Digest) standsSection(f format) section {
	s := section{ID: "stands", Title: "Why"}
	for _, sentence := range d.Sentences {
		s = s.note(f.sentence(sentence.Text))
	}
	if len(s.Notes) == 0 {
		s = s.note("Nothing explains the runway: rows are missing, a question is open, or amounts are hidden.")
	}
	return s
}

func (d *Digest) unusualSection(f format) section {
	s := section{ID: "unusual", Title: "Unusual payments of the week"}
	switch net := d.Flows.Net; {
	case net.Unknown && net.Uncovered:
		return s.note(f.sentence(net.Why()))
	case len(d.Unusual) == 0:
		return s.note("No payment of the week was a tenth larger than the others with its counterparty in the 365 days " +
			"before.")
	}
	t := table{Columns: []column{{Title: "Counterparty"}, {Title: "Day"}, {"Amount", true, false}, {"Highest before",
		true, true}}}
	for _, u := range d.Unusual[:min(mostUnusual, len(d.Unusual))] {
		row1 := &d.History.Ledger.Rows[u.Row]
		t.Rows = append(t.Rows, row{Cells: []string{name(row1.Name()), row1.Date.String(), f.total(u.Amount),
			f.total(u.Highest)}})
	}
	s.Tables = []table{t}
	if more := len(d.Unusual) - len(t.Rows); more > 0 {
		s = s.note("And " + plural.Count(more, "smaller one") + ".")
	}
	return s.note("Payments at least a tenth larger than all others with the same counterparty in the 365 days " +
		"before, and first payments.")
}

func (d *Digest) dueSection(f format) section {
	s := section{ID: "due", Title: "To pay: past due, and in the next seven days"}
	if len(d.Due) == 0 {
		s = s.note("Nothing is known to be due.")
	} else {
		t := table{Columns: []column{{Title: "To"}, {Title: "Day"}, {"What", false, true}, {"Amount", true, false}}}
		for _, one := range d.Due[:min(mostDue, len(d.Due))] {
			day := "on receipt"
			if !one.Day.IsZero() {
				day = one.Day.String()
			}
			t.Rows = append(t.Rows, row{Cells: []string{name(one.Name), day, one.What, f.total(one.Amount)}})
		}
		s.Tables = []table{t}
		if more := len(d.Due) - len(t.Rows); more > 0 {
			s = s.note("And " + plural.Count(more, "other") + ".")
		}
		if at := d.cashDay(); at != today {
			s = s.note("What was to be paid since the statements end isn't listed: it may have been paid.")
		}
		s = s.note("Bills count with what is still open. Recurring payments without a bill are estimates: the usual " +
			"amount on the expected day.")
	}
	switch p := d.Bills.Value; {
	case !d.Bills.Known():
		s = s.note(d.Bills.Problem)
	case p != nil && !p.Known():
		s = s.note(p.Reason())
	}
	return s
}

// unknownSection says what could not be known.
func (d *Digest) unknownSection(f format) section {
	s := section{ID: "unknown", Title: "What could not be known"}
	for _, problem := range []string{d.Cash.Problem, d.Aging.Problem, d.Invoices.Problem} {
		s = s.note(problem)
	}
	if d.Cash.Known() {
		cash := d.cashFigures()
		for _, text := range []string{cash.Reason, cash.Unanswered(), cash.Assumed(), cash.OnHand.Why()} {
			s = s.note(f.sentence(text))
		}
	}
	missing := d.History.Ledger.Coverage.Missing(d.First, d.Last)
	s = s.note(f.sentence(missing.Why()))
	for _, total := range []figures.Total{d.Flows.In, d.Flows.Out, d.Flows.Net} {
		s = s.note(f.sentence(total.Why()))
	}
	return s
}

// WriteText writes the digest as text for mail. If masked is set, it hides amounts, percentages and
// numbers of months.
func (d *Digest) WriteText(w io.Writer, masked bool) error { return d.document(masked).writeText(w) }

// WriteHTML writes the digest as a page of HTML, as Report.WriteHTML does.
func (d *Digest) WriteHTML(w io.Writer, masked bool) error { return d.document(masked).writeHTML(w) }

// WriteJSON writes the digest as one JSON object.
func (d *Digest) WriteJSON(w io.Writer) error {
	l := d.History.Ledger
	var sentences []record.Object
	for _, s := range d.Sentences {
		sentences = append(sentences, record.Object{record.Text("text", "", s.Text)})
	}
	o := record.Object{
		record.Text("company", "", d.Company), record.Time("made_at", "", &d.Now),
		record.Text("currency", "", l.Currency),
		partField("cash_position", d.Cash, func(*apiclient.CashPosition) record.Object {
			return record.CashPosition(d.cashFigures())
		}),
		partField("aging", d.Aging, record.Aging),
		record.List("sentences", sentences),
		record.Nested("week", record.Days(d.First, d.Last, int64(len(d.Rows)), d.Flows)),
		record.List("unusual", record.DescribeAll(d.Unusual, func(u Unusual) record.Object {
			row := &l.Rows[u.Row]
			return record.Unusual(row.ID, row.Date, row.Name(), u.Amount, u.Highest)
		})),
		record.List("due", record.DescribeAll(d.Due, func(one Due) record.Object {
			return record.Due(one.Day, one.Name, one.Kind, one.What, one.Amount)
		})),
		record.List("overdue_customers", record.DescribeAll(d.Overdue, func(c collections.Customer) record.Object {
			return record.Customer(&c)
		})),
		record.Nested("recurring", d.describeRecurring()),
	}
	return o.WriteJSON(w)
}
