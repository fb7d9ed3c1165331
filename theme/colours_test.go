package theme_test

import (
	"image/color"
	"math"
	"testing"

	"charm.land/lipgloss/v2"

	"tarmac/theme"
)

func TestThemesByName(t *testing.T) {
	for _, name := range theme.Names() {
		if got := theme.Named(name, true).Name; got != name {
			t.Errorf("%s is called %s", name, got)
		}
	}
	if theme.Named("no such theme", false).Name != theme.Terminal {
		t.Error("an unknown name is not the default theme")
	}
	if !theme.Named(theme.Dark, false).Dark || theme.Named(theme.Light, true).Dark {
		t.Error("a theme for one background asks for the other")
	}
}

// coloured maps names to the styles of text.
func coloured(t theme.Theme) map[string]lipgloss.Style {
	return map[string]lipgloss.Style{
		"inflow": t.Inflow, "good": t.Good, "caution": t.Caution, "warning": t.Warning, "critical": t.Critical,
		"accent": t.Accent, "chip": t.Chip, "current": t.Aging[0], "1-30": t.Aging[1], "31-60": t.Aging[2],
		"61-90": t.Aging[3], "91+": t.Aging[4],
	}
}

// Fixed colours have the contrast of WCAG AA on every background they are meant for: from
// black to the lightest common dark one, and from white to the darkest common light one.
func TestFixedColoursCanBeRead(t *testing.T) {
	backgrounds := map[bool][]color.Color{
		true:  {lipgloss.Color("#000000"), lipgloss.Color("#1e1e1e"), lipgloss.Color("#282a36"), lipgloss.Color("#2e3440")},
		false: {lipgloss.Color("#ffffff"), lipgloss.Color("#fdf6e3"), lipgloss.Color("#eff1f5")},
	}
	for _, looks := range []theme.Theme{
		theme.Named(theme.Dark, true), theme.Named(theme.Light, false), theme.Named(theme.ColourBlind, true),
		theme.Named(theme.ColourBlind, false),
	} {
		for name, style := range coloured(looks) {
			for _, under := range backgrounds[looks.Dark] {
				if ratio := contrast(style.GetForeground(), under); ratio < 4.5 {
					t.Errorf("%s: %s on %v has a contrast of %.2f", looks.Name, name, under, ratio)
				}
			}
		}
	}
}

// Until a terminal reports its background, which it may never do, the colours for light
// apply.
func TestColourBlindCanBeReadBeforeTheBackgroundIsKnown(t *testing.T) {
	for name, style := range coloured(theme.Named(theme.ColourBlind, false)) {
		for _, under := range []string{"#000000", "#1e1e1e"} {
			if ratio := contrast(style.GetForeground(), lipgloss.Color(under)); ratio < 3 {
				t.Errorf("%s on %s has a contrast of %.2f", name, under, ratio)
			}
		}
	}
}

// contrast returns the WCAG contrast ratio, from 1 to 21.
func contrast(a, b color.Color) float64 {
	x, y := luminance(linear(a)), luminance(linear(b))
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// People who cannot tell red from green can tell good from bad.
func TestColourBlindTellsGoodFromBad(t *testing.T) {
	for _, dark := range []bool{true, false} {
		looks := theme.Named(theme.ColourBlind, dark)
		for _, pair := range [][2]lipgloss.Style{
			{looks.Good, looks.Caution}, {looks.Good, looks.Warning}, {looks.Good, looks.Critical},
			{looks.Inflow, looks.Critical}, {looks.Aging[0], looks.Aging[4]},
		} {
			for kind, matrix := range blindness {
				if d := distance(seen(matrix, pair[0]), seen(matrix, pair[1])); d < 80 {
					t.Errorf("dark %v, %s: %v and %v differ by %.0f only", dark, kind, pair[0].GetForeground(),
						pair[1].GetForeground(), d)
				}
			}
		}
	}
}

// blindness holds the matrices of Machado, Oliveira and Fernandes (2009), on linear RGB.
var blindness = map[string][3][3]float64{
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
}

func seen(matrix [3][3]float64, style lipgloss.Style) (out [3]float64) {
	in := linear(style.GetForeground())
	for i, row := range matrix {
		sum := row[0]*in[0] + row[1]*in[1] + row[2]*in[2]
		out[i] = 255 * math.Pow(min(1, max(0, sum)), 1/2.2)
	}
	return out
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt(math.Pow(a[0]-b[0], 2) + math.Pow(a[1]-b[1], 2) + math.Pow(a[2]-b[2], 2))
}

func luminance(c [3]float64) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

func linear(c color.Color) [3]float64 {
	r, g, b, _ := c.RGBA()
	var out [3]float64
	for i, v := range []uint32{r, g, b} {
		s := float64(v) / 0xffff
		if out[i] = s / 12.92; s > 0.04045 {
			out[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return out
}
