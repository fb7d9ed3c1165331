package chart_test

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/theme"
	"tarmac/views/parts/chart"
)

func TestNetsAreInTheSmallestUnitThatFits(t *testing.T) {
	for _, c := range []struct {
		nets []int64
		unit string
		want string
	}{
		{[]int64{-3_949_900, 12_00, 0}, "net below in $k", "-39 0 0"},
		{[]int64{-9_950, 49, 150_00}, "net below in $ ", "-100 0 +150"},
		{[]int64{-999_949_900, 250_000_00}, "net below in $k", "-9999 +250"},
		{[]int64{-999_950_000, 250_000_00}, "net below in $M", "-10 0"},
		{[]int64{math.MinInt64}, "* 2026-11", ""},
	} {
		all := months(len(c.nets))
		for i, net := range c.nets {
			all[i].Net = figures.Total{Currency: "USD", Minor: net}
		}

		lines := chart.Months(theme.New(true), all, 80, 10)

		legend, last := ansi.Strip(lines[0]), strings.Join(strings.Fields(ansi.Strip(lines[len(lines)-1])), " ")
		if !strings.Contains(legend+" ", c.unit) || last != c.want && c.want != "" {
			t.Errorf("%v: %q below %q", c.nets, last, legend)
		}
	}
}

func TestNetsAreLeftOutWhereOneDoesNotFit(t *testing.T) {
	for width, want := range map[int]bool{80: true, 40: false} {
		legend := ansi.Strip(chart.Months(theme.New(true), months(12), width, 12)[0])
		if got := strings.Contains(legend, "net below"); got != want {
			t.Errorf("at %d columns the legend is %q", width, legend)
		}
	}
}
