package chart

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/theme"
	"tarmac/views/parts/mark"
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
// Past is the top of a filled area, or a bold line if an amount is negative. Ahead is a thin line.
// Two faint lines join the ends of Band,
// such as the range of a forecast. Course is a second estimate, drawn as dots; Branches are
// hypothetical alternatives, drawn as dashes that end in the letter. Points of Past before the day
// PartialBefore are incomplete. Zero is the day on which cash runs out.
//
// The scale ends at the highest amount. It begins at zero, or at the lowest amount if that is
// negative. Its unit belongs into the title (Unit). If amounts are hidden, only the
// time axis is drawn.
type Cash struct {
	Currency            string
	Past, Ahead, Course []Point
	Band                []Range
	Branches            []Branch
	PartialBefore       civil.Date
	Today, Zero         civil.Date
}

// Unit returns the unit of the amounts beside the picture, such as "$M". It returns "" if no past
// amount is known.
func (c Cash) Unit() string {
	p, known := c.plane()
	if !known {
		return ""
	}
	return p.scale.Unit
}

// Branch is the expected cash by a plan or a case of it, which Letter identifies. Ahead and Zero
// have the same meaning as in Cash.
type Branch struct {
	Letter rune
	Ahead  []Point
	Zero   civil.Date
}

const (
	cashMinWidth  = 34
	cashMinHeight = 4
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

// plot draws the plot beside its scale, the time axis and the labels of the time axis.
func (c Cash) plot(t theme.Theme, p plane, width, height int) []string {
	p.height = height - 1
	if len(c.Branches) > 0 {
		p.height-- // for the marks of the branches
	}
	labels, labelWidth, ticks := p.labels(t.Faint)
	p.width = width - labelWidth
	lines := make([]string, 0, height)
	for y, line := range c.picture(p, ticks).lines(t) {
		lines = append(lines, labels[y]+line)
	}
	axis, names := c.axis(p)
	margin := strings.Repeat(" ", labelWidth)
	if len(c.Branches) > 0 {
		lines = append(lines, margin+t.Faint.Render(axis))
	}
	if zero := strings.Index(names, "▼"); zero >= 0 {
		end := zero + len("▼ ") + len("Dec 2027")
		marked := t.Faint.Render(names[:zero]) + t.Caution.Render(names[zero:end]) + t.Faint.Render(names[end:])
		return append(lines, margin+marked)
	}
	return append(lines, margin+t.Faint.Render(names))
}

// hidden fills the place of a chart whose shape and axis would reveal amounts and the zero-cash
// month.
func hidden(t theme.Theme, width, height int) []string {
	lines := make([]string, height)
	text := ansi.Truncate("Chart hidden with the amounts", width, "…")
	lines[height/2] = strings.Repeat(" ", (width-ansi.StringWidth(text))/2) + t.Faint.Render(text)
	return lines
}

// table draws the date on which cash runs out and, below it, the cash at the ends of past months,
// newest first.
func (c Cash) table(t theme.Theme, width, height int) []string {
	const least = 21 // columns of a day, a short amount and the mark
	if width < least {
		return nil
	}
	var lines []string
	if !c.Zero.IsZero() {
		lines = append(lines, t.Caution.Render("▼ "+monthName(c.Zero, 0)+" (est.)"))
	}
	for _, b := range c.Branches {
		if !b.Zero.IsZero() {
			lines = append(lines, t.Chip.Render(string(b.Letter)+" ▼ "+monthName(b.Zero, 0)))
		}
	}
	for i := len(c.Past) - 1; i >= 0 && len(lines) < height; i-- {
		p := c.Past[i]
		amount := t.Unknown.Render(money.Dash)
		if !p.Unknown {
			amount = money.Short(p.Cents, c.Currency) + mark.Behind(t, p.Day.Before(c.PartialBefore))
		}
		lines = append(lines, p.Day.String()+"  "+amount)
	}
	return lines
}
