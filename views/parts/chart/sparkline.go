package chart

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/civil"
	"tarmac/theme"
)

// levels are the characters of a sparkline, from the lowest to the highest.
var levels = [...]string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// Sparkline draws Past, today and Ahead (or Course, if there is no Ahead) in one line of the given
// width, between their first and last months. It returns "" if there is no room, no amount is known
// or amounts are hidden.
func (c Cash) Sparkline(t theme.Theme, width int) string {
	c.Branches, c.Band = nil, nil
	expected := c.Course
	if len(expected) == 0 {
		expected = c.Ahead
	}
	c.Course, c.Ahead = nil, expected
	p, known := c.plane()
	last := p.first.AddDays(p.days)
	left, right := p.first.String()[:7]+" ", " "+last.String()[:7]
	if !c.Zero.IsZero() && c.Zero == last {
		right = " zero" + right + " (est.)"
	}
	p.width = width - ansi.StringWidth(left+right)
	if !known || t.Masked || p.width < 8 {
		return ""
	}
	var past, ahead strings.Builder
	for x := range p.width {
		day := p.first.AddDays(p.days * x / (p.width - 1))
		switch today := p.column(c.Today); {
		case x == today:
			past.WriteString("┊")
		case x < today:
			past.WriteString(p.level(c.Past, day))
		default:
			ahead.WriteString(p.level(c.Ahead, day))
		}
	}
	return t.Faint.Render(left) + t.Accent.Render(past.String()) + t.Caution.Render(ahead.String()) +
		t.Faint.Render(right)
}

// level returns the character for the amount on a day, or a space if that amount is unknown.
func (p plane) level(points []Point, day civil.Date) string {
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if day.Before(a.Day) || day.After(b.Day) {
			continue
		}
		if a.Unknown || b.Unknown {
			return " "
		}
		cents := between(a.Cents, b.Cents, float64(day.DaysSince(a.Day))/float64(max(1, b.Day.DaysSince(a.Day))))
		share := (cents - float64(p.low)) / (float64(p.high) - float64(p.low))
		return levels[int(math.Round(min(1, max(0, share))*float64(len(levels)-1)))]
	}
	return " "
}
