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

func TestTheRuleOfARunwaysWordIsSaid(t *testing.T) {
	looks := theme.New(true)
	looks.Thresholds.Comfortable = 185

	for tenths, want := range map[int64]string{
		29: "less than 3 months", 30: "3 to 6 months", 60: "6 to 18.5 months", 184: "6 to 18.5 months",
		185: "18.5 months or more",
	} {
		if got := looks.RunwayRule(tenths); got != want {
			t.Errorf("the rule of %d tenths of a month is %q, want %q", tenths, got, want)
		}
	}
	const all = "Words for a runway: comfortable: 18.5 months or more, healthy: 6 to 18.5 months, caution: 3 to 6 " +
		"months, critical: less than 3 months."
	if got := looks.RunwayRules(); got != all {
		t.Errorf("all rules are %q, want %q", got, all)
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
		if !style.GetReverse() && !style.GetUnderline() {
			t.Errorf("the selected %s differs by colour alone", name)
		}
	}
}
