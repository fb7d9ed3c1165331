package ui

import (
	"testing"
	"time"

	"tarmac/client/settings"
	"tarmac/client/snapshot"
)

// Configured intervals apply; the others keep their defaults.
func TestIntervalsAreThoseThatAreSet(t *testing.T) {
	c := newSchedule(settings.Refresh{Latest: time.Minute, Figures: time.Hour})
	for part, want := range map[snapshot.Part]time.Duration{
		snapshot.Latest: time.Minute, snapshot.Account: 30 * time.Second, snapshot.Ping: 5 * time.Minute,
		snapshot.Aging: time.Hour,
	} {
		if got := c.refreshEvery(part); got != want {
			t.Errorf("part %v is renewed after %s, want %s", part, got, want)
		}
	}
}
