package overview

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
)

// cashCard fills the panel of cash on a page that begins with a chart. The sum is in the title,
// unless it leaves out something that other figures have: a mark in the title is for all of them.
func (s *Screen) cashCard(f *panel.Frame) {
	c, known := s.data.CashFigures()
	if !known {
		return
	}
	t, of, l := s.theme, fact.CashOf(s.theme, c), figures.LadderOf(c, s.account())
	facts := []fact.Fact{of.OnHand, of.Spendable, of.Held, fact.Sum(t, "Pending, not counted", l.Pending), of.NetBurn}
	if f.Title, f.Marked = fact.Title("Cash", facts); f.Marked || facts[0].Sign == "" {
		f.Title = "Cash on hand " + masked.Text(t, of.OnHand.Value)
		f.Briefs = []string{"Cash " + masked.Text(t, of.OnHand.Value)}
		facts = facts[1:]
	}
	f.Body = func(width, height int) []string {
		burn := facts[len(facts)-1]
		lines := fact.Lines(t, facts[:max(0, min(len(facts)-1, height-1))], width)
		if why := s.noBalance(); why != "" { // replaces the pending money
			lines = append(lines[:min(len(lines), 2)], t.Caution.Render(termtext.Fit(why, width)))
		}
		return append(lines, s.burnLine(burn, width))
	}
}

// burnLine draws the net burn behind a bar for each month.
func (s *Screen) burnLine(burn fact.Fact, width int) string {
	t := s.theme
	value := masked.Text(t, cmp.Or(burn.Short, burn.Value))
	if strings.ContainsAny(burn.Value, "0123456789") {
		value += " a month"
	}
	label, marked := "Burn ", ""
	if burn.Sign != "" {
		marked = mark.Behind(t, true)
	}
	room := width - ansi.StringWidth(label+value+marked) - 1
	bars := ""
	if values := s.burns(); len(values) > 0 && !t.Masked {
		bars = chart.Spark(values, min(room, 2*len(values)))
	}
	bars = t.Muted.Render(termtext.Fit(bars, max(0, room)))
	return t.Faint.Render(label) + bars + " " + burn.Style.Render(value) + marked
}

// burns returns by how much more money went out than came in, by month; 0 for a month with more
// money in, and for one that is unknown.
func (s *Screen) burns() (all []int64) {
	for _, m := range s.months() {
		net := m.Flows().Net
		burn := int64(0)
		if !net.Unknown {
			burn = max(0, -net.Minor)
		}
		all = append(all, burn)
	}
	return all
}

// owedCard draws what customers owe by age, how much of it is overdue, and whom to remind.
func (s *Screen) owedCard(width, height int) []string {
	a, _ := s.data.Aging.Value()
	t, aging := s.theme, figures.AgingOf(a)
	var lines []string
	if !t.Masked {
		lines = append(lines, chart.Strip(t, aging.BucketCents(), width))
	}
	overdue := "Nothing is overdue."
	style := t.Good
	if aging.Overdue.Unknown {
		overdue, style = "Overdue: "+money.Dash, t.Unknown
	} else if aging.Overdue.Minor > 0 {
		overdue = figures.Unmarked(aging.Overdue.Short()) + " overdue"
		style = t.Aging[max(1, aging.OldestBucket())].Bold(true)
		if share := aging.OverdueShare(); share != "" {
			overdue += ", " + figures.Unmarked(share) + " of it"
		}
	}
	if t.Masked {
		style = t.Text
	}
	lines = append(lines, style.Render(termtext.Fit(masked.Text(t, overdue), width)))
	if oldest := aging.Buckets[len(aging.Buckets)-1]; height > 3 && !oldest.Unknown && oldest.Minor > 0 {
		lines = append(lines, t.Faint.Render(masked.Text(t, figures.Unmarked(oldest.Short())+" of it for over 90 days")))
	}
	if line := s.remindLine(t, width); line != "" {
		lines = append(lines, line)
	}
	return lines
}

// remindLine names the customer to remind first: the one whose overdue amount times its age is the
// largest. It returns "" if no customer is known.
func (s *Screen) remindLine(t theme.Theme, width int) string {
	a, _ := s.data.Aging.Value()
	first, most := -1, float64(0)
	overdue := figures.AgingOf(a).Customers
	for i := range a.TopOverdue {
		c := &a.TopOverdue[i]
		if c.Name == "" || overdue[i].Unknown || c.OldestDaysPastDue == nil {
			continue
		}
		if weight := float64(overdue[i].Minor) * float64(*c.OldestDaysPastDue); weight > most {
			first, most = i, weight
		}
	}
	if first < 0 {
		return ""
	}
	days := plural.Count(int(*a.TopOverdue[first].OldestDaysPastDue), "day")
	amount := masked.Text(t, figures.Unmarked(overdue[first].Short()))
	text := strings.TrimSpace(termtext.Fit(a.TopOverdue[first].Name, 28)) + ", " + amount
	const head = "Remind "
	if late := ", " + days + " late"; ansi.StringWidth(head+text+late) <= width {
		text += late
	}
	return t.Faint.Render(head) + text
}
