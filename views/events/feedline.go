package events

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/panel"
)

// feedLine returns the line above the list: an open prompt or question, or else the state and the
// filters of the list at the left and the time of the last response at the right. If both sides do
// not fit, the right one is shortened and then dropped, unless it warns that the events are stale:
// then the left one is cut.
func (s *Screen) feedLine() string {
	if top := s.layers.Top(); top != nil && top != s.picker {
		return top.Draw()
	}
	left := strings.Join(s.listStatus(), s.theme.Faint.Render(" · "))
	right, urgent := s.feedStatus()
	room := s.width - 2 - ansi.StringWidth(left)
	for _, text := range right {
		if ansi.StringWidth(text) <= room {
			return panel.Box([]string{left}, s.width-ansi.StringWidth(text), 1)[0] + text
		}
	}
	if urgent {
		last := right[len(right)-1]
		if room := s.width - 2 - ansi.StringWidth(last); room >= 12 {
			return panel.Box([]string{left}, room, 1)[0] + "  " + last
		}
		return last
	}
	return left
}

// listStatus returns the parts at the left of the feed line: whether the list follows the feed or
// is paused, how many events are missing, the filters, and the status of older events.
func (s *Screen) listStatus() []string {
	t := s.theme
	var parts []string
	switch {
	case s.list.paused:
		parts = append(parts, t.Caution.Render("paused · "+money.Count(int64(s.newSincePause()))+" new"))
	case !s.data.Feed.State().HasFigures() && s.data.Feed.State().Status != resource.Empty:
		// When the list is empty, the panel below says why.
	case s.list.following:
		parts = append(parts, "live")
	default:
		parts = append(parts, either(s.list.newestFirst, "▲", "▼")+" newer events: "+s.newestKey())
	}
	if missed := s.data.Feed.Missed(); missed != nil {
		parts = append(parts, t.Caution.Render("events after "+missed.LastAt.UTC().Format(time.DateOnly)+" may be missing"))
	}
	if lacks := panel.Unreadable(s.data.Feed.State()); lacks != "" {
		parts = append(parts, t.Caution.Render(lacks))
	}
	if s.Filtered() {
		parts = append(
			parts,
			s.chips().
				Line(t)+
				t.Faint.Render(
					fmt.Sprintf(" %s of %s read", money.Count(int64(len(s.shown))), money.Count(int64(len(s.events)))),
				),
		)
	}
	return append(parts, s.olderStatus()...)
}

// chips returns the active filters as chips, the type filter first.
func (s *Screen) chips() (chips listdetail.Chips) {
	if s.filter.choice != allTypes {
		chips = append(chips, s.filter.choice)
	}
	if s.filter.search != "" {
		chips = append(chips, `"`+s.filter.search+`"`)
	}
	return chips
}

// readRange says how far back events have been fetched and which key fetches more, such as "back to
// 2026-10-01: G loads more".
func (s *Screen) readRange() string {
	if len(s.events) == 0 {
		return "read"
	}
	text := "read"
	if dated := slices.IndexFunc(s.events, func(e apiclient.Event) bool { return !e.OccurredAt.IsZero() }); dated >= 0 {
		text = "back to " + s.events[dated].OccurredAt.UTC().Format(time.DateOnly)
	}
	if _, atOldest := s.data.Feed.Older(); !atOldest && !s.data.Feed.Full() {
		text += ": " + s.oldestKey() + " loads more"
	}
	return text
}

// noMatch returns the text that replaces the list when no event passes the filters.
func (s *Screen) noMatch() string {
	var which []string
	if s.filter.choice != allTypes {
		which = append(which, "of type "+termtext.Line(s.filter.choice))
	}
	if s.filter.search != "" {
		which = append(which, `with "`+s.filter.search+`"`)
	}
	return fmt.Sprintf("No events %s among the %s events %s. x removes the last filter.",
		strings.Join(which, " "), money.Count(int64(len(s.events))), s.readRange())
}

// olderStatus returns the status of the request for older events, or says that the feed has none.
// It returns nil if neither is worth a message, for example while the cursor is far from the oldest
// event.
func (s *Screen) olderStatus() []string {
	state, atOldest := s.data.Feed.Older()
	switch {
	case state.Waiting:
		return []string{s.theme.Faint.Render("loading older events…")}
	case state.Err != nil:
		return []string{
			s.theme.Caution.Render(
				"older events: " + problem.Reason(state.Err) + " · " + panel.Countdown(state.RetryAt, s.env.Now()),
			),
		}
	case s.data.Feed.Full() && s.nearOldest():
		limit := "only the newest " + money.Count(snapshot.MaxEventsWhileReading) + " events are kept"
		return []string{s.theme.Faint.Render(limit)}
	case atOldest && !s.list.following:
		return []string{s.theme.Faint.Render("end of the feed")}
	}
	return nil
}

// feedStatus returns the right side of the feed line in several forms, the longest first. They
// state the time of the last response and the polling interval, or why the events are stale; urgent
// is true in the second case.
func (s *Screen) feedStatus() (forms []string, urgent bool) {
	t, now, feed := s.theme, s.env.Now(), &s.data.Feed
	if n := feed.Gap(); n > 0 {
		count := money.Count(int64(n))
		return []string{
			t.Caution.Render("◌ catching up: " + count + " events so far"),
			t.Caution.Render("◌ catching up: " + count + " so far"),
		}, true
	}
	state := feed.State()
	if notice := panel.Notice(state, now); notice != "" {
		return []string{
			t.Caution.Render("◌ " + notice),
			t.Caution.Render("◌ stale, " + panel.Age(now.Sub(state.LoadedAt)) + " old"),
			t.Caution.Render("◌ stale"),
		}, true
	}
	at := feed.LastResponse()
	if at.IsZero() {
		return nil, false
	}
	clock, every := at.UTC().Format(time.TimeOnly)+" UTC", panel.Age(feed.Interval())
	return []string{
		t.Faint.Render("updated " + clock + " · every " + every),
		t.Faint.Render(clock + " · every " + every),
		t.Faint.Render("updated " + clock),
	}, false
}
