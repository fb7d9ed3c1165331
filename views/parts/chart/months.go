package chart

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/NimbleMarkets/ntcharts/v2/barchart"
	"github.com/NimbleMarkets/ntcharts/v2/canvas"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/theme"
)

// Month holds the money in and out in one calendar month, both as positive sums, and the net. SoFar
// says that it is the current month. A month with unknown sums is drawn as a dash instead of bars.
type Month struct {
	First        civil.Date
	In, Out, Net figures.Total
	SoFar        bool
}

func (m Month) unknown() bool { return m.In.Unknown && m.Out.Unknown }

// mark returns the sign of incomplete sums, or "" if both sums are complete.
func (m Month) mark() string { return cmp.Or(m.In.Mark(), m.Out.Mark()).Sign() }

// Minimum size of the chart of months, in cells. It has room for the legend, two lines of bars, the
// names of the months, and three months beside the scale.
const (
	monthsMinWidth  = 26
	monthsMinHeight = 5
	monthsMinSlot   = 3
	monthsMaxBar    = 6
)

// netsMinHeight is the minimum height of the chart of months, in lines, with a line of nets.
const netsMinHeight = 7

// Months draws two adjacent bars for each month, money in and money out, oldest month first, and
// their net below them. If not all months fit, the oldest are left out. If amounts are hidden, the
// bars are hidden too.
func Months(t theme.Theme, months []Month, width, height int) []string {
	table := func() []string { return monthsTable(t, months, width, height) }
	return drawSafely(width, height, func() []string {
		if t.Masked {
			return hidden(t, width, height)
		}
		if width < monthsMinWidth || height < monthsMinHeight || len(months) == 0 {
			return table()
		}
		return monthBars(t, months, width, height)
	}, table)
}

func monthBars(t theme.Theme, months []Month, width, height int) []string {
	l, net, unit := layoutOf(t, months, width, height-3), "", ""
	if height >= netsMinHeight {
		net, unit = nets(t, l.months, l.slot, l.bar)
	}
	if unit == "" {
		l = layoutOf(t, months, width, height-2)
	}
	lines := make([]string, 0, height)
	lines = append(lines, monthsLegend(t, l.months, unit, width))
	for y, line := range barPlot(t, l) {
		lines = append(lines, l.labels[y]+line)
	}
	margin := strings.Repeat(" ", l.labelWidth)
	return append(lines, margin+t.Faint.Render(monthNames(l.months, l.slot, l.bar)), margin+net)
}

// monthsLayout is the arrangement of the bars in a plot of height lines. Each month takes slot
// cells, and each of its two bars the given number of cells. The top of the plot is top minor
// units.
type monthsLayout struct {
	months                        []Month // those that fit
	labels                        []string
	labelWidth, slot, bar, height int
	top                           int64
}

// currencyOf returns the currency of the sums of months.
func currencyOf(months []Month) string {
	for _, m := range months {
		if m.In.Currency != "" {
			return m.In.Currency
		}
	}
	return ""
}

func layoutOf(t theme.Theme, months []Month, width, height int) monthsLayout {
	l := monthsLayout{months: months, height: height, top: 1}
	for _, m := range months {
		l.top = max(l.top, m.In.Minor, m.Out.Minor)
	}
	var ticks map[int]int64
	l.labels, l.labelWidth, ticks = plane{currency: currencyOf(months), high: l.top, height: height}.labels(t.Faint)
	if len(ticks) < 2 && height > 1 && width >= 60 {
		// In a low plot no round amount but zero has a line, so the top gets its amount.
		top, zero := money.ShortRound(l.top, currencyOf(months)), money.ShortRound(0, currencyOf(months))
		l.labelWidth = max(l.labelWidth, ansi.StringWidth(top)+1)
		for y, amount := range map[int]string{0: top, height - 1: zero} {
			l.labels[y] = t.Faint.Render(strings.Repeat(" ", l.labelWidth-1-ansi.StringWidth(amount))+amount) + " "
		}
		for y := range l.labels[1 : height-1] {
			l.labels[1+y] = strings.Repeat(" ", l.labelWidth)
		}
	}
	if !slices.ContainsFunc(months, func(m Month) bool { return !m.unknown() }) {
		l.labels, l.labelWidth = make([]string, height), 0 // no scale, because all sums are unknown
	}
	plotWidth := width - l.labelWidth
	if surplus := len(months) - plotWidth/monthsMinSlot; surplus > 0 {
		l.months = months[surplus:]
	}
	l.slot = plotWidth / len(l.months)
	l.bar = min((l.slot-1)/2, monthsMaxBar)
	return l
}

// barPlot draws the bars. It passes each column of cells to ntcharts as one bar, because ntcharts
// would otherwise put the same gap between the two bars of a month as between two months.
func barPlot(t theme.Theme, l monthsLayout) []string {
	months, slot, bar, height, top := l.months, l.slot, l.bar, l.height, l.top
	c := barchart.New(slot*len(months), height,
		barchart.WithNoAxis(), barchart.WithNoAutoMaxValue(), barchart.WithMaxValue(float64(top)),
		barchart.WithNoAutoBarWidth(), barchart.WithBarWidth(1), barchart.WithBarGap(0))
	// Bars of small amounts get this value, so that they are visible.
	least := float64(top) / float64(height) / 8
	for _, m := range months {
		for x := range slot {
			cents := int64(0)
			switch {
			case x < bar:
				cents = m.In.Minor
			case x < 2*bar:
				cents = m.Out.Minor
			}
			value := 0.0
			if cents > 0 {
				value = max(float64(cents), least)
			}
			c.Push(barchart.BarData{Values: []barchart.BarValue{{Value: value, Style: t.Text}}})
		}
	}
	c.Draw()
	for i, m := range months {
		if m.unknown() {
			c.Canvas.SetRune(canvas.Point{X: i*slot + bar - 1, Y: height - 1}, '—')
		}
	}
	return rows(&c.Canvas, styles(t.Inflow, t.Outflow, t.Unknown), func(x, _ int) int {
		switch {
		case months[x/slot].unknown():
			return 2
		case x%slot < bar:
			return 0
		}
		return 1
	})
}

// monthsLegend explains the bars, the mark of the current month, and the nets below the bars if
// these have a unit. It leaves out what does not fit into width cells.
func monthsLegend(t theme.Theme, months []Month, unit string, width int) string {
	legend := t.Inflow.Render("█ in (left)") + "  " + t.Outflow.Render("█ out (right)")
	var more []string
	if unit != "" {
		more = append(more, "net below in "+unit)
	}
	if last := months[len(months)-1]; last.SoFar {
		more = append(more, "* "+last.First.String()[:7]+" so far")
	}
	for _, text := range more {
		if ansi.StringWidth(legend+"  "+text) <= width {
			legend += t.Faint.Render("  " + text)
		}
	}
	return legend
}

// monthNames returns the line below the bars. It names each pair of bars "Nov", or "N" if space is
// short, and marks the current month and incomplete sums.
func monthNames(months []Month, slot, bar int) string {
	var b strings.Builder
	for _, m := range months {
		name := m.name(slot)
		width := ansi.StringWidth(name)
		lead := min(max(0, (2*bar-width)/2), max(0, slot-width))
		b.WriteString(strings.Repeat(" ", lead) + name + strings.Repeat(" ", max(0, slot-lead-width)))
	}
	return b.String()
}

// name returns the first three letters of the month, followed by its marks. If that does not fit
// into width cells, it returns only the first letter and the marks.
func (m Month) name(width int) string {
	month, marks := m.First.Month().String(), m.mark()
	if m.SoFar {
		marks = "*" + marks
	}
	if 3+ansi.StringWidth(marks) <= width && width > 3 {
		return month[:3] + marks
	}
	return month[:1] + marks
}

// monthsTable draws the months as text, newest first, because old ones may not fit.
func monthsTable(t theme.Theme, months []Month, width, height int) []string {
	const least = 18 // columns of a month and a short sum with its signs
	if width < least {
		return nil
	}
	var lines []string
	for i := len(months) - 1; i >= 0 && len(lines) < height; i-- {
		m := months[i]
		line := fmt.Sprintf("%s  %s", m.First.String()[:7], t.Inflow.Render(signed("+", m.In)))
		if width >= least+12 {
			line += "  " + signed("-", m.Out)
		}
		if m.SoFar && width >= least+20 {
			line += t.Faint.Render("  so far")
		}
		lines = append(lines, line)
	}
	return lines
}

// signed returns a sum with a sign, right-aligned for monthsTable. An unknown sum has no sign.
func signed(sign string, s figures.Total) string {
	text := s.Short()
	if !s.Unknown {
		text = sign + text
	}
	return strings.Repeat(" ", max(0, 9-ansi.StringWidth(text))) + text
}
