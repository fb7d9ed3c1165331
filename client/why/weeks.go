package why

import (
	"tarmac/client/forecast"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// WeeksText says what the cash is in the last week of a forecast, by how much tests on the past
// missed it, and in which week it is gone first. It returns "" if the forecast has no tests.
func WeeksText(f *forecast.Forecast) string {
	last := f.Figures(len(f.Weeks) - 1)
	if !f.HasBand() || last.Cash.Unknown || last.Band.Unknown {
		return ""
	}
	scale := money.ScaleOfError(size(last.Cash.Minor), last.Band.Minor, last.Cash.Currency)
	text := "Estimate: " + scale.With(last.Cash.Minor) + " ±" + scale.UpWith(last.Band.Minor) + " on " +
		f.Weeks[len(f.Weeks)-1].Last.String() + " (" + plural.Count(len(f.Trials), "test") + " on the past)."
	estimate, lowest := "", ""
	for i := range f.Weeks {
		w := f.Figures(i)
		day := f.Weeks[i].Last.String()
		if estimate == "" && !w.Cash.Unknown && w.Cash.Minor < 0 {
			estimate = " The estimate is below zero by " + day + "."
		}
		if lowest == "" && !w.Cash.Unknown && !w.Band.Unknown && w.Cash.Minor < w.Band.Minor {
			lowest = " The lowest of the tests is below zero by " + day + "."
		}
	}
	return text + estimate + lowest
}
