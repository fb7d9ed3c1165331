package receivables

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/payables"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// Columns of the table of vendors with sums.
const (
	toPayColumn = iota + 2
	pastDueColumn
	dueColumn

	toPayByAgeColumn = 6
)

func vendorColumns() []table.Column {
	sum := func(title string, priority int) table.Column {
		return table.Column{Title: title, Min: 8, Whole: 22, Tight: 7, Ideal: 11, Align: table.Right, Priority: priority}
	}
	soon := sum("Next "+plural.Count(payables.Week, "day"), 3)
	soon.Min = soon.Ideal
	return []table.Column{
		{Title: "Vendor", Name: true, Min: 20, Tight: 8, Flex: 1},
		{Title: "Due", Min: 10, Ideal: 10, Priority: 2},
		toPayColumn: sum("To pay", 0), pastDueColumn: sum("Past due", 1),
		dueColumn: soon,
		{Title: "Bills", Min: 5, Ideal: 5, Align: table.Right, Priority: 4},
		toPayByAgeColumn: barColumn("To pay, by age"),
	}
}

// vendorMarks says where the table of vendors has marks.
type vendorMarks struct {
	mark.Places
	sums [][3]figures.Total // of each vendor: to pay, past due, due soon
}

// placeMarks computes the sums of the shown vendors and decides where they have marks.
func (b *billSide) placeMarks() {
	m := vendorMarks{}
	states := make([][]mark.State, len(b.vendors))
	var widest [3]int
	for c := range widest {
		widest[c] = termtext.Width(vendorColumns()[toPayColumn+c].Title)
	}
	for i := range b.vendors {
		v := &b.vendors[i]
		sums := [3]figures.Total{v.Total, v.PastDue, b.value().DueTo(v, payables.Week)}
		for c, sum := range sums {
			state := mark.Of(sum)
			if sum.Minor == 0 && len(v.Bills) == 0 {
				state = mark.None
			}
			states[i] = append(states[i], state)
			widest[c] = max(widest[c], termtext.Width(figures.Unmarked(sum.String())))
		}
		m.sums = append(m.sums, sums)
	}
	m.Places = mark.Place(states)
	b.vendorTable.Mark(0, slices.Contains(m.Rows, true), false)
	for c := range widest {
		title := m.Title || len(m.Columns) > c && m.Columns[c]
		cells := title
		for i := range states {
			cells = cells || m.Cell(i, c)
		}
		if cells {
			widest[c] += mark.Width
		}
		b.vendorTable.Mark(toPayColumn+c, cells, title)
		b.vendorTable.Widen(toPayColumn+c, widest[c])
	}
	b.marks = m
}

// vendorRows provides the rows of the table of vendors.
type vendorRows struct{ *billSide }

func (b vendorRows) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	if i >= len(b.vendors) {
		return dst, false
	}
	v, k := &b.vendors[i], &b.page.inks
	name := table.Cell{Text: nameOfVendor(v), Marked: b.marks.Rows[i]}
	if len(v.Bills) == 0 {
		name.Ink = k.faint
		return append(dst, name, table.Cell{}, table.Cell{}, table.Cell{}, table.Cell{},
			table.Cell{Text: money.Count(0), Ink: k.faint}), true
	}
	first := &v.Bills[0]
	dst = append(dst, name, dueCell(first, k))
	late := k.aging[figures.BucketOf(first.DaysPastDue)]
	for c, ink := range [...]table.Ink{k.plain, late, k.plain} {
		sum := b.marks.sums[i][c]
		switch {
		case sum.Unknown:
			ink = k.unknown
		case sum.Minor == 0:
			ink = k.faint
		}
		dst = append(dst, table.Cell{Text: figures.Unmarked(sum.String()), Ink: ink, Marked: b.marks.Cell(i, c)})
	}
	return append(dst, table.Cell{Text: money.Count(int64(len(v.Bills))), Ink: k.faint},
		barCell(b.page.theme, byAge(v), b.mostToPay, b.vendorTable.Room(toPayByAgeColumn))), true
}

func nameOfVendor(v *payables.Vendor) string { return cmp.Or(v.Name, money.Dash) }

// byAge returns what is to be paid to a vendor by age.
func byAge(v *payables.Vendor) []int64 { return figures.Aging{Buckets: v.Buckets}.BucketCents() }

// dueCell says by when a bill is to be paid.
func dueCell(one *payables.Bill, k *inks) table.Cell {
	if one.DueOn.IsZero() {
		return table.Cell{Text: "on receipt", Ink: k.plain}
	}
	return table.Cell{Text: one.DueOn.String(), Ink: k.aging[figures.BucketOf(one.DaysPastDue)]}
}

// openColumn is the index of the table column that shows what is still to be paid of a bill.
const openColumn = 4

func billColumns() []table.Column {
	return []table.Column{
		{Title: "Bill", Min: 10, Whole: table.WidestNumber, Tight: 8, Ideal: 14},
		{Title: "State", Min: 8, Ideal: 8, Priority: 3},
		{Title: "Due", Min: 10, Ideal: 10, Priority: 1},
		{Title: "Days late", Min: 9, Ideal: 9, Align: table.Right, Priority: 4},
		{Title: "To pay    ", Min: amount.Width, Whole: amount.Widest, Tight: 15, Ideal: amount.Width, Align: table.Right},
		{Title: "Issued", Min: 10, Ideal: 10, Priority: 5},
		{Title: "Settled", Min: 20, Ideal: 34, Flex: 1, Priority: 2},
	}
}

// billRows provides the rows of the table of the selected vendor's bills.
type billRows struct{ *billSide }

func (b billRows) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	if i >= len(b.bills) {
		return dst, false
	}
	one, k := &b.bills[i], &b.page.inks
	ink, late := k.aging[figures.BucketOf(one.DaysPastDue)], table.Cell{}
	due, sum := dueCell(one, k), amount.InOwnCurrency(one.Open, "")
	switch one.State {
	case apiclient.BillPaid:
		ink, due, sum = k.faint, table.Cell{}, ""
		if !one.DueOn.IsZero() {
			due = table.Cell{Text: one.DueOn.String(), Ink: k.faint}
		}
	case apiclient.BillDisputed:
		ink = k.faint
	default:
		late = table.Cell{Text: money.Count(int64(one.DaysPastDue)), Ink: ink}
	}
	return append(
		dst, table.Cell{Text: cmp.Or(one.Number, money.Dash), KeepEnd: true}, table.Cell{Text: string(one.State), Ink: ink},
		due, late, table.Cell{Text: sum}, table.Cell{Text: one.IssuedOn.String(), Ink: k.faint},
		table.Cell{Text: settled(one), Ink: k.faint},
	), true
}

// settled says what has settled a bill, or may have.
func settled(one *payables.Bill) string {
	switch {
	case one.State == apiclient.BillPaid && !one.PaidOn.IsZero():
		return strings.TrimSpace("paid " + one.PaidOn.String() + " " + one.PaidBy)
	case one.State == apiclient.BillPaid:
		return "marked paid or no longer listed"
	case one.MayBePaid:
		return "may be paid, see Books"
	case one.State == apiclient.BillDisputed:
		return "in no sum"
	}
	return ""
}

func (b *billSide) arrange() arrangement {
	s := b.page
	needed := b.needs
	needed.sentence = len(b.answered())
	return needed.divide(s.width, s.height-len(b.missing()), panel.IsOpen(s.height), b.inside)
}

// answered draws the sentence at the top of the side, in at most two lines.
func (b *billSide) answered() []string {
	p, s := b.value(), b.page
	if p == nil || s.theme.Masked || !b.state().HasFigures() {
		return nil
	}
	return fact.FirstLines(s.theme, fact.WrapIn(s.theme, s.theme.Strong, mark.Sentence(p.Text()), s.width), 2)
}

// missing returns the lines at the bottom of the side: what its sums leave out, or count although
// it may be paid.
func (b *billSide) missing() []string {
	p, s := b.value(), b.page
	if p == nil || !b.state().HasFigures() || p.Total.Why() == "" {
		return nil
	}
	return fact.Missing{Sentences: []string{p.Total.Why()}}.Lines(s.theme, s.width, s.height)
}

// view draws the side.
func (b *billSide) view() string {
	s := b.page
	return b.cache.Text(func() []string {
		missing := b.missing()
		lines := append(panel.Box(b.panels(), s.width, s.height-len(missing)), missing...)
		lines = panel.Box(lines, s.width, s.height)
		if top := b.layers.Top(); top != nil && len(lines) > 0 {
			lines[len(lines)-1] = listdetail.Fit(top.Draw(), s.width)
		}
		return lines
	})
}

func (b *billSide) panels() []string {
	a, s := b.arrange(), b.page
	state, now := b.state(), s.env.Now()
	if !state.HasFigures() {
		return panel.Draw(s.theme, panel.Frame{
			Title: "To pay", EmptyText: b.emptyText(), Width: s.width, Height: s.height, Open: panel.IsOpen(s.height),
		}, state, now)
	}
	p := b.value()
	if a.buckets == 0 {
		facts := []fact.Fact{fact.Sum(s.theme, "Past due", p.PastDue), fact.Sum(s.theme, "To pay", p.Total)}
		for i, sum := range p.Buckets {
			facts = append(facts, fact.Sum(s.theme, figures.BucketLabels[i], sum))
		}
		return fact.Lines(s.theme, facts, s.width)
	}
	total := fact.Sum(s.theme, "To pay", p.Total)
	buckets := panel.Draw(s.theme, panel.Frame{
		Title: "To pay " + masked.Text(s.theme, total.Value), Briefs: []string{"To pay " + masked.Text(s.theme, total.Short)},
		Marked: total.Sign != "", Note: b.counts(),
		Width: s.width, Height: a.buckets, Open: a.open,
		Body: func(width, _ int) []string { return bucketLines(s.theme, p.Aging(), -1, width) },
	}, state, now)
	return slices.Concat(panel.Box(b.answered(), s.width, a.above), buckets, b.vendorsPanel(a, now), b.billsPanel(a, now))
}

// counts says how many bills there are.
func (b *billSide) counts() string {
	p := b.value()
	text := plural.Count(len(p.Open), "bill")
	if late := len(p.PastDueBills()); late > 0 {
		text += ", " + money.Count(int64(late)) + " past due"
	}
	if n := len(p.Disputed); n > 0 {
		text += ", " + money.Count(int64(n)) + " disputed and in no sum"
	}
	return text
}

func (b *billSide) vendorsPanel(a arrangement, now time.Time) []string {
	if a.customers == 0 {
		return nil
	}
	s := b.page
	b.vendorTable.SetSize(panel.InnerOf(a.open, s.width, a.customers))
	title, more := "Vendors, by when the first bill is due", b.vendorTable.More()
	if b.search != "" {
		title += fmt.Sprintf(`, filter "%s"`, b.search)
	}
	return panel.Draw(s.theme, panel.Frame{
		Title: ansi.Truncate(title, s.width, "…") + more, Briefs: []string{"Vendors" + more},
		Width: s.width, Height: a.customers, Open: a.open, Focused: !b.inside,
		Body: func(int, int) []string {
			if len(b.vendors) == 0 {
				return []string{s.theme.Faint.Render("No vendor matches. x removes the filter.")}
			}
			return b.vendorTable.Lines()
		},
	}, b.state(), now)
}

func (b *billSide) billsPanel(a arrangement, now time.Time) []string {
	if a.invoices == 0 {
		return nil
	}
	s, title := b.page, "Bills"
	if v, ok := b.vendor(); ok {
		title += " of " + cmp.Or(v.Name, "no name")
	}
	note := ""
	if b.marking.running {
		note = "marking a bill…"
	}
	b.billTable.SetSize(panel.InnerOf(a.open, s.width, a.invoices))
	more := b.billTable.More()
	return panel.Draw(s.theme, panel.Frame{
		Title: title + more, Briefs: []string{"Bills" + more}, Note: note, Width: s.width, Height: a.invoices, Open: a.open,
		Focused: b.inside, Body: func(int, int) []string { return b.billTable.Lines() },
	}, b.state(), now)
}

// emptyText says why there are no bills, and what to do.
func (b *billSide) emptyText() string {
	p, s := b.value(), b.page
	switch {
	case p == nil:
		return ""
	case p.Known():
		return "No bills to pay."
	case s.env.Books != nil && !s.env.ReadOnly:
		return p.Reason() + " n opens Books, where n imports files."
	}
	return p.Reason()
}

// text returns the side as plain text for the clipboard.
func (b *billSide) text() string {
	p, s := b.value(), b.page
	at := b.list.LoadedAt()
	return fact.Section(figures.InCurrency("Bills to pay", p.Currency), figures.WithTime("updated", &at, time.Time{}),
		b.state(), b.emptyText(), s.env.Now(), func() []string {
			facts := []fact.Fact{
				fact.Sum(s.theme, "To pay", p.Total), fact.Sum(s.theme, "Past due", p.PastDue),
				fact.Sum(s.theme, "Due within "+plural.Count(payables.Week, "day"), p.Due(payables.Week)),
			}
			for i, sum := range p.Buckets {
				facts = append(facts, fact.Sum(s.theme, figures.BucketLabels[i], sum))
			}
			lines := fact.TextLines(facts)
			for i := range b.vendors {
				v := &b.vendors[i]
				lines = append(lines, fmt.Sprintf("%s: %s, past due %s, %s", cmp.Or(v.Name, "no name"), v.Total, v.PastDue,
					plural.Count(len(v.Bills), "bill")))
			}
			if why := p.Total.Why(); why != "" {
				lines = append(lines, why)
			}
			return lines
		})
}
