package chart_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/theme"
	"tarmac/views/parts/chart"
)

// A low chart of months says how much its highest bar is, even where no round amount has a line.
func TestALowChartOfMonthsHasTwoAmounts(t *testing.T) {
	all := months(12)
	all[3].Out = figures.Total{Currency: "USD", Minor: 45_412_345}
	for height := 6; height <= 14; height++ {
		picture := ansi.Strip(strings.Join(chart.Months(theme.New(true), all, 76, height)[1:], "\n"))

		if n := strings.Count(picture, "$"); n < 2 {
			t.Errorf("with %d lines it has %d amounts:\n%s", height, n, picture)
		}
	}
}
