// Package theme holds the styles of the screens, named by their meaning: incoming money, overdue,
// selected.
//
// Each session has a Theme of its own and passes it to its screens. Sessions share the styles. The
// default theme uses the terminal's own sixteen colours, so that text is readable on any background
// that the user has chosen. Colours never carry meaning alone: there is always a sign or a word
// too.
package theme

import (
	"sync"

	"charm.land/lipgloss/v2"
)

// Theme is the styles and settings that every screen needs. A Theme without Styles cannot draw.
type Theme struct {
	Name string // name of the theme, such as "dark"
	Dark bool   // made for a dark background

	Thresholds Thresholds // limits for RunwayWord and Runway
	Masked     bool       // amounts are hidden on screens, in copied text and in exported files
	Colourless bool       // the terminal shows no colours
	ASCII      bool       // the terminal shows ASCII characters only
	Links      bool       // the terminal can open addresses (OSC 8)

	*Styles
}

// Styles are styles named by their meaning. They have no padding, margin or border; layout is up to
// the caller. All Themes of the same colours share them, because they take 16 kB and a session has
// dozens of copies of its Theme. They must not be changed.
type Styles struct {
	Text   lipgloss.Style // ordinary text in the terminal's colour
	Strong lipgloss.Style // important figures and names
	Faint  lipgloss.Style // labels, units and minor details
	Title  lipgloss.Style // title of a panel
	Accent lipgloss.Style // the most important text of a page
	Border lipgloss.Style // frame of a panel

	Inflow   lipgloss.Style // money in
	Outflow  lipgloss.Style // money out
	Muted    lipgloss.Style // blocks of a chart next to coloured ones: burned cash, money not yet due
	Unknown  lipgloss.Style // the dash for an unknown amount
	Good     lipgloss.Style // a comfortable runway, a paid invoice
	Caution  lipgloss.Style // stale figures, a healthy runway
	Warning  lipgloss.Style // a runway rated caution, unconfirmed requests
	Critical lipgloss.Style // a critical runway, failures

	// Aging holds one style per aging bucket, from not yet due to over 90 days past due. Everything
	// that shows how late a payment is uses it; figures.BucketOf returns the bucket of a day.
	Aging [5]lipgloss.Style

	// Area holds the styles of a filled area from its top down, each for an equal part of the
	// chart's height.
	Area []lipgloss.Style

	Selected  lipgloss.Style // the row under the cursor
	TabOn     lipgloss.Style // tab of the current page
	TabOff    lipgloss.Style // tabs of other pages
	KeyName   lipgloss.Style // name of a key in the footer and the help
	KeyDesc   lipgloss.Style // description of a key in the footer and the help
	Cursor    lipgloss.Style // text cursor
	Highlight lipgloss.Style // text that matches a search
	Chip      lipgloss.Style // label of an active filter
}

// New returns the default theme for a dark or a light background.
func New(dark bool) Theme { return Named(Terminal, dark) }

// palette is the colours of a theme with the styles that use them, which are made once for all
// sessions.
type palette struct {
	colours
	styles func() *Styles
}

func newPalette(c colours) *palette {
	return &palette{c, sync.OnceValue(func() *Styles { return newStyles(c) })}
}

func build(name string, dark bool, p *palette) Theme {
	return Theme{Name: name, Dark: dark, Thresholds: DefaultThresholds(), Styles: p.styles()}
}

func newStyles(c colours) *Styles {
	plain := lipgloss.NewStyle()
	s := &Styles{
		Text:   plain,
		Strong: plain.Bold(true),
		Faint:  plain.Faint(true),
		Title:  plain.Bold(true),
		Accent: plain.Bold(true).Foreground(c.accent),
		Border: plain.Foreground(c.border),

		Inflow:   plain.Foreground(c.good),
		Outflow:  plain,
		Muted:    plain.Foreground(c.muted),
		Unknown:  plain.Faint(true),
		Good:     plain.Foreground(c.good),
		Caution:  plain.Foreground(c.caution),
		Warning:  plain.Bold(true).Foreground(c.warning),
		Critical: plain.Bold(true).Foreground(c.critical),

		Selected:  plain.Reverse(true),
		TabOn:     plain.Bold(true).Underline(true).UnderlineSpaces(true).Foreground(c.accent),
		TabOff:    plain,
		KeyName:   plain.Bold(true),
		KeyDesc:   plain.Faint(true),
		Cursor:    plain.Reverse(true),
		Highlight: plain.Underline(true).Bold(true),
		Chip:      plain.Foreground(c.chip),
	}
	for i, colour := range c.aging {
		s.Aging[i] = plain.Foreground(colour)
	}
	for _, colour := range c.area {
		s.Area = append(s.Area, plain.Foreground(colour))
	}
	oldest := len(s.Aging) - 1
	s.Aging[oldest] = s.Aging[oldest].Bold(true)
	return s
}
