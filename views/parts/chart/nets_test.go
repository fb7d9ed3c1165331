package chart_test

import (
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
		{[]int64{-3_949_900, 12_00, 0}, "$k", "-39 0 0"},
		{[]int64{-999_949_900, 250_000_00}, "$k", "-9,999 +250"},
		{[]int64{-1_099_950_000, 250_000_00}, "$k", "-11,000 +250"},
	} {
		all := months(len(c.nets))
		for i, net := range c.nets {
			all[i].Net = figures.Total{Currency: "USD", Minor: net}
		}

		lines := chart.Months(theme.New(true), all, 80, 10)

		unit, last := chart.MonthsUnit(all), strings.Join(strings.Fields(ansi.Strip(lines[len(lines)-1])), " ")
		if unit != c.unit || last != "net "+c.want && c.want != "" {
			t.Errorf("%v: %q in %s", c.nets, last, unit)
		}
	}
}

// Amounts of a currency without decimal places have the scale of their own unit.
func TestMonthsOfYenAreInYen(t *testing.T) {
	all := months(3)
	for i := range all {
		all[i].In.Currency, all[i].Out.Currency, all[i].Net.Currency = "JPY", "JPY", "JPY"
	}
	picture := ansi.Strip(strings.Join(chart.Months(theme.New(true), all, 80, 10), "\n"))
	if unit := chart.MonthsUnit(all); unit != "¥k" && unit != "¥M" || !strings.Contains(picture, "20") {
		t.Errorf("in %s it is\n%s", unit, picture)
	}
}

func TestNetsAreLeftOutWhereOneDoesNotFit(t *testing.T) {
	for width, want := range map[int]bool{80: true, 40: false} {
		lines := chart.Months(theme.New(true), months(12), width, 12)
		if got := strings.Contains(ansi.Strip(lines[len(lines)-1]), "net"); got != want {
			t.Errorf("at %d columns the last line is %q", width, lines[len(lines)-1])
		}
	}
}

func TestAChartSaysWhichMonthIsNotOver(t *testing.T) {
	all := months(12)
	if got := chart.SoFar(all); got != "Nov so far" {
		t.Errorf("of a month that is not over it says %q", got)
	}
	if got := chart.SoFar(all[:11]); got != "" {
		t.Errorf("of whole months it says %q", got)
	}
	if got := chart.SoFar(nil); got != "" {
		t.Errorf("of no month it says %q", got)
	}
}
