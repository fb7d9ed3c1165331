package propose

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/termtext"
	"tarmac/views/parts/panel"
)

// minTableHeight is the minimum height of the list of drafts.
const minTableHeight = 4

// View draws the page.
func (s *Screen) View() string {
	f := panel.Frame{
		Title: s.title(), Note: s.note(), Width: s.width, Height: s.height, Focused: true, Body: s.body,
		EmptyText: "This session is read-only. Restart without --read-only to propose an invoice.",
	}
	return strings.Join(panel.Box(panel.Draw(s.theme, f, s.formState(), s.env.Now()), s.width, s.height), "\n")
}

func (s *Screen) title() string {
	switch s.step {
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

// note returns the text at the right end of the title line: when the draft was saved, or that
// drafts are not saved.
func (s *Screen) note() string {
	k := &s.saving
	switch {
	case s.step != filling && s.step != reviewing:
		return ""
	case k.Store == nil:
		return "draft won't be saved"
	case k.failure != nil || k.onDisk.IsZero():
		return ""
	}
	return "draft saved " + k.onDisk.Format("15:04") + " UTC"
}

// body draws the inside of the frame: the current step, and the remarks below it.
func (s *Screen) body(width, height int) []string {
	remarks := s.remarkLines(width, height)
	room := height - len(remarks)
	var lines []string
	switch s.step {
	case filling:
		rows, first, last := s.formRows(width)
		lines = visibleRows(rows, first, last, room)
	case reviewing, sending, finished:
		rows := s.scrolledRows(width)
		lines = rows[min(s.offset, len(rows)):]
	case uncertain:
		lines = s.searchRows(width, room)
	}
	return append(panel.Box(lines, width, room), remarks...)
}

// visibleRows drops rows at the top so that the rows from index firstRow to index lastRow are
// visible in a view that is height rows high.
func visibleRows(rows []string, firstRow, lastRow, height int) []string {
	top := max(0, min(lastRow+1+height/3-height, len(rows)-height))
	if firstRow < top {
		top = firstRow
	}
	return rows[top:]
}

// scrolledRows draws all lines of a step that scrolls by lines: the review or the created invoice.
func (s *Screen) scrolledRows(width int) []string {
	if s.step == finished {
		return s.finishedRows(width)
	}
	return s.reviewRows(width)
}

// arrange limits the scroll offset and sets the size of the list of drafts.
func (s *Screen) arrange() {
	if s.closed() {
		return
	}
	width, height := panel.Inner(s.width, s.height)
	switch {
	case s.scrolls():
		s.offset = max(0, min(s.offset, s.hiddenLines()))
	case s.step == uncertain:
		room := height - len(s.remarkLines(width, height))
		s.search.table.SetSize(width, max(min(minTableHeight, room), room-len(s.explanationRows(width))))
	}
}

// room returns how many lines of a step that scrolls are visible at once.
func (s *Screen) room() int {
	width, height := panel.Inner(s.width, s.height)
	return height - len(s.remarkLines(width, height))
}

// hiddenLines returns by how many lines a step that scrolls is longer than its visible part.
func (s *Screen) hiddenLines() int {
	width, _ := panel.Inner(s.width, s.height)
	return max(0, len(s.scrolledRows(width))-s.room())
}

// remark is a message at the bottom of the page, with its style.
type remark struct {
	text  string
	style lipgloss.Style
}

// remarkLines draws an empty line and the remarks, wrapped to width. It returns at most height/2
// lines.
func (s *Screen) remarkLines(width, height int) []string {
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

// remarks returns the messages about the page's current state, the most urgent first.
func (s *Screen) remarks() []remark {
	t, now := s.theme, s.env.Now()
	var out []remark
	add := func(style lipgloss.Style, text string) {
		if text != "" {
			out = append(out, remark{text, style})
		}
	}
	switch {
	case s.question == removeLine:
		add(t.Warning, "Remove this line? Press y to remove it, any other key to keep it.")
	case s.question == discardDraft:
		add(t.Warning, "Discard this draft? Press y to discard it, any other key to keep it.")
	case s.confirmation.waiting(now):
		add(t.Warning, s.confirmText())
	case s.confirmation.held && (s.step == reviewing || s.step == uncertain):
		add(t.Caution, "Key held down: nothing was done.")
	}
	add(t.Critical, s.problem)
	if s.attempt.notBefore.After(now) && (s.step == reviewing || s.step == uncertain) {
		add(t.Caution, "Wait: "+panel.Countdown(s.attempt.notBefore, now)+".")
	}
	if s.saving.failure != nil && s.step != finished {
		add(t.Caution, "Draft not saved: "+sentence(s.saving.failure))
	}
	if s.question == noQuestion && !s.confirmation.waiting(now) {
		add(t.Faint, s.hint())
	}
	return out
}

func (s *Screen) confirmText() string {
	if s.confirmation.pending {
		return "Waiting for the key to be released. esc cancels."
	}
	switch s.confirmation.action {
	case resend:
		return "Press s again to resend with the same idempotency key. Any other key cancels."
	case adopt:
		invoice, _ := s.search.chosen()
		return "Press enter again to take " + invoice.Number + " as the result and close this draft. Any other key cancels."
	}
	return "Press enter again to create the draft. Any other key cancels."
}

// hint returns the remark that explains the current step, or "".
func (s *Screen) hint() string {
	switch s.step {
	case filling:
		return s.restored
	case reviewing:
		return "Press enter twice to create the draft, " + editKey + " to return to the form."
	case sending:
		return "Sent once; waiting for the answer."
	case uncertain:
		return "enter: the selected draft is this proposal. s: none of them is; resend with the same key; " +
			"where it is remembered, no duplicate is created. r refreshes the list."
	}
	return ""
}

// labelledLines draws text next to its label, or below it on a narrow page, wrapped to width.
func (s *Screen) labelledLines(label, text string, width int) []string {
	const labelWidth = 12
	lead := termtext.Fit(label, labelWidth)
	if width < 2*labelWidth {
		return append([]string{s.theme.Faint.Render(label)}, wrap(text, width)...)
	}
	var out []string
	for _, line := range wrap(text, width-labelWidth) {
		out = append(out, s.theme.Faint.Render(lead)+line)
		lead = strings.Repeat(" ", labelWidth)
	}
	return out
}
