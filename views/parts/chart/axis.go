package chart

import (
	"strconv"
	"strings"

	"tarmac/internal/civil"
)

// axis returns the line of labels below the plot, and the axis between them with the marks of the
// branches. The months in which cash runs out and the current day are labelled first, then as many
// other months as fit.
func (c Cash) axis(p plane) (axis, names string) {
	line, text := []rune(strings.Repeat("─", p.width)), []rune(strings.Repeat(" ", p.width))
	taken := make([]bool, p.width+1)
	put := func(d civil.Date, label string, tick rune) bool {
		x := p.column(d)
		word := []rune(label)
		start := max(0, min(x-len(word)/2, p.width-len(word)))
		end := start + len(word)
		if end > p.width {
			return false
		}
		for i := max(0, start-1); i < min(p.width, end+1); i++ {
			if taken[i] {
				return false
			}
		}
		for i, r := range word {
			text[start+i], taken[start+i] = r, true
		}
		line[x] = tick
		return true
	}
	if !c.Zero.IsZero() {
		put(c.Zero, "▼ "+monthName(c.Zero, 0), '▼')
	}
	for _, b := range c.Branches {
		if !b.Zero.IsZero() {
			put(b.Zero, string(b.Letter)+" "+monthName(b.Zero, 0), '▼')
		}
	}
	put(c.Today, "today", '┴')
	step := monthStep(p)
	for m := p.first.FirstOfMonth(); p.days > 0; m = m.AddMonths(step) {
		if m.DaysSince(p.first) > p.days {
			break
		}
		year := 0
		if away := m.MonthsSince(c.Today); -12 < away && away < 12 {
			year = m.Year() // a month less than a year away needs no year
		}
		if !m.Before(p.first) {
			put(m, monthName(m, year), '┴')
		}
	}
	c.marks(p, line)
	return string(line), string(text)
}

// monthName names a month, such as "Oct", or "Oct 2025" if it isn't in the given year.
func monthName(d civil.Date, year int) string {
	name := d.Month().String()[:3]
	if d.Year() != year {
		name += " " + strconv.Itoa(d.Year())
	}
	return name
}

// monthStep returns how many months apart the labels of the time axis must be so that they do not
// touch.
func monthStep(p plane) int {
	for _, step := range [...]int{1, 2, 3, 4, 6, 12, 24, 60, 120} {
		if step*30*p.width/p.days >= len("Oct")+2 {
			return step
		}
	}
	return 1200
}
