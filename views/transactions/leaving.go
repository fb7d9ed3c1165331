package transactions

import "tarmac/views"

var (
	_ views.Keeper   = (*Screen)(nil)
	_ views.Filterer = (*Screen)(nil)
)

// Unfinished says that no file would be left of an export.
func (s *Screen) Unfinished() string {
	if s.export != nil || s.beginning != nil {
		return "an export is under way"
	}
	return ""
}

// Filtered reports whether transactions are left out.
func (s *Screen) Filtered() bool { return !s.filter.empty() }
