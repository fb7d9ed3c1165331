// Package theme holds the styles of a session as one value, named by meaning: incoming
// money, overdue, selected.
//
// Each session builds its own Theme and passes it down. The default uses the terminal's own
// sixteen colours, so that it stays readable on whatever background the user chose. Colour
// never stands alone: every state also has a sign or a word.
package theme

import "charm.land/lipgloss/v2"

// Theme is a set of styles named by meaning. Styles have no padding, margin or border; the
// caller does the layout.
type Theme struct {
	Name string // one of Names
	Dark bool   // made for a dark background

	Thresholds Thresholds // the limits that RunwayWord and Runway use
	Masked     bool       // amounts are hidden on screens, in copies and in files

	Text   lipgloss.Style // ordinary text in the terminal's colour
	Strong lipgloss.Style // figures and names that matter
	Faint  lipgloss.Style // labels, units and minor details
	Title  lipgloss.Style // a panel's title
	Accent lipgloss.Style // the single most important text
	Border lipgloss.Style // a panel's frame

	Inflow   lipgloss.Style // money in
	Outflow  lipgloss.Style // money out
	Unknown  lipgloss.Style // the dash for an unknown amount
	Good     lipgloss.Style // runway over twelve months, paid
	Caution  lipgloss.Style // stale figures, runway under twelve months
	Warning  lipgloss.Style // runway under six months, overdue
	Critical lipgloss.Style // runway under three months, failures

	// Aging has one style per bucket, from not yet due to over 90 days.
	Aging [5]lipgloss.Style

	Selected  lipgloss.Style // the row under the cursor
	TabOn     lipgloss.Style // the current screen's tab
	TabOff    lipgloss.Style // other tabs
	KeyName   lipgloss.Style // a key in the footer and the help
	KeyDesc   lipgloss.Style // the description of that key
	Cursor    lipgloss.Style // the text cursor
	Highlight lipgloss.Style // a search match
	Chip      lipgloss.Style // an active filter
}

// New returns the default theme for a dark or a light background.
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
