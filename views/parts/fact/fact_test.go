package fact_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/theme"
	"tarmac/views/parts/fact"
)

// An amount is shown whole, in its short form, or not at all.
func TestAmountsAreNeverCut(t *testing.T) {
	th := theme.New(true)
	rapid.Check(t, func(t *rapid.T) {
		cents := rapid.Int64().Draw(t, "cents")
		width := rapid.IntRange(0, 90).Draw(t, "width")
		f := fact.Sum(th, rapid.StringN(0, 30, -1).Draw(t, "label"), figures.Total{Currency: "USD", Minor: cents})
		f.Label, f.After = "Cash on hand", rapid.SampledFrom([]string{"", "34.1%", "comfortable"}).Draw(t, "after")
		for _, line := range fact.Lines(th, []fact.Fact{f}, width) {
			line = ansi.Strip(line)
			if ansi.StringWidth(line) > width {
				t.Fatalf("%q is wider than %d", line, width)
			}
			for _, word := range strings.Fields(line) {
				if strings.ContainsRune(word, '$') && word != money.Text(cents, "USD") && word != money.Short(cents, "USD") {
					t.Fatalf("%d cents in %d cells became %q", cents, width, line)
				}
			}
		}
	})
}

func TestLinesGiveWayFromTheWordBehindToTheLabel(t *testing.T) {
	th := theme.New(true)
	f := fact.Sum(th, "Overdue", figures.Total{Currency: "USD", Minor: 12345678})
	f.After = "34.1%"
	for width, want := range map[int]string{
		60: "Overdue" + strings.Repeat(" ", 20) + "$123,456.78 · 34.1%",
		28: "Overdue  $123,456.78 · 34.1%",
		27: "Overdue         $123,456.78",
		19: "Overdue $123,456.78",
		16: "Overdue    $123k",
		10: "Ove… $123k",
		5:  "$123k",
		4:  "Ove…",
		0:  "",
	} {
		if got := ansi.Strip(fact.Lines(th, []fact.Fact{f}, width)[0]); got != want {
			t.Errorf("in %d cells %q, want %q", width, got, want)
		}
	}
}

func TestWithinMarksWhatIsCutOff(t *testing.T) {
	th := theme.New(true)
	for n, want := range map[int]string{0: "", -1: "", 1: "a …", 2: "a|b …", 3: "a|b|c", 9: "a|b|c"} {
		if got := ansi.Strip(strings.Join(fact.FirstLines(th, []string{"a", "b", "c"}, n), "|")); got != want {
			t.Errorf("%d lines: %q, want %q", n, got, want)
		}
	}
}
