package chart

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/theme"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/panel"
)

// Month holds the money in and out in one calendar month, both as positive sums, and the net. SoFar
// says that it is the current month. A month with unknown sums is drawn as a dash instead of bars.
type Month struct {
	First        civil.Date
	In, Out, Net figures.Total
	SoFar        bool
}

func (m Month) unknown() bool { return m.In.Unknown && m.Out.Unknown }

func (m Month) netUnknown() bool { return m.Net.Unknown || m.unknown() }

// lacks reports whether a sum of the month leaves something out.
func (m Month) lacks() bool { return cmp.Or(m.In.Mark(), m.Out.Mark()) != figures.NoMark }

// AllLack reports whether several months are known, and all of them leave something out. Their
// title has the mark then, and their names have none.
func AllLack(months []Month) bool {
	known, lacking := 0, 0
	for _, m := range months {
		if !m.unknown() {
			known++
		}
		if m.lacks() {
			lacking++
		}
	}
	return lacking > 1 && lacking == known
}

// Minimum size of the chart of months, in cells. It has room for two lines of bars, the names of
// the months, and three months beside the scale.
const (
	monthsMinWidth  = 26
	monthsMinHeight = 4
	monthsMinSlot   = 3
	monthsMaxBar    = 6
)

// netsMinHeight is the minimum height of the chart of months, in lines, with a line of nets.
const netsMinHeight = 5

// MonthsUnit returns the unit of the amounts in the chart of months, such as "$k". It returns "" if
// no sum is known.
func MonthsUnit(months []Month) string { return scaleOf(months, pairs).Unit }

// MoneyOutUnit is MonthsUnit for the chart of money out.
func MoneyOutUnit(months []Month) string { return scaleOf(months, moneyOut).Unit }

// scaleOf returns the scale in which each sum that has a bar has at most four digits.
func scaleOf(months []Month, kind monthsKind) money.Scale {
	largest, currency := int64(0), ""
	for _, m := range months {
		if !m.Out.Unknown {
			largest, currency = max(largest, m.Out.Minor), m.Out.Currency
		}
		if !m.In.Unknown && kind == pairs {
			largest, currency = max(largest, m.In.Minor), m.In.Currency
		}
	}
	if currency == "" {
		return money.Scale{}
	}
	return money.ScaleOf(largest, currency, 4, 1)
}

// Months draws two adjacent bars for each month, money in and money out, oldest month first, and
// their net below them. If not all months fit, the oldest are left out. If amounts are hidden, the
// bars are hidden too.
func Months(t theme.Theme, months []Month, width, height int) []string {
	return drawMonths(t, months, width, height, pairs)
}

// MoneyOut draws one column for each month, as high as the money out: the lower part was paid by
// the month's income, the upper part was burned from cash. The burn is below it, or the net where
// a month has more money in than out. Otherwise it is like Months.
func MoneyOut(t theme.Theme, months []Month, width, height int) []string {
	return drawMonths(t, months, width, height, moneyOut)
}

// MonthsLegend returns what the bars of Months are, with their styles.
func MonthsLegend(t theme.Theme) string {
	return t.Inflow.Render(PartSign(t, 0)) + t.Faint.Render(" in ") +
		t.Muted.Render(PartSign(t, 1)) + t.Faint.Render(" out")
}

// MoneyOutLegend returns what the parts of the columns of MoneyOut are, with their styles.
func MoneyOutLegend(t theme.Theme) string {
	return t.Inflow.Render(PartSign(t, 0)) + t.Faint.Render(" paid by income ") +
		t.Muted.Render(PartSign(t, 1)) + t.Faint.Render(" burned")
}

func drawMonths(t theme.Theme, months []Month, width, height int, kind monthsKind) []string {
	table := func() []string { return monthsTable(t, months, width, height) }
	return drawSafely(width, height, func() []string {
		if t.Masked {
			return hidden(t, width, height)
		}
		if width < monthsMinWidth || height < monthsMinHeight || len(months) == 0 {
			return table()
		}
		return monthBars(t, months, width, height, kind)
	}, table)
}

// monthsKind says which bars a month has.
type monthsKind int

const (
	pairs monthsKind = iota
	moneyOut
)

// bars returns the columns of a month, from left to right, with the parts of each.
func (k monthsKind) bars(m Month) [][]int64 {
	in, out := max(0, m.In.Minor), max(0, m.Out.Minor)
	if k == moneyOut {
		return [][]int64{{min(in, out), out - min(in, out)}}
	}
	return [][]int64{{in, 0}, {0, out}}
}

// width returns the number of bars of a month, and the width of each if a month has slot cells.
func (k monthsKind) width(slot int) (bars, width int) {
	if k == moneyOut {
		return 1, max(1, min(slot-1, slot*2/3))
	}
	return 2, min((slot-1)/2, monthsMaxBar)
}

// label names the line of nets.
func (k monthsKind) label(months []Month) string {
	if k == moneyOut && !slices.ContainsFunc(months, func(m Month) bool { return m.Net.Minor > 0 }) {
		return "burn"
	}
	return "net"
}

func monthBars(t theme.Theme, months []Month, width, height int, kind monthsKind) []string {
	l := layoutOf(t, months, width, height-2, kind)
	net := ""
	if height >= netsMinHeight {
		net = nets(t, l)
	}
	if net == "" {
		l = layoutOf(t, months, width, height-1, kind)
	}
	lines := make([]string, 0, height)
	for y, line := range barPlot(t, l) {
		lines = append(lines, l.labels[y]+line)
	}
	margin := strings.Repeat(" ", l.labelWidth)
	lines = append(lines, margin+monthNames(t, l))
	if net == "" {
		return lines
	}
	label := kind.label(l.months)
	if ansi.StringWidth(label) >= l.labelWidth {
		label = ""
	}
	return append(lines, t.Faint.Render(label)+margin[len(label):]+net)
}

// monthsLayout is the arrangement of the bars in a plot of height lines. Each month takes slot
// cells, its bars the first wide of them, and each bar the given number of cells. The top of the
// plot is top minor units.
type monthsLayout struct {
	kind                                monthsKind
	months                              []Month // those that fit
	scale                               money.Scale
	labels                              []string
	labelWidth, slot, bar, wide, height int
	top                                 int64
}

func layoutOf(t theme.Theme, months []Month, width, height int, kind monthsKind) monthsLayout {
	l := monthsLayout{kind: kind, months: months, scale: scaleOf(months, kind), height: height, top: 1}
	for _, m := range months {
		l.top = max(l.top, m.Out.Minor)
		if kind == pairs {
			l.top = max(l.top, m.In.Minor)
		}
	}
	l.labels = make([]string, height)
	if l.scale.Unit != "" {
		l.label(t)
	}
	plotWidth := width - l.labelWidth
	if surplus := len(months) - plotWidth/monthsMinSlot; surplus > 0 {
		l.months = months[surplus:]
	}
	l.slot = plotWidth / len(l.months)
	count, bar := kind.width(l.slot)
	l.bar, l.wide = bar, count*bar
	return l
}

// label sets the labels of the scale: round amounts, or the highest amount in a plot that is too
// low for one beside zero.
func (l *monthsLayout) label(t theme.Theme) {
	var ticks map[int]int64
	p := plane{currency: l.currency(), scale: l.scale, high: l.top, height: l.height}
	l.labels, l.labelWidth, ticks = p.labels(t.Faint)
	if len(ticks) < 2 {
		top := l.scale.Text(l.top)
		l.labelWidth = ansi.StringWidth(top) + 1
		for y := range l.labels {
			l.labels[y] = strings.Repeat(" ", l.labelWidth)
		}
		l.labels[0] = t.Faint.Render(top) + " "
	}
	if pad := len(l.kind.label(l.months)+" ") - l.labelWidth; pad > 0 {
		l.labelWidth += pad
		for y := range l.labels {
			l.labels[y] = strings.Repeat(" ", pad) + l.labels[y]
		}
	}
}

// currency returns the currency of the sums.
func (l *monthsLayout) currency() string {
	for _, m := range l.months {
		if m.In.Currency != "" {
			return m.In.Currency
		}
	}
	return ""
}

// barPlot draws the bars, one line after the other. An unknown month has a dash.
func barPlot(t theme.Theme, l monthsLayout) []string {
	lines, gap := make([]string, l.height), strings.Repeat(" ", l.slot-l.wide)
	for _, m := range l.months {
		drawn := panel.Box(nil, l.wide, l.height)
		if m.unknown() {
			drawn[l.height-1] = strings.Repeat(" ", (l.wide-1)/2) + t.Unknown.Render(money.Dash) + strings.Repeat(" ", l.wide/2)
		} else {
			bars := stack{columns: l.kind.bars(m), styles: styles(t.Inflow, t.Muted), top: l.top, bar: l.bar, slot: l.bar}
			drawn = bars.lines(t, l.height)
		}
		for y := range lines {
			lines[y] += drawn[y] + gap
		}
	}
	return lines
}

// monthNames returns the line below the bars. It names each pair of bars "Nov", or "N" if space is
// short. The mark follows incomplete sums.
func monthNames(t theme.Theme, l monthsLayout) string {
	var b strings.Builder
	all := AllLack(l.months)
	for _, m := range l.months {
		name := m.name(l.slot)
		lead := l.lead(ansi.StringWidth(name))
		marked := ""
		if room := l.slot - lead - ansi.StringWidth(name); m.lacks() && !all && room > 0 {
			marked = mark.Behind(t, true)
			if room < 3 {
				marked = t.Faint.Render(mark.Sign)
			}
		}
		b.WriteString(strings.Repeat(" ", lead) + t.Faint.Render(name) + marked)
		b.WriteString(strings.Repeat(" ", max(0, l.slot-lead-ansi.StringWidth(name+marked))))
	}
	return b.String()
}

// lead returns the number of blanks before a text of the given width that is centred below a pair
// of bars.
func (l *monthsLayout) lead(width int) int {
	return min(max(0, (l.wide-width)/2), max(0, l.slot-width))
}

// name returns the first three letters of the month. If they do not fit with two blanks behind
// them, it returns only the first letter.
func (m Month) name(slot int) string {
	name := m.First.Month().String()
	if slot < 5 {
		return name[:1]
	}
	return name[:3]
}

// soFar follows the name of a month that is not over.
const soFar = " so far"

// NameSoFar names a month that is not over, such as "Nov so far".
func NameSoFar(month civil.Date) string { return month.Month().String()[:3] + soFar }

// SoFar names the month of a chart that is not over. It returns "" if all are.
func SoFar(months []Month) string {
	if n := len(months); n > 0 && months[n-1].SoFar {
		return NameSoFar(months[n-1].First)
	}
	return ""
}

// nets returns the line with the net of each month below its bars. It returns "" if no net is
// known, or if one does not fit with a space beside it.
func nets(t theme.Theme, l monthsLayout) string {
	var b strings.Builder
	known := false
	for _, m := range l.months {
		text, style := money.Dash, t.Unknown
		if !m.netUnknown() && l.scale.Unit != "" {
			text, style, known = l.scale.Text(m.Net.Minor), t.Outflow, true
			if l.kind.label(l.months) == "burn" {
				text = strings.TrimPrefix(text, "-")
			}
			if m.Net.Minor > 0 && text != "0" {
				text, style = "+"+text, t.Inflow
			}
		}
		width := ansi.StringWidth(text)
		if width >= l.slot {
			return ""
		}
		lead := l.lead(width)
		b.WriteString(strings.Repeat(" ", lead) + style.Render(text) + strings.Repeat(" ", l.slot-lead-width))
	}
	if !known {
		return ""
	}
	return b.String()
}

// monthsTable draws the months as text, newest first, because old ones may not fit.
func monthsTable(t theme.Theme, months []Month, width, height int) []string {
	const least = 19 // columns of a month, a short sum with its sign and the mark
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
		line += mark.Behind(t, m.lacks())
		if m.SoFar && width >= least+20 {
			line += t.Faint.Render(" " + soFar)
		}
		lines = append(lines, line)
	}
	return lines
}

// signed returns a sum with a sign, right-aligned for monthsTable. An unknown sum has no sign.
func signed(sign string, s figures.Total) string {
	text := figures.Unmarked(s.Short())
	if !s.Unknown {
		text = sign + text
	}
	return strings.Repeat(" ", max(0, 9-ansi.StringWidth(text))) + text
}
