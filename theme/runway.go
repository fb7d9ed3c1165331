package theme

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
)

// Thresholds are the minimum runways that are rated comfortable, healthy and caution, in tenths of
// a month. A shorter runway than Caution is critical.
type Thresholds struct{ Comfortable, Healthy, Caution int64 }

// DefaultThresholds returns thresholds of twelve, six and three months.
func DefaultThresholds() Thresholds { return Thresholds{Comfortable: 120, Healthy: 60, Caution: 30} }

// RunwayRule returns the lengths that RunwayWord calls by its word for a runway, such as "6 to 12
// months". The runway is in tenths of a month.
func (t Theme) RunwayRule(tenths int64) string {
	months := func(limit int64) string {
		text := strconv.FormatInt(limit/10, 10)
		if limit%10 != 0 {
			text += "." + strconv.FormatInt(limit%10, 10)
		}
		return text
	}
	switch l := t.Thresholds; {
	case tenths >= l.Comfortable:
		return months(l.Comfortable) + " months or more"
	case tenths >= l.Healthy:
		return months(l.Healthy) + " to " + months(l.Comfortable) + " months"
	case tenths >= l.Caution:
		return months(l.Caution) + " to " + months(l.Healthy) + " months"
	}
	return "less than " + months(t.Thresholds.Caution) + " months"
}

// RunwayRules says which word RunwayWord has for which lengths of a runway.
func (t Theme) RunwayRules() string {
	l := t.Thresholds
	var rules []string
	for _, least := range [...]int64{l.Comfortable, l.Healthy, l.Caution, 0} {
		rules = append(rules, t.RunwayWord(least)+": "+t.RunwayRule(least))
	}
	return "Words for a runway: " + strings.Join(rules, ", ") + "."
}

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
