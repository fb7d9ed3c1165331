package events

import (
	"tarmac/client/export"
	"tarmac/client/problem"
	"tarmac/internal/money"
	"tarmac/views/parts/saveas"
)

// listed is the events of the list, in its order, with the API's names (docs/api.md,
// Event envelope). Data that were too large to be kept are left out.
func (s *Screen) listed() saveas.Table {
	sheet := export.Sheet{Names: []string{"id", "type", "version", "occurred_at", "data"}}
	unreadable := 0
	for row := range s.shown {
		e, _ := s.event(row)
		if e.Unreadable != nil {
			unreadable++
			continue
		}
		version, at := int64(e.Version), e.OccurredAt
		sheet.Rows = append(sheet.Rows, []any{e.ID, string(e.Type), &version, &at, e.Data})
	}
	what := money.Count(int64(len(sheet.Rows))) + either(len(sheet.Rows) == 1, " event", " events")
	return saveas.Table{Sheet: sheet, What: what + problem.LeftOut(unreadable)}
}
