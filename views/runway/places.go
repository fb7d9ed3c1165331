package runway

import (
	"tarmac/internal/civil"
	"tarmac/views"
)

// Places returns where else the month under the cursor is.
func (s *Screen) Places() []views.Place {
	months := s.data.MonthFigures()
	if s.section != monthList || s.months.cursor >= len(months) {
		return nil
	}
	return views.PlacesOfMonth(months[len(months)-1-s.months.cursor].First, civil.Of(s.env.Now()))
}
