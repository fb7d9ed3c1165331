// Package theme holds the looks of a session as one value: what money coming in
// looks like, what is overdue, what is selected.
//
// A Theme is built per session and passed down; there is no current theme. The
// default speaks in the terminal's own sixteen colours, so that whatever the
// person chose for their terminal, dark or light, stays readable. No state is
// told by colour alone: each has a sign or a word beside it.
package theme

import "charm.land/lipgloss/v2"

// Theme is the set of styles by meaning. Styles carry no padding, margin or
// border: layout belongs to whoever draws.
type Theme struct {
	Name string // one of Names
	Dark bool   // what it is for: a dark background or a light one

	Thresholds Thresholds // of the words and styles of a runway
	Masked     bool       // amounts are not to be shown, copied or written

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

// New returns the default theme for a dark or a light background, with the default
// thresholds.
func New(dark bool) Theme { return Named(Terminal, dark) }

func build(name string, dark bool, c colours) Theme {
	plain := lipgloss.NewStyle()
	t := Theme{
		Name: name, Dark: dark, Thresholds: DefaultThresholds(),
		Text:   plain,
		Strong: plain.Bold(true),
		Faint:  plain.Faint(true),
		Title:  plain.Bold(true),
		Accent: plain.Bold(true).Foreground(c.accent),
		Border: plain.Foreground(c.border),

		Inflow:   plain.Foreground(c.good),
		Outflow:  plain,
		Unknown:  plain.Faint(true),
		Good:     plain.Foreground(c.good),
		Caution:  plain.Foreground(c.caution),
		Warning:  plain.Bold(true).Foreground(c.warning),
		Critical: plain.Bold(true).Foreground(c.critical),

		Selected:  plain.Reverse(true),
		TabOn:     plain.Bold(true).Reverse(true),
		TabOff:    plain,
		KeyName:   plain.Bold(true),
		KeyDesc:   plain.Faint(true),
		Cursor:    plain.Reverse(true),
		Highlight: plain.Underline(true).Bold(true),
		Chip:      plain.Foreground(c.chip),
	}
	for i, colour := range c.aging {
		t.Aging[i] = plain.Foreground(colour)
	}
	return t
}
