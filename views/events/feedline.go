package events

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/page"
	"tarmac/views/parts/panel"
)

// head returns the line above the list: an open prompt or question, or else the state and the
// filters of the list at the left and the time of the last response at the right. If both sides do
// not fit, the right one is shortened and then dropped, unless it warns that the events are stale:
// then the left one is cut. Very small screens have no line.
func (s *Screen) head() []page.Line {
	if s.Height < 1 || s.Height < 3 && !s.Typing() {
		return nil
	}
	if prompts := (views.Layers{s.Question, s.File, s.list.Search}); prompts.Open() {
		return []page.Line{{Text: prompts.Top().Draw()}}
	}
	left, click := s.listStatus()
	right, urgent := s.feedStatus()
	room := s.Width - 2 - ansi.StringWidth(left)
	for _, text := range right {
		if ansi.StringWidth(text) <= room {
			return []page.Line{{Text: listdetail.Fit(left, s.Width-ansi.StringWidth(text)) + text, Click: click}}
		}
	}
	if urgent {
		last := right[len(right)-1]
		if room := s.Width - 2 - ansi.StringWidth(last); room >= 12 {
			return []page.Line{{Text: listdetail.Fit(left, room) + "  " + last, Click: click}}
		}
		return []page.Line{{Text: last}}
	}
	return []page.Line{{Text: left, Click: click}}
}

// listStatus returns the left side of the feed line: whether the list follows the feed or is
// paused, how many events are missing, the filters, and the status of older events. click removes
// the filter that is clicked.
func (s *Screen) listStatus() (text string, click func(x int) tea.Cmd) {
	t, feed := s.Theme, &s.Snapshot.Feed
	var parts []string
	switch state := feed.State(); {
	case s.paused:
		parts = append(parts, t.Caution.Render("paused · "+money.Count(int64(feed.TotalReceived()-s.pausedAt))+" new"))
	case !state.HasFigures() && state.Status != resource.Empty:
		// When the list is empty, the panel below says why.
	case s.list.Following:
		parts = append(parts, "live")
	default:
		parts = append(parts, either(s.list.Reversed, "▲", "▼")+" newer events: "+s.newestKey())
	}
	if missed := feed.Missed(); missed != nil {
		parts = append(parts, t.Caution.Render("events after "+missed.LastAt.UTC().Format(time.DateOnly)+" may be missing"))
	}
	if lacks := panel.Unreadable(feed.State()); lacks != "" {
		parts = append(parts, t.Caution.Render(lacks))
	}
	if s.Filtered() {
		labels, remove := s.ChipLine()
		before := ansi.StringWidth(strings.Join(append(parts, ""), " · "))
		click = func(x int) tea.Cmd { return remove(x - before) }
		read := fmt.Sprintf(" %s of %s read", money.Count(int64(s.list.Len())), money.Count(int64(len(s.events))))
		parts = append(parts, labels.Line(t)+t.Faint.Render(read))
	}
	return strings.Join(append(parts, s.olderStatus()...), t.Faint.Render(" · ")), click
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
	if _, atOldest := s.Snapshot.Feed.Older(); !atOldest && !s.Snapshot.Feed.Full() {
		text += ": " + s.oldestKey() + " loads more"
	}
	return text
}

// emptyText returns the text that replaces an empty list.
func (s *Screen) emptyText() string {
	if len(s.events) == 0 {
		return "No events yet. They appear here as they happen."
	}
	var which []string
	if s.choice != allTypes {
		which = append(which, "of type "+termtext.Line(s.choice))
	}
	if s.list.Text != "" {
		which = append(which, `with "`+s.list.Text+`"`)
	}
	return fmt.Sprintf("No events %s among the %s events %s. x removes the last filter.",
		strings.Join(which, " "), money.Count(int64(len(s.events))), s.readRange())
}

// olderStatus returns the status of the request for older events, or says that the feed has none.
// It returns nil if neither is worth a message, for example while the cursor is far from the oldest
// event.
func (s *Screen) olderStatus() []string {
	state, atOldest := s.Snapshot.Feed.Older()
	switch {
	case state.Waiting:
		return []string{s.Theme.Faint.Render("loading older events…")}
	case state.Err != nil:
		return []string{
			s.Theme.Caution.Render(
				"older events: " + problem.Reason(state.Err) + " · " + panel.Countdown(state.RetryAt, s.Now()),
			),
		}
	case s.Snapshot.Feed.Full() && s.nearOldest():
		limit := "only the newest " + money.Count(snapshot.MaxEventsWhileReading) + " events are kept"
		return []string{s.Theme.Faint.Render(limit)}
	case atOldest && !s.list.Following:
		return []string{s.Theme.Faint.Render("end of the feed")}
	}
	return nil
}

// feedStatus returns the right side of the feed line in several forms, the longest first. They
// state the time of the last response and the polling interval, or why the events are stale; urgent
// is true in the second case.
func (s *Screen) feedStatus() (forms []string, urgent bool) {
	t, now, feed := s.Theme, s.Now(), &s.Snapshot.Feed
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
