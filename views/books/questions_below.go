package books

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/masked"
)

// mostOfDay is the largest number of transactions that are shown below a question.
const mostOfDay = 12

// transactionsOn returns transactions of a day, as far as the history is read. Those that a
// question of that day is about are among them.
func (s *Screen) transactionsOn(day string) (found []*apiclient.Transaction) {
	on, err := civil.Parse(day)
	if err != nil || s.env.Snapshot == nil {
		return nil
	}
	ledger := s.env.Snapshot.History.Ledger()
	if ledger == nil {
		return nil
	}
	for i := range ledger.Rows {
		if row := ledger.Rows[i].Transaction; row.Date == on && len(found) < mostOfDay {
			found = append(found, row)
		}
	}
	return found
}

// belowQuestion returns lines for the room below a question and its answers: the transactions of
// its day, and the questions that follow.
func (s *Screen) belowQuestion(width, room int) []string {
	lines := s.listed("Transactions of "+s.questions.asked().Date, s.transactionLines(width), room)
	return append(lines, s.listed("Asked next", s.nextQuestions(width), room-len(lines))...)
}

// listed returns a blank line, a head and as many of the rows as there is room for. It counts the
// others. Without rows, or room for one, it returns nil.
func (s *Screen) listed(head string, rows []string, room int) []string {
	const above = 2
	if len(rows) == 0 || room <= above {
		return nil
	}
	if left := len(rows) - (room - above); left > 0 {
		head += ", " + plural.Count(left, "line") + " more"
		rows = rows[:room-above]
	}
	return append([]string{"", s.theme.Faint.Render(head)}, rows...)
}

func (s *Screen) transactionLines(width int) (lines []string) {
	sums, widest := []string{}, 0
	for _, t := range s.questions.ofDay {
		sum := masked.Text(s.theme, amount.InOwnCurrency(t.Amount, t.Direction))
		sums, widest = append(sums, sum), max(widest, termtext.Width(sum))
	}
	for i, t := range s.questions.ofDay {
		style := s.theme.Outflow
		if t.Direction == apiclient.Inflow {
			style = s.theme.Inflow
		}
		text := strings.TrimSuffix(counterparty.Display(t.CounterpartyName)+" · "+t.Memo, " · ")
		lines = append(lines, "  "+strings.Repeat(" ", widest-termtext.Width(sums[i]))+style.Render(sums[i])+"  "+
			termtext.Fit(text, max(1, width-widest-4)))
	}
	return lines
}

// nextQuestions returns a line for each open question after the one that is asked.
func (s *Screen) nextQuestions(width int) (lines []string) {
	q := &s.questions
	for n := q.at() + 1; n < len(q.open); n++ {
		if !q.later[q.open[n].ID] {
			lines = append(lines, "  "+termtext.Fit(masked.Text(s.theme, q.open[n].Text), max(1, width-2)))
		}
	}
	return lines
}
