package chart

import (
	"strings"

	"tarmac/internal/civil"
)

// axis returns the time axis with its ticks, and the line of labels below it. The months in which
// cash runs out and the current day are labelled first, then as many other months as fit.
func (c Cash) axis(p plane) (axis, names string) {
	line, text := []rune(strings.Repeat("─", p.width)), []rune(strings.Repeat(" ", p.width))
	taken := make([]bool, p.width+1)
	put := func(d civil.Date, label string, tick rune) {
		x := p.column(d)
		word := []rune(label)
		start := max(0, min(x-len(word)/2, p.width-len(word)))
		end := start + len(word)
		if end > p.width {
			return
		}
		for i := max(0, start-1); i < min(p.width, end+1); i++ {
			if taken[i] {
				return
			}
		}
		for i, r := range word {
			text[start+i], taken[start+i] = r, true
		}
		line[x] = tick
	}
	if !c.Zero.IsZero() {
		put(c.Zero, "zero "+c.Zero.String()[:7]+" (est.)", '▼')
	}
	for _, b := range c.Branches {
		if !b.Zero.IsZero() {
			put(b.Zero, string(b.Letter)+" "+b.Zero.String()[:7], '▼')
		}
	}
	put(c.Today, "today", '┴')
	step := monthStep(p)
	for m := p.first.FirstOfMonth(); p.days > 0; m = m.AddMonths(step) {
		if m.DaysSince(p.first) > p.days {
			break
		}
		if !m.Before(p.first) {
			put(m, m.String()[:7], '┴')
		}
	}
	c.marks(p, line)
	return string(line), string(text)
}

// monthStep returns how many months apart the labels of the time axis must be so that they do not
// touch.
func monthStep(p plane) int {
	for _, step := range [...]int{1, 2, 3, 6, 12, 24, 60, 120} {
		if step*30*p.width/p.days >= len("2026-11")+2 {
			return step
		}
	}
	return 1200
}
