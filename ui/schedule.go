package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/client/settings"
	"tarmac/client/snapshot"
	"tarmac/views"
)

// newSchedule returns a schedule with the intervals that are set, and the defaults
// where none is. With those, together they stay under fifty requests a minute, a
// sixth of what the service allows a token.
func newSchedule(set settings.Refresh) schedule {
	every := settings.Defaults().Refresh
	for _, interval := range [...]struct{ to, from *time.Duration }{
		{&every.Account, &set.Account}, {&every.Latest, &set.Latest}, {&every.Figures, &set.Figures}, {&every.Ping, &set.Ping},
	} {
		if *interval.from > 0 {
			*interval.to = *interval.from
		}
	}
	return schedule{every: every}
}

// refreshEvery returns how old a part may become before it is fetched again. The
// feed sets its own pace.
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

// newsDelay is how long after an event the figures are fetched again: events
// come in bursts, and one look after the burst is enough.
const newsDelay = time.Second

// What the intervals become while nobody looks.
const (
	unwatchedFeed  = time.Minute
	unwatchedTimes = 4
)

// schedule decides what is fetched when. It looks at the clock once a second
// and keeps no timers of its own.
type schedule struct {
	every     settings.Refresh
	unwatched bool      // the terminal has said that it lost the focus; most never say
	newsDueAt time.Time // when the figures are due because of an event; zero: not
	refreshed time.Time // when a person last asked for everything
	renewed   time.Time // when that last included the closed months
}

// refreshGap is the least time between two refreshes: a key that is held down
// comes thirty times a second, and each would be some twenty requests.
const refreshGap = time.Second

// start returns the commands that fetch everything that is not being fetched.
func (c *schedule) start(s *snapshot.Snapshot) tea.Cmd {
	var cmds []tea.Cmd
	for _, part := range s.InTurn() {
		if !s.State(part).Waiting {
			cmds = append(cmds, views.Fetch(s.Load(part)))
		}
	}
	return tea.Batch(cmds...)
}

// mayRefresh reports whether it is not too early for a person to ask for
// everything again, and takes note that it was asked for.
func (c *schedule) mayRefresh(now time.Time) bool {
	if !c.refreshed.IsZero() && now.Before(c.refreshed.Add(refreshGap)) {
		return false
	}
	c.refreshed = now
	return true
}

// refresh returns the commands that fetch everything again, because a person
// asked for it. The closed months, a request each, are asked for once a minute at
// most: whoever leans on the key shall not use up the token's rate.
func (c *schedule) refresh(s *snapshot.Snapshot, now time.Time) tea.Cmd {
	if !now.Before(c.renewed.Add(time.Minute)) {
		c.renewed = now
		s.RenewMonths()
	}
	return c.start(s)
}

// tick returns the commands for what is due now. While the server cannot be
// reached only the feed is tried: one request finds out as well as seven.
func (c *schedule) tick(s *snapshot.Snapshot, now time.Time) tea.Cmd {
	var cmds []tea.Cmd
	hurry := !c.newsDueAt.IsZero() && !now.Before(c.newsDueAt) && !c.unwatched
	if hurry {
		c.newsDueAt = time.Time{}
	}
	for _, part := range s.InTurn() {
		policy := resource.Policy{
			Every: c.interval(s, part), Changed: hurry && part != snapshot.Ping, Away: part != snapshot.Events && s.Unreachable(),
		}
		if resource.Due(s.State(part), now, policy) {
			cmds = append(cmds, views.Fetch(s.Load(part)))
		}
	}
	return tea.Batch(cmds...)
}

// answered reacts to an answer: when the feed is heard again after failures
// everything that failed is fetched at once, and after an event the figures are.
func (c *schedule) answered(s *snapshot.Snapshot, a snapshot.Answer, failedBefore int, news bool, now time.Time) tea.Cmd {
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
	for _, part := range s.InTurn() {
		if part != snapshot.Events && resource.Due(s.State(part), now, resource.Policy{Recovered: true}) {
			cmds = append(cmds, views.Fetch(s.Load(part)))
		}
	}
	return tea.Batch(cmds...)
}

// interval returns how old a part may become before it is fetched again: while nobody
// looks the feed is polled at its slowest, and figures are let grow older.
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
