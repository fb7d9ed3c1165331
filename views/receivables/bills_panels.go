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
	sums [][3]figures.Total // of each shown vendor: to pay, past due, due soon
}

// placeMarks computes the sums of the shown vendors and decides where they have marks.
func (b *billSide) placeMarks() {
	m := vendorMarks{}
	states := make([][]mark.State, b.vendors.Len())
	var widest [3]int
	for c := range widest {
		widest[c] = termtext.Width(vendorColumns()[toPayColumn+c].Title)
	}
	for i := range states {
		v := b.vendors.Item(i)
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
	b.vendors.Table.Mark(0, slices.Contains(m.Rows, true), false)
	for c := range widest {
		title := m.Title || len(m.Columns) > c && m.Columns[c]
		cells := title
		for i := range states {
			cells = cells || m.Cell(i, c)
		}
		if cells {
			widest[c] += mark.Width
		}
		b.vendors.Table.Mark(toPayColumn+c, cells, title)
		b.vendors.Table.Widen(toPayColumn+c, widest[c])
	}
	b.marks = m
}

// vendorRow appends the cells of a vendor to dst.
func (b *billSide) vendorRow(i int, v *payables.Vendor, dst []table.Cell) ([]table.Cell, bool) {
	k := &b.screen.inks
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
		barCell(b.screen.Theme, byAge(v), b.mostToPay, b.vendors.Table.Room(toPayByAgeColumn))), true
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

// billRow appends the cells of a bill to dst.
func (b *billSide) billRow(_ int, one *payables.Bill, dst []table.Cell) ([]table.Cell, bool) {
	k := &b.screen.inks
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
	s := b.screen
	needed := b.needs
	needed.sentence = len(b.answered())
	return needed.divide(s.Width, s.Height-len(b.missing()), panel.IsOpen(s.Height), b.pair.Inside)
}

// answered draws the sentence at the top of the side, in at most two lines.
func (b *billSide) answered() []string {
	p, s := b.value(), b.screen
	if p == nil || s.Theme.Masked || !b.state().HasFigures() {
		return nil
	}
	return fact.FirstLines(s.Theme, fact.WrapIn(s.Theme, s.Theme.Accent, mark.Sentence(p.Text()), s.Width), 2)
}

// missing returns the lines at the bottom: which bills the sums lack, and which ones they count
// although they may be paid.
func (b *billSide) missing() []string {
	p, s := b.value(), b.screen
	if p == nil || !b.state().HasFigures() || p.Total.Why() == "" {
		return nil
	}
	return fact.Missing{Sentences: []string{p.Total.Why()}}.Lines(s.Theme, s.Width, s.Height)
}

func (b *billSide) panels() []string {
	a, s := b.arrange(), b.screen
	state, now := b.state(), s.Now()
	if !state.HasFigures() {
		return panel.Draw(s.Theme, panel.Frame{
			Title: "To pay", EmptyText: b.emptyText(), Width: s.Width, Height: s.Height, Open: panel.IsOpen(s.Height),
		}, state, now)
	}
	p := b.value()
	if a.buckets == 0 {
		facts := []fact.Fact{fact.Sum(s.Theme, "Past due", p.PastDue), fact.Sum(s.Theme, "To pay", p.Total)}
		for i, sum := range p.Buckets {
			facts = append(facts, fact.Sum(s.Theme, figures.BucketLabels[i], sum))
		}
		return fact.Lines(s.Theme, facts, s.Width)
	}
	total := fact.Sum(s.Theme, "To pay", p.Total)
	buckets := panel.Draw(s.Theme, panel.Frame{
		Title: "To pay " + masked.Text(s.Theme, total.Value), Briefs: []string{"To pay " + masked.Text(s.Theme, total.Short)},
		Marked: total.Sign != "", Note: b.counts(),
		Width: s.Width, Height: a.buckets, Open: a.open,
		Body: func(width, _ int) []string { return bucketLines(s.Theme, p.Aging(), -1, width) },
	}, state, now)
	return slices.Concat(panel.Box(b.answered(), s.Width, a.above), buckets, b.vendorsPanel(a, now), b.billsPanel(a, now))
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
	s := b.screen
	b.vendors.Table.SetSize(panel.InnerOf(a.open, s.Width, a.customers))
	title, more := "Vendors, by when the first bill is due", b.vendors.Table.More()
	if b.vendors.Text != "" {
		title += fmt.Sprintf(`, filter "%s"`, b.vendors.Text)
	}
	return panel.Draw(s.Theme, panel.Frame{
		Title: ansi.Truncate(title, s.Width, "…") + more, Briefs: []string{"Vendors" + more},
		Width: s.Width, Height: a.customers, Open: a.open, Focused: !b.pair.Inside,
		Body: func(int, int) []string {
			if b.vendors.Len() == 0 {
				return []string{s.Theme.Faint.Render("No vendor matches. x removes the filter.")}
			}
			return b.vendors.Table.Lines()
		},
	}, b.state(), now)
}

func (b *billSide) billsPanel(a arrangement, now time.Time) []string {
	if a.invoices == 0 {
		return nil
	}
	s, title := b.screen, "Bills"
	if v := b.vendors.Current(); v != nil {
		title += " of " + cmp.Or(v.Name, "no name")
	}
	note := ""
	if b.marking.running {
		note = "marking a bill…"
	}
	b.bills.Table.SetSize(panel.InnerOf(a.open, s.Width, a.invoices))
	more := b.bills.Table.More()
	return panel.Draw(s.Theme, panel.Frame{
		Title: title + more, Briefs: []string{"Bills" + more}, Note: note, Width: s.Width, Height: a.invoices, Open: a.open,
		Focused: b.pair.Inside, Body: func(int, int) []string { return b.bills.Table.Lines() },
	}, b.state(), now)
}

// emptyText says why the list is empty, and what to do.
func (b *billSide) emptyText() string {
	p, s := b.value(), b.screen
	switch {
	case p == nil:
		return ""
	case p.Known():
		return "No bills to pay."
	case s.Books != nil && !s.ReadOnly:
		return p.Reason() + " n opens Books, where n imports files."
	}
	return p.Reason()
}

// text returns the side as plain text for the clipboard.
func (b *billSide) text() string {
	p, s := b.value(), b.screen
	at := b.list.LoadedAt()
	return fact.Section(figures.InCurrency("Bills to pay", p.Currency), figures.WithTime("updated", &at, time.Time{}),
		b.state(), b.emptyText(), s.Now(), func() []string {
			facts := []fact.Fact{
				fact.Sum(s.Theme, "To pay", p.Total), fact.Sum(s.Theme, "Past due", p.PastDue),
				fact.Sum(s.Theme, "Due within "+plural.Count(payables.Week, "day"), p.Due(payables.Week)),
			}
			for i, sum := range p.Buckets {
				facts = append(facts, fact.Sum(s.Theme, figures.BucketLabels[i], sum))
			}
			lines := fact.TextLines(facts)
			for i := range b.vendors.Len() {
				v := b.vendors.Item(i)
				lines = append(lines, fmt.Sprintf("%s: %s, past due %s, %s", cmp.Or(v.Name, "no name"), v.Total, v.PastDue,
					plural.Count(len(v.Bills), "bill")))
			}
			if why := p.Total.Why(); why != "" {
				lines = append(lines, why)
			}
			return lines
		})
}
