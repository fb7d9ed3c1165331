package chart

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/theme"
)

// Point is the actual or expected cash on a day. If Unknown is set, the line has a gap there.
type Point struct {
	Day     civil.Date
	Cents   int64
	Unknown bool
}

// Range is the lowest and highest cash that an estimate allows for on a day, in minor units.
type Range struct {
	Day       civil.Date
	Low, High int64
}

// Cash is a picture of cash over time. All points, ranges and days are in the order of their days.
// Fields that are not set are left out of the picture.
//
// Past is joined by a solid line, and Ahead by dashes. Band shades the area between the ranges,
// such as the band of a forecast. Course is a second estimate, drawn as dots; Branches are
// hypothetical alternatives, each drawn as dots with its letter. Points of Past before the day
// PartialBefore are incomplete, and their line has small gaps. Zero is the day on which cash runs
// out.
//
// The labels appear in the legend. The scale ends at the highest amount. It begins at zero, or
// at the lowest amount if that is negative or Near is set, for a picture of a few weeks. If amounts
// are hidden, only the time axis is drawn.
type Cash struct {
	Currency                                      string
	Past, Ahead, Course                           []Point
	Band                                          []Range
	Branches                                      []Branch
	PartialBefore                                 civil.Date
	PastLabel, AheadLabel, CourseLabel, BandLabel string
	Today, Zero                                   civil.Date
	Near                                          bool
}

// Branch is the expected cash in one hypothetical scenario, which Letter identifies. Ahead and Zero
// have the same meaning as in Cash.
type Branch struct {
	Letter rune
	Ahead  []Point
	Zero   civil.Date
}

const (
	cashMinWidth  = 34
	cashMinHeight = 6
)

// Line draws the picture in exactly the given size. If there is no room for it, or no amount is
// known, Line lists the cash at the ends of past months instead.
func (c Cash) Line(t theme.Theme, width, height int) []string {
	table := func() []string { return c.table(t, width, height) }
	return drawSafely(width, height, func() []string {
		if t.Masked {
			return hidden(t, width, height)
		}
		p, known := c.plane()
		if width < cashMinWidth || height < cashMinHeight || !known {
			return table()
		}
		return c.plot(t, p, width, height)
	}, table)
}

// plot draws the legend, the plot beside its scale, the time axis and the labels of the time axis.
func (c Cash) plot(t theme.Theme, p plane, width, height int) []string {
	p.height = height - 3
	labels, labelWidth, ticks := p.labels(t.Faint)
	p.width = width - labelWidth
	lines := []string{c.legend(t, width)}
	for y, line := range c.picture(p, ticks).lines(t) {
		lines = append(lines, labels[y]+line)
	}
	axis, names := c.axis(p)
	margin := strings.Repeat(" ", labelWidth)
	return append(lines, margin+t.Faint.Render(axis), margin+t.Faint.Render(names))
}

// hidden fills the place of a chart whose shape and axis would reveal amounts and the zero-cash
// month.
func hidden(t theme.Theme, width, height int) []string {
	lines := make([]string, height)
	text := ansi.Truncate("Chart hidden with the amounts", width, "…")
	lines[height/2] = strings.Repeat(" ", (width-ansi.StringWidth(text))/2) + t.Faint.Render(text)
	return lines
}

// legend shows each kind of line beside its label. Labels that do not fit are left out.
func (c Cash) legend(t theme.Theme, width int) string {
	legend := ""
	add := func(shown bool, sign, label string) {
		item := sign + " " + label
		if legend != "" {
			item = "  " + item
		}
		if shown && ansi.StringWidth(legend+item) <= width {
			legend += item
		}
	}
	add(true, t.Accent.Render("⠶⠶"), c.PastLabel)
	add(!c.PartialBefore.IsZero(), t.Accent.Render("⠶⠶⠶ ⠶"), "partial")
	add(len(c.Ahead) > 0, t.Caution.Render("⠶ ⠶"), c.AheadLabel)
	add(len(c.Band) > 0, t.Faint.Render(shade+shade), c.BandLabel)
	add(len(c.Course) > 0, t.Caution.Render("⠂ ⠂"), c.CourseLabel)
	if len(c.Branches) > 0 {
		add(true, t.Chip.Render("⠂"+string(c.Branches[0].Letter)+"⠂"), "hypothetical")
	}
	return legend
}

// table draws the date on which cash runs out and, below it, the cash at the ends of past months,
// newest first.
func (c Cash) table(t theme.Theme, width, height int) []string {
	const least = 15 // columns of a month and a short amount
	if width < least {
		return nil
	}
	var lines []string
	if !c.Zero.IsZero() {
		lines = append(lines, t.Caution.Render("zero "+c.Zero.String()[:7]+" (est.)"))
	}
	for _, b := range c.Branches {
		if !b.Zero.IsZero() {
			lines = append(lines, t.Chip.Render(string(b.Letter)+" zero "+b.Zero.String()[:7]))
		}
	}
	for i := len(c.Past) - 1; i >= 0 && len(lines) < height; i-- {
		p := c.Past[i]
		amount := t.Unknown.Render(money.Dash)
		if !p.Unknown {
			amount = money.Short(p.Cents, c.Currency)
			if p.Day.Before(c.PartialBefore) {
				amount = figures.Partial.Sign() + amount
			}
		}
		lines = append(lines, p.Day.String()+"  "+amount)
	}
	return lines
}
