package books

import (
	"slices"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/table"
)

// around has transactions around a day, newest first. rows[from:to] are on the day.
type around struct {
	rows     []*apiclient.Transaction
	from, to int
}

// transactionsAround returns the transactions of a day, including the subject of a question about
// it, and transactions before and after it, if the history has been read.
func (s *Screen) transactionsAround(day string) (a around) {
	const most = 60 // of the day, before it and after it
	on, err := civil.Parse(day)
	if err != nil || s.env.Snapshot == nil {
		return a
	}
	ledger := s.env.Snapshot.History.Ledger()
	if ledger == nil {
		return a
	}
	for i := range ledger.Rows {
		row := ledger.Rows[i].Transaction
		switch {
		case row.Date.After(on):
			a.rows = append(a.rows[max(0, len(a.rows)-most+1):], row)
			a.from, a.to = len(a.rows), len(a.rows)
		case row.Date == on && a.to-a.from < most:
			a.rows = append(a.rows, row)
			a.to++
		case row.Date.Before(on) && len(a.rows)-a.to < most:
			a.rows = append(a.rows, row)
		}
	}
	return a
}

// window returns up to n transactions: first of the day, then as many before as after it.
func (a around) window(n int) around {
	if n <= a.to-a.from {
		return around{a.rows[a.from : a.from+max(0, n)], 0, max(0, n)}
	}
	rest := n - (a.to - a.from)
	first := max(0, a.from-max(rest/2, rest-(len(a.rows)-a.to)))
	return around{a.rows[first:min(len(a.rows), first+n)], a.from - first, a.to - first}
}

// belowQuestion returns lines for the room below a question and its answers: the transactions of
// its day, the next questions and, if there is room, the transactions around that day.
func (s *Screen) belowQuestion(width, room int) []string {
	const head = 2
	next, all := s.nextQuestions(width), s.questions.around
	ofDay := all.to - all.from
	rows := room - head
	if len(next) > 0 {
		rows = max(min(ofDay, rows), rows-head-len(next))
	}
	shown := all.window(rows)
	title := "Transactions of " + s.questions.current().Date
	if len(shown.rows) > ofDay {
		title = "Transactions around " + s.questions.current().Date
	}
	lines := s.listed(title, s.transactionLines(shown, width), ofDay, room)
	return append(lines, s.listed("Asked next", next, len(next), room-len(lines))...)
}

// listed returns a blank line, a title and the rows that fit, with the number of hidden rows. It
// returns nil without rows or room.
func (s *Screen) listed(head string, rows []string, needed, room int) []string {
	const above = 2
	if len(rows) == 0 || room <= above {
		return nil
	}
	rows = rows[:min(len(rows), room-above)]
	if left := needed - len(rows); left > 0 {
		head += ", " + plural.Count(left, "line") + " more"
	}
	return append([]string{"", s.theme.Faint.Render(head)}, rows...)
}

// transactionLines draws transactions. If some are on other days, all have dates, and those on the
// day are highlighted.
func (s *Screen) transactionLines(shown around, width int) []string {
	if len(shown.rows) == 0 {
		return nil
	}
	t := table.New([]table.Column{
		{Min: 10, Ideal: 10},
		{Min: 4, Whole: amount.Widest, Align: table.Right},
		{Name: true, Min: 18, Tight: 8, Flex: 1},
		{Min: 20, Tight: 8, Ideal: 40, Flex: 2, Priority: 1},
		{Min: 10, Ideal: 16, Flex: 1, Priority: 3},
		{Min: 12, Ideal: 30, Flex: 1, Priority: 2},
	}, aroundRows{s, shown})
	onlyDay := len(shown.rows) == shown.to-shown.from
	t.Hide(0, onlyDay)
	t.Hide(4, !slices.ContainsFunc(shown.rows, func(row *apiclient.Transaction) bool { return row.Category != "" }))
	t.Hide(5, !slices.ContainsFunc(shown.rows, func(row *apiclient.Transaction) bool { return row.Account != "" }))
	widest := 0
	for _, row := range shown.rows {
		widest = max(widest, termtext.Width(s.sum(row)))
	}
	t.Widen(1, widest)
	t.WidenNames(len(shown.rows), func(i int) string { return counterparty.Display(shown.rows[i].CounterpartyName) })
	const header, indent = 1, "  "
	t.SetTheme(s.theme)
	t.SetSize(max(1, width-len(indent)), len(shown.rows)+2*header)
	t.SetRows(0, len(shown.rows))
	lines := slices.Clone(t.Lines()[header : header+len(shown.rows)])
	for i := range lines {
		lines[i] = indent + lines[i]
	}
	return lines
}

// aroundRows provides the rows of the transactions around a day.
type aroundRows struct {
	*Screen
	around
}

// Row appends the cells of a transaction.
func (r aroundRows) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	t := r.around.rows[i]
	sum, text := r.inks.faint, r.inks.faint
	if r.from <= i && i < r.to {
		text = table.Ink{}
		sum = table.NewInk(r.theme.Outflow)
		if t.Direction == apiclient.Inflow {
			sum = table.NewInk(r.theme.Inflow)
		}
	}
	return append(
		dst,
		table.Cell{Text: t.Date.String(), Ink: text}, table.Cell{Text: r.sum(t), Ink: sum},
		table.Cell{Text: counterparty.Display(t.CounterpartyName), Ink: text}, table.Cell{Text: t.Memo, Ink: text},
		table.Cell{Text: t.Category, Ink: text}, table.Cell{Text: t.Account, Ink: text, KeepEnd: true},
	), true
}

func (s *Screen) sum(t *apiclient.Transaction) string {
	return masked.Text(s.theme, amount.InOwnCurrency(t.Amount, t.Direction))
}

// nextQuestions returns a line for each open question after the current one.
func (s *Screen) nextQuestions(width int) (lines []string) {
	q := &s.questions
	for n := range q.open {
		if !q.later[q.open[n].ID] && q.open[n].ID != q.current().ID {
			lines = append(lines, "  "+termtext.Fit(masked.Text(s.theme, q.open[n].Text), max(1, width-2)))
		}
	}
	return lines
}
