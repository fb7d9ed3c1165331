package theme_test

import (
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/theme"
)

func TestRunwayWords(t *testing.T) {
	for tenths, want := range map[int64]string{
		0: "critical", 29: "critical", 30: "caution", 59: "caution", 60: "healthy", 119: "healthy", 120: "comfortable",
		9999: "comfortable",
	} {
		if got := theme.New(true).RunwayWord(tenths); got != want {
			t.Errorf("%d tenths of a month are %q, want %q", tenths, got, want)
		}
	}
}

func TestThresholdsAreThePersonsOwn(t *testing.T) {
	looks := theme.New(true)
	looks.Thresholds = theme.Thresholds{Comfortable: 240, Healthy: 180, Caution: 90}
	for tenths, want := range map[int64]struct {
		word  string
		style lipgloss.Style
	}{
		240: {"comfortable", looks.Good}, 239: {"healthy", looks.Caution}, 179: {"caution", looks.Warning},
		89: {"critical", looks.Critical},
	} {
		if got := looks.RunwayWord(tenths); got != want.word {
			t.Errorf("%d tenths of a month are %q, want %q", tenths, got, want.word)
		}
		if looks.Runway(tenths).Render("x") != want.style.Render("x") {
			t.Errorf("%d tenths of a month are not drawn as %q", tenths, want.word)
		}
	}
}

// The default theme uses only the terminal's own sixteen colours, which stay readable on
// the user's background.
func TestColoursAreTheTerminalsOwn(t *testing.T) {
	for _, dark := range []bool{true, false} {
		looks := theme.New(dark)
		for name, style := range map[string]lipgloss.Style{
			"inflow": looks.Inflow, "good": looks.Good, "caution": looks.Caution, "warning": looks.Warning,
			"critical": looks.Critical, "accent": looks.Accent, "chip": looks.Chip, "border": looks.Border,
			"current": looks.Aging[0], "91+": looks.Aging[4],
		} {
			if _, basic := style.GetForeground().(ansi.BasicColor); !basic {
				if _, noColor := style.GetForeground().(lipgloss.NoColor); !noColor {
					t.Errorf("dark %v: %s is %T", dark, name, style.GetForeground())
				}
			}
		}
	}
}

// Selected rows and the current tab are visible without colour.
func TestWhatIsSelectedShowsWithoutColour(t *testing.T) {
	looks := theme.New(false)
	for name, style := range map[string]lipgloss.Style{"row": looks.Selected, "tab": looks.TabOn, "cursor": looks.Cursor} {
		if !style.GetReverse() {
			t.Errorf("the selected %s differs by colour alone", name)
		}
	}
}
