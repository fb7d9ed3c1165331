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

// feedLine shows the list's state and filters at the left, and the time of the last answer at
// the right. If both do not fit, the right side shortens first, but a warning that the events
// are stale is kept longest.
func (s *Screen) feedLine() string {
	if s.question.Open() {
		return s.question.Line(s.theme)
	}
	if s.file.Open() {
		return s.file.Draw()
	}
	if s.mode == searching {
		return s.prompt.Line()
	}
	left := strings.Join(s.tailStatus(), s.theme.Faint.Render(" · "))
	right, urgent := s.heard()
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

// tailStatus returns the state of the list: following or paused, its filters, and the reading of
// older events.
func (s *Screen) tailStatus() []string {
	t := s.theme
	var parts []string
	switch {
	case s.tail.paused:
		parts = append(parts, t.Caution.Render("paused · "+money.Count(int64(s.waiting()))+" new"))
	case !s.data.Feed.State().HasFigures() && s.data.Feed.State().Status != resource.Empty:
		// Nothing to follow; the panel says why.
	case s.tail.following:
		parts = append(parts, "following")
	default:
		parts = append(parts, either(s.tail.newestFirst, "▲", "▼")+" newer events: "+s.newestKey())
	}
	if missed := s.data.Feed.Missed(); missed != nil {
		parts = append(parts, t.Caution.Render("events after "+missed.LastAt.UTC().Format(time.DateOnly)+" may be missing"))
	}
	if lacks := panel.Lacks(s.data.Feed.State()); lacks != "" {
		parts = append(parts, t.Caution.Render(lacks))
	}
	if s.Filtered() {
		parts = append(
			parts,
			s.chips().
				Line(t)+
				t.Faint.Render(
					fmt.Sprintf(" %s of %s read", money.Count(int64(len(s.shown))), money.Count(int64(len(s.seen)))),
				),
		)
	}
	return append(parts, s.olderPart()...)
}

// chips returns the labels of the active filters.
func (s *Screen) chips() (chips listdetail.Chips) {
	if s.filter.choice != everything {
		chips = append(chips, s.filter.choice)
	}
	if s.filter.search != "" {
		chips = append(chips, `"`+s.filter.search+`"`)
	}
	return chips
}

// reach says how far back the events were read, and which key reads more.
func (s *Screen) reach() string {
	if len(s.seen) == 0 {
		return "read"
	}
	text := "read"
	if dated := slices.IndexFunc(s.seen, func(e apiclient.Event) bool { return !e.OccurredAt.IsZero() }); dated >= 0 {
		text = "back to " + s.seen[dated].OccurredAt.UTC().Format(time.DateOnly)
	}
	if _, atOldest := s.data.Feed.Older(); !atOldest && !s.data.Feed.Full() {
		text += ": " + s.oldestKey() + " loads more"
	}
	return text
}

// noMatch says that no event passes the filters.
func (s *Screen) noMatch() string {
	var which []string
	if s.filter.choice != everything {
		which = append(which, "of type "+termtext.Line(s.filter.choice))
	}
	if s.filter.search != "" {
		which = append(which, `with "`+s.filter.search+`"`)
	}
	return fmt.Sprintf("No events %s among the %s events %s. x removes the last filter.",
		strings.Join(which, " "), money.Count(int64(len(s.seen))), s.reach())
}

// olderPart describes the reading of older events. Some of it shows only near the oldest event.
func (s *Screen) olderPart() []string {
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
		return []string{s.theme.Faint.Render("only the newest " + money.Count(snapshot.HeldEvents) + " events are kept")}
	case atOldest && !s.tail.following:
		return []string{s.theme.Faint.Render("end of the feed")}
	}
	return nil
}

// heard describes the last answer of the server and the polling interval, or a problem, which
// is urgent. It returns several forms, the longest first.
func (s *Screen) heard() (forms []string, urgent bool) {
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
	at := feed.HeardAt()
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
