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
func TestALowChartOfMonthsHasAnAmount(t *testing.T) {
	all := months(12)
	all[3].Out = figures.Total{Currency: "USD", Minor: 45_412_345}
	for height := 4; height <= 14; height++ {
		lines := chart.Months(theme.New(true), all, 76, height)
		picture := ansi.Strip(strings.Join(lines[:len(lines)-2], "\n"))

		if !strings.ContainsAny(picture, "123456789") {
			t.Errorf("with %d lines it has no amount:\n%s", height, picture)
		}
	}
}
