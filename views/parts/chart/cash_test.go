package chart_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/internal/termtext"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views/parts/chart"
)

// weekly returns a picture with a forecast of thirteen weeks, its band, and the server's estimate.
func weekly() chart.Cash {
	c := cash()
	c.Course = c.Ahead
	c.Ahead = []chart.Point{{Day: c.Today, Cents: 170_000_000}}
	c.Band = []chart.Range{{Day: c.Today, Low: 170_000_000, High: 170_000_000}}
	for week := range int64(13) {
		day, cents := c.Today.AddDays(int(week+1)*7), 170_000_000-week*2_000_000+week%4*3_000_000
		c.Ahead = append(c.Ahead, chart.Point{Day: day, Cents: cents})
		c.Band = append(c.Band, chart.Range{Day: day, Low: cents - week*3_000_000, High: cents + week*3_000_000})
	}
	return c
}

func TestPicturesOfCash(t *testing.T) {
	colours, gap, below := theme.New(true), cash(), weekly()
	gap.Past[4].Unknown, gap.Past[9].Unknown = true, true
	for i := range below.Past {
		below.Past[i].Cents -= 240_000_000
	}
	masked := colours
	masked.Masked = true
	for _, size := range [][2]int{{40, 10}, {76, 8}, {76, 16}, {116, 20}, {196, 38}} {
		picture := strings.Join(weekly().Line(colours, size[0], size[1]), "\n")
		sample.Golden(t, fmt.Sprintf("weekly-%dx%d", size[0], size[1]), picture, *update)
	}
	sample.Golden(t, "gap", strings.Join(gap.Line(colours, 76, 12), "\n"), *update)
	sample.Golden(t, "below-zero", strings.Join(below.Line(colours, 76, 12), "\n"), *update)
	sample.Golden(t, "masked", strings.Join(weekly().Line(masked, 76, 12), "\n"), *update)
	ascii, _ := termtext.AppendASCII(nil, []byte(strings.Join(weekly().Line(colours, 76, 12), "\n")))
	sample.Golden(t, "ascii", string(ascii), *update)
}

var axisLabel = regexp.MustCompile(`^([A-Z][a-z][a-z]( \d{4})?|today|[▼A-C] [A-Z][a-z][a-z] \d{4})$`)

// Each text below the time axis is whole, and two of them never touch.
func TestLabelsNeverOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := branched()
		c.Zero = c.Today.AddDays(rapid.IntRange(0, 900).Draw(t, "zero"))
		for i := range c.Branches {
			c.Branches[i].Zero = c.Today.AddDays(rapid.IntRange(0, 900).Draw(t, "branch"))
		}
		lines := c.Line(theme.New(true), rapid.IntRange(40, 200).Draw(t, "width"), 12)

		names := strings.TrimSpace(ansi.Strip(lines[len(lines)-1]))
		for _, label := range regexp.MustCompile(`\s{2,}`).Split(names, -1) {
			for _, part := range separate(label) {
				if !axisLabel.MatchString(part) {
					t.Fatalf("%q in %q", part, names)
				}
			}
		}
	})
}

// separate splits labels that are one space apart.
func separate(labels string) []string {
	words := regexp.MustCompile(`[▼A-C] \S+ \d+|[A-Z][a-z][a-z] \d+|\S+`).FindAllString(labels, -1)
	if strings.Join(words, " ") != labels {
		return []string{labels}
	}
	return words
}

// The highest and the lowest amount are at the edges of the plot: the scale has no empty part.
func TestTheScaleEndsAtTheData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := chart.Cash{Currency: "USD", Today: november}
		negative := false
		for i := range rapid.IntRange(1, 20).Draw(t, "points") {
			cents := anyCents(t, "cents")
			negative = negative || cents < 0
			c.Past = append(c.Past, chart.Point{Day: november.AddMonths(i - 20), Cents: cents})
		}
		lines := c.Line(theme.New(true), 80, rapid.IntRange(6, 40).Draw(t, "height"))

		plot := lines[:len(lines)-1]
		positive := slices.ContainsFunc(c.Past, func(p chart.Point) bool { return p.Cents > 0 })
		if positive && !hasInk(plot[0]) || negative && !hasInk(plot[len(plot)-1]) {
			t.Fatalf("%v:\n%s", c.Past, ansi.Strip(strings.Join(lines, "\n")))
		}
	})
}

func hasInk(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return r > 0x2800 && r <= 0x28ff || r >= '▁' && r <= '█' })
}

func TestScalesHaveRoundTicks(t *testing.T) {
	for _, c := range []struct {
		low, high int64
		currency  string
		unit      string
		want      []string
	}{
		{0, 348_485_508, "USD", "$M", []string{"3", "2", "1", "0"}},
		{0, 250_000_000, "USD", "$M", []string{"2", "1", "0"}},
		{0, 250_000_000, "JPY", "¥M", []string{"200", "100", "0"}},
		{0, 2_500_000, "JPY", "¥M", []string{"2", "1", "0"}},
		{0, 250_000_000_000, "KWD", "M KWD", []string{"200", "100", "0"}},
		{0, 0, "USD", "$", []string{"0"}},
		{0, 99, "USD", "$", []string{"0"}},
		{-120_000_000, 60_000_000, "USD", "$M", []string{"0.5", "0", "-0.5", "-1"}},
		{math.MinInt64, math.MaxInt64, "USD", "$T", []string{"50,000", "0", "-50,000"}},
	} {
		line := chart.Cash{Currency: c.currency, Past: []chart.Point{
			{Day: november, Cents: c.low}, {Day: november.AddMonths(1), Cents: c.high},
		}}
		var got []string
		for _, l := range line.Line(theme.New(true), 60, 14) {
			if label, _, _ := strings.Cut(ansi.Strip(l), " "); strings.ContainsAny(label, "0123456789") && len(label) < 8 {
				got = append(got, label)
			} else if label, _, _ := strings.Cut(strings.TrimSpace(ansi.Strip(l)), " "); scaleLabel.MatchString(label) {
				got = append(got, label)
			}
		}
		if !slices.Equal(got, c.want) || line.Unit() != c.unit {
			t.Errorf("%s from %d to %d: %q in %s, want %q", c.currency, c.low, c.high, got, line.Unit(), c.want)
		}
	}
}

var scaleLabel = regexp.MustCompile(`^-?[\d,]+(?:\.\d+)?$`)

func TestASinglePointIsDrawn(t *testing.T) {
	one := chart.Cash{Currency: "USD", Today: november, Past: []chart.Point{{Day: november, Cents: 100_000_000}}}

	if picture := strings.Join(one.Line(theme.New(true), 60, 10), "\n"); !hasInk(picture) {
		t.Errorf("no point in\n%s", ansi.Strip(picture))
	}
}

// Hidden amounts are hidden in the shape too: the picture is the same for all amounts.
func TestAMaskedPictureDoesNotDependOnAmounts(t *testing.T) {
	looks := theme.New(true)
	looks.Masked = true
	other := weekly()
	for i := range other.Past {
		other.Past[i].Cents = int64(i%3) * 77_000_000_000
	}
	other.Band, other.Ahead = nil, []chart.Point{{Day: civil.New(2027, 10, 2)}}
	for _, size := range [][2]int{{40, 8}, {120, 30}} {
		want := strings.Join(weekly().Line(looks, size[0], size[1]), "\n")
		if got := strings.Join(other.Line(looks, size[0], size[1]), "\n"); got != want {
			t.Errorf("at %v:\n%s\ninstead of\n%s", size, ansi.Strip(got), ansi.Strip(want))
		}
	}
}
