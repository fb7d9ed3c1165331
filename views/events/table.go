package events

import (
	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/views/parts/saveas"
)

// listed returns the shown events as a table for export, in their order. It omits data that
// were too large to keep.
func (s *Screen) listed() saveas.Table {
	all := make([]apiclient.Event, len(s.shown))
	for row := range all {
		e, _ := s.event(row)
		all[row] = *e
	}
	return saveas.List(all, record.Event, "event")
}
