package chart_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views/parts/chart"
)

func branched() chart.Cash {
	c := cash()
	for i, letter := range "ABC" {
		end := c.Zero.AddDays(150 * (i - 1))
		c.Branches = append(c.Branches, chart.Branch{
			Letter: letter, Zero: end,
			Ahead: []chart.Point{{Day: c.Today, Cents: 170_000_000}, {Day: end}},
		})
	}
	return c
}

func TestPicturesOfBranches(t *testing.T) {
	th := theme.New(true)
	sample.Golden(t, "branches", strings.Join(branched().Line(th, 100, 16), "\n"), *update)
	sample.Golden(t, "branches-table", strings.Join(branched().Line(th, 24, 6), "\n"), *update)
}

// Every month in which cash runs out has its mark and letter, however close together they are.
func TestEveryZeroMonthIsMarked(t *testing.T) {
	th := theme.New(true)
	rapid.Check(t, func(t *rapid.T) {
		c := branched()
		for i := range c.Branches {
			b := &c.Branches[i]
			b.Zero = c.Today.AddDays(rapid.IntRange(0, 700).Draw(t, "to zero"))
			b.Ahead[1].Day = b.Zero
		}
		width, height := rapid.IntRange(40, 160).Draw(t, "width"), rapid.IntRange(6, 40).Draw(t, "height")
		lines := c.Line(th, width, height)
		if len(lines) != height {
			t.Fatalf("%d lines instead of %d", len(lines), height)
		}
		axis := ansi.Strip(lines[height-2])
		for _, l := range lines {
			if ansi.StringWidth(l) != width {
				t.Fatalf("%q is not %d wide", ansi.Strip(l), width)
			}
		}
		for _, sign := range []string{"▼A", "▼B", "▼C"} {
			if !strings.Contains(axis, sign) {
				t.Fatalf("no %s on %q", sign, axis)
			}
		}
		if strings.Count(axis, "▼") != 4 {
			t.Fatalf("not four signs on %q", axis)
		}
	})
}
