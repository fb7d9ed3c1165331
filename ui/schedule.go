package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/client/settings"
	"tarmac/client/snapshot"
	"tarmac/views"
)

// newSchedule returns a schedule with the configured intervals. An interval of zero means the
// default. With the defaults, the dashboard sends fewer than fifty requests a minute, a sixth of a
// token's limit, except while it reads the history.
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

// refreshEvery returns the maximum age of a part of the snapshot while the terminal has the focus.
// It is not used for the event feed, which has a polling interval of its own.
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

// newsDelay is the time between an event and the request for new figures. Events come in bursts,
// and one request after a burst is enough.
const newsDelay = time.Second

// Limits while the terminal does not have the focus: the feed's polling interval, and the factor by
// which other figures may be older.
const (
	unwatchedFeed  = time.Minute
	unwatchedTimes = 4
)

// schedule decides when each part of the snapshot is fetched. The root model asks it once a second;
// it has no timers of its own.
type schedule struct {
	every     settings.Refresh
	unwatched bool      // the terminal reported that it lost the focus; most terminals report nothing
	newsDueAt time.Time // when figures must be fetched because of an event; zero if there was none
	refreshed time.Time // when the user last requested a refresh
	renewed   time.Time // when a refresh last included the past months
}

// refreshGap is the minimum time between two refreshes requested by the user. A held key repeats
// thirty times a second, and each refresh sends about twenty requests.
const refreshGap = time.Second

// start returns the commands that fetch all parts of the snapshot, except those with a request
// under way.
func (c *schedule) start(s *snapshot.Snapshot) tea.Cmd {
	var cmds []tea.Cmd
	for _, part := range s.ByPriority() {
		if !s.State(part).Waiting {
			cmds = append(cmds, views.Fetch(s.Load(part)))
		}
	}
	if !s.State(snapshot.BooksRevision).Waiting {
		cmds = append(cmds, views.Fetch(s.Load(snapshot.BooksRevision)))
	}
	return tea.Batch(cmds...)
}

// mayRefresh reports whether refreshGap has passed since the last refresh. If so, it stores now as
// the time of a new one.
func (c *schedule) mayRefresh(now time.Time) bool {
	if !c.refreshed.IsZero() && now.Before(c.refreshed.Add(refreshGap)) {
		return false
	}
	c.refreshed = now
	return true
}

// refresh returns the commands for a refresh requested by the user. At most once a minute, a
// refresh includes the past months and the history. These take many requests, so a held key would
// otherwise exhaust the token's rate limit.
func (c *schedule) refresh(s *snapshot.Snapshot, now time.Time) tea.Cmd {
	s.History.AskAgain()
	if !now.Before(c.renewed.Add(time.Minute)) {
		c.renewed = now
		s.RefreshMonths()
		s.RenewHistory()
	}
	return c.start(s)
}

// reload returns the commands for a change that this program made on the server. Answers to
// requests under way may be older than the change. All figures are therefore fetched once more
// after newsDelay.
func (c *schedule) reload(s *snapshot.Snapshot, now time.Time) tea.Cmd {
	c.newsDueAt = now.Add(newsDelay)
	s.RefreshMonths()
	s.RenewHistory()
	return c.start(s)
}

// tick returns the commands for the parts of the snapshot that are due now. While the server is
// unreachable, it polls only the feed, because one request is enough to notice that the server is
// back.
func (c *schedule) tick(s *snapshot.Snapshot, now time.Time) tea.Cmd {
	var cmds []tea.Cmd
	hurry := !c.newsDueAt.IsZero() && !now.Before(c.newsDueAt) && !c.unwatched
	if hurry {
		c.newsDueAt = time.Time{}
	}
	cmds = append(cmds, c.readRevision(s, now))
	for _, part := range s.ByPriority() {
		if part == snapshot.History {
			cmds = append(cmds, c.readHistory(s, now))
			continue
		}
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

// readRevision returns the command that asks for the revision of own books, or nil if it is not
// due.
func (c *schedule) readRevision(s *snapshot.Snapshot, now time.Time) tea.Cmd {
	policy := resource.Policy{MaxAge: s.Books.Interval()}
	if c.unwatched {
		policy.MaxAge *= unwatchedTimes
	}
	_, out := s.Outage()
	if out || !resource.Due(s.State(snapshot.BooksRevision), now, policy) {
		return nil
	}
	return views.Fetch(s.Load(snapshot.BooksRevision))
}

// readHistory returns the command for the next step of the history, or nil if none is due. Each
// step leads to the next one at once; the client's limiter decides how fast requests are sent.
func (c *schedule) readHistory(s *snapshot.Snapshot, now time.Time) tea.Cmd {
	policy := resource.Policy{Changed: s.HistoryIsDue(), MaxAge: snapshot.RecentInterval, Unreachable: s.Unreachable()}
	if c.unwatched {
		policy.MaxAge *= unwatchedTimes
	}
	if !resource.Due(s.State(snapshot.History), now, policy) {
		return nil
	}
	return views.Fetch(s.Load(snapshot.History))
}

// booksChanged makes all figures due after newsDelay, the past months too: another program has
// changed own books.
func (c *schedule) booksChanged(s *snapshot.Snapshot, now time.Time) {
	c.newsDueAt = now.Add(newsDelay)
	s.RefreshMonths()
}

// answered handles the result of a fetch. If the feed brought new events, the other figures become
// due after newsDelay. If the feed had failed before, answered returns the command that fetches all
// failed parts again. After a step of the history, it returns the command for the next one.
func (c *schedule) answered(
	s *snapshot.Snapshot,
	a snapshot.Result,
	failedBefore int,
	news bool,
	now time.Time,
) tea.Cmd {
	if a.Part == snapshot.History {
		return c.readHistory(s, now)
	}
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

// interval returns how old a part of the snapshot may become before it is fetched again. Parts may
// become older while the terminal does not have the focus.
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
