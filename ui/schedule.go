package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/client/settings"
	"tarmac/client/snapshot"
	"tarmac/views"
)

// newSchedule returns a schedule with the configured intervals, or the defaults for those that are
// zero. The defaults send fewer than fifty requests a minute, a sixth of a token's limit.
func newSchedule(set settings.Refresh) schedule {
	every := settings.Defaults().Refresh
	for _, interval := range [...]struct{ to, from *time.Duration }{
		{&every.Account, &set.Account}, {&every.Latest, &set.Latest}, {&every.Figures, &set.Figures},
		{&every.Ping, &set.Ping},
	} {
		if *interval.from > 0 {
			*interval.to = *interval.from
		}
	}
	return schedule{every: every}
}

// refreshEvery returns the maximum age of a part while the terminal has the focus. It does not
// apply to the event feed, which has an interval of its own.
func (c *schedule) refreshEvery(part snapshot.Part) time.Duration {
	switch part {
	case snapshot.Latest:
		return c.every.Latest
	case snapshot.Account:
		return c.every.Account
	case snapshot.Ping:
		return c.every.Ping
	}
	return c.every.Figures
}

// newsDelay is the time from an event to the fetch of new figures. Events come in bursts, and one
// fetch after the burst is enough.
const newsDelay = time.Second

// Intervals while the terminal has no focus.
const (
	unwatchedFeed  = time.Minute
	unwatchedTimes = 4
)

// schedule decides which figures are fetched when. It is asked once a second and has no timers.
type schedule struct {
	every     settings.Refresh
	unwatched bool      // the terminal reported that it lost the focus; most never report it
	newsDueAt time.Time // when an event makes the figures due; zero if none
	refreshed time.Time // when the person last refreshed
	renewed   time.Time // when a refresh last included the closed months
}

// refreshGap is the minimum time between two refreshes. A held key repeats thirty times a second,
// and each refresh sends about twenty requests.
const refreshGap = time.Second

// start returns the commands that fetch all parts except those with a pending request.
func (c *schedule) start(s *snapshot.Snapshot) tea.Cmd {
	var cmds []tea.Cmd
	for _, part := range s.ByPriority() {
		if !s.State(part).Waiting {
			cmds = append(cmds, views.Fetch(s.Load(part)))
		}
	}
	return tea.Batch(cmds...)
}

// mayRefresh reports whether refreshGap has passed since the last refresh, and if so records the
// time of this one.
func (c *schedule) mayRefresh(now time.Time) bool {
	if !c.refreshed.IsZero() && now.Before(c.refreshed.Add(refreshGap)) {
		return false
	}
	c.refreshed = now
	return true
}

// refresh returns the commands for a refresh by the person. It includes the closed months, which
// take one request each, at most once a minute, so that a held key does not exhaust the token's
// limit.
func (c *schedule) refresh(s *snapshot.Snapshot, now time.Time) tea.Cmd {
	if !now.Before(c.renewed.Add(time.Minute)) {
		c.renewed = now
		s.RefreshMonths()
	}
	return c.start(s)
}

// tick returns the commands that are due now. While the server is unreachable it polls only the
// feed: one request is enough to notice that it is back.
func (c *schedule) tick(s *snapshot.Snapshot, now time.Time) tea.Cmd {
	var cmds []tea.Cmd
	hurry := !c.newsDueAt.IsZero() && !now.Before(c.newsDueAt) && !c.unwatched
	if hurry {
		c.newsDueAt = time.Time{}
	}
	for _, part := range s.ByPriority() {
		policy := resource.Policy{
			MaxAge: c.interval(
				s,
				part,
			), Changed: hurry && part != snapshot.Ping, Unreachable: part != snapshot.Events && s.Unreachable(),
		}
		if resource.Due(s.State(part), now, policy) {
			cmds = append(cmds, views.Fetch(s.Load(part)))
		}
	}
	return tea.Batch(cmds...)
}

// answered handles the result of a fetch. If the feed brought new events, it makes the figures due
// after newsDelay. If the feed had failed before, it returns the command that fetches all failed
// parts again.
func (c *schedule) answered(
	s *snapshot.Snapshot,
	a snapshot.Result,
	failedBefore int,
	news bool,
	now time.Time,
) tea.Cmd {
	if a.Part != snapshot.Events || s.Feed.State().Err != nil {
		return nil
	}
	if news {
		c.newsDueAt = now.Add(newsDelay)
	}
	if failedBefore == 0 {
		return nil
	}
	var cmds []tea.Cmd
	for _, part := range s.ByPriority() {
		if part != snapshot.Events && resource.Due(s.State(part), now, resource.Policy{Recovered: true}) {
			cmds = append(cmds, views.Fetch(s.Load(part)))
		}
	}
	return tea.Batch(cmds...)
}

// interval returns how old a part may become before it is fetched again. It is longer while the
// terminal has no focus.
func (c *schedule) interval(s *snapshot.Snapshot, part snapshot.Part) time.Duration {
	switch {
	case part == snapshot.Events && c.unwatched:
		return unwatchedFeed
	case part == snapshot.Events:
		return s.Feed.Interval()
	case c.unwatched:
		return unwatchedTimes * c.refreshEvery(part)
	}
	return c.refreshEvery(part)
}
