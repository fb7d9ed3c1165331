package propose

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/termtext"
	"tarmac/views/parts/panel"
)

// leastTable is the minimum height of the list of drafts on a small page.
const leastTable = 4

// View draws the page.
func (s *Screen) View() string {
	f := panel.Frame{
		Title: s.title(), Note: s.note(), Width: s.width, Height: s.height, Focused: true, Body: s.body,
		EmptyText: "This session is read-only. Restart without --read-only to propose an invoice.",
	}
	return strings.Join(panel.Box(panel.Draw(s.theme, f, s.state(), s.env.Now()), s.width, s.height), "\n")
}

func (s *Screen) title() string {
	switch s.stage {
	case reviewing:
		return "Review"
	case sending:
		return "Sending"
	case uncertain:
		return "Outcome unknown"
	case finished:
		return "Proposed"
	}
	return "Propose an invoice"
}

// note returns when the draft was saved, or "" if it is not on disk.
func (s *Screen) note() string {
	k := &s.keeping
	switch {
	case s.stage != filling && s.stage != reviewing:
		return ""
	case k.store == nil:
		return "draft won't be saved"
	case k.failure != nil || k.onDisk.IsZero():
		return ""
	}
	return "draft saved " + k.onDisk.Format("15:04") + " UTC"
}

// body draws the inside of the frame: the current stage, with remarks below.
func (s *Screen) body(width, height int) []string {
	foot := s.foot(width, height)
	room := height - len(foot)
	var lines []string
	switch s.stage {
	case filling:
		rows, first, last := s.formRows(width)
		lines = around(rows, first, last, room)
	case reviewing, sending:
		rows := s.reviewRows(width)
		lines = rows[min(s.offset, len(rows)):]
	case uncertain:
		lines = s.searchRows(width, room)
	case finished:
		lines = s.finishedRows(width)
	}
	return append(panel.Box(lines, width, room), foot...)
}

// around drops rows from the top so that the rows from first to last fit into room.
func around(rows []string, first, last, room int) []string {
	top := max(0, min(last+1+room/3-room, len(rows)-room))
	if first < top {
		top = first
	}
	return rows[top:]
}

// arrange sets the sizes of the parts that scroll.
func (s *Screen) arrange() {
	if s.closed() {
		return
	}
	width, height := panel.Inner(s.width, s.height)
	switch {
	case s.scrolls():
		s.offset = max(0, min(s.offset, s.surplus()))
	case s.stage == uncertain:
		room := height - len(s.foot(width, height))
		s.search.table.SetSize(width, max(min(leastTable, room), room-len(s.doubtRows(width))))
	}
}

// room returns the number of visible lines of the review.
func (s *Screen) room() int {
	width, height := panel.Inner(s.width, s.height)
	return height - len(s.foot(width, height))
}

// surplus returns how many lines of the review do not fit.
func (s *Screen) surplus() int {
	width, _ := panel.Inner(s.width, s.height)
	return max(0, len(s.reviewRows(width))-s.room())
}

// remark is a message at the foot of the page.
type remark struct {
	text  string
	style lipgloss.Style
}

// foot returns the remarks, wrapped, below an empty line. It takes at most half of the page.
func (s *Screen) foot(width, height int) []string {
	var lines []string
	for _, r := range s.remarks() {
		for _, line := range wrap(r.text, width) {
			lines = append(lines, r.style.Render(line))
		}
	}
	if len(lines) > 0 && height > 8 {
		lines = append([]string{""}, lines...)
	}
	lines = lines[:min(len(lines), height/2)]
	return panel.Box(lines, width, len(lines))
}

func wrap(text string, width int) []string {
	if text == "" {
		return nil
	}
	return strings.Split(ansi.Wrap(text, max(1, width), ""), "\n")
}

// remarks returns the current messages, the most urgent first.
func (s *Screen) remarks() []remark {
	t, now := s.theme, s.env.Now()
	var out []remark
	say := func(style lipgloss.Style, text string) {
		if text != "" {
			out = append(out, remark{text, style})
		}
	}
	switch {
	case s.question == removeLine:
		say(t.Warning, "Remove this line? Press y to remove it, any other key to keep it.")
	case s.question == discardDraft:
		say(t.Warning, "Discard this draft? Press y to discard it, any other key to keep it.")
	case s.trigger.armed(now):
		say(t.Warning, s.armedText())
	case s.trigger.held && (s.stage == reviewing || s.stage == uncertain):
		say(t.Caution, "Key held down: nothing was done.")
	}
	say(t.Critical, s.problem)
	if s.attempt.waitTo.After(now) && (s.stage == reviewing || s.stage == uncertain) {
		say(t.Caution, "The server asks to wait: "+panel.Countdown(s.attempt.waitTo, now)+".")
	}
	if s.keeping.failure != nil && s.stage != finished {
		say(t.Caution, "Draft not saved: "+sentence(s.keeping.failure))
	}
	if s.question == nothing && !s.trigger.armed(now) {
		say(t.Faint, s.hint())
	}
	return out
}

func (s *Screen) armedText() string {
	if s.trigger.drawn {
		return "Waiting for the key to be released. esc cancels."
	}
	switch s.trigger.what {
	case again:
		return "Press s again to resend with the same idempotency key. Any other key cancels."
	case isThere:
		invoice, _ := s.search.chosen()
		return "Press enter again to take " + invoice.Number + " as the result and close this draft. Any other key cancels."
	}
	return "Press enter again to create the draft. Any other key cancels."
}

// hint returns a line that explains the page, or "" where none is needed.
func (s *Screen) hint() string {
	switch s.stage {
	case filling:
		return s.restored
	case reviewing:
		return "Press enter twice to create the draft, " + s.keys.Edit.Help().Key + " to return to the form."
	case sending:
		return "Sent once; waiting for the server."
	case uncertain:
		return "enter: the selected draft is this proposal. s: none of them is; resend with the same key; a server that remembers it creates no duplicate. r refreshes the list."
	}
	return ""
}

// labelled draws a label with its text wrapped beside it.
func (s *Screen) labelled(label, text string, width int) []string {
	const wide = 12
	lead := termtext.Fit(label, wide)
	if width < 2*wide {
		return append([]string{s.theme.Faint.Render(label)}, wrap(text, width)...)
	}
	var out []string
	for _, line := range wrap(text, width-wide) {
		out = append(out, s.theme.Faint.Render(lead)+line)
		lead = strings.Repeat(" ", wide)
	}
	return out
}
