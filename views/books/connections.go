package books

import (
	"tarmac/client/record"
	"tarmac/internal/ownbooks"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/table"
)

func connectionColumns() []table.Column {
	return []table.Column{
		{Title: "Provider", Min: 10, Ideal: 16, Tight: 6, Flex: 1},
		{Title: "State", Min: 17, Ideal: 17, Tight: 8},
		{Title: "Last read", Min: 14, Ideal: 14, Priority: 2},
		{Title: "Next", Min: 13, Ideal: 13, Priority: 3},
		{Title: "Accounts", Min: 8, Ideal: 8, Align: table.Right, Priority: 4},
		{Title: "Problem", Min: 20, Ideal: 40, Flex: 4, Priority: 1},
	}
}

type connectionRows struct{ *Screen }

// Row appends the cells of a connection.
func (r connectionRows) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	c := r.connectionAt(i)
	if c == nil {
		return dst, false
	}
	now := r.env.Now()
	sign, ink := r.levelSign(c.Level(now))
	last := table.Cell{Text: c.LastText(now)}
	if c.Late(now) {
		last.Ink = r.inks.caution
	}
	problem := table.Cell{Text: masked.Text(r.theme, c.Trouble()), Ink: ink}
	if c.Trouble() == "" {
		problem.Ink = r.inks.faint
	}
	return append(
		dst,
		table.Cell{Text: c.Label},
		table.Cell{Text: sign + c.StateText(now), Ink: ink},
		last,
		table.Cell{Text: c.NextText(now), Ink: r.inks.faint},
		table.Cell{Text: c.TakenCount()},
		problem,
	), true
}

// connectionFacts returns all facts about a connection, with amounts hidden if the theme hides
// them.
func (s *Screen) connectionFacts(c *ownbooks.Connection) []ownbooks.Fact {
	facts := c.Facts(s.env.Now(), record.Minute, s.amount)
	for n := range facts {
		facts[n].Text = masked.Text(s.theme, facts[n].Text)
	}
	return facts
}
