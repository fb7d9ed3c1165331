// Package theme holds the looks of a session as one value: what money coming in
// looks like, what is overdue, what is selected.
//
// A Theme is built per session and passed down; there is no current theme. The
// default speaks in the terminal's own sixteen colours, so that whatever the
// person chose for their terminal, dark or light, stays readable. No state is
// told by colour alone: each has a sign or a word beside it.
package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// Theme is the set of styles by meaning. Styles carry no padding, margin or
// border: layout belongs to whoever draws.
type Theme struct {
	Dark bool

	Text   lipgloss.Style // ordinary text: the terminal's own
	Strong lipgloss.Style // figures and names that matter
	Faint  lipgloss.Style // labels, units, what can be skipped
	Title  lipgloss.Style // a panel's title
	Accent lipgloss.Style // the one thing to look at
	Border lipgloss.Style // a panel's frame

	Inflow   lipgloss.Style // money in
	Outflow  lipgloss.Style // money out
	Unknown  lipgloss.Style // the dash for an amount nobody knows
	Good     lipgloss.Style // comfortable: runway over twelve months, paid
	Caution  lipgloss.Style // look at this: stale figures, runway under twelve months
	Warning  lipgloss.Style // act on this: runway under six months, overdue
	Critical lipgloss.Style // now: runway under three months, failures

	// Aging has one style for each bucket, from not yet due to over ninety days.
	Aging [5]lipgloss.Style

	Selected  lipgloss.Style // the row under the cursor
	TabOn     lipgloss.Style // the screen that is shown
	TabOff    lipgloss.Style // the others
	KeyName   lipgloss.Style // a key in the footer and the help
	KeyDesc   lipgloss.Style // what it does
	Cursor    lipgloss.Style // where typed text goes
	Highlight lipgloss.Style // what a search has found
	Chip      lipgloss.Style // a filter that is in force
}

// New returns the theme in the terminal's own sixteen colours, for a dark or a
// light background. Yellow and the bright colours cannot be read on white, so
// light takes the plain ones.
func New(dark bool) Theme {
	pick := lipgloss.LightDark(dark)
	tone := func(light, dark int) color.Color {
		return pick(lipgloss.ANSIColor(light), lipgloss.ANSIColor(dark))
	}
	plain := lipgloss.NewStyle()
	green, red := tone(2, 10), tone(1, 9)
	blue, cyan := tone(4, 12), tone(6, 14)
	yellow, magenta := tone(3, 11), tone(5, 13)

	t := Theme{
		Dark:   dark,
		Text:   plain,
		Strong: plain.Bold(true),
		Faint:  plain.Faint(true),
		Title:  plain.Bold(true),
		Accent: plain.Bold(true).Foreground(cyan),
		Border: plain.Foreground(lipgloss.ANSIColor(8)),

		Inflow:   plain.Foreground(green),
		Outflow:  plain,
		Unknown:  plain.Faint(true),
		Good:     plain.Foreground(green),
		Caution:  plain.Foreground(yellow),
		Warning:  plain.Bold(true).Foreground(magenta),
		Critical: plain.Bold(true).Foreground(red),

		Selected:  plain.Reverse(true),
		TabOn:     plain.Bold(true).Reverse(true),
		TabOff:    plain,
		KeyName:   plain.Bold(true),
		KeyDesc:   plain.Faint(true),
		Cursor:    plain.Reverse(true),
		Highlight: plain.Underline(true).Bold(true),
		Chip:      plain.Foreground(blue),
	}
	for i, c := range []color.Color{green, cyan, yellow, magenta, red} {
		t.Aging[i] = plain.Foreground(c)
	}
	return t
}

// Runway returns the style for a runway of so many tenths of a month, by the
// thresholds of 12, 6 and 3 months.
func (t Theme) Runway(tenths int64) lipgloss.Style {
	switch RunwayWord(tenths) {
	case "comfortable":
		return t.Good
	case "healthy":
		return t.Caution
	case "caution":
		return t.Warning
	}
	return t.Critical
}

// RunwayWord says in a word what a runway of so many tenths of a month means:
// twelve months and more are comfortable, six healthy, three call for caution, less
// is critical.
func RunwayWord(tenths int64) string {
	switch {
	case tenths >= 120:
		return "comfortable"
	case tenths >= 60:
		return "healthy"
	case tenths >= 30:
		return "caution"
	}
	return "critical"
}
