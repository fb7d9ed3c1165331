package ui

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// This file draws the parts around every screen: the header, which names the profile and says how
// recent the figures are; the tab line; and the footer with the keys.

// chromeHeight is the height of the header, the tab line and the footer, in lines.
const chromeHeight = 3

// connectionState is the connection state as the header shows it: a symbol, a text and the style of
// both. next says what the client does about a problem, or "".
type connectionState struct {
	sign, text string
	style      func(theme.Theme) func(...string) string
	next       string
}

func (c connectionState) String() string {
	if c.next == "" {
		return c.sign + " " + c.text
	}
	return c.sign + " " + c.text + " · " + c.next
}

// widestReason is the maximum width, in cells, of the reason why requests fail that the header
// shows.
const widestReason = 46

// linkOf summarizes the state of the connection for the header: live, loading, stale, failed,
// delayed by a rate limit, or why no request succeeds. It adds the time since the last response.
// The parameter pause says how long the rate limit delays requests; 0 means that it does not.
// awaited says that an answer is awaited or overdue, or is "".
func linkOf(s *snapshot.Snapshot, pause time.Duration, awaited string, now time.Time) connectionState {
	good := func(t theme.Theme) func(...string) string { return t.Good.Render }
	caution := func(t theme.Theme) func(...string) string { return t.Caution.Render }
	critical := func(t theme.Theme) func(...string) string { return t.Critical.Render }

	feed := s.Feed.State()
	switch {
	case errors.Is(feed.Err, apiclient.ErrUnauthorized):
		return connectionState{"✕", problem.Credential(feed.Err) + " refused", critical, awaited}
	case s.Unreachable():
		return connectionState{
			"✕", reasonOf(feed.Err) + since(s.Feed.LastResponse(), now), critical,
			cmp.Or(awaited, panel.Countdown(feed.RetryAt, now)),
		}
	case pause > 0:
		return connectionState{"◌", pauseText(pause), caution, ""}
	}
	oldest, loading, failed, answered, refused := time.Time{}, false, false, false, 0
	for _, part := range s.ByPriority() {
		state := s.State(part)
		// The pages themselves say that the history is being read, which can take minutes.
		loading = loading || state.Status == resource.Loading && part != snapshot.History
		failed = failed || state.Status == resource.Failed
		if state.Status == resource.NotAllowed {
			refused++
		}
		answered = answered || state.Status != resource.Failed && state.Status != resource.Loading
		if state.Status == resource.Stale && (oldest.IsZero() || state.LoadedAt.Before(oldest)) {
			oldest = state.LoadedAt
		}
	}
	switch {
	case !oldest.IsZero():
		return connectionState{"◌", "stale" + since(oldest, now), caution, awaited}
	case !answered && feed.Status == resource.Failed:
		return connectionState{"✕", reasonOf(feed.Err), critical, awaited}
	case failed:
		return connectionState{"◌", "some figures failed", caution, awaited}
	case awaited != "":
		return connectionState{"◌", awaited, caution, ""}
	case loading:
		return connectionState{"◌", "loading", caution, ""}
	}
	if refused > 0 {
		return connectionState{"●", "live, " + strconv.Itoa(refused) + " not allowed", caution, ""}
	}
	return connectionState{"●", "live", good, ""}
}

// reasonOf says in at most widestReason cells why requests fail.
func reasonOf(err error) string {
	p := problem.Of(err)
	if p.Offline {
		return "offline"
	}
	return termtext.Fit(p.Reason, min(termtext.Width(p.Reason), widestReason))
}

func since(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " " + panel.Age(now.Sub(t))
}

// header draws a line such as "tarmac demo ● live". parts are the profile's name and the active
// modes. A part that does not fit is left out, so that the connection state is always visible.
func header(t theme.Theme, l connectionState, parts []string, width int) string {
	right := l.style(t)(l.String())
	left := t.Accent.Render("tarmac")
	for _, part := range parts {
		next := left + "  " + t.Faint.Render(termtext.Line(part))
		if part != "" && ansi.StringWidth(next)+2+ansi.StringWidth(right) <= width {
			left = next
		}
	}
	return spread(left, right, width)
}

// tabs draws the line with the names of all pages and marks the active one.
func tabs(t theme.Theme, pages []page, active, width int) string {
	var b strings.Builder
	for i, label := range tabLabels(pages, active, width) {
		style := t.TabOff
		if i == active {
			style = t.TabOn
		}
		if label != "" {
			b.WriteString(style.Render(label))
		}
	}
	return spread(b.String(), "", width)
}

// tabLabels returns the label of each page in the tab line; the label of a page without a tab is
// "". In a narrow window it first removes the padding of hidden pages, then shortens their titles
// until all labels fit, then leaves only their digits. The visible page always has its whole title
// between two blanks, even if it has no tab otherwise.
func tabLabels(pages []page, active, width int) []string {
	padded, titles, short, digits := make([]string, len(pages)), make([]string, len(pages)),
		make([]string, len(pages)), make([]string, len(pages))
	for i, p := range pages {
		switch {
		case p.Digit != "":
			titles[i] = " " + p.Digit + " " + p.Title
			padded[i], short[i], digits[i] = titles[i]+" ", " "+p.Digit+" "+p.Short, " "+p.Digit+" "
		case i == active:
			padded[i] = " " + p.Title + " "
			titles[i] = padded[i]
		}
	}
	titles[active], short[active], digits[active] = padded[active], padded[active], padded[active]
	switch {
	case tabsWidth(padded) <= width:
		return padded
	case tabsWidth(short) <= width:
		return shortenedTabs(titles, short, width)
	}
	return digits
}

// shortenedTabs replaces labels by their short forms until all of them take at most width cells.
// The labels that gain most come first.
func shortenedTabs(labels, short []string, width int) []string {
	gain := func(i int) int { return ansi.StringWidth(labels[i]) - ansi.StringWidth(short[i]) }
	for used := tabsWidth(labels); used > width; {
		most := 0
		for i := range labels {
			if gain(i) > gain(most) {
				most = i
			}
		}
		used -= gain(most)
		labels[most] = short[most]
	}
	return labels
}

func tabsWidth(labels []string) (cells int) {
	for _, label := range labels {
		cells += ansi.StringWidth(label)
	}
	return cells
}

// footer draws as many keys as fit. The global keys are at the right end if the width allows. An
// enabled key of the finder is always shown.
func footer(t theme.Theme, here []views.HelpGroup, always, finder []key.Binding, width int) string {
	left, right := footerKeys(t, here, always, finder, width)
	return spread(hints(t, left), hints(t, right), width)
}

// footerKeys returns the keys that fit at the left and at the right end of the footer. The left end
// gets the groups of here in order, up to the first group that does not fit completely; that group
// gets the keys that fit. Screens list the keys of actions before navigation keys, so a narrow
// footer omits navigation keys first.
func footerKeys(
	t theme.Theme,
	here []views.HelpGroup,
	always, finder []key.Binding,
	width int,
) (left, right []key.Binding) {
	for _, b := range slices.Backward(finder) {
		if next := append([]key.Binding{b}, right...); b.Enabled() && ansi.StringWidth(hints(t, next)) <= max(width, 6) {
			right = next
		}
	}
	for i, b := range slices.Backward(always) {
		if b.Enabled() && (width >= wideFooter || width >= footerWidth && i == len(always)-1) {
			right = slices.Insert(right, 0, b)
		}
	}
	room, used := width-ansi.StringWidth(hints(t, right))-2, 0
	whole := true
	for i := 0; i < len(here) && whole; i++ {
		for _, b := range here[i].Bindings {
			w := ansi.StringWidth(hint(t, b))
			if !b.Enabled() || b.Help().Key == "" {
				continue
			}
			if used+w > room {
				whole = false
				continue
			}
			left = append(left, b)
			used += w + hintGap
		}
	}
	return left, right
}

// hintGap is the number of cells between two keys of the footer.
const hintGap = 2

func hints(t theme.Theme, keys []key.Binding) string {
	texts := make([]string, len(keys))
	for i, b := range keys {
		texts[i] = hint(t, b)
	}
	return strings.Join(texts, strings.Repeat(" ", hintGap))
}

// footerWidth is the minimum width at which the footer shows the last of the global keys.
// wideFooter is the minimum width for all of them.
const (
	footerWidth = 72
	wideFooter  = 100
)

func hint(t theme.Theme, b key.Binding) string {
	return t.KeyName.Render(b.Help().Key) + " " + t.KeyDesc.Render(b.Help().Desc)
}

// spread returns a line of exactly width cells with leftText at its left end and rightText at its
// right end. If both do not fit, leftText is cut first.
func spread(leftText, rightText string, width int) string {
	if width <= 0 {
		return ""
	}
	rightText = ansi.Truncate(rightText, width, "")
	room := width - ansi.StringWidth(rightText)
	leftText = ansi.Truncate(leftText, room, "…")
	return leftText + strings.Repeat(" ", room-ansi.StringWidth(leftText)) + rightText
}
