package events

import (
	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/views/parts/saveas"
)

// listedTable returns the shown events as a table for export, in the order of the list. The table
// lacks event data that was too large to keep in memory.
func (s *Screen) listedTable() saveas.Table {
	all := make([]apiclient.Event, len(s.shown))
	for row := range all {
		e, _ := s.event(row)
		all[row] = *e
	}
	return saveas.List(all, record.Event, "event")
}
