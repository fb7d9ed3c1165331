package events

import (
	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/views/parts/saveas"
)

// listed returns the events of the list, in its order. Data that were too large to be kept
// are left out.
func (s *Screen) listed() saveas.Table {
	all := make([]apiclient.Event, len(s.shown))
	for row := range all {
		e, _ := s.event(row)
		all[row] = *e
	}
	return saveas.List(all, record.Event, "event")
}
