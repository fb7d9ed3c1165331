package theme

import "charm.land/lipgloss/v2"

// Thresholds are the minimum runways that are rated comfortable, healthy and caution, in tenths of
// a month. A shorter runway than Caution is critical.
type Thresholds struct{ Comfortable, Healthy, Caution int64 }

// DefaultThresholds returns thresholds of twelve, six and three months.
func DefaultThresholds() Thresholds { return Thresholds{Comfortable: 120, Healthy: 60, Caution: 30} }

// RunwayWord returns the rating of a runway, such as "healthy". The runway is in tenths of a month.
func (t Theme) RunwayWord(tenths int64) string {
	switch {
	case tenths >= t.Thresholds.Comfortable:
		return "comfortable"
	case tenths >= t.Thresholds.Healthy:
		return "healthy"
	case tenths >= t.Thresholds.Caution:
		return "caution"
	}
	return "critical"
}

// Runway returns the style for the rating of a runway. The runway is in tenths of a month.
func (t Theme) Runway(tenths int64) lipgloss.Style {
	switch t.RunwayWord(tenths) {
	case "comfortable":
		return t.Good
	case "healthy":
		return t.Caution
	case "caution":
		return t.Warning
	}
	return t.Critical
}
