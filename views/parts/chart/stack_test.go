package chart_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/client/figures"
	"tarmac/theme"
	"tarmac/views/parts/chart"
)

// out returns months with the given money out, none of it paid by income.
func out(minor ...int64) []chart.Month {
	all := months(len(minor))
	for i, m := range minor {
		all[i].In = figures.Total{Currency: "USD"}
		all[i].Out = figures.Total{Currency: "USD", Minor: m}
		all[i].Net = figures.Total{Currency: "USD", Minor: -m, Kind: figures.Balance}
	}
	return all
}

// columnOf returns the cells of one month's bar from the top down, without the labels below it.
func columnOf(lines []string, x int) string {
	var b strings.Builder
	for _, line := range lines[:len(lines)-2] {
		b.WriteRune([]rune(ansi.Strip(line))[x])
	}
	return b.String()
}

func TestColumnsDifferWhereAmountsDifferByThreePercentOfTheLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := rapid.Int64Range(1_000_00, 1e15).Draw(t, "top")
		one := rapid.Int64Range(top/20, top-top*3/100-1).Draw(t, "one")
		other := one + top*3/100 + 1
		height := rapid.IntRange(7, 30).Draw(t, "height") // five lines of columns and more
		in := int64(0)
		if rapid.Bool().Draw(t, "part of it is paid by income") {
			in = rapid.Int64Range(0, one).Draw(t, "in")
		}
		draw := func(minor int64) string {
			data := out(top, minor)
			data[1].In.Minor = in
			lines := chart.MoneyOut(theme.New(true), data, 60, height)
			return strings.Join(lines[:height-2], "\n")
		}

		if one, other := draw(one), draw(other); one == other {
			t.Errorf("they look alike:\n%s", ansi.Strip(one))
		}
	})
}

// Without colours, what income paid for and what was burned differ by their characters.
func TestPartsOfAColumnDifferWithoutColours(t *testing.T) {
	data := out(100_000_00)
	data[0].In.Minor = 50_000_00
	bare := theme.New(true)
	bare.Colourless = true

	picture := ansi.Strip(strings.Join(chart.MoneyOut(bare, data, 60, 8), "\n"))

	for part := range 2 {
		if sign := chart.PartSign(bare, part); !strings.Contains(picture, sign) {
			t.Errorf("without %s:\n%s", sign, picture)
		}
	}
}

// Where two parts meet inside a cell, the upper one is the cell's background.
func TestColumnsHaveNoHoleWhereTwoPartsMeet(t *testing.T) {
	data := out(100_000_00)
	data[0].In.Minor = 47_000_00

	lines := chart.MoneyOut(theme.Named(theme.Dark, true), data, 60, 8)

	found := false
	for _, line := range lines[:5] {
		found = found || strings.Contains(line, "48;2;")
	}
	if !found {
		t.Errorf("no cell has a background:\n%q", lines)
	}
}

// A raise doesn't flatten the months: only money out has columns.
func TestALargePaymentInDoesNotFlattenTheMonths(t *testing.T) {
	data := out(100_000_00, 90_000_00, 95_000_00)
	before := chart.MoneyOut(theme.New(true), data, 60, 10)
	data[1].In.Minor = 5_000_000_00

	after := chart.MoneyOut(theme.New(true), data, 60, 10)

	if a, b := columnOf(before, 8), columnOf(after, 8); a != b {
		t.Errorf("the first column was %q and is %q", a, b)
	}
}
