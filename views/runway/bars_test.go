package runway

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/figures"
)

func netting(nets ...int64) []figures.Month {
	months := make([]figures.Month, len(nets))
	for i, n := range nets {
		months[i].Summary = apiclient.Summary{Currency: "USD", NetMinor: n}
	}
	return months
}

func TestABarGoesItsWayToOneScale(t *testing.T) {
	for name, c := range map[string]struct {
		nets []int64
		head string
		want map[int64]string
	}{
		"in and out": {[]int64{100, -300, 0, 1}, "   net in │ net out", map[int64]string{
			100:  strings.Repeat("━", 10) + "│",
			45:   strings.Repeat(" ", 5) + "╺━━━━│",
			1:    strings.Repeat(" ", 9) + "╺│",
			0:    strings.Repeat(" ", 10) + "│",
			-1:   strings.Repeat(" ", 10) + "│╸",
			-75:  strings.Repeat(" ", 10) + "│━━━━━━━╸",
			-300: strings.Repeat(" ", 10) + "│" + strings.Repeat("━", 30),
		}},
		"out alone": {[]int64{-80, 0}, "│ net out", map[int64]string{0: "│", -40: "│" + strings.Repeat("━", 20)}},
		"in alone":  {[]int64{80, 0}, "│ net in", map[int64]string{0: "│", 80: "│" + strings.Repeat("━", 40)}},
		"next to nothing in": {[]int64{-1_000_000, 1}, " │ net out",
			map[int64]string{1: "╺│", -1_000_000: " │" + strings.Repeat("━", 39)}},
		"next to nothing out": {[]int64{1_000_000, -1}, strings.Repeat(" ", 32) + "net in │ ", map[int64]string{
			-1: strings.Repeat(" ", 39) + "│╸", 1_000_000: strings.Repeat("━", 39) + "│",
		}},
	} {
		b, ok := barsOf(netting(c.nets...), 41)
		if got := b.head(); !ok || got != c.head {
			t.Errorf("%s: the head is %q, want %q", name, got, c.head)
		}
		for net, want := range c.want {
			if got := b.line(figures.Total{Currency: "USD", Minor: net}); got != want {
				t.Errorf("%s: %d is %q, want %q", name, net, got, want)
			}
		}
	}
}

func TestWhereBarsSayNothingThereAreNone(t *testing.T) {
	for name, c := range map[string]struct {
		nets  []int64
		width int
	}{
		"no months": {nil, 80}, "nothing moved": {[]int64{0, 0}, 80}, "too narrow": {[]int64{1, 2}, barsMinWidth - 1},
		"no scale": {[]int64{-math.MaxInt64, 1}, 80}, "no magnitude": {[]int64{math.MinInt64}, 80},
	} {
		if b, ok := barsOf(netting(c.nets...), c.width); ok {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

// A bar stays on its side of the axis, is visible for any amount but zero, and is never shorter
// than the bar of a smaller amount.
func TestBarsKeepToTheirSidesAndOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cents := rapid.Int64Range(-math.MaxInt64/2, math.MaxInt64/2)
		if rapid.Bool().Draw(t, "usual") {
			cents = rapid.Int64Range(-50_000_000, 50_000_000)
		}
		nets := rapid.SliceOfN(cents, 1, 13).Draw(t, "nets")
		width := rapid.IntRange(barsMinWidth, 160).Draw(t, "width")
		b, ok := barsOf(netting(nets...), width)
		if !ok {
			for _, n := range nets {
				if n != 0 {
					t.Fatal("no bars")
				}
			}
			return
		}
		length := func(net int64) int {
			line := b.line(figures.Total{Currency: "USD", Minor: net})
			out, in, axis := strings.Cut(line, "│")
			if ansi.StringWidth(line) > width || ansi.StringWidth(out) != b.left || !axis {
				t.Fatalf("%d is %q in %d cells, %+v", net, line, width, b)
			}
			left, right := strings.TrimSpace(out), in
			if left != "" && (net <= 0 || b.inflowOnly) || right != "" && net >= 0 && !b.inflowOnly ||
				net != 0 && left+right == "" {
				t.Fatalf("%d is %q", net, line)
			}
			return 2*strings.Count(line, "━") + strings.Count(line, "╸") + strings.Count(line, "╺")
		}
		for _, a := range nets {
			for _, b := range nets {
				if max(a, -a) < max(b, -b) && length(a) > length(b) && (a < 0) == (b < 0) {
					t.Fatalf("%d is longer than %d", a, b)
				}
			}
		}
	})
}
