package spend

import (
	"strconv"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/table"
)

// recurringList is the list of payments that recur.
type recurringList struct{ *Screen }

// paymentsColumn is the index of the column with a bar for each payment, on a wide screen.
const paymentsColumn = 1

func (l recurringList) columns(width int) []table.Column {
	yearly := "Per year"
	if unit := l.Screen.figures.yearlyScale.Unit; unit != "" && !l.Theme.Masked {
		yearly += ", " + unit
	}
	if !isWide(width) {
		return []table.Column{
			{Title: "Counterparty", Name: true, Min: 14, Tight: 8, Flex: 1},
			{Title: "Rhythm", Min: 13, Ideal: 15, Tight: 9, Priority: 3},
			{Title: "Usual", Min: 11, Ideal: 12, Whole: 20, Priority: 2, Align: table.Right},
			{Title: yearly, Min: 12, Ideal: 12, Whole: 20, Align: table.Right},
			{Title: "Change", Min: 7, Ideal: 7, Priority: 1, Align: table.Right},
			{Title: "Next", Min: 10, Ideal: 10, Priority: 1},
		}
	}
	return []table.Column{
		{Title: "Counterparty", Name: true, Min: 16, Tight: 8, Flex: 1},
		paymentsColumn: sparkColumn("Payments", 5),
		{Title: "Rhythm", Min: 13, Ideal: 15, Priority: 3},
		{Title: "Usual", Min: 11, Ideal: 12, Whole: 20, Align: table.Right},
		{Title: yearly, Min: 12, Ideal: 12, Whole: 20, Align: table.Right},
		{Title: "Change", Min: 19, Ideal: 20, Priority: 1},
		{Title: "Last", Min: 10, Ideal: 10, Priority: 4},
		{Title: "Next", Min: 10, Ideal: 10, Priority: 2},
		{Title: "Status", Min: 7, Ideal: 7},
	}
}

func (recurringList) orders() []string { return texts(spending.RecurringOrders()) }
func (recurringList) hint() string     { return "in the counterparty, rhythm or status" }
func (l recurringList) count() int     { return len(l.Screen.figures.recurring) }

func (l recurringList) id(i int) string {
	r := &l.Screen.figures.recurring[i]
	return r.Key + "\x00" + strconv.Itoa(int(r.Rhythm)) + "\x00" + r.First().String()
}

func (l recurringList) name(i int) string {
	return counterparty.Display(l.Screen.figures.recurring[i].Name)
}

func (l recurringList) matches(i int, text string) bool {
	r := &l.Screen.figures.recurring[i]
	return contains(r.Name, text) || contains(r.Rhythm.String(), text) || contains(l.status(r), text)
}

// status returns one of the values of spending.Recurring.Status.
func (s *Screen) status(r *spending.Recurring) string { return r.Status(s.begins(), s.search.today) }

// begins returns the day of the oldest row that the search for payments that recur covered.
func (s *Screen) begins() (day civil.Date) {
	if s.search.ledger != nil {
		day = s.search.ledger.Begins()
	}
	return day
}

func (l recurringList) cells(i, width int, dst []table.Cell) []table.Cell {
	r, wide := &l.Screen.figures.recurring[i], isWide(width)
	status := l.status(r)
	ink := map[string]table.Ink{
		spending.NewSeries: l.inks.accent, spending.Late: l.inks.caution, spending.Stopped: l.inks.faint,
	}[status]
	name := table.Cell{Text: l.name(i)}
	if r.Stopped {
		name.Ink = l.inks.faint
	}
	change, changeInk := l.change(r, wide)
	next := r.Next.String()
	if r.Stopped {
		next = money.Dash
	}
	dst = append(dst, name)
	if wide {
		bars := chart.Spark(l.payments(r), l.lists[recurring].Table.Room(paymentsColumn))
		dst = append(dst, table.Cell{Text: l.hidden(bars), Ink: l.inks.faint})
	}
	dst = append(dst,
		table.Cell{Text: r.Rhythm.String(), Ink: l.inks.faint},
		table.Cell{Text: figures.Unmarked(r.UsualAmount().String()), Ink: l.inks.flow(l.choice.direction)},
		table.Cell{Text: l.yearly(r), Ink: l.inks.flow(l.choice.direction)})
	if !wide {
		if change == "" && status == spending.NewSeries {
			change, changeInk = status, ink
		}
		if status == spending.Late || status == spending.Stopped || status == spending.Unknown {
			next = status
		}
		return append(dst, table.Cell{Text: change, Ink: changeInk}, table.Cell{Text: next, Ink: ink})
	}
	return append(dst,
		table.Cell{Text: change, Ink: changeInk},
		table.Cell{Text: r.Last().String(), Ink: l.inks.faint},
		table.Cell{Text: next},
		table.Cell{Text: status, Ink: ink})
}

// yearly returns the estimated sum of a year's payments.
func (l recurringList) yearly(r *spending.Recurring) string {
	t := r.Yearly()
	if t.Unknown {
		return money.Dash
	}
	return l.hidden(l.Screen.figures.yearlyScale.Text(t.Minor))
}

// figures returns the columns of the usual amount and the sum of a year.
func (recurringList) figures(width int) []int {
	if isWide(width) {
		return []int{3, 4}
	}
	return []int{2, 3}
}

func (recurringList) widest() []int { return []int{0, 0} }

func (l recurringList) states(i, _ int) []mark.State {
	r := &l.Screen.figures.recurring[i]
	return []mark.State{mark.Of(r.UsualAmount()), mark.Of(r.Yearly())}
}

// payments returns the amounts of the last twelve payments in minor units, oldest first.
func (recurringList) payments(r *spending.Recurring) (cents []int64) {
	for _, p := range r.Payments[max(0, len(r.Payments)-sparks):] {
		cents = append(cents, p.Cents)
	}
	return cents
}

// change returns the change of the usual amount, such as "+18 % since 2026-03", and its style. It
// returns "" if there is none.
func (l recurringList) change(r *spending.Recurring, wide bool) (string, table.Ink) {
	percent, since, ok := r.Change()
	if !ok || percent == 0 {
		return "", l.inks.faint
	}
	change := l.hidden(record.Percentage(percent))
	if wide {
		change += " since " + figures.YearMonth(since)
	}
	if (percent > 0) == (l.choice.direction == apiclient.Outflow) {
		return change, l.inks.caution
	}
	return change, l.inks.faint
}

// recurringSummary returns the parts of the line above the payments that recur.
func (s *Screen) recurringSummary() []string {
	counts, stopped := map[string]int{}, 0
	for i := range s.figures.recurring {
		r := &s.figures.recurring[i]
		counts[s.status(r)]++
		if r.Stopped {
			stopped++
		}
	}
	if len(s.figures.recurring) == 0 {
		left, all := s.search.ledger.Unsearched(s.choice.direction)
		switch without := left.LeavesOut(); {
		case all > 0 && without == all:
			return []string{"not known"}
		case without > 0:
			return []string{"no " + s.directionText() + " known to recur",
				money.Count(without) + " of " + plural.Count(all, "transaction") + " not looked at"}
		}
		return []string{"no " + s.directionText() + " recurs"}
	}
	yearly := s.search.ledger.YearlyTotal(s.figures.recurring, s.choice.direction)
	parts := []string{
		s.directionText() + " " + yearly.About(s.markedShort(s.Theme.Strong, yearly)) + " a year",
		money.Count(int64(len(s.figures.recurring)-stopped)) + " recur",
	}
	for _, status := range [...]string{spending.NewSeries, spending.Late, spending.Unknown, spending.Stopped} {
		if n := counts[status]; n > 0 {
			part := money.Count(int64(n)) + " " + status
			if status == spending.Late {
				part = s.Theme.Caution.Render(part)
			}
			parts = append(parts, part)
		}
	}
	return parts
}

// recurringBasis says which rows the payments that recur are derived from.
func (s *Screen) recurringBasis() string {
	if s.search.ledger == nil {
		return ""
	}
	text := "An estimate from " + plural.Count(len(s.search.ledger.Rows), "transaction") + " since " +
		figures.YearMonth(s.begins()) + ", without own transfers and financing."
	if len(s.figures.recurring) > 0 {
		return text // the line of the mark says what was not searched
	}
	if unsearched := s.search.ledger.UnsearchedText(s.choice.direction); unsearched != "" {
		text += " " + unsearched
	}
	return text
}

func (s *Screen) openRecurring(i int) *opened {
	r := &s.figures.recurring[i]
	about := r.Rhythm.String() + " since " + figures.YearMonth(r.First())
	return &opened{title: counterparty.Display(r.Name), about: about, indices: r.Rows(), ledger: s.search.ledger}
}
