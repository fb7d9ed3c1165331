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
	"tarmac/theme"
)

// Month holds the money in and out in one calendar month, both as positive sums. SoFar says that it
// is the current month. A month with unknown sums is drawn as a dash instead of bars.
type Month struct {
	First   civil.Date
	In, Out figures.Total
	SoFar   bool
}

func (m Month) unknown() bool { return m.In.Unknown && m.Out.Unknown }

// mark returns the symbol that marks incomplete sums, or "" if both sums are complete.
func (m Month) mark() string { return cmp.Or(m.In.Mark(), m.Out.Mark()) }

// Minimum size of the chart of months, in cells. It has room for the legend, two lines of bars, the
// names of the months, and three months beside the scale.
const (
	monthsMinWidth  = 26
	monthsMinHeight = 5
	monthsMinSlot   = 3
	monthsMaxBar    = 6
)

// Months draws two adjacent bars for each month, money in and money out, oldest month first. If not
// all months fit, the oldest are left out. If amounts are hidden, the bars are hidden too.
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
	plotHeight := height - 2
	top := int64(0)
	for _, m := range months {
		top = max(top, m.In.Cents, m.Out.Cents)
	}
	top = max(1, top)
	labels, labelWidth, _ := plane{high: top, height: plotHeight}.labels(t.Faint)
	if !slices.ContainsFunc(months, func(m Month) bool { return !m.unknown() }) {
		labels, labelWidth = make([]string, plotHeight), 0 // no scale, because all sums are unknown
	}
	plotWidth := width - labelWidth
	if surplus := len(months) - plotWidth/monthsMinSlot; surplus > 0 {
		months = months[surplus:]
	}
	slot := plotWidth / len(months)
	bar := min((slot-1)/2, monthsMaxBar)

	plot := barPlot(t, months, slot, bar, plotHeight, top)
	lines := make([]string, 0, height)
	lines = append(lines, monthsLegend(t, months))
	for y, line := range plot {
		lines = append(lines, labels[y]+line)
	}
	return append(lines, strings.Repeat(" ", labelWidth)+t.Faint.Render(monthNames(months, slot, bar)))
}

// barPlot draws the bars. It passes each column of cells to ntcharts as one bar, because ntcharts
// would otherwise put the same gap between the two bars of a month as between two months.
func barPlot(t theme.Theme, months []Month, slot, bar, height int, top int64) []string {
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
				cents = m.In.Cents
			case x < 2*bar:
				cents = m.Out.Cents
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

func monthsLegend(t theme.Theme, months []Month) string {
	legend := t.Inflow.Render("█") + " in (left)  " + t.Outflow.Render("█") + " out (right)"
	if last := months[len(months)-1]; last.SoFar {
		legend += t.Faint.Render("  * " + last.First.String()[:7] + " so far")
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
	const least = len("2026-11  +~$112.4k")
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
