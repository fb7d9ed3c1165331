package forecast

import (
	"tarmac/client/scenario"
)

// Suppose returns the forecast with the effect of a scenario on each week. The result is
// hypothetical, and front ends must say so. The band is that of the forecast without the
// scenario. It returns false if a figure that the scenario needs is unknown or too large.
func (f *Forecast) Suppose(changes scenario.Changes, baseline scenario.Baseline) (*Forecast, bool) {
	nets, ok := changes.Weekly(baseline, f.Today, Weeks)
	if !ok {
		return nil, false
	}
	supposed := *f
	for i := range supposed.Weeks {
		supposed.Weeks[i].Supposed = nets[i]
	}
	if changes.Overdue {
		supposed.Start.Excluded += baseline.Overdue.Excluded
	}
	supposed.setCash()
	return &supposed, true
}
