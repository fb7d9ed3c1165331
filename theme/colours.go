package theme

import (
	"image/color"
	"strconv"

	"charm.land/lipgloss/v2"
)

// Names of the themes. Terminal uses the sixteen colours of the terminal. Dark and Light use fixed
// colours for a dark and a light background. ColourBlind does not distinguish by red and green:
// good is blue, warnings are yellow and orange.
const (
	Terminal    = "terminal"
	Dark        = "dark"
	Light       = "light"
	ColourBlind = "colour-blind"
)

// Names returns the names of all themes. The default comes first.
func Names() []string { return []string{Terminal, Dark, Light, ColourBlind} }

// Named returns the theme with the given name. For an unknown name it returns Terminal. The
// parameter dark says that the terminal has a dark background; the themes Dark and Light ignore it.
func Named(name string, dark bool) Theme {
	switch name {
	case Dark:
		return build(name, true, darkColours)
	case Light:
		return build(name, false, lightColours)
	case ColourBlind:
		if dark {
			return build(name, true, blueOrangeOnDark)
		}
		return build(name, false, blueOrangeOnLight)
	}
	if dark {
		return build(Terminal, true, terminalOnDark)
	}
	return build(Terminal, false, terminalOnLight)
}

// colours is the palette of a theme.
type colours struct {
	good, caution, warning, critical color.Color
	accent, chip, border, muted      color.Color
	// aging goes from not due to over 90 days past due: no step is green, and each step is darker
	// and warmer than the step before.
	aging [5]color.Color
	area  []color.Color // from the top down
}

// shadesOf returns the colours of a filled area from its top to its bottom.
func shadesOf(top, bottom string) []color.Color {
	const steps = 8
	return lipgloss.Blend1D(steps, rgb(top), rgb(bottom))
}

// ansi returns the colour with number n of the terminal's sixteen. Its escape sequence takes half
// the bytes of one from the 256-colour palette.
func ansi(n int) color.Color { return lipgloss.Color(strconv.Itoa(n)) }

var rgb = lipgloss.Color

// Yellow and the bright colours are hard to read on white, so light backgrounds get the plain
// colours.
var (
	terminalOnDark = newPalette(colours{
		good: ansi(10), caution: ansi(11), warning: ansi(13), critical: ansi(9), accent: ansi(14), chip: ansi(12),
		border: ansi(8), muted: ansi(8), area: []color.Color{ansi(6)},
		aging: [5]color.Color{ansi(14), ansi(11), ansi(3), ansi(9), ansi(9)},
	})
	terminalOnLight = newPalette(colours{
		good: ansi(2), caution: ansi(3), warning: ansi(5), critical: ansi(1), accent: ansi(6), chip: ansi(4), border: ansi(8),
		muted: ansi(7), area: []color.Color{ansi(6)},
		aging: [5]color.Color{ansi(6), ansi(3), ansi(9), ansi(1), ansi(1)},
	})
	darkColours = newPalette(colours{
		good: rgb("#7fd88f"), caution: rgb("#f0c45a"), warning: rgb("#e59be9"), critical: rgb("#ff8a80"),
		accent: rgb("#6fd3e3"), chip: rgb("#8ab4f8"), border: rgb("#78808c"),
		muted: rgb("#59616f"), area: shadesOf("#62c3d4", "#1f4650"),
		aging: [5]color.Color{rgb("#dae9f9"), rgb("#f2d360"), rgb("#f4b657"), rgb("#f8945b"), rgb("#ff7167")},
	})
	lightColours = newPalette(colours{
		good: rgb("#1a6b2f"), caution: rgb("#7a5200"), warning: rgb("#8e2a8b"), critical: rgb("#b3261e"),
		accent: rgb("#0b6470"), chip: rgb("#1f4fa8"), border: rgb("#80868b"),
		muted: rgb("#b4bac2"), area: shadesOf("#0b6470", "#b5d8dd"),
		aging: [5]color.Color{rgb("#0075a8"), rgb("#7f5b00"), rgb("#a01a00"), rgb("#800800"), rgb("#620410")},
	})
	blueOrangeOnDark = newPalette(colours{
		good: rgb("#6cb8f0"), caution: rgb("#f0e442"), warning: rgb("#f2b03b"), critical: rgb("#ff9a4d"),
		accent: rgb("#9fd4ff"), chip: rgb("#9fd4ff"), border: rgb("#78808c"),
		muted: rgb("#59616f"), area: shadesOf("#7fb8e8", "#23405c"),
		aging: [5]color.Color{rgb("#d4e8fa"), rgb("#edd623"), rgb("#f2b60f"), rgb("#f4992a"), rgb("#fa7938")},
	})
	// These colours can also be read on dark backgrounds, because many terminals do not report
	// their background.
	blueOrangeOnLight = newPalette(colours{
		good: rgb("#0072b2"), caution: rgb("#7f6a00"), warning: rgb("#b35000"), critical: rgb("#c43c00"),
		accent: rgb("#3a6ea5"), chip: rgb("#3a6ea5"), border: rgb("#80868b"),
		muted: rgb("#9aa0a8"), area: shadesOf("#3a6ea5", "#8fb0cf"),
		aging: [5]color.Color{rgb("#0072b5"), rgb("#5e6f78"), rgb("#786a58"), rgb("#906122"), rgb("#b44800")},
	})
)
