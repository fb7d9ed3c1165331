package theme_test

import (
	"image/color"
	"math"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"tarmac/theme"
)

func everyTheme() (all []theme.Theme) {
	for _, name := range theme.Names() {
		all = append(all, theme.Named(name, true), theme.Named(name, false))
	}
	return all
}

func TestAgesAreReadInOrder(t *testing.T) {
	for _, looks := range []theme.Theme{
		theme.Named(theme.Dark, true), theme.Named(theme.Light, false), theme.Named(theme.ColourBlind, true),
	} {
		for i := 1; i < len(looks.Aging); i++ {
			if by := lightness(looks.Aging[i-1]) - lightness(looks.Aging[i]); by < 5 {
				t.Errorf("%s: bucket %d is darker than the one before by %.1f only", looks.Name, i, by)
			}
		}
	}
}

// Colours for a white background that must be readable on black too have nearly one lightness. They
// go from blue to orange instead.
func TestAgesOfUnknownBackgroundGoFromBlueToOrange(t *testing.T) {
	looks := theme.Named(theme.ColourBlind, false)
	for kind, matrix := range blindness {
		for i := 1; i < len(looks.Aging); i++ {
			before, after := seen(matrix, looks.Aging[i-1]), seen(matrix, looks.Aging[i])
			if lightness(looks.Aging[i]) >= lightness(looks.Aging[i-1]) || after[0]-after[2] < before[0]-before[2]+20 {
				t.Errorf("%s: bucket %d is not warmer than the one before: %.0f, %.0f", kind, i, before, after)
			}
		}
	}
}

func TestAgesAreToldApart(t *testing.T) {
	matrices := map[string][3][3]float64{"all colours": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}
	for kind, matrix := range blindness {
		matrices[kind] = matrix
	}
	for _, looks := range everyTheme() {
		if looks.Name == theme.Terminal {
			continue
		}
		for kind, matrix := range matrices {
			for i := range looks.Aging {
				for j := range i {
					if d := distance(seen(matrix, looks.Aging[i]), seen(matrix, looks.Aging[j])); d < 20 {
						t.Errorf("%s, dark %v, %s: buckets %d and %d differ by %.0f only", looks.Name, looks.Dark, kind, j, i, d)
					}
				}
			}
		}
	}
}

// Terminals with 256 colours show the nearest of these.
func TestAgesAreToldApartIn256Colours(t *testing.T) {
	for _, looks := range everyTheme() {
		shown := map[color.Color]int{}
		for i, style := range looks.Aging {
			nearest := colorprofile.ANSI256.Convert(style.GetForeground())
			if other, ok := shown[nearest]; ok && looks.Name != theme.Terminal {
				t.Errorf("%s, dark %v: buckets %d and %d are both %v", looks.Name, looks.Dark, other, i, nearest)
			}
			shown[nearest] = i
		}
	}
}

// Late payments are never green, and no age has the colour of another meaning.
func TestAgesHaveColoursOfTheirOwn(t *testing.T) {
	for _, looks := range everyTheme() {
		used := map[string]bool{}
		for i, style := range looks.Aging {
			drawn := style.Render("x")
			if used[drawn] {
				t.Errorf("%s: bucket %d looks like another one", looks.Name, i)
			}
			used[drawn] = true
			for name, other := range map[string]lipgloss.Style{"good": looks.Good, "warning": looks.Warning} {
				if style.GetForeground() == other.GetForeground() {
					t.Errorf("%s: bucket %d has the colour of %s", looks.Name, i, name)
				}
			}
		}
	}
}

// lightness returns the lightness of CIELAB, from 0 to 100.
func lightness(style lipgloss.Style) float64 {
	return 116*math.Cbrt(luminance(linear(style.GetForeground()))) - 16
}
