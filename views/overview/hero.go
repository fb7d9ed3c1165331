package overview

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/client/why"
	"tarmac/internal/termtext"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/panel"
)

// Minimum size, in cells, of a page that begins with how long the cash lasts in large digits, next
// to a chart of cash. Smaller pages begin with sentences.
const heroWidth, heroHeight = 80, 21

// lead is the arrangement of the top of such a page: the text at the left, and the chart.
type lead struct{ text, gap, chart, height int }

// leadOf arranges the top of a page.
func leadOf(width, height int) lead {
	l := lead{text: 44, gap: 2, height: 6}
	if height >= 30 {
		l.height = 9
	}
	if width >= 110 {
		l.text, l.gap = 46, 3
	}
	l.chart = width - l.text - l.gap
	return l
}

// leadSentences returns how many lines of sentences fit, below the digits if there are any.
func (s *Screen) leadSentences(l lead) int {
	if _, ok := s.digits(); !ok {
		return l.height
	}
	if l.height > chart.DigitLines+3 {
		return l.height - chart.DigitLines - 1
	}
	return l.height - chart.DigitLines
}

// digits returns the months of cash in large digits. It returns false if they are unknown, hidden,
// used up or a range, and on a terminal without block characters: only the sentences say it then.
func (s *Screen) digits() (lines [chart.DigitLines]string, ok bool) {
	c, known := s.data.CashFigures()
	if !known || c.Runway == nil || c.IsUsedUp() || c.Mark() == figures.Unanswered || s.theme.Masked || s.theme.ASCII {
		return lines, false
	}
	return chart.Digits(c.Runway.String())
}

// drawLead draws how long the cash lasts and what changed, next to a chart of cash.
func (s *Screen) drawLead(l lead) []string {
	var text []string
	t := s.theme
	if digits, ok := s.digits(); ok {
		c, _ := s.data.CashFigures()
		tenths := c.Runway.Tenths()
		until := ""
		if day, ok := c.ZeroDay(); ok {
			until = "until " + day.Month().String() + " " + strconv.Itoa(day.Year())
		}
		facts := [...]string{
			t.Strong.Render("months of cash") + mark.Behind(t, c.Mark() != figures.NoMark), t.Text.Render(until),
			t.Runway(tenths).Render("● "+t.RunwayWord(tenths)) + t.Faint.Render(s.trend(tenths)),
		}
		for y, line := range digits {
			text = append(text, " "+t.Accent.Render(line)+"  "+facts[y])
		}
		if s.leadSentences(l) < l.height-len(text) {
			text = append(text, "")
		}
	}
	text = append(text, s.answers.Lines()...)
	if c, ok := s.data.CashFigures(); ok && l.height-len(text) > 1 && c.Runway != nil && !t.Masked {
		text = append(text, "", t.Faint.Render(termtext.Fit(division(c), l.text)))
	}
	picture := s.cashPicture(l.chart, l.height)
	return panel.Beside(panel.Box(text, l.text, l.height), panel.Box(nil, l.gap, l.height), picture)
}

// trendMonths is the number of full months over which the runway is compared.
const trendMonths = 3

// trend says how long the cash lasted three full months ago, such as ", 17.5 in Aug". It returns
// "" if that is unknown, or if it differs by less than half a month.
func (s *Screen) trend(tenths int64) string {
	c, _ := s.data.CashFigures()
	day, _ := c.KnownTo()
	month := day.FirstOfMonth().AddMonths(-trendMonths)
	then, known := s.answers.Left(month)
	const least = 5
	if by := then.Tenths() - tenths; !known || by > -least && by < least {
		return ""
	}
	return ", " + then.String() + " in " + month.Month().String()[:3]
}

// division says from which figures the runway follows.
func division(c figures.Cash) string {
	if c.Spendable.Unknown || c.NetBurn.Unknown {
		return ""
	}
	text := figures.Unmarked(c.Spendable.Short()) + " ÷ " + figures.Unmarked(c.NetBurn.Short()) + " burn a month"
	if months := c.BurnMonths(); months != "" {
		text += " (" + months + ")"
	}
	return text
}

// cashPicture draws the cash of the last months, and today's burn going on to zero.
func (s *Screen) cashPicture(width, height int) []string {
	of := chart.CacheKey{
		Width: width, Height: height, Loaded: [2]time.Time{s.data.Months.LoadedAt(), s.data.Cash.LoadedAt()},
	}
	return s.picture.Lines(of, func() []string {
		c, known := s.data.CashFigures()
		if !known {
			return panel.Box(nil, width, height)
		}
		line, ok := chart.CashOf(c, s.months())
		if !ok {
			return panel.Box(nil, width, height)
		}
		return line.Line(s.theme, width, height)
	})
}

// changesPanel draws why the last full month differs from the one before: a bar for each part if
// there is room, or else a sentence.
func (s *Screen) changesPanel(f *panel.Frame) bool {
	sentence, ok := s.answers.About(why.Worse)
	if !ok || s.theme.Masked {
		return false
	}
	head, _, _ := strings.Cut(sentence.Text, ": ")
	f.Title = "Why " + strings.TrimSuffix(head, ".")
	brief, _, _ := strings.Cut(f.Title, " than ")
	f.Briefs = []string{brief}
	f.Body = func(width, height int) []string {
		if parts := sentence.Figures[1:]; width <= bridgeMost && height >= len(parts) && len(parts) > 0 {
			return s.bridge(parts, width)
		}
		return s.reasons(sentence.Parts, width, height)
	}
	return true
}

// reasons draws as many parts of a change as fit, the largest first, and how many there are beyond.
// Where not all fit, they go without what is in parentheses, such as the rhythm of payments.
func (s *Screen) reasons(parts []string, width, height int) []string {
	if all := strings.Join(parts, ", ") + "."; len(fact.WrapIn(s.theme, s.theme.Text, all, width)) > height {
		parts = slices.Clone(parts)
		for i, part := range parts {
			if at := strings.LastIndex(part, " ("); at > 0 && !strings.HasPrefix(part, why.NoPayment) {
				parts[i] = part[:at]
			}
		}
	}
	draw := func(text string) []string { return fact.WrapIn(s.theme, s.theme.Text, text, width) }
	for n := len(parts); n > 0; n-- {
		text := strings.Join(parts[:n], ", ") + "."
		if left := len(parts) - n; left > 0 {
			text = fmt.Sprintf("%s and %d more.", strings.Join(parts[:n], ", "), left)
		}
		if lines := draw(text); len(lines) <= height || n == 1 {
			return fact.FirstLines(s.theme, lines, height)
		}
	}
	return nil
}

// bridgeMost is the largest width of bars beside their names; a wider panel has a sentence.
const bridgeMost = 76

// bridge draws a line for each part of a change: its name, a bar to the left or right, and the
// amount.
func (s *Screen) bridge(parts []why.Figure, width int) (lines []string) {
	t, largest, widest := s.theme, int64(0), 0
	amounts := make([]string, len(parts))
	for i, p := range parts {
		amounts[i] = figures.Unmarked(p.Total.Short())
		largest, widest = max(largest, p.Total.Minor, -p.Total.Minor), max(widest, ansi.StringWidth(amounts[i]))
	}
	bar := min(21, width/3)
	for i, p := range parts {
		style := t.Muted
		if p.Total.Minor > 0 {
			style = t.Inflow
		}
		name := termtext.Fit(p.Name, width-bar-widest-2)
		lines = append(lines, name+" "+style.Render(chart.Signed(p.Total.Minor, largest, bar))+
			strings.Repeat(" ", 1+widest-ansi.StringWidth(amounts[i]))+amounts[i])
	}
	return lines
}
