package chart_test

import (
	"math"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views/parts/chart"
)

var update = sample.UpdateFlag()

var november = civil.New(2026, 11, 1)

func months(n int) []chart.Month {
	out := make([]chart.Month, n)
	for i := range out {
		out[i] = chart.Month{
			First: november.AddMonths(i - n + 1), SoFar: i == n-1,
			In: figures.Total{Currency: "USD", Minor: int64(i) * 4_000_000}, Out: figures.Total{Currency: "USD",
				Minor: 30_000_000},
			Net: figures.Total{Currency: "USD", Minor: int64(i)*4_000_000 - 30_000_000, Kind: figures.Balance},
		}
	}
	return out
}

// gaps returns months of which one is unknown, one is empty, and the last two are incomplete.
func gaps() []chart.Month {
	all := months(12)
	all[5].In, all[5].Out, all[5].Net = figures.Total{Currency: "USD", Unknown: true}, figures.Total{Currency: "USD",
		Unknown: true},
		figures.Total{Currency: "USD", Unknown: true}
	all[7].In, all[7].Out, all[7].Net = figures.Total{Currency: "USD"}, figures.Total{Currency: "USD"},
		figures.Total{Currency: "USD"}
	for i := range all[10:] {
		all[10+i].In.Excluded, all[10+i].Out.Excluded = 3, 3
	}
	return all
}

func partly() chart.Cash {
	c := cash()
	c.PartialBefore = c.Past[6].Day
	return c
}

func cash() chart.Cash {
	c := chart.Cash{
		Currency: "USD",
		Today:    civil.New(2026, 11, 20),
		Zero:     civil.New(2027, 10, 2),
	}
	for i := range 12 {
		c.Past = append(c.Past, chart.Point{Day: november.AddMonths(i - 12).LastOfMonth(), Cents: int64(300-i*9) * 1_000_000})
	}
	c.Past = append(c.Past, chart.Point{Day: c.Today, Cents: 180_000_000})
	c.Ahead = []chart.Point{{Day: c.Today, Cents: 170_000_000}, {Day: c.Zero}}
	return c
}

func TestPictures(t *testing.T) {
	th := theme.New(true)
	join := func(lines []string) string { return strings.Join(lines, "\n") }
	sample.Golden(t, "months", join(chart.Months(th, months(12), 80, 12)), *update)
	sample.Golden(t, "money-out", join(chart.MoneyOut(th, gaps(), 80, 8)), *update)
	bare := th
	bare.Colourless = true
	sample.Golden(t, "money-out-colourless", join(chart.MoneyOut(bare, gaps(), 80, 8)), *update)
	sample.Golden(t, "months-narrow", join(chart.Months(th, months(12), 30, 6)), *update)
	sample.Golden(t, "months-table", join(chart.Months(th, months(12), 24, 4)), *update)
	sample.Golden(t, "months-partial", join(chart.Months(th, gaps(), 80, 12)), *update)
	sample.Golden(t, "months-partial-narrow", join(chart.Months(th, gaps(), 40, 6)), *update)
	sample.Golden(t, "months-partial-table", join(chart.Months(th, gaps(), 40, 4)), *update)
	sample.Golden(t, "cash-partial", join(partly().Line(th, 80, 14)), *update)
	sample.Golden(t, "cash-partial-table", join(partly().Line(th, 24, 9)), *update)
	sample.Golden(t, "cash", join(cash().Line(th, 80, 14)), *update)
	sample.Golden(t, "cash-table", join(cash().Line(th, 24, 5)), *update)
	behind := cash()
	behind.Ahead, behind.Zero = nil, civil.Date{}
	behind.Past[3].Cents = -1
	sample.Golden(t, "cash-behind-only", join(behind.Line(th, 80, 10)), *update)
}

func anyCents(t *rapid.T, label string) int64 {
	return rapid.OneOf(rapid.Int64(), rapid.Int64Range(-1000, 1e10),
		rapid.SampledFrom([]int64{0, math.MaxInt64, math.MinInt64})).
		Draw(t, label)
}

// A chart fills its size exactly for any figures.
func TestChartsFillTheirSizeExactly(t *testing.T) {
	th := theme.New(false)
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(-1, 160).Draw(t, "width"), rapid.IntRange(-1, 40).Draw(t, "height")
		data := months(rapid.IntRange(0, 14).Draw(t, "months"))
		for i := range data {
			data[i].In, data[i].Out = figures.Total{Currency: "USD",
				Minor: anyCents(t, "in")}, figures.Total{Currency: "USD", Minor: anyCents(t, "out")}
			data[i].In.Excluded = rapid.Int64Range(0, 2).Draw(t, "excluded")
			data[i].In.Unknown = rapid.Bool().Draw(t, "unknown")
			data[i].Out.Unknown = data[i].In.Unknown
		}
		line := chart.Cash{Currency: "USD", Today: november}
		day := civil.New(2020, 1, 1)
		for range rapid.IntRange(0, 6).Draw(t, "points") {
			day = day.AddDays(rapid.IntRange(0, 900).Draw(t, "days"))
			line.Past = append(line.Past, chart.Point{Day: day, Cents: anyCents(t, "past")})
		}
		if rapid.Bool().Draw(t, "ahead") {
			line.Zero = day.AddDays(rapid.IntRange(0, 40000).Draw(t, "to zero"))
			line.Ahead = []chart.Point{{Day: day, Cents: anyCents(t, "ahead")}, {Day: line.Zero}}
		}
		line.PartialBefore = day.AddDays(rapid.IntRange(-900, 900).Draw(t, "partial before"))
		for name, lines := range map[string][]string{"months": chart.Months(th, data, width, height),
			"cash": line.Line(th, width, height)} {
			want := max(0, height)
			if width <= 0 {
				want = 0
			}
			if len(lines) != want {
				t.Fatalf("%s at %dx%d: %d lines", name, width, height, len(lines))
			}
			for _, l := range lines {
				if ansi.StringWidth(l) != width {
					t.Fatalf("%s at %dx%d: %q", name, width, height, ansi.Strip(l))
				}
			}
		}
	})
}

func TestStackFillsItsWidthAndShowsEveryPart(t *testing.T) {
	th := theme.New(true)
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.Int64Range(0, 1e15), 5, 5).Draw(t, "parts")
		width := rapid.IntRange(5, 200).Draw(t, "width")
		bar := ansi.Strip(chart.Stack(parts, th.Aging[:], width))
		if ansi.StringWidth(bar) != width {
			t.Fatalf("%d cells instead of %d", ansi.StringWidth(bar), width)
		}
		nothing := parts[0]+parts[1]+parts[2]+parts[3]+parts[4] == 0
		for i, p := range parts {
			if seen := strings.Contains(bar, chart.PartMark(i)); seen != (p > 0) && !nothing {
				t.Fatalf("part %d of %v in %d cells: seen %v", i, parts, width, seen)
			}
		}
	})
}

func TestBar(t *testing.T) {
	plain := lipgloss.NewStyle()
	for _, c := range []struct {
		part, whole int64
		want        string
	}{
		{0, 8, "    "}, {-3, 8, "    "}, {5, 0, "    "}, {8, 8, "████"}, {4, 8, "██  "}, {1, 8, "▌   "},
		{1, 1e12, "▏   "}, {9, 8, "████"},
		{math.MaxInt64, math.MaxInt64, "████"},
	} {
		if got := chart.Bar(c.part, c.whole, plain, 4); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.part, c.whole, got, c.want)
		}
	}
}

// Every glyph is one cell wide on every terminal: no emoji, no characters that East Asian terminals
// draw double width.
func TestGlyphs(t *testing.T) {
	th := theme.New(true)
	picture := strings.Join(chart.Months(th, gaps(), 80, 12), "") + strings.Join(partly().Line(th, 80, 14), "")
	for _, r := range ansi.Strip(picture) {
		drawing := r >= 0x2500 && r <= 0x257f || r >= 0x2581 && r <= 0x258f || r > 0x2800 && r <= 0x28ff ||
			strings.ContainsRune("·▼—°░…", r)
		if r > '~' && !drawing {
			t.Errorf("glyph %q (%U)", r, r)
		}
	}
}

// If all months are unknown, the chart has no scale, because its labels would be invented amounts.
func TestMonthsThatAreUnknownHaveNoScale(t *testing.T) {
	all := months(3)
	for i := range all {
		all[i].In, all[i].Out = figures.Total{Currency: "USD", Unknown: true}, figures.Total{Currency: "USD", Unknown: true}
	}
	picture := ansi.Strip(strings.Join(chart.Months(theme.New(true), all, 60, 8), "\n"))
	if strings.ContainsAny(picture, "0123456789") || strings.Count(picture, "—") != 3 {
		t.Errorf("it is\n%s", picture)
	}
}

func BenchmarkMonths(b *testing.B) {
	th := theme.New(true)
	data := months(12)
	for b.Loop() {
		chart.Months(th, data, 116, 12)
	}
}

func BenchmarkCash(b *testing.B) {
	th := theme.New(true)
	line := cash()
	for b.Loop() {
		line.Line(th, 76, 19)
	}
}
